"""Names that other libraries of grammars use: an AttributeError says what to write instead."""

from collections.abc import Mapping


def _by_name(ours: Mapping[str, str]) -> dict[str, str]:
    return {name: code for code, names in ours.items() for name in names.split()}


FRONT = _by_name({
    "abnf2lark.load(abnf)": "loads parse read compile from_file from_string load_file load_grammar"
    " ABNFGrammar Rule rule create",
    "abnf2lark.load(abnf).lark()": "to_lark convert lark transform translate",
    "abnf2lark.load(abnf).matches(text)": "match fullmatch validate is_valid",
    "abnf2lark.load(abnf).explain(text)": "explain diagnose",
    "abnf2lark.load(abnf).tree(text)": "tree parse_tree parse_string",
    "abnf2lark.load(abnf).lint()": "lint check",
    "abnf2lark.load(abnf).pattern()": "regex pattern to_regex",
    "next(abnf2lark.load(abnf).generate())": "generate examples",
    'abnf2lark.load(abnf).equal("a", "b")': "diff compare equal",
    "abnf2lark.GrammarError": "parseerror grammarsyntaxerror syntaxerror",
    "abnf2lark.AbnfError": "error",
})  # fmt: skip
"""By a name that is tried on the package, or that name in lower case, what to write."""

GRAMMAR = _by_name({
    "grammar.tree(text)": "parse parse_string parseString parse_all parse_tree read",
    "grammar.matches(text)": "match fullmatch is_valid validate accepts test recognize search",
    "grammar.lark()": "to_lark parser compile transform to_ebnf get_parser build",
    "grammar.pattern()": "regex to_regex re regexp",
    "grammar.rules": "rule_names names keys rule get terminals nonterminals",
    "grammar.rules[0]": "start start_rule first",
    "next(grammar.generate())": "examples sample samples words random example",
    "grammar.lint()": "errors problems check warnings",
    "grammar.explain(text)": "diagnose why error",
    'grammar.equal("a", "b")': "diff compare equivalent",
})  # fmt: skip
"""By a name that is tried on a grammar, what to write."""


def advice(name: str, known: Mapping[str, str]) -> str:
    """Say what to write instead of a name, as the end of a message; `""` where it is unknown."""
    words = known.get(name) or known.get(name.lower())
    return f": use {words}" if words else ""
