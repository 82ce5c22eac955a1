"""No public name or signature changes unseen: all of them are in a file, and in the change log."""

import sys
from importlib import import_module
from importlib.util import find_spec

import pytest
from documentation.pages import documented
from paths import ROOT

from tools.docs.api import SNAPSHOT, entries, lines, modules, names

REMEDY = "run python -m tools.docs.api, and say in tools/docs/changelog.md what changed"
OPTIONAL = "click daft datafusion django duckdb jsonschema polars pydantic pyspark sqlalchemy"


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="other releases write types otherwise")
def test_the_snapshot_has_every_public_name():
    missing = [f"uriparse.extra.{one}" for one in OPTIONAL.split() if not find_spec(one)]
    kept = SNAPSHOT.read_text("utf-8").splitlines()
    found = [*lines()]
    assert len(found) > 1000
    if not missing:
        absent = [line for line in kept if line not in found]
        assert absent == [], REMEDY
    assert [line for line in found if line not in kept] == [], REMEDY


def test_every_documented_module_says_what_is_public():
    """By an `__all__`, which has each name that the reference describes."""
    listed = {module: {name for name, _ in names(module)} for module in modules()}
    for directive, module, name in documented():
        if directive.startswith("auto") and listed.get(module):
            assert name in listed[module], f"{module}.{name}"
        assert module in listed or not hasattr(import_module(module), "__all__")


def test_the_page_has_every_function_with_its_errors():
    shown = "\n".join(entries())
    assert (
        "`parse(text: Text, rule: str | None = None, *, grammar: str = 'rfc3986') -> URI" in shown
    )
    assert shown.count("\n: ") > 300
    assert "Errors: `TypeError`, `URISyntaxError`, `UnknownRuleError`." in shown
    assert (ROOT / "tools/docs/reference/names.md").read_text("utf-8").count("{public-names}") == 1
