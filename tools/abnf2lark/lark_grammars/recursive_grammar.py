"""Compile a recursive grammar to a Lark grammar for LALR, where a proof is found."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import combinations
from typing import TypeAlias

from abnf2lark import ir
from abnf2lark.automata import Alphabet, Language, Nfa, TooLargeError, spend
from abnf2lark.lark_grammars import component_rules, conflicts, lalr_tables
from abnf2lark.lark_grammars.guards import lookahead
from abnf2lark.lark_grammars.kept_tokens import HIDDEN, kept_names
from abnf2lark.lark_grammars.lexing import proved_text
from abnf2lark.lark_grammars.longest_tokens import ANY_CHARS, longest_ways
from abnf2lark.lark_grammars.readings import Replacements
from abnf2lark.patterns.proof import backtracking, guard_expression, guard_language
from abnf2lark.reading.recursion import recursive_rules

# Move what follows a right-recursive rule into the rule.
#
#     array  = "[" values ws "]"               array   = "[" _values "]"
#     values = ws val ws "," values      is    _values = ws val ws "," _values
#            / ws val ws [ "," ]                       / ws val ws [ "," ] ws
#
# A parser that sees white space after a comma need not know yet whether another value follows. The
# rule is no longer a node: its parts are children of the node around it.


def with_follower(grammar: ir.RuleSet, name: str) -> ir.RuleSet | None:
    """Return the grammar in which a rule includes what follows it; ``None`` if that fails."""
    own = grammar.rules[name]
    hidden = HIDDEN + name
    if name.startswith(HIDDEN) or hidden in grammar.rules or not _ended(own.body, name, ir.EMPTY):
        return None
    followers: set[ir.Node] = set()
    rules: dict[str, ir.Rule] = {}
    for rule in grammar.rules.values():
        if rule is not own:
            rules[rule.name] = replace(rule, body=_shortened(rule.body, name, followers))
    # The same must follow everywhere, or the new rule would need several ends.
    if len(followers) != 1:
        return None
    body = _ended(own.body, name, followers.pop())
    if body is None:
        return None
    rules[hidden] = replace(own, name=hidden, body=body)
    # A reference is left where nothing follows it, or where it is not at the end of the rule.
    if any(ref.name == name for rule in rules.values() for ref in ir.references(rule.body)):
        return None
    return ir.RuleSet(grammar.name, rules, grammar.own)


def _shortened(node: ir.Node, name: str, followers: set[ir.Node]) -> ir.Node:
    """Replace the old rule and its follower by the new rule; collect the followers."""
    if not isinstance(node, ir.Seq):
        return ir.changed(node, lambda part: _shortened(part, name, followers))
    made: list[ir.Node] = []
    items = iter(node.items)
    for item in items:
        follower = next(items, None) if item in (ir.Ref(name), ir.Rep(ir.Ref(name), 0, 1)) else None
        if follower is None:
            made.append(_shortened(item, name, followers))
        else:
            followers.add(follower)
            # Without the optional rule its follower is still needed.
            new = ir.Ref(HIDDEN + name)
            made.append(new if item == ir.Ref(name) else ir.alt([new, follower]))
    return ir.seq(made)


def _ended(node: ir.Node, name: str, end: ir.Node) -> ir.Node | None:
    """Append an end to an expression; ``None`` if it does not end with a rule."""
    match node:
        case ir.Ref(other) if other == name:
            return ir.Ref(HIDDEN + name)
        case ir.Alt(items):
            ways = [_ended(item, name, end) for item in items]
            if any(ways):
                pairs = zip(ways, items, strict=True)
                return ir.alt([way or ir.seq([item, end]) for way, item in pairs])
        case ir.Seq((*before, last)):
            way = _ended(last, name, end)
            return way and ir.seq([*before, way])
        case ir.Rep(item, 0, 1):
            way = _ended(item, name, end)
            return way and ir.alt([way, end])
    return None


# Which rules of a recursive grammar are nodes of its trees: as many as possible.


class Trees:
    """Nodes and leaves of a grammar, which change where the proof fails.

    The language of the grammar stays the same: only its trees have fewer nodes.
    """

    def __init__(self, plan: component_rules.Plan) -> None:
        self.plan = plan
        self._recursive = ir.leading_to(plan.grammar, recursive_rules(plan.grammar))

    def decide(
        self, error: conflicts.ConflictingError, components: component_rules.Components
    ) -> bool:
        """Change the rules of a conflict; return whether there was anything to change."""
        owners = components.abnf_names
        ended = [error.dropped] if error.kept is None else [error.kept, error.dropped]
        rules = {owners.get(one.name, one.name) for one in ended}
        if error.kept is None and any(
            self._extend(name, rules) for name in self.plan.grammar.rules
        ):
            return True
        return self._change(rules)

    def _extend(self, name: str, ended: AbstractSet[str]) -> bool:
        """Move what follows a rule into it, if the rule may end where others do."""
        inside = {ref.name for ref in ir.references(self.plan.grammar.rules[name].body)}
        if name in self.plan.starts or ended.isdisjoint(inside | {name}):
            return False
        found = with_follower(self.plan.grammar, name)
        if found is None:
            return False
        self.plan = self.plan._replace(grammar=found, nodes=self.plan.nodes - {name})
        self._recursive = ir.leading_to(found, recursive_rules(found))
        return True

    def separate(self, rules: Iterable[str]) -> bool:
        """Make leaves of the nodes around overlapping tokens; return whether there were any."""
        grammar, _, nodes, leaves = self.plan
        above = nodes_above(grammar, nodes | leaves, leaves, rules)
        return self._change(above - leaves, leaves=True)

    def _change(self, rules: AbstractSet[str], *, leaves: bool = False) -> bool:
        """Make regular rules leaves, or remove their nodes; return whether there were any."""
        # A recursive rule is not a token: it stays a node.
        _, _, nodes, kept = self.plan
        found = (nodes | kept).intersection(rules) - self._recursive
        self.plan = self.plan._replace(
            nodes=nodes - found, leaves=kept | found if leaves else kept - found
        )
        return bool(found)


def nodes_above(
    grammar: ir.RuleSet, kept: frozenset[str], leaves: frozenset[str], rules: Iterable[str]
) -> set[str]:
    """Return rules themselves that are nodes with nodes inside, else the nodes above them."""
    inside: dict[str, set[str]] = {}
    found: set[str] = set()
    for name in rules:
        if not inside:  # it takes long in large grammars
            inside = {name: _nodes_inside(grammar, name, kept) for name in grammar.rules}
        if name in kept and name not in leaves and inside.get(name):
            found.add(name)
        else:
            found |= {other for other in kept if name in inside[other]}
    return found


def _nodes_inside(grammar: ir.RuleSet, name: str, kept: frozenset[str]) -> set[str]:
    """Return the nodes right below a rule: those reached without passing through another."""
    found: set[str] = set()

    def others(one: str) -> Iterator[str]:
        spend(1)
        for ref in ir.references(grammar.rules[one].body):
            if ref.name in kept or ref.name.startswith(HIDDEN):
                found.add(ref.name)
            else:
                yield ref.name

    ir.reached([name], others)
    return found


# Copy each rule for each set of tokens that can follow it.
#
# LALR merges the lookaheads of a rule from all its contexts: after a value, those of an array and
# those of a table. The contextual lexer then tries the tokens of both. With a copy for each context
# it tries only those that fit. The copies have the same body, so the language stays the same.

MAX_RULES = 600

Tokens: TypeAlias = frozenset[str]
NOTHING = ""  # among tokens: the empty string


def by_follower(found: component_rules.Components) -> component_rules.Components:
    """Return the components with a copy of each rule for each set of tokens after it."""
    firsts: dict[str, Tokens] = dict.fromkeys(found.rules, frozenset())
    grown = True
    while grown:  # a least fixed point: FIRST sets
        grown = False
        for name, body in found.rules.items():
            first = _first(body, firsts, frozenset({NOTHING}), {})
            grown = grown or first != firsts[name]
            firsts[name] = first
    names: dict[tuple[str, Tokens], str] = {}
    taken = {*found.rules}
    pending: deque[tuple[str, Tokens]] = deque()

    def named(rule: str, following: Tokens) -> str:
        key = (rule, following)
        if key not in names:
            if len(names) > MAX_RULES:
                raise TooLargeError
            known = any(one == rule for one, _ in names)
            names[key] = ir.free_name(rule, taken) if known else rule
            pending.append(key)
        return names[key]

    starts = {
        abnf: named(rule, frozenset({lalr_tables.END})) for abnf, rule in found.starts.items()
    }
    rules: dict[str, ir.Node] = {}
    origins: dict[str, str] = {}
    while pending:
        rule, following = pending.popleft()
        name = names[rule, following]
        # Within one body a rule has one copy, so that alternatives with a common prefix keep it.
        behind: dict[str, Tokens] = {}
        _first(found.rules[rule], firsts, following, behind)
        inner = {one: named(one, tokens) for one, tokens in behind.items()}
        rules[name] = ir.renamed(found.rules[rule], inner)
        origins[name] = found.abnf_names[rule]
    return component_rules.Components(rules, found.terminals, origins, starts)


def _first(
    node: ir.Node, firsts: Mapping[str, Tokens], following: Tokens, behind: dict[str, Tokens]
) -> Tokens:
    """Return the FIRST set of an expression; add the FOLLOW sets of its rules to ``behind``."""
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


# Lex recursive grammars: priorities and guards under which no text is lost.
#
# The parser has infinitely many stacks, so what follows a token is approximated from above by a
# regular language: some tokens that the parse table allows, then anything. For each state in which
# the lexer is called, and the first token T of the rest of a text, this is proved:
#
# * T is tried, and takes its own text or a longer one: the longest that satisfies its guard;
# * a terminal that is tried before T cannot match here;
# * where that is not so, or a conflict is resolved before T, nothing is lost: the text is still
#   accepted by some derivation after the token that is taken and the kept action. The rest is
#   shorter, so by induction it is accepted by kept actions.
#
# So the parser accepts all texts of the grammar; and no others, since it reads only its tokens.

DEPTH = 2  # tokens after a token in the approximation
MAX_AHEAD = 3  # characters that a guard checks


class RecursiveLexing:
    """The search for guards and priorities of a recursive component grammar."""

    def __init__(self, components: component_rules.Components, replacements: Replacements) -> None:
        self.components = components
        self.actions = replacements.actions
        self.replacements = replacements
        self.languages = languages = replacements.languages
        self.alphabet = alphabet = replacements.alphabet
        self.everything = Language.everything(alphabet.size)
        self.ahead = dict.fromkeys(languages, 0)  # characters that guards check
        undecided, lexed = self.actions.undecided, {*self.actions.lexed}
        self.undecided = {name: sorted(undecided(name) & lexed) for name in languages}
        self._rests: dict[object, Language] = {}

    def solve(self) -> dict[str, component_rules.LexedTerminal]:
        """Return guard and priority for every terminal; raise where no proof is found."""
        expressions = {name: self._expression(name) for name in self.languages}
        while True:
            before: dict[str, set[str]] = {name: set() for name in self.languages}
            # Each guard changes which texts a token takes, so all proofs are repeated. Guards only
            # grow, up to a bound: this terminates.
            conflict = self._takes_too_much() or self._orders(before) or conflicts.circle(before)
            if conflict is None:
                # Without a cycle there is an order in which each comes after those that it may
                # hide.
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
        node = self.components.terminals[name].node
        for made in longest_ways(node, self.languages[name], self.alphabet):
            return made
        raise self._unprovable((name,), "the length of {} is not decided character by character")

    def _takes_too_much(self) -> tuple[str, ...] | None:
        """Return a token that takes text which tokens after it need."""
        for name, words in self.languages.items():
            # If no word of a token can be extended, its end is certain. So only the resolved
            # conflicts before it matter.
            ends = not any(words.edges[state] for state in words.final)
            for state in self.undecided[name] if ends else self.actions.lexed:
                if name in self.actions.tried(state) and self._misses(state, name, name):
                    return (name,)
        return None

    def _misses(self, state: int, taken: str, meant: str) -> bool:
        """Return whether a text may be lost where a token is taken instead of another."""
        _, guard = self._guard(taken, self.ahead[taken])
        try:
            return self.replacements.refute_token(state, taken, meant, guard) is not None
        except TooLargeError:
            return True  # nothing is proved

    def _orders(self, before: dict[str, set[str]]) -> tuple[str, ...] | None:
        """Find which terminals must be tried before which; return two without a correct order."""
        for state in self.actions.lexed:
            for first, second in combinations(self.actions.tried(state), 2):
                ahead = self._may_precede(state, first, second)
                behind = self._may_precede(state, second, first)
                if not ahead and not behind:
                    return first, second
                if not ahead:
                    before[second].add(first)
                if not behind:
                    before[first].add(second)
        return None

    def _may_precede(self, state: int, first: str, second: str) -> bool:
        """Return whether ``first`` may be tried before ``second`` where ``second`` is correct."""
        words, other = self.languages[first], self.languages[second]
        if words.first().isdisjoint(other.first()):
            return True  # the first never matches there
        # An approximation from above: if it has no text that begins with the first token and its
        # guard, the grammar has none. Otherwise stacks are compared, which is exact but slower.
        _, guard = self._guard(first, self.ahead[first])
        targets = tuple(self.actions.targets_from(state, second))
        return self._are_apart(words, guard, second, targets) or not self._misses(
            state, first, second
        )

    @ir.memoized
    def _are_apart(
        self, words: Language, guard: Language, second: str, targets: tuple[int, ...]
    ) -> bool:
        return not (words + guard) & (self.languages[second] + self._rests_of(targets))

    def _rests_of(self, states: Iterable[int]) -> Language:
        found = Language.empty(self.alphabet.size)
        for rest in dict.fromkeys(self._rest(state, DEPTH) for state in states):
            found |= rest
        return found

    def _rest(self, state: int, depth: int) -> Language:
        """Return an approximation of what can follow in a state: so many tokens, then anything."""
        if depth == 0:
            return self.everything
        found = self._rests.get((state, depth))
        if found is not None:
            return found
        ends = lalr_tables.END in self.actions.reductions[state]
        targets = {
            name: self.actions.targets_from(state, name) for name in self.actions.tried(state)
        }
        rests = {
            name: frozenset(self._rest(target, depth - 1) for target in goals)
            for name, goals in targets.items()
        }
        key = (ends, frozenset(rests.items()))  # many states have the same
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

    @ir.memoized
    def _guard(self, name: str, length: int) -> tuple[str, Language]:
        """Write the guard of a token by so many characters; return what satisfies it, too."""
        rest = self._rests_of(self.actions.targets(name)) if length else self.everything
        text = lookahead(rest, length, self.alphabet)
        return text, guard_language(text, self.alphabet)

    def _lexed(self, name: str, node: ir.Node, rank: int) -> component_rules.LexedTerminal:
        guard, passing = self._guard(name, self.ahead[name])
        follow = self.alphabet.chars(passing.first()) if guard else ANY_CHARS
        text = proved_text(name, node, self.languages[name], self.alphabet, (follow, guard))
        why = backtracking(ir.seq([node, guard_expression(guard)]))
        if why is not None:
            raise self._unprovable((name,), f"of {{}}, {why}")
        return component_rules.LexedTerminal(text, guard, rank)

    def _unprovable(self, names: tuple[str, ...], text: str) -> lalr_tables.NotLalrError:
        rules = tuple(sorted({self.components.terminals[name].rule for name in names}))
        reason = text.format(" and ".join(sorted(set(names))))
        return lalr_tables.NotLalrError(f"{reason} (rules: {', '.join(rules)})", rules)


MAX_TRIES = 30


def recursive_components(plan: component_rules.Plan) -> component_rules.Components:
    """Cut a recursive grammar; its recursive rules are nodes, loops apart."""
    grammar = plan.grammar
    recursive = recursive_rules(grammar)
    nullable = ir.nullable_rules(grammar)
    plan = plan._replace(nodes=plan.nodes | recursive, leaves=plan.leaves - recursive)
    only_empty = nullable - ir.filled_rules(grammar)
    components = component_rules.cut(plan, nullable, only_empty, spread=True)
    components = component_rules.with_plain_names(components)
    return component_rules.renamed(components, kept_names(components.rules, components.abnf_names))


def recursive_lalr(plan: component_rules.Plan) -> component_rules.LexedGrammar:
    """Find trees for which a recursive grammar is LALR(1), the finest first.

    Where the proof fails at rules, they become leaves, lose their nodes, or include what follows
    them. Raises :class:`NotLalrError`, with the last failure, where nothing is left to change.
    """
    trees = Trees(plan)
    failure: Exception | None = None
    split = False
    for _ in range(MAX_TRIES):
        components = recursive_components(trees.plan)
        if split:
            components = by_follower(components)
        try:
            return component_rules.LexedGrammar(components, lexed(components))
        except conflicts.ConflictingError as error:
            failure = conflicts.undecided(error, components)
            changed = trees.decide(error, components)
        except lalr_tables.ConflictError as error:
            failure = conflicts.collision(error, components)
            changed = False
        except lalr_tables.NotLalrError as error:
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
    text = component_rules.LexedGrammar(components).text()
    actions = lalr_tables.Actions(text, list(components.starts.values()))
    replacements = Replacements(actions, languages, alphabet)
    # Conflicts are resolved first: what a token may take depends on the actions of the parser.
    components.priorities = conflicts.priorities(actions, replacements, list(components.rules))
    replacements.decide(components.priorities)
    return RecursiveLexing(components, replacements).solve()
