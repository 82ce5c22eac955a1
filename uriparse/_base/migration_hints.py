"""Names that other libraries use, so that an AttributeError can suggest ours."""

from __future__ import annotations

TYPE_CHECKING = False  # as in `typing`, which the command loads later (see the front)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
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
    "str({}.host)": "host_str hostname host_name Hostname getHostname fqdn",
    "{}.host": "Host getHost raw_host unicode_host host_subcomponent",
    "{}.host.address; it is None for a name": "ip is_ip",
    "{}.user": "username raw_user",
    "{}.password": "raw_password",
    "{}.userinfo": "User getUserInfo getRawUserInfo login user_info credentials auth",
    "{}.port_number": "Port getPort explicit_port",
}
"""What references and authorities have alike."""


def _parts(value: str) -> dict[str, str]:
    return _by_name({code.format(value): names for code, names in _PARTS.items()})


REFERENCE: Mapping[str, str] = {
    **_of_text("uri"),
    **_parts("uri"),
    **_by_name(
        {
            "uriparse.guard.requests_session()": "open fetch download exists",
            'uriparse.building.to_path("file:///a")': "to_file_path to_path",
            "uriparse.URI(text)": "load loads from_str of from_string from_text from_uri parse",
            'uri.from_parts(scheme="http", host="h.example")': "build",
            "uri.scheme": "Scheme getScheme protocol raw_scheme",
            "uri.authority is not None": "uses_netloc",
            "uri.authority": (
                "hostport server getAuthority getRawAuthority netloc raw_authority"
                " host_port_subcomponent authority_info"
            ),
            "uri.path": "Path getPath getRawPath EscapedPath raw_path pathname pathstr path_safe",
            "uriparse.unquote(uri.path)": "unquote unescape decoded_path decode",
            "uri.replace(scheme=None, authority=None, fragment=None)": (
                "path_and_query request_uri RequestURI full_path target request_target path_qs"
                " raw_path_qs"
            ),
            'uri.path.startswith("/")': "rooted",
            "uri.path; parameters are part of it (RFC 3986 section 3.3)": "params",
            "uri.segments": "parts raw_parts path_segments",
            "uri.name": "last_segment file raw_name filename basename file_name",
            "uri.parent": "directory folder up dirname",
            'uri.with_name("b.txt")': "with_stem sibling set_name",
            "uri.suffix": "ext raw_suffix extension",
            "uri.suffixes": "raw_suffixes",
            "uri.query": (
                "RawQuery getQuery getRawQuery qs query_string raw_query_string search querystr"
            ),
            "uri.query_pairs": (
                "Query parse_query query_list queries parameters args query_params searchParams"
                " parse_qs"
            ),
            "dict(uri.query_pairs)": "query_dict",
            'uri.query_value("name")': "get_param first getone get_first has_query get get_query",
            'uri.query_values("name")': "getall getlist get_all",
            "uri.fragment": "Fragment getFragment anchor hash raw_fragment fragmentstr",
            "str(uri)": (
                "toString toJSON String to_string as_text asText text string value raw uri"
                " url_string toURL toURI toASCIIString href url tostr tostring geturl unsplit"
                " to_text encoded_string as_string as_uri as_str"
            ),
            "uriparse.uri_to_iri(uri)": "iri unicode_string get_decoded_url human_repr to_iri",
            "uriparse.iri_to_uri(uri)": "to_uri",
            'uri.resolve("../b")': (
                "ResolveReference resolve_reference join urljoin resolve_with click joinurl"
            ),
            'uriparse.relativize("http://h.example/", uri)': (
                "relative relative_to relativize make_relative"
            ),
            "uri.normalize()": "clean normalized canonicalize canonical remove_dot_segments",
            "uri.redact()": "sanitize hide_password anonymous Redacted redacted mask masked",
            "uri.scheme is not None": "isAbsolute IsAbs is_absolute absolute is_absolute_url",
            "uri.scheme is None": "is_relative_url is_relative",
            "uri.effective_port": (
                "default_port is_default_port port_or_known_default port_or_default"
            ),
            'uriparse.equivalent(uri, "http://h.example/")': (
                "is_equivalent equal is_same normalized_equality equivalent equals same same_as"
            ),
            "uriparse.validate(uri)": (
                "check is_local is_loopback is_private is_public is_safe safe validate"
            ),
            "uriparse.is_valid(text); a record is valid already": "valid is_valid",
            "uri; it never changes": "copy",
            "uriparse.extra.publicsuffix.domain_parts(uri)": (
                "sld registered_domain tld domain subdomain"
            ),
            "uri.as_dict()": (
                "to_json json dict model_dump keys items values components as_tuple to_tuple"
                " astuple asdict to_dict _asdict"
            ),
            'uri.replace(path="/b")': (
                "evolve update modify copy_with set _replace with_path set_path"
            ),
            'uri.replace(scheme="https")': "with_scheme set_scheme",
            'uri.replace(userinfo="user")': "with_user with_password with_userinfo",
            'uri.replace(host="h.example")': (
                "with_netloc with_authority with_host set_host with_hostname"
            ),
            "uri.replace(port=8080)": "with_port set_port",
            'uri.replace(fragment="top")': "with_fragment set_fragment",
            "uri.replace(fragment=None)": "strip_fragment without_fragment remove_fragment defrag",
            "uri.replace(query=None)": "clear_query",
            'uri.with_segments(["a", "b"])': "set_segments path_segments_mut",
            'uri.add_query({"name": "value"})': (
                "query_add add_query_param add_param append_query copy_add_param extend_query"
            ),
            'uri.set_query({"name": "value"})': (
                "set_param copy_set_param copy_merge_params update_query set_query_param"
                " query_pairs_mut"
            ),
            'uri.without_query("name")': (
                "remove_param remove_query_param delete_query drop_query delete_param pop"
                " copy_remove_param without_query_params remove remove_query"
            ),
            'uri.child("segment")': "JoinPath add_path append append_path add_segment joinpath add",
            'uri.replace(path="", query=None, fragment=None)': "root base base_url site",
            'uri.scheme == "https"': "is_secure is_https is_ssl",
            "uri.host.address; it is None for a name": "address ip_address",
            'uri.child("")': "with_trailing_slash add_trailing_slash trailing_slash",
            "uri.replace(port=None)": "remove_port without_port strip_port",
            "uri.replace(userinfo=None)": (
                "remove_userinfo without_userinfo strip_auth without_password remove_password"
                " strip_password without_user without_credentials"
            ),
            'uri.origin == uriparse.parse("http://h.example/").origin': (
                "is_same_origin same_origin is_same_site"
            ),
            'uri.path.startswith("/a/")': "is_parent_of is_child_of is_subpath matches",
            'not uri.path.startswith("/")': (
                "isOpaque Opaque is_opaque cannot_be_a_base has_opaque_path"
            ),
            'uriparse.keys.key(uri, "scheme+sort-query")': "sort_query sorted_query",
            'uri.with_suffix(".txt")': "with_extension set_suffix",
            'uriparse.quote(uri.name, "segment")': "quote escape",
        }
    ),
}
"""By a name that is tried on a reference, what to write instead."""

AUTHORITY: Mapping[str, str] = {
    **_of_text("authority"),
    **_parts("authority"),
    **_by_name(
        {
            "str(authority)": "netloc text",
            "uri.effective_port": "effective_port default_port",
            'uri.replace(host="h.example")': "replace with_host",
        }
    ),
}
"""By a name that is tried on an authority, what to write instead."""

FUNCTIONS: Mapping[str, str] = _by_name(
    {
        'uriparse.remove_dot_segments("/a/../b")': "normalize_path clean_path",
        "uriparse.parse(text)": (
            "loads from_string from_str from_url parser Parser UrlParser url_parse uri url urls"
            " api utils urlparse urlsplit urisplit parse_uri uri_reference parse_reference"
            " split split_url"
        ),
        'uriparse.parse(text, grammar="rfc3987")': "IRIReference parse_iri iri_reference IRI",
        "uriparse.parse(text).replace(fragment=None)": (
            "defrag strip_fragment remove_fragment without_fragment urldefrag"
        ),
        "uriparse.URI(text)": (
            "SplitResult HttpUrl AnyUrl URL furl Url DecodedURL EncodedURL ParseResult"
        ),
        'uriparse.make(scheme="http", host="h.example")': (
            "builder URLBuilder create from_components URIBuilder uricompose build build_url"
        ),
        'uriparse.URIReference.from_parts(scheme="http", host="h.example")': (
            "compose urlunparse urlunsplit from_parts unsplit unparse"
        ),
        "uriparse.resolve(base, text)": (
            "absolute absolutize make_absolute resolve_reference to_absolute absolute_url urljoin"
            " urijoin join"
        ),
        'uriparse.query_pairs(query="a=1")': "parse_qs parse_qsl",
        "dict(uriparse.query_pairs(text))": "query_dict",
        'uriparse.building.query_string({"name": "value"})': "urlencode build_query",
        'uriparse.quote(text, "segment")': (
            "escape encode_uri_component pct_encode percentencode urlquote quote_from_bytes"
            " uriencode encode percent_encode"
        ),
        "uriparse.unquote(text)": (
            "unescape decode_uri_component pct_decode uridecode decode percent_decode"
        ),
        'uriparse.quote(text, "query-value")': "quote_plus",
        'uriparse.query_pairs(query="a+b"); it reads + as a space': "unquote_plus",
        "uriparse.building.from_path(path)": "path2url file_uri as_uri from_file pathname2url",
        'uriparse.building.to_path("file:///a")': "url2pathname",
        'uriparse.parse(text).child("segment")': "joinpath child",
        "uriparse.parse(text).parent": "parent",
        'uriparse.parse(text).add_query({"name": "value"})': "add_param add_query_param add_query",
        'uriparse.parse(text).set_query({"name": "value"})': "set_param update_query set_query",
        'uriparse.parse(text).with_query({"name": "value"})': "with_query",
        'uriparse.parse(text).without_query("name")': ("remove_param without_query"),
        'uriparse.parse(text).query_value("name")': "query_value get_query",
        'uriparse.parse(text).with_name("b.txt")': "with_name",
        'uriparse.parse(text).with_suffix(".txt")': "with_suffix",
        'uriparse.parse(text).with_segments(["a"])': "with_segments",
        "uriparse.parse(text).origin": "origin",
        "uriparse.parse(base).origin == uriparse.parse(text).origin": (
            "same_site is_same_site same_host same_origin is_same_origin"
        ),
        "uriparse.normalize(text)": (
            "canonicalize_url safe_url safe_url_string normalise norm normalized url_normalize"
            " normalize_uri normalize_url canonicalize canonical clean"
        ),
        "uriparse.equivalent(base, text)": "equal equals same is_same same_url compare",
        "uriparse.is_valid(text)": (
            "isvalid is_valid_uri is_url is_uri isuri match validate_rfc3986 valid validators"
            " is_valid_url valid_url"
        ),
        "uriparse.check(text, uriparse.Policy.outbound())": (
            "is_private is_public ssrf_check is_internal is_safe safe is_safe_url ssrf"
        ),
        "uriparse.validation.is_local_redirect(text, base)": (
            "is_safe_redirect is_local url_has_allowed_host_and_scheme"
        ),
        "uriparse.redact(text)": "redacted mask sanitize hide_password",
        "uriparse.text.redact_text(text)": "redacted_text redact_log",
        "uriparse.find_uris(text)": (
            "tokenize scan finditer find_all findall search linkify highlight autolink links"
            " find_urls extract extract_urls find urlextract"
        ),
        'uriparse.keys.key(text, "surt")': "surt",
        "uriparse.keys.key(text)": "fingerprint unique dedupe key cache_key",
        'uriparse.keys.key(text, "scheme+drop-tracking")': "strip_tracking remove_tracking",
        "uriparse.extra.publicsuffix.domain_parts(text)": (
            "domain get_domain registered_domain tldextract tld extract_domain subdomain suffix"
        ),
        'uriparse.parse_tree(text, "URI-Template", grammar="rfc6570"); nothing expands it': (
            "template URITemplate expand expand_template"
        ),
        "uriparse.iri_to_uri(text)": (
            "encode_uri punycode to_ascii idna encode_iri idna_encode iri2uri iri_to_ascii"
        ),
        "uriparse.uri_to_iri(text)": "to_unicode uri2iri idna_decode to_iri",
        'uriparse.grammar.expressions.pattern("URI")': (
            "patterns compile get_compiled_pattern regex"
        ),
        "uriparse.Policy.web()": "Validator",
        "uriparse.URISyntaxError": (
            "SyntaxError InvalidURL ValidationError ParseError InvalidURI InvalidURLError"
            " InvalidURIError URLParseError URIParseError"
        ),
        "uriparse.URIError": "UriError URIException Error",
        "uriparse.extra": (
            "duckdb spark flask starlette numpy typer structlog pandas polars django fastapi"
            " pydantic sqlalchemy click logging"
        ),
        "uriparse.guard": (
            "safe_get fetch get open urlopen guard_requests session download requests httpx"
            " aiohttp urllib3 async_client"
        ),
        "str(uriparse.parse(text))": "dumps unparse geturl",
        'uriparse.is_valid(text, grammar="rfc3987")': "is_iri",
        "uriparse.parse(text).replace(query=None)": "strip_query remove_query",
        "uriparse.parse(text).replace(userinfo=None)": (
            "strip_password strip_auth remove_password strip_userinfo remove_userinfo"
        ),
        'uriparse.parse(text).replace(scheme="https")': "replace set_scheme with_scheme",
        "uriparse.relativize(base, text)": "relative relative_to relativise make_relative",
        "uriparse.parse(text).query_pairs": "query query_params parse_query params",
        "uriparse.parse(text).host": "host hostname get_host parse_host splithost",
        "uriparse.parse(text).host.address; it is None for a name": "is_ip parse_ip ip",
        "uriparse.parse(text).authority": "netloc parse_authority",
        "uriparse.parse(text).port_number": "port parse_port splitport",
        "uriparse.parse(text).scheme": "scheme get_scheme",
        "uriparse.parse(text).path": "path parse_path",
        "uriparse.parse(text).segments": "segments path_segments",
        "uriparse.parse(text).scheme is not None": (
            "is_absolute isabsuri is_absolute_url is_absolute_uri"
        ),
        "uriparse.parse(text).scheme is None": "is_relative",
        'uriparse.parse(text).scheme == "https"': "is_https is_http is_secure",
        'uriparse.is_valid(text, "host")': "validate_host is_valid_host is_host",
        "uriparse.validate(text)": "validate_url validate_uri check_url",
        'uriparse.diagnosis.diagnose("http://h/a b")': "explain why error",
        'uriparse.diagnosis.find_remedy(uriparse.diagnosis.diagnose("a b"))': "repair fix suggest",
        "abnf2lark.load(abnf)": "Grammar ABNF abnf lark_grammar",
        "uriparse.schemes.scheme_from_abnf": "register_scheme add_scheme register",
        "uriparse.errors": "exceptions",
        "uriparse.__version__": "version",
        "uriparse.RelativeRef": "RelativeReference Relative",
        'uriparse.keys.key(text, "scheme+sort-query")': "sort_query",
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
    **_by_name(
        {
            "host.address; it is None for a name": (
                "ip is_ip is_ipv4 is_ipv6 version is_loopback is_private exploded compressed"
            ),
            "isinstance(host, uriparse.RegName)": "kind type is_name is_domain",
            "str(host)": "value name raw string",
            'str(host).split(".")': "labels parts",
            "uriparse.extra.publicsuffix.domain_parts(uri)": (
                "domain subdomain tld registered_domain suffix"
            ),
            "uriparse.iri_to_uri(text, idna=True)": "punycode idna to_ascii",
            "uriparse.uri_to_iri(text, idna=True)": "to_unicode",
        }
    ),
}
"""For a name that is tried on a host, what to write instead."""


_OF_COLUMNS: Mapping[str, str] = {
    "get scheme": "scheme protocol",
    "get authority": "authority",
    "get userinfo": "userinfo username user",
    "get port": "port",
    "get path": "path pathname",
    "get query": "query params query_string",
    "get fragment": "fragment hash anchor",
    "host": "hostname netloc fqdn",
    "registered_domain": "domain tld etld domains suffix",
    "split": "parse components urlparse urlsplit parts to_struct as_dict explode json",
    "is_valid": "valid validate isvalid is_url is_uri",
    "verdict": "check judge is_safe policy accepted",
    "stop": "offset error errors diagnose",
    "query_value q": "query_param param get_param query_params query_pairs parse_qs extract",
    "strip_query": "strip_tracking remove_tracking remove_query without_query clean",
    "key": "fingerprint dedupe unique drop_duplicates surt canonical",
    "normalize": "canonicalize normalise canonicalise url_normalize",
    "redact": "mask sanitize hide_password redacted",
    "to_iri": "unquote decode to_unicode",
    "to_uri": "quote encode punycode to_ascii idna",
}
"""By a function of columns, and its argument after the column, names that are tried for it."""


def _on_columns(function: str, *column: str) -> dict[str, str]:
    """Return the calls of functions: of the methods of a column, or with it as an argument."""
    found = {}
    for words, names in _OF_COLUMNS.items():
        name, *rest = words.split()
        given = ", ".join([*column, *(f'"{one}"' for one in rest)])
        found[f"{function}.{name}({given})"] = names
    return _by_name(found)


COLUMNS: Mapping[str, str] = _on_columns("column.uri")
"""By a name that is tried on the functions of a column of pandas or Polars, what to write."""

ARROW: Mapping[str, str] = _on_columns("uriparse.arrow", "column")
"""By a name that is tried on `uriparse.arrow`, what to write."""

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
            'uriparse.building.to_path("file:///a")': "to_path",
            "uriparse.parse(str(url)).query_pairs": "query_params searchParams args",
            "url.as_dict()": "asdict to_dict _asdict",
        }
    ),
}
"""By a name that is tried on the URL of a scheme that has no such field, what to write instead."""

BROWSER: Mapping[str, str] = _by_name(
    {
        "browser_url.scheme": "protocol",
        "browser_url.host": "hostname netloc",
        "browser_url.effective_port": "port_number default_port",
        "browser_url.user": "userinfo",
        "browser_url.path": "pathname raw_path",
        "browser_url.query": "search query_string",
        'uriparse.whatwg.form_pairs(browser_url.query or "")': (
            "searchParams query_pairs query_params"
        ),
        "browser_url.fragment": "hash",
        "str(browser_url)": "toString to_string toJSON url text geturl normalize",
        'uriparse.whatwg.join(browser_url, "../b")': "join resolve",
        "browser_url.to_uri()": (
            "replace with_query add_query set_query without_query query_value query_values as_dict"
            " authority parent child redact is_valid"
        ),
    }
)
"""By a name that is tried on what a browser reads, what to write instead."""

TARGET: Mapping[str, str] = _by_name(
    {
        "target.host": "hostname",
        "target.address": "ip",
        "target.url": "uri href geturl text",
        "(target.host, target.port)": "netloc addr sockaddr hostport authority",
        "uriparse.parse(target.url)": "path query fragment record segments as_dict replace",
    }
)
"""By a name that is tried on the target of an accepted text, what to write instead."""

REPORT: Mapping[str, str] = _by_name(
    {
        "report.reasons[0].message": "message",
        "report.accepted": "ok valid is_valid passed success safe is_safe allowed",
        "report.findings": "errors problems issues warnings messages",
        "report.reasons[0].code": "code reason error",
        "[found.code for found in report.findings]": "codes",
        "report.record": "uri url value",
        "report.target": "host port",
        "report.as_dict()": "to_dict dict json asdict to_json",
    }
)
"""By a name that is tried on a report, what to write instead."""

POLICY: Mapping[str, str] = _by_name(
    {
        "uriparse.check(text, policy)": "check enforce",
        "uriparse.validate(text, policy)": "validate",
        "uriparse.validate(text, policy).accepted": "allows allow is_allowed accepts test",
        'policy.replace(hosts=["h.example"])': "copy with_hosts evolve update",
        "dataclasses.asdict(policy)": "to_dict as_dict dict",
        "uriparse.Policy.outbound()": "default ssrf safe fetch",
        "uriparse.Policy.syntax()": "permissive open any none allow_all",
        "uriparse.Policy.from_toml(toml); toml is the text of the file": "from_file load loads",
        "uriparse.Policy.from_dict(settings)": "from_json parse",
    }
)
"""By a name that is tried on a policy, what to write instead."""


TREE: Mapping[str, str] = _by_name(
    {
        **{
            f"uriparse.transform(tree).{name}": name
            for name in (
                *("scheme", "authority", "userinfo", "host", "port"),
                "path",
                "query",
                "fragment",
            )
        },
        'next(tree.find_data("host"))': "find find_all get select xpath",
        "tree.pretty()": "dump show to_string",
        "str(uriparse.transform(tree))": "value to_text",
    }
)
"""By a name that is tried on a parse tree, what to write instead."""


WHATWG: Mapping[str, str] = _by_name(
    {
        "uriparse.whatwg.parse(text)": "URL Url URLParser try_parse urlparse",
        "uriparse.whatwg.can_parse(text)": "is_valid validate",
        'uriparse.whatwg.form_pairs("a=b")': "URLSearchParams query_pairs parse_qs parse_qsl",
        "uriparse.whatwg.join(base, text)": "resolve urljoin",
        "str(uriparse.whatwg.parse(text))": "normalize serialize href",
    }
)
"""By a name that is tried on `uriparse.whatwg`, what to write instead."""

GUARD: Mapping[str, str] = _by_name(
    {
        "uriparse.guard.requests_session()": (
            "session Session requests_client get post fetch safe_get urlopen"
        ),
        "uriparse.guard.httpx_client()": "client Client httpx_session",
        "uriparse.guard.httpx_async_client()": "AsyncClient async_client",
        "uriparse.guard.aiohttp_session": "aiohttp_client ClientSession",
        "uriparse.guard.urllib3_manager()": "PoolManager pool",
    }
)
"""By a name that is tried on `uriparse.guard`, what to write instead."""

EXTRA: Mapping[str, str] = _by_name(
    {
        "uriparse.guard.requests_session()": "requests",
        "uriparse.guard.httpx_client()": "httpx",
        "uriparse.guard.aiohttp_session": "aiohttp",
        "uriparse.guard.urllib3_manager()": "urllib3",
        "uriparse.extra.asgi": "starlette litestar",
        "uriparse.extra.click": "typer",
        "uriparse.extra.logs": "logging structlog",
    }
)
"""By a name that is tried on `uriparse.extra`, what to write instead."""


class ForeignName:
    """A name that a class does not have: reading it raises an AttributeError that says ours.

    `hasattr` is False. A `__getattr__` would say it as well, but with one CPython 3.11 takes nine
    times as long to read any component.
    """

    def __init__(self, name: str, words: str) -> None:
        self._name = name
        self._words = words

    @property
    def __doc__(self) -> str:  # type: ignore[override]  # which only `help` asks for
        """What `help` shows."""
        return f"Not here: use {self._words}."

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


def refusing(what: str, *ours: str) -> Callable[[object, object], Never]:
    """Return a method for an operator that a class does not have; a TypeError says what has."""

    def refuse(self: object, _: object) -> Never:
        raise TypeError(f"{type(self).__name__!r} object {what}: use {' or '.join(ours)}")

    return refuse


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
    """Say what to use instead of a name, as the end of a message; `""` where nothing is known.

    `isUri`, `IsURI` and `is_uri` are one name.
    """
    plain = {_plain(one): words for one, words in known.items()}
    words = known.get(name) or plain.get(_plain(name))
    return f": use {words}" if words else ""


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def of_front(name: str, public: Mapping[str, str]) -> str:
    """Say what to use instead of a name that is not in the package, as the end of a message.

    public: where each public name is.
    """
    from difflib import get_close_matches  # noqa: PLC0415 - only who errs pays for it

    near = get_close_matches(name, public, 1, cutoff=0.85)
    meant = f": use {public[near[0]]}" if near else ""
    known = FUNCTIONS if name in FUNCTIONS else public
    return advice(name, ELSEWHERE) or advice(name, known) or advice(name, FUNCTIONS) or meant


def answers(module: str, known: Mapping[str, str]) -> Callable[[str], object]:
    """Return the `__getattr__` of a module: it has its modules, and answers the names of others."""

    def answer(name: str) -> object:
        from importlib import import_module  # noqa: PLC0415 - only who asks pays for it
        from importlib.util import find_spec  # noqa: PLC0415 - same

        if not name.startswith("_") and name not in known and find_spec(f"{module}.{name}"):
            return import_module(f"{module}.{name}")
        hint = advice(name, known)
        raise AttributeError(f"module {module!r} has no attribute {name!r}{hint}", name=name)

    return answer
