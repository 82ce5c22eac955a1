"""Why a grammar is Earley's: what is ambiguous, what needs more lookahead, what is a cycle."""

from collections import Counter
from functools import cache

import pytest
from brute.expressions import expressions
from brute.grammars import RECURSIVE, STRUCTURES, rules
from brute.words import all_words
from hypothesis import assume, given

from abnf2lark.automata import Alphabet
from abnf2lark.ir import Alt, Ref, Rep, Seq
from abnf2lark.lark_grammars.ambiguity import Derivations, Search
from abnf2lark.lark_grammars.component_rules import Plan, terminal_languages
from abnf2lark.lark_grammars.recursive_grammar import recursive_components
from abnf2lark.reading.recursion import cycle

LIMIT = 3_000


def derivations_of(components, words, alphabet):
    """Count the derivations of a text by trying all; no rule may begin with itself."""

    def judge(text):
        begun = set()

        @cache
        def rule(name, start, end):
            if name not in components.rules:
                return int(words[name].accepts(text[start:end], alphabet))
            if (name, start, end) in begun:
                return 0  # derivations without end are not counted
            begun.add((name, start, end))
            found = count(components.rules[name], start, end)
            begun.discard((name, start, end))
            return found

        def count(node, start, end):
            match node:
                case Ref(name):
                    return rule(name, start, end)
                case Alt(items):
                    return sum(count(item, start, end) for item in items)
                case Seq(()):
                    return int(start == end)
                case Seq((first, *rest)):
                    return sum(
                        here * count(Seq(tuple(rest)), place, end)
                        for place in range(start, end + 1)
                        if (here := count(first, start, place))
                    )
                case Rep(item, low, high):
                    if high == 0:
                        return int(start == end)
                    more = Rep(item, max(low - 1, 0), None if high is None else high - 1)
                    turns = sum(
                        here * count(more, place, end)
                        for place in range(start + (low == 0), end + 1)
                        if (here := count(item, start, place))
                    )
                    return turns + int(low == 0 and start == end)
            raise TypeError(node)

        return rule(components.starts["s"], 0, len(text))

    return judge


@pytest.mark.slow
def test_two_readings_are_found_where_there_are_two_and_the_text_is_a_shortest():
    seen = Counter()

    @given(STRUCTURES, RECURSIVE, expressions)
    def law(structure, first, second):
        grammar = rules(s=structure, a=first, b=second)
        assume(not cycle(grammar, ("s",)))
        components = recursive_components(Plan(grammar, ("s",), frozenset("sab")))
        alphabet = Alphabet(one.node for one in components.terminals.values())
        words = terminal_languages(components, alphabet)
        search = Search(Derivations(components.rules, words, alphabet), {})
        found = search.found(components.starts["s"], LIMIT)
        count = derivations_of(components, words, alphabet)
        if found:
            one, other = found
            assert one.text == other.text
            assert one != other
            assert count(one.text) > 1
            shorter = all_words("abc", min(len(one.text) - 1, 4))
        else:
            shorter = all_words("abc", 4) if search.finished else []
        assert [word for word in shorter if count(word) > 1] == []
        seen[bool(found), search.finished] += 1

    law()
    assert seen[True, False] >= 3, seen
    assert seen[False, True] >= 1, seen
