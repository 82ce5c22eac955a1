"""The parts of the kit that ask other parsers, for tests: what moves is followed here alone."""

from uriparse.conformance.peers.asking import MAX_CRASHES, Panel, ask
from uriparse.conformance.peers.catalogue import DESTINATION_PEERS, VERDICT_PEERS, Peer, peer
from uriparse.conformance.peers.destinations import compare
from uriparse.conformance.peers.tasks import PeerTask

__all__ = [
    "DESTINATION_PEERS", "MAX_CRASHES", "VERDICT_PEERS", "Panel", "Peer", "PeerTask", "ask",
    "compare", "peer",
]  # fmt: skip
