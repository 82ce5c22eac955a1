"""The README shows the shortest recipe as it is tested."""

from places import ROOT


def test_the_readme_shows_the_recipe():
    source = (ROOT / "tests/recipes/aiohttp_guard.py").read_text(encoding="utf-8")
    function = source[source.index("def guarded_session") :].rstrip()
    assert function in (ROOT / "README.md").read_text(encoding="utf-8")
