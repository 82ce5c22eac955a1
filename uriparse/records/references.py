"""The records that parsing returns: `URI` and `RelativeRef`, with every component as written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import (
    TYPE_CHECKING,
    ClassVar,
    Literal,
    NoReturn,
    Self,
    TypeAlias,
    TypeVar,
    Unpack,
    cast,
    final,
    overload,
)

from uriparse import components
from uriparse._base import migration_hints as hints
from uriparse._base.coerce import (
    ComparedAsText,
    Data,
    Text,
    as_choice,
    as_items,
    as_optional_str,
    as_str,
    as_text,
    refusal,
)
from uriparse.components.component_text import check, check_path, compose, grammar_of_records
from uriparse.errors import ResolutionError, URISyntaxError, unexplained, unfit
from uriparse.grammar import start_rule
from uriparse.grammar.matchers import tables
from uriparse.records import _draft, readers, rewriting
from uriparse.records._draft import COMPONENTS, NAMES, Component, Slots
from uriparse.records._parts import AfterScheme, ChangesOfURI, Framed, Parts, PartsOfURI
from uriparse.records.authority import (
    Authority,
    PortPart,
    WithAuthority,
    _unchecked_authority,
    checked_authority,
    mask,
)
from uriparse.records.edits import Edits
from uriparse.records.hosts import RegName, _unchecked_host, read_host

if TYPE_CHECKING:
    from uriparse._compiled.names import RecordGrammar
    from uriparse.components.redaction import Redaction
    from uriparse.components.secret_names import Profile
    from uriparse.components.servers import SchemeDefaults
    from uriparse.records.hosts import HostPart


_R = TypeVar("_R", bound="URIReference")


# The record.

NormalLevel: TypeAlias = Literal["syntax", "scheme"]
_LEVELS: tuple[NormalLevel, ...] = ("syntax", "scheme")

_keep_authority = vars(Slots)["_authority"].__set__


class URIReference(
    Edits,
    WithAuthority,
    ComparedAsText,
    hints.Foreign,
    Framed,
    foreign=hints.foreign_names("text", "parts", "reference", value="uri"),
):
    """A parsed reference: a `URI` or a `RelativeRef`.

    scheme: None in a relative reference.
    authority: None without "//"; `userinfo`, `host`, `port` are its parts, each None without it.
    path: never None; `""` if nothing is written.
    query, fragment: None without "?" and "#", `""` where nothing follows them.
    grammar: "rfc3986", or "rfc3987" for an IRI.

    Every component is the text as written, nothing decoded. `str` returns the parsed text.
    Immutable, picklable; equal to its text, `uri == "http://h/"`, hashed and ordered as it is
    (see `equivalent` for what means the same). `repr` masks the password.

    >>> from uriparse import RegName, parse
    >>> uri = parse("http://user:secret@example.com:/a?")
    >>> uri, uri.port, uri.query, uri.fragment
    (<URI 'http://user:***@example.com:/a?'>, '', '', None)
    >>> match uri:
    ...     case URI(scheme, Authority(userinfo, RegName(name))):
    ...         print(scheme, userinfo, name)
    http user:secret example.com
    """

    __slots__ = ()
    _FORMAT: ClassVar = "uri-reference"
    __match_args__: ClassVar = ("scheme", "authority", "path", "query", "fragment")

    def __new__(
        cls, *text: Text, grammar: RecordGrammar | str = "rfc3986", **parts: Unpack[Parts]
    ) -> Self:
        """Parse a text as `parse` does, or check components as `from_parts` does and keep them."""
        return _made(cls, text, parts, grammar)

    @property
    def authority(self) -> Authority | None:
        """The authority with its parts, None where there is none."""
        authority = self._authority
        if authority is None and (host := self.host) is not None:
            # Two threads may both come here: they make equal values, and either may stay.
            authority = _unchecked_authority(self.userinfo, host, self.port)
            _keep_authority(self, authority)
        return authority

    @property
    def effective_port(self) -> int | None:
        """The port to connect to: the one that is written, or else the scheme's own.

        None if there is neither (see `SCHEME_DEFAULTS`). ComponentError as for `port_number`.

        >>> from uriparse.parsing.parser import parse
        >>> parse("https://h/").effective_port, parse("https://h:8443/").effective_port
        (443, 8443)
        """
        number = self.port_number
        if number is None and self.host is not None:
            return components.servers.default_port(self.scheme)
        return number

    @property
    def origin(self) -> str | None:
        """The origin as text: scheme, host, port if it is not the scheme's own (RFC 6454 §6.2).

        None where there is none (section 4): without scheme or host, and for schemes whose
        default port is not known (see `SCHEME_DEFAULTS`), `file` among them. Two URIs without an
        origin do not share one. The host is in lower case, and no name beyond ASCII is mapped (see
        `iri_to_uri`).

        >>> from uriparse.parsing.parser import parse
        >>> parse("HTTPS://u@Example.COM:443/a").origin, parse("mailto:a@b").origin
        ('https://example.com', None)
        """
        host = None if self.host is None else self.host.text
        return components.servers.origin(self.scheme, host, self.port)

    @staticmethod
    def from_parts(  # noqa: PLR0913 - one for each component
        *,
        scheme: str | None = None,
        authority: str | Authority | None = None,
        userinfo: str | None = None,
        host: HostPart | None = None,
        port: PortPart | None = None,
        path: str = "",
        query: str | None = None,
        fragment: str | None = None,
        grammar: RecordGrammar | str = "rfc3986",
    ) -> URI | RelativeRef:
        """Make a reference from components as they are to be written (RFC 3986 section 5.3).

        None is absent, `""` present and empty. Give `authority`, or its parts: the host as text,
        as a `Host` or as an address of `ipaddress`, the port as its number or as digits. Nothing
        is encoded (see `quote`) nor joined across a boundary.

        ComponentError for a component that breaks its rule, or that would be read back as
        another: a path that begins with "//" without an authority, or with a segment that holds
        ":" without a scheme; a userinfo or port without a host. UnknownRuleError for a grammar
        that has no references. TypeError for a component that is not a text, and for both
        `authority` and its parts.

        >>> URIReference.from_parts(scheme="http", host="example.com", path="/", query="")
        <URI 'http://example.com/?'>
        >>> URIReference.from_parts(scheme="x", path="//y")
        Traceback (most recent call last):
        uriparse.errors.ComponentError: path "//y" without an authority would be read as one: \
path-absolute begins with one "/"
        """
        if grammar == "rfc3986" and authority is None:
            read = rewriting.read_back(scheme, userinfo, host, port, path, query, fragment)
            if read is not None:
                return cast("URI | RelativeRef", read)
        grammar = grammar_of_records(grammar)
        scheme = as_optional_str(scheme, "scheme")
        path = as_str(path, "path")
        query = as_optional_str(query, "query")
        fragment = as_optional_str(fragment, "fragment")
        if scheme is not None:
            check("scheme", scheme, grammar)
        whole = checked_authority(authority, userinfo, host, port, grammar)
        check_path(path, grammar, scheme=scheme, authority=whole is not None)
        if query is not None:
            check("query", query, grammar)
        if fragment is not None:
            check("fragment", fragment, grammar)
        own = (None, None, None) if whole is None else (whole.userinfo, whole.host, whole.port)
        return _unchecked_parts(scheme, *own, path, query, fragment, grammar, whole)

    def as_dict(self) -> dict[str, str | None]:
        """Return the components as text by name, None where absent.

        >>> from uriparse.parsing.parser import parse
        >>> list(parse("http://h/a?b").as_dict().items())[2:]
        [('host', 'h'), ('port', None), ('path', '/a'), ('query', 'b'), ('fragment', None)]
        """
        host = None if self.host is None else str(self.host)
        return {name: getattr(self, name) for name in COMPONENTS} | {"host": host}

    def replace(self, **changes: Unpack[Parts]) -> URI | RelativeRef:
        """Make a reference with some components replaced, named as in `from_parts`.

        If only parts of the authority are passed, the others stay. Without a scheme the result is a
        `RelativeRef`. Errors as in `from_parts`.

        >>> from uriparse.parsing.parser import parse
        >>> str(parse("http://h:80/a?b").replace(port=None, query="c"))
        'http://h/a?c'
        """
        made = rewriting.replaced(self, changes)
        if made is not None:
            return cast("URI | RelativeRef", made)
        _known(changes)
        parts: Parts = {
            "scheme": self.scheme,
            "path": self.path,
            "query": self.query,
            "fragment": self.fragment,
        }
        if "authority" not in changes:
            host = None if self.host is None else self.host.text
            parts |= {"userinfo": self.userinfo, "host": host, "port": self.port}
        return self.from_parts(**(parts | changes), grammar=self.grammar)

    __replace__ = replace  # for `copy.replace` of Python 3.13

    def resolve(self, reference: Text, *, strict: bool = True) -> URI:
        """Resolve a reference against this URI, as the function `resolve` does.

        ResolutionError if this is a relative reference; URISyntaxError for an invalid text.

        >>> from uriparse.parsing.parser import parse
        >>> parse("http://a/b/c").resolve("../d")
        <URI 'http://a/d'>
        """
        return target(self, reference, strict=strict)

    def normalize(
        self,
        level: NormalLevel = "scheme",
        *,
        schemes: Mapping[str, SchemeDefaults] | None = None,
        passes: Sequence[Pass] = (),
    ) -> Self:
        """Return the normal form, as the function `normalize` does.

        >>> from uriparse.parsing.parser import parse
        >>> parse("HTTP://H:80/%7Ea").normalize()
        <URI 'http://h/~a'>
        """
        return cast("Self", normal(self, level, schemes=schemes, passes=passes))

    def redact(
        self,
        *,
        profile: Profile = "default",
        userinfo: bool = True,
        names: Iterable[Data] | None = None,
    ) -> Self:
        """Replace secrets by REDACTED, as the function `redact` does."""
        redaction = components.redaction.Redaction(profile, names, userinfo=userinfo)
        return cast("Self", redacted_by(redaction, self))

    def __repr__(self) -> str:
        text = self._text
        if self.userinfo is not None:
            masked = (self.scheme, mask(self.userinfo), str(self.host), self.port)
            text = compose(*masked, self.path, self.query, self.fragment)
        elif self.scheme is not None and self.host is None and "@" in self.path:
            from uriparse.errors.excerpt import masked_path  # noqa: PLC0415 - rarely asked for

            text = masked_path(text)
        return f"<{type(self).__name__} {text!r}>"

    def __rich_repr__(self) -> Iterator[str]:
        """Yield the text without its password, for `rich`."""
        yield repr(self)[len(f"<{type(self).__name__} '") : -len("'>")]

    def _repr_pretty_(self, printer: object, _: object) -> None:
        """Print as `repr` does, for IPython."""
        printer.text(repr(self))  # type: ignore[attr-defined]  # what IPython prints with

    if not TYPE_CHECKING:  # type checkers know that there are no such operators
        __getitem__ = hints.refusing("is not a mapping", "uri.as_dict()", "uri.segments")
        __contains__ = hints.refusing("is not a container", "str(uri)")
        __add__ = __radd__ = hints.refusing("does not add", 'uri / "segment"', "str(uri)")
        __mod__ = hints.refusing("has no %", 'uri.set_query({"name": "value"})')
        __floordiv__ = hints.refusing("has no //", 'uri / "segment"', 'uri.resolve("../b")')

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable: use replace()")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable: use replace()")

    def __reduce__(self) -> tuple[object, ...]:
        return _unchecked_parts, tuple(getattr(self, name) for name in (*COMPONENTS, "grammar"))


@final
class URI(URIReference):
    """A reference with a scheme (rule `URI`), or an IRI.

    The constructor takes a text as `parse` does, or the components by name as `from_parts` does.

    >>> URI("mailto:Joe@Example.COM"), URI(scheme="http", host="example.com", port=8080)
    (<URI 'mailto:Joe@Example.COM'>, <URI 'http://example.com:8080'>)
    >>> URI("localhost")
    Traceback (most recent call last):
    uriparse.errors.URISyntaxError: scheme: the text has no scheme; at offset 9, found the end; \
help: begin with one, such as "http://", or allow relative references (rule="URI-reference")
    """

    __slots__ = ()
    _FORMAT: ClassVar = "uri"
    scheme: Component[str]

    @overload
    def __new__(cls, text: Text, /, *, grammar: RecordGrammar | str = "rfc3986") -> Self: ...
    @overload
    def __new__(
        cls, *, grammar: RecordGrammar | str = "rfc3986", **parts: Unpack[PartsOfURI]
    ) -> Self: ...
    def __new__(
        cls, *text: Text, grammar: RecordGrammar | str = "rfc3986", **parts: Unpack[Parts]
    ) -> Self:
        """Parse a text by the rule URI, or check components, of which the scheme is one."""
        if not text and parts.get("scheme") is None:
            _known(parts)
            raise unfit("scheme", "it is missing; a reference without a scheme is a RelativeRef")
        return _made(cls, text, parts, grammar)

    if TYPE_CHECKING:

        @overload
        def replace(self, **changes: Unpack[ChangesOfURI]) -> URI: ...
        @overload
        def replace(self, **changes: Unpack[Parts]) -> URI | RelativeRef: ...
        def replace(self, **changes: Unpack[Parts]) -> URI | RelativeRef: ...  # noqa: D102 - as above


@final
class RelativeRef(URIReference):
    """A reference without a scheme (rule `relative-ref`): its `scheme` is None.

    The constructor takes a text as `parse` does, or the components by name as `from_parts` does.

    >>> RelativeRef("../a#"), RelativeRef(path="../a", fragment="")
    (<RelativeRef '../a#'>, <RelativeRef '../a#'>)
    """

    __slots__ = ()
    scheme: Component[None]

    def __new__(
        cls, *text: Text, grammar: RecordGrammar | str = "rfc3986", **parts: Unpack[AfterScheme]
    ) -> Self:
        """Parse a text by the rule relative-ref, or check components, without a scheme."""
        if "scheme" in parts:
            raise TypeError("a RelativeRef takes no scheme: a reference with one is a URI")
        return _made(cls, text, parts, grammar)

    if TYPE_CHECKING:

        @overload
        def replace(self, **changes: Unpack[AfterScheme]) -> RelativeRef: ...
        @overload
        def replace(self, **changes: Unpack[Parts]) -> URI | RelativeRef: ...
        def replace(self, **changes: Unpack[Parts]) -> URI | RelativeRef: ...  # noqa: D102 - as above


Slots.CLASSES.update(URI=URI, RelativeRef=RelativeRef)


def _made(cls: type[_R], text: tuple[Text, ...], parts: Mapping[str, object], grammar: str) -> _R:
    """Make a record of the class of a text, or of components."""
    if not text:
        _known(parts)
        made = URIReference.from_parts(**cast("Parts", parts), grammar=grammar)
        return cast("_R", made)
    if len(text) > 1 or parts:
        raise TypeError(f"{cls.__name__} takes one text, or components by name: {', '.join(NAMES)}")
    rule = _rule(cls.__name__, grammar_of_records(grammar))
    return cast("_R", read(text[0], rule, grammar))


@cache
def _rule(kind: str, grammar: str) -> str:
    """Name the rule of a grammar whose texts are the records of a class."""
    rules = (rule for rule, record in tables(grammar).RECORDS.items() if record == kind)
    return next(rules, start_rule(grammar))


def _known(parts: Iterable[str]) -> None:
    """Raise TypeError for an unknown component."""
    for name in parts:
        if name not in NAMES:
            raise TypeError(
                f"no component {name!r}: there are {', '.join(NAMES)}; make() takes user, password,"
                " segments and pairs"
            )


_unchecked_parts = cast("Callable[..., Record]", _draft._unchecked_parts)  # noqa: SLF001 - typed here


# Reading, and what methods and the functions of other wings share.

Record: TypeAlias = URI | RelativeRef

Reference: TypeAlias = Text | URIReference
"""A record; or text or ASCII bytes, parsed by RFC 3986, or by RFC 3987 together with an IRI."""

REFERENCE_RULES: Mapping[str, str] = {"rfc3986": "URI-reference", "rfc3987": "IRI-reference"}
"""The most general rule for records in each grammar."""

URI_RULES: Mapping[str, str] = {"rfc3986": "URI", "rfc3987": "IRI"}
"""The rule for those with a scheme."""


def reference_rule(grammar: str) -> str:
    """Return the most general rule of a grammar for records, by RFC 3986 where it has none."""
    return REFERENCE_RULES.get(as_str(grammar, "grammar"), REFERENCE_RULES["rfc3986"])


reader = cast("Callable[[str, str], Callable[[str], Record | None]]", readers.reader)
"""Returns the reader of a rule for references; UnknownRuleError as for `parse`."""


def read(text: Text, rule: str, grammar: str) -> Record:
    """Parse a text by a rule, as `uriparse.parse` does; a record of the same kind is returned."""
    record = try_read(text, rule, grammar)
    if record is None:
        raise unexplained(explain, text, rule, grammar)
    return record


def try_read(text: Text, rule: str, grammar: str) -> Record | None:
    """Parse a text as `read` does, but return None for one that the rule does not match."""
    if not (type(rule) is type(grammar) is str):
        rule, grammar = as_str(rule, "rule"), as_str(grammar, "grammar")
    reads = reader(rule, grammar)
    plain = text if type(text) is str else as_readable(text)
    record = None if plain is None else reads(plain)
    if type(text) is type(record) and text.grammar == record.grammar:
        return text
    return record


def explain(text: Text, rule: str = "URI-reference", grammar: str = "rfc3986") -> URISyntaxError:
    """Say why a rule does not match a text."""
    return _diagnosing()(text, rule, grammar)


@cache
def _diagnosing() -> Callable[[Text, str, str], URISyntaxError]:
    from uriparse.diagnosis import diagnose  # noqa: PLC0415 - only a reason that is read pays

    return diagnose


def as_readable(text: Text) -> str | None:
    """Return a text as an exact str; None for bytes that are not ASCII, which no rule matches."""
    if isinstance(text, bytes) and not bytes.isascii(text):
        return None
    return as_text(text)


def as_reference(value: Reference, grammar: str = "rfc3986", name: str = "reference") -> Record:
    """Return a record unchanged, or a text parsed as a reference; `name`: of the parameter.

    URISyntaxError for another text; UnknownRuleError for a grammar without references.
    """
    if not (type(grammar) is str and grammar in REFERENCE_RULES):
        grammar = grammar_of_records(grammar)
    if isinstance(value, URIReference):
        return value  # type: ignore[return-value]  # there are no others
    text = value if isinstance(value, bytes) else as_text(value, name)
    return read(text, REFERENCE_RULES[grammar], grammar)


def common_grammar(*references: Reference | None, grammar: str = "rfc3986") -> str:
    """Return the grammar that can parse all references: "rfc3987" if one is an IRI record.

    grammar: that of texts beside URI records; UnknownRuleError for one without references.
    """
    name = grammar_of_records(grammar)
    iri = any(isinstance(one, URIReference) and one.grammar == "rfc3987" for one in references)
    return "rfc3987" if iri else name


def absolute(reference: Reference, role: str, grammar: str = "rfc3986") -> URI:
    """Return a reference as a URI; ResolutionError, which names its role, if it is relative."""
    record = as_reference(reference, grammar, role)
    if isinstance(record, URI):
        return record
    from uriparse.errors import excerpt  # noqa: PLC0415 - only for errors

    raise ResolutionError(
        f"the {role} {excerpt.masked(repr(record))} is a relative reference: resolve it first"
        " against the URI of the document that contains it (see base_uri)"
    )


def target(base: Reference, reference: Reference, *, strict: bool, grammar: str = "rfc3986") -> URI:
    """Resolve a reference against a base, as `uriparse.resolve` does."""
    if grammar == "rfc3986":
        native = rewriting.native_target(base, reference, bool(strict))
        if native is not None:
            return cast("URI", native)
    grammar = common_grammar(base, reference, grammar=grammar)
    base = absolute(base, "base", grammar)
    reference = as_reference(reference, grammar)
    if isinstance(reference, URI) and (strict or reference.scheme.lower() != base.scheme.lower()):
        return without_dots(reference)
    own: URIReference = reference
    path, query = reference.path, reference.query
    if reference.host is None:
        own = base
        rooted = base.host is not None
        path, query = components.target.target(
            base.path, base.query, path, query, after_authority=rooted
        )
    else:
        path = components.target.path_without_dots(path, after_authority=True)
    grammar = base.grammar if base.grammar == reference.grammar else "rfc3987"
    parts = (base.scheme, own.userinfo, own.host, own.port, path, query, reference.fragment)
    return cast("URI", _unchecked_parts(*parts, grammar))


def without_dots(uri: URI) -> URI:
    """Remove the dot segments of a URI's path (RFC 3986 section 5.2.4), unless it is opaque."""
    if components.servers.defaults_of(uri.scheme).opaque:
        return uri
    path = components.target.path_without_dots(uri.path, after_authority=uri.host is not None)
    return uri._with_path(path)  # noqa: SLF001 - of a record


def redacted_by(redaction: Redaction, record: URIReference) -> Record:
    """Replace the secrets of a record."""
    made = redaction.of_reference(
        str(record), record.scheme, record.path, has_authority=record.host is not None
    )
    return as_reference(record if made == record._text else made, record.grammar)  # noqa: SLF001


Pass: TypeAlias = Callable[[Record], Record]


def normal(
    reference: Reference,
    level: NormalLevel,
    *,
    schemes: Mapping[str, SchemeDefaults] | None = None,
    passes: Sequence[Pass] = (),
    grammar: str = "rfc3986",
) -> Record:
    """Return the normal form, as `uriparse.normalize` does."""
    if level not in _LEVELS:
        as_choice(level, "level", _LEVELS)
    by_scheme, made = level == "scheme", None
    if schemes is None and grammar == "rfc3986":
        made = rewriting.native_normal(reference, by_scheme)
    if made is None:
        made = by_passes(as_reference(reference, grammar), schemes, _SYNTAX, defaults=by_scheme)
    record = cast("Record", made)
    return passed(record, checked_passes(passes)) if passes else record


def checked_passes(passes: Iterable[Pass]) -> tuple[Pass, ...]:
    """Return passes as a tuple; TypeError if one is not callable."""
    checked = tuple(as_items(passes, "passes", "a sequence of passes"))
    for each in checked:
        if not callable(each):
            raise refusal(each, "a pass", "a function of a record")
    return checked


def passed(record: Record, passes: Iterable[Pass]) -> Record:
    """Apply checked passes in order; TypeError for one that returns no record."""
    for each in passes:
        record = each(record)
        if not isinstance(record, URIReference):
            raise TypeError(f"a pass must return a record, not {type(record).__name__}")
    return record


_SYNTAX = (True, True, True)


def by_passes(
    record: Record,
    schemes: Mapping[str, SchemeDefaults] | None = None,
    syntax: tuple[bool, bool, bool] = (False, False, False),
    *,
    defaults: bool = False,
) -> Record:
    """Return what passes of normalization make: those of `normal_form.normal_parts`."""
    if not (schemes is None or isinstance(schemes, Mapping)):
        raise refusal(schemes, "schemes", "a mapping of names to SchemeDefaults")
    host, grammar = record.host, record.grammar
    written = None if host is None else host._text  # noqa: SLF001 - the text of a host
    before = (record.scheme, record.userinfo, written, record.port)
    parts = (*before, record.path, record.query, record.fragment)
    after = components.normal_form.normal_parts(parts, grammar, schemes, syntax, defaults=defaults)
    if after == parts:
        return record
    scheme, userinfo, name, port, path, query, fragment = after
    if not name:
        host = None if name is None else _unchecked_host(RegName, "")
    elif written and "%" in written:  # which may be read as an address now
        host = read_host(name, grammar)
    elif host is not None and name != written:
        host = _unchecked_host(type(host), name)
    return _unchecked_parts(scheme, userinfo, host, port, path, query, fragment, grammar)
