"""The grammar files hold the RFCs' rules, all of them, in order, and mark what they change."""

import itertools
import re

import pytest
from cases import tables

pytestmark = pytest.mark.slow  # for what the abnf package takes to read four grammars

TABLES = tables(__file__)

ADDED = ("gopher-search", "gopher-char", "gopher-escape")
TOKEN = re.compile(r'%s"[^"]*"|<">|"[^"]*"|<[^>]*>|%x[\w.-]+|[A-Za-z][\w+-]*|\d*\*?\d*(?=\S)|\S')


def tokens(text):
    """Split the elements of a rule, in RFC 822 or RFC 5234 notation, whatever the spacing."""
    return [token for token in TOKEN.findall(text) if token]


# What each marked departure does to a rule of RFC 1738, as (name, tokens) -> tokens. C-063 leaves
# the text alone and says how it is meant.
def only_group(_, words):
    """C-058: brackets under a repeat count become parentheses."""
    words, stack = list(words), []
    for index, word in enumerate(words):
        if word == "[":
            stack.append((index, index > 0 and words[index - 1].endswith("*")))
        elif word == "]":
            start, repeated = stack.pop()
            if repeated:
                words[start], words[index] = "(", ")"
    return words


def keep_case(name, words):
    """C-059: single letters match one case; a scheme is letters of either case."""
    if name == "scheme":
        return ["alpha" if word == "lowalpha" else word for word in words]
    return [f"%s{word}" if re.fullmatch(r'"[A-Za-z]"', word) else word for word in words]


def common_syntax_first(_, words):
    """C-064: the alternatives of schemepart change places."""
    middle = words.index("/")
    return [*words[middle + 1 :], "/", *words[:middle]]


def stop_at_tabs(name, words):
    """C-067: the selector and the search of gopher hold no encoded tab."""
    new = {"gopherurl": {"search": "gopher-search"}, "selector": {"xchar": "gopher-char"}}[name]
    return [new.get(word, word) for word in words]


DEPARTURES = {
    "C-056": lambda _, words: ['"/"' if word == "/" else word for word in words],
    "C-057": lambda _, words: [word.replace("+_", "-plus-") for word in words], "C-058": only_group,
    "C-059": keep_case,
    "C-060": lambda _, words: ["DQUOTE" if word == '<">' else word for word in words],
    "C-063": lambda _, words: words, "C-064": common_syntax_first, "C-067": stop_at_tabs,
}  # fmt: skip


@pytest.mark.parametrize(
    ("grammar", "count"), [("core", 16), ("rfc3986", 36), ("rfc3987", 25), ("rfc1738", 67)]
)
def test_inventory_counts(inventory, grammar, count):
    names = [row["name"] for row in inventory[grammar]]
    assert len(names) == len({name.casefold() for name in names}) == count


@pytest.mark.slow
@pytest.mark.parametrize("grammar", ["core", "rfc3986", "rfc3987"])
def test_rules_are_those_of_the_rfc_word_for_word_and_in_order(rules, inventory, grammar):
    assert [(rule.name, rule.text) for rule in rules[grammar]] == [
        (row["name"], row["text"]) for row in inventory[grammar]
    ]


@pytest.mark.slow
def test_iri_rules_equal_another_transcription(rules, published):
    assert [(r.name, r.text) for r in rules["rfc3987"]] == [(r.name, r.text) for r in published]


def test_every_rfc1738_rule_is_there_in_order(rules, inventory):
    ours = [rule.name for rule in rules["rfc1738"] if rule.name not in ADDED]
    assert ours == [row["name"].replace("+_", "-plus-") for row in inventory["rfc1738"]]


def test_rfc1738_differs_from_its_text_by_the_marked_departures_only(rules, inventory):
    ours = {rule.name: rule for rule in rules["rfc1738"]}
    for row in inventory["rfc1738"]:
        rule = ours[row["name"].replace("+_", "-plus-")]
        # A quoted "|" is text; a bare one is ABNF's "/". A bare "/" is kept apart until C-056.
        expected = tokens(row["text"])
        changed = set()
        if "C-056" in rule.departures:
            expected = DEPARTURES["C-056"](rule.name, expected)
            changed.add("C-056")
        expected = ["/" if word == "|" else word for word in expected]
        for number in sorted({*rule.departures} - {"C-056"}):
            before, expected = expected, DEPARTURES[number](rule.name, expected)
            if before != expected or number == "C-063":
                changed.add(number)
        if rule.name != row["name"]:
            changed.add("C-057")
        assert tokens(rule.text) == expected, rule.name
        assert changed == set(rule.departures), rule.name


def test_added_rules_say_so(rules):
    for rule in rules["rfc1738"]:
        says = any("a rule the RFC lacks" in comment for comment in rule.comments)
        assert says == (rule.name in ADDED), rule.name


def test_each_departure_is_used_and_explained_once_at_the_top(rules, source):
    used = {number for rule in rules["rfc1738"] for number in rule.departures}
    explained = re.findall(r"^;   (C-\d{3})  \S", source("rfc1738"), re.MULTILINE)
    assert explained == sorted(used) == sorted(DEPARTURES)


@pytest.mark.parametrize(
    ("grammar", "imported"),
    [("core", ()), ("rfc3986", ()), ("rfc3987", ("rfc3986",)), ("rfc1738", ())],
)
def test_no_undefined_reference_and_no_rule_twice(rules, grammar, imported):
    own = [rule.name.casefold() for rule in rules[grammar]]
    assert len(own) == len(set(own))
    known = {rule.name.casefold() for name in (*imported, "core") for rule in rules[name]}
    for rule in rules[grammar]:
        for reference in rule.references:
            name = reference.strip("<>")
            assert name.casefold() in {*own, *known}, f"{rule.name} refers to {reference}"


def test_rules_that_nothing_refers_to(rules):
    """X-015: they are in the RFCs all the same, and so in the files."""

    def unused(grammar):
        referred = {name.strip("<>") for rule in rules[grammar] for name in rule.references}
        return {rule.name for rule in rules[grammar]} - referred

    assert unused("rfc3986") == {"URI-reference", "absolute-URI", "path", "reserved"}
    assert unused("rfc3987") == {"IRI-reference", "absolute-IRI", "ipath"}
    assert unused("rfc1738") == {"url", "national", "punctuation"}


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "characters"), TABLES["quoted_symbols_are_characters"])
def test_quoted_symbols_are_characters(accepts, rule, characters):
    """X-010, X-011: meta-symbols in quotes are text, and enumerated letters keep their case."""
    matched = {chr(code) for code in range(256) if accepts["rfc1738"](rule, chr(code))}
    assert matched == set(characters)
    assert not any(accepts["rfc1738"](rule, first + second) for first in "a;|" for second in "a]")


def test_core_rules_are_the_standard_ones(accepts, load_grammar, inventory):
    standard = load_grammar("standard = ALPHA\n")
    names = [row["name"] for row in inventory["core"]]
    strings = ["", "\r\n", "\r\n ", " \r\n\t", "ab", *map(chr, range(257))]
    for name, string in itertools.product(names, strings):
        assert accepts["core"](name, string) == standard(name, string), (name, string)


@pytest.mark.slow
def test_gopher_accepts_what_the_rfc_accepts(accepts, load_grammar, inventory):
    """C-067 changes where the tabs are, not which URLs there are."""
    gopher = {"gopherurl", "gtype", "selector", "gopher+_string"}
    as_written = "\n".join(
        f"{row['name']} = {row['text']}" for row in inventory["rfc1738"] if row["name"] in gopher
    )
    as_written = as_written.replace("gopher+_string", "gopher-plus-string").replace("[ /", '[ "/"')
    rest = """
search = *( uchar / ";" / ":" / "@" / "&" / "=" )
hostport = "h"
xchar = uchar / ";" / "/" / "?" / ":" / "@" / "&" / "="
uchar = ALPHA / DIGIT / "+" / "%" HEXDIG HEXDIG
"""
    rfc = load_grammar(as_written + rest)
    pieces = ("a", "/", "?", "%09", "%0a", "%90", "%0", "~")
    paths = itertools.chain(
        *(itertools.product(pieces, repeat=length) for length in range(4)),
        itertools.product(("a", "%09", "%0"), repeat=5),
    )
    verdicts = []
    for path in paths:
        url = "gopher://h/" + "".join(path)
        verdicts.append(rfc("gopherurl", url))
        assert accepts["rfc1738"]("gopherurl", url) == verdicts[-1], url
    assert verdicts.count(True) > 100
    assert verdicts.count(False) > 100
