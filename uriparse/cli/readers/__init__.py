"""What other readers on this machine make of a URL: each runs as a process of its own.

A reader is a library or a language's URL parser. It gets texts and says where it would go; it is
never given the means to go there. Whatever it does, crash, hang or babble, costs its own row alone.
"""

from uriparse.cli.readers.catalogue import READERS, Reader
from uriparse.cli.readers.comparison import Comparison, Member, Row, Verdict
from uriparse.cli.readers.panel import Panel
from uriparse.cli.readers.reading import Outcome, Reading, Refusal, our_reading

__all__ = [
    "READERS",
    "Comparison",
    "Member",
    "Outcome",
    "Panel",
    "Reader",
    "Reading",
    "Refusal",
    "Row",
    "Verdict",
    "our_reading",
]
