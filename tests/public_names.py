"""The names that are public: what fronts export, and what modules define that have none."""

import dataclasses
import inspect
from enum import Enum
from importlib import import_module

FRONTS = """
    uriparse uriparse.grammar uriparse.percent uriparse.records uriparse.parsing
    uriparse.resolution uriparse.iri uriparse.normalization uriparse.text uriparse.building
    uriparse.schemes uriparse.legacy.wwwoffle uriparse.validation
    uriparse.guard uriparse.whatwg uriparse.keys
"""
"""Packages, whose public names are those of `__all__`."""
MODULES = """
    uriparse.diagnosis.diagnosing uriparse.resolution.base uriparse.schemes.dialects
    uriparse.schemes.equivalence uriparse.schemes.plans uriparse.legacy.rfc2396
    uriparse.legacy.sqlalchemy
"""
"""Modules that are imported by name: public is what they define."""
PUBLIC = [*FRONTS.split(), *MODULES.split()]
WITHOUT = {
    "format_message", "grammars", "registrations", "common_grammar", "BrowserURL", "URL",
    "ServerURL", "LoginURL", "WebURL", "HasServer", "Report", "requests_session", "urllib3_manager",
    "httpx_client", "httpx_async_client", "aiohttp_session", "drop_fragment", "sort_query",
    "drop_tracking", "tracking_names",
}  # fmt: skip
"""Public names with nothing to go through: no parameter, one that takes any value, nothing to make.

Those of guarded clients take a policy: tests/guard tries them; those of keys take a file.
"""


def public(path):
    """What can be called by a public name of a module, but for errors and what only holds facts."""
    module = import_module(path)
    names = getattr(module, "__all__", None) or [
        name for name, value in vars(module).items() if getattr(value, "__module__", "") == path
    ]
    for name in names:
        value = getattr(module, name)
        holds_facts = inspect.isclass(value) and (
            issubclass(value, BaseException | Enum | tuple) or dataclasses.is_dataclass(value)
        )
        if name.startswith("_") or name in WITHOUT:
            continue
        if inspect.isroutine(value) or (inspect.isclass(value) and not holds_facts):
            yield name, value


def stands_among(value, functions):
    """Whether a function, or some method of a class, is one of those."""
    methods = dir(value) if inspect.isclass(value) else ()
    return value in functions or any(getattr(value, name, None) in functions for name in methods)
