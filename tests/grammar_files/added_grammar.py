"""Use a grammar through every entry point, in the package that stands first on the path.

Reads texts as JSON, `{"grammar": …, "texts": […]}`, writes what came of them.
"""

import json
import sys

import uriparse
from uriparse.errors import URIError
from uriparse.grammar import bytes_matcher, charset, start_rule


def outcome(function, *arguments, **options):
    """Give what a function returns, as JSON can have it, or the name of its error."""
    try:
        found = function(*arguments, **options)
    except URIError as error:
        return {
            "error": type(error).__name__,
            "message": str(error),
            "offset": getattr(error, "offset", None),
        }
    return found if isinstance(found, bool | str | tuple) or found is None else shape(found)


def shape(tree):
    """Give a tree as nested lists."""
    return [tree.data, *(c if isinstance(c, str) else shape(c) for c in tree.children)]


def about(text, rule, grammar):
    """Give all that the library says about a text by a rule."""
    where = {"rule": rule, "grammar": grammar}
    return {
        "is_valid": outcome(uriparse.is_valid, text, **where),
        "tree": outcome(uriparse.parse_tree, text, **where),
        "full": outcome(uriparse.parse_tree, text, detail="full", **where),
        "parse": outcome(uriparse.parse, text, **where),
        "try_parse": outcome(uriparse.try_parse, text, **where),
    }


def run(asked):
    name = asked["grammar"]
    return {
        "grammars": uriparse.grammars(), "rules": uriparse.rules(name), "start": start_rule(name),
        "charset": outcome(charset, "pchar", name),
        "octets": [bytes_matcher(rule, name).groups for rule in uriparse.rules(name)],
        "texts": {rule: [about(text, rule,
                               name) for text in asked["texts"]] for rule in uriparse.rules(name)},
    }  # fmt: skip


if __name__ == "__main__":
    json.dump(run(json.load(sys.stdin)), sys.stdout)
