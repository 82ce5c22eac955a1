"""Reads texts by the engine of its process, and prints a digest of all that is said of each.

Arguments: what to read ("rfc3986", "rfc3987", "rfc2396", or a registry of schemes), and "all" to
print what is said instead. Standard input: JSON, a list of texts.
"""

import json
import sys
from hashlib import blake2b

import uriparse
from uriparse.errors import URISyntaxError
from uriparse.legacy.rfc2396 import split_reference
from uriparse.schemes import CURRENT, RFC1738, Encoded, parse_url

ERROR = ("offset", "component", "rule", "expected", "cause")
PARTS = ("_text", "scheme", "userinfo", "host", "port", "path", "query", "fragment", "grammar")
RULES = {"rfc3986": "URI-reference", "rfc3987": "IRI-reference"}
REGISTRIES = {"CURRENT": CURRENT, "RFC1738": RFC1738}


def shown(value):
    start = value.start if isinstance(value, Encoded) else None
    return type(value).__name__, None if value is None else str(value), start


def said_of(text, asked):
    """Everything that can be asked of a record or an error."""
    try:
        if asked in REGISTRIES:
            record = parse_url(text, registry=REGISTRIES[asked])
            bases = type(record).__mro__
            names = [name for base in bases for name in getattr(base, "__slots__", ())]
        elif asked in RULES:
            record, names = uriparse.parse(text, RULES[asked], grammar=asked), PARTS
            if uriparse.try_parse(text, RULES[asked], grammar=asked) != record:
                return "try_parse and parse differ"
        else:
            return repr(tuple(split_reference(text)))
    except URISyntaxError as error:
        if asked in RULES and uriparse.is_valid(text, RULES[asked], grammar=asked):
            return "is_valid and parse differ"
        return repr((type(error), str(error), *(getattr(error, name) for name in ERROR)))
    if asked in RULES and not uriparse.is_valid(text, RULES[asked], grammar=asked):
        return "is_valid and parse differ"
    return repr((type(record), repr(record), *(shown(getattr(record, name)) for name in names)))


def main():
    asked, is_all = sys.argv[1], "all" in sys.argv
    write = sys.stdout.write
    write(f"{uriparse.implementation}\n")
    for text in json.load(sys.stdin):
        said = ascii(said_of(text, asked))
        verdict = "-" if "Error" in said.partition(",")[0] else "+"
        write(
            f"{verdict} {said if is_all else blake2b(said.encode(), digest_size=8).hexdigest()}\n"
        )


if __name__ == "__main__":
    main()
