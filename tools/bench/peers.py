"""The races: each operation, what it runs on, and who takes part.

A contender names what is imported for it, and has a function that makes of this a call for one
text. Libraries that are not installed are left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from uriparse import is_valid

from .ours import BASE, counted, given, on_base, ours
from .races import OURS, Contender, Race, Truth, as_it_is

if TYPE_CHECKING:
    from .inputs import Inputs
    from .timing import Call

PURE = f"{OURS}, pure"
LARK = f"{OURS} by Lark"
FINDINGS = f"{OURS}, all findings"

SEGMENT = "annual report é.pdf"
"""A segment of data: spaces, a letter beyond ASCII. No slash, for which yarl has no spelling."""

DATA = [("q", "a&b=c"), ("page", "2")]
"""Pairs of data."""

OTHER = "HTTP://Example.com:80/%7eann/./report"
"""What each text is compared with."""

BEYOND_ASCII = "é/ü?q=ß"
"""What makes an IRI of each text."""

PAIRS = "page=2&name=two%20words&"
"""Pairs before each text, which is the rest of a query."""

Function = Any
"""What was imported."""


def by_grammar(rule: str) -> Callable[[Inputs], Truth]:
    """Return the verdicts of a rule on valid and corrupted texts."""

    def truth(inputs: Inputs) -> Truth:
        texts = [*inputs["real"], *inputs["ipv6"], *inputs["corrupted"]]
        return Truth(texts, [is_valid(text, rule) for text in texts])

    return truth


def outbound(inputs: Inputs) -> Truth:
    """Return what a guard has to do: refuse the hostile URLs of the tests, accept real ones."""
    hostile, real = inputs["hostile URLs"], inputs["web"]
    return Truth([*hostile, *real], [False] * len(hostile) + [True] * len(real))


# Ours without the kernel, or by Lark.


def _parse_pure(pure_reader: Function) -> Call:
    """Read a valid text as `parse` does without the kernel, its checks of arguments included."""
    read = pure_reader("URI-reference", "rfc3986")

    def parse(text: str, rule: str = "URI-reference", *, grammar: str = "rfc3986") -> object:
        if type(text) is str and rule == "URI-reference" and grammar == "rfc3986":
            record = read(text)
            if record is not None:
                return record
        raise ValueError(text)

    return parse


def _is_valid_pure(matcher: Function) -> Call:
    match = matcher("URI").fullmatch

    def is_valid(text: str, rule: str = "URI", *, grammar: str = "rfc3986") -> bool:
        if type(text) is str and rule == "URI" and grammar == "rfc3986":
            return match(text) is not None
        raise TypeError(text)

    return is_valid


def _parse_by_lark(engine: Function, generic_reader: Function, nothing: Function) -> Call:
    """Read a text as `parse` does with `URIPARSE_ENGINE=lark`."""
    read = generic_reader(engine.components("URI-reference", "rfc3986"), "rfc3986", nothing)

    def parse(text: str) -> object:
        if (record := read(text)) is None:
            raise ValueError(text)
        return record

    return parse


def _and_read(contender: Contender, names: str) -> Contender:
    """Return a contender that reads components, too."""
    if not names:
        return contender
    components = attrgetter(*names.split())

    def make(*needs: Function) -> Call:
        call = contender.make(*needs)
        return lambda text: components(call(text))

    return replace(contender, make=make)


PARSE_BY_LARK = Contender(
    LARK,
    "uriparse.trees.engine:LarkEngine uriparse.records.readers:generic_reader"
    " uriparse.records.readers:nothing",
    _parse_by_lark,
)
PARSE_PURE = Contender(PURE, "uriparse.records.readers:pure_reader", _parse_pure)


_rule_uri = given(rule="URI")
_ours = partial(Contender, OURS)
_yarl = partial(Contender, "yarl", "yarl:URL")
_furl = partial(Contender, "furl", "furl:furl", slow=True)
_httpx = partial(Contender, "httpx", "httpx:URL")
_hyperlink = partial(Contender, "hyperlink", "hyperlink:URL")
_w3lib = partial(Contender, "w3lib")
_url_normalize = partial(Contender, "url-normalize", "url_normalize:url_normalize", slow=True)
_urllib = partial(Contender, "urllib.parse")
_native = partial(Contender, native=True)

# Peers that split a URI, each with the names of its components.

_RFC = "scheme userinfo host port path query fragment"
_USER = "username password hostname port"
_USERNAME = "scheme username password host port"
_WHATWG = f"protocol {_USER} pathname search hash"
_YARL = "scheme raw_user raw_password raw_host explicit_port raw_path raw_query_string raw_fragment"
_RFC3987 = Contender("rfc3987", "rfc3987:parse", _rule_uri)
_URLSPLIT = _urllib("urllib.parse:urlsplit", lambda urlsplit: urlsplit.__wrapped__)  # uncached
_SPLITTERS = (
    (_URLSPLIT, f"scheme {_USER} path query fragment"),
    (Contender("uritools", "uritools:urisplit"), _RFC),
    (Contender("rfc3986", "rfc3986:uri_reference"), _RFC),
    (_RFC3987, ""),
    (_yarl(), _YARL),
    (_hyperlink(lambda url: url.from_text), _RFC),
    (replace(_furl(), slow=False), f"{_USERNAME} path query fragment"),
    (Contender("urllib3", "urllib3.util:parse_url"), _RFC.replace("userinfo", "auth")),
    (_httpx(), _RFC),
    (_native("ada-url", "ada_url:URL"), _WHATWG),
    (_native("can-ada", "can_ada:parse"), _WHATWG),
    (_native("pydantic-core", "pydantic_core:Url"), f"{_USERNAME} path query fragment"),
)
PARSERS = tuple(contender for contender, _ in _SPLITTERS)


def _some(contenders: tuple[Contender, ...], *names: str) -> tuple[Contender, ...]:
    return tuple(contender for contender in contenders if contender.name in names)


def _judge(name: str, needs: str, make: Any = as_it_is, **flags: bool) -> Contender:
    """Return a contender that answers by true or false."""
    return Contender(name, needs, make, answers=True, **flags)


_RFC3986_VALIDATOR = _judge("rfc3986-validator", "rfc3986_validator:validate_rfc3986", _rule_uri)
VALIDATORS = (
    _judge("rfc3986", "rfc3986:is_valid_uri", lambda own: partial(own, require_scheme=True)),
    _RFC3986_VALIDATOR,
    _judge("rfc3987", "rfc3987:match", _rule_uri),
    _judge("uritools", "uritools:isuri"),
    _judge("ada-url", "ada_url:check_url", native=True),
    _judge("can-ada", "can_ada:can_parse", native=True),
)
_SYNTAX = "rfc3987-syntax"
_SYNTAX_TREE = Contender(
    _SYNTAX, "rfc3987_syntax:parse", lambda own: partial(own, "iri"), slow=True
)
_ABNF = Contender(
    "abnf", "abnf.grammars.rfc3986:Rule", lambda rule: rule("URI").parse_all, slow=True
)
TREES = (_SYNTAX_TREE, _ABNF)

# Resolving, building.


def _our_make(make: Function) -> Call:
    segments = ["a", SEGMENT]
    return lambda host: str(
        make(scheme="https", host=host, port=8443, segments=segments, query=DATA)
    )


def _yarl_make(url: Function) -> Call:
    path = f"/a/{SEGMENT}"
    return lambda host: str(url.build(scheme="https", host=host, port=8443, path=path, query=DATA))


def _rfc3986_resolve(uri_reference: Function) -> Call:
    base = uri_reference(BASE)
    return lambda text: uri_reference(text).resolve_with(base)


def _yarl_join(url: Function) -> Call:
    base = url(BASE)
    return lambda text: base.join(url(text))


def _equal(function: Function) -> Call:
    return lambda text: function(text) == function(OTHER)


def _httpx_add_query(kind: Function) -> Call:
    def call(text: str) -> object:
        url = kind(text)
        for name, value in DATA:
            url = url.copy_add_param(name, value)
        return str(url)

    return call


# Frameworks.


def _field(name: str, kind: str, *, native: bool = False) -> Contender:
    def make(adapter: Function, kind: Function) -> Call:
        return adapter(kind).validate_python  # type: ignore[no-any-return]

    return Contender(name, f"pydantic:TypeAdapter {kind}", make, native=native)


def _django(validator: Function) -> Call:
    judge = validator(schemes=["http", "https"])
    return lambda text: judge(text) is None


GUARDS = (
    _judge("django", "django.core.validators:URLValidator", _django),
    _field("pydantic", "pydantic:HttpUrl", native=True),
    _judge("validators", "validators:url", given(private=False)),
    _judge("url-guard", "url_guard:is_public_url"),
)
"""Guards of others, asked as their documentation says; none of them connects."""

RACES: list[Race] = []
"""Every race; `figures` holds some of their times to a bound."""


def _race(
    what: str, *contenders: Contender, truth: Callable[[Inputs], Truth] | None = None
) -> None:
    """Register a race: its name, "on", and its subjects, separated by "; "."""
    name, _, subjects = what.partition(" on ")
    RACES.append(Race(name, tuple(subjects.split("; ")), contenders, truth))


_race(
    "is_valid on real; short; long; ipv6; hostile",
    ours("is_valid", answers=True),
    Contender(PURE, "uriparse.grammar:matcher", _is_valid_pure, answers=True),
    *VALIDATORS,
    _URLSPLIT,
    _judge(_SYNTAX, "rfc3987_syntax:is_valid_syntax_iri", slow=True),
    _ABNF,
    truth=by_grammar("URI"),
)
_race(
    "parse on real; short; long; ipv6; hostile",
    ours("parse"),
    PARSE_PURE,
    *PARSERS,
    truth=by_grammar("URI-reference"),
)
_race(
    "read on real; ipv6",
    _and_read(ours("parse"), _RFC),
    _and_read(PARSE_PURE, _RFC),
    *(_and_read(contender, names) for contender, names in _SPLITTERS),
)
_race(
    "reject on invalid; real",
    *(ours(entry, f"{OURS}.{entry}") for entry in ("is_valid", "try_parse", "parse")),
    *VALIDATORS,
    *(replace(peer, name=f"{peer.name}, raising") for peer in PARSERS if peer is not _URLSPLIT),
)
_race(
    "parse_tree on real; short; ipv6",
    ours("parse_tree"),
    ours("parse_tree (full)", f"{OURS} (full)"),
    *TREES,
)
_race("engines on real; short; ipv6", ours("parse"), PARSE_PURE, PARSE_BY_LARK, *TREES)
_race("browser on real; messy", ours("whatwg.parse"), *_some(PARSERS, "can-ada", "ada-url"))
_race(
    "resolve on references",
    ours("resolve"),
    _urllib("urllib.parse:urljoin", on_base),
    Contender("uritools", "uritools:urijoin", on_base),
    Contender("rfc3986", "rfc3986:uri_reference", _rfc3986_resolve),
    Contender("rfc3987", "rfc3987:resolve", on_base),
    _yarl(_yarl_join),
    _hyperlink(lambda url: url.from_text(BASE).click),
    _furl(lambda furl: lambda text: furl(BASE).join(text)),
    _httpx(lambda url: url(BASE).join),
    _native("ada-url", "ada_url:join_url", on_base),
)
_race(
    "normalize on messy",
    ours("normalize"),
    Contender("rfc3986", "rfc3986:normalize_uri"),
    _hyperlink(lambda url: lambda text: url.from_text(text).normalize()),
    _yarl(lambda url: lambda text: str(url(text))),
    _native("ada-url", "ada_url:normalize_url"),
)
_race(
    "child on web",
    _ours("uriparse:parse", lambda parse: lambda text: str(parse(text).child(SEGMENT))),
    _yarl(lambda url: lambda text: str(url(text) / SEGMENT)),
)
_race(
    "add_query on web",
    _ours("uriparse:parse", lambda parse: lambda text: str(parse(text).add_query(DATA))),
    _yarl(lambda url: lambda text: str(url(text).extend_query(DATA))),
    _furl(lambda furl: lambda text: furl(text).add(DATA).url),
    _httpx(_httpx_add_query),
)
_race("make on hosts", _ours("uriparse:make", _our_make), _yarl(_yarl_make))
_race(
    "parse_url on schemes; http; ftp; mailto",
    ours("parse_url"),
    ours("parse_url (RFC 1738)", f"{OURS}, RFC 1738"),
    ours("try_parse", f"{OURS}.try_parse"),
    *_some(PARSERS, "urllib.parse", "yarl", "furl"),
)
_race(
    "find_uris on plain prose; linked prose",
    ours("find_uris"),
    Contender("urlextract", "urlextract:URLExtract", lambda kind: counted()(kind().gen_urls)),
    Contender("linkify-it-py", "linkify_it:LinkifyIt", lambda linkify: linkify().match),
)
_race(
    "canonicalize on web",
    ours("legacy.wwwoffle.canonicalize"),
    _w3lib("w3lib.url:canonicalize_url"),
    _url_normalize(),
)
_race(
    "equivalent on web",
    _ours("uriparse:equivalent", lambda equivalent: lambda text: equivalent(text, OTHER)),
    replace(_yarl(_equal), name="yarl, which keeps what it has read"),
    _w3lib("w3lib.url:canonicalize_url", _equal),
    _url_normalize(_equal),
)
_race(
    "iri_to_uri on web",
    _ours("uriparse:iri_to_uri", lambda own: lambda text: str(own(text + BEYOND_ASCII))),
    _yarl(lambda url: lambda text: str(url(text + BEYOND_ASCII))),
    _w3lib("w3lib.url:safe_url_string", lambda own: lambda text: own(text + BEYOND_ASCII)),
    _httpx(lambda url: lambda text: str(url(text + BEYOND_ASCII))),
)
_race(
    "query_pairs on web",
    _ours("uriparse:query_pairs", lambda own: lambda text: own(query=PAIRS + text)),
    _urllib("urllib.parse:parse_qsl", lambda own: lambda text: own(PAIRS + text, True)),
    _yarl(lambda url: lambda text: url.build(query_string=PAIRS + text, encoded=True).query),
)
_race(
    "quote on web; messy",
    _ours("uriparse:quote", lambda quote: lambda text: quote(text, "query-value")),
    _urllib("urllib.parse:quote", lambda quote: lambda text: quote(text, safe="")),
)
_race("unquote on web", ours("unquote"), _urllib("urllib.parse:unquote"))
_race(
    "validate on accepted; refused; refused, twelve findings",
    ours("validate"),
    Contender(FINDINGS, "uriparse:validate", lambda own: lambda text: own(text).findings),
    PARSE_PURE,
)
_race("outbound on web; hostile URLs", ours("validate", answers=True), *GUARDS, truth=outbound)
