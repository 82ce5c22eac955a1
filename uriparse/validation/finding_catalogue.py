"""The catalogue: every code that a finding can have, with its message, severity and source.

One table for the validator, the command, the documentation and the tests. The clients of the layer
"agreement" were measured in 2026-11: what they look up, connect to and send, in the versions urllib
3.11, requests 2.34, httpx 0.28, aiohttp 3.14, libcurl 7.88 to 8.23, Node 20, Go 1.19, Java 17,
OkHttp 3.13, Ruby 3.1, PHP 8.2, Perl LWP 6, others as in Debian 12.
"""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from uriparse.validation.findings import Layer, Severity

__all__ = ["CATALOGUE", "Code"]


class Code(NamedTuple):
    """One row of the catalogue.

    code: the name of the code.
    layer: which question its findings answer.
    severity: their severity unless a policy sets another.
    sentence: what is wrong, in words that fit any text.
    source: the RFC and its section, or the clients that err.
    trigger: a text with this finding.
    clean: a text as similar as possible without it.
    under: the policy for both texts, as lines of a policy file.
    """

    code: str
    layer: Layer
    severity: Severity
    sentence: str
    source: str
    trigger: str
    clean: str
    under: str


def _rows(layer: Layer, policy: str, table: str) -> Iterator[Code]:
    r"""Read a table of a layer, whose rows begin with a line that is not indented.

    Their lines: severity, code and sentence; source; trigger and clean text, in which `\n` is a
    line break; and settings that the texts need beside the policy of the table, or a preset.
    """
    for row in re.split(r"\n+(?=\S)", table.strip()):
        head, source, texts, *settings = row.split("\n  ")
        named, _, sentence = head.partition(": ")
        severity, code = named.split(" ")
        trigger, _, clean = texts.replace(r"\n", "\n").partition(" | ")
        has_preset = bool(settings) and settings[0].startswith("preset")
        under = "\n".join(settings if has_preset else [policy, *settings])
        yield Code(code, layer, Severity(severity), sentence, source, trigger, clean, under)


# Layer "scheme": warnings of the RFCs about hosts, ports and user names.

_AUTHORITIES: Final = f"""
info host-underscore: host names have no underscore, and some clients reject it
  RFC 952, RFC 1123 section 2.1; Java, treq, filter_var refuse
  http://a_b.com/ | http://a-b.com/
info ipv6-host: a few clients cannot reach an IPv6 address
  treq refuses
  http://[2001:db8::1]/ | http://192.0.2.1/
info bad-a-label: a label begins with xn-- but does not decode to a name in the form of UTS 46
  RFC 5890 section 2.3.2.1; httpx, ada, node, Rust url refuse some, Qt 5.15 rewrites others
  http://xn--a.com/ | http://xn--bcher-kva.com/
info uncommon-port: browsers do not fetch from this port
  the bad ports of the Fetch standard
  http://h:6667/ | http://h:8080/
warning non-default-port: the port is not the scheme's default and may belong to another protocol
  RFC 1738 section 6
  http://h:8080/ | http://h:80/
warning reserved-port: the port is reserved for another well-known service
  RFC 1738 section 6
  telnet://192.0.2.16:80/ | http://h:8080/
warning cross-protocol-smtp: the port belongs to SMTP, whose server can be made to read this \
request as mail commands
  RFC 1738 section 6
  gopher://h:25/0x | gopher://h:70/0x
warning password-in-uri: the URI contains a password, visible to everyone who sees the URI
  RFC 3986 section 7.5, RFC 1738 section 6
  ftp://u:p@h/ | ftp://u:@h/
warning userinfo-not-allowed: the scheme has no user names
  RFC 1738 section 3.3, RFC 9110 section 4.2.4
  http://u@h/ | ftp://u@h/
warning misleading-userinfo: the user name looks like a host or a query
  RFC 3986 section 7.6
  ftp://cnn.example.com&story=breaking_news@10.0.0.1/top_story.htm | ftp://foo@host.com/
warning file-drive-letter-host: a drive letter is in the place of the host
  RFC 8089 appendix E.2
  file://D:/x | file:///D:/x
warning host-too-long: the name is longer than the DNS can hold
  RFC 3986 section 3.2.2
  http://{"a." * 127}com/ | http://{"a." * 126}com/
warning dns-label: a label begins or ends with a hyphen, or the last one is a number
  RFC 1123 section 2.1, RFC 1738 section 3.1
  http://-a.com/ | http://a-b.com/
warning ipv4-lookalike: the C library reads the name as an IPv4 address
  RFC 3986 section 7.4
  http://0x7f.1/ | http://0x7g.1/
warning port-left-empty: there is a ":" and no port
  RFC 3986 section 6.2.3: to be left out
  ftp://h:/ | ftp://h/
warning port-out-of-range: the port is beyond 65535
  RFC 793 section 3.1
  http://h:65536/ | http://h:65535/
warning no-server: the scheme requires a host and there is none
  RFC 9110 section 4.2.1, RFC 1738 section 3
  http:///x | file:///x
warning unknown-ip-literal-version: the IP literal has a version that does not exist yet
  RFC 3986 section 3.2.2
  http://[v7.x]/ | http://[::7]/
warning dialect-host-mismatch: RFC 1738 and RFC 3986 see different hosts
  RFC 1738 section 3.1, RFC 3986 section 3.2
  ftp://host?x@evil.d/ | ftp://host/x@evil.d/
"""

# Layer "scheme": warnings of the RFCs about characters, raw and encoded.

_CHARACTERS: Final = """
warning encoded-protocol-delimiter: a triplet encodes a character that ends commands in the \
scheme's protocol
  RFC 1738 section 6: it must not be decoded before it is sent
  telnet://a%0Db@h/ | telnet://a%20b@h/
warning encoded-dot-segment: a dot segment is encoded: resolution keeps it, normalization decodes \
and removes it
  RFC 3986 sections 5.2.4, 6.2.2.2 and 6.2.2.3
  http://h/%2e%2e/x | http://h/..x
warning encoded-traversal: an encoded "/" next to ".." climbs a level once it is decoded
  RFC 3986 section 7.3
  http://h/..%2fx | http://h/..x%2fy
warning encoded-nul: an encoded NUL ends strings early in many programs
  RFC 3986 section 7.3
  http://h/a%00b | http://h/a%01b
warning encoded-line-break: an encoded CR or LF begins a new line once it is decoded
  RFC 3986 section 7.3, RFC 1738 section 6
  http://h/a%0Ab | http://h/a%0Bb
warning double-encoding: a triplet encodes the "%" of another triplet, so decoding twice changes \
the text again
  RFC 3986 section 2.4
  http://h/%252e | http://h/%25zz
warning overlong-utf8: triplets encode a character in more octets than UTF-8 needs, which lax \
decoders accept
  RFC 3629 sections 3 and 10
  http://h/%C0%AF | http://h/%C2%AF
warning bidi-control: a directional control makes the text display in another order than it is \
written
  RFC 3987 section 4.1
  http://h/%E2%80%AEx | http://h/%E2%80%A2x
warning mixed-scripts: a label mixes scripts whose letters look alike
  UTS 39 section 5.2, RFC 3987 section 8
  http://p\u0430ypal.com/ | http://\u043f\u0440\u0438\u043c\u0435\u0440.com/
  grammar = "rfc3987"
warning backend-special-name: a segment is the name of a device in some file systems
  RFC 3986 section 7.3
  http://h/aux.txt | http://h/auxiliary.txt
warning scheme-requirement: the RFC requires more than its grammar
  the section that the message names
  geo:91,0 | geo:90,0
warning mailto-suspicious-escape: a raw "%" in the address happens to form a triplet
  RFC 1738 section 3.5
  mailto:user%abc@h | mailto:a%25b@h
info not-globally-accessible: the URI means something else, or nothing, on another machine
  RFC 1738 sections 3.7 and 3.10
  nntp://h/g | news:g
warning gopher-selector-control-char: the selector contains a character that ends or divides a \
gopher request
  RFC 1738 section 3.4
  gopher://h/0a%0Db | gopher://h/0a%0Bb
off unsafe-character: RFC 1738 requires this character to be encoded; RFC 3986 allows it
  RFC 1738 section 2.2; RFC 3986 section 2.3 made it unreserved
  http://h/~u | http://h/%7Eu
  severity = { unsafe-character = "info" }
info lower-case-hex: a triplet has lower-case digits
  RFC 3986 section 6.2.2.1
  http://h/%c3 | http://h/%C3
info upper-case-scheme: the scheme has upper-case letters
  RFC 3986 section 6.2.2.1
  HTTP://h/ | http://h/
"""

# Layer "scheme": warnings of the RFCs about references.

_REFERENCES: Final = """
warning misformed-relative-reference: the scheme is the base's and the authority is missing: older \
parsers read a relative reference
  RFC 3986 section 5.2.2 and 5.4.2
  http:g | g
  relative = true
  base = "http://a/b/c/d;p?q"
warning excess-dot-dot: the path has more ".." than levels to climb
  RFC 3986 section 5.4.2
  ../../../g | ../../g
  relative = true
  base = "http://a/b/c/d;p?q"
warning dots-in-query: the query contains "." or "..", which some parsers resolve as if it were a \
path
  RFC 3986 section 5.4.2
  g?y/../x | g?y
  relative = true
  base = "http://a/b/c/d;p?q"
warning escaped-html: the text contains an HTML character reference such as &amp;, which only \
markup decodes
  HTML section 13.5; see find_uris(html=True)
  http://h/?a=1&amp;b=2 | http://h/?a=1&amp=2
warning no-base: a relative reference means nothing without a base
  RFC 3986 section 5.1
  g | http://a/g
  relative = true
warning default-base-used: the base is the application's default: the reference has another \
meaning in another application
  RFC 3986 section 5.1.4
  g | http://a/g
  relative = true
  base = {uri = "http://a/b/c/d;p?q", source = "default"}
warning suffix-reference-guess: a host name without a scheme is a relative path, although people \
read it as a URI
  RFC 3986 section 4.5
  www.example.com/a | //www.example.com/a
  relative = true
warning hyphen-line-break: the line breaks after a hyphen, which may not be part of the URI
  RFC 3986 appendix C
  <http://h/inter-\\nnet> | <http://h/inter\\nnet>
"""

# Layer "agreement": what takes clients to different destinations, and what is outside the rules
# `destination-URI` and `local-reference` of the grammar "agreed".

_DESTINATIONS: Final = f"""
error malformed: the text is not a URI: each client repairs or rejects it in its own way
  WHATWG URL readers strip and replace; urllib, httpx and curl refuse other texts each
  http://h/a\\b | http://h/a%5Cb
error no-scheme: a relative reference names no destination by itself
  RFC 3986 section 5.1; curl and wget guess http
  //h/a | http://h/a
  rule = "URI-reference"
error scheme-other: agreement among clients is known for http and https only
  requests and treq deviate from RFC 3986 for other schemes; most clients reject them
  ftp://h/a | https://h/a
error scheme-case: a client that compares schemes case-sensitively does not recognize upper case
  needle 3.5, superagent 10.4: host https, port 80, no TLS
  HTTPS://h.com/ | https://h.com/
error not-ascii: each client encodes non-ASCII characters in its own way, or not at all
  RFC 3987 section 3.1; IDNA 2003, IDNA 2008 and UTS 46 give different names
  http://h/\u00e9 | http://h/%C3%A9
  grammar = "rfc3987"
error missing-authority: without "//" some clients take the path for a host
  WHATWG readers, OkHttp, libcurl: host a; Java URL, node url.parse: localhost; wget: FTP host \
http, port 21
  http:/a | http://a
error empty-host: without a host, some clients connect to the next segment or to the local machine
  WHATWG readers, libcurl, OkHttp: a; node url.parse, Java URL, Perl, Ruby open-uri: localhost
  http:///a | http://a/
error userinfo: with a user name, some clients look up another host and others reject the URI
  urllib.request, twisted, lynx: host u@h; Guzzle: u@[::1]; fetch, treq, open-uri refuse
  http://u@h/ | http://h/
error encoded-host: some clients decode a triplet in a host, others look up the text as it is
  12 families decode; Apache reads evil.com in good.com%40evil.com, url.parse and Perl cut
  http://127%2e0%2e0%2e1/ | http://127.0.0.1.example/
error host-delimiter: a character not allowed in host names ends the host for some clients and \
not for others
  node url.parse: a of a;b.com; the C library resolves * to the machine itself: urllib, urllib3, \
httpx, aiohttp, tornado, Ruby, Perl, lynx
  http://a;b.com/ | http://a-b.com/
error numeric-host: nearly all clients read a name whose last label does not begin with a letter \
as an IPv4 address, but not the same one
  0177.0.0.1 is 127.0.0.1 for 21 clients and 177.0.0.1 for Java's four
  http://0177.0.0.1/ | http://127.0.0.1.a/
error host-dots: some clients drop an empty label, such as the one after a final dot
  urllib3, requests, aiohttp send another Host; aiohttp, lynx look up another name
  http://h.com./ | http://h.com/
error label-hyphen: some clients reject or decode a label that begins or ends with a hyphen
  pydantic up to 2.10, and other users of Rust url with idna before 1: xn--evil-.com is evil.com \
(CVE-2024-12224); Java, treq, filter_var refuse
  http://xn--evil-.com/ | http://evil.com/
error long-name: some clients cut or reject a label over 63 characters or a name over 253
  node url.parse beyond 255: localhost; httpx, OkHttp, treq refuse; RFC 1035 section 2.3.4
  http://{"a" * 64}.com/ | http://{"a" * 63}.com/
error a-label: some clients decode a label that begins with xn-- and look up the name that results
  Qt 5.15: xn--u-ccb.com is xn--tda.com, xn--gp7c is 0; yarl 1.25 and Python's codec idna: \
169.254.xn--169254-rr3e is 169.254.169.254; WHATWG readers and httpx refuse some
  http://xn--u-ccb.com/ | http://xn--tda.com/
error future-address: some clients look up an IPvFuture address in the DNS as a name
  13 of 29 clients: urllib, aiohttp, treq, tornado, Go, PHP, Guzzle, Ruby, Perl and others
  http://[v1.a]/ | http://v1.a/
error ipv6-spelling: some clients misread an IPv6 address that is not written as in RFC 5952, or \
that maps an IPv4 address
  Guzzle psr7 up to 2.7.0: host [fe80: port 1; OkHttp: the IPv4 address
  http://[FE80::1]/ | http://[fe80::1]/
error ipv6-over-tls: over TLS some client asks for another server name than the IPv6 address of \
the host
  needle, for https://[2620:fe::fe]/: the name 2620, in SNI and for the certificate
  https://[2620:fe::fe]/ | http://[2620:fe::fe]/
error empty-port: some clients read a ":" without a port as part of the name
  tornado, twisted, Perl: the name h:; lynx: port 0
  http://h:/ | http://h:80/
error port-range: some clients read a port of 0, above 65535 or with leading zeros as another port
  0 is 80 for requests, httpx, node, PHP, Guzzle, Perl, Apache, aria2; 65616 is 80 for urllib, \
httpx, treq, tornado, Ruby, Perl
  http://h:65616/ | http://h:65535/
error query-without-path: some client reads a "?" right after the authority as part of the host; \
normalize(level="scheme") writes the "/"
  lynx: host h?a
  http://h?a/b | http://h/?a/b
error fragment-without-path: some clients read a "#" right after the authority as part of the \
host; normalize(level="scheme") writes the "/"
  Links 2.28, ELinks 0.13, Axel 2.17, LuaSocket 3.1: the host after the @ of http://h#@evil.com/; \
Jetty 9.4, neon 0.32
  http://h#a | http://h/#a
error nonlocal-reference: the reference leaves the origin of its base, at least for some client
  18 resolvers on 16,401 references; Guzzle reads a/:80 as host and port
  //evil.com | /evil.com
  preset = "redirect"
  base = "https://good.com/"
"""

# Layer "agreement": what makes clients send different requests to one destination, and what is
# outside the rule `request-URI` of "agreed".

_REQUESTS: Final = """
error request-empty-segment: some clients drop an empty segment at the beginning of the path, \
servers and proxies anywhere
  requests up to 2.33 asks for /a instead of //a; no client drops later empty segments (RFC 3986 \
section 3.3)
  http://h//a | http://h/a/
error request-dot-segment: some clients remove dot segments, raw or encoded, from the request target
  urllib3 2.8, requests 2.34, httpx 0.28, yarl 1.25, ada-url 4.0, pydantic 2.14, libcurl 7.88 and \
8.23, Node 20 remove them; Links 2.28 those before ";" too
  http://h/a/%2E%2E/b | http://h/a/..b
error request-triplet: some clients rewrite this triplet
  urllib3 2.8, requests 2.34, yarl 1.25 (RFC 3986 section 6.2.2)
  http://h/%7Eu | http://h/~u
error request-apostrophe: some clients encode an apostrophe
  Node 20, ada-url 4.0, pydantic 2.14, Ruby 3.1
  http://h/it's | http://h/its
error request-empty-query: some clients drop a "?" with nothing after it
  urllib.parse of Python 3.11, requests 2.34, yarl 1.25, tornado 6.6, twisted 26.10, ada-url 4.0, \
libcurl 8.23, Node 20
  http://h/a? | http://h/a
error request-empty-parameter: some clients drop a parameter without a name
  Spring 4.3, UriComponentsBuilder
  http://h/?a& | http://h/?a
error request-invisible: some clients drop invisible characters, and people do not see them
  Mono 6.8 drops bidirectional controls; Unicode's Default_Ignorable_Code_Point, and categories \
Cc, Cf, Zl, Zp
  http://h/%E2%80%AE | http://h/%E2%82%AC
error request-not-utf8: some clients decode octets that are not UTF-8 in another encoding, or \
replace them
  uri-js 4.4 decodes %26 beside them; RFC 3629 section 4
  http://h/%E9 | http://h/%C3%A9
error request-final-semicolon: some clients drop a ";" at the end of the path
  twisted 26.10: parameters of the last segment (RFC 1808 section 2.4.5)
  http://h/a; | http://h/a;b
"""

# Layer "policy": what the caller's lists and limits do not allow.

_POLICIES: Final = f"""
error scheme-refused: the policy refuses this scheme
  the caller's policy
  ftp://h/ | http://h/
error uri-refused: the policy lists URIs, and this is not one of them
  the caller's policy
  http://a.com/cb/ | http://a.com/cb
  uris = ["http://a.com/cb"]
error host-refused: the policy refuses this host
  the caller's policy
  http://b.com/ | http://a.com/
  hosts = ["a.com"]
error port-refused: the policy refuses this port
  the caller's policy
  http://h:81/ | http://h:80/
  ports = ["default"]
error bad-port-refused: the policy refuses this port of another protocol, which browsers block
  the bad ports of the Fetch standard
  http://h.com:25/ | http://h.com:26/
  preset = "outbound"
error userinfo-refused: the policy refuses userinfo
  the caller's policy
  http://u@h/ | http://h/
error fragment-refused: the policy refuses fragments
  the caller's policy
  http://h/#a | http://h/a
  preset = "strict"
  schemes = ["http"]
error relative-refused: the policy refuses relative references
  the caller's policy
  a | http://h/a
  rule = "URI-reference"
error too-long: the text is longer than the policy allows
  the caller's policy
  http://h/{"a" * 8184} | http://h/{"a" * 8183}
error too-many-segments: the path has more segments than the policy allows
  the caller's policy
  http://h{"/a" * 1001} | http://h{"/a" * 1000}
error too-many-parameters: the query has more parameters than the policy allows
  the caller's policy
  http://h/?{"a&" * 1000}a | http://h/?{"a&" * 999}a
error address-refused: the policy refuses addresses of this class
  the caller's policy
  http://127.0.0.1/ | http://9.9.9.9/
  preset = "outbound"
error name-refused: the policy refuses names of this special use
  the caller's policy
  http://a.localhost/ | http://a.localhost.com/
  preset = "outbound"
"""

_SYNTAX: Final = """
error syntax: the rule does not match the text
  RFC 3986 appendix A, RFC 3987 section 2.2
  http://h/a b | http://h/a%20b
"""

_CODES = (
    *_rows("syntax", 'preset = "syntax"', _SYNTAX),
    *_rows("agreement", 'preset = "outbound"', _DESTINATIONS),
    *_rows("agreement", 'preset = "outbound"\nagreement = "request"', _REQUESTS),
    *_rows("scheme", 'preset = "syntax"', _AUTHORITIES + _REFERENCES + _CHARACTERS),
    *_rows("policy", 'preset = "web"', _POLICIES),
)

CATALOGUE: Final[Mapping[str, Code]] = MappingProxyType({code.code: code for code in _CODES})
"""All codes by name."""
