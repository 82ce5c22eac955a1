"""Reference resolution (RFC 3986, section 5.2) as a program in data, and what edits make of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from itertools import product
from typing import Final, TypeAlias

from uriparse.components.component_text import Components
from uriparse.parsing import parse


def split(text: str) -> Components:
    """Take a URI reference apart."""
    found = parse(text, "URI-reference")
    authority = None if found.authority is None else str(found.authority)
    return Components(found.scheme, authority, found.path, found.query, found.fragment)


# The program: each of its decisions by name, with what the RFC says and what else it might be.

Program: TypeAlias = Mapping[str, str]

_IS_DEFINED = ("defined", "not empty", "never")
_BRANCHES = ("scheme", "authority", "empty path", "absolute path", "relative path")
"""The branches of section 5.2.2, each by what sends a reference there; the last takes the rest."""

_SOURCES: Final[dict[str, tuple[str, ...]]] = {
    # Where scheme, authority, path and query of the target come from, branch by branch.
    "scheme": ("reference", "reference", "reference", "reference"),
    "authority": ("base", "reference", "reference", "reference"),
    "empty path": ("base", "base", "base", "reference or base"),
    "absolute path": ("base", "base", "reference", "reference"),
    "relative path": ("base", "base", "merged", "reference"),
}
_TARGETS = ("scheme", "authority", "path", "query")
_OTHER_SOURCES = ("reference", "base", "nothing")

_DECISIONS: Final[dict[str, tuple[str, ...]]] = {
    # What the RFC says comes first.
    "a scheme is": ("defined", "not the base's", "never"),
    "an authority is": _IS_DEFINED,
    "a path is empty": ("yes", "never", "without a query", "or a slash"),
    "a query is": _IS_DEFINED,
    "a path is absolute": ("with a slash", "never", "with two slashes"),
    "dot segments of scheme": ("removed", "kept"),
    "dot segments of authority": ("removed", "kept"),
    "dot segments of empty path": ("kept", "removed"),
    "dot segments of absolute path": ("removed", "kept"),
    "dot segments of relative path": ("removed", "kept"),
    "a base without a path": ("gives a slash", "gives nothing", "always gives a slash"),
    "the base's path": ("to the last slash", "to the first slash", "whole", "before the slash"),
    "a base's path without a slash": ("gives nothing", "gives all", "gives a slash"),
    "the base's query": ("is left out", "is merged"),
    "the fragment": ("of the reference", "of the base", "of either", "none"),
    "an authority is written": ("defined", "not empty"),
    "a query is written": ("defined", "not empty"),
    "a fragment is written": ("defined", "not empty"),
    "the scheme is written": ("as it is", "small"),
    "a triplet": ("stands for itself", "stands for a dot"),
}

_DOTS: Final[dict[str, tuple[str, ...]]] = {
    # Section 5.2.4: what the input begins with, or is, and what is done, the RFC's way first.
    **dict.fromkeys(("../", "./"), ("drop", "move", "drop one more", "drop one less")),
    **dict.fromkeys((".", ".."), ("drop", "move")),
    "/./": ("slash", "move", "pop"),
    "/.": ("slash", "move", "pop", "drop"),
    "/../": ("pop", "move", "slash", "pop a name", "pop all"),
    "/..": ("pop", "move", "slash", "pop a name", "pop all", "pop, no slash", "drop"),
    "/": ("move", "drop"),
    "name": ("move", "slash"),
}
_DEPTHS = ("nothing", "one segment", "more segments")
"""What the output holds by then."""

LOOKALIKES = (".a", "..a", "...", "a.", "a..", ".;", "..;", "%2e")
"""Segments that some take for dot segments."""

_PLACES = ("before a slash", "at the end", "first", "alone")
"""Where in the input of section 5.2.4 a segment is."""


def the_program(*, strict: bool = True) -> dict[str, str]:
    """Return what the RFC says for each decision; not ``strict``: the scheme of the base, too."""
    program = {name: words[0] for name, words in _DECISIONS.items()}
    for branch, sources in _SOURCES.items():
        for target, source in zip(_TARGETS, sources, strict=True):
            program[f"{target} of {branch}"] = source
    for kind, depth in product(_DOTS, _DEPTHS):
        program[f"{kind} after {depth}"] = _DOTS[kind][0]
    if not strict:
        program["a scheme is"] = "not the base's"
    for segment, place in product(LOOKALIKES, _PLACES):
        program[f"{segment} {place} is"] = "a name"
    return program


def is_of_paths(decision: str) -> bool:
    """Whether a decision is one of section 5.2.4, on a path alone."""
    return " after " in decision or decision == "a triplet" or decision.startswith(LOOKALIKES)


def edits() -> Iterator[tuple[str, str]]:
    """Yield every single edit: a decision, and what it becomes instead of what the RFC says."""
    for name, says in the_program().items():
        if name in _DECISIONS:
            others = _DECISIONS[name]
        elif " of " in name:
            others = _OTHER_SOURCES
        elif name.endswith(" is"):
            others = ("one dot", "two dots")
        else:
            others = _DOTS[name.partition(" after ")[0]]
        yield from ((name, other) for other in others if other != says)


# Running a program.


class _Noting(dict[str, str]):
    """A program that notes which of its decisions it is asked for."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.asked: set[str] = set()

    def __getitem__(self, decision: str) -> str:
        self.asked.add(decision)
        return super().__getitem__(decision)


def asked(program: Program, base: Components, reference: Components) -> set[str]:
    """Return the decisions on which the result depends: another edit changes nothing."""
    noting = _Noting(program)
    resolved(noting, partial(remove_dot_segments, noting), base, reference)
    return noting.asked


def resolved(
    program: Program, without_dots: Callable[[str], str], base: Components, reference: Components
) -> str:
    """Resolve a reference as a program says; ``without_dots`` runs section 5.2.4 of it."""
    branch = _branch(program, base, reference)
    found = {
        target: _taken(program[f"{target} of {branch}"], target, program, base, reference)
        for target in _TARGETS
    }
    fragment = {
        "of the reference": reference.fragment,
        "of the base": base.fragment,
        "of either": base.fragment if reference.fragment is None else reference.fragment,
        "none": None,
    }[program["the fragment"]]
    path = found["path"] or ""
    if program[f"dot segments of {branch}"] == "removed":
        path = without_dots(path)
    target = Components(found["scheme"], found["authority"], path, found["query"], fragment)
    return recomposed(program, target)


def _branch(program: Program, base: Components, reference: Components) -> str:
    scheme = program["a scheme is"]
    if reference.scheme is not None and (
        scheme == "defined" or (scheme == "not the base's" and reference.scheme != base.scheme)
    ):
        return "scheme"
    if _is(program["an authority is"], reference.authority):
        return "authority"
    empty = program["a path is empty"]
    without_query = empty != "without a query" or reference.query is None
    is_empty = reference.path in ({"", "/"} if empty == "or a slash" else {""})
    if is_empty and without_query and empty != "never":
        return "empty path"
    start = {"with a slash": "/", "with two slashes": "//", "never": "\0"}
    if reference.path.startswith(start[program["a path is absolute"]]):
        return "absolute path"
    return "relative path"


def _is(word: str, value: str | None) -> bool:
    return {"defined": value is not None, "not empty": bool(value), "never": False}[word]


def _taken(
    source: str, target: str, program: Program, base: Components, reference: Components
) -> str | None:
    of_base: str | None = getattr(base, target)
    of_reference: str | None = getattr(reference, target)
    match source:
        case "reference":
            merged = program["the base's query"] == "is merged" and target == "query"
            return of_base if merged and of_reference is None else of_reference
        case "base":
            return of_base
        case "reference or base":
            return of_reference if _is(program["a query is"], of_reference) else of_base
        case "merged":
            return _merged(program, base, reference)
        case _:
            return None


def _merged(program: Program, base: Components, reference: Components) -> str:
    """Run section 5.2.3."""
    rule = program["a base without a path"]
    if not base.path and (base.authority is not None or rule == "always gives a slash"):
        return reference.path if rule == "gives nothing" else f"/{reference.path}"
    if "/" not in base.path:
        words = {"gives nothing": "", "gives all": base.path, "gives a slash": "/"}
        return words[program["a base's path without a slash"]] + reference.path
    last = base.path.rfind("/")
    kept = {
        "to the last slash": base.path[: last + 1],
        "to the first slash": base.path[: base.path.find("/") + 1],
        "whole": base.path,
        "before the slash": base.path[:last],
    }
    return kept[program["the base's path"]] + reference.path


def remove_dot_segments(program: Program, path: str) -> str:
    """Run section 5.2.4: by the RFC's program the first condition that holds, with its action."""
    if program["a triplet"] == "stands for a dot":
        path = path.replace("%2e", ".").replace("%2E", ".")
    output: list[str] = []
    while path:
        kind, length = _kind(program, path)
        depth = _DEPTHS[min(len(output), 2)]
        action = program[f"{kind} after {depth}"]
        before, rest = path[:length], path[length:]
        if action == "move":
            output.append(before)
            path = rest
            continue
        while action == "pop a name" and output and output[-1] == "/":
            output.pop()  # over empty segments
        if action == "pop all":
            output.clear()
        if action.startswith("pop") and output:
            output.pop()
        if action == "drop one more":
            rest = rest[1:]
        elif action == "drop one less":
            rest = path[length - 1 :]
        slash = action != "pop, no slash" and action.startswith(("slash", "pop"))
        path = f"/{rest.removeprefix('/')}" if slash and before.startswith("/") else rest
    return "".join(output)


def _kind(program: Program, path: str) -> tuple[str, int]:
    """Return what the input begins with, and how much of it is meant."""
    start = path.startswith("/")
    end = path.find("/", start)
    segment = path[start : len(path) if end < 0 else end]
    dots = segment if segment in (".", "..") else ""
    whole = end < 0
    if segment in LOOKALIKES:
        place = _PLACES[2 * (not start) + whole]
        dots = {"a name": "", "one dot": ".", "two dots": ".."}[program[f"{segment} {place} is"]]
    length = start + len(segment)
    if dots and start:
        return f"/{dots}" if whole else f"/{dots}/", length
    if dots:
        return (dots, length) if whole else (f"{dots}/", length + 1)
    return ("name" if segment else "/"), length


def recomposed(program: Program, target: Components) -> str:
    """Run section 5.3."""
    scheme, authority, path, query, fragment = target
    found = ""
    if scheme is not None:
        found = f"{scheme.lower() if program['the scheme is written'] == 'small' else scheme}:"
    written = program["an authority is written"]
    if authority or (authority is not None and written != "not empty"):
        found += f"//{authority}"
    found += path
    if query or (query is not None and program["a query is written"] == "defined"):
        found += f"?{query}"
    if fragment or (fragment is not None and program["a fragment is written"] == "defined"):
        found += f"#{fragment}"
    return found


# Pairs from which a suite is chosen.

_BASES = (
    *("a://h/b/c/d;p?q", "a://h", "a://h?q#f", "a://h/", "a:b/c", "a:b", "a:/b", "a:/b/c/d"),
    *("a:///b/c", "a:", "a:?q", "a://h//b/", "a://h/b/../c/.", "a:b/../c", "A://h/b", "a://h/b/c/"),
)
_SEGMENTS = (".", "..", "", "g", "...", "..g", ".g", "g.", "g..", ".;", "..;", "%2e", "%2E%2E")


def pool() -> Iterator[tuple[str, str]]:
    """Yield many pairs of a base and a reference, the simplest first."""
    paths = dict.fromkeys(
        start + "/".join(segments)
        for length in (1, 2, 3)
        for segments in product(_SEGMENTS if length < 3 else _SEGMENTS[:4], repeat=length)
        for start in ("", "/")
    )
    for path in paths:
        # Two slashes would begin an authority, and "" is among the heads below.
        if path and not path.startswith("//"):
            yield from ((base, path) for base in _BASES[: 3 if "/" in path else None])
            yield _BASES[0], f"z:{path}"
            yield _BASES[4], f"a:{path}"
            if path.startswith("/"):
                yield _BASES[0], f"//g{path}"
    heads = ("", "a:", "A:", "z:", "//", "//g", "a://", "a://g", "z:y")
    for base, head, path, tail in product(
        _BASES[::2], heads, ("", "/", "g", "/g", "//g"), ("", "?", "?y", "#", "#s", "?#", "?y#s")
    ):
        if not (path == "//g" and not head.startswith("//")) and not (path == "g" and "/" in head):
            yield base, f"{head}{path}{tail}"


def paths() -> Iterator[tuple[str, str]]:
    """Yield absolute paths for section 5.2.4 as a counter machine, each with what it is for.

    Read from the right, the section is a machine with one counter: how many segments are still to
    be left out. The paths are of Chow's W-method: what is read first brings the counter to 0, 1 and
    2, then comes each kind of segment, and what is left of it shows the counter by what is written.
    """
    for after, kind in product(((), ("h",), ("..",), ("..", "..")), (".", "..", "", "g")):
        for before in ((), ("a",), ("a", "b", "c")):
            path = "/" + "/".join((*before, kind, *after))
            yield path, f'"{kind}" after {len(before)} segments and before "{"/".join(after)}"'


def run(
    edit: tuple[str, str] | None = None, *, strict: bool = True
) -> Callable[[Components, Components], str]:
    """Return what resolves as the RFC says, or with one edit; see `the_program`."""
    program = the_program(strict=strict)
    if edit is not None:
        program[edit[0]] = edit[1]
    return partial(resolved, program, cache(partial(remove_dot_segments, program)))  # few paths
