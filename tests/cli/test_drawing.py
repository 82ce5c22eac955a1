"""The drawing: every label under its stem, no two on top of each other."""

from hypothesis import given
from hypothesis import strategies as st

from uriparse.cli.console import printable
from uriparse.cli.drawing import DrawnPart, columns, draw, text_row

NAMES = ["scheme", "authority", "path", "query", "fragment"]


@st.composite
def drawings(draw_value):
    """A text and parts of it, in order, without overlap."""
    text = draw_value(st.text(st.sampled_from("ab:/\u4f8b\u202e\x1b\u0301"), max_size=40))
    cuts = sorted(draw_value(st.lists(st.integers(0, len(text)), min_size=10, max_size=10)))
    bounds = zip(cuts[::2], cuts[1::2], strict=True)
    return text, [DrawnPart(n, a, b, n) for n, (a, b) in zip(NAMES, bounds, strict=True)]


@given(drawings())
def test_labels_stand_under_their_parts(drawing):
    text, parts = drawing
    rows = ["".join(span for span, _ in row) for row in draw(text, parts)]
    full = [
        part for part in parts if part.start < part.end and columns(text[part.start : part.end])
    ]
    assert all(not row.endswith(" ") for row in rows)
    for part in full:
        [left] = [row.find(part.label) for row in rows if part.label in row]
        start = columns(text[: part.start])
        end = columns(text[: part.end])
        stem = (start + end - 1) // 2
        assert left <= stem < left + len(part.label)
        above = rows[1]
        assert above[stem] == "|"


@given(drawings())
def test_the_text_row_is_the_text(drawing):
    text, parts = drawing
    assert "".join(span for span, _ in text_row(text, parts)) == text


@given(st.text())
def test_printable_is_stable_and_holds_no_control(text):
    shown = printable(text)
    assert printable(shown) == shown
    assert all(char == "\n" or char.isprintable() for char in shown)
