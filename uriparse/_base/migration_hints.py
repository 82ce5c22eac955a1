"""Names that other libraries use, so that an AttributeError can suggest ours."""

from __future__ import annotations

TYPE_CHECKING = False  # as in `typing`, which the command loads later (see the front)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import ClassVar, Never


def _by_name(ours: Mapping[str, str]) -> dict[str, str]:
    """Return the code to write, by each of the names that are listed for it."""
    return {name: code for code, names in ours.items() for name in names.split()}


_STRING_METHODS = (
    "lower upper casefold title strip lstrip rstrip encode startswith endswith find index count "
    "isascii isdigit split rsplit partition rpartition"
)
"""Methods of `str`: a record compares as its text, but is not a `str`."""


def _of_text(value: str) -> dict[str, str]:
    return {name: f"str({value}).{name}" for name in _STRING_METHODS.split()}


_PARTS: Mapping[str, str] = {
    "str({}.host)": "hostname host_name",
    "{}.host": "raw_host unicode_host host_subcomponent",
    "{}.host.address; it is None for a name": "ip is_ip",
    "{}.user": "username raw_user",
    "{}.password": "raw_password",
    "{}.userinfo": "login user_info auth",
    "{}.port_number": "explicit_port",
}
"""What references and authorities have alike."""


def _parts(value: str) -> dict[str, str]:
    return _by_name({code.format(value): names for code, names in _PARTS.items()})


REFERENCE: Mapping[str, str] = {
    **_of_text("uri"),
    **_parts("uri"),
    **_by_name(
        {
            "uriparse.URI(text)": "from_string from_text from_uri parse",
            'uri.from_parts(scheme="http", host="h.example")': "build",
            "uri.scheme": "protocol raw_scheme",
            "uri.authority is not None": "uses_netloc",
            "uri.authority": "netloc raw_authority host_port_subcomponent authority_info",
            "uri.path": "raw_path pathname pathstr path_safe",
            "uriparse.unquote(uri.path)": "decoded_path",
            "uri.replace(scheme=None, authority=None, fragment=None)": "path_qs raw_path_qs",
            'uri.path.startswith("/")': "rooted",
            "uri.path; parameters are part of it (RFC 3986 section 3.3)": "params",
            "uri.segments": "parts raw_parts path_segments",
            "uri.name": "raw_name filename basename",
            "uri.parent": "dirname",
            'uri.with_name("b.txt")': "with_stem sibling set_name",
            "uri.suffix": "raw_suffix extension",
            "uri.suffixes": "raw_suffixes",
            "uri.query": "qs query_string raw_query_string search querystr",
            "uri.query_pairs": "args query_params searchParams parse_qs",
            "dict(uri.query_pairs)": "query_dict",
            'uri.query_value("name")': "get get_query",
            'uri.query_values("name")': "getall getlist get_all",
            "uri.fragment": "hash raw_fragment fragmentstr",
            "str(uri)": (
                "href url tostr tostring geturl unsplit to_text encoded_string as_string as_uri"
            ),
            "uriparse.uri_to_iri(uri)": "unicode_string get_decoded_url human_repr to_iri",
            "uriparse.iri_to_uri(uri)": "to_uri",
            'uri.resolve("../b")': "join urljoin resolve_with click joinurl",
            'uriparse.relativize("http://h.example/", uri)': "relative relative_to relativize",
            "uri.normalize()": "normalized canonicalize canonical",
            "uri.redact()": "redacted mask masked",
            "uri.scheme is not None": "is_absolute absolute is_absolute_url",
            "uri.scheme is None": "is_relative_url is_relative",
            "uri.effective_port": "default_port is_default_port",
            'uriparse.equivalent(uri, "http://h.example/")': (
                "normalized_equality equivalent equals same same_as"
            ),
            "uriparse.validate(uri)": "validate",
            "uriparse.is_valid(text); a record is valid already": "is_valid",
            "uri; it never changes": "copy",
            "uriparse.arrow.registered_domain": "registered_domain tld domain subdomain",
            "uri.as_dict()": "asdict to_dict _asdict",
            'uri.replace(path="/b")': "copy_with set _replace with_path set_path",
            'uri.replace(scheme="https")': "with_scheme set_scheme",
            'uri.replace(userinfo="user")': "with_user with_password with_userinfo",
            'uri.replace(host="h.example")': "with_host set_host with_hostname",
            "uri.replace(port=8080)": "with_port set_port",
            'uri.replace(fragment="top")': "with_fragment set_fragment",
            "uri.replace(fragment=None)": "without_fragment remove_fragment defrag",
            "uri.replace(query=None)": "remove_query clear_query",
            'uri.with_segments(["a", "b"])': "set_segments",
            'uri.add_query({"name": "value"})': "copy_add_param extend_query",
            'uri.set_query({"name": "value"})': (
                "copy_set_param copy_merge_params update_query set_query_param"
            ),
            'uri.without_query("name")': "copy_remove_param without_query_params remove",
            'uri.child("segment")': "joinpath add",
        }
    ),
}
"""By a name that is tried on a reference, what to write instead."""

AUTHORITY: Mapping[str, str] = {**_of_text("authority"), **_parts("authority")}
"""By a name that is tried on an authority, what to write instead."""

FUNCTIONS: Mapping[str, str] = _by_name(
    {
        "uriparse.parse(text)": (
            "urlparse urlsplit urisplit parse_uri uri_reference parse_reference split"
        ),
        'uriparse.parse(text, grammar="rfc3987")': "parse_iri iri_reference IRI",
        "uriparse.parse(text).replace(fragment=None)": "urldefrag",
        "uriparse.URI(text)": "URL furl Url DecodedURL EncodedURL ParseResult",
        'uriparse.make(scheme="http", host="h.example")': "URIBuilder uricompose build",
        'uriparse.URIReference.from_parts(scheme="http", host="h.example")': (
            "compose urlunparse urlunsplit from_parts"
        ),
        "uriparse.resolve(base, text)": "urljoin urijoin join",
        "uriparse.query_pairs(text)": "parse_qs parse_qsl",
        "dict(uriparse.query_pairs(text))": "query_dict",
        'uriparse.building.query_string({"name": "value"})': "urlencode",
        'uriparse.quote(text, "segment")': "uriencode encode percent_encode",
        "uriparse.unquote(text)": "uridecode decode percent_decode",
        'uriparse.quote(text, "query-value")': "quote_plus",
        'uriparse.query_pairs(query="a+b"); it reads + as a space': "unquote_plus",
        "uriparse.building.from_path(path)": "pathname2url",
        'uriparse.building.to_path("file:///a")': "url2pathname",
        'uriparse.parse(text).child("segment")': "joinpath child",
        "uriparse.parse(text).parent": "parent",
        'uriparse.parse(text).add_query({"name": "value"})': "add_query",
        'uriparse.parse(text).set_query({"name": "value"})': "set_query",
        'uriparse.parse(text).with_query({"name": "value"})': "with_query",
        'uriparse.parse(text).without_query("name")': ("without_query"),
        'uriparse.parse(text).query_value("name")': "query_value get_query",
        'uriparse.parse(text).with_name("b.txt")': "with_name",
        'uriparse.parse(text).with_suffix(".txt")': "with_suffix",
        'uriparse.parse(text).with_segments(["a"])': "with_segments",
        "uriparse.parse(text).origin": "origin",
        "uriparse.parse(base).origin == uriparse.parse(text).origin": "same_origin is_same_origin",
        "uriparse.normalize(text)": (
            "url_normalize normalize_uri normalize_url canonicalize canonical clean"
        ),
        "uriparse.equivalent(base, text)": "equal equals same is_same same_url compare",
        "uriparse.is_valid(text)": (
            "is_valid_uri is_url is_uri isuri match validate_rfc3986 valid validators"
        ),
        "uriparse.check(text, uriparse.Policy.outbound())": "is_safe safe is_safe_url ssrf",
        "uriparse.validation.is_local_redirect(text, base)": (
            "is_safe_redirect is_local url_has_allowed_host_and_scheme"
        ),
        "uriparse.redact(text)": "redacted mask sanitize hide_password",
        "uriparse.text.redact_text(text)": "redacted_text redact_log",
        "uriparse.find_uris(text)": "find_urls extract extract_urls find urlextract",
        'uriparse.keys.key(text, "surt")': "surt",
        "uriparse.keys.key(text)": "dedupe key cache_key",
        'uriparse.keys.key(text, "scheme+drop-tracking")': "strip_tracking remove_tracking",
        "uriparse.arrow.registered_domain": "registered_domain tldextract tld",
        'uriparse.parse_tree(text, "URI-Template", grammar="rfc6570"); nothing expands it': (
            "template URITemplate expand"
        ),
        "uriparse.iri_to_uri(text)": "punycode to_ascii idna encode_iri",
        "uriparse.uri_to_iri(text)": "to_unicode",
        'uriparse.grammar.expressions.pattern("URI")': "get_compiled_pattern regex",
        "uriparse.Policy.web()": "Validator",
        "uriparse.URISyntaxError": "InvalidURL ValidationError ParseError InvalidURI",
        "uriparse.URIError": "URIException Error",
        "uriparse.extra": "pandas polars django fastapi pydantic sqlalchemy click logging",
        "uriparse.guard": "requests httpx aiohttp urllib3",
    }
)
"""By a name that is tried on the package, what to write instead."""

_MODULES: Mapping[str, str] = {
    "building": "SENSITIVE_NAMES from_path query_string to_path",
    "errors": "MissingExtraError MissingPackageError PatternError",
    "grammar.expressions": "pattern",
    "legacy.rfc2396": "Components join_reference split_reference",
    "normalization": "SCHEME_DEFAULTS SchemeDefaults compose_characters",
    "resolution": "BaseURI complete_suffix_reference merge reference_kind trace_dot_segments",
    "resolution.base": "enclosing_bases html_base mime_base",
    "schemes.equivalence": "is_same_document lowest_rung",
    "text": "Found redact_text",
    "validation": "is_local_redirect",
}
ELSEWHERE: Mapping[str, str] = {
    name: f"uriparse.{module}.{name}"
    for module, names in _MODULES.items()
    for name in names.split()
}
"""By a name that a module below the package has, where it is."""

HOST: Mapping[str, str] = {
    **_of_text("host"),
    **_by_name({"host.address; it is None for a name": "ip is_ip"}),
}
"""For a name that is tried on a host, what to write instead."""


COLUMN: Mapping[str, str] = {
    name: f"pyarrow.chunked_array(column).{name}"
    for name in ("to_pylist", "tolist", "to_list", "to_pandas", "to_numpy", "type", "null_count")
}
"""By a name that is tried on a column of verdicts or components, what to write instead."""

URL: Mapping[str, str] = {
    **{
        name: f"uriparse.parse(str(url)).{name}"
        for name in (
            *("authority", "userinfo", "query", "replace", "resolve", "normalize"),
            *("add_query", "set_query", "with_query", "without_query", "parent", "child"),
            *("query_pairs", "query_value"),
        )
    },
    **_by_name(
        {
            "url.host": "hostname",
            "uriparse.parse(str(url)).user": "username",
            "uriparse.parse(str(url)).authority": "netloc",
            "uriparse.parse(str(url)).path": "params",
            "url.as_dict()": "asdict to_dict _asdict",
        }
    ),
}
"""By a name that is tried on the URL of a scheme that has no such field, what to write instead."""

REPORT: Mapping[str, str] = _by_name(
    {"report.accepted": "ok valid is_valid passed", "report.findings": "errors problems issues"}
)
"""By a name that is tried on a report, what to write instead."""

POLICY: Mapping[str, str] = _by_name(
    {
        "uriparse.check(text, policy)": "check enforce",
        "uriparse.validate(text, policy)": "validate",
        "uriparse.validate(text, policy).accepted": "allows allow is_allowed accepts",
    }
)
"""By a name that is tried on a policy, what to write instead."""


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
    return advice(name, ELSEWHERE) or advice(name, FUNCTIONS)
