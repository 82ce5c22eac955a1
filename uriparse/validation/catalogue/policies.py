"""What a policy does not allow (layer "policy")."""

from __future__ import annotations

from typing import Final

from uriparse.validation.catalogue.code import OUTBOUND, WEB, Code
from uriparse.validation.findings import Severity


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
