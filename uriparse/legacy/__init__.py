"""Dialects older than RFC 3986, each by its own rules, and cache keys made with them.

- `uriparse.legacy.rfc2396`: reference resolution and equivalence as they were from 1998 to 2005.
- `uriparse.legacy.wwwoffle`: the canonical form by which the WWWOFFLE proxy names its cache files.
- `uriparse.legacy.sqlalchemy`: database URLs, by version of SQLAlchemy.
- `uriparse.legacy.cache_key`: keys by a named profile, and file names made of them.

They take text that is no URI by any RFC, and say in their docstrings what they make of it. Each is
loaded when it is first asked for.
"""

TYPE_CHECKING = False  # as in `typing`
if TYPE_CHECKING:
    from uriparse.legacy import cache_key, rfc2396, sqlalchemy, wwwoffle

__all__ = [
    "cache_key",
    "rfc2396",
    "sqlalchemy",
    "wwwoffle",
]

if not TYPE_CHECKING:  # who would take any name for one that is there

    def __getattr__(name: str) -> object:
        """Load a dialect on first use (PEP 562)."""
        from importlib import import_module  # noqa: PLC0415 - so that importing stays quick

        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return import_module(f"{__name__}.{name}")


def __dir__() -> list[str]:
    """List the dialects, loaded or not."""
    return sorted(__all__)
