"""What single texts are split into, and columns that contradict themselves."""

from array import array

from columns.handmade import Handmade, column

from uriparse import try_parse
from uriparse.arrow.reading import COLUMNS, COMPONENTS

__all__ = ["BROKEN", "COLUMNS", "COMPONENTS", "SIZELESS", "SPARK", "parts"]

SPARK = {  # a JVM that starts soon, and batches enough in few rows
    "spark.driver.host": "127.0.0.1",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.sql.execution.arrow.maxRecordsPerBatch": 1000,
}


def parts(text, rule, grammar):
    record = try_parse(text, rule, grammar=grammar)
    if record is None:
        return None
    found = {name: getattr(record, name) for name in COMPONENTS}
    found = {name: None if part is None else str(part) for name, part in found.items()}
    kind = None if record.host is None else type(record.host).__name__
    return found | {"host_kind": kind}


OFFSETS = array("i", [0, 1, 2]).tobytes()
BACK = array("i", [0, 5, 2]).tobytes()
VIEWS = array("i", [20, 0, 0, 5]).tobytes()
SIZES = array("q", [20]).tobytes()
WORDS = column([b"a:", b"b"])
SIZELESS = "it does not say how large its buffers are"
BROKEN = {
    "its length or its offset is not possible": Handmade("u", -1, [None, OFFSETS, b"ab"]),
    "its length or its offset is not possible ": Handmade("u", 2, [None, OFFSETS, b"ab"],
                                                          offset=-1),
    "its length or its offset is not possible  ": Handmade("vu", 1 << 58,
                                                           [None, VIEWS, b"a" * 20, SIZES],
                                                           offset=1 << 58),
    "it has more nulls than rows": Handmade("u", 2, [None, OFFSETS, b"ab"], nulls=5),
    "it has nulls and does not say where": Handmade("u", 2, [None, OFFSETS, b"ab"], nulls=1),
    "its buffers are not those of its type": Handmade("u", 2, [None, OFFSETS]),
    "its buffers are not those of its type ": Handmade("vu", 1, [None, VIEWS]),
    "a buffer is missing": Handmade("u", 2, [None, None, b"ab"]),
    "a buffer is missing ": Handmade("u", 2, [None, OFFSETS, None]),
    "its last offset is negative": Handmade("u", 1, [None, array("i", [0, -3]).tobytes(), b""]),
    "row 0 lies outside of its buffers": Handmade("u", 2, [None, BACK, b"ab"]),
    "row 0 lies outside of its buffers ": Handmade("vu", 1, [None, VIEWS, b"a" * 20, SIZES]),
    SIZELESS: Handmade("vu", 1, [None, VIEWS, b"a", None]),
    "it has been released": Handmade("u", 2, [None, OFFSETS, b"ab"], is_there=False),
    "row 1 lies outside of its buffers": Handmade("c", 2, [None, b"\1\2"], dictionary=WORDS),
    "row 1 lies outside of its buffers ": Handmade("c", 2, [None, b"\1\xff"], dictionary=WORDS),
    "its dictionary is missing": Handmade("c", 2, [None, b"\1\0"], dictionary=WORDS,
                                          has_texts=False),
}  # fmt: skip
