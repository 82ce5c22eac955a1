"""The trial on which the promise of agreement.md rests: runs clients, and records what was run.

    python tests/wire/trial.py [--kind destination|request|alone|proxy] [CLIENT...]

Each client fetches texts that a policy accepts, in a namespace without a way out. What went as the
library says is counted in trial.json, which the page shows; a difference is printed, and is a
failure.
"""

import argparse
import json
import os
import sys
import tempfile
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from wire.clients import known
from wire.namespace import NoNamespaceError
from wire.texts import accepted, spared
from wire.verdicts import ELSEWHERE, SAME, TARGET, UNPROXIED, judged, targets

RECORD = Path(__file__).with_name("trial.json")
SEED = int(os.environ.get("URIPARSE_SEED", "0"))
BAD = {
    "destination": (ELSEWHERE,), "request": (ELSEWHERE, TARGET), "alone": (ELSEWHERE, TARGET),
    "proxy": (ELSEWHERE, TARGET),
}  # fmt: skip
"""What may not happen, by what is asked: whether a client goes to the same place; whether it sends
the same request; whether it does so with what is accepted for it alone; whether it asks a proxy
for the same, where its environment names one.
"""


def drawn(kind, client, number):
    """Return the texts that a client is handed."""
    if kind == "alone":
        return targets(spared(client, number, f"spared {SEED}"))
    return accepted_for(kind, number)


@cache
def accepted_for(kind, number):
    """Return the texts that all clients are handed."""
    texts = accepted("request" if kind == "proxy" else kind, number, SEED)
    return texts if kind == "destination" else targets(texts)


def tried(kind, client, number, folder):
    """Return a client's version, its verdicts counted, and what went wrong."""
    return judged(
        client, drawn(kind, client, number), folder, BAD[kind], is_proxied=kind == "proxy"
    )


def recorded():
    """Return by client its version, and by kind how often it did what."""
    return json.loads(RECORD.read_text("utf-8")) if RECORD.exists() else {}


def record(client, version, kind, counts):
    """Note a run without a difference; runs of another version no longer count."""
    rows = recorded()
    row = rows.setdefault(client, {"version": version})
    if row["version"] != version:
        row = rows[client] = {"version": version}
    row[kind] = dict(sorted(counts.items()))
    lines = (f"{json.dumps(name)}: {json.dumps(row)}" for name, row in sorted(rows.items()))
    RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kind", choices=BAD, action="append")
    parser.add_argument("--number", type=int, default=2000)
    parser.add_argument("clients", nargs="*", help="all that are here, if none is named")
    given = parser.parse_args()
    failed = False
    for client in given.clients or known():
        for kind in given.kind or BAD:
            with tempfile.TemporaryDirectory() as folder:
                try:
                    version, counts, wrong = tried(kind, client, given.number, folder)
                except NoNamespaceError as error:
                    sys.exit(f"no namespace: {error}")
            lines = [f"{client} {version}, {kind}: {dict(counts)}"]
            lines += [f"  {text!r}: {found}" for text, found in wrong]
            sys.stdout.write("\n".join(lines) + "\n")
            sys.stdout.flush()
            failed |= bool(wrong)
            if not wrong and counts[UNPROXIED] <= counts[SAME]:  # else it takes no proxy
                record(client, version, kind, counts)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
