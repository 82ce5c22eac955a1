"""The inputs of the races: generated from a seed, or read from a file of one URI a line."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from textwrap import fill
from typing import TYPE_CHECKING

from uriparse import is_valid, validate

from . import linearity

if TYPE_CHECKING:
    from collections.abc import Callable

    Maker = Callable[["Inputs", Random], list[str]]

FEW = 200
PROSE = 1_000_000
HOSTILE = 400
HOSTILE_URLS = Path(__file__).parents[2] / "tests/vectors/hostile_urls.json"

_FORMS = json.loads(Path(__file__).with_name("words.json").read_text("utf-8"))
WORDS = _FORMS["words"].split()
TLDS = ("com", "org", "net", "edu", "de", "io", "co.uk", "fr", "info", "gov", "jp", "com.br")


def host(random: Random) -> str:
    """Make a host name such as people register."""
    name = random.choice(WORDS)
    if random.random() < 0.3:
        name += random.choice(("", "-")) + random.choice(WORDS)
    first = random.choice(("www.", "www.", "www.", "", "", "blog.", "m.", "en."))
    return f"{first}{name}.{random.choice(TLDS)}"


_SIGHTS = ("10:30", '"{0}"', "({0})", "note:{0}", "{0}::{0}", "{0}/{0}", "<{0}>", "4:3", "www")
"""What is between the words of a text now and then, such as colons without a space."""


def sentence(random: Random) -> str:
    """Make eight to twenty words with a capital, sometimes a comma, and a full stop."""
    words = random.choices(WORDS, k=random.randint(8, 20))
    if random.random() < 0.4:
        words[random.randrange(len(words) - 1)] += random.choice((",", ",", ";", ":"))
    if random.random() < 0.3:
        sight = random.choice(_SIGHTS).format(random.choice(WORDS))
        words.insert(random.randint(1, len(words)), sight)
    return " ".join(words).capitalize() + random.choice((".", ".", ".", "?", "!"))


_CORRUPTIONS = ' "<>\\^`{|}%é\x00\n[]#:@'
"""Characters that a corruption puts in: never allowed, or not everywhere."""


def real(random: Random) -> str:
    """Make a URI as web pages hold them: mostly https, some with a query, few of anything else."""
    kind = random.random()
    if kind < 0.02:
        return f"mailto:{random.choice(WORDS)}.{random.choice(WORDS)}@{host(random)}"
    if kind < 0.03:
        return f"urn:isbn:{random.randrange(10**12, 10**13)}"
    scheme = "https" if kind < 0.75 else "http" if kind < 0.98 else "ftp"
    authority = host(random)
    if random.random() < 0.02:
        authority = ".".join(str(random.randrange(256)) for _ in range(4))
    if random.random() < 0.01:
        authority = f"{random.choice(WORDS)}:{random.choice(WORDS)}@{authority}"
    if random.random() < 0.03:
        authority += f":{random.choice((80, 443, 8000, 8080, 8443))}"
    text = f"{scheme}://{authority}{_path(random)}"
    if random.random() < 0.18:
        text += "?" + "&".join(_pair(random) for _ in range(random.randint(1, 4)))
    if random.random() < 0.06:
        text += f"#{random.choice(WORDS)}-{random.choice(WORDS)}"
    return text


def _path(random: Random) -> str:
    segments = [random.choice(WORDS) for _ in range(random.choice((0, 0, 1, 1, 2, 2, 3, 4, 6)))]
    path = "".join(f"/{segment}" for segment in segments)
    if random.random() < 0.3:
        path += random.choice((".html", ".php", ".aspx", ".htm", "_2.pdf")) if path else "/"
    elif random.random() < 0.6:
        path += "/"
    if random.random() < 0.04:
        path += f"/{random.choice(WORDS)}%20{random.choice(WORDS)}"
    return path


def _pair(random: Random) -> str:
    value = random.choice(WORDS) if random.random() < 0.6 else str(random.randrange(100000))
    return f"{random.choice(WORDS)}={value}"


def long(random: Random) -> str:
    """Make a URI of about two thousand characters: a deep path, a wide query, escapes."""
    path, text = ("/".join(random.choices(WORDS, k=60)), "%20".join(random.choices(WORDS, k=60)))
    pairs = "&".join(_pair(random) for _ in range(80))
    return f"https://{host(random)}/{path}?{pairs}&text={text}#{random.choice(WORDS)}"


def ipv6(random: Random) -> str:
    """Make a URI whose host is an IP literal, in one of its many spellings."""
    return f"http://[{_ipv6(random)}]{random.choice(('', ':8080'))}{_path(random)}"


def _ipv6(random: Random) -> str:
    pieces = [f"{random.randrange(65536):x}" for _ in range(8)]
    if random.random() < 0.2:
        pieces[6:] = [".".join(str(random.randrange(256)) for _ in range(4))]
    if random.random() < 0.7:
        first = random.randrange(5)
        last = first + random.randint(1, 3)
        return ":".join(pieces[:first]) + "::" + ":".join(pieces[last:])
    return ":".join(pieces)


def corrupted(text: str, random: Random) -> str:
    """Return a text with one character put in, taken out, doubled or replaced."""
    at = random.randrange(len(text))
    wrong = random.choice(_CORRUPTIONS)
    match random.randrange(4):
        case 0:
            return text[:at] + wrong + text[at:]
        case 1:
            return text[:at] + text[at + 1 :]
        case 2:
            return text[: at + 1] + text[at:]
        case _:
            return text[:at] + wrong + text[at + 1 :]


def prose(size: int, random: Random, *, linked: bool) -> str:
    """Text of about `size` characters; if linked, with a URI every four hundred or so."""
    dresses = ("{0}", "({0})", "<{0}>", '"{0}"', "<URL:{0}>", "{0}.", "{0},")
    parts: list[str] = []
    while size > 0:
        paragraph = _paragraph(random)
        if linked:
            link = random.choice(dresses).format(real(random))
            paragraph = f"{paragraph.rstrip()} See {link} {random.choice(WORDS)}.\n\n"
        parts.append(paragraph)
        size -= len(paragraph)
    return "".join(parts)


def _paragraph(random: Random) -> str:
    text = " ".join(sentence(random) for _ in range(random.randint(3, 7)))
    return fill(text, 76, break_long_words=False, break_on_hyphens=False) + "\n\n"


class Inputs:
    """The subjects, made when they are first asked for; the same seed makes the same ones."""

    def __init__(self, seed: int, corpus: Path | None = None, count: int = 1000) -> None:
        """Take `real` from the lines of `corpus` if there is one; make `count` texts of a kind."""
        self.seed = seed
        self.corpus = corpus
        self.count = count
        self._made: dict[str, list[str]] = {}

    def __getitem__(self, name: str) -> list[str]:
        if name not in self._made:
            self._made[name] = MAKERS[name](self, Random(f"{self.seed} {name}"))
        return self._made[name]


def _many(make: Callable[[Random], str], count: int = 0) -> Maker:
    return lambda inputs, random: [make(random) for _ in range(count or inputs.count)]


def _formed(name: str) -> Maker:
    """Make texts of some forms: words, a host, a pair of a query."""

    def make(random: Random) -> str:
        words, name_of_host = random.sample(WORDS, 3), host(random)
        parts = dict(
            zip("abchHp", (*words, name_of_host, name_of_host.upper(), _pair(random)), strict=True)
        )
        return random.choice(forms).format_map(parts)

    forms: list[str] = _FORMS[name]
    return _many(make)


def _real(inputs: Inputs, random: Random) -> list[str]:
    if inputs.corpus is None:
        return [real(random) for _ in range(inputs.count)]
    lines = [line for line in inputs.corpus.read_text("utf-8-sig").split("\n") if line]
    chosen = lines if len(lines) <= inputs.count else random.sample(lines, inputs.count)
    return [line for line in chosen if is_valid(line)]


def _http(inputs: Inputs, _: Random) -> list[str]:
    """Those that RFC 1738 accepts too, over http."""
    texts = (f"http:{text.partition(':')[2].partition('#')[0]}" for text in inputs["web"])
    return [text for text in texts if is_valid(text, "httpurl", grammar="rfc1738")]


def _hosts(inputs: Inputs, _: Random) -> list[str]:
    """Names of hosts: what is between "//" and what follows, where that is a name alone."""
    found = (text.split("/")[2] for text in inputs["web"])
    return [host for host in found if host.replace("-", "").replace(".", "").isalnum()]


def _refused(inputs: Inputs, _: Random) -> list[str]:
    texts = inputs["accepted"]
    named = [f"http://u@{text[7:]}" for text in texts if text.startswith("http://h")]
    return named + [text.replace(".com", "%2ecom") for text in texts if ".com" in text]


def _mixed(**shares: int) -> Maker:
    """Lines of these kinds, in turn so many of each."""
    kinds = [kind for kind, share in shares.items() for _ in range(share)]
    return lambda inputs, random: [
        random.choice(inputs[kind]) for _ in range(inputs.count) for kind in kinds
    ]


MAKERS: dict[str, Maker] = {
    **{name: _formed(name) for name in _FORMS if name != "words"},
    "real": _real,
    "web": lambda inputs, _: [text for text in inputs["real"] if text.startswith("http")],
    "http": _http,
    "ftp": lambda inputs, _: [f"ftp{text[4:]}" for text in inputs["http"] if "?" not in text],
    "hosts": _hosts,
    "long": _many(long, FEW),
    "ipv6": _many(ipv6, FEW),
    "corrupted": lambda inputs, random: [
        corrupted(text, random) for text in inputs["real"] + inputs["ipv6"]
    ],
    # Made of the real ones alone, so that the times of both can be compared.
    "invalid": lambda inputs, random: [
        wrong
        for text in inputs["real"]
        if not is_valid(wrong := corrupted(text, random), "URI-reference")
    ],
    "hostile": lambda *_: [make(HOSTILE) for make in linearity.shapes_of("").values()],
    "hostile URLs": lambda *_: [
        text for texts in json.loads(HOSTILE_URLS.read_text("utf-8")).values() for text in texts
    ],
    "accepted": lambda inputs, _: [text for text in inputs["web"] if validate(text).accepted],
    "refused": _refused,
    "refused, twelve findings": lambda inputs, _: [
        f"http://u:p@a_b.localhost.:8080/~x/%2e%2e/%0a{text[8:]}" for text in inputs["accepted"]
    ],
    "stream": _mixed(invalid=4, refused=3, accepted=3),
    "invalid stream": _mixed(invalid=7, web=3),  # invalid by any policy
    "plain prose": lambda _, random: [prose(PROSE, random, linked=False)],
    "linked prose": lambda _, random: [prose(PROSE, random, linked=True)],
}
