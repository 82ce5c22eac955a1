"""The kernel's tests pass under the sanitizers of the compiler."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from paths import ROOT

COMPILER = shutil.which("gcc") or ""
FLAGS = ("-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
RUN = """
import importlib.util, sys
name = "uriparse._native._kernel"
spec = importlib.util.spec_from_file_location(name, sys.argv.pop(1))
kernel = sys.modules[name] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(kernel)
import pytest, uriparse._native
uriparse._native._kernel = kernel
assert uriparse._native.kernel is kernel
sys.exit(pytest.main(sys.argv[1:]))
"""


def library():
    """Return the run-time library of the sanitizer, which must be loaded first; "" for none."""
    if not COMPILER or not (Path(sysconfig.get_paths()["include"]) / "Python.h").is_file():
        return ""
    command = [COMPILER, "-print-file-name=libasan.so"]
    found = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    return found if Path(found).is_absolute() else ""


@pytest.mark.oracle
@pytest.mark.skipif(not library(), reason="there is no compiler with sanitizers")
def test_the_tests_of_the_kernel_pass_under_sanitizers(tmp_path):
    place = tmp_path / "_kernel.abi3.so"
    include = f"-I{sysconfig.get_paths()['include']}"
    sources = sorted((ROOT / "uriparse/_native").glob("*.c"))
    command = [COMPILER, "-shared", "-fPIC", *FLAGS, "-DPy_LIMITED_API=0x030B0000", include]
    subprocess.run([*command, *sources, "-o", place], check=True)
    # Engines that throw exceptions of C++ do not run under these.
    columns = [
        f"tests/columns/test_{name}.py"
        for name in ("arrow", "policies", "rewriting", "polars_functions")
    ]
    tests = ["tests/native", *columns, "-qq", "-n0", "-m", "not oracle"]
    tests += ["-k", "not memory", "-p", "no:cacheprovider"]  # freed memory is kept for a while
    done = subprocess.run(
        [sys.executable, "-c", RUN, place, *tests],
        cwd=ROOT,
        env={
            **os.environ,
            "LD_PRELOAD": library(),
            "ASAN_OPTIONS": "detect_leaks=0",  # Python keeps what it has to its end
            "PYTHONMALLOC": "malloc",
            "URIPARSE_PURE": "0",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
