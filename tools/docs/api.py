"""The public names: those of each module's `__all__`, with their signatures and errors.

What is in no `__all__` is private. `python -m tools.docs.api` writes tests/public_api.txt, which
the tests compare, so that no public name or signature changes unseen.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Collection, Iterator
from enum import Enum
from pathlib import Path

from uriparse.errors import MissingPackageError

ROOT = Path(__file__).parents[2]
SNAPSHOT = ROOT / "tests/public_api.txt"
SOURCES = {"uriparse": ROOT / "uriparse", "abnf2lark": ROOT / "tools/abnf2lark"}
_NOT_SHOWN = re.compile(r"\._|\.(cli|commands|automata|charts|reading|extraction)\b")
"""Modules with an `__all__` for other modules of the package alone."""
_ERROR = re.compile(r"\b[A-Z]\w*Error\b")


def modules() -> Iterator[str]:
    """Yield the public modules, short names first."""
    for package, folder in SOURCES.items():
        found = []
        for file in folder.rglob("*.py"):
            parts = file.relative_to(folder).with_suffix("").parts
            name = ".".join([package, *parts]).removesuffix(".__init__")
            if not _NOT_SHOWN.search(name) and "\n__all__ = " in file.read_text("utf-8"):
                found.append(name)
        yield from sorted(found, key=lambda name: (name.count("."), name))


def names(module: str) -> Iterator[tuple[str, object]]:
    """Yield the public names of a module; none without the package that it supports."""
    try:
        loaded = importlib.import_module(module)
    except MissingPackageError:
        return
    for name in sorted(loaded.__all__):
        yield name, getattr(loaded, name)


def signature(value: object) -> str:
    """Write the parameters and the result of a callable; "" for what has none to show."""
    if inspect.isbuiltin(value):
        value = _in_python(value.__name__, str(value.__module__))
    try:
        found = inspect.signature(value)  # type: ignore[arg-type]  # that is what is tried
    except (TypeError, ValueError):
        return ""
    shown, by_name = [], False
    for one in found.parameters.values():
        if one.name in {"self", "cls"}:
            continue
        star = "*" * (one.kind is one.VAR_POSITIONAL) or "**" * (one.kind is one.VAR_KEYWORD)
        if one.kind is one.KEYWORD_ONLY and not by_name:
            shown.append("*")
        by_name = by_name or one.kind in {one.KEYWORD_ONLY, one.VAR_POSITIONAL}
        kind = "" if one.annotation is one.empty else f": {_type(one.annotation)}"
        default = "" if one.default is one.empty else f" = {_default(one.default)}"
        shown.append(f"{star}{one.name}{kind}{default}")
    result = found.return_annotation
    result = "" if result is found.empty else f" -> {_type(result)}"
    return f"({', '.join(shown)}){result}"


def _in_python(name: str, module: str) -> object:
    """Return a function with the types of one that the kernel calls, which has none."""
    home = importlib.import_module(module)
    tree = ast.parse(inspect.getsource(home))
    *_, found = (one for one in tree.body if getattr(one, "name", "") == name)
    assert isinstance(found, ast.FunctionDef)  # noqa: S101 - what is called is a function
    found.body, found.decorator_list = [ast.Pass()], []
    made = dict(vars(home))
    exec(f"from __future__ import annotations\n{ast.unparse(found)}", made)  # noqa: S102 - a signature of ours
    return made[name]


def _default(value: object) -> str:
    is_plain = isinstance(value, str | int | float | tuple) or value is None
    return repr(value) if is_plain and not isinstance(value, Enum) else "..."


def _type(annotation: object) -> str:
    words = getattr(annotation, "__forward_arg__", annotation)
    words = words if isinstance(words, str) else inspect.formatannotation(words)
    return re.sub(r"\b[a-z_]\w*\.(?=[A-Za-z_])", "", words)


def members(kind: type, public: Collection[type]) -> Iterator[tuple[str, object]]:
    """Yield the members of a class that no public class above it has."""
    own = [one for one in kind.__mro__ if one.__module__.split(".")[0] in SOURCES]
    above = {name for one in own[1:] if one in public for name in dir(one)}
    for name in sorted({name for one in own for name in vars(one)} - above):
        value = inspect.getattr_static(kind, name)
        is_internal = name.startswith("_") or (name.isupper() and "._" in own[-1].__module__)
        if not is_internal and type(value).__name__ != "ForeignName":
            yield name, getattr(value, "__func__", value)


def errors(value: object) -> list[str]:
    """Return the errors that a docstring names."""
    return sorted(set(_ERROR.findall(inspect.getdoc(value) or "")))


def lines() -> Iterator[str]:
    """Yield a line for each public name, and for each member of a class."""
    found = [(f"{module}.{name}", value) for module in modules() for name, value in names(module)]
    homes: dict[int, str] = {}
    for path, value in found:
        homes.setdefault(id(value), path)
    public = {value for _, value in found if inspect.isclass(value)}
    for path, value in found:
        if homes[id(value)] != path and (inspect.isclass(value) or inspect.isroutine(value)):
            yield f"{path} is {homes[id(value)]}"
        elif inspect.isclass(value):
            bases = ", ".join(homes.get(id(one), one.__name__) for one in value.__bases__)
            is_made = not issubclass(value, BaseException | Enum)
            yield f"class {path}{signature(value) if is_made else ''} of {bases}"
            for name, member in members(value, public):
                yield f"    {name}{signature(member) if inspect.isroutine(member) else ''}"
        else:
            yield f"{path}{signature(value) if inspect.isroutine(value) else ''}"


def entries() -> Iterator[str]:
    """Yield a definition list for the page: the names of each module, with arguments and errors."""
    seen: set[int] = set()
    for module in modules():
        yield from ("", f"## {module}", "")
        for name, value in names(module):
            if id(value) in seen or not (inspect.isclass(value) or inspect.isroutine(value)):
                continue
            seen.add(id(value))
            is_plain = inspect.isclass(value) and issubclass(value, BaseException | Enum)
            fence = "``" if "`" in signature(value) else "`"
            yield f"{fence}{name}{'' if is_plain else signature(value)}{fence}"
            said = (inspect.getdoc(value) or "").partition("\n\n")[0].replace("\n", " ")
            raised = "" if is_plain else ", ".join(f"`{one}`" for one in errors(value))
            yield f": {said}{f' Errors: {raised}.' if raised else ''}"
            yield ""


if __name__ == "__main__":
    SNAPSHOT.write_text("\n".join([*lines(), ""]), "utf-8")
