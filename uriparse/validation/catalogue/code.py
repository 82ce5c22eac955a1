"""What is known of one code, and how a row of the table is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from uriparse.validation.findings import Severity

if TYPE_CHECKING:
    from uriparse.validation.findings import Layer


class Code(NamedTuple):
    """What is known of one code.

    Attributes:
        code: its name.
        layer: which question its findings answer.
        severity: how much they weigh unless a policy says otherwise.
        sentence: what is found, about any text.
        source: the RFC and its section, or the clients that err.
        trigger: a text that has it.
        clean: the nearest text that has it not.
        under: the policy that both are judged by, as the keys of a policy file.

    """

    code: str
    layer: Layer
    severity: Severity
    sentence: str
    source: str
    trigger: str
    clean: str
    under: str


OUTBOUND: Final = 'preset = "outbound"'
SYNTAX: Final = 'preset = "syntax"'
WEB: Final = 'preset = "web"'


def agreement(
    code: str, sentence: str, source: str, trigger: str, clean: str, under: str = OUTBOUND
) -> Code:
    """Write a row of what clients do not agree on."""
    return Code(code, "agreement", Severity.ERROR, sentence, source, trigger, clean, under)


def caution(
    code: str, sentence: str, source: str, trigger: str, clean: str, under: str = SYNTAX
) -> Code:
    """Write a row of what the RFCs warn of."""
    return Code(code, "scheme", Severity.WARNING, sentence, source, trigger, clean, under)


def note(
    code: str, sentence: str, source: str, trigger: str, clean: str, under: str = SYNTAX
) -> Code:
    """Write a row of what is worth knowing."""
    return Code(code, "scheme", Severity.INFO, sentence, source, trigger, clean, under)
