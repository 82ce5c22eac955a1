"""The grammar files as the abnf package reads them, and nothing of ours in between."""

import json
import re
from dataclasses import dataclass
from functools import cache

import pytest
from abnf.parser import ABNFGrammarNodeVisitor, ABNFGrammarRule, ParseError, Rule
from paths import ROOT

VECTORS = ROOT / "tests" / "vectors"
CORE = "ALPHA BIT CHAR CR CRLF CTL DIGIT DQUOTE HEXDIG HTAB LF LWSP OCTET SP VCHAR WSP"
SHARED = (  # what RFC 3987 section 2.2 repeats from RFC 3986
    "scheme port IP-literal IPvFuture IPv6address h16 ls32 IPv4address dec-octet pct-encoded"
    " unreserved reserved gen-delims sub-delims"
)
NAME_OUTSIDE_TEXT = re.compile(r'"[^"]*"|;[^\n]*|%[A-Za-z][\w.-]*|[A-Za-z][A-Za-z0-9-]*')


@dataclass(frozen=True)
class FileRule:
    name: str
    text: str  # of the elements, comments left out, spaces folded
    references: tuple[str, ...]
    comments: tuple[str, ...]  # that stand within the rule

    @property
    def departures(self):
        found = [re.match(r";\s*DEPARTURE \((C-\d{3})\): \S", comment) for comment in self.comments]
        return tuple(match[1] for match in found if match)


def source(name):
    return (ROOT / "grammar" / f"{name}.abnf").read_text(encoding="ascii")


@cache
def read(text):
    """Give the abnf package's own syntax tree of an ABNF text; it wants CRLF."""
    return ABNFGrammarRule("rulelist").parse_all(text.replace("\n", "\r\n"))


def nodes(node, name):
    """Give the nodes of that name, in order, outermost only."""
    if node.name == name:
        yield node
    else:
        for child in node.children:
            yield from nodes(child, name)


def spell(node):
    """Give a node's text with one space for each stretch of white space and comments."""
    if node.name in {"c-wsp", "c-nl", "comment"}:
        return " "
    return "".join(map(spell, node.children)) if node.children else node.value


def file_rules(text):
    for rule in nodes(read(text), "rule"):
        elements = next(nodes(rule, "elements"))
        yield FileRule(
            name=next(nodes(rule, "rulename")).value,
            text=re.sub(r"\s+", " ", spell(elements)).strip(),
            references=tuple(
                node.value for kind in ("rulename", "prose-val") for node in nodes(elements, kind)
            ),
            comments=tuple(node.value.strip() for node in nodes(rule, "comment")),
        )


def load(text, imports=()):
    """Make a parser of an ABNF text.

    The package keeps one set of core rules for all grammars and refuses a grammar that has its own
    `alpha`, so such names are given a prefix first.
    """
    own = {rule.name.casefold() for rule in file_rules(text)} & set(CORE.casefold().split())

    def rename(match):
        return f"own-{match[0]}" if match[0].casefold() in own else match[0]

    grammar = type("Grammar", (Rule,), {})
    ABNFGrammarNodeVisitor(grammar).visit(read(NAME_OUTSIDE_TEXT.sub(rename, text)))
    for rule in imports:
        grammar(rule.name, rule.definition)

    @cache
    def accepts(rule, string):
        name = f"own-{rule}" if rule.casefold() in own else rule
        try:
            grammar(name).parse_all(string)
        except ParseError:
            return False
        return True

    accepts.grammar = grammar
    return accepts


@pytest.fixture(scope="session")
def rules():
    names = ("core", "rfc3986", "rfc3987", "rfc1738")
    return {name: tuple(file_rules(source(name))) for name in names}


@pytest.fixture(scope="session")
def inventory():
    found = json.loads((VECTORS / "rule_inventory.json").read_text(encoding="ascii"))
    assert set(found) == {"core", "rfc3986", "rfc3987", "rfc1738"}
    return found


@pytest.fixture(scope="session")
def load_grammar():
    return load


@pytest.fixture(scope="session")
def accepts():
    uri = load(source("rfc3986"))
    return {
        "core": load(source("core")),
        "rfc3986": uri,
        "rfc3987": load(source("rfc3987"), [uri.grammar(name) for name in SHARED.split()]),
        "rfc1738": load(source("rfc1738")),
    }


@pytest.fixture(scope="session")
def published():
    """Give RFC 3987's rules as the abnf package ships them, transcribed by other hands.

    (Its RFC 3986 cannot be used here: the alternatives of dec-octet are in another order.)
    """
    from abnf.grammars import rfc3987  # takes a second

    return tuple(file_rules(rfc3987.Rule.grammar.strip() + "\n"))


@pytest.fixture(scope="session", name="source")
def source_fixture():
    return source
