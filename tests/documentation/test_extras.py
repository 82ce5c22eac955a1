"""The extras that users install: the table of them, and the modules that ask for their packages."""

import re
import tomllib

from cases import each_case
from paths import ROOT

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT, GROUPS = SETTINGS["project"], SETTINGS["dependency-groups"]
PAGE = (ROOT / "tools/docs/reference/integrations.md").read_text("utf-8")
ASKED = re.compile(r'MissingPackageError\("(\w+)", (?:__name__|"[^"]+")(?:, "(\w+)")?\)')


def distributions(extra):
    """The names of what an extra installs."""
    named = PROJECT["optional-dependencies"][extra]
    return {re.match(r"[\w-]+", one)[0] for one in named}


def test_the_table_has_every_extra_of_users():
    rows = re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE)
    listed = [name for row in rows for name in re.findall(r"`([\w-]+)`", row)]
    assert sorted(listed) == sorted(PROJECT["optional-dependencies"])


def test_contributing_has_the_groups_which_no_user_gets():
    page = (ROOT / "tools/docs/contributing.md").read_text("utf-8")
    assert [name for name in GROUPS if f"`{name}`" not in page] == []
    assert not set(GROUPS) & set(PROJECT["optional-dependencies"])


MODULES = sorted(
    path
    for path in (ROOT / "uriparse").rglob("*.py")
    if ASKED.search(path.read_text("utf-8")) and path.parent.name != "errors"
)


@each_case("path", MODULES)
def test_what_a_module_asks_for_is_in_its_extra(path):
    extra = {"rest_framework": "djangorestframework", "validation_written": "arrow"}.get(
        path.stem, path.stem
    )
    asked = {other or name for name, other in ASKED.findall(path.read_text("utf-8"))}
    assert asked <= distributions(extra)
