"""Read a user's grammar: text, files, or one of those that come with the compiler."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from abnf2lark.library.door import as_several, as_text
from abnf2lark.library.loaded import Grammar
from abnf2lark.reading.config import read_source
from abnf2lark.reading.imports import bound, bundled, bundled_source, import_grammars
from abnf2lark.reading.problems import GrammarError, Source, has_errors, joined

if TYPE_CHECKING:
    from collections.abc import Iterable

    from abnf2lark.reading.ir import Grammar as Rules

    Origin: TypeAlias = str | os.PathLike[str]

NAME = "grammar.abnf"
"""What text is called in messages that has no name of its own."""

NO_PATH = "help: a str is ABNF unless it ends in .abnf; give the name of another file as a Path"
"""What is said of text that defines nothing: it may be meant for the name of a file."""


def load(
    *sources: Origin,
    imports: Iterable[Origin | Grammar] = (),
    name: str = NAME,
    defines: Mapping[str, str] = MappingProxyType({}),
    lenient: bool = False,
) -> Grammar:
    r"""Read a grammar in ABNF (RFC 5234, RFC 7405); the core rules are at hand.

    Args:
        sources: paths of files, or text; of several, the rules are one grammar, in which ``=/`` in
            one adds to a rule of another. A `str` names a file where it ends in ".abnf", and a
            grammar that comes with the compiler where it is the name of one; any other is ABNF.
        imports: grammars that rules which are not defined are taken from.
        name: what to call text in messages.
        defines: elements for names, and for prose such as ``<any CHAR except CTLs>``, that the
            grammar leaves open.
        lenient: whether to read what is no ABNF as what it seems to mean: ``|``, ``::=``, ``'x'``,
            ``x*``, ``1#x`` and others.

    `GrammarError` lists all that is wrong, each with its place; `InputError` tells of a file that
    cannot be read.

    >>> import abnf2lark
    >>> link = abnf2lark.load('link = "<" URI-reference ">"', imports=["rfc3986"])
    >>> link.matches("<http://example.com/>")
    True
    >>> abnf2lark.load("a = b")
    Traceback (most recent call last):
    ...
    abnf2lark.reading.problems.GrammarError: grammar.abnf:1:5: undefined: "b" is not defined
      a = b
          ^
    """
    if not sources:
        raise TypeError("load() takes a path, or text")
    known = _imported(as_several(imports, "imports", "grammars"))
    as_text(name, "name")
    if not isinstance(defines, Mapping):
        told = "defines is a mapping of names to elements"
        raise TypeError(f"{told}, not {type(defines).__name__}")
    if len(sources) == 1 and isinstance(sources[0], str):
        shipped, found = bundled(sources[0]), bundled_source(sources[0])
        if shipped is not None and found is not None:
            return Grammar(shipped, *found)
    source = joined([_source(one, name) for one in sources])
    given = tuple(
        f"{as_text(left, 'a name')}={as_text(elements, 'what it is defined as')}"
        for left, elements in defines.items()
    )
    rules, problems = bound(source, known, defines=given, lenient=lenient)
    if has_errors(problems):
        error = GrammarError([problem for problem in problems if problem.severity == "error"])
        if any(isinstance(one, str) and one and "=" not in one for one in sources):
            error.add_note(NO_PATH)
        raise error
    return Grammar(rules, source, known, given, lenient=lenient)


def _imported(imports: Iterable[Origin | Grammar]) -> tuple[Rules, ...]:
    """Give what rules may be taken from; the core rules come last."""
    found: list[Rules] = []
    for one in imports:
        if isinstance(one, Grammar):
            found.append(one.known)
        else:
            found.extend(import_grammars([_path(one, "an import")], "import ")[:-1])
    return (*found, *import_grammars([]))


def _source(origin: Origin, name: str) -> Source:
    if not isinstance(origin, str):
        return read_source(Path(_path(origin, "a grammar")))
    is_path = origin.lower().endswith(".abnf") and "\n" not in origin
    return read_source(Path(origin)) if is_path else Source(name, origin.removeprefix("\ufeff"))


def _path(origin: Origin, what: str) -> str:
    """Give the name of a file; TypeError for what is neither that nor a text."""
    path = os.fspath(origin) if isinstance(origin, str | os.PathLike) else origin
    if not isinstance(path, str):
        raise TypeError(f"{what} is a str or a path, not {type(origin).__name__}")
    return path
