"""The README's table of codes is the catalogue's."""

from places import ROOT

from uriparse.validation.catalogue import CATALOGUE

README = (ROOT / "README.md").read_text(encoding="utf-8")


def escaped(text):
    return text.replace("*", r"\*")


def test_the_readme_lists_what_breaks_the_agreement():
    rows = [
        f"| `{known.code}` | `{known.trigger}` | {escaped(known.source)} |"
        for known in CATALOGUE.values()
        if known.layer == "agreement"
    ]
    assert len(rows) > 20
    assert "\n".join(["| code | such as | why |", "|---|---|---|", *rows, ""]) in README
