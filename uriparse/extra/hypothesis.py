"""For Hypothesis: words of a rule, near misses, and records for `from_type`.

>>> from hypothesis import find, strategies as st
>>> find(st.from_type(URI), lambda uri: True)
<URI 'a:'>
>>> from uriparse.extra.hypothesis import from_rule
>>> find(from_rule("IPv4address"), lambda text: True)
'0.0.0.0'

Where uriparse is installed, Hypothesis loads this module by its entry point; elsewhere import it.
What draws is loaded with the first draw.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from uriparse._base import needed
from uriparse.records import URI, RelativeRef, URIReference

with needed("hypothesis", __name__):
    from hypothesis import strategies as st

if TYPE_CHECKING:
    from uriparse.conformance.strategies import from_rule, near_miss

__all__ = ["from_rule", "near_miss", "register"]

_RULES = {URI: "URI", RelativeRef: "relative-ref", URIReference: "URI-reference"}


def register() -> None:
    """Let `from_type` draw records: `URI`, `RelativeRef`, `URIReference`.

    All that RFC 3986 derives may come, percent-encodings and empty components among them.
    """
    for kind, rule in _RULES.items():
        st.register_type_strategy(kind, partial(_drawn, kind, rule))


def _drawn(kind: Callable[[str], object], rule: str, _: object) -> st.SearchStrategy[object]:
    from uriparse.conformance.strategies import from_rule  # noqa: PLC0415 - only draws need it

    return from_rule(rule).map(kind)


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Load what draws on first use (PEP 562)."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from uriparse.conformance import strategies  # noqa: PLC0415 - see above

        return getattr(strategies, name)


# On import, and not by an entry point that names the function: where this module is what imports
# Hypothesis, that comes by its entry points before there are functions here.
register()
