"""The inputs: generated from a seed, or read from a file of one URI a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .words import WORDS, host, sentence

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

_CORRUPTIONS = ' "<>\\^`{|}%é\x00\n[]#:@'
"""Characters that a corruption puts in: never allowed, or not everywhere."""


def real(count: int, random: Random) -> list[str]:
    """URIs such as web pages hold: mostly https, some with a query, few of anything else."""
    return [_real_uri(random) for _ in range(count)]


def _real_uri(random: Random) -> str:
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


def short(count: int, random: Random) -> list[str]:
    """At most 16 characters."""
    forms = ("http://{0}.io", "{0}:{1}", "http://h/{0}", "ftp://{0}", "urn:{0}:1")
    made = [
        random.choice(forms).format(random.choice(WORDS), random.choice(WORDS))
        for _ in range(count)
    ]
    return [text[:16] for text in made]


def long(count: int, random: Random) -> list[str]:
    """About two thousand characters: a deep path, a wide query, escapes."""
    return [
        f"https://{host(random)}/"
        + "/".join(random.choices(WORDS, k=60))
        + "?"
        + "&".join(_pair(random) for _ in range(80))
        + "&text="
        + "%20".join(random.choices(WORDS, k=60))
        + "#"
        + random.choice(WORDS)
        for _ in range(count)
    ]


def ipv6(count: int, random: Random) -> list[str]:
    """Hosts that are IP literals in their many spellings."""
    return [
        f"http://[{_ipv6(random)}]{random.choice(('', ':8080'))}{_path(random)}"
        for _ in range(count)
    ]


def _ipv6(random: Random) -> str:
    pieces = [f"{random.randrange(65536):x}" for _ in range(8)]
    if random.random() < 0.2:
        pieces[6:] = [".".join(str(random.randrange(256)) for _ in range(4))]
    if random.random() < 0.7:
        first = random.randrange(5)
        last = first + random.randint(1, 3)
        return ":".join(pieces[:first]) + "::" + ":".join(pieces[last:])
    return ":".join(pieces)


def corrupted(texts: list[str], random: Random) -> list[str]:
    """Each text with one character put in, taken out, doubled or replaced."""
    return [_corrupt(text, random) for text in texts]


def _corrupt(text: str, random: Random) -> str:
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


def references(count: int, random: Random) -> list[str]:
    """Relative references as pages hold them, some absolute."""
    forms = ("{0}", "../{0}", "../../{0}/{1}", "/{0}/{1}", "./{0}", "?{0}={1}", "#{0}", "//{2}/{0}")
    return [
        random.choice(forms).format(random.choice(WORDS), random.choice(WORDS), host(random))
        for _ in range(count)
    ]


def messy(count: int, random: Random) -> list[str]:
    """URIs that normalization changes: case, escapes, dot segments, default ports."""
    return [
        f"HTTP://{host(random).upper()}:80/{random.choice(WORDS)}/./%7e{random.choice(WORDS)}"
        f"/../{random.choice(WORDS)}%2fx?{_pair(random)}"
        for _ in range(count)
    ]


def schemes(count: int, random: Random) -> list[str]:
    """URLs of the schemes of RFC 1738."""
    forms = (
        "http://{h}/{a}/{b}?{c}",
        "https://{h}/{a}",
        "ftp://{a}:{b}@{h}/{b}/{c};type=i",
        "gopher://{h}:70/0{a}%09{b}",
        "mailto:{a}@{h}",
        "news:{a}.{b}.{c}",
        "nntp://{h}/{a}.{b}/123",
        "telnet://{a}@{h}:23/",
        "wais://{h}/{a}?{b}",
        "file://{h}/{a}/{b}",
        "prospero://{h}/{a};{b}={c}",
    )
    return [
        random.choice(forms).format(h=host(random), a=a, b=b, c=c)
        for a, b, c in (random.sample(WORDS, 3) for _ in range(count))
    ]


def mailto(count: int, random: Random) -> list[str]:
    """Addresses, as pages have them."""
    return [
        f"mailto:{random.choice(WORDS)}.{random.choice(WORDS)}@{host(random)}" for _ in range(count)
    ]


def plain_prose(size: int, random: Random) -> str:
    """English-like text of about `size` characters, without a URI."""
    parts: list[str] = []
    length = 0
    while length < size:
        paragraph = _paragraph(random)
        parts.append(paragraph)
        length += len(paragraph)
    return "".join(parts)


def _paragraph(random: Random) -> str:
    words = " ".join(sentence(random) for _ in range(random.randint(3, 7))).split(" ")
    lines, line = [], ""
    for word in words:
        if len(line) + len(word) > 76:
            lines.append(line)
            line = ""
        line += (" " if line else "") + word
    return "\n".join([*lines, line]) + "\n\n"


def linked_prose(size: int, random: Random) -> str:
    """Make the same with a URI in a usual dress about every four hundred characters."""
    dresses = ("{0}", "({0})", "<{0}>", '"{0}"', "<URL:{0}>", "{0}.", "{0},")
    parts: list[str] = []
    length = 0
    while length < size:
        paragraph = _paragraph(random).rstrip()
        link = random.choice(dresses).format(_real_uri(random))
        parts.append(f"{paragraph} See {link} {random.choice(WORDS)}.\n\n")
        length += len(parts[-1])
    return "".join(parts)


def from_file(path: Path, random: Random, count: int) -> list[str]:
    """`count` lines of a file, chosen at random, without line ends and a byte-order mark."""
    lines = [line for line in path.read_text("utf-8-sig").split("\n") if line]
    return lines if len(lines) <= count else random.sample(lines, count)
