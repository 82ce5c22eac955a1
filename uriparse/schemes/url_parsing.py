"""`parse_url` and `transform`: from a text, or its tree, to the record of its scheme."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, overload

from uriparse._base.coerce import Text, as_str, as_text
from uriparse._native.fastcall import activate, fastcall
from uriparse.errors import UnknownRuleError
from uriparse.grammar.matchers import node_name, tables
from uriparse.schemes import read_by_scheme
from uriparse.schemes.current import CURRENT, DescribedURI
from uriparse.schemes.other import OTHER_URL, OtherURI
from uriparse.schemes.registry import RFC1738, Registry, Schemes, is_scheme, known, scheme_of
from uriparse.schemes.url import URL

if TYPE_CHECKING:
    from lark import Token, Tree

    from uriparse.components.component_text import Components
    from uriparse.records import URI, RelativeRef
    from uriparse.schemes.from_abnf import GrammarURI
    from uriparse.schemes.registry import Scheme, Schemes


PREFIX: Final = "url"
"""What marks URLs in running text, as in `<URL:ftp://h.d/>` (RFC 1738, appendix): no scheme."""


@overload
def parse_url(
    text: Text, *, relaxed_host: bool = False, registry: None = None
) -> DescribedURI | GrammarURI | OtherURI: ...
@overload
def parse_url(text: Text, *, relaxed_host: bool = False, registry: Schemes | None) -> URL: ...
def parse_url(text: Text, *, relaxed_host: bool = False, registry: Schemes | None = None) -> URL:
    """Parse a URL by the current RFC of its scheme; return the record of the scheme.

    text: the URL, with a fragment perhaps, which is split off first; str or ASCII bytes. The
        scheme may be in any letter case.
    relaxed_host: with `RFC1738`, whether to take a host that RFC 3986 allows and RFC 1738 lacks (a
        trailing dot, an underscore, an address in brackets...), unless it is empty; it becomes a
        `RelaxedHost`. The schemes of `CURRENT` take such hosts anyway.
    registry: the schemes to know, `CURRENT` if None; `RFC1738` reads by the rules of 1994. URLs of
        other schemes become an `OtherURI`, or with `RFC1738` an `OtherURL`.

    SchemeError if the text is not a URL of its scheme, with the first offset at fault.

    >>> url = parse_url("mailto:joe@x.example?subject=hi")
    >>> url.addresses, url.headers
    (('joe@x.example',), (HeaderField(hfname='subject', hfvalue='hi'),))
    >>> from uriparse.schemes import RFC1738
    >>> parse_url("mailto:joe@x.example?subject=hi", registry=RFC1738).address
    'joe@x.example?subject=hi'
    >>> parse_url("ftp://h.d/a;b")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    uriparse.errors.SchemeError: ftp URL...
    """
    if registry is None and type(text) is str and not relaxed_host:
        record = _read_plain(text)
        if record is not None:
            return record
    whole = bytes.decode(text, "ascii", "replace") if isinstance(text, bytes) else as_text(text)
    word, colon, _ = whole.partition(":")
    schemes = CURRENT if registry is None else registry
    if type(schemes) is not Registry:
        schemes = known(schemes, CURRENT)
    name = word.lower()
    scheme = schemes.get(name) if colon and word.isascii() else None
    if scheme is None:
        if not colon or not is_scheme(word):
            raise read_by_scheme.no_scheme_error(whole)
        inner, colon, _ = whole[len(word) + 1 :].partition(":")
        if name == PREFIX and colon and is_scheme(inner):
            raise read_by_scheme.cause_error(whole, None, 0, "scheme", "scheme", "url-prefix")
        scheme = getattr(schemes, "other", None) or OTHER_URL
    return read_by_scheme.read(whole, name, scheme, relaxed_host=relaxed_host)


def _read_field(kind: type[URL], value: Text) -> URL:
    """Read a field of pydantic: of a class, a general one such as `WebURI`, or one of a user."""
    if isinstance(value, kind):
        return value
    own = scheme_of(kind)
    registry = None
    if own is not None and CURRENT.get(own.name) is not own:
        registry = CURRENT.with_scheme(own)
    record = parse_url(value, registry=registry)
    if not isinstance(record, kind):
        from uriparse._base.pydantic_schema import refused_scheme  # noqa: PLC0415 - for pydantic alone

        allowed = [name for name, one in CURRENT.items() if issubclass(one.record, kind)]
        raise refused_scheme(value, record.scheme, [kind.SCHEME] if kind.SCHEME else allowed)
    return record


URL._read_field = staticmethod(_read_field)  # noqa: SLF001 - set once, here


def _first_read(text: str) -> URL | None:
    """Make the readers of URLs when the first text is parsed, so that importing stays quick."""
    global _read_plain  # noqa: PLW0603 - a call less for each URL
    _read_plain = read_by_scheme.plain_reader(CURRENT)
    activate("PARSE_URL", read_by_scheme.native_web_reader(CURRENT) or _read_plain)
    return _read_plain(text)


_read_plain: Callable[[str], URL | None] = _first_read

if not TYPE_CHECKING:  # type checkers see the function itself
    parse_url = fastcall("PARSE_URL", parse_url)


def transform(
    tree: Tree[Token],
    *,
    text: str | None = None,
    grammar: str | None = None,
    registry: Schemes | None = None,
) -> URI | RelativeRef | URL | Components:
    """Return the record of a parse tree, equal to that of the fast reader of its rule.

    tree: of `parse_tree`, with either detail, or of a parser of Lark's for the `.lark` file of a
        grammar.
    text: what the tree is of; None for a tree of `parse_tree`, which has it. Needed for URLs.
    grammar: the name of its grammar; None for a tree of `parse_tree`, which has it too.
    registry: the schemes whose records are made of URLs; None for `CURRENT` and `RFC1738`.

    Trees of references (RFC 3986, RFC 3987) become the records of `parse`, those of RFC 2396 the
    `Components` of `legacy.rfc2396`, and those of the rule of a scheme the records of `parse_url`.

    UnknownRuleError for a tree of another rule, or with a node that its grammar lacks.

    >>> from uriparse import parse_tree
    >>> transform(parse_tree("http://user:secret@[::1]/a?"))
    <URI 'http://user:***@[::1]/a?'>
    >>> transform(parse_tree("ftp://h.d/a", "ftpurl", grammar="rfc1738"))
    <FtpURL 'ftp://h.d/a'>
    """
    from uriparse.trees import ReferenceTransformer, RFC2396Transformer  # noqa: PLC0415 - loads lark

    own = getattr(tree, "grammar", None) if grammar is None else as_str(grammar, "grammar")
    name = own or "rfc3986"
    text = getattr(tree, "text", None) if text is None else as_str(text, "text")
    if name == "rfc2396":
        return RFC2396Transformer().transform(tree)
    known = tables(name)
    if known.RECORDS and registry is None:
        return ReferenceTransformer(name).transform(tree, text)
    scheme = _scheme_of(tree, text, name, (CURRENT, RFC1738) if registry is None else (registry,))
    return scheme.transformed(tree, scheme.source_of(text or ""))


def _scheme_of(
    tree: Tree[Token], text: str | None, grammar: str, among: tuple[Schemes, ...]
) -> Scheme:
    """Return the scheme by whose rule a tree was made, which may be within a wider one."""
    if text is None:
        raise TypeError("transform() needs the text of a URL: parse_tree() has not made this tree")
    word = text.partition(":")[0].lower()
    for registry in among:
        scheme = registry.get(word) or getattr(registry, "other", None) or OTHER_URL
        node: Tree[Token] | Token = tree
        while scheme.grammar == grammar and not isinstance(node, str):
            if node_name(node.data) == node_name(scheme.rule):
                return scheme
            node = node.children[0] if len(node.children) == 1 else ""  # type: ignore[assignment]
    raise UnknownRuleError(f"no record is made of a tree of {tree.data} of {grammar}")
