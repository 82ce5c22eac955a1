"""The files of the playground, in one script: pages opened from the file system may load that."""

from __future__ import annotations

import base64
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
PARTS = "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json"
ARCHIVES = "python_stdlib", "packages"
COMPILE = """
const [pyodide, folder] = process.argv.slice(1);
const { loadPyodide } = await import(pyodide);
const python = await loadPyodide();
python.mountNodeFS("/mnt", folder);
python.runPython(`
import compileall, py_compile
options = {"legacy": True, "quiet": 2, "optimize": 2, "stripdir": "/mnt"}
options["invalidation_mode"] = py_compile.PycInvalidationMode.UNCHECKED_HASH
compileall.compile_dir("/mnt", **options)
`);
"""
"""Modules are compiled by the Python that runs them: in the browser, half of its start was that."""


def write(pyodide: Path, out: Path) -> None:
    """Write Pyodide, the pure wheel of uriparse, those it needs, and what the page runs."""
    with tempfile.TemporaryDirectory() as name:
        library, packages = (Path(name, archive) for archive in ARCHIVES)
        shutil.unpack_archive(pyodide / "python_stdlib.zip", library)
        pip = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check", "install"]
        pip += ["--no-compile", "--target", str(packages), str(HERE.parents[1])]
        pure = {**os.environ, "URIPARSE_KERNEL": "none"}
        subprocess.run(pip, check=True, env=pure)  # noqa: S603 - our own
        shutil.copy(HERE / "playground.py", packages)
        node = ["node", "--input-type=module", "--eval", COMPILE, "--"]
        node += [(pyodide / PARTS[0]).resolve().as_uri(), name]
        subprocess.run(node, check=True)  # noqa: S603 - same
        for source in Path(name).rglob("*.py"):
            source.unlink()
        files = [pyodide / part for part in PARTS]
        files += [
            Path(shutil.make_archive(f"{name}/{one}", "zip", f"{name}/{one}")) for one in ARCHIVES
        ]
        texts = {
            file.name: base64.b64encode(gzip.compress(file.read_bytes())).decode() for file in files
        }
    out.write_text(f"globalThis.playgroundFiles = {json.dumps(texts)};\n", encoding="utf-8")
