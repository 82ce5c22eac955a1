"""Every code that a finding can have: what it says, how severe it is, and why."""

from __future__ import annotations

from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from uriparse.validation.findings import Severity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uriparse.validation.findings import Layer

__all__ = [
    "CATALOGUE",
    "Code",
]


# What is known of one code, and how a row of the table is written.


class Code(NamedTuple):
    """What is known of one code.

    Attributes:
        code: its name.
        layer: which question its findings answer.
        severity: how much they weigh unless a policy says otherwise.
        sentence: what is found, about any text.
        source: the RFC and its section, or the clients that err.
        trigger: a text that has it.
        clean: the nearest text that has it not.
        under: the policy that both are judged by, as the keys of a policy file.

    """

    code: str
    layer: Layer
    severity: Severity
    sentence: str
    source: str
    trigger: str
    clean: str
    under: str


OUTBOUND: Final = 'preset = "outbound"'
SYNTAX: Final = 'preset = "syntax"'
WEB: Final = 'preset = "web"'


def agreement(
    code: str, sentence: str, source: str, trigger: str, clean: str, under: str = OUTBOUND
) -> Code:
    """Write a row of what clients do not agree on."""
    return Code(code, "agreement", Severity.ERROR, sentence, source, trigger, clean, under)


def caution(
    code: str, sentence: str, source: str, trigger: str, clean: str, under: str = SYNTAX
) -> Code:
    """Write a row of what the RFCs warn of."""
    return Code(code, "scheme", Severity.WARNING, sentence, source, trigger, clean, under)


def note(
    code: str, sentence: str, source: str, trigger: str, clean: str, under: str = SYNTAX
) -> Code:
    """Write a row of what is worth knowing."""
    return Code(code, "scheme", Severity.INFO, sentence, source, trigger, clean, under)


# What the RFCs warn of in hosts, ports and user names (layer "scheme").

AUTHORITIES: Final = (
    note(
        "host-underscore",
        "an underscore is not part of a host name, and some clients refuse it",
        "RFC 952, RFC 1123 section 2.1; Java, treq, filter_var refuse",
        "http://a_b.com/",
        "http://a-b.com/",
    ),
    note(
        "ipv6-host",
        "a few clients cannot reach an IPv6 address",
        "treq refuses",
        "http://[2001:db8::1]/",
        "http://192.0.2.1/",
    ),
    note(
        "bad-a-label",
        "a label begins as internationalized ones do and is none, or is not in the form of UTS 46",
        "RFC 5890 section 2.3.2.1; httpx, ada, node, Rust url refuse some, Qt 5.15 rewrites others",
        "http://xn--a.com/",
        "http://xn--bcher-kva.com/",
    ),
    note(
        "uncommon-port",
        "browsers do not fetch from this port",
        "the bad ports of the Fetch standard",
        "http://h:6667/",
        "http://h:8080/",
    ),
    caution(
        "non-default-port",
        "a port other than the scheme's own may belong to another protocol",
        "RFC 1738 section 6",
        "http://h:8080/",
        "http://h:80/",
    ),
    caution(
        "reserved-port",
        "the port is not the scheme's own and one of those reserved for well-known services",
        "RFC 1738 section 6",
        "telnet://192.0.2.16:80/",
        "http://h:8080/",
    ),
    caution(
        "cross-protocol-smtp",
        "the port is that of mail transport, to which other protocols can be made to speak",
        "RFC 1738 section 6",
        "gopher://h:25/0x",
        "gopher://h:70/0x",
    ),
    caution(
        "password-in-uri",
        "a password stands in the URI, for all who see it",
        "RFC 3986 section 7.5, RFC 1738 section 6",
        "ftp://u:p@h/",
        "ftp://u:@h/",
    ),
    caution(
        "userinfo-not-allowed",
        "the scheme has no user names",
        "RFC 1738 section 3.3, RFC 9110 section 4.2.4",
        "http://u@h/",
        "ftp://u@h/",
    ),
    caution(
        "misleading-userinfo",
        "the user name looks like a host or a query",
        "RFC 3986 section 7.6",
        "ftp://cnn.example.com&story=breaking_news@10.0.0.1/top_story.htm",
        "ftp://foo@host.com/",
    ),
    caution(
        "file-drive-letter-host",
        "a drive letter stands where the host does",
        "RFC 8089 appendix E.2",
        "file://D:/x",
        "file:///D:/x",
    ),
    caution(
        "host-too-long",
        "the name is longer than the DNS can hold",
        "RFC 3986 section 3.2.2",
        f"http://{'a.' * 127}com/",
        f"http://{'a.' * 126}com/",
    ),
    caution(
        "dns-label",
        "a label begins or ends with a hyphen, or the last one is a number",
        "RFC 1123 section 2.1, RFC 1738 section 3.1",
        "http://-a.com/",
        "http://a-b.com/",
    ),
    caution(
        "ipv4-lookalike",
        "the name is an IPv4 address to the C library",
        "RFC 3986 section 7.4",
        "http://0x7f.1/",
        "http://0x7g.1/",
    ),
    caution(
        "port-left-empty",
        'there is a ":" and no port',
        "RFC 3986 section 6.2.3: to be left out",
        "ftp://h:/",
        "ftp://h/",
    ),
    caution(
        "port-out-of-range",
        "the port is beyond 65535",
        "RFC 793 section 3.1",
        "http://h:65536/",
        "http://h:65535/",
    ),
    caution(
        "no-server",
        "the scheme demands a host and there is none",
        "RFC 9110 section 4.2.1, RFC 1738 section 3",
        "http:///x",
        "file:///x",
    ),
    caution(
        "unknown-ip-literal-version",
        "an address of a version that does not exist yet",
        "RFC 3986 section 3.2.2",
        "http://[v7.x]/",
        "http://[::7]/",
    ),
    caution(
        "dialect-host-mismatch",
        "RFC 1738 and RFC 3986 see different hosts",
        "RFC 1738 section 3.1, RFC 3986 section 3.2",
        "ftp://host?x@evil.d/",
        "ftp://host/x@evil.d/",
    ),
)
"""Codes of what stands behind "//"."""


# What the RFCs warn of in characters, raw and encoded (layer "scheme").

_IRI: Final = f'{SYNTAX}\ngrammar = "rfc3987"'

CHARACTERS: Final = (
    caution(
        "encoded-protocol-delimiter",
        "a triplet encodes what the scheme's protocol ends its commands with",
        "RFC 1738 section 6: it must not be decoded before it is sent",
        "telnet://a%0Db@h/",
        "telnet://a%20b@h/",
    ),
    caution(
        "encoded-dot-segment",
        "a dot segment is encoded: resolution keeps it, normalization decodes and removes it",
        "RFC 3986 sections 5.2.4, 6.2.2.2 and 6.2.2.3",
        "http://h/%2e%2e/x",
        "http://h/..x",
    ),
    caution(
        "encoded-traversal",
        'an encoded "/" beside ".." becomes a step upwards where it is decoded',
        "RFC 3986 section 7.3",
        "http://h/..%2fx",
        "http://h/..x%2fy",
    ),
    caution(
        "encoded-nul",
        "an encoded NUL ends strings early in many programs",
        "RFC 3986 section 7.3",
        "http://h/a%00b",
        "http://h/a%01b",
    ),
    caution(
        "encoded-line-break",
        "an encoded CR or LF begins a new line wherever it is decoded",
        "RFC 3986 section 7.3, RFC 1738 section 6",
        "http://h/a%0Ab",
        "http://h/a%0Bb",
    ),
    caution(
        "double-encoding",
        "a triplet encodes the beginning of another, so that decoding twice gives a third text",
        "RFC 3986 section 2.4",
        "http://h/%252e",
        "http://h/%25zz",
    ),
    caution(
        "overlong-utf8",
        "triplets encode a character in more octets than it has, which lax decoders accept",
        "RFC 3629 sections 3 and 10",
        "http://h/%C0%AF",
        "http://h/%C2%AF",
    ),
    caution(
        "bidi-control",
        "a directional control makes the text read in another order than it is written",
        "RFC 3987 section 4.1",
        "http://h/%E2%80%AEx",
        "http://h/%E2%80%A2x",
    ),
    caution(
        "mixed-scripts",
        "a label mixes scripts whose letters look alike",
        "UTS 39 section 5.2, RFC 3987 section 8",
        "http://p\u0430ypal.com/",
        "http://\u043f\u0440\u0438\u043c\u0435\u0440.com/",
        _IRI,
    ),
    caution(
        "backend-special-name",
        "a segment is the name of a device in some file systems",
        "RFC 3986 section 7.3",
        "http://h/aux.txt",
        "http://h/auxiliary.txt",
    ),
    caution(
        "mailto-suspicious-escape",
        'a raw "%" of the address happens to make a triplet',
        "RFC 1738 section 3.5",
        "mailto:user%abc@h",
        "mailto:a%25b@h",
    ),
    note(
        "not-globally-accessible",
        "the URI means something else, or nothing, on another machine",
        "RFC 1738 sections 3.7 and 3.10",
        "nntp://h/g",
        "news:g",
    ),
    caution(
        "gopher-selector-control-char",
        "the selector holds what ends or divides a gopher request",
        "RFC 1738 section 3.4",
        "gopher://h/0a%0Db",
        "gopher://h/0a%0Bb",
    ),
    Code(
        "unsafe-character",
        "scheme",
        Severity.OFF,
        "RFC 1738 has this character encoded; RFC 3986 allows it",
        "RFC 1738 section 2.2; RFC 3986 section 2.3 made it unreserved",
        "http://h/~u",
        "http://h/%7Eu",
        f'{SYNTAX}\nseverity = {{ unsafe-character = "info" }}',
    ),
    note(
        "lower-case-hex",
        "a triplet has lower-case digits",
        "RFC 3986 section 6.2.2.1",
        "http://h/%c3",
        "http://h/%C3",
    ),
    note(
        "upper-case-scheme",
        "the scheme has upper-case letters",
        "RFC 3986 section 6.2.2.1",
        "HTTP://h/",
        "http://h/",
    ),
)
"""Codes of what programs behind the parser, or people, take for something else."""


# What takes clients to different places (layer "agreement").

DESTINATIONS: Final = (
    agreement(
        "malformed",
        "what is no URI is repaired or refused, by each client in its own way",
        "WHATWG URL readers strip and replace; urllib, httpx and curl refuse other texts each",
        "http://h/a\\b",
        "http://h/a%5Cb",
    ),
    agreement(
        "no-scheme",
        "a relative reference names no destination by itself",
        "RFC 3986 section 5.1; curl and wget guess http",
        "//h/a",
        "http://h/a",
        f'{OUTBOUND}\nrule = "URI-reference"',
    ),
    agreement(
        "scheme-other",
        "nothing was measured for schemes other than http and https",
        "requests and treq part from RFC 3986 there; most refuse",
        "ftp://h/a",
        "https://h/a",
    ),
    agreement(
        "scheme-case",
        "a client that compares the scheme letter by letter does not know it in upper case",
        "needle 3.5, superagent 10.4: host https, port 80, no TLS",
        "HTTPS://h.com/",
        "https://h.com/",
    ),
    agreement(
        "not-ascii",
        "characters beyond ASCII are encoded by each client in its own way, or not at all",
        "RFC 3987 section 3.1; IDNA 2003, IDNA 2008 and UTS 46 give different names",
        "http://h/\u00e9",
        "http://h/%C3%A9",
        f'{OUTBOUND}\ngrammar = "rfc3987"',
    ),
    agreement(
        "missing-authority",
        'without "//" some clients take the path for a host',
        "WHATWG readers, OkHttp, libcurl: host a; Java URL, node url.parse: localhost; wget: FTP "
        "host http, port 21",
        "http:/a",
        "http://a",
    ),
    agreement(
        "empty-host",
        "where no host stands, some clients take the next segment or the machine itself",
        "WHATWG readers, libcurl, OkHttp: a; node url.parse, Java URL, Perl, Ruby open-uri: "
        "localhost",
        "http:///a",
        "http://a/",
    ),
    agreement(
        "userinfo",
        "with a user name some clients look up another host, others refuse",
        "urllib.request, twisted, lynx: host u@h; Guzzle: u@[::1]; fetch, treq, open-uri refuse",
        "http://u@h/",
        "http://h/",
    ),
    agreement(
        "encoded-host",
        "some clients decode a triplet in a host, others look up the text as it is",
        "12 families decode; Apache reads evil.com in good.com%40evil.com, url.parse and Perl cut",
        "http://127%2e0%2e0%2e1/",
        "http://127.0.0.1.example/",
    ),
    agreement(
        "host-delimiter",
        "a character that no host name holds ends the host for some clients and not for others",
        "node url.parse: a of a;b.com; the C library resolves * to the machine itself: urllib, "
        "urllib3, httpx, aiohttp, tornado, Ruby, Perl, lynx",
        "http://a;b.com/",
        "http://a-b.com/",
    ),
    agreement(
        "numeric-host",
        "a name whose last label begins with no letter is an IPv4 address to nearly all clients, "
        "and not the same one",
        "0177.0.0.1 is 127.0.0.1 for 21 clients and 177.0.0.1 for Java's four",
        "http://0177.0.0.1/",
        "http://127.0.0.1.a/",
    ),
    agreement(
        "host-dots",
        "an empty label, also that of a final dot, is dropped by some clients",
        "urllib3, requests, aiohttp send another Host; aiohttp, lynx look up another name",
        "http://h.com./",
        "http://h.com/",
    ),
    agreement(
        "label-hyphen",
        "a label that begins or ends with a hyphen is refused or decoded to another name",
        "pydantic up to 2.10, and other users of Rust url with idna before 1: xn--evil-.com is "
        "evil.com (CVE-2024-12224); Java, treq, filter_var refuse",
        "http://xn--evil-.com/",
        "http://evil.com/",
    ),
    agreement(
        "long-name",
        "a label beyond 63 characters, or a name beyond 253, is cut or refused",
        "node url.parse beyond 255: localhost; httpx, OkHttp, treq refuse; RFC 1035 section 2.3.4",
        f"http://{'a' * 64}.com/",
        f"http://{'a' * 63}.com/",
    ),
    agreement(
        "a-label",
        "some clients decode a label that begins with xn-- and look up the name that results",
        "Qt 5.15: xn--u-ccb.com is xn--tda.com, xn--gp7c is 0; yarl 1.25 and Python's codec idna: "
        "169.254.xn--169254-rr3e is 169.254.169.254; WHATWG readers and httpx refuse some",
        "http://xn--u-ccb.com/",
        "http://xn--tda.com/",
    ),
    agreement(
        "future-address",
        "an address of a version to come is asked of the DNS as a name",
        "13 of 29 clients: urllib, aiohttp, treq, tornado, Go, PHP, Guzzle, Ruby, Perl and others",
        "http://[v1.a]/",
        "http://v1.a/",
    ),
    agreement(
        "ipv6-spelling",
        "an IPv6 address in another spelling than RFC 5952's, or that of an IPv4 node, is read "
        "as something else",
        "Guzzle psr7 up to 2.7.0: host [fe80: port 1; OkHttp: the IPv4 address",
        "http://[FE80::1]/",
        "http://[fe80::1]/",
    ),
    agreement(
        "empty-port",
        'a ":" without a port belongs to the name for some clients',
        "tornado, twisted, Perl: the name h:; lynx: port 0",
        "http://h:/",
        "http://h:80/",
    ),
    agreement(
        "port-range",
        "a port of 0, beyond 65535 or with leading zeros is another port to some clients",
        "0 is 80 for requests, httpx, node, PHP, Guzzle, Perl, Apache, aria2; 65616 is 80 for "
        "urllib, httpx, treq, tornado, Ruby, Perl",
        "http://h:65616/",
        "http://h:65535/",
    ),
    agreement(
        "query-without-path",
        'a "?" right after the authority belongs to the host for some client',
        "lynx: host h?a",
        "http://h?a/b",
        "http://h/?a/b",
    ),
    agreement(
        "fragment-without-path",
        'a "#" right after the authority belongs to the host for some clients',
        "Links 2.28, ELinks 0.13, Axel 2.17, LuaSocket 3.1: the host after the @ of "
        "http://h#@evil.com/; Jetty 9.4, neon 0.32",
        "http://h#a",
        "http://h/#a",
    ),
    agreement(
        "nonlocal-reference",
        "a reference leads away from the origin of its base, or does so by some client's reading",
        "18 resolvers on 16,401 references; Guzzle reads a/:80 as host and port",
        "//evil.com",
        "/evil.com",
        'preset = "redirect"\nbase = "https://good.com/"',
    ),
)
"""Codes of the rule `destination-URI` of the grammar of agreement, and of `local-reference`."""


# What a policy does not allow (layer "policy").


def _policy(code: str, sentence: str, trigger: str, clean: str, under: str) -> Code:
    source = "the caller's policy"
    return Code(code, "policy", Severity.ERROR, sentence, source, trigger, clean, under)


POLICIES: Final = (
    _policy("scheme-refused", "the policy does not allow the scheme", "ftp://h/", "http://h/", WEB),
    _policy(
        "host-refused",
        "the policy does not allow the host",
        "http://b.com/",
        "http://a.com/",
        WEB + '\nhosts = ["a.com"]',
    ),
    _policy(
        "port-refused",
        "the policy does not allow the port",
        "http://h:81/",
        "http://h:80/",
        WEB + '\nports = ["default"]',
    ),
    Code(
        "bad-port-refused",
        "policy",
        Severity.ERROR,
        "the policy does not allow the ports of other protocols that browsers do not connect to",
        "the bad ports of the Fetch standard",
        "http://h.com:25/",
        "http://h.com:26/",
        OUTBOUND,
    ),
    _policy("userinfo-refused", "the policy allows no userinfo", "http://u@h/", "http://h/", WEB),
    _policy(
        "fragment-refused",
        "the policy allows no fragment",
        "http://h/#a",
        "http://h/a",
        'preset = "strict"\nschemes = ["http"]',
    ),
    _policy(
        "relative-refused",
        "the policy allows no relative reference",
        "a",
        "http://h/a",
        WEB + '\nrule = "URI-reference"',
    ),
    _policy(
        "too-long",
        "the text is longer than the policy allows",
        f"http://h/{'a' * 8184}",
        f"http://h/{'a' * 8183}",
        WEB,
    ),
    _policy(
        "too-many-segments",
        "the path has more segments than the policy allows",
        f"http://h{'/a' * 1001}",
        f"http://h{'/a' * 1000}",
        WEB,
    ),
    _policy(
        "too-many-parameters",
        "the query has more parameters than the policy allows",
        f"http://h/?{'a&' * 1000}a",
        f"http://h/?{'a&' * 999}a",
        WEB,
    ),
    _policy(
        "address-refused",
        "the address is of a class that the policy refuses",
        "http://127.0.0.1/",
        "http://9.9.9.9/",
        OUTBOUND,
    ),
    _policy(
        "name-refused",
        "the name is of a special use that the policy refuses",
        "http://a.localhost/",
        "http://a.localhost.com/",
        OUTBOUND,
    ),
)
"""Codes of what a caller's lists and limits refuse."""


# What the RFCs warn of in references, by where they stand (layer "scheme").

_RELATIVE: Final = f"{SYNTAX}\nrelative = true"
_BASE: Final = f'{_RELATIVE}\nbase = "http://a/b/c/d;p?q"'
_DEFAULT_BASE: Final = f'{_RELATIVE}\nbase = {{uri = "http://a/b/c/d;p?q", source = "default"}}'

REFERENCES: Final = (
    caution(
        "misformed-relative-reference",
        "a scheme that is the base's, and no authority: older readers take it for a relative "
        "reference",
        "RFC 3986 section 5.2.2 and 5.4.2",
        "http:g",
        "g",
        _BASE,
    ),
    caution(
        "excess-dot-dot",
        'there are more ".." than levels to climb',
        "RFC 3986 section 5.4.2",
        "../../../g",
        "../../g",
        _BASE,
    ),
    caution(
        "dots-in-query",
        "a dot segment in a query is no dot segment, though some readers take it for one",
        "RFC 3986 section 5.4.2",
        "g?y/../x",
        "g?y",
        _BASE,
    ),
    caution(
        "escaped-html",
        "it holds a character reference of HTML, as &amp;, which only markup decodes",
        "HTML section 13.5; see find_uris(html=True)",
        "http://h/?a=1&amp;b=2",
        "http://h/?a=1&amp=2",
    ),
    caution(
        "no-base",
        "a relative reference means nothing without a base",
        "RFC 3986 section 5.1",
        "g",
        "http://a/g",
        _RELATIVE,
    ),
    caution(
        "default-base-used",
        "the base is the application's default, so that the reference means another thing in "
        "another application",
        "RFC 3986 section 5.1.4",
        "g",
        "http://a/g",
        _DEFAULT_BASE,
    ),
    caution(
        "suffix-reference-guess",
        "a host name without a scheme is a relative path, which people read as a URI",
        "RFC 3986 section 4.5",
        "www.example.com/a",
        "//www.example.com/a",
        _RELATIVE,
    ),
    caution(
        "hyphen-line-break",
        "a line was broken behind a hyphen, which may not have been part of the URI",
        "RFC 3986 appendix C",
        "<http://h/inter-\nnet>",
        "<http://h/inter\nnet>",
    ),
)
"""Codes of what a reference means, with a base and without."""


# What makes clients ask for different things at one place (layer "agreement").

_request = partial(agreement, under=f'{OUTBOUND}\nagreement = "request"')

REQUESTS: Final = (
    _request(
        "request-empty-segment",
        "an empty segment, which some clients drop at the beginning of the path, and servers and "
        "proxies anywhere",
        "requests up to 2.33 asks for /a instead of //a; further in, no reader parts from RFC 3986 "
        "section 3.3",
        "http://h//a",
        "http://h/a/",
    ),
    _request(
        "request-dot-segment",
        "some clients remove dot segments, raw or encoded, before they ask, others do not",
        "urllib3 2.8, requests 2.34, httpx 0.28, yarl 1.25, ada-url 4.0, pydantic 2.14, "
        "libcurl 7.88 and 8.23, Node 20 remove them; the others keep them",
        "http://h/a/%2E%2E/b",
        "http://h/a/..b",
    ),
    _request(
        "request-triplet",
        "some clients write this triplet in another way",
        "urllib3 2.8, requests 2.34, yarl 1.25 (RFC 3986 section 6.2.2)",
        "http://h/%7Eu",
        "http://h/~u",
    ),
    _request(
        "request-apostrophe",
        "some clients encode an apostrophe",
        "Node 20, ada-url 4.0, pydantic 2.14, Ruby 3.1",
        "http://h/it's",
        "http://h/its",
    ),
    _request(
        "request-empty-query",
        'some clients drop a "?" that nothing follows',
        "urllib.parse of Python 3.11, requests 2.34, yarl 1.25, tornado 6.6, twisted 26.10, "
        "ada-url 4.0, libcurl 8.23, Node 20",
        "http://h/a?",
        "http://h/a",
    ),
    _request(
        "request-empty-parameter",
        "some clients drop a parameter without a name",
        "Spring 4.3, UriComponentsBuilder",
        "http://h/?a&",
        "http://h/?a",
    ),
    _request(
        "request-invisible",
        "some clients drop characters that show nothing by themselves, and a reader misses them",
        "Mono 6.8 drops bidirectional controls; Unicode's Default_Ignorable_Code_Point, and "
        "categories Cc, Cf, Zl, Zp",
        "http://h/%E2%80%AE",
        "http://h/%E2%82%AC",
    ),
    _request(
        "request-not-utf8",
        "some clients decode octets that are not UTF-8 in another encoding, or replace them",
        "uri-js 4.4 decodes %26 beside them; RFC 3629 section 4",
        "http://h/%E9",
        "http://h/%C3%A9",
    ),
    _request(
        "request-final-semicolon",
        'some clients drop a ";" that ends the path',
        "twisted 26.10: parameters of the last segment (RFC 1808 section 2.4.5)",
        "http://h/a;",
        "http://h/a;b",
    ),
)
"""Codes of the rule `request-URI` of the grammar of agreement."""


# Every code that a finding can bear: what it says, how much it weighs, and why.
#
# One table for the validator, the command, the documentation and the tests; the modules beside
# this one hold its rows, by layers. The clients of the layer "agreement" were measured in
# 2026-11: what they look up, connect to and send, in the versions urllib 3.11, requests 2.34,
# httpx 0.28, aiohttp 3.14, libcurl 7.88 to 8.23, Node 20, Go 1.19, Java 17, OkHttp 3.13, Ruby
# 3.1, PHP 8.2, Perl LWP 6, others as in Debian 12.

_UNDERIVED: Final = Code(
    "syntax",
    "syntax",
    Severity.ERROR,
    "the rule does not derive the text",
    "RFC 3986 appendix A, RFC 3987 section 2.2",
    "http://h/a b",
    "http://h/a%20b",
    SYNTAX,
)

_CODES = (
    _UNDERIVED,
    *DESTINATIONS,
    *REQUESTS,
    *AUTHORITIES,
    *REFERENCES,
    *CHARACTERS,
    *POLICIES,
)

CATALOGUE: Final[Mapping[str, Code]] = MappingProxyType({code.code: code for code in _CODES})
"""All codes by name, layer by layer."""
