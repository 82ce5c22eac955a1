"""What a file of Python states, wherever it is nested."""

import ast


def statements(source):
    """Yield every statement; expressions, which are most of a tree, are passed over."""
    left = ast.parse(source).body
    while left:
        node = left.pop()
        yield node
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            left += getattr(node, part, ())
