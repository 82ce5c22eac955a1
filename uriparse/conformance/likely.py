"""Short texts that are likely to come to a choice of a rule, and those of them that do.

A text is put together of a shortest way to a position and a shortest way from there to an end. Its
first derivation may be another one, where alternatives compete; so it is looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.conformance.unfolding import BEGIN, END

if TYPE_CHECKING:
    from collections.abc import Iterator

    from uriparse.conformance.derivations import Derivations


def likely_texts(derivations: Derivations, wanted: int) -> dict[int, str]:
    """Give a short text for as many of some choices, given as bits, as are easily found."""
    found: dict[int, str] = {}
    candidates = sorted(_candidates(derivations, wanted), key=lambda one: len(one[1]))
    for choices, text in candidates:
        if not choices & wanted:
            continue
        made = derivations.choices_of(derivations.alphabet.labels(text)) & wanted
        wanted &= ~made
        while made:
            lowest = made & -made
            made ^= lowest
            found[lowest.bit_length() - 1] = text
    return found


def _candidates(derivations: Derivations, wanted: int) -> Iterator[tuple[int, str]]:
    """Yield choices, as bits, with a text that some derivation of makes them."""
    before, after = _ways_to(derivations), _ways_from(derivations)
    for position, word in before.items():
        for follower in derivations.followers(position):
            if follower.position not in after:
                continue
            if follower.choices & wanted:
                yield follower.choices, word + after[follower.position]
            if derivations.unfolding.choices_by_reading[follower.position] & wanted:
                rest = _rest(derivations, after, follower.position)
                for label, character in derivations.alphabet.samples.items():
                    choices = derivations.reads(follower.position, label)
                    if choices is not None and choices & wanted:
                        yield choices, word + character + rest


def _ways_to(derivations: Derivations) -> dict[int, str]:
    """Give a shortest word that ends by reading at each position; the empty one for `BEGIN`."""
    found = {BEGIN: ""}
    for position in (walk := [BEGIN]):
        for follower in derivations.followers(position):
            there = follower.position
            if there != END and there not in found:
                found[there] = found[position] + derivations.sample(there)
                walk.append(there)
    return found


def _ways_from(derivations: Derivations) -> dict[int, str]:
    """Give a shortest word that begins by reading at each position; the empty one for `END`."""
    sources: dict[int, list[int]] = {}
    for position in range(len(derivations.unfolding.reads)):
        for follower in derivations.followers(position):
            sources.setdefault(follower.position, []).append(position)
    found = {END: ""}
    for position in (walk := [END]):
        for source in sources.get(position, ()):
            if source not in found and source != BEGIN:
                found[source] = derivations.sample(source) + found[position]
                walk.append(source)
    return found


def _rest(derivations: Derivations, after: dict[int, str], position: int) -> str:
    """Give a shortest word that goes on behind a position."""
    following = (after.get(one.position) for one in derivations.followers(position))
    return min((word for word in following if word is not None), key=len, default="")
