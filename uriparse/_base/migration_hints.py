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


def _by_name(ours: Mapping[str, str]) -> dict[str, str]:
    """Return what to write instead, by each of the names that are listed for it."""
    return {name: words for words, names in ours.items() for name in names.split()}


_PARTS: Mapping[str, str] = _by_name(
    {
        "host, whose text is str(host)": "hostname",
        "host": "raw_host unicode_host host_subcomponent",
        "user": "username raw_user",
        "password": "raw_password",
        "userinfo": "login user_info auth",
        "port_number": "explicit_port",
    }
)
"""What references and authorities have alike."""

REFERENCE: Mapping[str, str] = {
    **_OF_TEXT,
    **_PARTS,
    **_by_name(
        {
            "the constructor: URI(text)": "from_string from_text from_uri",
            "from_parts": "build",
            "scheme": "protocol raw_scheme",
            "authority is not None": "uses_netloc",
            "authority, or userinfo, host and port": "authority_info",
            "authority": "netloc raw_authority host_port_subcomponent",
            "path": "raw_path pathname pathstr path_safe",
            'path, and query after "?"': "path_qs raw_path_qs",
            'path, which begins with "/" then': "rooted",
            "path: its parameters are part of it (RFC 3986 section 3.3)": "params",
            "segments": "parts raw_parts path_segments",
            "name": "raw_name",
            "with_name(name)": "with_stem sibling",
            "suffix": "raw_suffix",
            "suffixes": "raw_suffixes",
            "query": "qs query_string raw_query_string search querystr",
            "query_pairs": "get args query_params searchParams parse_qs",
            "fragment": "hash raw_fragment fragmentstr",
            "str(uri)": (
                "href url tostr tostring geturl unsplit to_text encoded_string as_string as_uri"
            ),
            "uriparse.uri_to_iri(uri)": "unicode_string get_decoded_url human_repr to_iri",
            "uriparse.iri_to_uri(uri)": "to_uri",
            "resolve(reference)": "join urljoin resolve_with click joinurl",
            "uriparse.relativize(base, uri)": "relative relative_to",
            "normalize()": "normalized",
            "scheme is not None": "is_absolute absolute is_absolute_url",
            "scheme is None": "is_relative_url",
            "effective_port, and the scheme's own": "is_default_port",
            "uriparse.equivalent(a, b)": "normalized_equality",
            "no check: a record is valid already (text is judged by uriparse.is_valid)": "is_valid",
            "the record itself, which never changes": "copy",
            "replace(**components)": "copy_with set _replace",
            "add_query(pairs)": "copy_add_param extend_query",
            "set_query(pairs)": "copy_set_param copy_merge_params update_query",
            "without_query(name)": "copy_remove_param",
            "replace(scheme=...)": "with_scheme",
            "replace(userinfo=...)": "with_user with_password with_userinfo",
            "replace(host=...)": "with_host",
            "replace(port=...)": "with_port",
            "replace(path=...)": "with_path",
            "without_query(*names)": "without_query_params",
            "add_query(pairs), or child(segment)": "add",
            "without_query(*names), or replace": "remove",
            "replace(fragment=...)": "with_fragment",
            "child(*segments)": "joinpath",
        }
    ),
}
"""By a name that is tried on a reference, what to write instead."""

AUTHORITY: Mapping[str, str] = {**_OF_TEXT, **_PARTS}
"""By a name that is tried on an authority, what to write instead."""

FUNCTIONS: Mapping[str, str] = _by_name(
    {
        "parse": "urlparse urlsplit urisplit parse_uri uri_reference",
        'parse(text, grammar="rfc3987")': "parse_iri iri_reference",
        'parse(text, "IRI", grammar="rfc3987")': "IRI",
        "parse, and replace(fragment=None)": "urldefrag",
        "URI": "URL furl Url DecodedURL EncodedURL ParseResult",
        "make": "URIBuilder uricompose build",
        "URIReference.from_parts": "compose urlunparse urlunsplit",
        "resolve": "urljoin urijoin join",
        "query_pairs": "parse_qs parse_qsl",
        "uriparse.building.query_string": "urlencode",
        "quote": "uriencode",
        "unquote": "uridecode",
        'quote(text, "query-value")': "quote_plus",
        "query_pairs, which reads + as a space": "unquote_plus",
        "uriparse.building.from_path": "pathname2url",
        "uriparse.building.to_path": "url2pathname",
        "the method child of a record: parse(text).child(segment)": "joinpath",
        "normalize": "url_normalize normalize_uri",
        "is_valid": "is_valid_uri is_url is_uri isuri match validate_rfc3986",
        "uriparse.grammar.expressions.pattern": "get_compiled_pattern",
        "Policy": "Validator",
        "URISyntaxError": "InvalidURL ValidationError",
        "URIError": "URIException",
    }
)
"""By a name from another library that is tried on the package, what to write instead."""

_MODULES: Mapping[str, str] = {
    "building": "SENSITIVE_NAMES from_path query_string to_path",
    "errors": "MissingExtraError MissingPackageError PatternError",
    "grammar.expressions": "pattern",
    "legacy.rfc2396": "Components join_reference split_reference",
    "normalization": "SCHEME_DEFAULTS SchemeDefaults compose_characters",
    "resolution": "BaseURI complete_suffix_reference merge reference_kind trace_dot_segments",
    "resolution.base": "enclosing_bases html_base mime_base",
    "schemes.equivalence": "is_same_document lowest_rung",
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

    def __init_subclass__(cls, foreign: Mapping[str, str] | None = None) -> None:
        super().__init_subclass__()
        if foreign is not None:
            cls._FOREIGN = foreign
            for name, words in foreign.items():
                if not hasattr(cls, name):
                    setattr(cls, name, ForeignName(name, words))

    def __dir__(self) -> Iterable[str]:
        # What is foreign to a class may be a field of one made of it.
        from inspect import getattr_static  # noqa: PLC0415 - only who asks pays for it

        found = {name: getattr_static(type(self), name, None) for name in self._FOREIGN}
        foreign = {name for name, value in found.items() if isinstance(value, ForeignName)}
        return [name for name in super().__dir__() if name not in foreign]


def advice(name: str, known: Mapping[str, str]) -> str:
    """Say what to use instead of a name, as the end of a message; `""` where nothing is known."""
    return f": use {known[name]}" if name in known else ""


def of_front(name: str) -> str:
    """Say what to use instead of a name that is not in the package, as the end of a message."""
    if name in MOVED:
        return f": uriparse.{name} is now {MOVED[name]}"
    return advice(name, FUNCTIONS)
