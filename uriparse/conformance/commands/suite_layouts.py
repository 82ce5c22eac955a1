"""Suites as others lay out test data: JSON Schema's test suite, and corpora of fuzzers."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

from uriparse._base.coerce import is_unicode

if TYPE_CHECKING:
    from uriparse.conformance import Suite

FOLDERS: Final = ("libfuzzer", "afl", "go-corpus")
"""The layouts that are folders of files."""

SCHEMA_FORMATS: Final = {
    "URI": "uri",
    "URI-reference": "uri-reference",
    "IRI": "iri",
    "IRI-reference": "iri-reference",
    "IPv4address": "ipv4",
    "IPv6address": "ipv6",
}
"""What JSON Schema calls texts of a rule, in its keyword `format`."""


def json_schema_lines(found: Suite) -> Iterator[str]:
    """Write a file of JSON-Schema-Test-Suite; texts that are not Unicode are left out."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "format": SCHEMA_FORMATS[found.subject.rule],
    }
    group = {"description": found.size, "schema": schema}
    yield f'[{json.dumps(group)[:-1]}, "tests": ['
    separator = ""
    for row in found:
        if is_unicode(row.text):
            test = {"description": row.tests, "data": row.text, "valid": row.valid}
            yield f"{separator}{json.dumps(test)}"
            separator = ","
    yield "]}]"


def write_folder(found: Suite, layout: str, name: str) -> None:
    """Write a folder of seeds, called by digest, whole or not at all; OSError if it cannot be."""
    place = Path(name)
    if place.exists():
        raise FileExistsError(17, "it is there already; a folder is not replaced", name)
    made = place.with_name(f".{place.name[:40]}.{os.urandom(8).hex()}")
    made.mkdir()
    try:
        for inner, octets in _files(found, layout):
            path = made / inner
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(octets)
        made.rename(place)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise


def _files(found: Suite, layout: str) -> Iterator[tuple[str, bytes]]:
    for text in filter(is_unicode, found.texts):
        octets = text.encode()
        digest = sha256(octets).hexdigest()[:16]
        if layout == "go-corpus":
            yield digest, f"go test fuzz v1\nstring({_go_quoted(text)})\n".encode()
        else:
            yield f"seeds/{digest}", octets
    if layout != "go-corpus":
        yield "dictionary.txt", "".join(f"{word}\n" for word in _dictionary(found)).encode()


def _go_quoted(text: str) -> str:
    """Write a string as Go does: JSON's escapes, but for characters beyond the BMP."""
    plain = (json.dumps(char)[1:-1] if char <= "\uffff" else f"\\U{ord(char):08x}" for char in text)
    return f'"{"".join(plain)}"'


def _dictionary(found: Suite) -> list[str]:
    """Return the literals of the rule's grammar, as AFL and libFuzzer read them."""
    from abnf2lark import ir
    from uriparse.conformance.generation import compiled

    grammar = compiled(found.subject.source)
    literals: set[str] = set()
    for rule in ir.reachable(grammar, [found.subject.rule]):
        for node in ir.walk(grammar.rules[rule].body):
            match node:
                case ir.Text(value):
                    literals.add(value)
                case ir.Chars(((low, high),)) if low == high:
                    literals.add(chr(low))
    return [f'"{"".join(map(_escaped, word.encode()))}"' for word in sorted(literals)]


def _escaped(octet: int) -> str:
    char = chr(octet)
    return char if char.isascii() and char.isalnum() else f"\\x{octet:02X}"
