"""The causes for which `uriparse.schemes` refuses URLs: by the rule of their scheme, or to plan."""

from __future__ import annotations

from uriparse.diagnosis.cause import Cause, Example
from uriparse.errors import Argument

URL_CAUSES = (
    Cause(
        "no-url-scheme",
        'a URL begins with a scheme and ":"',
        'begin with one, such as "mailto:" or "http://"',
        Example("", 0, "parse_url"),
        "a:",
    ),
    Cause(
        "url-prefix",
        '"URL:" is no scheme, but marks a URL in running text',
        "leave it out",
        Example("url:a:", 0, "parse_url"),
        "url:a",
    ),
    Cause(
        "no-slashes",
        '{scheme} URLs have "//" after the ":"',
        "begin with {begin}",
        Example("ftp:", 4, "parse_url"),
        "ftp://h",
    ),
    Cause(
        "no-host",
        "{scheme} URLs name a host",
        'write it after the "//"',
        Example("ftp://", 6, "parse_url"),
        "ftp://h",
    ),
    Cause(
        "userinfo",
        "{scheme} URLs have no user and no password",
        'leave out what is before the "@", and it',
        Example("http://@", 7, "parse_url"),
        "ftp://@h/",
    ),
    Cause(
        "relaxed-host",
        "RFC 1738 has no host {host} ({problems})",
        "write another name of the host",
        Example("ftp://_", 7, "parse_url"),
        "ftp://h",
        Argument("take hosts as RFC 3986 has them", "relaxed_host", True),
    ),
    Cause(
        "drive",
        "the drive {drive} is a name in the path, and no host",
        "begin with {scheme}:///{drive}",
        Example("file://a:", 8, "parse_url"),
        "file:///a:",
    ),
    Cause(
        "search-without-path",
        'RFC 1738 has a search part only after a path, which begins with "/"',
        'write "/" before the "?"',
        Example("http://h?", 8, "parse_url"),
        "http://h/?",
    ),
    Cause(
        "bad-typecode",
        'a ";" in the path of an ftp URL begins its type, and nothing else',
        'write ;type=a, ;type=i or ;type=d at the end, or %3B for a ";" in a name',
        Example("ftp://h/;", 9, "parse_url"),
        "ftp://h/;type=a",
    ),
    Cause(
        "tab",
        "a tab separates the parts of a gopher path, and is no type",
        'write the type, one character, after the "/"',
        Example("gopher://h/%09", 11, "parse_url"),
        "gopher://h/0%09",
    ),
    Cause(
        "port-range",
        "{port} is no port of TCP, which are 1 to 65535",
        "write another port",
        Example("ftp://h:0", 8, "access_plan"),
        "ftp://h:1",
    ),
    Cause(
        "protocol-delimiter",
        "the {octet} is not sent, for it would end what is meant and begin something else",
        "leave it out",
        Example("ftp://h/%0A", 8, "access_plan"),
        "ftp://h/%20",
    ),
)
"""All that `uriparse.schemes` tells; what it finds by a rule of the grammar it takes from there."""
