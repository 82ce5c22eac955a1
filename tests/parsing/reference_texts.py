"""Texts of references, valid ones and hostile ones, and the rules by which these are parsed."""

from hypothesis import strategies as st

from uriparse.grammar import matcher

ALTERNATIVES = {
    ("URI-reference", "rfc3986"): ("URI", "relative-ref"), ("URI", "rfc3986"): ("URI",),
    ("absolute-URI", "rfc3986"): ("absolute-URI",), ("relative-ref", "rfc3986"): ("relative-ref",),
    ("IRI-reference", "rfc3987"): ("IRI", "irelative-ref"), ("IRI", "rfc3987"): ("IRI",),
    ("absolute-IRI", "rfc3987"): ("absolute-IRI",),
    ("irelative-ref", "rfc3987"): ("irelative-ref",),
}  # fmt: skip
"""The rules of references, each with those that it is one of (RFC 3986 section 4.1)."""

REFERENCE_RULES = [*ALTERNATIVES]
HOSTILE_TEXTS = st.text(alphabet="ahx0129:/?#[]@%.!é \n\\", max_size=16)


def texts(name, grammar):
    """Valid texts of a rule. Those with letters beyond ASCII are put together from pieces."""
    if grammar == "rfc3986":
        return st.from_regex(matcher(name, grammar), fullmatch=True)
    heads = ["", "x:", "//é", "X+1://", "//u:é@[::1]:8", "x://例.é:", "//@1.2.3.4", "x://[v1.a]"]
    pieces = ["a", "Z", "0", "%C3%A9", "é", "例", "\U00010000", "!", ":", "@", "/", "?", "#"]
    tails = st.lists(st.sampled_from([*pieces, "\ue000"]), max_size=8).map("".join)
    joined = st.builds("{}{}{}".format, st.sampled_from(heads), st.sampled_from(["", "/"]), tails)
    return joined.filter(matcher(name, grammar).fullmatch)
