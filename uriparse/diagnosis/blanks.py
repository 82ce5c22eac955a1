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
    """

    __slots__ = ("_situation",)

    def __init__(self, situation: Situation) -> None:
        self._situation = situation

    def __getitem__(self, name: str) -> str:
        """Fill a blank; KeyError if there is none of the name."""
        if name not in _BLANKS:
            raise KeyError(name)
        return str(_BLANKS[name](self._situation))


def _found(s: Situation) -> str:
    return excerpt.found_at(s.text, s.offset)


def _instead(s: Situation) -> str:
    triplets = "".join(f"%{octet:02X}" for octet in s.found.encode("utf-8", "replace"))
    wanted = s.text[: s.offset] + triplets
    if s.component == "port" or longest_prefix(wanted, s.rule, s.grammar).offset < len(wanted):
        return "leave it out"
    hidden = excerpt.is_masked(s.text, s.offset)
    return "write it as triplets" if hidden else f"write {triplets}"


def _start(s: Situation) -> int:
    if s.triplet_start >= 0:
        return s.triplet_start
    return s.literal_start - 1 if s.in_literal else s.port_colon


def _port(s: Situation) -> str:
    return excerpt.quoted(s.text, s.port_colon + 1, s.authority_end)


def _whole(s: Situation) -> str:
    return s.rule.removeprefix("absolute-")


_BLANKS: Mapping[str, Callable[[Situation], str | int]] = {
    "found": _found,
    "instead": _instead,
    "start": _start,
    "port": _port,
    "rule": lambda s: s.rule,
    "iri": lambda s: s.iri_rule or s.rule,
    "whole": _whole,
    "reference": lambda s: f"{_whole(s)}-reference",
}
