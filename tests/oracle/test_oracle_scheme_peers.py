"""geo, tel and SIP URIs beside other people's parsers: every difference is explained.

20,000 texts each.

The peers are PyPI's `geouri` and `phonenumbers`, and npm's `jssip`, `sip` and `sip.js`, which node
finds by NODE_PATH. A difference is explained by a class below, which says who is right and why; its
test is of the text or of the error's name. One that fits no class fails the test.
"""

import json
import random
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from cases import tables

from uriparse.errors import SchemeError
from uriparse.schemes import parse_url

TABLES = tables(__file__)

pytestmark = pytest.mark.oracle
TEXTS = 20_000


def drawn(seed, make, characters):
    """Different texts, a quarter of them with one character changed."""
    chance, found = random.Random(seed), set()
    while len(found) < TEXTS:
        text = make(chance)
        if chance.random() < 0.25:
            at = chance.randrange(len(text) + 1)
            text = text[:at] + chance.choice(characters) + text[at + chance.randrange(2) :]
        found.add(text)
    return sorted(found)


def ours(text):
    """The record of a text, and the error: one of the two is None."""
    try:
        return parse_url(text), None
    except SchemeError as error:
        return None, error


def named(error):
    """What an error says is wrong: its cause, or else the component."""
    return error.cause or error.component


# geo: the peer follows the same RFC, sections and all.

NUMBERS = [
    "0", "1", "-1", "90", "91", "-90.0", "-90.5", "180", "-180", "181", "48.198634", "16.371648",
    "00.10", "-0", "1.", "-", ".5", "+1", "1e2",
]  # fmt: skip
IN_GEO = TABLES["in_geo"]


def geo(chance):
    numbers = [chance.choice(NUMBERS) for _ in range(chance.choice((2, 2, 2, 2, 3, 3, 1, 4)))]
    parameters = [chance.choice(IN_GEO) for _ in range(chance.choice((0, 0, 1, 1, 2, 3)))]
    return ";".join(["geo:" + ",".join(numbers), *parameters])


def why_geo(text, peers_reason):
    """Why the peer alone refuses a geo URI."""
    if peers_reason == "duplicate-param":
        return 'section 3.3 forbids to repeat "crs" and "u" alone; the peer extends that to all'
    if peers_reason == "fragment" and "#" in text:
        return "every URI may have a fragment (RFC 3986 section 3.5); the peer takes none"
    if peers_reason == "param-value" and re.search("%[89a-fA-F]", text):
        return "the peer wants values in UTF-8, of which the RFC says nothing"
    return None


def test_geo():
    peer = pytest.importorskip("geouri")
    classes, unexplained = Counter(), []
    for text in drawn(1, geo, "aZ09%;,=-.:#?/ é"):
        url, error = ours(text)
        if url is not None and url.scheme != "geo":
            continue
        try:
            found, refused = peer.parse(text), None
        except peer.GeoURIError as problem:
            found, refused = None, problem.reason
        if url is not None and found is not None:
            written = [*url.coordinates, None][:3]
            for mine, theirs in zip(written, (found.lat, found.lon, found.alt), strict=True):
                assert mine == theirs or float(mine) == float(theirs)
            assert url.crs == found.crs
            assert url.uncertainty == found.uncertainty or (
                float(url.uncertainty) == float(found.uncertainty)
            )
            classes["both accept"] += 1
        elif url is None and found is None:
            classes["both reject"] += 1
        else:
            reason = why_geo(text, refused) if error is None else None
            classes[reason] += 1
            unexplained += [(text, error, refused)] if reason is None else []
    assert unexplained == []
    assert classes["both accept"] > 500


# tel: the peer reads what people write, so it is compared where both accept, and is more lenient.

TELEPHONES = [
    "+1-201-555-0123", "+12015550123", "+44.20.7946.0018", "+49(30)901820", "+358-555-1234567",
    "7042", "863-1234", "*21#", "+", "+1", "911", "0x1F",
]  # fmt: skip
IN_TEL = TABLES["in_tel"]
LENIENT = {  # what the peer takes all the same: it looks for a number in any text
    *("global-number", "local-number", "global-number-digits", "local-number-digits", None),
    *("space", "surrounding-space", "excluded", "bad-triplet", "second-hash", "no-context"),
    *("repeated", "misplaced", "exclusive", "bad-parameter"),
}


def tel(chance):
    parameters = [chance.choice(IN_TEL) for _ in range(chance.choice((0, 1, 1, 2, 2, 3)))]
    return ";".join(["tel:" + chance.choice(TELEPHONES), *parameters])


def why_tel(url, error, found, refused):
    """Why the two differ about a text; "same" if they do not."""
    if url is None:
        if found is None:
            return "same"
        return "the peer looks for a number in any text" if named(error) in LENIENT else None
    if found is None:
        context = url.context
        is_domain = context is not None and not context.startswith("+")
        if is_domain and refused.error_type == refused.INVALID_COUNTRY_CODE:
            return "a private number has a domain as its context; the peer knows countries alone"
        if re.search("[^0-9]", url.digits.lstrip("+")):
            return "a local number may have *, # and A to F; the peer wants digits of a country"
        if refused.error_type in {refused.NOT_A_NUMBER, refused.INVALID_COUNTRY_CODE}:
            return "the peer finds no number in it, by its plans of numbers"
        return "the peer bounds the length of numbers by country"
    digits = url.digits.lstrip("+")
    if not url.is_global and url.context.startswith("+"):
        digits = re.sub(r"\D", "", url.context) + digits
    theirs = f"{found.country_code}{found.national_number}"
    extension = url.extension and re.sub(r"\D", "", url.extension)
    if re.search("[^0-9]", digits):
        return "a local number may have *, # and A to F; the peer drops or cuts them"
    if extension != found.extension:
        rest = re.search(r";[-.()]*(\d+)$", str(url))
        return rest and "the peer takes digits after the last ; for an extension"
    if digits == theirs:
        return "same"
    trunk = digits.startswith(str(found.country_code)) or url.is_global
    return "the peer removes a national prefix" if trunk else None


def test_tel():
    peer = pytest.importorskip("phonenumbers")
    classes, unexplained = Counter(), []
    for text in drawn(2, tel, "a019%;=-.():#*+ é"):
        url, error = ours(text)
        if url is not None and url.scheme != "tel":
            continue
        if not text.startswith("tel:"):
            continue
        try:
            found, refused = peer.parse(text, None), None
        except peer.NumberParseException as problem:
            found, refused = None, problem
        reason = why_tel(url, error, found, refused)
        classes[reason] += 1
        unexplained += [(text, error, found)] if reason is None else []
    assert unexplained == []
    assert classes["same"] > 1_000


# SIP: three parsers, two of them by a grammar of the RFC; none of them checks parameters.

USERS = ["alice", "a.b", "+1-212-555-1212", "a%41", "a;b=c", "&=+$,;?/", "a:pw", "a:", "user:p%40w"]
HOSTS = [
    "h", "h.d", "atlanta.com", "1.2.3.4", "[::1]", "[2001:db8::9:1]", "h.d.", "a-b.c", "a_b",
    "1.2.3", "h.1", "256.1.1.1",
]  # fmt: skip
IN_SIP = TABLES["in_sip"]
HEADERS = ["a=b", "subject=x%20y", "a=", "=b", "body=x&to=y", "a"]
UNCHECKED = {"repeated", "bad-parameter", "out-of-range", "lonely"}


def sip(chance):
    text = chance.choice(("sip:", "sip:", "sips:", "SIP:"))
    text += f"{chance.choice(USERS)}@" if chance.random() < 0.6 else ""
    text += chance.choice(HOSTS)
    text += (
        f":{chance.choice(('5060', '0', '', '99999', '5060a'))}" if chance.random() < 0.3 else ""
    )
    for _ in range(chance.choice((0, 1, 1, 2, 3))):
        text += f";{chance.choice(IN_SIP)}"
    return text + (f"?{chance.choice(HEADERS)}" if chance.random() < 0.25 else "")


def why_sip(peer, text, error):
    """Why one of the peers differs about a text."""
    if error is not None:
        if named(error) in UNCHECKED:
            return "the peer does not check parameters (RFC 3261 sections 19.1.1 and 25.1)"
        if peer == "sip":
            return "the peer is one loose expression: any word is a host or a port"
        if re.search(r":(?=[;?]|$)", text):
            return "the peer takes an empty port; the RFC wants a digit"
        if "_" in text or re.search(r"[@:.]-|-(?=[.:;?]|$)", text):
            return "the peer takes _ and outer hyphens in host names"
        if re.search("%(?![0-9a-fA-F]{2})", text):
            return 'the RFC\'s token holds a single "%", which no URI has'
        return None
    if "#" in text:
        return "every URI may have a fragment (RFC 3986 section 3.5); the peer takes none"
    if peer != "sip" and re.search("%[89a-fA-F]", text):
        return "the peer decodes as UTF-8 at once"
    tail = text.rpartition("@")[2].partition(":")[2] if "@" not in text else text.rpartition("@")[2]
    if peer == "sip":
        if "[" in text or text[:4] == "SIP:" or ":@" in text:
            return "the peer takes no IPv6 address, upper case, empty password"
        if re.search(r"\?.*=(&|$)", text) or re.search(r"[?&]=|[/?]", text) or "=" in tail:
            return "the peer takes no empty value, and few characters in parameters and headers"
        return None
    host = re.match(r"[^;?]*", tail)[0]
    if re.search(r"\.(:\d+)?$", host):
        return "the peer takes no dot at the end of a host name"
    known = "lr|ttl|maddr|user|method|transport"
    if re.search(rf";({known})", text, re.IGNORECASE):
        return "the peer takes a name that begins like a known parameter for that one"
    return None


def test_sip():
    node = shutil.which("node")
    texts = drawn(3, sip, "aZ09%;,=-.:#?/@[] é")
    if node is None:
        pytest.skip("node is not installed")
    done = subprocess.run(
        [node, str(Path(__file__).with_name("sip_peers.js"))],
        input="\n".join(map(json.dumps, texts)), capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode != 0:
        pytest.skip("jssip, sip and sip.js are not installed where NODE_PATH says")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    classes, unexplained = Counter(), []
    for text, row in zip(texts, rows, strict=True):
        url, error = ours(text)
        if url is not None and url.scheme not in {"sip", "sips"}:
            continue
        for peer, accepted in row.items():
            if accepted == (url is not None):
                classes[peer, "accepted" if accepted else "rejected"] += 1
                continue
            reason = why_sip(peer, text, error)
            classes[peer, reason] += 1
            unexplained += [(peer, text, error)] if reason is None else []
    assert unexplained == []
    assert all(classes[peer, "accepted"] > 1_000 for peer in rows[0])
