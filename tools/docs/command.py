"""`python -m tools.docs`: build the pages, then follow every link in them."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from . import bundle
from .accessible import accessible
from .links import broken, external, unreachable

if TYPE_CHECKING:
    from collections.abc import Sequence

SOURCES = Path(__file__).parent
OUT = Path("build/docs")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code: 1 for a warning or a link that leads nowhere."""
    parser = argparse.ArgumentParser(prog="python -m tools.docs", description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT, help=f"default: {OUT}")
    parser.add_argument(
        "--external", action="store_true", help="also ask for each page elsewhere that is linked"
    )
    parser.add_argument(
        "--playground",
        type=Path,
        metavar="DIR",
        help="the npm package pyodide, to build the playground in: node_modules/pyodide",
    )
    options = parser.parse_args(arguments)
    if not built(options.out, ["-t", "playground"] if options.playground else []):
        return 1
    if options.playground:
        bundle.write(options.playground, options.out / "_static/playground-files.js")
    pages = sorted(options.out.rglob("*.html"))
    for page in pages:
        page.write_text(accessible(page.read_text("utf-8")), "utf-8")
    faults = broken(pages)
    elsewhere = external(pages)
    if options.external:
        faults += unreachable(elsewhere)
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{options.out}/index.html: {len(pages)} pages, {len(faults)} broken links")
    for url in sorted(elsewhere):
        print(f"  links to {url}")
    return bool(faults)


def built(out: Path, more: Sequence[str] = ()) -> bool:
    """Build the pages anew; whether that went without a warning."""
    try:
        from sphinx.cmd.build import main as sphinx  # noqa: PLC0415 - so that its lack can be told
    except ModuleNotFoundError:
        print("Sphinx is not installed: pip install -e . --group docs", file=sys.stderr)
        return False
    options = [*more, "-b", "html", "-q", "-E", "-W", "--keep-going", "-d", str(out) + ".doctrees"]
    return sphinx([*options, str(SOURCES), str(out)]) == 0
