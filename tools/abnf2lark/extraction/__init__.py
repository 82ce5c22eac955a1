"""ABNF in documents: found, chosen among several definitions, and cut out."""

from abnf2lark.extraction.documents import Block, blocks, extract_blocks
from abnf2lark.extraction.extracting import Extract, extract
from abnf2lark.extraction.layout import printed_lines, without_pages

__all__ = [
    "Block",
    "Extract",
    "blocks",
    "extract",
    "extract_blocks",
    "printed_lines",
    "without_pages",
]
