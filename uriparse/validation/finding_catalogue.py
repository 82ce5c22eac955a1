"""The catalogue: every code that a finding can have, with its message, severity and source.

One table, `finding_catalogue.txt`, for the validator, the command, the documentation and the tests.
"""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, cast

from uriparse._data_files import text_beside
from uriparse.validation.findings import Layer, Severity

__all__ = ["CATALOGUE", "Code"]


class Code(NamedTuple):
    """One row of the catalogue.

    code: the name of the code.
    layer: which question its findings answer.
    severity: their severity unless a policy sets another.
    sentence: what is wrong, in words that fit any text.
    source: the RFC and its section, or the clients that err.
    trigger: a text with this finding.
    clean: a text as similar as possible without it.
    under: the policy for both texts, as lines of a policy file.
    """

    code: str
    layer: Layer
    severity: Severity
    sentence: str
    source: str
    trigger: str
    clean: str
    under: str


def _rows(table: str) -> Iterator[Code]:
    """Read the table, whose format it describes itself."""
    layer, policy = "", list[str]()
    for row in re.split(r"\n+(?=\S)", re.sub(r"(?m)^#.*\n", "", table).strip()):
        head, *lines = row.split("\n  ")
        if head[0] == "[":
            layer, policy = head[1:-1], lines
            continue
        source, texts, *settings = lines
        named, _, sentence = head.partition(": ")
        severity, code = named.split(" ")
        texts = re.sub(r"\{(.+?)\*(\d+)\}", lambda one: one[1] * int(one[2]), texts)
        trigger, _, clean = texts.replace(r"\n", "\n").partition(" | ")
        has_preset = bool(settings) and settings[0].startswith("preset")
        under = "\n".join(settings if has_preset else [*policy, *settings])
        facts = Severity(severity), sentence, source, trigger, clean, under
        yield Code(code, cast("Layer", layer), *facts)


_CODES = _rows(text_beside(__name__, "finding_catalogue.txt"))

CATALOGUE: Final[Mapping[str, Code]] = MappingProxyType({code.code: code for code in _CODES})
"""All codes by name."""
