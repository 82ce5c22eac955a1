"""What a judgement is made of: findings, each with its code, layer, severity and place."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from uriparse.errors import URISyntaxError

Layer: TypeAlias = Literal["syntax", "scheme", "agreement", "policy"]
"""Which question a finding answers.

"syntax": is it in the rule? "scheme": what do the RFCs of URIs and of the scheme warn of?
"agreement": would every client go to the same place? "policy": is it what the caller allows?
"""

Span: TypeAlias = tuple[int, int]
"""A half-open range of offsets, in characters."""


class Severity(StrEnum):
    """How much a finding weighs, the lightest first."""

    OFF = "off"
    """Not reported at all."""
    INFO = "info"
    """Worth knowing: some client refuses, none errs."""
    WARNING = "warning"
    """The RFCs or experience warn of it."""
    ERROR = "error"
    """A reason to refuse."""

    @property
    def rank(self) -> int:
        """Its place in the order, from 0."""
        return _ORDER.index(self)


_ORDER = tuple(Severity)


class Finding(NamedTuple):
    """One thing found in a text.

    Attributes:
        code: its name in the `CATALOGUE`.
        severity: as the policy weighs it.
        layer: which question it answers.
        span: where, in characters of the text; empty where something is missing.
        component: the component it lies in (`"host"`, `"path"`...), or None for the whole text.
        message: one sentence on this text, without a password.
        source: why this is a finding: the RFC and its section, or the clients that err.
        times: how often it occurs in that component; `span` is the first place.
        error: the facts of a finding of layer "syntax" (`expected`, `rule`, `cause`...), else None.

    """

    code: str
    severity: Severity
    layer: Layer
    span: Span
    component: str | None
    message: str
    source: str
    times: int = 1
    error: URISyntaxError | None = None

    @property
    def offset(self) -> int:
        """Where it begins, in characters from 0."""
        return self.span[0]

    def as_dict(self) -> dict[str, object]:
        """Give the finding as JSON can hold it."""
        facts: dict[str, object] = {
            "code": self.code,
            "severity": str(self.severity),
            "layer": self.layer,
            "offset": self.span[0],
            "end": self.span[1],
            "component": self.component,
            "message": self.message,
            "source": self.source,
        }
        if self.times > 1:
            facts["times"] = self.times
        if self.error is not None:
            facts["cause"] = self.error.cause
            facts["rule"] = self.error.rule
            facts["expected"] = list(self.error.expected)
        return facts

    def __str__(self) -> str:
        return f"{self.severity} {self.code} at offset {self.span[0]}: {self.message}"


Sign: TypeAlias = tuple[str, Span, str | None, str, int]
"""A finding before a policy has weighed it: code, span, component, detail, times.

What the checks yield. A plain tuple, since a text has a dozen of them and a NamedTuple takes twice
as long to make and to read.
"""


def sign(code: str, span: Span, component: str | None, detail: str = "", times: int = 1) -> Sign:
    """Make a sign.

    detail: what the message says beyond the sentence of the code.
    times: how often it occurs in the component; `span` is the first place.
    """
    return code, span, component, detail, times
