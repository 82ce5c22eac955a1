"""The records that parsing gives: `URI` and `RelativeRef`, with every component as written."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NoReturn, cast, final, overload

from uriparse.door import as_optional_str, as_str
from uriparse.errors import ComponentError
from uriparse.records._draft import Component, Parts, Slots
from uriparse.records._draft import Draft as _Draft
from uriparse.records.authority import Authority, _unchecked_authority, checked_authority, mask
from uriparse.records.components import (
    check,
    check_path,
    compose,
    compose_authority,
    grammar_of_records,
)
from uriparse.textual import ComparedAsText

if TYPE_CHECKING:
    from typing import Self, Unpack

    from uriparse.records.hosts import Host

_keep_authority = Slots._authority.__set__  # type: ignore[attr-defined]  # noqa: SLF001 - as the slot of a class


class URIReference(Slots, ComparedAsText):
    """A parsed reference: a `URI` or a `RelativeRef`; this class itself has no instances.

    scheme: None in a relative reference.
    authority: None without "//"; `userinfo`, `host`, `port` are its parts, each None without it.
    path: never None; `""` where there is none to be seen.
    query, fragment: None without "?" and "#", `""` where nothing follows them.
    grammar: "rfc3986", or "rfc3987" for an IRI.

    Every component is the text as written, nothing decoded. `str` gives the very text parsed.
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
    __match_args__: ClassVar = ("scheme", "authority", "path", "query", "fragment")

    _authority: Authority | None
    scheme: Component[str | None]
    userinfo: Component[str | None]
    host: Component[Host | None]
    port: Component[str | None]
    path: Component[str]
    query: Component[str | None]
    fragment: Component[str | None]
    grammar: Component[str]

    def __new__(cls, *_: object, **__: object) -> Self:
        """Refuse: use `parse`, `from_parts`, or one of the classes of references."""
        raise TypeError(f"{cls.__name__} is abstract: use parse() or URIReference.from_parts()")

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
    def segments(self) -> tuple[str, ...]:
        """The segments of the path, as written: split first, decode each with `unquote` then.

        >>> from uriparse.parsing.parser import parse
        >>> parse("/a//b").segments, parse("a%2Fb/").segments, parse("/").segments
        (('a', '', 'b'), ('a%2Fb', ''), ('',))
        """
        path = self.path
        return tuple(path.removeprefix("/").split("/")) if path else ()

    @staticmethod
    def from_parts(  # noqa: PLR0913 - one for each component
        *,
        scheme: str | None = None,
        authority: str | Authority | None = None,
        userinfo: str | None = None,
        host: str | Host | None = None,
        port: str | None = None,
        path: str = "",
        query: str | None = None,
        fragment: str | None = None,
        grammar: str = "rfc3986",
    ) -> URI | RelativeRef:
        """Make a reference of components as they are to be written (RFC 3986 section 5.3).

        None is absent, `""` present and empty; the host may be given as text. Give `authority`,
        or its parts. Nothing is encoded (see `quote`) nor joined across a boundary.

        ComponentError for a component that breaks its rule, or that would be read back as
        another: a path that begins with "//" without an authority, or with a segment that holds
        ":" without a scheme; a userinfo or port without a host. UnknownRuleError for a grammar
        that has no references. TypeError for a component that is no text, and if both `authority`
        and its parts are given.

        >>> URIReference.from_parts(scheme="http", host="example.com", path="/", query="")
        <URI 'http://example.com/?'>
        >>> URIReference.from_parts(scheme="x", path="//y")
        Traceback (most recent call last):
        uriparse.errors.ComponentError: path "//y" without an authority would be read as one: \
path-absolute begins with one "/"
        """
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
        return _unchecked_reference(scheme, whole, path, query, fragment, grammar)

    def replace(self, **changes: Unpack[Parts]) -> URI | RelativeRef:
        """Make a reference with some components exchanged, named as in `from_parts`.

        Where only parts of the authority are given, the others stay. The result is of the class
        that it has to be: without scheme a `RelativeRef`. Errors as in `from_parts`.

        >>> from uriparse.parsing.parser import parse
        >>> str(parse("http://h:80/a?b").replace(port=None, query="c"))
        'http://h/a?c'
        """
        for name in changes:
            if name not in (known := Parts.__annotations__):
                raise TypeError(f"no component {name!r}: there are {', '.join(known)}")
        parts: Parts = {
            "scheme": self.scheme,
            "path": self.path,
            "query": self.query,
            "fragment": self.fragment,
        }
        if "authority" not in changes:
            parts |= {"userinfo": self.userinfo, "host": self.host, "port": self.port}
        return self.from_parts(**(parts | changes), grammar=self.grammar)

    def __repr__(self) -> str:
        text = self._text
        if self.userinfo is not None:
            masked = compose_authority(mask(self.userinfo), str(self.host), self.port)
            text = compose(self.scheme, masked, self.path, self.query, self.fragment)
        return f"<{type(self).__name__} {text!r}>"

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable: use replace()")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable: use replace()")

    def __reduce__(self) -> tuple[object, ...]:
        parts = (self.scheme, self.authority, self.path, self.query, self.fragment, self.grammar)
        return _unchecked_reference, parts


@final
class URI(URIReference):
    """A reference with a scheme (rules `URI` and `absolute-URI`), or an IRI.

    The constructor takes the components in their order and checks them as `from_parts` does.

    >>> URI("mailto", path="Joe@Example.COM")
    <URI 'mailto:Joe@Example.COM'>
    """

    __slots__ = ()
    scheme: Component[str]

    def __new__(
        cls,
        scheme: str,
        authority: str | Authority | None = None,
        path: str = "",
        query: str | None = None,
        fragment: str | None = None,
        *,
        grammar: str = "rfc3986",
    ) -> Self:
        """Check the components and keep them; grammar "rfc3987" allows those of IRIs."""
        if scheme is None:
            raise ComponentError(
                "scheme: a URI has one; a reference without is a RelativeRef",
                component="scheme",
                rule="scheme",
            )
        uri = URIReference.from_parts(
            scheme=scheme,
            authority=authority,
            path=path,
            query=query,
            fragment=fragment,
            grammar=grammar,
        )
        return cast("Self", uri)


@final
class RelativeRef(URIReference):
    """A reference without a scheme (rule `relative-ref`): its `scheme` is None.

    The constructor takes components by name and checks them as `from_parts` does.

    >>> RelativeRef(path="../a", fragment="")
    <RelativeRef '../a#'>
    """

    __slots__ = ()
    scheme: Component[None]

    def __new__(
        cls,
        *,
        authority: str | Authority | None = None,
        path: str = "",
        query: str | None = None,
        fragment: str | None = None,
        grammar: str = "rfc3986",
    ) -> Self:
        """Check the components and keep them; grammar "rfc3987" allows those of IRIs."""
        reference = URIReference.from_parts(
            authority=authority, path=path, query=query, fragment=fragment, grammar=grammar
        )
        return cast("Self", reference)


@overload
def _unchecked_reference(
    scheme: str,
    authority: Authority | None,
    path: str,
    query: str | None,
    fragment: str | None,
    grammar: str | None = None,
) -> URI: ...
@overload
def _unchecked_reference(
    scheme: str | None,
    authority: Authority | None,
    path: str,
    query: str | None,
    fragment: str | None,
    grammar: str | None = None,
) -> URI | RelativeRef: ...
def _unchecked_reference(
    scheme: str | None,
    authority: Authority | None,
    path: str,
    query: str | None,
    fragment: str | None,
    grammar: str | None = None,
) -> URI | RelativeRef:
    """Make a record WITHOUT CHECKING, of components that come from records.

    For code that derives components in ways which keep them valid (resolution, normalization),
    where checking again would double its time; the tests parse again what it returns. Never for
    text from outside: that is `from_parts`.

    grammar: None takes "rfc3986" if the text is ASCII, "rfc3987" otherwise.
    """
    draft = _Draft()
    draft.scheme = scheme
    draft.path = path
    draft.query = query
    draft.fragment = fragment
    draft._authority = authority  # noqa: SLF001 - a draft is filled from outside
    if authority is None:
        draft.userinfo = draft.host = draft.port = None
        text = compose(scheme, None, path, query, fragment)
    else:
        draft.userinfo = authority.userinfo
        draft.host = authority.host
        draft.port = authority.port
        text = compose(scheme, str(authority), path, query, fragment)
    draft._text = text  # noqa: SLF001 - same
    draft.grammar = grammar or ("rfc3986" if text.isascii() else "rfc3987")
    draft.__class__ = RelativeRef if scheme is None else URI  # type: ignore[assignment]
    return draft  # type: ignore[return-value]  # a record now
