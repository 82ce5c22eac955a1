"""The kernel and the Python implementation, to be compared."""

import gc
import sys
from array import array
from itertools import accumulate

from abnf2lark.tagged.format import read
from abnf2lark.tagged.tagged_proof import words
from uriparse._compiled.index import TAGGED
from uriparse._native import kernel, native_rule, tagged
from uriparse.grammar import matcher
from uriparse.records import readers
from uriparse.records.readers import native_reader, reader
from uriparse.records.rewriting import rewriter

__all__ = ["LEAVES", "RECORDED", "RULES", "Implementations", "covering", "facts", "kernel"]
__all__ += ["reader", "rewriter", "rows_of", "stop_of", "tables"]

RECORDED = [grammar for grammar in TAGGED if readers.tables(grammar).RECORDS]
RULES = [(rule, grammar) for grammar in RECORDED for rule in tagged(grammar).STARTS]
assert ("URI-reference", "rfc3986") in RULES
assert ("IRI", "rfc3987") in RULES
LEAVES = [(rule, g) for g in TAGGED if g not in RECORDED for rule in tagged(g).STARTS]
assert ("httpurl", "rfc1738") in LEAVES


def tables(grammar):
    """Return the generated tables as octets."""
    return tagged(grammar).TABLES


def rows_of(texts):
    """Return a column of octets as the kernel reads it."""
    places = array("q", accumulate(map(len, texts), initial=0)).tobytes()
    values = kernel.array((len(texts), 0, (None, places, b"".join(texts)), ()))
    (rows,) = kernel.imported(kernel.schema(("U", "", ())), values)[2]
    return rows


def stop_of(rule, text):
    """Give where a rule stops in a text, by a column of one row; None if the text matches."""
    nulls, _, values, *_ = rule.stops(rows_of([text.encode()]))
    return None if nulls else int.from_bytes(bytes(values)[:8], "little")


def covering(rule, grammar):
    """Yield texts that together use every edge of a rule's automaton."""
    made = read(tables(grammar)).automaton(dict(tagged(grammar).STARTS))
    ends = [end is not None for end in made.ends]
    for word in words(made.rows, ends, made.starts[rule]):
        yield word.decode()


class Implementations:
    """A rule, read by the kernel and in Python."""

    def __init__(self, rule, grammar):
        self.fullmatch = matcher(rule, grammar).fullmatch
        self.pure = readers.pure_reader(rule, grammar)
        self.native = native_reader(rule, grammar, lambda: self.pure)
        self.rule = native_rule(rule, grammar, self.fullmatch)

    def outcomes(self, text):
        """Return what each makes of a text: all facts of its record, and the verdict."""
        return (
            (facts(self.native(text)), self.rule.fullmatch(text) is not None),
            (facts(self.pure(text)), self.fullmatch(text) is not None),
        )


def facts(record):
    """Return all facts of a record."""
    if record is None:
        return None
    parts = [getattr(record, name) for name in (*FIELDS, "grammar", "authority")]
    return type(record), str(record), hash(record), repr(record), [*map(typed, parts)]


def typed(part):
    return type(part), part


FIELDS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")


def is_steady(run):
    """Whether no memory stays taken, however often something runs."""

    def blocks():
        run()
        gc.collect()
        return sys.getallocatedblocks()

    gc.freeze()  # what is there stays, and takes seconds to look at
    blocks()
    before = blocks()
    return abs(blocks() - before) < 50
