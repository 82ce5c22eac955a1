"""Names that other libraries have for what is here, so that an AttributeError can tell ours.

Of `urllib.parse`, yarl, furl, httpx, rfc3986, `pathlib` and the URL class of browsers. Data, read
only when a name has been missed.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in `typing`, which the command loads later (see the front)
if TYPE_CHECKING:
    from collections.abc import Mapping

_PARTS: Mapping[str, str] = {
    "hostname": "host, whose text is str(host)",
    "raw_host": "host",
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
    **_PARTS,
    "protocol": "scheme",
    "netloc": "authority",
    "raw_authority": "authority",
    "host_port_subcomponent": "authority",
    "raw_path": "path",
    "pathname": "path",
    "params": "path: its parameters are part of it (RFC 3986 section 3.3)",
    "parts": "segments",
    "raw_parts": "segments",
    "path_segments": "segments",
    "name": "segments[-1]",
    "raw_name": "segments[-1]",
    "qs": "query",
    "query_string": "query",
    "raw_query_string": "query",
    "search": "query",
    "args": "uriparse.query_pairs(uri)",
    "query_params": "uriparse.query_pairs(uri)",
    "searchParams": "uriparse.query_pairs(uri)",
    "parse_qs": "uriparse.query_pairs(uri)",
    "hash": "fragment",
    "raw_fragment": "fragment",
    "href": "str(uri)",
    "url": "str(uri)",
    "tostr": "str(uri)",
    "tostring": "str(uri)",
    "geturl": "str(uri)",
    "unsplit": "str(uri)",
    "human_repr": "uriparse.uri_to_iri(uri)",
    "to_iri": "uriparse.uri_to_iri(uri)",
    "to_uri": "uriparse.iri_to_uri(uri)",
    "join": "resolve(reference)",
    "urljoin": "resolve(reference)",
    "resolve_with": "resolve(reference)",
    "relative_to": "uriparse.relativize(base, uri)",
    "normalized": "normalize()",
    "is_absolute": "scheme is not None",
    "absolute": "scheme is not None",
    "is_valid": "no check: a record is valid already (text is judged by uriparse.is_valid)",
    "copy": "the record itself, which never changes",
    "copy_with": "replace(**components)",
    "set": "replace(**components)",
    "_replace": "replace(**components)",
    "copy_add_param": "replace(query=...)",
    "with_scheme": "replace(scheme=...)",
    "with_user": "replace(userinfo=...)",
    "with_password": "replace(userinfo=...)",
    "with_userinfo": "replace(userinfo=...)",
    "with_host": "replace(host=...)",
    "with_port": "replace(port=...)",
    "with_path": "replace(path=...)",
    "with_query": "replace(query=...)",
    "update_query": "replace(query=...)",
    "extend_query": "replace(query=...)",
    "with_fragment": "replace(fragment=...)",
    "joinpath": "replace(path=...)",
    "with_name": "replace(path=...)",
    "with_suffix": "replace(path=...)",
    "parent": 'resolve("..") or resolve(".")',
    "child": "replace(path=...)",
    "as_string": "str(uri)",
    "as_uri": "str(uri)",
}
"""By a name that is tried on a reference, what to write instead."""

AUTHORITY: Mapping[str, str] = _PARTS
"""By a name that is tried on an authority, what to write instead."""

FUNCTIONS: Mapping[str, str] = {
    "urlparse": "parse",
    "urlsplit": "parse",
    "uri_reference": "parse",
    "urldefrag": "parse, and replace(fragment=None)",
    "URL": "URI",
    "furl": "URI",
    "Url": "URI",
    "URIBuilder": "URIReference.from_parts",
    "ParseResult": "URI",
    "urljoin": "resolve",
    "join": "resolve",
    "urlunparse": "URIReference.from_parts",
    "urlunsplit": "URIReference.from_parts",
    "build": "URIReference.from_parts",
    "parse_qs": "query_pairs",
    "parse_qsl": "query_pairs",
    "urlencode": 'quote(text, "query-value")',
    "quote_plus": 'quote(text, "query-value")',
    "unquote_plus": "query_pairs, which reads + as a space",
    "url_normalize": "normalize",
    "normalize_uri": "normalize",
    "is_valid_uri": "is_valid",
    "is_url": "is_valid",
    "Validator": "uriparse.validation.Policy",
    "validate": "uriparse.validation.validate",
    "InvalidURL": "URISyntaxError",
    "ValidationError": "URISyntaxError",
    "URIException": "URIError",
}
"""By a name that is tried on the package, what to write instead."""


def advice(name: str, known: Mapping[str, str]) -> str:
    """Say what to use instead of a name, as the end of a message; `""` where nothing is known.

    >>> advice("netloc", REFERENCE), advice("scheem", REFERENCE)
    (': use authority', '')
    """
    return f": use {known[name]}" if name in known else ""
