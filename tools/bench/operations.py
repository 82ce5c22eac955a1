"""What is measured on what: each operation, its contenders and its subjects."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from . import shapes, subjects
from .peers_building import ADD_QUERY, CHILD, MAKE
from .peers_frameworks import FIELD, FORMAT
from .peers_other import BROWSER, FIND_URIS, NORMALIZE, PARSE_URL, RESOLVE
from .peers_parse import PARSE, READ
from .peers_text import CANONICALIZE, EQUIVALENT, IRI_TO_URI, QUERY_PAIRS, QUOTE, UNQUOTE
from .peers_valid import ENGINES, IS_VALID, PARSE_TREE, REJECT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from .contenders import Contender

REAL = 1000
FEW = 200
PROSE = 1_000_000
HOSTILE = 400


@dataclass(frozen=True, slots=True)
class Operation:
    """One table: who does what.

    Attributes:
        name: as `--operation` takes it.
        contenders: uriparse first.
        subjects: names of the inputs it runs on.
        verdicts: whether the contenders' yes and no are compared with the grammar.

    """

    name: str
    contenders: tuple[Contender, ...]
    subjects: tuple[str, ...]
    verdicts: bool = False


URIS = ("real", "short", "long", "ipv6")

OPERATIONS = (
    Operation("is_valid", IS_VALID, (*URIS, "hostile"), verdicts=True),
    Operation("parse", PARSE, (*URIS, "hostile"), verdicts=True),
    Operation("read", READ, ("real", "ipv6")),
    Operation("parse_tree", PARSE_TREE, ("real", "short", "ipv6")),
    Operation("engines", ENGINES, ("real", "short", "ipv6")),
    Operation("reject", REJECT, ("invalid",)),
    Operation("browser", BROWSER, ("real", "messy")),
    Operation("resolve", RESOLVE, ("references",)),
    Operation("normalize", NORMALIZE, ("messy",)),
    Operation("child", CHILD, ("web",)),
    Operation("add_query", ADD_QUERY, ("web",)),
    Operation("make", MAKE, ("hosts",)),
    Operation("parse_url", PARSE_URL, ("schemes", "http", "ftp", "mailto")),
    Operation("find_uris", FIND_URIS, ("plain prose", "linked prose")),
    Operation("canonicalize", CANONICALIZE, ("web",)),
    Operation("equivalent", EQUIVALENT, ("web",)),
    Operation("iri_to_uri", IRI_TO_URI, ("web",)),
    Operation("query_pairs", QUERY_PAIRS, ("web",)),
    Operation("quote", QUOTE, ("web", "messy")),
    Operation("unquote", UNQUOTE, ("web",)),
    Operation("field", FIELD, ("real", "ipv6"), verdicts=True),
    Operation("format", FORMAT, ("real", "ipv6"), verdicts=True),
)

UNSUITED_TO_SLOW = frozenset({"long", "hostile"})
"""Subjects on which the slow contenders are left out."""

BULK = frozenset({"plain prose", "linked prose"})
"""Subjects that are one large text: measured in characters a second."""


class Inputs:
    """The subjects, made when they are first asked for; the same seed makes the same ones."""

    def __init__(self, seed: int, corpus: Path | None = None) -> None:
        """Take `real` from the lines of `corpus` if there is one."""
        self.seed = seed
        self.corpus = corpus
        self._made: dict[str, list[str]] = {}

    def __getitem__(self, name: str) -> list[str]:
        if name not in self._made:
            self._made[name] = _MAKERS[name](self, Random(f"{self.seed} {name}"))
        return self._made[name]

    def valid(self, texts: Iterable[str]) -> list[str]:
        """Those that are URIs by the grammar; all of them while there is no `is_valid`."""
        try:
            from uriparse import is_valid
        except ImportError:
            return list(texts)
        return [text for text in texts if is_valid(text)]

    def invalid(self, texts: Iterable[str]) -> list[str]:
        """Those that are not even URI references."""
        try:
            from uriparse import is_valid
        except ImportError:
            return list(texts)
        return [text for text in texts if not is_valid(text, "URI-reference")]


def _real(inputs: Inputs, random: Random) -> list[str]:
    if inputs.corpus is None:
        return subjects.real(REAL, random)
    return inputs.valid(subjects.from_file(inputs.corpus, random, REAL))


def _web(inputs: Inputs, _random: Random) -> list[str]:
    return [text for text in inputs["real"] if text.startswith("http")]


def _http(inputs: Inputs, _random: Random) -> list[str]:
    """Such as RFC 1738 takes too, over http."""
    from uriparse import is_valid

    texts = (f"http:{text.partition(':')[2]}" for text in inputs["web"])
    plain = (text.partition("#")[0] for text in texts)
    return [text for text in plain if is_valid(text, "httpurl", grammar="rfc1738")]


def _ftp(inputs: Inputs, _random: Random) -> list[str]:
    return [f"ftp{text[len('http') :]}" for text in inputs["http"] if "?" not in text]


def _hosts(inputs: Inputs, _random: Random) -> list[str]:
    """Names of hosts: what stands between "//" and what follows, where that is a name alone."""
    found = (text.split("/")[2] for text in inputs["web"])
    return [host for host in found if host.replace("-", "").replace(".", "").isalnum()]


def _corrupted(inputs: Inputs, random: Random) -> list[str]:
    return subjects.corrupted(inputs["real"], random) + subjects.corrupted(inputs["ipv6"], random)


def _invalid(inputs: Inputs, random: Random) -> list[str]:
    """Made of the real ones alone, so that the times of both can be compared."""
    return inputs.invalid(subjects.corrupted(inputs["real"], random))


_MAKERS: dict[str, Callable[[Inputs, Random], list[str]]] = {
    "real": _real,
    "web": _web,
    "http": _http,
    "ftp": _ftp,
    "mailto": lambda _, random: subjects.mailto(REAL, random),
    "hosts": _hosts,
    "short": lambda _, random: subjects.short(REAL, random),
    "long": lambda _, random: subjects.long(FEW, random),
    "ipv6": lambda _, random: subjects.ipv6(FEW, random),
    "corrupted": _corrupted,
    "invalid": _invalid,
    "hostile": lambda *_: [make(HOSTILE) for make in shapes.SHAPES.values()],
    "references": lambda _, random: subjects.references(REAL, random),
    "messy": lambda _, random: subjects.messy(REAL, random),
    "schemes": lambda _, random: subjects.schemes(REAL, random),
    "plain prose": lambda _, random: [subjects.plain_prose(PROSE, random)],
    "linked prose": lambda _, random: [subjects.linked_prose(PROSE, random)],
}
