"""Runs uri-test-suite: python run.py FILE.json ... [--tier tiny]

Change `judge` and `resolve` to ask your parser. These ask urllib.parse.
"""

import json
import sys
from pathlib import Path
from urllib.parse import urljoin, urlsplit


def judge(text):
    """Return the components of a URI by name, as far as they are known; raise for a bad one."""
    found = urlsplit(text)
    found.port
    return {"scheme": found.scheme, "path": found.path} if found.scheme else None


def resolve(base, reference):
    return urljoin(base, reference)


def is_right(kind, case):
    if kind == "resolution":
        return resolve(case["base"], case["reference"]) == case["expected"]
    try:
        answer = judge(case["text"])
    except Exception:  # noqa: BLE001 - whatever a parser raises
        answer = None
    parts = case["expected"] if kind == "components" else case.get("components", {})
    # Files of components and limits have valid texts alone.
    if (answer is not None) != case.get("valid", True):
        return False
    return all(parts.get(key, value) == value for key, value in (answer or {}).items())


def main():
    tiers = ["tiny"] if "--tier" in sys.argv else ["tiny", "full"]
    for name in (one for one in sys.argv[1:] if one.endswith(".json")):
        suite = json.loads(Path(name).read_text("utf-8"))
        if suite["kind"] not in ("syntax", "components", "limits", "resolution"):
            sys.exit(f"{name}: this runner does not ask about {suite['kind']}")
        cases = [case for case in suite["cases"] if case["tier"] in tiers]
        wrong = [case for case in cases if not is_right(suite["kind"], case)]
        for case in wrong:
            given = case.get("text", f"{case.get('base')} + {case.get('reference')}")
            print(f"{case['id']}\t{given[:80]!a}\t{case['tells']}")
        print(f"{name}: {len(wrong)} of {len(cases)} differ")


main()
