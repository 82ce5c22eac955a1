"""The committed Lark files work in Lark as it is installed, with nothing of ours but the file."""

import hashlib
import json
from itertools import islice

import lark
import pytest
from paths import ROOT

from abnf2lark.config import bundled_directory, load_bundles, roots
from abnf2lark.library.grammar import Grammar as Compiled
from abnf2lark.problems import InputError, Source

COMPILED = ROOT / "uriparse" / "_compiled"
BUNDLES = load_bundles(bundled_directory())
MANY = 10  # texts of each kind, for each rule to start with


def starts(name):
    """Return the rules that no others lead to, and those of records."""
    bundle = BUNDLES[name]
    return dict.fromkeys([*roots(bundle.grammar), *bundle.settings.records])


def stock_parser(text: str, rule: str) -> lark.Lark:
    """Load a Lark file as its head says; a rule that is text alone has its own start."""
    name = rule.lower().replace("-", "_")
    start = f"{name}___alone" if f"\n{name}___alone:" in text else name
    return lark.Lark(text, parser="lalr", lexer="contextual", start=start)


def accepts(parser: lark.Lark, text: str) -> bool:
    try:
        parser.parse(text)
    except lark.UnexpectedInput:
        return False
    return True


def texts_of(name: str, rule: str, *, invalid: bool):
    """Draw texts from the rules as they are written; the expression of the rule has judged them."""
    grammar = Compiled(BUNDLES[name].grammar, Source(name, ""), ())
    return list(islice(grammar.generate(seed=len(rule), rule=rule, invalid=invalid), MANY))


REFUSE_NOTHING = {("whatwg", rule) for rule in ("special", "special-relative", "file", "other")}
"""Rules of which every text is one."""


@pytest.mark.parametrize("name", BUNDLES)
def test_lark_itself_reads_the_committed_file(name):
    text = (COMPILED / f"{name}.lark").read_text(encoding="utf-8")
    for rule in starts(name):
        parser = stock_parser(text, rule)
        valid = texts_of(name, rule, invalid=False)
        assert len(valid) == MANY
        assert [one for one in valid if not accepts(parser, one)] == []
        if (name, rule) in REFUSE_NOTHING:
            with pytest.raises(InputError, match="no invalid text"):
                texts_of(name, rule, invalid=True)
            continue
        invalid = texts_of(name, rule, invalid=True)
        assert len(invalid) == MANY
        assert [one for one in invalid if accepts(parser, one)] == []


@pytest.mark.parametrize("name", BUNDLES)
def test_the_committed_file_is_as_it_was_built(name):
    """An edit by hand is seen at once; `abnf2lark build --check` compiles all again."""
    recorded = json.loads((COMPILED / "digests.json").read_text())["grammars"][name]["files"]
    octets = (COMPILED / f"{name}.lark").read_bytes()
    digest = hashlib.sha256(b"%d:" % len(octets) + octets)
    assert digest.hexdigest() == recorded[f"{name}.lark"]
