"""A judgement: the verdict, what it rests on, and where an accepted URI leads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse import excerpt
from uriparse.errors import URIError
from uriparse.records import URI
from uriparse.validation.judging import judge, record_of
from uriparse.validation.target import Target, target_of

if TYPE_CHECKING:
    from uriparse.parsing import Record
    from uriparse.validation.findings import Finding
    from uriparse.validation.judging import Judgement
    from uriparse.validation.policy import Policy


class Report:
    """What a policy makes of a text. True where it is accepted.

    Attributes:
        text: as it was given, password included; bytes that are not ASCII stand as U+FFFD.
        policy: by which it was judged.
        accepted: the verdict.

    Findings and record are made when they are first asked for.
    """

    __slots__ = ("_findings", "_judgement", "_record", "accepted", "policy", "text")

    def __init__(
        self, text: str, policy: Policy, judgement: Judgement | None, *, accepted: bool
    ) -> None:
        self.text = text
        self.policy = policy
        self.accepted = accepted
        self._judgement = judgement
        self._findings: tuple[Finding, ...] | None = None
        self._record: Record | bool | None = False if judgement is None else judgement.record

    def __bool__(self) -> bool:
        return self.accepted

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings but those weighed "off", in the order of the text."""
        if self._findings is None:
            judgement = self._judgement or judge(self.text, self.policy)
            self._findings = judgement.findings(self.policy)
        return self._findings

    @property
    def record(self) -> Record | None:
        """The record of the text; None where its rule does not derive it, or yields none."""
        if isinstance(self._record, bool):
            self._record = record_of(self.text, self.policy)
        return self._record

    @property
    def target(self) -> Target | None:
        """Where the URI leads; None unless it is accepted, and names a host."""
        return target_of(self.record) if self.accepted and isinstance(self.record, URI) else None

    @property
    def reasons(self) -> tuple[Finding, ...]:
        """The findings for which the text is refused; none if it is accepted."""
        if self.accepted:
            return ()
        refusing = self.policy.refusing
        return tuple(found for found in self.findings if found.severity in refusing)

    def as_dict(self) -> dict[str, object]:
        """Give the report as JSON can hold it, with the password of the text masked."""
        return {
            "text": excerpt.masked(self.text),
            "accepted": self.accepted,
            "findings": [found.as_dict() for found in self.findings],
        }

    def __str__(self) -> str:
        verdict = "accepted" if self.accepted else "refused"
        lines = [f"{verdict}: {excerpt.masked(self.text)}", *map(str, self.findings)]
        return "\n  ".join(lines)

    def __repr__(self) -> str:
        verdict = "accepted" if self.accepted else "refused"
        return f"<Report {verdict} {excerpt.masked(self.text)!r}>"


class PolicyError(URIError):
    """A text that a policy refuses.

    Attributes:
        report: with all findings.

    """

    def __init__(self, report: Report) -> None:
        first = report.reasons[0]
        more = len(report.reasons) - 1
        others = f" (and {more} more)" if more else ""
        super().__init__(f"{first.code}: {first.message}{others}")
        self.report = report
