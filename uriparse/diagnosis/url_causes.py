"""The causes for which `uriparse.schemes` refuses URLs: by the rule of their scheme, or to plan."""

from __future__ import annotations

from uriparse.diagnosis.cause import Cause, Example

URL_CAUSES = (
    Cause(
        "userinfo",
        "{scheme} URLs have no user and no password",
        'leave out what is before the "@", and it',
        Example("http://@", 7, "parse_url"),
        "ftp://@h/",
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
