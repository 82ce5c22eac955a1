"""`load` and `Grammar`: read a grammar from text, a file or a bundled RFC, and query it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, TypeAlias

from abnf2lark.charts import Derivation, Reading, States, read
from abnf2lark.config import bound, bundled, bundled_source, import_grammars, read_source
from abnf2lark.hints import GRAMMAR, advice
from abnf2lark.library.explanations import (
    Explanation,
    NoMatchError,
    as_number,
    as_several,
    as_text,
    explanation,
)
from abnf2lark.problems import (
    GrammarError,
    InputError,
    Problem,
    Source,
    has_errors,
    joined,
    no_rule,
)

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from abnf2lark.automata import Comparison
    from abnf2lark.ir import RuleSet
    from abnf2lark.library.generating import Deriver
    from abnf2lark.library.parse_trees import Ambiguity, DerivedTree, Parser
    from abnf2lark.library.records import Leaf, Record, Records


SIZE = 40  # characters of generated texts by default


class Grammar:
    """A grammar in ABNF (RFC 5234, RFC 7405); `load` makes it.

    Rules are named in any letter case; without a name the first one of the grammar is meant. A name
    that it has not is an `InputError` with the nearest ones.

    Attributes:
        name: what it is called in messages.
        known: its rules, and those that it imports, as the compiler has them.

    >>> version = load('version = 1*DIGIT *2( "." 1*DIGIT )')
    >>> version.matches("3.11.7"), version.matches("3.11.")
    (True, False)
    >>> print(version.explain("3.11."))
    no version: expected DIGIT at offset 5, found the end
    """

    def __init__(self, rules: RuleSet, source: Source, imports: tuple[RuleSet, ...]) -> None:
        self.name = rules.name
        self.known = rules
        self._source = source
        self._imports = imports

    if not TYPE_CHECKING:  # type checkers know its names

        def __getattr__(self, name: str) -> object:
            hint = advice(name, GRAMMAR)
            raise AttributeError(f"'Grammar' object has no attribute {name!r}{hint}", name=name)

    def __repr__(self) -> str:
        return f"<abnf2lark.Grammar {self.name}: {len(self.rules)} rules>"

    @property
    def rules(self) -> tuple[str, ...]:
        """The grammar's own rules, in its order and spelling.

        >>> load("rfc3986").rules[:3]
        ('URI', 'hier-part', 'URI-reference')
        """
        return self.known.own

    def lint(
        self, starts: Iterable[str] = (), *, first_match: bool = False, ignore: Iterable[str] = ()
    ) -> list[Problem]:
        r"""List what is wrong or doubtful, in the order of the text.

        starts: rules that texts begin with; what they do not lead to is reported.
        first_match: whether to look for alternatives that a reader who keeps the first one
            that matches never reaches.
        ignore: codes of problems that are not reported.

        >>> (problem,) = load("s = *( *ALPHA )").lint()
        >>> problem.severity, problem.code, problem.position.column
        ('warning', 'empty-repetition', 5)
        """
        from abnf2lark.checks import lint_source, without  # noqa: PLC0415 - slow to load

        wanted = self._all_named(starts, "starts")
        ignore = as_several(ignore, "ignore", "codes")
        found = lint_source(self._source, self._imports, wanted, first_match=first_match)
        return without(found, ignore)

    def matches(self, text: str, rule: str | None = None) -> bool:
        """Return whether a text belongs to a rule, recursive or not.

        Linear in the text's length where the rule is regular. `LimitError` for what would take too
        much memory.
        """
        return self._read(text, self._named(rule)).matches

    def explain(self, text: str, rule: str | None = None) -> Explanation:
        r"""Say where a text stops matching, and what could follow there, in ABNF words.

        >>> found = load('list = "[" [ item *( "," item ) ] "]"\nitem = list / 1*DIGIT')
        >>> print(found.explain("[1,[2,]]"))
        no list: expected DIGIT or "[" at offset 6, found "]"
        """
        name = self._named(rule)
        return explanation(self._states, name, text, self._read(text, name))

    def tree(
        self,
        text: str,
        rule: str | None = None,
        *,
        detail: Literal["nodes", "full"] = "nodes",
        omit: Iterable[str] = (),
    ) -> DerivedTree:
        r"""Derive a text: each node is a rule, and the tokens together are the text.

        Of several trees it is the first one in the order of alternatives, in which each node takes
        as much text as it can; `ambiguity` says whether a text has several. `NoMatchError` for a
        text that does not match.

        text: what to derive.
        rule: by which rule.
        detail: "full" makes a node of every rule; "nodes" omits those for a character, or an
            escape of one, and for white space.
        omit: rules that are left out with their text, such as white space and comments.

        >>> pair = load('pair = key "=" value\nkey = 1*ALPHA\nvalue = *DIGIT')
        >>> pair.tree("a=1").children[:2]
        (Tree('key', (Token('TEXT', 'a'),)), Token('TEXT', '='))
        """
        from abnf2lark.library.parse_trees import grown  # noqa: PLC0415 - loads lark

        name = self._named(rule)
        omitted = frozenset(self._all_named(omit, "omit"))
        nodes = self._nodes | omitted if omitted else self._nodes
        kept = nodes if detail == "nodes" else self._tree_states.names
        return grown(self._derivation(text, name, kept), omitted=omitted)

    @property
    def ambiguity(self) -> Ambiguity | None:
        r"""A shortest text of the first rule that has two trees; `None` where none is found.

        See `ambiguity_of`.

        >>> minus = load('e = e "-" e / 1*DIGIT')
        >>> print(minus.ambiguity)
        e reads '0-0-0' as e '0-0' + '-' + e '0' or as e '0' + '-' + e '0-0'
        """
        return self.ambiguity_of(None)

    def ambiguity_of(self, rule: str | None) -> Ambiguity | None:
        """Find a shortest text of a rule that has two trees: different nodes, or other places.

        The search takes 8,000 steps at most, about a tenth of a second. `None` says that there is
        no such text where rules are few and not recursive, and otherwise that none was found.
        """
        from abnf2lark.lark_grammars.witnesses import witnesses  # noqa: PLC0415 - for this alone
        from abnf2lark.library.parse_trees import ambiguity  # noqa: PLC0415 - loads lark

        name = self._named(rule)
        found = next(witnesses(self.known, (name,), self._nodes), None)
        return None if found is None else ambiguity(found, self.tree(found.text, name))

    def pattern(
        self, rule: str | None = None, *, flavour: str = "python", capture: Iterable[str] = ()
    ) -> str:
        r"""Write the regular expression of a rule, proved to match what the rule does and no more.

        It only matches whole texts, also when searched for, as long as no flag is given except
        ECMAScript's `u` or `v`, which it needs beyond ASCII.

        rule: which one.
        flavour: the dialect of expressions: "python", "re2", "rust", "java", "ecmascript",
            "pcre2" or "postgresql".
        capture: rules whose text is to be in a named group; in Python's flavour alone.

        `NoExpressionError` for a rule that has none, `FlavourError` for one that has none in this
        flavour.

        >>> print(load("hex = 2*HEXDIG").pattern("hex", flavour="java"))
        \A[0-9A-Fa-f]{2,}+\z
        """
        from abnf2lark.patterns.emit_pattern import flavour_named  # noqa: PLC0415 - slow to load
        from abnf2lark.patterns.rule_expression import proved_matcher  # noqa: PLC0415 - same

        dialect = flavour_named(as_text(flavour, "flavour"), "flavour")
        captured = self._all_named(capture, "capture")
        return proved_matcher(self.known, self._named(rule), captured, dialect).pattern

    def lark(
        self,
        rule: str | None = None,
        *,
        nodes: Iterable[str] = (),
        leaves: Iterable[str] = (),
        inlined: Iterable[str] = (),
        remember: bool = True,
        strict: bool = False,
        **options: object,
    ) -> Parser:
        r"""Make a Lark parser: LALR if that is proved right, otherwise Earley.

        It gives the trees that `tree` gives, with its own tokens. So LALR is not used where it
        would keep another tree of a text: this is tried on a shortest text with two trees, and on
        60 others of about its length. Where a rule derives itself alone, there are trees without
        end, and the parser may give others.

        What takes longer than 0.2 s to compile is kept in the user's cache directory, by a digest
        of the rules, of these arguments and of the compiler.

        Args:
            rule: the one to start with.
            nodes: rules that are to be nodes of trees, beside those that are anyway.
            leaves: rules that are to be nodes which hold nothing but text.
            inlined: rules that are not to be nodes.
            remember: whether to use the cache directory.
            strict: whether a grammar that is known to be ambiguous is refused: `InputError`.
            options: options of `lark.Lark`, such as ``propagate_positions`` and ``tree_class``;
                TypeError for those that the grammar decides: ``parser``, ``lexer``, ``start``,
                ``regex``, ``priority``, ``edit_terminals``, ``g_regex_flags``,
                ``use_bytes``. ``cache``, ``transformer`` and ``lexer_callbacks`` are for LALR,
                ``ambiguity`` is for Earley, and Lark refuses them elsewhere; ``postlex`` sees
                tokens of LALR alone.

        `LimitError` for a grammar that is too large for Lark.

        >>> parser = load('pair = key "=" value\nkey = 1*ALPHA\nvalue = *DIGIT').lark()
        >>> parser.kind, parser.parse("a=1").children[0]
        ('lalr', Tree(Token('RULE', 'key'), [Token('KEY', 'a')]))
        """
        from abnf2lark.library.parse_trees import parser  # noqa: PLC0415 - loads lark
        from abnf2lark.library.remembered_parsers import compiled  # noqa: PLC0415 - same

        name = self._named(rule)
        kinds = (
            self._all_named(nodes, "nodes"),
            self._all_named(leaves, "leaves"),
            self._all_named(inlined, "inlined"),
        )
        made = compiled(self.known, name, kinds, remember=remember)
        if strict and made.ambiguity:
            raise InputError(f"{self.name} is ambiguous: {made.ambiguity}")
        return parser(made, lambda text: self.explain(text, name), options)

    def records(
        self,
        rule: str | None = None,
        captured: Iterable[str] | None = None,
        *,
        omit: Iterable[str] = (),
        classes: Mapping[str, type[Record | Leaf]] | None = None,
    ) -> Records:
        r"""Make a frozen dataclass for each captured rule, and a parser that fills them.

        rule: the one whose texts are read.
        captured: the rules that are fields; by default all except white space, single characters
            and punctuation, which always has the same signs. Operators are fields: choices of
            signs within a sequence.
        omit: rules that are not fields, nor is anything in them, such as comments.
        classes: by rule, the classes to use, as `emit_types` writes them; their rules are those
            that are captured.

        >>> pair = load('pair = key [ "=" value ]\nkey = 1*ALPHA\nvalue = *DIGIT')
        >>> pair.records().parse("a=1")
        Pair(key='a', value='1')
        >>> sums = load('sum = term *( op term )\nterm = 1*DIGIT\nop = "+" / "-"')
        >>> sums.records().parse("1+2-3").children
        ('1', '+', '2', '-', '3')
        """
        from abnf2lark.library.records import Records  # noqa: PLC0415 - loads dataclasses

        name = self._named(rule)
        own = None if captured is None else frozenset(self._all_named(captured, "captured"))
        if own is None:
            own = self._captured if classes is None else frozenset(classes)
        omitted = frozenset(self._all_named(omit, "omit"))
        return Records(self.known, name, own, self._derivation, classes, omitted)

    def emit_types(
        self,
        path: str | os.PathLike[str],
        rule: str | None = None,
        captured: Iterable[str] | None = None,
        *,
        force: bool = False,
    ) -> None:
        """Write a module of the classes of a rule's records: typed, with `parse` and a visitor.

        path: where to; a file that is there is an OSError unless ``force`` is given.
        rule: the one whose texts are read.
        captured: as of `records`.
        force: whether to replace a file.
        """
        from abnf2lark.library.typed_modules import typed_module  # noqa: PLC0415 - loads dataclasses
        from abnf2lark.outputs import Outputs  # noqa: PLC0415 - same

        classes = self.records(rule, captured).classes
        with Outputs(force=force) as written:
            written.text(_path(path, "a module")).write(typed_module(self.known, classes))

    def generate(
        self, seed: int = 0, size: int = SIZE, rule: str | None = None, *, invalid: bool = False
    ) -> Iterator[str]:
        r"""Derive texts of a rule, recursive or not, without end; the same ones for the same seed.

        Each alternative of the rule and of those that it leads to is soon used, and so is each
        repetition with the fewest turns and with more: as long as one was never used, each text
        uses one of them.

        seed: a number that decides all choices.
        size: characters that a text has at most, unless an alternative is to be used that
            needs more.
        rule: which one.
        invalid: whether to change each text, by one character, so that the rule refuses it.

        InputError for a rule that derives no text, or refuses none of 1,000 that were tried.

        >>> from itertools import islice
        >>> grammar = load('list = "[" [ item *( "," item ) ] "]"\nitem = list / DIGIT')
        >>> texts = list(islice(grammar.generate(seed=1, size=9), 100))
        >>> all(map(grammar.matches, texts)), max(map(len, texts))
        (True, 9)
        >>> any(map(grammar.matches, islice(grammar.generate(invalid=True), 100)))
        False
        """
        from random import Random  # noqa: PLC0415 - for texts alone

        from abnf2lark.library.generating import covering, refused  # noqa: PLC0415 - same

        name, chance = self._named(rule), Random(as_number(seed, "seed"))  # noqa: S311 - no secret
        self._deriver.part(name)
        texts = covering(self._deriver, name, chance, as_number(size, "size", 0))
        if not invalid:
            return texts
        return refused(texts, self._matcher(name), chance.randrange, self._strangers)

    def generate_all(self, limit: int, rule: str | None = None) -> Iterator[str]:
        r"""Derive all texts of a rule that have up to `limit` characters, each once.

        Shorter ones come first, of the same length in order of code points. `LimitError` where
        hundreds of characters nest too deeply; InputError for a rule that derives no text.

        >>> grammar = load('nest = "(" nest ")" nest / ""')
        >>> list(grammar.generate_all(4))
        ['', '()', '(())', '()()']
        """
        from abnf2lark.library.generating import Enumerator  # noqa: PLC0415 - for texts alone

        name = self._named(rule)
        self._deriver.part(name)
        return Enumerator(self._deriver).texts(name, as_number(limit, "limit", 0))

    def strategy(
        self, rule: str | None = None, *, size: int = SIZE, invalid: bool = False
    ) -> SearchStrategy[str]:
        r"""Make a strategy for Hypothesis, which has to be installed: texts as `generate` has.

        Examples shrink to a shortest text.

        >>> from hypothesis import find
        >>> sums = load('sum = term *( "+" term )\nterm = 1*DIGIT / "(" sum ")"')
        >>> find(sums.strategy(), lambda text: "(" in text)
        '(0)'
        """
        from abnf2lark.library.strategies import derived, refused  # noqa: PLC0415 - needs hypothesis

        name = self._named(rule)
        self._deriver.part(name)
        texts = derived(self._deriver, name, as_number(size, "size", 0))
        return refused(texts, self._matcher(name), self._strangers) if invalid else texts

    def _matcher(self, name: str) -> Callable[[str], bool]:
        return lambda text: self._read(text, name).matches

    @cached_property
    def _deriver(self) -> Deriver:
        from abnf2lark.library.generating import Deriver  # noqa: PLC0415 - for texts alone

        return Deriver(self.known)

    @cached_property
    def _strangers(self) -> tuple[str, ...]:
        """Characters to change texts with."""
        from abnf2lark.library.generating import ODD, beside  # noqa: PLC0415 - for texts alone

        return (ODD, found) if (found := beside(self.known)) else (ODD,)

    def equal(self, a: str, b: str, other: Grammar | None = None) -> bool:
        r"""Return whether two rules match the same texts; `b` may be one of another grammar.

        `UndecidedError` for a rule that is recursive, or too large.

        >>> grammar = load("a = *ALPHA\nb = [ 1*ALPHA ]\nc = 1*ALPHA")
        >>> grammar.equal("a", "b"), grammar.subset("c", "a"), grammar.witness("a", "c")
        (True, True, '')
        """
        return self._compared(a, b, other).relation == "equal"

    def subset(self, a: str, b: str, other: Grammar | None = None) -> bool:
        """Return whether another rule matches everything that a rule matches; see `equal`."""
        return self._compared(a, b, other).only_left is None

    def witness(self, a: str, b: str, other: Grammar | None = None) -> str | None:
        """Return a shortest text that only one of two rules matches, `None` if they are equal."""
        found = self._compared(a, b, other)
        texts = [one for one in (found.only_left, found.only_right) if one is not None]
        return min(texts, key=len, default=None)

    def _compared(self, a: str, b: str, other: Grammar | None) -> Comparison:
        from abnf2lark.automata import compare_rules  # noqa: PLC0415 - with the others

        right = self if other is None else other
        if not isinstance(right, Grammar):
            raise TypeError(f"other is a Grammar or None, not {type(right).__name__}")
        return compare_rules(
            self.known,
            self._named(a),
            right.known,
            right._named(b),  # noqa: SLF001 - of the same class
        )

    def _named(self, rule: str | None) -> str:
        """Spell a rule as the grammar does."""
        if rule is None:
            return self.known.own[0]
        found = self.known.find(as_text(rule, "a rule"))
        if found is None:
            raise InputError(no_rule(rule, self.known))
        return found.name

    def _all_named(self, rules: Iterable[str], what: str) -> list[str]:
        return [self._named(rule) for rule in as_several(rules, what, "names of rules")]

    @cached_property
    def _captured(self) -> frozenset[str]:
        from abnf2lark.library.records import captured_rules  # noqa: PLC0415 - for records alone

        return captured_rules(self.known, self._nodes)

    @cached_property
    def _states(self) -> States:
        return States(self.known)

    @cached_property
    def _tree_states(self) -> States:
        return States(self.known, self._nodes)

    @cached_property
    def _nodes(self) -> frozenset[str]:
        from abnf2lark.lark_grammars.compiling import default_nodes  # noqa: PLC0415 - for trees alone

        return default_nodes(self.known)

    def _read(self, text: str, name: str) -> Reading:
        return read(self._states, name, as_text(text, "text"))

    def _derivation(self, text: str, name: str, kept: frozenset[str]) -> Derivation:
        found = read(self._tree_states, name, as_text(text, "text"), kept=kept)
        if found.derivation is None:
            raise NoMatchError(self.explain(text, name))
        return found.derivation


if TYPE_CHECKING:
    Origin: TypeAlias = str | os.PathLike[str]

NAME = "grammar.abnf"  # the name of a text in messages

NO_PATH = "help: a str is ABNF unless it ends in .abnf; give the name of another file as a Path"
"""A note on a text without definitions: it may be the name of a file."""


def load(
    *sources: Origin,
    imports: Iterable[Origin | Grammar] = (),
    name: str = NAME,
    defines: Mapping[str, str] = MappingProxyType({}),
    lenient: bool = False,
) -> Grammar:
    r"""Read a grammar in ABNF (RFC 5234, RFC 7405); the core rules are included.

    Args:
        sources: paths of files, or text; of several, the rules are one grammar, in which ``=/`` in
            one adds to a rule of another. A `str` names a file where it ends in ".abnf", and a
            grammar that comes with the compiler where it is the name of one; any other is ABNF.
        imports: grammars that rules which are not defined are taken from.
        name: what to call text in messages.
        defines: elements for names, and for prose such as ``<any CHAR except CTLs>``, that the
            grammar leaves open.
        lenient: whether to read what is not ABNF as what it seems to mean: ``|``, ``::=``, ``'x'``,
            ``x*``, ``1#x`` and others.

    `GrammarError` lists all that is wrong, each with its place; `InputError` names a file that
    cannot be read.

    >>> link = load('link = "<" URI-reference ">"', imports=["rfc3986"])
    >>> link.matches("<http://example.com/>")
    True
    >>> load("a = b")
    Traceback (most recent call last):
    ...
    abnf2lark.problems.GrammarError: grammar.abnf:1:5: undefined: "b" is not defined
      a = b
          ^
    """
    if not sources:
        raise TypeError("load() takes a path, or text")
    known = _imported(as_several(imports, "imports", "grammars"))
    as_text(name, "name")
    if not isinstance(defines, Mapping):
        told = "defines is a mapping of names to elements"
        raise TypeError(f"{told}, not {type(defines).__name__}")
    if len(sources) == 1 and isinstance(sources[0], str):
        shipped, found = bundled(sources[0]), bundled_source(sources[0])
        if shipped is not None and found is not None:
            return Grammar(shipped, *found)
    source = joined([_source(one, name) for one in sources])
    given = tuple(
        f"{as_text(left, 'a name')}={as_text(elements, 'what it is defined as')}"
        for left, elements in defines.items()
    )
    source = replace(source, defines=given, lenient=lenient)
    rules, problems = bound(source, known)
    if has_errors(problems):
        error = GrammarError([problem for problem in problems if problem.severity == "error"])
        if any(isinstance(one, str) and one and "=" not in one for one in sources):
            error.add_note(NO_PATH)
        raise error
    return Grammar(rules, source, known)


def _imported(imports: Iterable[Origin | Grammar]) -> tuple[RuleSet, ...]:
    """Return what rules may be taken from; the core rules come last."""
    found: list[RuleSet] = []
    for one in imports:
        if isinstance(one, Grammar):
            found.append(one.known)
        else:
            found.extend(import_grammars([_path(one, "an import")], "import ")[:-1])
    return (*found, *import_grammars([]))


def _source(origin: Origin, name: str) -> Source:
    if not isinstance(origin, str):
        return read_source(Path(_path(origin, "a grammar")))
    is_path = origin.lower().endswith(".abnf") and "\n" not in origin
    return read_source(Path(origin)) if is_path else Source(name, origin.removeprefix("\ufeff"))


def _path(origin: Origin, what: str) -> str:
    """Return the name of a file; TypeError for other types."""
    path = os.fspath(origin) if isinstance(origin, str | os.PathLike) else origin
    if not isinstance(path, str):
        raise TypeError(f"{what} must be a str or a path, not {type(origin).__name__}")
    return path
