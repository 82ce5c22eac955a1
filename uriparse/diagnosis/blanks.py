"""What is filled in where the words of a cause have blanks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse import excerpt
from uriparse.grammar.automata import longest_prefix

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from uriparse.diagnosis.situation import Situation


class Blanks:
    """The blanks by their names, each looked up when it is asked for; none shows a password.

    found: the character that cannot stand, as a message names it.
    instead: what to do about that character: write it as triplets, where they can stand.
    start: the offset at which the matter begins: the "%", the bracket, the ":" before a port.
    port: what stands where a port should, quoted.
    rule: the rule that the text was read by.
    iri: the rule of RFC 3987 that stands for it.
    whole: the rule that takes a fragment as well.
    reference: the rule that takes relative references as well.

    text: all of the text, if the rule read only a part of it or something in its place. What may
        be a password is seen in the whole alone.
    at: where an offset of what was read is in `text`.
    """

    __slots__ = ("_at", "_text", "situation")

    def __init__(
        self,
        situation: Situation,
        text: str | None = None,
        at: Callable[[int], int] = int,
    ) -> None:
        self.situation = situation
        self._text = situation.text if text is None else text
        self._at = at

    def __getitem__(self, name: str) -> str:
        """Fill a blank; KeyError for an unknown one."""
        return str(_BLANKS[name](self))

    def found(self) -> str:
        """Name the character that is not allowed."""
        return excerpt.found_at(self._text, self._at(self.situation.offset))

    def instead(self) -> str:
        """Say what to do about that character, without showing one of a password."""
        s = self.situation
        triplets = "".join(f"%{octet:02X}" for octet in s.found.encode("utf-8", "replace"))
        wanted = s.text[: s.offset] + triplets
        if s.component == "port" or longest_prefix(wanted, s.rule, s.grammar).offset < len(wanted):
            return "leave it out"
        hidden = excerpt.is_masked(self._text, self._at(s.offset))
        return "write it as triplets" if hidden else f"write {triplets}"

    def start(self) -> int:
        """Return the offset of the "%", the bracket or the ":" before a port."""
        s = self.situation
        if s.triplet_start >= 0:
            return self._at(s.triplet_start)
        return self._at(s.literal_start - 1 if s.in_literal else s.port_colon)

    def port(self) -> str:
        """Quote what is in the place of a port, which may be the beginning of a password."""
        s = self.situation
        return excerpt.quoted(self._text, self._at(s.port_colon + 1), self._at(s.authority_end))


def _whole(blanks: Blanks) -> str:
    return blanks.situation.rule.removeprefix("absolute-")


_BLANKS: Mapping[str, Callable[[Blanks], str | int]] = {
    "found": Blanks.found,
    "instead": Blanks.instead,
    "start": Blanks.start,
    "port": Blanks.port,
    "rule": lambda blanks: blanks.situation.rule,
    "iri": lambda blanks: blanks.situation.iri_rule or blanks.situation.rule,
    "whole": _whole,
    "reference": lambda blanks: f"{_whole(blanks)}-reference",
}
