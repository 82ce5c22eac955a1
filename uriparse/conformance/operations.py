"""Suites for what RFC 3986 does with references: resolution, normalization, and the others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Final, Generic, Literal, NamedTuple, TypeAlias, TypeVar, get_args

from uriparse._base.coerce import as_choice
from uriparse.components.component_text import Components
from uriparse.conformance import normalization_programs, resolution_programs
from uriparse.conformance.resolution_programs import remove_dot_segments, split
from uriparse.errors import URIError, excerpt
from uriparse.grammar import charset
from uriparse.parsing import parse

if TYPE_CHECKING:
    from uriparse.records import URIReference

Operation: TypeAlias = Literal[
    "components", "limits", "resolution", "normalization",
    "equivalence", "recomposition", "encoding", "relativization",
]  # fmt: skip
Size: TypeAlias = Literal["tiny", "full"]

OPERATIONS: Final[tuple[Operation, ...]] = get_args(Operation)
SIZES: Final[tuple[Size, ...]] = get_args(Size)


class OperationCase(NamedTuple):
    """The arguments of an operation, and its expected result.

    given: by name: `base` and `reference`; `text`; `one` and `other`; the components, None for an
        absent one; `data` and `component`; `base` and `target`.
    expected: a text; for `equivalence` whether both are equivalent, for `limits` that the text is a
        URI; for `relativization` the target, which is what the relative reference resolves to; for
        `components` what the text is taken apart into, None for an absent one.
    section: of RFC 3986.
    tells: what it is for: an edit of the RFC's program that it detects.
    """

    given: dict[str, str | None]
    expected: str | bool | dict[str, str | None]
    section: str
    tells: str


def operation_suite(
    operation: Operation, *, size: Size = "full", strict: bool = True
) -> tuple[OperationCase, ...]:
    """Return cases for an operation of RFC 3986, the same each time.

    For `resolution` and `normalization` the RFC's algorithm is a program in data, and every single
    edit of it that changes a result is detected: by one case at least for `tiny`, by three (or by
    all that there are, if fewer) for `full`. `full` resolution has paths, too, by which
    no machine passes that reads section 5.2.4 from the right, with one counter and a wrong step.

    operation: one of `OPERATIONS`.
    size: one of `SIZES`.
    strict: for `resolution`: False lets a reference have the scheme of its base (section
        5.2.2).

    TypeError and ValueError for what is not among the choices.

    >>> cases = operation_suite("resolution", size="tiny")
    >>> cases[0].given, cases[0].expected, cases[0].section
    ({'base': 'a:b', 'reference': '.'}, 'a:', '5.2.4')
    """
    operation = as_choice(operation, "operation", OPERATIONS)
    times = 1 if as_choice(size, "size", SIZES) == "tiny" else 3
    if operation == "resolution":
        return _resolution(times, strict)
    return _CASES[operation](times)


# What texts are taken apart into.

_PIECES: Final = {
    "userinfo": ("userinfo", "a://{}@h:1/p?q#f", "3.2.1"),
    "host": ("reg-name", "a://u@{}:1/p?q#f", "3.2.2"),
    "path": ("segment", "a://u@h:1/{}?q#f", "3.3"),
    "query": ("query", "a://u@h:1/p?{}#f", "3.4"),
    "fragment": ("fragment", "a://u@h:1/p?q#{}", "3.5"),
}
"""For each component: the rule of its single characters, a URI around it, and the section."""

_WHOLE: Final = (
    *("%41", "%2F", "%2f", "%3A", "%40", "%3F"),
    *("%23", "%5B", "%25", "%2E%2E", "%00", "A"),
)
_PATHS: Final = (
    *("a://h/./b", "a://h/../b", "a://h//b", "a://h/b//", "a:b:/c", "a:b:c", "a:b@c", "a:/b:c@d"),
    *("a:b/c?d/e?f#g/h?i", "a:?b:c", "a:#b:c", "a:.//b", "a://h?/b", "a://h#/b?c", "a://h:/"),
    *("a:b/", "a://@h", "a://:@h", "a://u:p:q@h", "a://u:@h", "a://:", "a://@:", "a://@"),
    *("a://:1", "a:/"),
    *("a://[::1]", "a://[::1]:2", "a://u@[::1]:2/p", "a://[vF.:]", "a://[vF.:]:1", "a://1.2.3.4:5"),
    *("A:b", "a+b-c.d:e", "a1:", "http:b", "http://H.Example:080/", "a://h:0/", "a://%C3%A9/"),
)


def _components(times: int) -> tuple[OperationCase, ...]:
    """Take texts apart whose components hold every character that they may, at both ends."""
    found: dict[str, OperationCase] = {}

    def add(text: str, section: str, tells: str) -> None:
        found.setdefault(
            text, OperationCase({"text": text}, taken_apart(parse(text, "URI")), section, tells)
        )

    for case in _recomposition(times):
        if case.given["scheme"] is not None:
            add(str(case.expected), "3", "absent and empty components")
    for text in _PATHS:
        add(text, "3", "delimiters where they delimit nothing")
    for component, (rule, form, section) in _PIECES.items():
        letters = times > 1
        characters = sorted(one for one in charset(rule) - {"%"} if letters or not one.isalnum())
        for piece in (*characters, *_WHOLE):
            for value in (piece, f"{piece}b", f"b{piece}")[: 3 if times > 1 else 1]:
                add(form.format(value), section, f"{excerpt.named(piece[0])} in {component}")
    return tuple(found.values())


def taken_apart(found: URIReference) -> dict[str, str | None]:
    """Return the seven components of a reference, with those of its authority."""
    names = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")
    parts = {name: getattr(found, name) for name in names}
    return {name: None if part is None else str(part) for name, part in parts.items()}


# Texts that no rule forbids, but parsers do.

_LENGTHS: Final = (64, 255, 256, 4_096, 65_536)
_PORTS: Final = ("65536", "99999", "100000", "000080", "18446744073709551616")
_FORMS: Final = (
    *(("scheme", "{}:", "a", "3.1"), ("userinfo", "a://{}@h", "u", "3.2.1")),
    *(("host", "a://{}", "h", "3.2.2"), ("port", "a://h:{}", "1", "3.2.3")),
    *(("a segment", "a://h/{}", "p", "3.3"), ("query", "a:?{}", "q", "3.4")),
    *(("fragment", "a:#{}", "f", "3.5"), ("IPvFuture", "a://[v1.{}]", "a", "3.2.2")),
)
_SERIES: Final = (
    *(("segments", "a:{}", "/p", "3.3"), ("labels", "a://{}h", "h.", "3.2.2")),
    *(("parameters", "a:?{}", "k=v&", "3.4"), ("empty segments", "a://h{}", "/", "3.3")),
)
_TIMES: Final = (1, 2, 100)


def _limits(times: int) -> tuple[OperationCase, ...]:
    """Return long URIs: long components, many parts, many triplets, ports beyond 65535."""
    found = [
        (form.format(piece * (length // len(piece))), section, f"{length:,} characters of {what}")
        for what, form, piece, section in (*_FORMS, *_SERIES)
        for length in _LENGTHS[: None if times > 1 else 4]
    ]
    found += [(f"a://h:{port}/", "3.2.3", f"the port {port}") for port in _PORTS]
    found += [
        (form.format("%C3" * count), "2.1", f"{count} triplets in {component}")
        for component, (_, form, _) in _PIECES.items()
        for count in _TIMES
    ]
    found += [
        (form.format(piece * count), section, f"{count} of {what}")
        for what, form, piece, section in _SERIES
        for count in _TIMES
    ]
    return tuple(
        OperationCase({"text": text}, True, section, tells) for text, section, tells in found
    )


# Few cases that detect all edits.

_Given = TypeVar("_Given")
_Pair: TypeAlias = tuple[Components, Components]


class _Detections(Generic[_Given]):
    """What each of a pool of inputs detects: edits of the RFC's ``own`` program, by number."""

    def __init__(self, pool: Sequence[_Given], own: Callable[[_Given], str]) -> None:
        self.pool = pool
        self.expected = [own(given) for given in pool]
        self.edits: list[tuple[str, str]] = []
        self.detects: dict[int, set[int]] = {}

    def run(
        self, edit: tuple[str, str], program: Callable[[_Given], str], among: Iterable[int]
    ) -> None:
        """Add an edit by the program that it makes; it detects no others than those ``among``."""
        for number in among:
            if program(self.pool[number]) != self.expected[number]:
                self.detects.setdefault(number, set()).add(len(self.edits))
        self.edits.append(edit)


def _chosen(
    known: _Detections[_Given], times: int
) -> Iterator[tuple[_Given, str, tuple[str, str]]]:
    """Yield few inputs, each with result and first edit detected; each edit so many times."""
    left, edits = dict(known.detects), known.edits
    missing = {
        edit: min(times, sum(edit in found for found in left.values()))
        for edit in range(len(edits))
    }
    chosen: dict[int, int] = {}
    while any(missing.values()):
        wanted = {edit for edit, number in missing.items() if number}
        # Greedy set cover, as for the edits of a grammar; the simplest of equally good ones.
        best = max(left, key=lambda number: (len(left[number] & wanted), -number))
        found = left.pop(best) & wanted
        chosen[best] = min(found)
        for each in found:
            missing[each] -= 1
    for number in sorted(chosen):
        yield known.pool[number], known.expected[number], edits[chosen[number]]


def _said(edit: tuple[str, str]) -> str:
    return f"{edit[0]}: {edit[1]}"


@cache
def _resolution(times: int, strict: bool) -> tuple[OperationCase, ...]:  # noqa: FBT001
    texts, known = _resolved(strict)
    found = {
        texts[pair]: (expected, _section(edit[0]), _said(edit))
        for pair, expected, edit in _chosen(known, times)
    }
    if times > 1:
        own = resolution_programs.run(strict=strict)
        for path, tells in resolution_programs.paths():
            pair = "a://h/b", f"//g{path}"
            found.setdefault(pair, (own(*map(split, pair)), "5.2.4", tells))
    return tuple(
        OperationCase({"base": base, "reference": reference}, *rest)
        for (base, reference), rest in found.items()
    )


@cache
def _resolved(strict: bool) -> tuple[dict[_Pair, tuple[str, str]], _Detections[_Pair]]:  # noqa: FBT001
    """Return many pairs with their texts, and what they detect: seconds of work, done once."""
    own = resolution_programs.run(strict=strict)
    texts = {
        (split(base), split(reference)): (base, reference)
        for base, reference in resolution_programs.pool()
    }
    # Section 5.3 would make an authority of such a path, which no RFC can have meant.
    pairs = [
        pair
        for pair in texts
        if any(one.authority is not None for one in pair) or split(own(*pair)).authority is None
    ]
    if not strict:  # whether "A" is the same scheme as "a" the section leaves open
        pairs = [pair for pair in pairs if "A" not in (pair[0].scheme, pair[1].scheme)]
    known = _Detections(pairs, _of_pairs(own))
    program = resolution_programs.the_program(strict=strict)
    asking: dict[str, list[int]] = defaultdict(list)
    for number, pair in enumerate(pairs):
        for decision in resolution_programs.asked(program, *pair):
            asking[decision].append(number)
    for edit in resolution_programs.edits():
        known.run(edit, _of_pairs(resolution_programs.run(edit, strict=strict)), asking[edit[0]])
    return texts, known


def _of_pairs(run: Callable[[Components, Components], str]) -> Callable[[_Pair], str]:
    return lambda pair: run(*pair)


def _section(decision: str) -> str:
    if resolution_programs.is_of_paths(decision):
        return "5.2.4"
    if decision.endswith("is written"):
        return "5.3"
    return "5.2.3" if decision.startswith(("a base", "the base's path")) else "5.2.2"


def _normalization(times: int) -> tuple[OperationCase, ...]:
    return tuple(
        OperationCase({"text": text}, expected, _normal_section(edit[0]), _said(edit))
        for text, expected, edit in _normalized(times)
    )


@cache
def _normalized(times: int) -> tuple[tuple[str, str, tuple[str, str]], ...]:
    pool = list(dict.fromkeys(normalization_programs.pool()))
    known = _Detections(pool, normalization_programs.run())
    for edit in normalization_programs.edits():
        known.run(edit, normalization_programs.run(edit), range(len(pool)))
    return tuple(_chosen(known, times))


def _normal_section(decision: str) -> str:
    if decision.startswith(("decoded of", "a plus", "a triplet")):
        return "6.2.2.2"
    if decision.startswith(("letters", "triplets", "decoded letters")):
        return "6.2.2.1"
    return "6.2.2.3" if decision in ("dot segments", "empty segments") else "6.2.3"


def _equivalence(times: int) -> tuple[OperationCase, ...]:
    """Return pairs of a text and its normal form, or what an edit makes of the text."""
    own = normalization_programs.run()
    found: dict[tuple[str, str], OperationCase] = {}
    for text, expected, edit in _normalized(times):
        other = normalization_programs.run(edit)(text)
        for one in (expected, other):
            normal = _normal_or_none(own, one)
            if one == text or normal is None:  # an edit may make an invalid URI
                continue
            given: dict[str, str | None] = {"one": text, "other": one}
            tells = _said(edit)
            case = OperationCase(given, normal == expected, _normal_section(edit[0]), tells)
            found.setdefault((text, one), case)
    return tuple(found.values())


def _normal_or_none(own: Callable[[str], str], text: str) -> str | None:
    try:
        return own(text)
    except URIError:
        return None


def _recomposition(_: int) -> tuple[OperationCase, ...]:
    """Return every combination of absent, empty and other components that forms a reference."""
    sides = (None, "", "b")
    found = []
    for scheme, authority, path, query, fragment in product(
        (None, "a"), (None, "", "h", "u@h:1"), ("", "/", "/p", "p", "/p//q"), sides, sides
    ):
        if authority is None or not path or path.startswith("/"):
            parts = Components(scheme, authority, path, query, fragment)
            text = resolution_programs.recomposed(resolution_programs.the_program(), parts)
            found.append(OperationCase(parts._asdict(), text, "5.3", "absent, empty and other"))
    return tuple(found)


def _encoding(times: int) -> tuple[OperationCase, ...]:
    """Return data and how they are written in a component: every octet of ASCII, and others."""
    found = []
    every = [chr(code) for code in range(128)]
    for name, (rule, _, _) in _PIECES.items():
        component = rule if name == "path" else name
        kept = charset(rule) - {"%"}
        alone = [char for char in every if char not in kept]
        texts = ["".join(char for char in every if char in kept), "".join(alone), "é€😀"]
        texts += every if times > 1 else []
        for data in texts:
            written = "".join(
                char if char in kept else "".join(f"%{octet:02X}" for octet in char.encode())
                for char in data
            )
            given: dict[str, str | None] = {"data": data, "component": component}
            found.append(OperationCase(given, written, "2.1", f"{component} = {rule}"))
    return tuple(found)


def _relativization(times: int) -> tuple[OperationCase, ...]:
    """Return bases and targets: any reference is right that resolves to the target."""
    texts = dict.fromkeys(
        found
        for case in _resolution(times, True)
        for found in (str(case.expected), str(case.given["base"]))
        if split(found).scheme is not None
    )
    bases = [text for text in texts if split(text).fragment is None]
    program = resolution_programs.the_program()  # no reference resolves to a path with dot segments
    return tuple(
        OperationCase({"base": base, "target": target}, target, "5.2", "resolves to the target")
        for base, target in product(bases[:: 1 if times > 1 else 4], texts)
        if remove_dot_segments(program, split(target).path) == split(target).path
    )


_CASES: Final[dict[str, Callable[[int], tuple[OperationCase, ...]]]] = {
    "components": _components,
    "limits": _limits,
    "normalization": _normalization,
    "equivalence": _equivalence,
    "recomposition": _recomposition,
    "encoding": _encoding,
    "relativization": _relativization,
}
