"""Compile a recursive grammar to a Lark grammar for LALR, where the proof is found."""

from collections import deque
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import combinations
from typing import TypeAlias

from abnf2lark import ir
from abnf2lark.automata import Alphabet, Language, Nfa, TooLargeError
from abnf2lark.lark_grammars import component_rules, conflicts
from abnf2lark.lark_grammars.guards import Lookahead
from abnf2lark.lark_grammars.kept_tokens import HIDDEN, free_name, kept_names
from abnf2lark.lark_grammars.lalr_tables import (
    END,
    Actions,
    ConflictError,
    LexingStates,
    NotLalrError,
)
from abnf2lark.lark_grammars.longest_tokens import ANY_CHARS, longest_ways
from abnf2lark.lark_grammars.readings import Replacements
from abnf2lark.patterns.emit_pattern import PYTHON, pattern
from abnf2lark.patterns.proof import ProofError, backtracking, guard_expression, language_of
from abnf2lark.reading.recursion import recursive_rules

# Let a rule that ends with itself end with what comes after it, too.
#
#     array  = "[" values ws "]"               array   = "[" _values "]"
#     values = ws val ws "," values      is    _values = ws val ws "," _values
#            / ws val ws [ "," ]                       / ws val ws [ "," ] ws
#
# A parser that sees white space after a comma need not know yet whether another value comes, or
# the end. What the rule stood for is not a node then: its parts stand in the node around it.


def with_follower(grammar: ir.RuleSet, name: str) -> ir.RuleSet | None:
    """Return the grammar in which a rule ends with what follows it; ``None`` if it cannot."""
    own = grammar.rules[name]
    hidden = HIDDEN + name
    if name.startswith(HIDDEN) or hidden in grammar.rules or not _ended(own.body, name, ir.EMPTY):
        return None
    followers: set[ir.Node] = set()
    rules: dict[str, ir.Rule] = {}
    for rule in grammar.rules.values():
        if rule is not own:
            rules[rule.name] = replace(rule, body=_shortened(rule.body, name, followers))
    # All places have to be followed by the same, or the new rule would need several ends.
    if len(followers) != 1:
        return None
    body = _ended(own.body, name, followers.pop())
    if body is None:
        return None
    rules[hidden] = replace(own, name=hidden, body=body)
    # A reference that is left is one that nothing follows, or one within the rule's own texts.
    if any(ref.name == name for rule in rules.values() for ref in ir.references(rule.body)):
        return None
    return ir.RuleSet(grammar.name, rules, grammar.own)


def _shortened(node: ir.Node, name: str, followers: set[ir.Node]) -> ir.Node:
    """Put the new rule in the place of the old one and what follows it there; collect that."""
    if not isinstance(node, ir.Seq):
        parts = [_shortened(part, name, followers) for part in ir.children(node)]
        return ir.rebuild(node, parts) if parts else node
    made: list[ir.Node] = []
    items = iter(node.items)
    for item in items:
        follower = next(items, None) if item in (ir.Ref(name), ir.Rep(ir.Ref(name), 0, 1)) else None
        if follower is None:
            made.append(_shortened(item, name, followers))
        else:
            followers.add(follower)
            # Without the optional rule what follows is still there.
            new = ir.Ref(HIDDEN + name)
            made.append(new if item == ir.Ref(name) else ir.alt([new, follower]))
    return ir.seq(made)


def _ended(node: ir.Node, name: str, end: ir.Node) -> ir.Node | None:
    """Return an expression with an end after it; ``None`` where it does not end with a rule."""
    match node:
        case ir.Ref(other) if other == name:
            return ir.Ref(HIDDEN + name)
        case ir.Alt(items):
            ways = [_ended(item, name, end) for item in items]
            if any(ways):
                return ir.alt(
                    [way or ir.seq([item, end]) for way, item in zip(ways, items, strict=True)]
                )
        case ir.Seq((*before, last)):
            way = _ended(last, name, end)
            return way and ir.seq([*before, way])
        case ir.Rep(item, 0, 1):
            way = _ended(item, name, end)
            return way and ir.alt([way, end])
    return None


# Which rules of a recursive grammar are nodes of its trees: as many as can be, step by step.


class Trees:
    """Nodes and leaves of a grammar, to be changed where the proof fails.

    Each change leaves the texts of the grammar as they are: only its trees have fewer nodes.

    grammar: the rules.
    nodes: those that are nodes.
    leaves: those that are nodes which hold text only.
    """

    def __init__(
        self,
        grammar: ir.RuleSet,
        starts: tuple[str, ...],
        nodes: frozenset[str],
        leaves: frozenset[str],
    ) -> None:
        self.grammar = grammar
        self.nodes = nodes
        self.leaves = leaves
        self._starts = frozenset(starts)
        self._recursive = ir.leading_to(grammar, recursive_rules(grammar))

    def decide(
        self, error: conflicts.ConflictingError, components: component_rules.Components
    ) -> bool:
        """Change what makes a conflict; return whether there was anything to change."""
        owners = components.abnf_names
        ended = [error.dropped] if error.kept is None else [error.kept, error.dropped]
        rules = {owners.get(one.name, one.name) for one in ended}
        if error.kept is None and any(self._extend(name, rules) for name in self.grammar.rules):
            return True
        return self._change(rules)

    def _extend(self, name: str, ended: AbstractSet[str]) -> bool:
        """Let a rule that may end where others do end with what follows it, if it can."""
        inside = {ref.name for ref in ir.references(self.grammar.rules[name].body)}
        if name in self._starts or ended.isdisjoint(inside | {name}):
            return False
        found = with_follower(self.grammar, name)
        if found is None:
            return False
        self.grammar = found
        self.nodes -= {name}
        self._recursive = ir.leading_to(found, recursive_rules(found))
        return True

    def separate(self, rules: Iterable[str]) -> bool:
        """Make leaves of the nodes around tokens that overlap; return whether there were any."""
        kept = self.nodes | self.leaves
        above: set[str] = set()
        for name in rules:
            if name in self.nodes and self._inside(name):
                above.add(name)
            else:
                above |= {other for other in kept if name in self._inside(other)}
        return self._change(above - self.leaves, leaves=True)

    def _change(self, rules: AbstractSet[str], *, leaves: bool = False) -> bool:
        """Let regular rules be leaves, or no nodes at all; return whether some were nodes."""
        # A rule that leads back to itself has no token: it stays a node.
        found = (self.nodes | self.leaves).intersection(rules) - self._recursive
        self.nodes -= found
        self.leaves = self.leaves | found if leaves else self.leaves - found
        return bool(found)

    def _inside(self, name: str) -> set[str]:
        """Return the nodes right below a rule: those reached without passing through another."""
        kept = self.nodes | self.leaves
        found: set[str] = set()
        seen: set[str] = set()
        pending = [name]
        while pending:
            for ref in ir.references(self.grammar.rules[pending.pop()].body):
                if ref.name in kept or ref.name.startswith(HIDDEN):
                    found.add(ref.name)
                elif ref.name not in seen:
                    seen.add(ref.name)
                    pending.append(ref.name)
        return found


# Write each rule once for each set of tokens that can follow it.
#
# An LALR parser puts together what rules do in all places where they stand: after a value it
# lets come what follows one in an array, and what follows one in a table. A contextual lexer
# tries the tokens of both then. With a rule of its own for each place it tries those alone that
# fit. The copies of a rule have the same body, so the texts stay what they are.

MAX_RULES = 600

Tokens: TypeAlias = frozenset[str]
NOTHING = ""  # among tokens: what can be left out


def by_follower(found: component_rules.Components) -> component_rules.Components:
    """Return the components with a copy of each rule for each set of tokens after it."""
    firsts: dict[str, Tokens] = dict.fromkeys(found.rules, frozenset())
    grown = True
    while grown:  # a least fixed point: what a rule begins with is found from below
        grown = False
        for name, body in found.rules.items():
            first = _first(body, firsts, frozenset({NOTHING}), {})
            grown = grown or first != firsts[name]
            firsts[name] = first
    names: dict[tuple[str, Tokens], str] = {}
    taken = {*found.rules}
    pending: deque[tuple[str, Tokens]] = deque()

    def named(rule: str, following: Tokens) -> str:
        """Return the name of a rule where certain tokens can follow."""
        key = (rule, following)
        if key not in names:
            if len(names) > MAX_RULES:
                raise TooLargeError
            known = any(one == rule for one, _ in names)
            names[key] = free_name(rule, taken) if known else rule
            pending.append(key)
        return names[key]

    starts = {abnf: named(rule, frozenset({END})) for abnf, rule in found.starts.items()}
    rules: dict[str, ir.Node] = {}
    origins: dict[str, str] = {}
    while pending:
        rule, following = pending.popleft()
        name = names[rule, following]
        # Within one body the places of a rule share a copy: ways that begin alike go on so.
        behind: dict[str, Tokens] = {}
        _first(found.rules[rule], firsts, following, behind)
        inner = {one: named(one, tokens) for one, tokens in behind.items()}
        rules[name] = ir.renamed(found.rules[rule], inner)
        origins[name] = found.abnf_names[rule]
    return component_rules.Components(rules, found.terminals, origins, starts)


def _first(
    node: ir.Node, firsts: Mapping[str, Tokens], following: Tokens, behind: dict[str, Tokens]
) -> Tokens:
    """Return the tokens that can come first; add to ``behind`` those that can follow its rules."""
    match node:
        case ir.Ref(name):
            if name in firsts:
                behind[name] = behind.get(name, frozenset()) | following
            first = firsts.get(name, frozenset({name}))
            return first - {NOTHING} | following if NOTHING in first else first
        case ir.Seq(items):
            for item in reversed(items):
                following = _first(item, firsts, following, behind)
            return following
        case ir.Alt(items):
            return frozenset().union(*[_first(one, firsts, following, behind) for one in items])
        case ir.Rep(item, low, high):
            again = frozenset() if high == 1 else _first(item, firsts, following, {})
            first = _first(item, firsts, following | again, behind)
            return first | following if low == 0 else first
        case _:
            raise TypeError(node)


# Lex recursive grammars: priorities and guards under which each token taken is one that fits.
#
# The parser has infinitely many stacks, so what follows a token is not known exactly; it is held
# to a regular language that is wider: some tokens that the parse table lets come, and then
# anything. A text of the grammar is a sequence of tokens. It is shown, for each state of the
# table in which the lexer works and the first token T of what is left, that
#
# * T is tried, and of its beginnings that match, the longest comes first, of those that its
#   guard lets pass; so T takes its own text, or more;
# * where it takes more, by x, what is left is a sequence that fits again: of each token U that can
#   follow, U less x is a U too, and where x is all of U, the grammar can do without U everywhere;
# * no other terminal that is tried before T takes anything here; or it is the U after T, the
#   grammar can do without T everywhere, and T before U is a U;
# * where none of that holds, or the parser has more to do before T than one thing, that nothing is
#   lost nevertheless: what is left then can be read in some way after what the lexer takes and
#   the parser does. It is shorter than what there was; so by the same proof it is read as it is
#   decided.
#
# So the parser accepts all texts of the grammar; and no others, since all it reads are its
# tokens.

DEPTH = 2  # tokens that are looked at after a token
MAX_AHEAD = 3  # characters that a guard looks at


class RecursiveLexing:
    """The search for guards and priorities of a component grammar that is recursive."""

    def __init__(
        self,
        components: component_rules.Components,
        states: LexingStates,
        replacements: Replacements,
        languages: Mapping[str, Language],
        alphabet: Alphabet,
    ) -> None:
        self.components = components
        self.states = states
        self.replacements = replacements
        self.languages = languages
        self.alphabet = alphabet
        self.everything = Language.everything(alphabet.size)
        self.ahead = dict.fromkeys(languages, 0)  # characters that guards look at
        lexed = set(states.lexed)
        self.undecided = {
            name: sorted(states.actions.undecided(name) & lexed) for name in languages
        }
        self._rests: dict[object, Language] = {}
        self._guards: dict[tuple[str, int], Lookahead] = {}
        self._decided: dict[tuple[object, ...], bool] = {}

    def solve(self) -> dict[str, component_rules.LexedTerminal]:
        """Return guard and priority for every terminal; raise where no proof is found."""
        expressions = {name: self._expression(name) for name in self.languages}
        while True:
            before: dict[str, set[str]] = {name: set() for name in self.languages}
            # Each guard changes which texts a token takes, so all is asked again after it. Guards
            # only grow, up to a bound: this ends.
            conflict = self._takes_too_much() or self._orders(before) or conflicts.circle(before)
            if conflict is None:
                # Without a circle there is an order in which each comes after those it may spoil.
                found = conflicts.ranks(before)
                return {
                    name: self._lexed(name, node, found[name]) for name, node in expressions.items()
                }
            vague = [name for name in {*conflict} if self.ahead[name] < MAX_AHEAD]
            if not vague:
                alone = len({*conflict}) == 1
                reason = "nothing shows where {} ends" if alone else "no guard keeps {} apart"
                raise self._unprovable(conflict, reason)
            for name in vague:
                self.ahead[name] += 1

    def _expression(self, name: str) -> ir.Node:
        """Return an expression that takes the longest text first."""
        node = self.components.terminals[name].node
        for made in longest_ways(node, self.languages[name], self.alphabet):
            return made
        raise self._unprovable((name,), "the length of {} is not decided character by character")

    def _takes_too_much(self) -> tuple[str, ...] | None:
        """Return a token that takes too much: what is missed by those after it."""
        for name, words in self.languages.items():
            # A token no text of which can be longer is one text only, whatever follows it. So
            # all that is left to ask is whether the parser does the right thing before it.
            ends = not any(words.edges[state] for state in words.final)
            for state in self.undecided[name] if ends else self.states.lexed:
                if name in self.states.tried[state] and self._misses(state, name, name):
                    return (name,)
        return None

    def _misses(self, state: int, taken: str, meant: str) -> bool:
        """Return whether a text is lost where a token is taken in place of another."""
        guard = self._guard(taken).passing
        try:
            return self.replacements.refute_token(state, taken, meant, guard) is not None
        except TooLargeError:
            return True  # nothing is known, so nothing is proved

    def _orders(self, before: dict[str, set[str]]) -> tuple[str, ...] | None:
        """Find which terminals have to be tried before which; return two that go neither way."""
        for state in self.states.lexed:
            for first, second in combinations(sorted(self.states.tried[state]), 2):
                ahead = self._harmless(state, first, second)
                behind = self._harmless(state, second, first)
                if not ahead and not behind:
                    return first, second
                if not ahead:
                    before[second].add(first)
                if not behind:
                    before[first].add(second)
        return None

    def _harmless(self, state: int, first: str, second: str) -> bool:
        """Return whether ``first`` may be tried where a text goes on with ``second``."""
        words, other = self.languages[first], self.languages[second]
        if words.first().isdisjoint(other.first()):
            return True  # the first never matches where a text begins with the second
        # More can follow here than really does. So if no text of it begins with the first token,
        # as its guard has it, none of the grammar does; else readings are compared, which is exact
        # but takes longer.
        targets = tuple(self.states.after(state, second))
        guard = self._guard(first).passing
        key = (words, guard, second, targets)
        if key not in self._decided:
            self._decided[key] = not (words + guard) & (other + self._rests_of(targets))
        return self._decided[key] or not self._misses(state, first, second)

    def _rests_of(self, states: Iterable[int]) -> Language:
        found = Language.empty(self.alphabet.size)
        for rest in dict.fromkeys(self._rest(state, DEPTH) for state in states):
            found |= rest
        return found

    def _rest(self, state: int, depth: int) -> Language:
        """Return all that can follow in a state, and more: so many tokens, then anything."""
        if depth == 0:
            return self.everything
        found = self._rests.get((state, depth))
        if found is not None:
            return found
        ends = self.states.ends(state)
        rests = {
            name: frozenset(
                self._rest(target, depth - 1) for target in self.states.after(state, name)
            )
            for name in self.states.tried[state]
        }
        key = (ends, frozenset(rests.items()))  # in which many states are alike
        if key not in self._rests:
            nfa = Nfa()
            start, end = nfa.state(), nfa.state()
            if ends:
                nfa.jump(start, end)
            for name, following in rests.items():
                middle = nfa.state()
                nfa.embed(self.languages[name], start, middle)
                for rest in following:
                    nfa.embed(rest, middle, end)
            self._rests[key] = nfa.language(start, {end}, self.alphabet.size)
        return self._rests.setdefault((state, depth), self._rests[key])

    def _guard(self, name: str) -> Lookahead:
        """Return what has to follow a token."""
        key = (name, self.ahead[name])
        if key not in self._guards:
            targets = self.states.targets(name)
            found = self._rests_of(targets) if self.ahead[name] else self.everything
            self._guards[key] = Lookahead(found, self.ahead[name], self.alphabet)
        return self._guards[key]

    def _lexed(self, name: str, node: ir.Node, rank: int) -> component_rules.LexedTerminal:
        guard = self._guard(name).spelled()
        follow = self.alphabet.chars(self._guard(name).passing.first()) if guard else ANY_CHARS
        text = pattern(node, PYTHON, follow)
        # What is written is what has to be right: it is parsed again, by other code.
        if language_of(text, self.alphabet, follow) != self.languages[name]:
            raise ProofError(f"the pattern for {name} has another language than its rule")
        why = backtracking(ir.seq([node, guard_expression(guard)]))
        if why is not None:
            raise self._unprovable((name,), f"of {{}}, {why}")
        text = f"(?:{text})" if isinstance(node, ir.Alt) and guard else text
        return component_rules.LexedTerminal(text, guard, rank)

    def _unprovable(self, names: tuple[str, ...], text: str) -> NotLalrError:
        rules = tuple(sorted({self.components.terminals[name].rule for name in names}))
        reason = text.format(" and ".join(sorted(set(names))))
        return NotLalrError(f"{reason} (rules: {', '.join(rules)})", rules)


MAX_TRIES = 30


def recursive_components(
    grammar: ir.RuleSet, starts: tuple[str, ...], nodes: frozenset[str], leaves: frozenset[str]
) -> component_rules.Components:
    """Cut a recursive grammar; rules that lead back to themselves are nodes, whatever is wanted."""
    recursive = recursive_rules(grammar)
    texts = {
        name
        for name, rule in grammar.rules.items()
        if any(isinstance(part, ir.Chars | ir.Text) for part in ir.walk(rule.body))
    }
    nullable = ir.nullable_rules(grammar)
    components = component_rules.cut(
        grammar,
        starts,
        nodes | recursive,
        leaves - recursive,
        nullable=nullable,
        only_empty=nullable - ir.leading_to(grammar, texts),
        spread=True,
    )
    components = component_rules.with_plain_names(components)
    return component_rules.renamed(components, kept_names(components.rules, components.abnf_names))


def recursive_lalr(
    grammar: ir.RuleSet, starts: tuple[str, ...], nodes: frozenset[str], leaves: frozenset[str]
) -> tuple[component_rules.Components, dict[str, component_rules.LexedTerminal]]:
    """Find trees for which a recursive grammar is LALR(1), the finest first.

    Where the proof fails, the rules at which it does are changed: to leaves, to none, or so that
    one ends with what follows it. Raises :class:`NotLalrError` where that ends, with what was wrong
    with the finest trees last.
    """
    trees = Trees(grammar, starts, nodes, leaves)
    failure: Exception | None = None
    split = False
    for _ in range(MAX_TRIES):
        components = recursive_components(trees.grammar, starts, trees.nodes, trees.leaves)
        if split:
            components = by_follower(components)
        try:
            return components, lexed(components)
        except conflicts.ConflictingError as error:
            failure = conflicts.undecided(error, components)
            changed = trees.decide(error, components)
        except ConflictError as error:
            failure = conflicts.collision(error, components)
            changed = False
        except NotLalrError as error:
            failure = error
            changed = not split or trees.separate(error.rules)
            split = True
        except TooLargeError:
            if failure is None:
                raise
            break
        if not changed:
            break
    raise failure or TooLargeError


def lexed(components: component_rules.Components) -> dict[str, component_rules.LexedTerminal]:
    """Find guards and priorities for a recursive component grammar; set those of its rules.

    Raises :class:`ConflictError` where it is not LALR(1), :class:`NotLalrError` where tokens
    overlap and no guard separates them.
    """
    alphabet = Alphabet(terminal.node for terminal in components.terminals.values())
    languages = component_rules.terminal_languages(components, alphabet)
    actions = Actions(
        component_rules.lark_text(components, {}, {}), list(components.starts.values())
    )
    replacements = Replacements(actions, languages, alphabet)
    # Conflicts are decided first: what a token may take depends on what the parser does with it.
    components.priorities = conflicts.priorities(actions, replacements, list(components.rules))
    replacements.decide(components.priorities)
    states = LexingStates(actions)
    return RecursiveLexing(components, states, replacements, languages, alphabet).solve()
