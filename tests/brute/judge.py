"""The abnf package as a judge of texts, given a grammar's own words, and Lark by a parser."""

from functools import cache

import lark
from abnf.parser import ABNFGrammarNodeVisitor, ABNFGrammarRule, ParseError, Rule

from abnf2lark.config import core_grammar
from abnf2lark.problems import Source
from abnf2lark.reading import load

CORE = core_grammar()


def judge(text):
    """Make accepts(rule, word) from an ABNF text; the package wants CRLF line ends."""
    text = "\r\n".join(text.splitlines()) + "\r\n"
    grammar = type("Grammar", (Rule,), {})
    ABNFGrammarNodeVisitor(grammar).visit(ABNFGrammarRule("rulelist").parse_all(text))

    @cache
    def accepts(rule, word):
        try:
            grammar(rule).parse_all(word)
        except ParseError:
            return False
        return True

    return accepts


def ours(text, imports=(CORE,), take=()):
    """Load an ABNF text with the compiler's reader; there must be no problem in it."""
    grammar, problems = load(Source("test.abnf", text), "test", imports, take)
    assert [problem.headline() for problem in problems] == []
    return grammar


def parses(parser, text, start=None):
    """Whether a parser of Lark's takes a text."""
    try:
        parser.parse(text, start=start)
    except lark.UnexpectedInput:
        return False
    return True
