"""The way of Lark: from a grammar to a parser, a tree, and by a transformer class to a record.

`parse_tree` makes trees; `ReferenceTransformer`, `URLTransformer` and `RFC2396Transformer` make
records of them, and can be subclassed. `uriparse.transform` chooses among them. Only this package
imports Lark.
"""

from uriparse.trees.lark_parser import ParseTree, parse_tree
from uriparse.trees.transformers import (
    RecordTransformer,
    ReferenceTransformer,
    RFC2396Transformer,
    URLTransformer,
    tree_parser,
)

__all__ = [
    "ParseTree", "RFC2396Transformer", "RecordTransformer", "ReferenceTransformer",
    "URLTransformer", "parse_tree", "tree_parser",
]  # fmt: skip
