"""The committed Lark files work in Lark as it is installed, with nothing of ours but the file."""

import hashlib
import json
from collections.abc import Iterable
from functools import cache
from itertools import islice

import lark
import pytest
from marks import SELDOM, by_grammar, some_slow
from paths import ROOT

from abnf2lark.config import bundled_directory, load_bundles, roots
from abnf2lark.library.grammar import Grammar as Compiled
from abnf2lark.problems import InputError, Source
from uriparse import normalize, parse, parse_url, resolve
from uriparse.errors import SchemeError
from uriparse.schemes import CURRENT, RFC1738
from uriparse.trees import ReferenceTransformer, URLTransformer

COMPILED = ROOT / "uriparse" / "_compiled"
BUNDLES = load_bundles(bundled_directory())
MANY = 10  # texts of each kind, for each rule to start with
REFERENCES = {"rfc3986": "URI-reference", "rfc3987": "IRI-reference"}
BASE = "http://a/b/c/d;p?q"
LEVELS = ("syntax", "scheme")


def starts(name):
    """Return the rules that no others lead to, and those of records."""
    bundle = BUNDLES[name]
    return dict.fromkeys([*roots(bundle.grammar), *bundle.settings.records])


APART = {"agreed"}
"""Grammars whose start rules have terminals that the others' mix with: one is loaded at a time."""


def stock_parser(name: str, rules: Iterable[str]):
    """Load a Lark file as its head says, once for all rules; return what parses by one of them."""
    if name in APART:
        every = {rule: lark_file(name, [rule]) for rule in rules}
        return lambda rule, text: every[rule](rule, text)
    return lark_file(name, rules)


def lark_file(name: str, rules: Iterable[str]):
    text = (COMPILED / f"{name}.lark").read_text(encoding="utf-8")
    starts = {rule: rule.lower().replace("-", "_") for rule in rules}
    for rule, start in starts.items():
        if f"\n{start}___alone:" in text:  # a rule that is text alone
            starts[rule] = f"{start}___alone"
    loaded = lark.Lark(text, parser="lalr", lexer="contextual", start=[*starts.values()])
    return lambda rule, text: loaded.parse(text, start=starts[rule])


def accepts(parse, rule: str, text: str) -> bool:
    try:
        parse(rule, text)
    except lark.UnexpectedInput:
        return False
    return True


@cache
def compiled(name: str) -> Compiled:
    return Compiled(BUNDLES[name].grammar, Source(name, ""), ())


def texts_of(name: str, rule: str, *, invalid: bool):
    """Draw texts from the rules as they are written; the expression of the rule has judged them."""
    return list(islice(compiled(name).generate(seed=len(rule), rule=rule, invalid=invalid), MANY))


REFUSE_NOTHING = {("whatwg", rule) for rule in ("special", "special-relative", "file", "other")}
"""Rules of which every text is one."""


@pytest.mark.parametrize("name", some_slow(BUNDLES, "whatwg", *SELDOM & {*BUNDLES}))
def test_lark_itself_reads_the_committed_file(name):
    parser = stock_parser(name, starts(name))
    for rule in starts(name):
        valid = texts_of(name, rule, invalid=False)
        assert len(valid) == MANY
        assert [one for one in valid if not accepts(parser, rule, one)] == []
        if (name, rule) in REFUSE_NOTHING:
            with pytest.raises(InputError, match="no invalid text"):
                texts_of(name, rule, invalid=True)
            continue
        invalid = texts_of(name, rule, invalid=True)
        assert len(invalid) == MANY
        assert [one for one in invalid if accepts(parser, rule, one)] == []


@pytest.mark.parametrize("name", BUNDLES)
def test_the_committed_file_is_as_it_was_built(name):
    """An edit by hand is seen at once; `abnf2lark build --check` compiles all again."""
    recorded = json.loads((COMPILED / "digests.json").read_text())["grammars"][name]["files"]
    octets = (COMPILED / f"{name}.lark").read_bytes()
    digest = hashlib.sha256(b"%d:" % len(octets) + octets)
    assert digest.hexdigest() == recorded[f"{name}.lark"]


@pytest.mark.parametrize(("name", "rule"), REFERENCES.items())
def test_its_tree_becomes_the_record_that_is_read_directly(name, rule):
    every = (rule, *BUNDLES[name].settings.records)
    parser = stock_parser(name, every)
    for start in every:
        for one in texts_of(name, start, invalid=False):
            found = ReferenceTransformer(name).transform(parser(start, one))
            record = parse(one, start, grammar=name)
            assert (found, str(found)) == (record, one)
            assert resolve(BASE, found) == resolve(BASE, record)
            assert [normalize(found, level) for level in LEVELS] == [
                normalize(record, level) for level in LEVELS
            ]


SCHEMES = [
    (registry, scheme)
    for registry in (CURRENT, RFC1738)
    for scheme in registry.values()
    if scheme.tree_parser is None and scheme.word == scheme.name  # ldaps is read as ldap
]


WITH_WHAT_IS_REQUIRED = {
    "otpauth": [f"otpauth://hotp/{one}?counter=1&secret=b" for one in ("a", "%20a", "A:%20%20b")]
}
"""URLs of schemes that require more than their grammar does, which no drawn text has."""


@pytest.mark.parametrize("name", by_grammar(sorted({scheme.grammar for _, scheme in SCHEMES})))
def test_its_tree_of_a_url_becomes_the_record_of_the_scheme(name):
    schemes = [row for row in SCHEMES if row[1].grammar == name]
    parser = stock_parser(name, {scheme.rule for _, scheme in schemes})
    for registry, scheme in schemes:
        count = 0
        written = WITH_WHAT_IS_REQUIRED.get(scheme.name, ())
        for one in (*texts_of(name, scheme.rule, invalid=False), *written):
            record = try_parse_url(one, registry)
            if type(record) is scheme.record and "#" not in one:
                found = URLTransformer(scheme).transform(parser(scheme.rule, one), one)
                assert (found, str(found)) == (record, one)
                count += 1
        assert count, scheme.name


def try_parse_url(text, registry):
    """Return the record; None where the scheme asks more than its rule says, or for another."""
    try:
        return parse_url(text, registry=registry)
    except SchemeError:
        return None
