"""Peers that do as their texts say: a stand-in for all that can go wrong."""

import sys

from cases import documents
from other_parsers import Peer

PROGRAM = documents(__file__)["PROGRAM"]


def peer(mode="plain"):
    """Give a peer that misbehaves always, or only at texts that ask for it."""
    return Peer(mode, sys.executable, ("-c", PROGRAM, mode))
