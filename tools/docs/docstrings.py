"""Docstrings as this project writes them, made into what Sphinx can show.

A paragraph whose lines begin with the names of parameters, or of attributes, each with a colon, is
a list of them, and so is what stands under "Attributes:". All else is reStructuredText already.
"""

from __future__ import annotations

import builtins
import inspect
import re
from contextlib import suppress
from itertools import groupby
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.pycode import ModuleAnalyzer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

HEADINGS = {"Attributes:": "Attributes", "Args:": "Parameters"}
ERRORS = re.compile(r"\b[A-Z]\w*Error\b")


def known_names(thing: object) -> set[str]:
    """Name the parameters of a function; of a class also what its records have."""
    names: set[str] = set()
    with suppress(TypeError, ValueError):  # where there is nothing to call
        names |= {*inspect.signature(thing).parameters}  # type: ignore[arg-type]
    if inspect.isclass(thing):
        for kind in thing.__mro__:
            names |= {*vars(kind), *vars(kind).get("__annotations__", ())}
    return names


def named(line: str, names: set[str]) -> tuple[list[str], str] | None:
    """Split `name, name: what` into its names and the rest; None for any other line."""
    head, colon, rest = line.partition(": ")
    found = [name.strip() for name in head.split(",")]
    return (found, rest) if colon and set(found) <= names else None


def entries(block: list[str], names: set[str]) -> list[tuple[list[str], list[str]]] | None:
    """Read a paragraph as names and what is said of them; None if it is not such a list."""
    found: list[tuple[list[str], list[str]]] = []
    for line in block:
        begun = None if line.startswith(" ") else named(line, names)
        if begun:
            found.append((begun[0], [begun[1]]))
        elif found and line.startswith(" "):
            found[-1][1].append(line.strip())
        else:
            return None
    return found


def field(title: str, found: list[tuple[list[str], list[str]]]) -> Iterator[str]:
    """Write a field that holds a list of names and what is said of each."""
    yield f":{title}:"
    for names, said in found:
        yield "    " + ", ".join(f"``{name}``" for name in names)
        yield from (f"        {line}" for line in said)
        yield ""


def inline(block: list[str]) -> list[str]:
    """Write what stands between backticks as a name that may be linked, or as code.

    All else is prose: the names of errors are linked there too, and nothing is markup.
    """
    if block[0].startswith(">>>"):
        return block
    pieces = "\n".join(block).replace("``", "`").split("`")
    for index, piece in enumerate(pieces):
        if index % 2 == 0:
            pieces[index] = (
                ERRORS.sub(r"`\g<0>`", piece).replace("*", r"\*").replace("://", r"\://")
            )
        elif not piece.replace(".", "").replace("_", "").isalnum():
            pieces[index] = f"`{piece}`"
    return "`".join(pieces).split("\n")


def rewritten(docstring: list[str], thing: object) -> Iterator[str]:
    """Write the lines of a docstring with its lists of names as fields."""
    names = known_names(thing)
    for is_text, group in groupby(docstring, key=bool):
        block = list(group)
        title = "Attributes" if inspect.isclass(thing) else "Parameters"
        if block[0] in HEADINGS:
            title = HEADINGS[block[0]]
            block = inspect.cleandoc("\n".join(["", *block[1:]])).splitlines()
            names = {name for line in block for name in line.partition(":")[0].split(", ")}
        block = inline(block) if is_text else block
        found = entries(block, names) if is_text else None
        yield from field(title, found) if found else block


def rewrite(
    _app: Sphinx, _what: str, _name: str, thing: object, _options: object, lines: list[str]
) -> None:
    """Exchange the lines of a docstring."""
    lines[:] = rewritten(lines, thing)


def unsigned(
    _app: Sphinx, what: str, _name: str, _thing: object, _options: object, signature: str, _: object
) -> tuple[str, None] | None:
    """Show no constructor of errors: they are caught, and what they hold is in their docstring."""
    return ("", None) if what == "exception" and signature else None


def drop_overloads(*_: object) -> None:
    """Show each function once, by the signature that it has: overloads are for type checkers."""
    analyze = ModuleAnalyzer.analyze

    def analyze_without(self: ModuleAnalyzer) -> None:
        analyze(self)
        self.overloads.clear()

    ModuleAnalyzer.analyze = analyze_without  # type: ignore[method-assign]


def unlink_builtins(_app: Sphinx, page: nodes.document) -> None:
    """Link no `type` of an annotation to an attribute that happens to have that name."""
    for link in list(page.findall(pending_xref)):
        if link["reftarget"] in vars(builtins) and link["reftype"] == "class":
            link.replace_self(nodes.Text(link["reftarget"]))


def setup(app: Sphinx) -> dict[str, bool]:
    """Join the build."""
    app.connect("autodoc-process-docstring", rewrite)
    app.connect("autodoc-process-signature", unsigned)
    app.connect("doctree-read", unlink_builtins)
    app.connect("builder-inited", drop_overloads)
    return {"parallel_read_safe": True}
