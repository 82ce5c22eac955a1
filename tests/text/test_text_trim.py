"""Where URIs end is told for many of them at once, and is what reading each from its end tells."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from uriparse.text.candidates import Trim


def trimmed(text, start, end, before):
    """Read it from the end, character by character, and count parentheses by hand."""
    if before == "'" and (quote := text.find("'", start, end)) >= 0:
        end = quote
    elif before == "(":
        depth = 0
        for place in range(start, end):
            depth += {"(": 1, ")": -1}.get(text[place], 0)
            if depth < 0:
                end = place
                break
    while end > start:
        last, rest = text[end - 1], text[start:end]
        if last == ")" and rest.count(")") <= rest.count("("):
            break
        if not (
            last in ".,:;!?'()"
            or rest.endswith("'s")
            or (last in "*_~" and last == before)
            or (ord(last) > 127 and unicodedata.category(last) in {"Po", "Pd", "Pf", "Pe"})
        ):
            break
        end -= 1
    return end


PUNCTUATED = st.text("a().'s*_:\u2014\u2019é\U00010100", max_size=60) | st.text(
    "().", max_size=60
).map(lambda text: f"(a{text}b{text}")


@given(PUNCTUATED, st.data())
def test_ends_are_those_of_reading_each_time(text, data):
    trim = Trim(text, 0, len(text))
    for _ in range(8):
        start = data.draw(st.integers(0, len(text)))
        if text[max(start - 1, 0) : start + 1] == "'s":
            continue  # no URI begins within that
        end = data.draw(st.integers(start, len(text)))
        before = data.draw(st.sampled_from(["", "a", "(", "'", "*", "_"]))
        assert trim.trimmed(start, end, before) == trimmed(text, start, end, before)
