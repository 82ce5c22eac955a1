"""Texts that a policy accepts: words of its grammar, and mutants of real and of hostile URLs."""

import json
import random
from itertools import chain, islice

from agreement.drawing import agreed
from cases import tables
from paths import VECTORS

from uriparse.validation import Policy, validate

TABLES = tables(__file__)

REAL = TABLES["real"]
"""Of the kinds that are met with."""

PIECES = TABLES["pieces"]


def mutants(seed):
    """Yield texts that differ from real or hostile ones by one to four edits, without end."""
    hostile = json.loads((VECTORS / "hostile_urls.json").read_text("utf-8"))
    sources = [*REAL * 20, *chain.from_iterable(hostile.values())]
    chance = random.Random(seed)
    while True:
        text = chance.choice(sources)
        for _ in range(chance.randint(1, 4)):
            start = chance.randint(0, len(text))
            end = min(len(text), start + chance.choice((0, 0, 1, 1, 2, 5)))
            text = text[:start] + chance.choice((*PIECES, "")) + text[end:]
        yield text


def accepted(agreement, number, seed):
    """Draw texts that all clients are to read alike; no two are for one URL.

    A quarter of them take transitions of the grammar's automaton, most of which are in names; a
    quarter are random words, and half are mutants.

    agreement: "destination" or "request", as in a policy. Addresses and names of special use are
    among them, for nothing leaves the namespace in which they are fetched.
    """
    policy = Policy.web().replace(agreement=agreement)
    rule, quarter = f"{agreement}-URI", number // 4
    words = agreed(rule, quarter, seed), agreed(rule, quarter, seed, with_covering=False)
    found = {}
    for text in chain(*words, mutants(seed)):
        if len(found) >= number:
            break
        if text.isascii() and text.isprintable():
            report = validate(text, policy)
            if report.accepted and not is_special(text):
                found.setdefault(report.target.url, text)
    return [*found.values()]


def spared(client, number, seed):
    """Draw texts that are refused for all clients, and accepted if only one client is to agree."""
    everyone = Policy.web().replace(agreement="request")
    policy = everyone.replace(clients={client})
    found = {}
    for text in islice(mutants(seed), 400 * number):
        if len(found) >= number:
            break
        is_plain = text.isascii() and text.isprintable()
        if is_plain and not validate(text, everyone).accepted and validate(text, policy).accepted:
            found[text] = None
    return [text for text in found if not is_special(text)]


def is_special(text):
    """Whether a text leads to where the namespace itself answers, or to no single place.

    localhost is an address by every client's own rules; 0.0.0.0 and :: are this machine.
    """
    target = validate(text, Policy.syntax()).target
    if target.address is None:
        return target.host == "localhost" or target.host.endswith(".localhost")
    address = getattr(target.address, "ipv4_mapped", None) or target.address
    return any(
        (
            address.is_loopback,
            address.is_unspecified,
            address.is_multicast,
            address.is_link_local,
            str(address) == "255.255.255.255",
        )
    )
