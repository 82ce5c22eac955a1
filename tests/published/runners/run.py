"""Runs uri-test-suite: python run.py FILE.json ... [--tier tiny]

Change `judge` to ask your parser. This one asks urllib.parse.
"""

import json
import sys
from pathlib import Path
from urllib.parse import urlsplit


def judge(text):
    """Return the components of a URI by name, as far as they are known; raise for a bad one."""
    found = urlsplit(text)
    found.port
    return {"scheme": found.scheme, "path": found.path} if found.scheme else None


def differences(name, tier):
    suite = json.loads(Path(name).read_text("utf-8"))
    for case in suite["cases"]:
        if tier == "tiny" and case["tier"] != "tiny":
            continue
        try:
            answer = judge(case["text"])
        except Exception:  # noqa: BLE001 - whatever a parser raises
            answer = None
        parts = case.get("components") or {}
        wrong = answer and [key for key, value in answer.items() if parts.get(key, value) != value]
        right = (answer is not None) == case["valid"] and not wrong
        yield None if right else f"{case['id']}\t{case['text']!a}\t{case['tells']}"


def main():
    tier = "tiny" if "--tier" in sys.argv else "full"
    for name in (one for one in sys.argv[1:] if one.endswith(".json")):
        found = list(differences(name, tier))
        wrong = [one for one in found if one]
        print("\n".join([*wrong, f"{name}: {len(wrong)} of {len(found)} differ"]))


main()
