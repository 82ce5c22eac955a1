"""What the RFCs warn of in hosts, ports and user names (layer "scheme")."""

from __future__ import annotations

from typing import Final

from uriparse.validation.catalogue.code import caution, note

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
