"""Names that other libraries use, so that an AttributeError can suggest ours."""

from __future__ import annotations

TYPE_CHECKING = False  # as in `typing`, which the command loads later (see the front)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import ClassVar, Never


_OF_TEXT: Mapping[str, str] = {
    name: f"str(...).{name}"
    for name in (
        *("lower", "upper", "casefold", "title", "strip", "lstrip", "rstrip", "encode"),
        *("startswith", "endswith", "find", "index", "count", "isascii", "isdigit"),
        *("split", "rsplit", "partition", "rpartition"),
    )
}
"""Methods of `str`: a record compares as its text, but is not a `str`."""

_PARTS: Mapping[str, str] = {
    "hostname": "host, whose text is str(host)",
    "raw_host": "host",
    "unicode_host": "host",
    "host_subcomponent": "host",
    "username": "user",
    "raw_user": "user",
    "raw_password": "password",
    "login": "userinfo",
    "user_info": "userinfo",
    "auth": "userinfo",
    "explicit_port": "port_number",
}
"""What references and authorities have alike."""

REFERENCE: Mapping[str, str] = {
    **_OF_TEXT,
    **_PARTS,
    "from_string": "the constructor: URI(text)",
    "from_text": "the constructor: URI(text)",
    "from_uri": "the constructor: URI(text)",
    "build": "from_parts",
    "protocol": "scheme",
    "raw_scheme": "scheme",
    "uses_netloc": "authority is not None",
    "authority_info": "authority, or userinfo, host and port",
    "netloc": "authority",
    "raw_authority": "authority",
    "host_port_subcomponent": "authority",
    "raw_path": "path",
    "pathname": "path",
    "pathstr": "path",
    "path_safe": "path",
    "path_qs": 'path, and query after "?"',
    "raw_path_qs": 'path, and query after "?"',
    "rooted": 'path, which begins with "/" then',
    "params": "path: its parameters are part of it (RFC 3986 section 3.3)",
    "parts": "segments",
    "raw_parts": "segments",
    "path_segments": "segments",
    "raw_name": "name",
    "with_stem": "with_name(name)",
    "raw_suffix": "suffix",
    "raw_suffixes": "suffixes",
    "sibling": "with_name(name)",
    "qs": "query",
    "query_string": "query",
    "raw_query_string": "query",
    "search": "query",
    "querystr": "query",
    "get": "query_pairs",
    "args": "query_pairs",
    "query_params": "query_pairs",
    "searchParams": "query_pairs",
    "parse_qs": "query_pairs",
    "hash": "fragment",
    "raw_fragment": "fragment",
    "fragmentstr": "fragment",
    "href": "str(uri)",
    "url": "str(uri)",
    "tostr": "str(uri)",
    "tostring": "str(uri)",
    "geturl": "str(uri)",
    "unsplit": "str(uri)",
    "to_text": "str(uri)",
    "encoded_string": "str(uri)",
    "unicode_string": "uriparse.uri_to_iri(uri)",
    "get_decoded_url": "uriparse.uri_to_iri(uri)",
    "human_repr": "uriparse.uri_to_iri(uri)",
    "to_iri": "uriparse.uri_to_iri(uri)",
    "to_uri": "uriparse.iri_to_uri(uri)",
    "join": "resolve(reference)",
    "urljoin": "resolve(reference)",
    "resolve_with": "resolve(reference)",
    "click": "resolve(reference)",
    "relative": "uriparse.relativize(base, uri)",
    "relative_to": "uriparse.relativize(base, uri)",
    "normalized": "normalize()",
    "is_absolute": "scheme is not None",
    "absolute": "scheme is not None",
    "is_absolute_url": "scheme is not None",
    "is_relative_url": "scheme is None",
    "is_default_port": "effective_port, and the scheme's own",
    "normalized_equality": "uriparse.equivalent(a, b)",
    "is_valid": "no check: a record is valid already (text is judged by uriparse.is_valid)",
    "copy": "the record itself, which never changes",
    "copy_with": "replace(**components)",
    "set": "replace(**components)",
    "_replace": "replace(**components)",
    "copy_add_param": "add_query(pairs)",
    "copy_set_param": "set_query(pairs)",
    "copy_merge_params": "set_query(pairs)",
    "copy_remove_param": "without_query(name)",
    "with_scheme": "replace(scheme=...)",
    "with_user": "replace(userinfo=...)",
    "with_password": "replace(userinfo=...)",
    "with_userinfo": "replace(userinfo=...)",
    "with_host": "replace(host=...)",
    "with_port": "replace(port=...)",
    "with_path": "replace(path=...)",
    "update_query": "set_query(pairs)",
    "extend_query": "add_query(pairs)",
    "without_query_params": "without_query(*names)",
    "add": "add_query(pairs), or child(segment)",
    "remove": "without_query(*names), or replace",
    "with_fragment": "replace(fragment=...)",
    "joinpath": "child(*segments)",
    "joinurl": "resolve(reference)",
    "as_string": "str(uri)",
    "as_uri": "str(uri)",
}
"""By a name that is tried on a reference, what to write instead."""

AUTHORITY: Mapping[str, str] = {**_OF_TEXT, **_PARTS}
"""By a name that is tried on an authority, what to write instead."""

FUNCTIONS: Mapping[str, str] = {
    "urlparse": "parse",
    "urlsplit": "parse",
    "urisplit": "parse",
    "parse_uri": "parse",
    "parse_iri": 'parse(text, grammar="rfc3987")',
    "iri_reference": 'parse(text, grammar="rfc3987")',
    "IRI": 'parse(text, "IRI", grammar="rfc3987")',
    "uri_reference": "parse",
    "urldefrag": "parse, and replace(fragment=None)",
    "URL": "URI",
    "furl": "URI",
    "Url": "URI",
    "DecodedURL": "URI",
    "EncodedURL": "URI",
    "URIBuilder": "make",
    "uricompose": "make",
    "compose": "URIReference.from_parts",
    "ParseResult": "URI",
    "urljoin": "resolve",
    "urijoin": "resolve",
    "join": "resolve",
    "urlunparse": "URIReference.from_parts",
    "urlunsplit": "URIReference.from_parts",
    "build": "make",
    "parse_qs": "query_pairs",
    "parse_qsl": "query_pairs",
    "urlencode": "uriparse.building.query_string",
    "uriencode": "quote",
    "uridecode": "unquote",
    "quote_plus": 'quote(text, "query-value")',
    "unquote_plus": "query_pairs, which reads + as a space",
    "pathname2url": "uriparse.building.from_path",
    "url2pathname": "uriparse.building.to_path",
    "joinpath": "the method child of a record: parse(text).child(segment)",
    "url_normalize": "normalize",
    "normalize_uri": "normalize",
    "is_valid_uri": "is_valid",
    "is_url": "is_valid",
    "is_uri": "is_valid",
    "isuri": "is_valid",
    "match": "is_valid",
    "validate_rfc3986": "is_valid",
    "get_compiled_pattern": "uriparse.expressions.pattern",
    "Validator": "Policy",
    "InvalidURL": "URISyntaxError",
    "ValidationError": "URISyntaxError",
    "URIException": "URIError",
}
"""By a name from another library that is tried on the package, what to write instead."""

_MODULES: Mapping[str, str] = {
    "building": "SENSITIVE_NAMES from_path query_string to_path",
    "errors": "MissingExtraError MissingPackageError PatternError",
    "expressions": "pattern",
    "legacy.rfc2396": "Components join_reference split_reference",
    "normalization": (
        "SCHEME_DEFAULTS SchemeDefaults compose_characters is_same_document lowest_rung"
    ),
    "resolution": "BaseURI complete_suffix_reference merge reference_kind trace_dot_segments",
    "resolution.base": "enclosing_bases html_base mime_base",
    "text": "Found",
    "validation": "Report Target",
}
_METHODS = (
    "add_query child parent set_query with_name with_query with_segments with_suffix without_query"
)
MOVED: Mapping[str, str] = {
    **{
        name: f"uriparse.{module}.{name}"
        for module, names in _MODULES.items()
        for name in names.split()
    },
    **{name: f"a method of records: parse(text).{name}" for name in _METHODS.split()},
}
"""By a name that the package itself had, what it is now."""


HOST: Mapping[str, str] = _OF_TEXT
"""For a name that is tried on a host, what to write instead."""


COLUMN: Mapping[str, str] = {
    name: f"pyarrow.chunked_array(column).{name}, or polars.Series(column)"
    for name in ("to_pylist", "tolist", "to_list", "to_pandas", "to_numpy", "type", "null_count")
}
"""By a name that is tried on a column of verdicts or components, what to write instead."""

URL: Mapping[str, str] = {
    **{
        name: f"uriparse.parse(str(url)).{name}"
        for name in (
            *("authority", "userinfo", "query", "origin", "replace", "resolve", "normalize"),
            *("add_query", "set_query", "with_query", "without_query", "parent", "child"),
        )
    },
    "hostname": "host",
    "username": "user",
    "netloc": "uriparse.parse(str(url)).authority",
    "params": "uriparse.parse(str(url)).path",
}
"""By a name that is tried on the URL of a scheme that has no such field, what to write instead."""


class ForeignName:
    """A name that a class does not have: reading it raises an AttributeError that says ours.

    `hasattr` is False. A `__getattr__` would say it as well, but with one CPython 3.11 takes nine
    times as long to read any component.
    """

    def __init__(self, name: str, words: str) -> None:
        self._name = name
        self._words = words
        self.__doc__ = f"Not here: use {words}."

    def __get__(self, instance: object, owner: type) -> Never:
        """Raise the error of `object` with a hint at its end."""
        shown = f"{owner.__name__!r} object" if instance is not None else f"type {owner.__name__!r}"
        raise AttributeError(
            f"{shown} has no attribute {self._name!r}: use {self._words}",
            name=self._name,
            obj=owner if instance is None else instance,
        )

    def __set__(self, instance: object, value: object) -> Never:
        """Raise the same error; and so `help` lists these names apart from methods."""
        self.__get__(instance, type(instance))


class Foreign:
    """A class whose values answer the names of other libraries with advice.

    They are listed by `help`, and not by the `dir` of a value.
    """

    __slots__ = ()
    _FOREIGN: ClassVar[Mapping[str, str]] = {}

    def __init_subclass__(cls, known: Mapping[str, str] | None = None) -> None:
        super().__init_subclass__()
        if known is not None:
            cls._FOREIGN = known
            for name, words in known.items():
                setattr(cls, name, ForeignName(name, words))

    def __dir__(self) -> Iterable[str]:
        # What is foreign to a class may be a field of one made of it.
        from inspect import getattr_static  # noqa: PLC0415 - only who asks pays for it

        found = {name: getattr_static(type(self), name, None) for name in self._FOREIGN}
        foreign = {name for name, value in found.items() if isinstance(value, ForeignName)}
        return [name for name in super().__dir__() if name not in foreign]


class ForeignToReferences(Foreign, known=REFERENCE):
    """Names that are tried on references."""

    __slots__ = ()


class ForeignToURLs(Foreign, known=URL):
    """Names that are tried on URLs of single schemes."""

    __slots__ = ()


class ForeignToColumns(Foreign, known=COLUMN):
    """Names that are tried on columns."""

    __slots__ = ()


class ForeignToAuthorities(Foreign, known=AUTHORITY):
    """Names that are tried on authorities."""

    __slots__ = ()


class ForeignToHosts(Foreign, known=HOST):
    """Names that are tried on hosts."""

    __slots__ = ()


def advice(name: str, known: Mapping[str, str]) -> str:
    """Say what to use instead of a name, as the end of a message; `""` where nothing is known.

    >>> advice("netloc", REFERENCE), advice("scheem", REFERENCE)
    (': use authority', '')
    """
    return f": use {known[name]}" if name in known else ""


def of_front(name: str) -> str:
    """Say what to use instead of a name that is not in the package, as the end of a message.

    >>> of_front("merge"), of_front("urljoin")
    (': uriparse.merge is now uriparse.resolution.merge', ': use resolve')
    """
    if name in MOVED:
        return f": uriparse.{name} is now {MOVED[name]}"
    return advice(name, FUNCTIONS)
