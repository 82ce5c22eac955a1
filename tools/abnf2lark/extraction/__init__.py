"""ABNF in documents: found, chosen among several definitions, and cut out."""

from abnf2lark.extraction.documents import Block, blocks, extract_blocks
from abnf2lark.extraction.extracting import Extract, extract

__all__ = ["Block", "Extract", "blocks", "extract", "extract_blocks"]
