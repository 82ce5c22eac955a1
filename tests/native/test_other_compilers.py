"""The C sources compile for other systems, by another compiler, without a warning.

Clang is that of ziglang, which has the headers of each system. What it makes is not run.
"""

import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

pytestmark = pytest.mark.oracle
pytest.importorskip("ziglang", reason="ziglang is not installed")
ROOT = Path(__file__).parents[2]
SOURCES = [
    path
    for wing in ("uriparse", "tools/abnf2lark")
    for path in (ROOT / wing / "_native").glob("*.c")
]
LIMITED = "-DPy_LIMITED_API=0x030B0000"
OPTIONS = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-O2", "-fPIC", LIMITED, "-c"]
SYSTEMS = {
    "x86_64-linux-gnu.2.17": (),  # of manylinux2014
    "x86_64-linux-musl": (), "aarch64-linux-musl": (), "aarch64-macos": (),
    "x86_64-windows-gnu": ("-DMS_WINDOWS", "-Wno-unknown-attributes"),
}  # fmt: skip


def headers_for(system, folder):
    """Return a folder of Python's headers; for Windows without what only POSIX has."""
    own = Path(sysconfig.get_paths()["include"])
    if "windows" not in system:
        return [own]
    text = (own / "pyconfig.h").read_text()
    for posix in (r"HAVE_(SYS_)?\w+_H", "HAVE_CLOCK_GETTIME", "HAVE_STD_ATOMIC"):
        text = re.sub(f"#define {posix} 1", "", text)
    text = text.replace("SIZEOF_LONG 8", "SIZEOF_LONG 4").replace("WCHAR_T 4", "WCHAR_T 2")
    (folder / "pyconfig.h").write_text(text.replace("SIZEOF_PID_T 4", "SIZEOF_PID_T 8"))
    for header in own.rglob("*.h"):
        copy = folder / header.relative_to(own)
        copy.parent.mkdir(parents=True, exist_ok=True)
        if header.name != "pyconfig.h":
            copy.write_bytes(header.read_bytes())
    return [folder]


@pytest.mark.parametrize("system", SYSTEMS)
def test_sources_compile_for(system, tmp_path):
    include = [f"-isystem{path}" for path in headers_for(system, tmp_path)]
    for source in SOURCES:
        command = [sys.executable, "-m", "ziglang", "cc", "-target", system, *OPTIONS, *include]
        done = subprocess.run(
            [*command, *SYSTEMS[system], str(source), "-o", str(tmp_path / "made.o")],
            capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
