"""Two families of uri-test-suite: characters, and faults that people reported of parsers.

Characters: those that parsers take by mistake (line ends, controls, spaces, signs, letters and
digits beyond ASCII), in each component of a URI, and for each component a text with every character
that it allows. Faults: `reported_faults.json`, by class, with the issues and a sentence of the RFC.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from uriparse.conformance.suites import Case
from uriparse.grammar import charset

if TYPE_CHECKING:
    from uriparse.conformance import Subject

FAULTS: Final = json.loads(Path(__file__).with_name("reported_faults.json").read_text("ascii"))
"""Classes of faults: name, issues, section, the RFC's words, and the cases that detect it."""


class Form(NamedTuple):
    """A component, a text around its value, and the rule of its characters, or ""."""

    component: str
    before: str
    value: str
    after: str
    characters: str = ""

    def having(self, character: str, at: int) -> str:
        """Return the text with a character put in at an offset of the value."""
        return f"{self.before}{self.value[:at]}{character}{self.value[at:]}{self.after}"


_PARTS: Final = (
    Form("text", "", "a:b", ""),
    Form("scheme", "", "ab", ":c", "scheme"),
    Form("userinfo", "a://", "us", "@h", "userinfo"),
    Form("host", "a://u@", "ho", ":1/", "reg-name"),
    Form("port", "a://h:", "12", "/", "port"),
    Form("path", "a://h/", "pa", "/b", "segment"),
    Form("query", "a:?", "qu", "#f", "query"),
    Form("fragment", "a:#", "fr", "", "fragment"),
)
FORMS: Final[dict[str, tuple[Form, ...]]] = {
    "URI": (
        *_PARTS,
        Form("IPv6address", "a://[", "1:2::3", "]"),
        Form("IPvFuture", "a://[", "v1.ab", "]", "userinfo"),
        Form("triplet", "a:%", "41", ""),
    ),
    "IRI": tuple(form for form in _PARTS if form.component in {"text", "host", "path", "query"}),
    "URI-reference": (
        Form("segment", "", "pa", "/b", "segment-nz-nc"),
        Form("host", "//", "ho", ""),
    ),
    "IPv4address": (Form("octets", "", "1.2.3.4", ""),),
    "IPv6address": (Form("groups", "", "1:2::3", ""), Form("octets", "::", "1.2.3.4", "")),
    "host": (Form("reg-name", "", "ho", "", "reg-name"), Form("IP-literal", "[", "1:2::3", "]")),
}

_STRIPPED: Final = (
    *("\n", "\r", "\r\n", "\t", "\0", " ", "\v", "\f", "\x1f", "\x7f"),
    *("\x85", "\xa0", "\u2028", "\ufeff"),
)
"""What programs remove at the ends, or end at."""

_SIGNS: Final = (*'"<>\\^`{|}[]%#@', "\x01", "\x1b")
_BEYOND: Final = (
    *("\u017f", "\u212a", "\u0131", "\u0130", "\xe9", "\xdf", "\u0430"),
    *("\u0663", "\uff13", "\xb2", "\U0001d7e0", "\uff41"),
    *("\uff0f", "\uff1a", "\uff0e", "\u3002", "\uff20", "\uff05", "\u200b", "\ufffd", "\U0001f600"),
)
"""Letters, digits and delimiters that look or fold like ones of ASCII, and others."""

_MARKS: Final = "-._~!$&'()*+,;=:@/?"
"""Signs that some components allow."""


def character_cases(of: Subject) -> Iterator[tuple[Case, str]]:
    """Yield texts with a character put in, and their tier; then those with all that is allowed.

    Tier "tiny" has what is removed at ends in three places of a component, all else in one. Each
    sign that is allowed somewhere is put into the components that do not allow it, and is all that
    components hold.
    """
    rule = of.rule
    for form in FORMS[rule]:
        length = len(form.value)
        places = {"in": length // 2, "before": 0, "after": length}
        for characters, tiny in ((_STRIPPED, 3), (_SIGNS, 1), (_BEYOND, 1)):
            for character in characters:
                for number, (word, at) in enumerate(places.items()):
                    text = form.having(character, at)
                    case = Case(text, len(form.before) + at, f"{word} {form.component}")
                    yield case, "tiny" if number < tiny else "full"
    for form in FORMS[rule]:
        known = charset(form.characters) if form.characters else frozenset[str]()
        for character in sorted(set(_MARKS) - known - set(_SIGNS)):
            at = len(form.value) // 2
            case = Case(form.having(character, at), len(form.before) + at, f"in {form.component}")
            yield case, "tiny"
        if form.characters:
            allowed = "".join(sorted(known - {"%"}))
            text = form.having(allowed, len(form.value) - 1)
            yield Case(text, len(text), f"all that {form.component} allows"), "tiny"
    for sign in _MARKS if rule in {"URI", "IRI"} else "":
        text = f"a://{sign}@{sign}/{sign}?{sign}#{sign}"
        yield Case(text, len(text), f"components of {sign} alone"), "tiny"
    for text in _ALL.get(rule, ()):
        yield Case(text, len(text), "all digits and numbers"), "tiny"


_ALL: Final = {
    "URI": (
        "a:%01%23%45%67%89%ab%cd%ef%AB%CD%EF%10%32%54%76%98%ba%dc%fe%BA%DC%FE",
        *("a://[0123:4567:89ab:cdef:ABCD:EF01::]", "a://[v0123456789abcdefABCDEF.a]"),
    ),
    "IPv6address": ("0123:4567:89ab:cdef:ABCD:EF01:2345:6789",),
    "IPv4address": tuple(
        ".".join(map(str, range(first, first + 4))) for first in range(0, 256, 4)
    ),
}  # fmt: skip


def fault_texts(rule: str) -> dict[str, str]:
    """Return the texts that reported faults are detected by, for a rule, with the fault of each."""
    found: dict[str, str] = {}
    for row in FAULTS:
        for case in row["cases"]:
            if case.get("rule") == rule:
                found.setdefault(case["text"], row["fault"])
    return found


def fault_cases(operation: str) -> Iterator[tuple[dict[str, str], str, str]]:
    """Yield what is given to an operation, the section and the fault."""
    for row in FAULTS:
        for case in row["cases"]:
            if case.get("operation") == operation:
                given = {name: text for name, text in case.items() if name != "operation"}
                yield given, row["section"], row["fault"]
