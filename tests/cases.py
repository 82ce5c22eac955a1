"""One test for many cases: it judges all of them, then fails with each case that failed."""

import inspect
import json
import re
import textwrap
import traceback
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest
from paths import ROOT, VECTORS

from uriparse.diagnosis import CAUSES

TESTS = str(ROOT / "tests")
CAUSE = re.compile(r"\{=(.+?)=\}")
REPEATED = re.compile(r"\{\*(\d+)\|(.+?)\*\}", re.DOTALL)
SHOWN = 20
"""The most cases whose failures are printed."""


def check_all(cases: Iterable[object], judge: Callable[..., object]) -> None:
    """Call `judge` with each case (a tuple: its arguments); fail with all cases that fail.

    No case at all is a failure too, so that an empty table cannot pass.
    """
    failures = []
    number = -1
    for number, case in enumerate(cases):
        arguments = case if isinstance(case, tuple) else (case,)
        try:
            judge(*arguments)
        except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - reported below
            failures.append(f"case {number}: {shown(arguments)}\n{reason(error)}")
    assert number >= 0, "there is no case"
    if failures:
        left = len(failures) - SHOWN
        more = f"\nand {left} more" if left > 0 else ""
        report = "\n".join(failures[:SHOWN])
        pytest.fail(f"{len(failures)} of {number + 1} cases fail:\n{report}{more}", pytrace=False)


def each_case(names: str | tuple[str, ...], cases: Iterable[object]) -> Callable[..., object]:
    """Do the work of `pytest.mark.parametrize` in one test, by `check_all`.

    Further parameters of the test are fixtures, which all cases share. Where two of these
    decorators are on one test, every case of one meets every case of the other.
    """
    names = tuple(names.replace(",", " ").split()) if isinstance(names, str) else names
    rows = [case if len(names) > 1 else (case,) for case in cases]
    assert not any(hasattr(value, "marks") for row in rows for value in row), "pytest.param"

    def decorate(test: Callable[..., object]) -> Callable[..., object]:
        def looped(**fixtures: object) -> None:
            def judge(*values: object) -> None:
                test(**dict(zip(names, values, strict=True)), **fixtures)

            check_all(map(tuple, rows), judge)

        # pytest reads the fixtures in the signature, and would look through `__wrapped__`.
        left = [p for n, p in inspect.signature(test).parameters.items() if n not in names]
        looped.__signature__ = inspect.Signature(left)
        for name in ("__name__", "__qualname__", "__doc__", "__module__"):
            setattr(looped, name, getattr(test, name))
        looped.pytestmark = [*getattr(test, "pytestmark", ())]
        return looped

    return decorate


def vectors(name: str) -> list[dict[str, object]]:
    """Return the rows of a table in tests/vectors, each with an id of its own."""
    rows = json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))
    assert rows
    assert len({row["id"] for row in rows}) == len(rows)
    return rows


def tables(
    path: str, name: str | None = None, **made: Callable[[object], object]
) -> dict[str, list[object]]:
    """Return the facts beside a test module, in a file of its name: each table by its own name.

    name: of another file. made: what `{"Name": value}` calls with the value. `{"latin1": "\\xff"}`
    is octets. What a cause says is written by its name, as `sentence` takes it:
    `{=bad-port|"8x"=}`. `{*1000|ab*}` is "ab" a thousand times.
    """
    file = Path(path).with_name(name) if name else Path(path).with_suffix(".json")
    makers = {"latin1": lambda text: text.encode("latin-1"), **made}
    return filled_in(json.loads(file.read_text(encoding="utf-8")), makers)


def check_messages(case: dict[str, object], code: int, err: str) -> None:
    """Check the exit code, and each line of standard error by its expression."""
    lines = err.splitlines()
    assert len(lines) == len(case["stderr"]), err
    for line, pattern in zip(lines, case["stderr"], strict=True):
        assert re.fullmatch(pattern, line), line
    assert code == case["exit"]


def documents(path: str) -> dict[str, str]:
    """Return the texts beside a test module, in a file of its name: each after "=== its name"."""
    text = Path(path).with_suffix(".txt").read_text(encoding="utf-8")
    _, *parts = re.split(r"^=== (.+)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def filled_in(data: object, makers: Mapping[str, Callable[[object], object]]) -> object:
    if isinstance(data, str):
        data = REPEATED.sub(lambda found: int(found[1]) * found[2], data)
        return CAUSE.sub(lambda found: sentence(*found[1].split("|")), data)
    if isinstance(data, list):
        return [filled_in(one, makers) for one in data]
    if isinstance(data, dict):
        filled = {name: filled_in(one, makers) for name, one in data.items()}
        name = next(iter(data), None) if len(data) == 1 else None
        return makers[name](filled[name]) if name in makers else filled
    return data


def sentence(cause: str, *values: str) -> str:
    """Return what a cause says, with values for its blanks; the words are in one table alone."""
    left = iter(values)
    return re.sub(r"\{\w+\}", lambda _: next(left), CAUSES[cause].sentence)


def shown(values: tuple[object, ...]) -> str:
    """Return what identifies a case: its values, or the names of functions and classes."""
    return ", ".join(str(getattr(value, "__qualname__", None) or repr(value)) for value in values)


def reason(error: BaseException) -> str:
    """Return the line of the tests that failed, and the message, indented below the case."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if TESTS in frame.filename and frame.filename != __file__]
    where = [f"{frame.filename}:{frame.lineno}: {frame.line}" for frame in own[-1:]]
    if isinstance(error, pytest.fail.Exception):
        message = [str(error)]
    else:
        message = traceback.format_exception_only(error)
    return textwrap.indent("\n".join([*where, "".join(message)]), "    ").rstrip()
