"""Build hook of the wheel: C kernels where there is a compiler for them, a pure wheel elsewhere.

They keep to the limited API, so that one wheel serves every CPython from 3.11 on. The environment
of the build decides:

URIPARSE_KERNEL: "auto" builds kernels if it can (the default), so that no installation fails for
    want of a compiler; "require" fails without them; "none" makes a pure wheel.
CC, CPPFLAGS, CFLAGS, LDFLAGS: the compiler and its options, which come after ours and so win.
_PYTHON_HOST_PLATFORM: the platform of the wheel, as cross-compiling tools set it. A compiler for
    another machine is noticed without it, and what it makes is not loaded here.
"""

from __future__ import annotations

import atexit
import hashlib
import inspect
import json
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

KERNELS = {
    "uriparse/_native": "uriparse/_native/_kernel.abi3.so",
    "tools/abnf2lark/_native": "abnf2lark/_native/_engine.abi3.so",
}
"""By the folder of its sources, where each is in a wheel."""
FINDER = """'Finds the kernels of an editable installation, for its sources. PYTEST_DONT_REWRITE'
import os, sys

class Kernels:
    @staticmethod
    def find_spec(name, path=None, target=None):
        place, built_from = PLACES.get(name, ("", ""))
        if place not in map(os.path.realpath, path or ()):
            return None
        from importlib.machinery import PathFinder
        spec = PathFinder.find_spec(name, [os.path.dirname(__file__)])
        if spec is None or digest_of(place) == built_from:
            return spec
        from warnings import warn
        said = "is left out: it was built from other C sources; run `python -m pip install -e"
        warn(f"the C kernel {name} {said} {ROOT}`", RuntimeWarning)

sys.meta_path.append(Kernels)
"""


def digest_of(folder: str) -> str:
    """Return a digest of the C sources in a folder, as Python makes them of its own for .pyc files.

    Its text is part of the finder too: an old kernel would misread what the Python sources of
    today pack for it. It takes 0.6 ms, first 1.5; mtimes are new in caches that copy old kernels.
    """
    from _imp import source_hash  # noqa: PLC0415 - built in: to import zlib takes 0.4 ms

    found = b""
    for name in sorted(os.listdir(folder)):  # noqa: PTH208 - pathlib is not loaded
        if name.endswith((".c", ".h")) and not name.startswith("."):
            with open(os.path.join(folder, name), "rb") as file:  # noqa: PTH118, PTH123 - same
                found += file.read()
    return source_hash(0, found).hex()


def editable_files(root: Path) -> dict[str, str]:
    """Return the files of an editable installation, which pip removes, unlike kernels in a tree."""
    folders = {name: os.path.realpath(root / wing) for wing, name in KERNELS.items()}
    places = {
        name.partition(".")[0].replace("/", "."): (folder, digest_of(folder))
        for name, folder in folders.items()
    }
    facts = f"ROOT = {str(root)!r}\nPLACES = {places!r}\n"
    return {
        "_uriparse_kernels.pth": "import _uriparse_kernels",
        "_uriparse_kernels/__init__.py": f"{FINDER}\n{inspect.getsource(digest_of)}\n{facts}",
    }


WISHES = ("auto", "require", "none")
WHEEL_NAMES = {"arm": "armv7l", "powerpc64le": "ppc64le"}
"""Processors that wheels call otherwise than compilers do."""
_LIMITED = "-DPy_LIMITED_API=0x030B0000"
HARDENED = ("-fstack-protector-strong", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=3")
"""An overflow of a buffer ends the process, should there be one."""
BOUND = ("-Wl,-z,relro", "-Wl,-z,now")
"""Addresses of functions cannot be written to after loading (full RELRO)."""
_TRY = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location(sys.argv[2], sys.argv[1])
spec.loader.exec_module(importlib.util.module_from_spec(spec))
"""


class KernelHook(BuildHookInterface[Any]):
    """Adds the kernels to a wheel, and to an editable one what finds them."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the kernels, and say of what kind the wheel is."""
        wish = os.environ.get("URIPARSE_KERNEL") or "auto"
        if wish not in WISHES:
            raise ValueError(f'URIPARSE_KERNEL is "{wish}"; it can be {", ".join(WISHES)}')
        hindered = hindrance(wish)
        reasons: dict[str, None] = {}
        is_editable = version == "editable"
        included = build_data["force_include_editable" if is_editable else "force_include"]
        folder = Path(tempfile.mkdtemp(prefix="uriparse-"))
        # After the build, or its failure.
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        if is_editable:
            for name, text in editable_files(Path(self.root)).items():
                place = folder / Path(name).name
                place.write_text(text, "utf-8")
                included[str(place)] = name
        for wing, name in KERNELS.items():
            place, own = folder / Path(name).name, Path(self.root) / wing
            if is_editable:  # a kernel of an old build would go on being used
                (own / place.name).unlink(missing_ok=True)
            reason = hindered or build(own, place)
            if reason and wish == "require":
                raise RuntimeError(f"uriparse's C kernel is required, but {reason}")
            if reason:
                reasons[reason] = None
                continue
            build_data["pure_python"] = False
            build_data["tag"] = f"cp311-abi3-{platform().replace('-', '_').replace('.', '_')}"
            included[str(place)] = f"_uriparse_kernels/{place.name}" if is_editable else name
        if not is_editable:
            bom = folder / "uriparse.cdx.json"
            kernels = {name: folder / Path(name).name for name in KERNELS.values()}
            bom.write_text(bill_of_materials(self.metadata, kernels), "utf-8")
            build_data.setdefault("sbom_files", []).append(str(bom))
        for reason in reasons:
            self.app.display_info(f"uriparse without its C kernel: {reason}")


def bill_of_materials(metadata: Any, kernels: dict[str, Path]) -> str:
    """Return what a wheel consists of and needs, in CycloneDX's JSON (PEP 770)."""
    core = metadata.core
    components: list[dict[str, Any]] = [
        {
            "type": "file",
            "name": name,
            "hashes": [
                {"alg": "SHA-256", "content": hashlib.sha256(made.read_bytes()).hexdigest()}
            ],
        }
        for name, made in kernels.items()
        if made.is_file()
    ]
    for requirement in core.dependencies:
        purl = f"pkg:pypi/{requirement.partition('>=')[0]}"
        component = {"type": "library", "name": purl.rpartition("/")[2], "bom-ref": purl}
        asked = [{"name": "uriparse:requirement", "value": requirement}]
        components.append(component | {"purl": purl, "scope": "required", "properties": asked})
    own = f"pkg:pypi/{core.name}@{metadata.version}"
    bom = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "bom-ref": own,
                "name": core.name,
                "version": metadata.version,
                "purl": own,
                "licenses": [{"expression": core.license_expression}],
            }
        },
        "components": components,
        "dependencies": [
            {"ref": own, "dependsOn": [c["bom-ref"] for c in components if "bom-ref" in c]}
        ],
    }
    return json.dumps(bom, indent=1) + "\n"


def hindrance(wish: str = "auto") -> str:
    """Say why no kernel is to be built here; "" if one is."""
    if wish == "none":
        return "URIPARSE_KERNEL is none"
    if os.environ.get("URIPARSE_PURE", "0") not in ("", "0"):
        return "URIPARSE_PURE is set"
    if sys.implementation.name != "cpython":
        return f"it is for CPython, not for {sys.implementation.name}"
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        return "it needs the GIL"
    if os.name != "posix":
        return f"it is not built on {sys.platform}"
    if not (Path(sysconfig.get_paths()["include"]) / "Python.h").is_file():
        return "Python.h is not there"
    return ""


def build(wing: Path, place: Path) -> str:
    """Compile a kernel, and try whether it can be loaded; say what went wrong, or ""."""
    linker = shlex.split(str(sysconfig.get_config_var("LDSHARED") or "cc -shared"))
    compiler = _compiler()
    if not compiler:
        asked = os.environ.get("CC")
        return f"CC is {asked}, which is not there" if asked else "there is no C compiler"
    position = shlex.split(str(sysconfig.get_config_var("CCSHARED") or "-fPIC"))
    include = f"-I{sysconfig.get_paths()['include']}"
    sources = sorted(map(str, wing.glob("*.c")))
    # A kernel looks for no libraries where the Python of the build has them.
    linking = [word for word in linker[1:] if not word.startswith("-Wl,-rpath")]
    linking += BOUND if sys.platform == "linux" else ()
    command = [*compiler, *linking, *position, "-O3", "-fvisibility=hidden", *HARDENED, _LIMITED]
    # An include directory of CFLAGS comes first: that of the Python which the kernel is for.
    command += [*_flags("CPPFLAGS"), *_flags("CFLAGS"), include, *sources, *_flags("LDFLAGS")]
    reason = _failure([*command, "-o", str(place)])
    is_cross = "_PYTHON_HOST_PLATFORM" in os.environ
    if reason or is_cross or _is_for_another_machine(compiler):
        return reason
    return _failure([sys.executable, "-c", _TRY, str(place), place.name.partition(".")[0]])


def platform() -> str:
    """Return the platform that the kernel is for, as `sysconfig.get_platform` writes it.

    Without _PYTHON_HOST_PLATFORM, which that function reads, it follows the compiler.
    """
    compiler = _compiler()
    if "_PYTHON_HOST_PLATFORM" in os.environ or not _is_for_another_machine(compiler):
        return sysconfig.get_platform()
    target = _target(compiler)
    return f"linux-{WHEEL_NAMES.get(target, target)}"


def _compiler() -> list[str]:
    """Return the command of the C compiler: CC, which may have options, or the first one found."""
    linker = shlex.split(str(sysconfig.get_config_var("LDSHARED") or "cc"))
    asked = shlex.split(os.environ.get("CC", ""))
    if asked:
        return asked if shutil.which(asked[0]) else []
    return next(([one] for one in (linker[0], "cc", "gcc", "clang") if shutil.which(one)), [])


def _flags(name: str) -> list[str]:
    return shlex.split(os.environ.get(name, ""))


def _is_for_another_machine(compiler: list[str]) -> bool:
    """Whether a compiler says that it compiles for another processor than this Python's."""
    own = str(sysconfig.get_config_var("HOST_GNU_TYPE") or "").partition("-")[0]
    target = _target(compiler)
    return sys.platform == "linux" and bool(own and target) and own != target


def _target(compiler: list[str]) -> str:
    """Return the processor that a compiler compiles for; "" if it does not say so."""
    if not compiler:
        return ""
    try:
        done = subprocess.run(  # noqa: S603 - the compiler
            [*compiler, "-dumpmachine"], capture_output=True, text=True, check=False, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    name = done.stdout.strip().partition("-")[0]
    return name if done.returncode == 0 else ""


def _failure(command: list[str]) -> str:
    """Run a command; say what it said last if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)  # noqa: S603 - the compiler, or this Python
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    lines = done.stderr.strip().splitlines() or [f"it ended with {done.returncode}"]
    return "" if done.returncode == 0 else f"{Path(command[0]).name}: {lines[-1]}"
