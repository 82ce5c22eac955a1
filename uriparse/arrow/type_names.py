"""What the types are called that Arrow writes in a letter or two."""

from __future__ import annotations

_WHOLE = {
    "n": "null",
    "b": "bool",
    "c": "int8",
    "C": "uint8",
    "s": "int16",
    "S": "uint16",
    "i": "int32",
    "I": "uint32",
    "l": "int64",
    "L": "uint64",
    "e": "float16",
    "f": "float32",
    "g": "float64",
    "z": "binary",
    "Z": "large_binary",
    "vz": "binary_view",
    "u": "string",
    "U": "large_string",
    "vu": "string_view",
}
_BEGUN = {
    "d:": "decimal",
    "w:": "fixed_size_binary",
    "td": "date",
    "tt": "time",
    "ts": "timestamp",
    "tD": "duration",
    "ti": "interval",
    "+l": "list",
    "+L": "large_list",
    "+vl": "list_view",
    "+vL": "large_list_view",
    "+w": "fixed_size_list",
    "+s": "struct",
    "+m": "map",
    "+u": "union",
    "+r": "run_end_encoded",
}


def type_name(written: str) -> str:
    """Name a type by its format; one that is not known by what is written, in quotes.

    >>> type_name("l"), type_name("tsu:Europe/Rome"), type_name("?")
    ('int64', 'timestamp', "'?'")
    """
    found = (name for begin, name in _BEGUN.items() if written.startswith(begin))
    return _WHOLE.get(written) or next(found, repr(written))
