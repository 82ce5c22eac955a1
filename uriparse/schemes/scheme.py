"""What has to be known of a scheme to parse its URLs: the record of each scheme states it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, cast

from uriparse._native import kernel, native_rule, tagged
from uriparse.coerce import as_str, refusal
from uriparse.errors import ComponentError
from uriparse.grammar import matcher
from uriparse.grammar.matchers import dispatch
from uriparse.schemes.encoding import Encoded
from uriparse.schemes.trees import Leaf, URLTransformer, branch, method_name, passed, root, tree_of
from uriparse.schemes.url import URL, _unchecked_url, making

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    from uriparse.schemes.trees import Found, TreeParser, URLTree
    from uriparse.schemes.url import Source


# From the match of a rule's expression to the fields of a record.
#
# Where the fields of a record are the text of rules, the expression of the scheme's rule captures
# them, and no tree has to be made: that takes a tenth of the time.


class Expression(NamedTuple):
    """An expression, and of its groups the number, the field and the kind of that."""

    fullmatch: Callable[[str], re.Match[str] | None]
    leaves: tuple[tuple[int, str, type[Encoded]], ...]


def expressions(
    transformer: type[URLTransformer], rule: str, grammar: str
) -> tuple[Expression, ...] | None:
    """Give the expressions to try in turn in place of a rule; None if trees are needed.

    They are for a transformer that does more than name fields, for a rule whose expression
    captures nothing, and where a group is no node that the transformer knows.
    """
    leaves = leaves_of(transformer, rule)
    if leaves is None:
        return None
    found = []
    for name in dispatch(rule, grammar):
        expression = matcher(name, grammar)
        methods = {method_name(group): number for group, number in expression.groupindex.items()}
        if not methods or not methods.keys() <= leaves.keys():
            return None
        groups = ((number, leaves[name]) for name, number in methods.items())
        kept = tuple((number, leaf.field, leaf.kind) for number, leaf in groups if leaf is not None)
        found.append(Expression(expression.fullmatch, kept))
    return tuple(found)


def captured(
    text: str, among: tuple[Expression, ...], source: Source | None = None, shift: int = 0
) -> Found | None:
    """Give the fields of a text; None if no expression matches it.

    source, shift: tell where the fields lie, if not where they lie in the text.
    """
    for fullmatch, leaves in among:
        match = fullmatch(text)
        if match is None:
            continue
        found: Found = {}
        places = match.regs
        for number, name, kind in leaves:
            start, end = places[number]
            if start >= 0:
                # As `_trusted_field` makes it: a call for each field is a tenth of all the time.
                field = _new_text(kind, text[start:end])
                at = start + shift if source is None else source.at(start)
                field._start = None if start == end else at  # noqa: SLF001 - see there
                found[name] = field
        return found
    return None


def leaves_of(transformer: type[URLTransformer], rule: str) -> dict[str, Leaf | None] | None:
    """Name the leaves of a transformer, None for those passed over; None if it has to be run."""
    if getattr(transformer, method_name(rule), None) is not root:
        return None
    names = {
        name
        for owner in transformer.__mro__
        if owner not in {URLTransformer, object}
        for name, value in vars(owner).items()
        if isinstance(value, Leaf) or callable(value)
    }
    found: dict[str, Leaf | None] = {}
    for name in {"hostname", "hostnumber", *names}:
        method = getattr(transformer, name)
        if isinstance(method, Leaf):
            found[name] = method
        elif method is passed:
            found[name] = None
        elif method not in {branch, root}:
            return None
    return found


# From the match of a rule's expression to a record at once.
#
# That is for records whose fields are what is captured, and nothing else; those that add to it
# are made by way of a mapping (see `reading`), which takes a fifth of the time more.

Reader: TypeAlias = "Callable[[str, str, str, Encoded | None], URL | None]"
"""Gives the record of a text; None if its URL is none of the scheme.

The text, and of it the URL, the name of the scheme in lower case, and the fragment.
"""

SHARED = frozenset(URL.__slots__)
"""The slots of every record, which are no rule's own text."""

_new_record = object.__new__
_new_text = str.__new__


class Named(NamedTuple):
    """Of a scheme its `name`, its `word` within the rule and its `default_port`."""

    name: str
    word: str | None
    port: int | None


class _Way(NamedTuple):
    """An expression, the slots that it never fills, and what fills the others.

    captures: the number of a group, its slot, the kind of field, and whether it is the first of
        the groups for that slot.
    """

    fullmatch: Callable[[str], re.Match[str] | None]
    empty: tuple[str, ...]
    captures: tuple[tuple[int, str, type[Encoded], bool], ...]


def is_direct(kind: type[URL]) -> bool:
    """Whether a record is made of what is captured, and nothing else."""
    own: bool = kind.complete.__func__ is URL.complete.__func__  # type: ignore[attr-defined]
    return own


def reader_of(kind: type[URL], expressions: tuple[Expression, ...], named: Named) -> Reader:
    """Give the reader of a scheme that has expressions."""
    draft, slots = making(kind)
    _, word, port = named
    fields = {slot for expression in expressions for _, slot, _ in expression.leaves}
    if not is_direct(kind) or not fields <= slots.keys():
        return _completing(kind, expressions, word, port)
    among = tuple(_way(expression, slots) for expression in expressions)

    def read(text: str, url: str, name: str, fragment: Encoded | None) -> URL | None:
        shift = 0
        if word is not None and word != name:
            url = word + url[len(name) :]
            shift = len(name) - len(word)
        for fullmatch, empty, captures in among:
            match = fullmatch(url)
            if match is None:
                continue
            record: URL = _new_record(draft)
            record._text = text  # noqa: SLF001 - a draft is filled from outside
            record.scheme = name
            record.default_port = port
            record.fragment = fragment
            for slot in empty:
                setattr(record, slot, None)
            places = match.regs
            for number, slot, field, is_first in captures:
                start, end = places[number]
                if start >= 0:
                    # As `_trusted_field` makes it: a call for each field is a tenth of the time.
                    value = _new_text(field, url[start:end])
                    value._start = None if start == end else start + shift  # noqa: SLF001 - same
                    setattr(record, slot, value)
                elif is_first:
                    setattr(record, slot, None)
            record.__class__ = kind
            return record
        return None

    return read


def _completing(
    kind: type[URL], expressions: tuple[Expression, ...], word: str | None, port: int | None
) -> Reader:
    """Give the reader for records that add something to what is captured."""

    def read(text: str, url: str, name: str, fragment: Encoded | None) -> URL | None:
        own, shift = url, 0
        if word is not None and word != name:
            own, shift = word + url[len(name) :], len(name) - len(word)
        found = captured(own, expressions, shift=shift)
        if found is None:
            return None
        found["_text"], found["scheme"], found["default_port"] = text, name, port
        found["fragment"] = fragment
        kind.complete(found, url)
        return _unchecked_url(kind, found)

    return read


def _way(expression: Expression, slots: dict[str, None]) -> _Way:
    seen = {*SHARED}
    captures = []
    for number, slot, field in expression.leaves:
        captures.append((number, slot, field, slot not in seen))
        seen.add(slot)
    empty = tuple(slot for slot in slots if slot not in seen)
    return _Way(expression.fullmatch, empty, tuple(captures))


# The readers of `readers` as the kernel has them: told which slots to fill, and by what.

_MOST = 8
"""So many slots can the kernel fill with what is the same for all texts."""


def native_reader(
    kind: type[URL],
    rule: tuple[str, str],
    leaves: Mapping[str, Leaf | None],
    named: Named,
    pure: Reader,
) -> Reader:
    """Give the reader of a scheme, the pure one where the kernel has none.

    rule: of the URLs, and its grammar.
    leaves: which fields the leaves of the rule are.
    """
    name, word, port = named
    if kernel is None or word is None or not is_direct(kind):
        return pure
    own = native_rule(*rule, pure)  # type: ignore[arg-type]  # it is never asked
    if own is None:
        return pure
    slots = {slot: getattr(kind, slot) for slot in making(kind).slots}
    found = [leaves.get(method_name(field)) for field in tagged(rule[1]).FIELDS]
    fields = [leaf if leaf is not None and leaf.field in slots else None for leaf in found]
    filled = {leaf.field for leaf in fields if leaf is not None} | SHARED
    empty = {slot: None for slot in slots if slot not in filled}
    fixed = {"scheme": name, "default_port": port, **empty}
    if len(fixed) > _MOST or not all(type(s) is MemberDescriptorType for s in slots.values()):
        return pure
    made = kernel.Reader(
        own,
        (kind,),
        slots["_text"],
        tuple(None if leaf is None else slots[leaf.field] for leaf in fields),
        tuple((slots[slot], value) for slot, value in fixed.items()),
        (),
        tuple(
            (number, leaf.kind, vars(Encoded)["_start"])
            for number, leaf in enumerate(fields)
            if leaf is not None
        ),
        pure,
    )
    return cast("Reader", kernel.SchemeReader(made, word, name, slots["fragment"], pure).read)


# What has to be known of a scheme to parse its URLs: the record of each states it.


@dataclass(frozen=True)
class Scheme:
    """All that has to be known of a scheme.

    Attributes:
        name: in lower case.
        record: the class of its records.
        transformer: what makes them of parse trees.
        rule: the ABNF rule of its URLs.
        grammar: the name of the shipped grammar that has the rule.
        tree_parser: the parser to use instead of that grammar, or None: see `trees.tree_parser`.
        word: the scheme's name within the rule; URLs are parsed with this word in place of their
            own, so that schemes can share a syntax. None if the rule takes any.
        default_port: the port that is meant where none is written, or None.
        hierarchical: whether "/" in its URLs separates the levels of a hierarchy of names.
        host_after: what stands before the host, if there is one; `relaxed_host` needs to know.
        takes_any_host: whether the rule has all hosts of RFC 3986 by itself, so that
            `relaxed_host` makes no difference.
        fragment: the rule of what follows "#", and its grammar; None if "#" begins no fragment,
            but belongs to the rule or is refused by it.

    """

    name: str
    record: type[URL]
    transformer: type[URLTransformer]
    rule: str
    grammar: str = "rfc1738"
    tree_parser: TreeParser | None = None
    word: str | None = None
    default_port: int | None = None
    hierarchical: bool = False
    host_after: Literal["//", "@"] | None = "//"
    takes_any_host: bool = False
    fragment: tuple[str, str] | None = ("urlpath", "rfc1738")

    def __post_init__(self) -> None:
        for word in (self.name, self.word):
            if word is None or (is_scheme(word) and word == word.lower()):
                continue
            raise ComponentError(
                "scheme: a name in lower case that fits the rule scheme of RFC 1738",
                component="scheme",
                rule="scheme",
                value=word,
            )

    @property
    def components(self) -> frozenset[str]:
        """The names of the fields that its URLs can have."""
        return frozenset(self.record.__match_args__)

    def like(self, name: str, record: type[URL], *, default_port: int | None = None) -> Scheme:
        """Describe another scheme with the same syntax.

        >>> from uriparse.schemes import REGISTRY, HttpsURL
        >>> REGISTRY["http"].like("https", HttpsURL, default_port=443) == REGISTRY["https"]
        True
        """
        return replace(self, name=name, record=record, default_port=default_port)

    @cached_property
    def expressions(self) -> tuple[Expression, ...] | None:
        """What captures the fields of its URLs; None if only trees have them."""
        if self.tree_parser is not None:
            return None
        return expressions(self.transformer, self.rule, self.grammar)

    @cached_property
    def reader(self) -> Reader | None:
        """What makes a record of a URL; None if only trees do."""
        leaves = leaves_of(self.transformer, self.rule)
        if self.expressions is None or leaves is None:
            return None
        named = Named(self.name, self.word, self.default_port)
        pure = reader_of(self.record, self.expressions, named)
        return native_reader(self.record, (self.rule, self.grammar), leaves, named, pure)

    def tree(self, text: str) -> URLTree:
        """Parse a URL that begins with `word`; URISyntaxError if it is none of this scheme."""
        if self.tree_parser is not None:
            return tree_of(text, self.tree_parser, self.rule)
        from uriparse.parsing.trees import parse_tree  # noqa: PLC0415 - for those who parse

        return parse_tree(text, self.rule, grammar=self.grammar)


Schemes: TypeAlias = Mapping[str, Scheme]
"""Schemes by name, such as a `Registry`."""


def known(registry: Schemes | None, own: Schemes) -> Schemes:
    """Give the registry that was given, or else schemes of one's own.

    TypeError for what is no mapping.
    """
    if registry is None:
        return own
    if not isinstance(registry, Mapping):
        raise refusal(registry, "registry", "a Registry or None")
    return registry


def is_scheme(name: str) -> bool:
    """Whether a text can be the name of a scheme in RFC 1738, where it may begin with a digit."""
    return matcher("scheme", "rfc1738").fullmatch(as_str(name, "name")) is not None
