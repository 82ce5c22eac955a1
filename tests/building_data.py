"""Data of any kind, and references of all shapes, for the laws of building."""

from cases import tables
from hypothesis import strategies as st

from uriparse import parse

TABLES = tables(__file__)

CHARACTERS = st.sampled_from([*"ab.%:/?#[]@!$&'()*+,;=~ \0\\|\"<>^`{}éü例\u202e\ue000\U0010fffd"])
TEXTS = st.text(CHARACTERS | st.characters(exclude_categories=["Cs"]), max_size=6)
NAMES = TEXTS.filter(lambda text: text not in {".", ".."})
PAIRS = st.lists(st.tuples(TEXTS, st.none() | TEXTS).filter(lambda pair: pair != ("", None)))

PIECES = TABLES["pieces"]


@st.composite
def references(draw, *, iri=None):
    """A record: a URI or a relative reference, of RFC 3986 or 3987."""
    scheme, authority = (draw(st.sampled_from(PIECES[name])) for name in ("scheme", "authority"))
    paths = PIECES["path"] + ([] if authority else PIECES["rootless"])
    if not authority:
        paths = [path for path in paths if not path.startswith("//")]
    rest = "".join(draw(st.sampled_from(PIECES[name])) for name in ("query", "fragment"))
    text = scheme + authority + draw(st.sampled_from(paths)) + rest
    if draw(st.booleans()) if iri is None else iri:
        return parse(text.replace("a", "é"), "IRI-reference", grammar="rfc3987")
    return parse(text)


def same(record):
    """Check that a record is what its text says, and give it back."""
    rule = "IRI-reference" if record.grammar == "rfc3987" else "URI-reference"
    again = parse(str(record), rule, grammar=record.grammar)
    names = ("scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment")
    for name in names:
        assert getattr(record, name) == getattr(again, name), name
    assert type(record) is type(again)
    assert record == again
    return record
