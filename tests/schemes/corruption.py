"""URLs with a few characters changed: most are refused, and each by another reason."""

from cases import vectors
from hypothesis import strategies as st

TEXTS = [
    case["text"]
    for name in ("urls", "refusals", "injections", "ftp_plans")
    for case in vectors(f"schemes_{name}")
]
assert TEXTS

IN_FORCE = [case["text"] for name in ("uris", "refusals") for case in vectors(f"current_{name}")]
assert IN_FORCE

CHARACTERS = "aZ09%:/?#@;=&.~-+*[ \té"


@st.composite
def corrupted(draw, texts=TEXTS):
    """A text of the tables with a few characters put in, taken out or exchanged."""
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(text)))
        new = draw(st.sampled_from(["", *CHARACTERS, "%09", "%0D%0A", "%41", "//"]))
        text = text[:at] + new + text[at + draw(st.integers(0, 2)) :]
    return text


def plain(value):
    """Give a value of a record as JSON would hold it."""
    match value:
        case tuple():
            return [plain(item) for item in value]
        case bytes():
            return value.decode("latin-1")
        case None | int() | str():
            return value
        case _:
            return str(value)
