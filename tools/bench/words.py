"""A small vocabulary and seeded choices from it: all generated inputs are made of these."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

_VOCABULARY = """
about account archive art asset atlas autumn basket bench blog board book branch bridge
cable cache calendar camera canal candle catalog chart city class cloud coast code column
compass contact copper corner course data delta design desk detail docs dome draft drift
east editor engine event export factory faq farm feed field film flag forum frame garden
glass grain grid group guide harbor help hill history home house image index island item
journal kitchen label lake lantern layer letter library light list login lunar magnet map
market media member menu meter mirror model museum music native news night north note ocean
office olive order orchard page panel paper park photo piano pilot planet plugin pocket
portal press print product profile project query radio rail report review river road root
route sample school search season series shelf shop signal sketch snow source south space
station status stone store story stream street studio summer table team theme tide topic
tower trade train travel update upload user valley video view village wagon water weather
west wiki wind winter wood world yard zone
"""

WORDS = tuple(_VOCABULARY.split())

TLDS = ("com", "org", "net", "edu", "de", "io", "co.uk", "fr", "info", "gov", "jp", "com.br")


def host(random: Random) -> str:
    """Make a host name such as people register."""
    name = random.choice(WORDS)
    if random.random() < 0.3:
        name += random.choice(("", "-")) + random.choice(WORDS)
    first = random.choice(("www.", "www.", "www.", "", "", "blog.", "m.", "en."))
    return f"{first}{name}.{random.choice(TLDS)}"


_SIGHTS = ("10:30", '"{0}"', "({0})", "note:{0}", "{0}::{0}", "{0}/{0}", "<{0}>", "4:3", "www")
"""What stands between the words of a text now and then, colons without a space among it."""


def sentence(random: Random) -> str:
    """Make eight to twenty words with a capital, sometimes a comma, and a full stop."""
    words = random.choices(WORDS, k=random.randint(8, 20))
    if random.random() < 0.4:
        words[random.randrange(len(words) - 1)] += random.choice((",", ",", ";", ":"))
    if random.random() < 0.3:
        sight = random.choice(_SIGHTS).format(random.choice(WORDS))
        words.insert(random.randint(1, len(words)), sight)
    return " ".join(words).capitalize() + random.choice((".", ".", ".", "?", "!"))
