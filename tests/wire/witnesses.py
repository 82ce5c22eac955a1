"""Measures on the wire which clients need which rule of the agreement, and writes the table of it.

    python tests/wire/witnesses.py

For each code of the layer "agreement", texts that break that rule alone are fetched by every
client; for each octet of ASCII, its triplet in a path and in a query. A client needs a rule if some
text that breaks it alone takes the client elsewhere, or makes it send another request target. What
it refuses to fetch does no harm.
"""

import argparse
import json
import re
import sys
import tempfile
import textwrap
from collections import defaultdict
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from wire.clients import known
from wire.running import run
from wire.texts import is_special, mutants
from wire.verdicts import ELSEWHERE, REFUSED, TARGET, verdict

from uriparse.validation import CLIENTS, Policy, validate
from uriparse.validation.client_table import MEASURED

RECORDED = Path(__file__).parents[1] / "agreement/witnesses.json"
TABLE = Path(__file__).parents[2] / "uriparse/validation/clients.txt"
ALONE = Policy.web().replace(agreement="request")
NOT_MEASURED = {
    "empty-host", "future-address", "host-dots", "malformed", "missing-authority", "no-scheme",
    "nonlocal-reference", "not-ascii", "port-range", "scheme-other",
}  # fmt: skip
"""What is not measured is needed by all: a search domain that a trailing dot would keep away shows
in no namespace, other schemes are not fetched alike by anybody, and the others name nothing that a
client could connect to.
"""

EACH = 40
"""Texts for each code."""

FOUND = ("http://+9/", "https://[c7::7b2]:6607/", "https://[b439:4::]/", "https://[::9]/")
"""Texts that a client was found to read otherwise by trials of other texts."""

HEAD = """\
# Which clients need which rules of the agreement: made by tests/wire/witnesses.py. The codes that
# were measured; then a line for each client: its name, then the attributes of `ClientRules`.
"""


NODE = ("Node fetch", "Node http", "axios", "got", "undici", "superagent", "node-fetch")
PARSERS = {
    **{name: {"libcurl"} for name in ("curl", "PHP curl")},
    **{name: {name} for name in ("pycurl", "requests", "urllib3", "httpx", "tornado")},
    **{name: {"node URL"} for name in (*NODE, "Chromium", "Firefox")}, "urllib": {"urllib.request"},
    "aiohttp": {"yarl (aiohttp)"}, "needle": {"node url.parse"}, "LWP": {"perl URI"},
    "Ruby Net::HTTP": {"ruby URI"}, "PHP streams": {"php parse_url"}, "Go net/http": {"go net/url"},
    "Java HttpClient": {"java.net.URI"}, "Java URL": {"java.net.URL"},
}  # fmt: skip
"""The parsers of tests/agreement by which clients read: what they misread there counts here too.

Names that the C library of this machine does not look up, others do.
"""


def misread_in_process(parsers):
    """Return the codes of recorded texts that break one rule, and that a parser misreads."""
    recorded = json.loads(RECORDED.read_text("ascii"))["witnesses"]
    wrong = (one["text"] for one in recorded if not parsers.isdisjoint(one["errs"]))
    return {broken_alone(text) for text in wrong} - {None, *NOT_MEASURED}


def broken_alone(text):
    """Return the one code of the agreement that a text breaks, or None."""
    codes = {found.code for found in validate(text, ALONE).reasons if found.layer == "agreement"}
    return codes.pop() if len(codes) == 1 else None


def texts_by_code():
    """Return texts by the one code that they break."""
    found = defaultdict(dict)
    recorded = (one["text"] for one in json.loads(RECORDED.read_text("ascii"))["witnesses"])
    for text in (*FOUND, *recorded, *islice(mutants("witnesses"), 150_000)):
        if text.isascii() and text.isprintable() and " " not in text:
            code = broken_alone(text) or ""
            # Some clients send the fragment, which is another matter than the rule.
            if (
                code
                and not (code.startswith("request-") and "#" in text)
                and len(found[code]) < EACH
            ):
                found[code][text] = None
    return {code: [*texts] for code, texts in found.items() if code not in NOT_MEASURED}


def triplets():
    """Return a text for each triplet of ASCII, in either case, in a path and in a query."""
    spelled = dict.fromkeys(f"%{n:{form}}" for form in ("02X", "02x") for n in range(128))
    places = {"path": "http://h.example/a{}b", "query": "http://h.example/?a=b{}c"}
    return {(place, one): form.format(one) for place, form in places.items() for one in spelled}


def measure(names, by_code, folder, by_triplet):
    """Return rows of the table by client."""
    texts = [
        *dict.fromkeys((*(t for each in by_code.values() for t in each), *by_triplet.values()))
    ]
    texts = [text for text in texts if not is_led_here(text)]
    table = {}
    for name in names:
        version, wrong = gone_wrong(name, texts, folder)
        # What a client does late is noted with a later text: so all is done twice.
        again = gone_wrong(name, sorted(wrong), folder)[1]
        wrong = {text: what for text, what in again.items() if wrong[text] == what}
        codes = {
            code
            for code, each in by_code.items()
            if any(wrong.get(text) in bad_for(code) for text in each)
        }
        codes |= misread_in_process(PARSERS.get(name, set()))
        altered = {
            place: "".join(
                one for (at, one), text in by_triplet.items() if at == place and text in wrong
            )
            for place in ("path", "query")
        }
        table[name] = (version, tuple(sorted(codes)), altered["path"], altered["query"])
        sys.stderr.write(f"{name} {version}: {' '.join(sorted(codes))}\n")
    return table


def gone_wrong(name, texts, folder):
    """Return the version of a client, and what it does wrong by text."""
    made = run(texts, [name], folder)[name]
    found = {
        text: what_happens(text, *row[:2]) for text, row in zip(texts, made["rows"], strict=True)
    }
    return made["version"], {text: what for text, what in found.items() if what in WRONG}


def bad_for(code):
    """Return the verdicts that make a rule necessary."""
    return WRONG if code.startswith("request-") else {ELSEWHERE}


WRONG = {ELSEWHERE, TARGET}


def is_led_here(text):
    """Whether a text leads to where the namespace itself answers; see `is_special`."""
    target = validate(text, Policy.syntax()).target
    return target is not None and is_special(text)


def what_happens(text, names, connections):
    if validate(text, Policy.syntax()).target is None:  # nobody knows where to
        return ELSEWHERE if names or connections else REFUSED
    return verdict(text, names, connections)


def united(row, before):
    """Return a row with what the same version has done in earlier runs: it may do it again."""
    if before is None or before.version != row[0]:
        return row
    triplets = (
        "".join(dict.fromkeys(re.findall("%..", old + new)))
        for old, new in zip(before[2:], row[2:], strict=True)
    )
    return row[0], tuple(sorted({*before.codes, *row[1]})), *triplets


def wanted(code, given):
    return not given.code or code in given.code


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path, default=TABLE)
    parser.add_argument("--code", action="append", help="measure this alone, not triplets either")
    parser.add_argument("clients", nargs="*")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        codes = {code: texts for code, texts in texts_by_code().items() if wanted(code, given)}
        by_triplet = {} if given.code else triplets()
        table = measure(given.clients or [*known()], codes, folder, by_triplet)
    rows = {**CLIENTS, **{name: united(row, CLIENTS.get(name)) for name, row in table.items()}}
    measured = tuple(sorted({*MEASURED, *codes} - {"request-triplet"}))
    given.out.write_text(written(measured, rows), "utf-8")


def written(measured, rows):
    """Return the table."""
    codes = textwrap.fill(" ".join(measured), 96, break_on_hyphens=False)
    lines = (
        "|".join((name, version, " ".join(codes), *triplets))
        for name, (version, codes, *triplets) in rows.items()
    )
    rows = "\n".join(lines)
    return f"{HEAD}\n{codes}\n\n{rows}\n"


if __name__ == "__main__":
    main()
