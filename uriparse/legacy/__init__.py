"""URL dialects older than RFC 3986, each with its own rules.

- `uriparse.legacy.rfc2396`: reference resolution and equivalence by RFC 2396 (1998 to 2005).
- `uriparse.legacy.wwwoffle`: the canonical URLs with which the WWWOFFLE proxy names cache files.
- `uriparse.legacy.sqlalchemy`: database URLs, by version of SQLAlchemy.

They also accept text that is not a URI by any RFC. Each module is loaded on first use.
"""

TYPE_CHECKING = False  # as in `typing`
if TYPE_CHECKING:
    from uriparse.legacy import rfc2396, sqlalchemy, wwwoffle

__all__ = ["rfc2396", "sqlalchemy", "wwwoffle"]

if not TYPE_CHECKING:  # a type checker would accept any name

    def __getattr__(name: str) -> object:
        """Load a dialect on first use (PEP 562)."""
        from importlib import import_module  # noqa: PLC0415 - keeps the import fast

        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return import_module(f"{__name__}.{name}")


def __dir__() -> list[str]:
    """List the dialects, loaded or not."""
    return sorted(__all__)
