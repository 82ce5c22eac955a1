"""Print digests of answers, to compare interpreters: `python answers.py TEXTS >a`, then `cmp a b`.

TEXTS of each rule of each grammar, half of them spoiled, are put to all rules of that grammar and
to functions that take any text. A line has a block's name, the number of its answers and their
digest; `python answers.py TEXTS BLOCK` prints the answers of one block.
"""

import sys
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import blake2b
from itertools import chain, islice

from oracle.generation import spoiled, words

import uriparse as u
from uriparse import whatwg
from uriparse.resolution.base import html_base
from uriparse.schemes import CURRENT, RFC1738, parse_url


def found(text: str, grammar: str) -> list[object]:
    """Find URIs; flags, which are a set, are sorted."""
    uris = u.find_uris(text, grammar=grammar)
    return [(str(one.uri), one.span, one.how, sorted(one.flags)) for one in uris]


FUNCTIONS: dict[str, Callable[[str], object]] = {
    "parse": u.parse, "IRI": partial(u.parse, rule="IRI-reference", grammar="rfc3987"),
    "normalize": partial(u.normalize, level="scheme"),
    "current": partial(parse_url, registry=CURRENT),
    "of 1994": partial(parse_url, registry=RFC1738), "whatwg": whatwg.parse,
    "prose": lambda text: found(f'see {text}, <{text}> and\n"{text}".', "rfc3986"),
    "IRIs in prose": lambda text: found(f"\u82f9\uff08{text}\uff09", "rfc3987"),
    "HTML": lambda text: html_base(f"<p {text}><!-- {text} --><base a={text} href='{text}'>"),
}  # fmt: skip
"""These are asked once for every so many texts of a block that only rules are asked."""

EVERY = 4


def blocks(count: int) -> Iterator[tuple[str, Iterator[tuple[str, str, object]]]]:
    """Yield for each rule of each grammar a name, and a text, a question and an answer each."""
    for grammar in u.grammars():
        rules = u.rules(grammar)
        for rule in rules:
            texts = [
                *islice(words(grammar, rule), count - count // 2),
                *islice(spoiled(grammar, rule), count // 2),
            ]
            yield f"{grammar} {rule}", chain(verdicts(texts, grammar, rules), results(texts))


def verdicts(texts, grammar, rules):
    for rule in rules:
        for text in texts:
            yield text, rule, u.is_valid(text, rule, grammar=grammar)


def results(texts):
    for name, function in FUNCTIONS.items():
        for text in texts[::EVERY]:
            try:
                answer = ascii(function(text))  # which characters repr() shows is Unicode's part
            except ValueError as error:
                answer = ascii(error)
            yield text, name, answer


def main(count: str = "2", block: str = "") -> None:
    """Print the digests, or the answers of a block."""
    total = 0
    for name, answers in blocks(int(count)):
        if block:
            sys.stdout.writelines(f"{row!a}\n" for row in answers if name == block)
            continue
        digest, number = blake2b(digest_size=8), 0
        for row in answers:
            number += 1
            digest.update(ascii(row).encode())
        total += number
        sys.stdout.write(f"{name}: {number} answers, {digest.hexdigest()}\n")
    sys.stdout.write(f"{total} answers\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
