"""Peers that do as their texts say: a stand-in for all that can go wrong."""

import sys

from other_parsers import Peer

PROGRAM = r"""
import json, os, sys, time
mode = sys.argv[1]
if mode == "dumb": time.sleep(600)
if mode == "stillborn": sys.exit(3)
if mode == "nameless": print("hello", flush=True)
print(json.dumps({"version": None if mode == "missing" else "1.0"}), flush=True)
for line in sys.stdin:
    text = json.loads(line)
    answer = {"scheme": "http", "host": "example.com", "port": 80, "target": "/a?b"}
    if text == "http://example.com/a?b":
        if mode == "stranger": answer = {"refuses": "AttributeError"}
    elif mode == "crash" or text == "http://crash/": os.abort()
    elif mode == "hang" or text == "http://hang/": time.sleep(600)
    elif text == "http://babble/":
        while True: sys.stdout.write("x" * 65536)
    elif text == "http://lines/":
        while True: print("{}")
    elif text.startswith("http://says/"):
        print(text.removeprefix("http://says/"), flush=True)
        continue
    else:
        host = text.split("/")[2]
        answer = {"scheme": "HTTP", "host": host, "port": None, "path": "", "query": None}
    print(json.dumps(answer), flush=True)
"""


def peer(mode="plain"):
    """Give a peer that misbehaves always, or only at texts that ask for it."""
    return Peer(mode, sys.executable, ("-c", PROGRAM, mode))
