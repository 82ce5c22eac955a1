"""What a release needs: settings of its owner, and a rehearsal with files that were built here.

    python -m tools.release --check    whether the settings are filled in; exit status 1 if not
    python -m tools.release            rehearse: build, check, install from an index, test

The settings are in pyproject.toml, under [tool.uriparse.release]. The rehearsal needs what
`pip install --group release` installs, pinned by .github/release-tools.txt, and writes to
temporary folders alone.
"""

from __future__ import annotations

import argparse
import functools
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import threading
import tomllib
import venv
import zipfile
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

ROOT = Path(__file__).resolve().parents[1]
NEEDED = {
    "home": "the address of the repository, https://…",
    "contact": "who answers reports of vulnerabilities: an address for mail, or a form",
}


COMMIT = re.compile("[0-9a-f]{40}")


def settings(root: Path = ROOT) -> dict[str, str | bool]:
    """Return the settings: home, contact, and published, which says that an index has uriparse."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    found: dict[str, str | bool] = project["tool"]["uriparse"]["release"]
    return found


def missing(found: dict[str, str | bool]) -> list[str]:
    """Return what keeps a release from being made."""
    return [
        f'pyproject.toml: [tool.uriparse.release] {name} = "": write {what}'
        for name, what in NEEDED.items()
        if not found.get(name)
    ]


def unpinned(root: Path = ROOT) -> list[str]:
    """Return the actions of workflows that are not named by a commit."""
    files = sorted((root / ".github/workflows").glob("*.yml"))
    used = [(file, line.partition("uses: ")[2]) for file in files
            for line in file.read_text("utf-8").splitlines() if "uses: " in line]  # fmt: skip
    return [
        f"{file.relative_to(root)}: {action}: name a commit, of 40 digits, instead"
        for file, action in used
        if not COMMIT.fullmatch(action.partition("@")[2].partition(" ")[0])
    ]


def install_command(extra: str = "") -> str:
    """Return the command that installs uriparse today, as the pages show it."""
    where = "uriparse" if settings()["published"] else "."
    return f"pip install '{where}[{extra}]'" if extra else f"pip install {where}"


def run(*command: object, cwd: Path = ROOT, **environment: str) -> str:
    """Run a command; return what it prints, and end with its message if it fails."""
    done = subprocess.run(
        [str(word) for word in command], cwd=cwd, env=os.environ | environment, text=True,
        capture_output=True, check=False,
    )  # fmt: skip
    if done.returncode:
        print(done.stdout[-6000:], done.stderr[-6000:], sep="\n", file=sys.stderr)
        raise SystemExit(f"failed: {' '.join(str(word) for word in command)}")
    return done.stdout


def tool(name: str) -> Path:
    """Return a program that is installed beside this Python."""
    return Path(sys.executable).with_name(name)


def built(folder: Path) -> tuple[Path, Path]:
    """Build the source archive, and from it the wheel with kernels."""
    build = (sys.executable, "-m", "build", "--no-isolation", "--outdir", folder)
    run(*build, URIPARSE_KERNEL="require")
    (archive,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return archive, wheel


def checked(archive: Path, wheel: Path) -> None:
    """Ask the tools that know what an index and a platform expect."""
    run(sys.executable, "-m", "twine", "check", "--strict", archive, wheel)
    run(tool("validate-pyproject"), "pyproject.toml")
    run(tool("abi3audit"), "--strict", wheel)
    run(tool("check-manifest"))
    with zipfile.ZipFile(wheel) as files:
        boms = [name for name in files.namelist() if ".dist-info/sboms/" in name]
        assert boms, "the wheel has no bill of materials"


def index(folder: Path, files: Sequence[Path]) -> None:
    """Lay out a simple index (PEP 503) of the files."""
    place = folder / "simple/uriparse"
    place.mkdir(parents=True)
    for file in files:
        (place / file.name).write_bytes(file.read_bytes())
    links = "".join(f'<a href="{file.name}">{file.name}</a>\n' for file in files)
    (place / "index.html").write_text(f"<!DOCTYPE html>\n{links}", "utf-8")


def serving(folder: Path) -> tuple[str, Callable[[], None]]:
    """Serve a folder on the loopback interface; return its address, and what ends that."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/simple/", server.shutdown


def older(archive: Path, folder: Path) -> Path:
    """Build a wheel of an earlier version from the same sources, to upgrade from."""
    with tarfile.open(archive) as files:
        files.extractall(folder, filter="data")
    (source,) = folder.iterdir()
    project = source / "pyproject.toml"
    text = project.read_text("utf-8")
    version = tomllib.loads(text)["project"]["version"]
    project.write_text(text.replace(f'version = "{version}"', 'version = "0.0.1"', 1), "utf-8")
    out = folder / "out"
    build = (sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", out)
    run(*build, source, URIPARSE_KERNEL="none")
    (wheel,) = out.glob("*.whl")
    return wheel


def installed(address: str, folder: Path, version: str) -> None:
    """Install from the index, upgrade, use and uninstall, by pip and by uv."""
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv/bin/python"
    pip = (python, "-m", "pip", "--disable-pip-version-check")
    ours = ("--extra-index-url", address)
    run(*pip, "install", "-q", *ours, "uriparse==0.0.1")
    assert "Version: 0.0.1" in run(*pip, "show", "uriparse")
    run(*pip, "install", "-q", *ours, "--upgrade", "uriparse")
    assert f"Version: {version}" in run(*pip, "show", "uriparse")
    assert version in run(folder / "venv/bin/uriparse", "--version", cwd=folder)
    native = "import uriparse; print(uriparse.implementation)"
    assert run(python, "-c", native, cwd=folder).strip() == "native"
    run(*pip, "check")
    run(*pip, "uninstall", "-q", "-y", "uriparse")
    left = [*folder.glob("venv/lib/*/site-packages/*uriparse*"), *folder.glob("venv/bin/*uri*")]
    assert not left, f"left behind: {left}"
    uv = {"UV_CACHE_DIR": f"{folder}/uv", "UV_TOOL_DIR": f"{folder}/tools"}
    once = run(
        tool("uvx"), "--python", sys.executable, "--index", address, "uriparse", "http://h/a",
        cwd=folder, **uv,
    )  # fmt: skip
    assert once.startswith("http://h/a"), once


def tested(archive: Path, folder: Path) -> None:
    """Run the tests of the unpacked source archive in an environment of its own."""
    with tarfile.open(archive) as files:
        files.extractall(folder, filter="data")
    (source,) = folder.iterdir()
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv/bin/python"
    run(python, "-m", "pip", "install", "-q", "--upgrade", "pip")
    run(python, "-m", "pip", "install", "-q", "-e", ".", "--group", "test", cwd=source)
    run(python, "-m", "pytest", "-q", cwd=source)


def rehearse() -> Iterator[str]:
    """Do all that a release does but publish; yield what is done."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        for part in ("dist", "older", "installed", "tests"):
            (place / part).mkdir()
        archive, wheel = built(place / "dist")
        yield f"built {archive.name} and {wheel.name}"
        checked(archive, wheel)
        yield "twine, validate-pyproject, abi3audit and check-manifest find nothing"
        index(place, [archive, wheel, older(archive, place / "older")])
        address, end = serving(place)
        installed(address, place / "installed", version)
        end()
        yield "installed, upgraded and removed by pip, and run by uvx, from an index on loopback"
        tested(archive, place / "tests")
        yield "the tests pass from the unpacked source archive"


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tools.release", description=__doc__)
    parser.add_argument("--check", action="store_true", help="only the settings of the owner")
    if parser.parse_args().check:
        for problem in (found := [*missing(settings()), *unpinned()]):
            print(problem, file=sys.stderr)
        return bool(found)
    for done in rehearse():
        print(done, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
