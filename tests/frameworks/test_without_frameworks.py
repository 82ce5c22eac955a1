"""Nothing of a framework is loaded before it is asked for, and what is missing is named."""

import subprocess
import sys

import pytest
from cases import each_case
from paths import FRAMEWORKS, PACKAGES

OTHERS = {"pydantic_core", "typer", "pyarrow", *PACKAGES.values()}
DISTRIBUTIONS = {"rest_framework": "djangorestframework"}


def run(code):
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_the_library_loads_no_framework():
    code = "import sys, uriparse as u; u.parse('a:'); u.validate('a:'); print(*sys.modules)"
    loaded = set(run(code).split())
    assert not loaded & {*FRAMEWORKS, *OTHERS, *(f"uriparse.extra.{name}" for name in FRAMEWORKS)}


@pytest.mark.slow
@each_case("name", FRAMEWORKS)
def test_a_framework_that_is_missing_is_named(name):
    if name == "rest_framework":
        pytest.importorskip("django", reason="Django, which is needed first, is not installed")
    package = PACKAGES.get(name, name)
    code = f"import sys; sys.modules[{package!r}] = None\ntry: import uriparse.extra.{name}\n"
    code += "except ImportError as error: print(type(error).__name__, error)"
    assert run(code) == (
        f"MissingPackageError uriparse.extra.{name} needs {package},"
        f" which is not installed: pip install {DISTRIBUTIONS.get(name, package)}\n"
    )
