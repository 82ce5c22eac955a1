"""What takes clients to different places (layer "agreement")."""

from __future__ import annotations

from typing import Final

from uriparse.validation.catalogue.code import OUTBOUND, agreement

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
