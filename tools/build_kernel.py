"""Build hook of the wheel: the C kernel where there is a compiler for it, a pure wheel elsewhere.

Nothing of this can make an installation fail: without the kernel everything is done in Python. The
kernel keeps to the limited API, so that one wheel serves every CPython from 3.11 on.
URIPARSE_PURE=1 asks for a pure wheel.
"""

from __future__ import annotations

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

WING = "uriparse/_native"
NAME = "_kernel.abi3.so"
_LIMITED = "-DPy_LIMITED_API=0x030B0000"
_TRY = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("_kernel", sys.argv[1])
spec.loader.exec_module(importlib.util.module_from_spec(spec))
"""


class KernelHook(BuildHookInterface[Any]):
    """Adds the kernel to a wheel, or puts it into the source tree of an editable one."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the kernel, and say of what kind the wheel is."""
        wing = Path(self.root) / WING
        place = wing / NAME
        if version == "editable":
            place.unlink(missing_ok=True)  # an old one would go on being used
        else:
            place = Path(tempfile.mkdtemp(prefix="uriparse-")) / NAME
        reason = hindrance() or build(wing, place)
        if reason:
            self.app.display_info(f"uriparse without its C kernel: {reason}")
            return
        build_data["pure_python"] = False
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"cp311-abi3-{platform}"
        if version != "editable":
            build_data["force_include"][str(place)] = f"{WING}/{NAME}"


def hindrance() -> str:
    """Say why no kernel is to be built here; "" if one is."""
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
    """Compile the kernel, and try whether it can be loaded; say what went wrong, or ""."""
    linker = shlex.split(str(sysconfig.get_config_var("LDSHARED") or "cc -shared"))
    compilers = [os.environ.get("CC"), linker[0], "cc", "gcc", "clang"]
    found = next((one for name in compilers if name and (one := shutil.which(name))), None)
    if found is None:
        return "there is no C compiler"
    position = shlex.split(str(sysconfig.get_config_var("CCSHARED") or "-fPIC"))
    include = f"-I{sysconfig.get_paths()['include']}"
    sources = sorted(map(str, wing.glob("*.c")))
    command = [found, *linker[1:], *position, "-O3", "-fvisibility=hidden", _LIMITED, include]
    return _failure([*command, *sources, "-o", str(place)]) or _failure(
        [sys.executable, "-c", _TRY, str(place)]
    )


def _failure(command: list[str]) -> str:
    """Run a command; say what it said last if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)  # noqa: S603 - the compiler, or this Python
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    lines = done.stderr.strip().splitlines() or [f"it ended with {done.returncode}"]
    return "" if done.returncode == 0 else f"{Path(command[0]).name}: {lines[-1]}"
