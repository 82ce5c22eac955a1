"""ABNF in documents: found, chosen among several definitions, and cut out."""

from abnf2lark.extraction.extracting import Extract, extract
from abnf2lark.extraction.layout import printed_lines, without_pages

__all__ = ["Extract", "extract", "printed_lines", "without_pages"]
