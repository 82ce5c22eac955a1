"""Measure the house: files, lines and imports by wing, and a picture made of the imports.

``python -m tools.house`` prints the table of the working tree; ``python -m tools.house REVISION``
puts an older state beside it. ``python -m tools.house --picture`` prints the picture that
reference/layout.md shows; a test compares the two.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import subprocess
import sys
import tarfile
import tempfile
import textwrap
import tokenize
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

ROOT = Path(__file__).parents[1]
PACKAGES = {"abnf2lark": Path("tools/abnf2lark"), "uriparse": Path("uriparse")}
"""The two packages of the product, in the order of their imports, and where they are."""
GENERATED = "_compiled"
COMMAND_ROW = re.compile(r"^ {2,4}[a-z]+(?:, [a-z]+)*  +\S", re.MULTILINE)
"""A row of the table of commands on the front page of the help."""


class Source(NamedTuple):
    """A file of the product that is written by hand.

    Attributes:
        package: the package that it is part of.
        module: the dotted name of a Python module; "" for other files.
        wing: the folder or the module below the package.
        text: its text.

    """

    package: str
    module: str
    wing: str
    text: str


class Counts(NamedTuple):
    """What is counted of some files.

    Attributes:
        files: how many there are.
        lines: lines, blank ones included.
        imports: lines of import statements.
        comments: lines that are a comment alone.

    """

    files: int
    lines: int
    imports: int
    comments: int


def sources(root: Path) -> Iterator[Source]:
    """Yield the files of the product in a directory, without those that are generated."""
    for package, place in PACKAGES.items():
        for path in sorted((root / place).rglob("*")):
            parts = path.relative_to(root / place).parts
            if GENERATED in parts or path.suffix not in {".py", ".c", ".h"}:
                continue
            names = [package, *parts[:-1], path.stem]
            module = ".".join(names).removesuffix(".__init__") if path.suffix == ".py" else ""
            wing = names[1] if len(names) > 2 or names[1] != "__init__" else ""
            yield Source(package, module, wing, path.read_text(encoding="utf-8"))


def counts(files: Sequence[Source]) -> Counts:
    """Count files, lines, imports and comments."""
    lines = sum(file.text.count("\n") for file in files)
    python = [file.text for file in files if file.module]
    imports = sum(_import_lines(text) for text in python)
    comments = sum(_comment_lines(text) for text in python)
    return Counts(len(files), lines, imports, comments)


def _import_lines(text: str) -> int:
    nodes = ast.walk(ast.parse(text))
    found = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    return sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in found)


def _comment_lines(text: str) -> int:
    """Count comments that have a line of their own: the others name a rule that is broken."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return sum(
        token.type == tokenize.COMMENT and not token.line[: token.start[1]].strip()
        for token in tokens
    )


def imported_wings(files: Sequence[Source], package: str) -> dict[str, set[str]]:
    """Return the wings that each wing of a package imports, those for types included."""
    found: dict[str, set[str]] = defaultdict(set)
    wings = {file.wing for file in files if file.package == package and file.wing}
    for file in files:
        if file.package != package or not file.module or not file.wing:
            continue
        found[file.wing] |= set()
        for node in ast.walk(ast.parse(file.text)):
            if not isinstance(node, ast.ImportFrom) or not node.module:
                continue
            # `from uriparse import percent` names the wing after the word "import".
            whole = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            there = {name.split(".")[1] for name in whole if name.startswith(f"{package}.")}
            found[file.wing] |= there & wings - {file.wing}
    return found


def layers(imports: dict[str, set[str]]) -> list[list[str]]:
    """Sort wings into layers: each imports from layers before its own.

    ValueError where wings import each other in a circle.

    >>> layers({"b": {"a"}, "a": set(), "c": {"a", "b"}})
    [['a'], ['b'], ['c']]
    """
    left = dict(imports)
    found: list[list[str]] = []
    while left:
        free = sorted(wing for wing, needs in left.items() if not needs & left.keys())
        if not free:
            raise ValueError(f"wings import each other in a circle: {', '.join(sorted(left))}")
        found.append(free)
        for wing in free:
            del left[wing]
    return found


def purpose(files: Sequence[Source], package: str, wing: str) -> str:
    """Return the first sentence of the docstring of a wing."""
    for file in files:
        if file.module == f"{package}.{wing}":
            doc = ast.get_docstring(ast.parse(file.text)) or ""
            return " ".join(doc.partition("\n\n")[0].split()).rstrip(".")
    return ""


def picture(root: Path = ROOT) -> str:
    """Draw both packages: a line for each wing, after the wings that it imports."""
    files = list(sources(root))
    rows: list[str] = []
    for package in PACKAGES:
        imports = imported_wings(files, package)
        rows += ["", package] if rows else [package]
        for number, layer in enumerate(layers(imports)):
            for wing in layer:
                own = [file for file in files if (file.package, file.wing) == (package, wing)]
                said = textwrap.shorten(purpose(files, package, wing), 53, placeholder=" …")
                rows.append(f"{number:4}  {wing:<18}{len(own):3} files  {said}")
    return "\n".join(rows)


def repeated_names(root: Path) -> list[str]:
    """Return the file names that occur twice in the product, but for `__init__` and `__main__`."""
    places = defaultdict(list)
    for file in sources(root):
        if file.module and not file.module.endswith("__main__"):
            places[file.module.rpartition(".")[2]].append(file.module)
    return sorted(name for name, modules in places.items() if len(modules) > 1)


def facts(root: Path) -> dict[str, str]:
    """Measure one state of the product."""
    files = list(sources(root))
    total = counts(files)
    found = {"files": f"{total.files:,}", "lines": f"{total.lines:,}"}
    python = sum(file.text.count("\n") for file in files if file.module)
    for title, lines in (("imports", total.imports), ("comments", total.comments)):
        found[f"{title}, % of lines"] = f"{100 * lines / python:.1f}"
    found["file names that occur twice"] = f"{len(repeated_names(root)):,}"
    found["public names of uriparse"] = f"{len(_public_names(root)):,}"
    found["commands on the front page"] = f"{_commands(root):,}"
    generated = [path for path in (root / "uriparse" / GENERATED).iterdir() if path.is_file()]
    texts = [path.read_bytes() for path in generated if not path.name.endswith(".packed")]
    found["lines in _compiled"] = f"{sum(map(_line_ends, texts)):,}"
    tests = [path.read_bytes() for path in (root / "tests").rglob("*.py")]
    found["test files"], found["lines of tests"] = (
        f"{number:,}" for number in (len(tests), sum(map(_line_ends, tests)))
    )
    for package in PACKAGES:
        for wing in sorted({file.wing for file in files if file.package == package}):
            own = counts([file for file in files if (file.package, file.wing) == (package, wing)])
            found[f"{package}.{wing}".rstrip(".")] = f"{own.files:3} {own.lines:7,}"
    return found


def _line_ends(data: bytes) -> int:
    return data.count(b"\n")


def _public_names(root: Path) -> list[str]:
    tree = ast.parse((root / "uriparse/__init__.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return [str(name) for name in ast.literal_eval(node.value)]
    return []


def _commands(root: Path) -> int:
    """Count the commands that the front page of the help lists."""
    command = [sys.executable, "-m", "uriparse", "--help"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    return len(COMMAND_ROW.findall(done.stdout))


def at_revision(revision: str, use: Callable[[Path], dict[str, str]]) -> dict[str, str]:
    """Measure an older state: the files of a revision, unpacked for the time that it takes."""
    command = ["git", "archive", revision, "--", "uriparse", "tools", "tests", "grammar"]
    data = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    with tempfile.TemporaryDirectory() as name, tarfile.open(fileobj=io.BytesIO(data)) as files:
        files.extractall(name, filter="data")
        return use(Path(name))


def table(columns: dict[str, dict[str, str]]) -> str:
    """Write measures side by side, a row for each fact that some state has."""
    rows = list(dict.fromkeys(fact for column in columns.values() for fact in column))
    size = max(map(len, rows))
    lines = [f"{'':{size}}" + "".join(f"  {title:>14}" for title in columns)]
    lines += [
        f"{row:{size}}" + "".join(f"  {column.get(row, '-'):>14}" for column in columns.values())
        for row in rows
    ]
    return "\n".join(lines)


def main() -> None:
    """Print the table, or the picture."""
    parser = argparse.ArgumentParser(prog="python -m tools.house", description=__doc__)
    parser.add_argument("revision", nargs="*", help="an older state, by its name in git")
    parser.add_argument("--picture", action="store_true", help="print the picture of the wings")
    options = parser.parse_args()
    if options.picture:
        print(picture())
        return
    try:
        columns = {revision: at_revision(revision, facts) for revision in options.revision}
    except subprocess.CalledProcessError as error:  # its only cause: git does not know the revision
        sys.exit(error.stderr.decode("utf-8", "replace").strip())
    print(table({**columns, "now": facts(ROOT)}))


if __name__ == "__main__":
    main()
