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
import importlib, importlib.util, sys
place, name = sys.argv.pop(1), sys.argv.pop(1)
spec = importlib.util.spec_from_file_location(name, place)
module = sys.modules[name] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
import pytest
wing = importlib.import_module(name.rpartition(".")[0])
setattr(wing, name.rpartition(".")[2], module)
assert getattr(wing, "kernel", None) is module or wing.native is module.Engine
sys.exit(pytest.main(sys.argv[1:]))
"""
# Engines that throw exceptions of C++ do not run under these.
COLUMNS = ("arrow", "policies", "rewriting")
KERNELS = {
    "uriparse._native._kernel": (
        "uriparse/_native",
        ["tests/native", *(f"tests/columns/test_{name}.py" for name in COLUMNS)],
    ),
    "abnf2lark._native._engine": ("tools/abnf2lark/_native", ["tests/abnf2lark/charts"]),
}


def library():
    """Return the run-time library of the sanitizer, which must be loaded first; "" for none."""
    if not COMPILER or not (Path(sysconfig.get_paths()["include"]) / "Python.h").is_file():
        return ""
    command = [COMPILER, "-print-file-name=libasan.so"]
    found = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    return found if Path(found).is_absolute() else ""


@pytest.mark.oracle
@pytest.mark.skipif(not library(), reason="there is no compiler with sanitizers")
@pytest.mark.parametrize("name", KERNELS)
def test_the_tests_of_the_kernels_pass_under_sanitizers(tmp_path, name):
    place = tmp_path / f"{name.rpartition('.')[2]}.abi3.so"
    include = f"-I{sysconfig.get_paths()['include']}"
    folder, tests = KERNELS[name]
    command = [COMPILER, "-shared", "-fPIC", *FLAGS, "-DPy_LIMITED_API=0x030B0000", include]
    subprocess.run([*command, *sorted((ROOT / folder).glob("*.c")), "-o", place], check=True)
    tests = [*tests, "-qq", "-n0", "-m", "not oracle"]
    tests += ["-k", "not memory", "-p", "no:cacheprovider"]  # freed memory is kept for a while
    # The plugin of the package is found after the package itself was imported.
    tests += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
    done = subprocess.run(
        [sys.executable, "-c", RUN, place, name, *tests], cwd=ROOT,
        env={
            **os.environ,
            "LD_PRELOAD": library(),
            "ASAN_OPTIONS": "detect_leaks=0",  # Python keeps what it has to its end
            "PYTHONMALLOC": "malloc",
            "URIPARSE_PURE": "0",
        },
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
