"""Texts for the rules of a grammar, and all that can be asked of the compiler about them."""

import random
import re
from contextlib import suppress
from functools import cached_property, partial

import lark
from brute.backtracking import accepts
from brute.judge import parses
from collected.samples import Sampler
from collected.scopes import scope

import abnf2lark
from abnf2lark.lark_grammars.compiling import compile_grammar
from tools.collection.grammars import GRAMMARS

ROOMS = (6, 14, 14, 30)  # how far derivations go their own way
LONGEST = 120  # of drawn texts; what is cut off makes them wrong, most of the time


class Trial:
    """A grammar of the collection, before a judge that shares nothing with the compiler."""

    def __init__(self, name, seed=0):
        self.name = name
        self.grammar = GRAMMARS[name].load()
        self.scope = scope(name)
        self.chance = random.Random(f"{name} {seed}")
        self.sampler = Sampler(self.grammar.known, self.chance)

    @cached_property
    def rules(self):
        """The rules that the file itself has."""
        return [rule for rule in self.grammar.rules if self.scope.body(rule.casefold())]

    def texts(self, rule, count):
        """Yield so many texts of a rule, and as many that are spoiled, each with its verdict."""
        for _ in range(count):
            word = self.sampler.word(rule, self.chance.choice(ROOMS))
            for text in (word[:LONGEST], self.corrupted(word)[:LONGEST]):
                yield text, accepts(self.scope, rule, text)

    def corrupted(self, word):
        """Change a text in one place, as people and programs do."""
        start, end = sorted(self.chance.choices(range(len(word) + 1), k=2))
        end = min(end, start + 3)
        part, other = word[start:end], self.chance.choice(word or "a")
        ways = (
            *self.sampler.spoiled(word), word[:start] + word[end:], word[:end] + part + word[end:],
            word[:start] + other + word[start:], word[:start] + part.swapcase() + word[end:],
            word[:start] + part[::-1] + word[end:],
        )  # fmt: skip
        return self.chance.choice(ways)

    def ways(self, rule):
        """Give what judges texts of a rule: functions by name."""
        ways = {"matches": lambda text: self.grammar.matches(text, rule)}
        with suppress(abnf2lark.NoExpressionError):
            ways["expressions"] = re.compile(self.grammar.pattern(rule)).fullmatch
        return ways

    def parsers(self, starts):
        """Give the Lark parser of some rules as the command compiles it: its kind, and judges."""
        made = compile_grammar(self.grammar.known, tuple(starts))
        options = {"lexer": "contextual"} if made.parser == "lalr" else {}
        parser = lark.Lark(made.text, parser=made.parser, start=[*made.starts], **options)
        kind = "LALR" if made.parser == "lalr" else "Earley"
        return {
            start: (kind, partial(parses, parser, start=name))
            for start, name in zip(starts, made.starts, strict=True)
        }
