"""Every code that a finding can bear: what it says, how much it weighs, and why.

One table for the validator, the command, the documentation and the tests; the modules beside this
one hold its rows, by layers. The clients of the layer "agreement" were measured in 2026-11: what
they look up, connect to and send, in the versions urllib 3.11, requests 2.34, httpx 0.28, aiohttp
3.14, libcurl 7.88 to 8.23, Node 20, Go 1.19, Java 17, OkHttp 3.13, Ruby 3.1, PHP 8.2, Perl LWP 6,
others as in Debian 12.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from uriparse.validation.catalogue.authorities import AUTHORITIES
from uriparse.validation.catalogue.characters import CHARACTERS
from uriparse.validation.catalogue.code import SYNTAX, Code
from uriparse.validation.catalogue.destinations import DESTINATIONS
from uriparse.validation.catalogue.policies import POLICIES
from uriparse.validation.catalogue.references import REFERENCES
from uriparse.validation.catalogue.requests import REQUESTS
from uriparse.validation.findings import Severity

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CATALOGUE", "Code"]

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
