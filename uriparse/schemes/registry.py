"""What must be known of a scheme to parse its URLs, and registries of schemes.

Nothing here is global: a program that knows more schemes makes a registry that holds them, and
passes it to `parse_url`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias, TypeVar, cast, overload

from uriparse._base import engine as _engine
from uriparse._base.coerce import as_items, as_str, refusal
from uriparse._data_files import text_beside
from uriparse._scheme_facts import RFC1738_ROWS, SchemeRow, schemes_with
from uriparse.components.servers import HIGHEST_PORT
from uriparse.errors import ComponentError, unfit
from uriparse.grammar import rule_expressions
from uriparse.grammar.matchers import fullmatch
from uriparse.normalization import SCHEME_DEFAULTS, SchemeDefaults
from uriparse.schemes import captures
from uriparse.schemes.url import URL, ParsedSource
from uriparse.schemes.written_by_rule import Writer

if TYPE_CHECKING:
    from lark import Token, Tree

    from uriparse.grammar import Expression as RuleExpression
    from uriparse.schemes.captures import Expression, OwnReader, Reader
    from uriparse.schemes.fields import Captures, Found
    from uriparse.trees import URLTransformer
    from uriparse.trees.transformers import TreeParser


Standing: TypeAlias = Literal["registered", "in use"]

FieldRules: TypeAlias = "str | tuple[str, ...] | list[str]"
"""The rule whose text a field is; several in a tuple; in a list where it occurs many times."""


@dataclass(frozen=True)
class Scheme:
    """All that has to be known of a scheme.

    name: in lower case.
    record: the class of its records.
    rule: the ABNF rule of its URLs.
    grammar: the name of the shipped grammar that has the rule.
    tree_parser: the parser to use instead of that grammar, or None: see `trees.tree_parser`.
    transformer: the class that makes records of trees, in `transform` and wherever trees are read:
        a subclass of `trees.URLTransformer`, which is used if None.
    word: the scheme's name within the rule; URLs are parsed with this word in place of their
        own, so that schemes can share a syntax. None if the rule takes any.
    default_port: the port that is meant where none is written, or None.
    hierarchical: whether "/" in its URLs separates the levels of a hierarchy of names.
    host_after: what comes before the host, if there is one; `relaxed_host` needs to know.
    takes_any_host: whether the rule has all hosts of RFC 3986 by itself, so that
        `relaxed_host` makes no difference.
    fragment: the rule of what follows "#", and its grammar; None if "#" begins no fragment,
        but belongs to the rule or is refused by it.
    own: reads by a grammar that `from_abnf` was given; None for a shipped grammar.
    standing: "registered" where a standard has the syntax, "in use" where none has and the
        grammar follows what programs document.
    source: the RFC, the draft or the manual that the grammar is from; "" where not stated.
    """

    name: str
    record: type[URL]
    rule: str
    grammar: str = "rfc1738"
    tree_parser: TreeParser | None = None
    transformer: type[URLTransformer[URL]] | None = None
    word: str | None = None
    default_port: int | None = None
    hierarchical: bool = False
    host_after: Literal["//", "@"] | None = "//"
    takes_any_host: bool = False
    fragment: tuple[str, str] | None = ("urlpath", "rfc1738")
    own: OwnReader | None = field(default=None, repr=False, compare=False)
    standing: Standing = "registered"
    source: str = ""

    def __post_init__(self) -> None:
        for word in (self.name, self.word):
            if word is None or (is_scheme(word) and word == word.lower()):
                continue
            raise unfit(
                "scheme", "a name in lower case that fits the rule scheme of RFC 1738", value=word
            )
        port: object = self.default_port  # whatever an untyped program passes
        if port is not None and (type(port) is not int or not 0 <= port <= HIGHEST_PORT):
            raise ComponentError(
                f"default_port: a number from 0 to {HIGHEST_PORT}, or None",
                component="port",
                rule="port",
                value=str(port),
            )

    @property
    def components(self) -> frozenset[str]:
        """The names of the fields that its URLs can have."""
        return frozenset(self.record.__match_args__)

    def like(
        self,
        name: str,
        record: type[URL],
        *,
        default_port: int | None = None,
        standing: Standing | None = None,
        source: str | None = None,
    ) -> Scheme:
        """Describe another scheme with the same syntax; what is None is as in this scheme.

        name: of the other scheme. record: the class of its records, mostly a subclass of this
        scheme's class whose `SCHEME` is that name.

        >>> from uriparse.schemes import CURRENT, parse_url
        >>> from uriparse.schemes.current import WsURI
        >>> class ChatURI(WsURI):
        ...     SCHEME = "chat"
        >>> registry = CURRENT.with_scheme(CURRENT["ws"].like("chat", ChatURI, default_port=7070))
        >>> parse_url("chat://h.d/room", registry=registry).effective_port
        7070
        >>> ChatURI.from_parts(host="h.d", segments=["a b"], registry=registry)
        <ChatURI 'chat://h.d/a%20b'>
        """
        return replace(
            self,
            name=name,
            record=record,
            default_port=self.default_port if default_port is None else default_port,
            standing=standing or self.standing,
            source=self.source if source is None else source,
        )

    @property
    def defaults(self) -> SchemeDefaults:
        """What of its URIs may be changed and left out, for `normalize`."""
        is_slash = bool(getattr(self.record, "EMPTY_PATH_IS_SLASH", False))
        own = SchemeDefaults(None, is_slash, opaque=not self.hierarchical)
        return SCHEME_DEFAULTS.get(self.name, own)._replace(port=self.default_port)

    @cached_property
    def rules(self) -> Mapping[str, RuleExpression]:
        """The rules of its grammar, as nested tuples."""
        return rule_expressions(self.grammar) if self.own is None else self.own.rules

    @cached_property
    def writer(self) -> tuple[Mapping[str, str], Writer]:
        """The fields that are texts of rules, with a rule of each, and what writes URLs of them."""
        stated = ((name, one.kinds) for name, one in self.record.FIELDS.items())
        ruled = {name: [*filter(self.rules.__contains__, rules)] for name, rules in stated}
        first = {name: rules[0] for name, rules in ruled.items() if rules}
        numbers = {rule: at for at, name in enumerate(first) for rule in ruled[name]}
        return first, Writer(self.rules, self.rule, numbers)

    @cached_property
    def expressions(self) -> tuple[Expression, ...] | None:
        """What captures the fields of its URLs; None if only trees have them."""
        is_by_lark = _engine.by_lark is not None or self.tree_parser is not None
        if is_by_lark or self.own is not None:
            return None
        return captures.expressions(self.record.CAPTURES, self.rule, self.grammar)

    @cached_property
    def reader(self) -> Reader | None:
        """What makes a record of a URL; None if only trees do."""
        named = captures.Named(self.name, self.word, self.default_port)
        if self.own is not None:
            return captures.completing(self.record, self.own.capture, named)
        if self.expressions is None:
            return None
        pure = captures.reader_of(self.record, self.expressions, named)
        native = captures.native_reader(self.record, (self.rule, self.grammar), named, pure)
        return pure if native is None else native.read  # type: ignore[return-value]  # what it makes

    def fields(self, text: str) -> Found | None:
        """Return the fields of a text that begins with `word`; None if it is not of its rule."""
        among = self.expressions
        return self._fields_by_lark(text) if among is None else captures.captured(text, among)

    @cached_property
    def _fields_by_lark(self) -> Callable[[str], Found | None]:
        from uriparse.trees.engine import fields_reader  # noqa: PLC0415 - loads lark

        return fields_reader(self)

    @property
    def captures(self) -> Captures:
        """The fields of its records, by the name of the node of each rule."""
        return self.record.CAPTURES

    def tree(self, text: str) -> Tree[Token]:
        """Parse a URL that begins with `word`; URISyntaxError if it is not one of this scheme."""
        from uriparse.trees.transformers import tree_of  # noqa: PLC0415 - loads lark

        if self.tree_parser is not None:
            return tree_of(text, self.tree_parser, self.rule)
        from uriparse.trees import parse_tree  # noqa: PLC0415 - same

        return parse_tree(text, self.rule, grammar=self.grammar)

    def transformed(self, tree: Tree[Token], source: ParsedSource) -> URL:
        """Make the record of the tree of what was parsed of a URL."""
        from uriparse.trees import URLTransformer  # noqa: PLC0415 - loads lark

        return (self.transformer or URLTransformer)(self, source).transform(tree, source.parsed)

    def source_of(self, text: str) -> ParsedSource:
        """Describe a text that begins with `word`, and has no fragment beside its rule."""
        name = text.partition(":")[0].lower()
        return ParsedSource(text, text, name, self.record, self.default_port)


@cache
def described(row: SchemeRow) -> Scheme:
    """Make the scheme of a row of the table."""
    module, _, name = row.record.partition(".")
    is_old = row.grammar == "rfc1738"
    fragment = ("urlpath", "rfc1738") if is_old else ("fragment", "rfc3986")
    if of_its_own := row.option("fragment"):
        grammar, _, rule = of_its_own.partition(":")
        fragment = (rule, grammar)
    before: tuple[Literal["//", "@"], ...] = ("//", "@")
    of_rfc = "RFC 1738 and RFC 3986" if row.grammar == "ftp" else f"RFC {row.grammar[3:]}"
    return Scheme(
        row.name,
        getattr(import_module(f"uriparse.schemes.{module}"), name),
        row.rule,
        row.grammar,
        word=row.option("word") or row.name,
        default_port=row.port,
        hierarchical=row.name in schemes_with("hierarchical"),
        host_after=next((mark for mark in before if f"{mark}host" in row.facts), None),
        takes_any_host=not is_old,
        fragment=None if "no-fragment" in row.facts else fragment,
        standing="in use" if "in-use" in row.facts else "registered",
        source=row.source or of_rfc,
    )


def scheme_of(record: type[URL]) -> Scheme | None:
    """Return the scheme that a class of records is for, or a base class of it; None without one."""
    own = record.OWN_SCHEME
    if isinstance(own, SchemeRow):
        return described(own)
    return own if isinstance(own, Scheme) else None


Schemes: TypeAlias = Mapping[str, Scheme]
"""Schemes by name, such as a `Registry`."""


def known(registry: Schemes | None, own: Schemes) -> Schemes:
    """Return the registry that was passed, or else `own`; TypeError if it is not a mapping."""
    if registry is None:
        return own
    if not isinstance(registry, Mapping):
        raise refusal(registry, "registry", "a Registry or None")
    return registry


def is_scheme(name: str) -> bool:
    """Whether a text can be the name of a scheme in RFC 1738, where it may begin with a digit."""
    return fullmatch("scheme", "rfc1738")(as_str(name, "name")) is not None


def checked_scheme(text: str, name: str) -> str:
    """Return a text that can be a scheme's name; ComponentError, with the parameter, for others."""
    scheme = as_str(text, name)
    if not is_scheme(scheme):
        raise unfit("scheme", "the text does not fit the rule scheme of RFC 1738", value=scheme)
    return scheme


_T = TypeVar("_T")


Registered: TypeAlias = Literal["permanent", "provisional", "historical"]

Status: TypeAlias = Registered | Literal["described", "reserved", "experimental", "unknown"]


EXPERIMENTAL: Final = "x-"
"""How the names of schemes begin that need no registration (RFC 1738 section 4)."""


RESERVED: Final = frozenset({"afs", "mid", "cid", "nfs", "tn3270", "mailserver", "z39.50"})
"""Schemes that RFC 1738 keeps for descriptions to come (section 5)."""


class Registration(NamedTuple):
    """What IANA has of a scheme: its status, and the document or the person behind it."""

    status: Registered
    reference: str


@cache
def registrations() -> Mapping[str, Registration]:
    """Return IANA's registry of URI schemes by name, as of the day that registrations.txt says.

    >>> registrations()["ipp"]
    Registration(status='permanent', reference='RFC 3510')
    """
    lines = text_beside(__name__, "registrations.txt").splitlines()
    rows = (line.split(" ", 2) for line in lines if not line.startswith("#"))
    return MappingProxyType(
        {name: Registration(cast("Registered", status), of) for name, status, of in rows}
    )


class Registry(Mapping[str, Scheme]):
    """Schemes by name: an immutable mapping from which others can be derived.

    >>> from uriparse.schemes import RFC1738
    >>> "gopher" in RFC1738, RFC1738["gopher"].default_port
    (True, 70)
    >>> RFC1738.without("gopher").status("gopher")
    'unknown'
    """

    __slots__ = ("_later", "_schemes", "other")
    _schemes: dict[str, Scheme | None]
    other: Scheme | None
    """How URLs of schemes are read that it lacks; None for the general syntax of RFC 1738."""
    _later: Mapping[str, Callable[[], Scheme]]
    """What makes the schemes that are made when they are asked for, each as often as it is."""

    def __init__(
        self,
        schemes: Iterable[Scheme] = (),
        other: Scheme | None = None,
        later: Mapping[str, Callable[[], Scheme]] | None = None,
    ) -> None:
        kept: dict[str, Scheme | None] = dict.fromkeys(later or ())
        for scheme in as_items(schemes, "schemes", "an iterable of Schemes"):
            if not isinstance(scheme, Scheme):
                raise refusal(scheme, "a scheme of the registry", "a Scheme")
            kept[scheme.name] = scheme
        self._schemes = kept
        self.other = other
        self._later = later or {}

    def __getitem__(self, name: str) -> Scheme:
        found = self._schemes[name]
        if found is None:  # two threads may both make it, and come to the same
            found = self._schemes[name] = self._later[name]()
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._schemes

    @overload
    def get(self, name: str, default: None = None, /) -> Scheme | None: ...
    @overload
    def get(self, name: str, default: _T, /) -> Scheme | _T: ...
    def get(self, name: str, default: object = None, /) -> object:
        """Return the scheme of a name, or the default; as every mapping does, in less time."""
        found = self._schemes.get(name)
        if found is None:
            return self[name] if name in self._schemes else default
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._schemes)

    def __len__(self) -> int:
        return len(self._schemes)

    def _made(self) -> list[Scheme]:
        return [scheme for scheme in self._schemes.values() if scheme is not None]

    def __repr__(self) -> str:
        return f"<Registry {', '.join(self)}>"

    def with_scheme(self, scheme: Scheme) -> Registry:
        """Make a registry that has one scheme more, or another of the same name."""
        return Registry([*self._made(), scheme], self.other, self._later)

    def without(self, name: str) -> Registry:
        """Make a registry that lacks a scheme; KeyError for an unknown name."""
        if name not in self:
            raise KeyError(name)
        kept = [scheme for scheme in self._made() if scheme.name != name]
        later = {own: make for own, make in self._later.items() if own != name}
        return Registry(kept, self.other, later)

    @property
    def defaults(self) -> Mapping[str, SchemeDefaults]:
        """What URIs of the schemes may leave out, for `uriparse.normalize` and `equivalent`.

        The schemes of the library are known there anyway; a registry with one of yours adds that.

        >>> from uriparse.schemes import CURRENT
        >>> CURRENT.defaults["coap"].port
        5683
        """
        return {**SCHEME_DEFAULTS, **{name: scheme.defaults for name, scheme in self.items()}}

    def status(self, name: str) -> Status:
        """Say what is known of a scheme by its name, in any letter case.

        `"described"`: in this registry. `"permanent"`, `"provisional"` or `"historical"`: in IANA's
        today (see `registrations`); or else, in a registry of 1994, `"reserved"`: RFC 1738 keeps
        the name. `"experimental"`: it begins with `x-`. `"unknown"`: none of these. ComponentError
        if it is not a name.

        >>> from uriparse.schemes import CURRENT, RFC1738
        >>> [RFC1738.status(name) for name in ("HTTP", "nfs", "x-foo", "foo")]
        ['described', 'reserved', 'experimental', 'unknown']
        >>> [CURRENT.status(name) for name in ("HTTP", "dav", "bitcoin", "wpid", "foo")]
        ['described', 'permanent', 'provisional', 'historical', 'unknown']
        """
        lower = checked_scheme(name, "name").lower()
        if lower in self:
            return "described"
        if self.other is None:
            if lower in RESERVED:
                return "reserved"
        elif lower in registrations():
            return registrations()[lower].status
        return "experimental" if lower.startswith(EXPERIMENTAL) else "unknown"


RFC1738: Final = Registry(
    later={name: partial(described, row) for name, row in RFC1738_ROWS.items()}
)
"""The ten schemes of RFC 1738, and https; `parse_url` reads by them with `registry=RFC1738`."""
