"""The build hook: what is asked for, the compiler's options, and kernels for other machines."""

import hashlib
import importlib.util
import json
import os
import re
import runpy
import shutil
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from command_runs import run_program

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="wheels of Linux are built here")
pytest.importorskip("hatchling")


def hook_module():
    path = ROOT / "tools/build_kernel.py"
    spec = importlib.util.spec_from_file_location("build_kernel", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def hook_of(tmp_path, told):
    class App:
        display_info = staticmethod(told.append)

    core = SimpleNamespace(name="uriparse", dependencies=["lark>=1"], license_expression="MIT")
    project = SimpleNamespace(core=core, version="1")
    return hook_module().KernelHook(str(ROOT), {}, None, project, str(tmp_path), "wheel", App())


@pytest.fixture
def build(tmp_path, monkeypatch):
    """Return a function that builds a kernel in an environment, and what it said."""
    for name in ("CC", "CFLAGS", "CPPFLAGS", "LDFLAGS", "URIPARSE_PURE", "URIPARSE_KERNEL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("_PYTHON_HOST_PLATFORM", raising=False)

    def built(**environment):
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        told, data = [], {"force_include": {}}
        hook_of(tmp_path, told).initialize("standard", data)
        return data, "".join(told)

    return built


@pytest.fixture
def compiler(tmp_path):
    """Return the path of a compiler for another machine, which notes its options."""
    path = tmp_path / "other-gcc"
    path.write_text(
        f"#!{sys.executable}\n"
        "import json, pathlib, sys\n"
        "if '-dumpmachine' in sys.argv:\n"
        "    sys.exit(print('aarch64-linux-gnu'))\n"
        "pathlib.Path(sys.argv[0] + '.json').write_text(json.dumps(sys.argv[1:]))\n"
        "pathlib.Path(sys.argv[-1]).write_bytes(b'no library of this machine')\n"
    )
    path.chmod(0o755)
    return path


def test_a_kernel_that_is_required_and_cannot_be_built_stops_the_build(build):
    said = "uriparse's C kernel is required, but CC is /no/cc, which is not there"
    with pytest.raises(RuntimeError, match=said):
        build(URIPARSE_KERNEL="require", CC="/no/cc")
    data, told = build(URIPARSE_KERNEL="auto")
    assert data["force_include"] == {}
    assert told == "uriparse without its C kernel: CC is /no/cc, which is not there"
    with pytest.raises(ValueError, match='URIPARSE_KERNEL is "maybe"; it can be auto, require, no'):
        build(URIPARSE_KERNEL="maybe")


def test_no_kernel_is_built_where_none_is_wanted(build, compiler):
    data, told = build(URIPARSE_KERNEL="none", CC=str(compiler))
    assert data["force_include"] == {}
    assert told == "uriparse without its C kernel: URIPARSE_KERNEL is none"
    assert not compiler.with_name("other-gcc.json").exists()


def test_what_is_built_for_another_machine_is_not_loaded(build, compiler):
    data, _ = build(URIPARSE_KERNEL="require", CC=f"{compiler} -pipe", CFLAGS="-O1 -I/other")
    assert data["tag"] == "cp311-abi3-linux_aarch64"
    options = json.loads(compiler.with_name("other-gcc.json").read_text())
    assert options[0] == "-pipe"
    assert options.index("-O3") < options.index("-O1")  # the last one counts
    own = next(at for at, one in enumerate(options) if one.startswith("-I") and one != "-I/other")
    assert options.index("-I/other") < own
    data, _ = build(LDFLAGS="-Wl,-s", _PYTHON_HOST_PLATFORM="linux-riscv64")
    assert data["tag"] == "cp311-abi3-linux_riscv64"
    options = json.loads(compiler.with_name("other-gcc.json").read_text())
    assert options[-3:-1] == ["-Wl,-s", "-o"]


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("readelf"), reason="binutils are not installed")
def test_kernels_are_hardened_and_look_for_no_library_of_this_machine(build):
    data, told = build(URIPARSE_KERNEL="auto")
    if "Python.h" in told or "no C compiler" in told:
        pytest.skip(told)
    symbols = ""
    for kernel in data["force_include"]:
        read = ["readelf", "--wide", "--dynamic", "--program-headers", "--dyn-syms", kernel]
        shown = run_program(*read).stdout
        symbols += shown
        assert "RUNPATH" not in shown
        assert "RPATH" not in shown
        assert "GNU_RELRO" in shown
        assert "BIND_NOW" in shown  # with the last: full RELRO
        assert "__stack_chk_fail" in shown
        assert not re.search(r"GNU_STACK.* RWE ", shown)
    assert "__memcpy_chk" in symbols  # of _FORTIFY_SOURCE


@pytest.mark.slow
def test_a_wheel_has_a_bill_of_what_is_in_it(build):
    data, _ = build(URIPARSE_KERNEL="auto")
    (path,) = data["sbom_files"]
    bom = json.loads(Path(path).read_text("utf-8"))
    assert (bom["bomFormat"], bom["specVersion"]) == ("CycloneDX", "1.6")
    assert bom["metadata"]["component"]["purl"] == "pkg:pypi/uriparse@1"
    *files, lark = bom["components"]
    assert {file["name"] for file in files} == set(data["force_include"].values())
    for file, made in zip(files, data["force_include"], strict=True):
        digest = hashlib.sha256(Path(made).read_bytes()).hexdigest()
        assert file["hashes"] == [{"alg": "SHA-256", "content": digest}]
    assert lark["properties"] == [{"name": "uriparse:requirement", "value": "lark>=1"}]
    assert bom["dependencies"] == [{"ref": "pkg:pypi/uriparse@1", "dependsOn": ["pkg:pypi/lark"]}]


@pytest.fixture
def home(tmp_path):
    """Return a folder with a copy of the sources, an empty one for TMPDIR, and an environment."""
    left_out = shutil.ignore_patterns(".*", "*.so", "__pycache__")
    (tmp_path / "temporary").mkdir()
    shutil.copytree(ROOT, tmp_path / "sources", ignore=left_out)
    venv.create(tmp_path / "venv")
    (packages,) = tmp_path.glob("venv/lib/*/site-packages")
    seen = [path for path in sys.path if "site-packages" in path]  # pip and hatchling
    (packages / "seen.pth").write_text("\n".join(seen))
    return tmp_path


def test_a_kernel_of_other_sources_is_left_out_with_a_warning(tmp_path, monkeypatch):
    hook, name = hook_module(), "uriparse._native._kernel"
    for wing in hook.KERNELS:
        (tmp_path / wing).mkdir(parents=True)
        (tmp_path / wing / "a.h").write_text("#define A 1")
    (tmp_path / "_kernel.abi3.so").touch()
    finder = tmp_path / "__init__.py"
    finder.write_text(hook.editable_files(tmp_path)["_uriparse_kernels/__init__.py"])
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    kernels, wing = runpy.run_path(str(finder))["Kernels"], tmp_path / "uriparse/_native"
    assert kernels.find_spec(name, [str(wing)]).origin == str(tmp_path / "_kernel.abi3.so")
    (wing / "a.h").write_text("#define A 2")
    with pytest.warns(RuntimeWarning, match=f"other C sources; run `.* install -e {tmp_path}`"):
        assert kernels.find_spec(name, [str(wing)]) is None


def listing(folder):
    return {path for path in folder.rglob("*") if "__pycache__" not in path.parts}


def run(home, *arguments):
    environment = {**os.environ, "TMPDIR": str(home / "temporary"), "URIPARSE_KERNEL": "auto"}
    environment.pop("URIPARSE_ENGINE", None)
    command = [home / "venv/bin/python", *arguments]
    done = run_program(*command, cwd=home, env=environment, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


@pytest.mark.slow
@pytest.mark.parametrize("options", [[], pytest.param(["-e"], marks=pytest.mark.long)])
def test_what_pip_installs_it_removes(home, options):
    if options:
        pytest.importorskip("editables")  # the build requirement of editable wheels
    before = listing(home)
    pip = ["-m", "pip", "--disable-pip-version-check"]
    built = [*pip, "install", "--no-build-isolation", "--no-deps", "--ignore-installed"]
    run(home, *built, *options, home / "sources")
    place = "import uriparse as u; print(u.implementation, u.__file__)"
    implementation, file = run(home, "-c", place).split()
    has_headers = (Path(sysconfig.get_paths()["include"]) / "Python.h").is_file()
    assert implementation == ("native" if has_headers and shutil.which("cc") else "python")
    assert Path(file).is_relative_to(home / "sources") is bool(options)
    assert list((home / "temporary").iterdir()) == []
    if options:
        (home / "sources/uriparse/_native/rule.c").write_text("/* of a later revision */")
        assert run(home, "-c", place).split()[0] == "python"
    run(home, *pip, "uninstall", "-y", "uriparse")
    assert listing(home) == before


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("aarch64-linux-gnu-gcc"), reason="needs that compiler")
def test_a_cross_compiler_makes_a_wheel_for_its_machine(tmp_path):
    environment = {**os.environ, "CC": "aarch64-linux-gnu-gcc", "URIPARSE_KERNEL": "require"}
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(tmp_path)]
    run_program(*command, str(ROOT), env=environment, text=False)
    (wheel,) = tmp_path.glob("*-cp311-abi3-linux_aarch64.whl")
    with zipfile.ZipFile(wheel) as files:
        library = files.read("uriparse/_native/_kernel.abi3.so")
    assert library[:4] == b"\x7fELF"
    assert int.from_bytes(library[18:20], "little") == 183  # EM_AARCH64 of the ELF specification
