"""Compile a user's grammar to a Lark grammar that can be loaded as it is."""

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass, replace
from operator import or_
from re import _parser
from typing import Literal

from abnf2lark import ir
from abnf2lark.automata import Alphabet, TooLargeError, limited
from abnf2lark.charts import LimitError
from abnf2lark.config import Bundle
from abnf2lark.lark_grammars import component_rules
from abnf2lark.lark_grammars.component_grammar import Known, lalr_grammar, refuse_long
from abnf2lark.lark_grammars.component_rules import LexedGrammar, LexedTerminal, Plan
from abnf2lark.lark_grammars.earley import earley_grammar
from abnf2lark.lark_grammars.lalr_tables import NotLalrError
from abnf2lark.lark_grammars.lexing import prove_expressions
from abnf2lark.lark_grammars.recursive_grammar import nodes_above, recursive_components
from abnf2lark.lark_grammars.witnesses import MAX_STEPS as MAX_STEPS_OF_A_REASON
from abnf2lark.lark_grammars.witnesses import (
    MAX_STEPS_OF_TERMINALS,
    RULE_OF_TREES,
    agrees_on,
    conflict_reason,
    shown_rules,
    witnesses,
)
from abnf2lark.patterns import proof
from abnf2lark.patterns.emit_pattern import PORTABLE, pattern
from abnf2lark.reading.large_parts import elements, length, lengths
from abnf2lark.reading.recursion import cycle, innermost_first, with_loops

MAX_RULES = 3_000
MAX_ELEMENTS = 60_000  # of all rules as written; Lark takes about ten seconds to load so many
MAX_SETS = 3_000  # distinct sets of characters, each of which may become a terminal


def refuse_large(grammar: ir.RuleSet) -> None:
    """Raise `LimitError` for a grammar with too many rules, elements or sets for Lark."""
    total, counted = elements(grammar, grammar.rules)
    parts = (part for rule in grammar.rules.values() for part in ir.walk(rule.body))
    if (rules := len(grammar.rules)) > MAX_RULES:
        told = f"{rules:,} rules; {MAX_RULES:,} can be compiled"
    elif total > MAX_ELEMENTS:
        told = f"{counted}; {MAX_ELEMENTS:,} can be compiled"
    elif (sets := len({part for part in parts if isinstance(part, ir.Chars)})) > MAX_SETS:
        told = f"{sets:,} sets of characters; {MAX_SETS:,} can be compiled"
    else:
        try:
            Alphabet(rule.body for rule in grammar.rules.values())
        except TooLargeError:  # sets cut each other to so many pieces that nothing is proved
            told = f"{sets:,} sets of characters, of which too many overlap"
        else:
            return
    raise LimitError(
        f"{grammar.name} is too large for Lark: the start rules lead to {told}: "
        "start from a rule that leads to fewer"
    )


# Choose which rules of a grammar become nodes of its trees by default.
#
# Every rule does, except core rules, white space, and rules for a character: its class, its escape,
# or a choice of those. A tree with a node for each character would be useless.

MAX_ESCAPE = 4  # characters: \", %2F, \123, and UTF-8 octets
MAX_REPEATED_ESCAPE = 12  # of a repeated rule, and of any length: \n, \u00E9, \uD83D\uDE00


def default_nodes(grammar: ir.RuleSet) -> frozenset[str]:
    """Return the rules that are worth a node."""
    plain = character_rules(grammar) | ir.blank_rules(grammar)
    return frozenset(
        name for name, rule in grammar.rules.items() if rule.origin != "core" and name not in plain
    )


def character_rules(grammar: ir.RuleSet) -> frozenset[str]:
    """Return the rules whose words are single characters or escapes.

    Escapes of several lengths, as of JSON, count in a rule that is repeated, `*char`. What is there
    once may mean more: `time-offset` of RFC 3339 is "Z" or begins with a sign.
    """
    found = _Characters(grammar)
    inner = [*innermost_first(grammar)]  # first, so that few turns do
    inner += sorted(grammar.rules.keys() - inner)
    ordered = [(name, grammar.rules[name]) for name in inner]
    grown = True
    while grown:
        grown = False
        for name, rule in ordered:
            new = {name} if found.is_character(rule.body, name in found.repeated) else set()
            new |= found.escapes_beside_characters(rule.body)
            if not new <= found.rules:
                found.rules |= new
                grown = True
    # What a character is made of is not a node either.
    return frozenset(ir.reachable(grammar, sorted(found.rules)))


class _Characters:
    """Character rules found so far, and the lengths of the words of all rules."""

    def __init__(self, grammar: ir.RuleSet) -> None:
        self.grammar = grammar
        self.rules: set[str] = set()
        self.lengths = lengths(grammar)
        parts = (part for rule in grammar.rules.values() for part in ir.walk(rule.body))
        repeated = (part.item for part in parts if isinstance(part, ir.Rep) and part.high is None)
        self.repeated = {part.name for part in repeated if isinstance(part, ir.Ref)}

    def is_character(self, node: ir.Node, repeated: bool = False) -> bool:  # noqa: FBT001, FBT002
        match node:
            case ir.Chars():
                return True
            case ir.Ref(name):
                return name in self.rules
            case ir.Alt(items):
                plain = [self.is_character(item) for item in items]
                escapes = [self.is_escape(item, repeated) for item in items]
                return any(plain) and all(map(or_, plain, escapes))
            case _:
                return False

    def escapes_beside_characters(self, node: ir.Node) -> set[str]:
        """Return the rules that are an escape, as an alternative to characters."""
        return {
            item.name
            for part in ir.walk(node)
            if isinstance(part, ir.Alt) and any(self.is_character(item) for item in part.items)
            for item in part.items
            if isinstance(item, ir.Ref) and self.is_escape(item)
        }

    def is_escape(self, node: ir.Node, repeated: bool = False) -> bool:  # noqa: FBT001, FBT002
        least, most = length(node, self.lengths)
        fits = most <= MAX_REPEATED_ESCAPE if repeated else least == most <= MAX_ESCAPE
        return least > 1 and fits and self.is_mark(node)

    def is_mark(self, node: ir.Node) -> bool:
        """Return whether an expression can begin an escape: not with a letter or a digit."""
        match node:
            case ir.Chars(ranges):
                ascii_codes = (
                    code for low, high in ranges for code in range(low, min(high, 0x7F) + 1)
                )
                return not any(chr(code).isalnum() for code in ascii_codes)
            case ir.Text(value):
                return not (value[0].isascii() and value[0].isalnum())
            case ir.Ref(name):
                return name in self.lengths and self.is_mark(self.grammar.rules[name].body)
            case ir.Seq((first, *_)) | ir.Rep(first):
                return self.is_mark(first)
            case ir.Alt(items):
                return all(self.is_mark(item) for item in items)
            case _:
                return False


# Find larger leaves with which a grammar is LALR: advice for a faster parser.
#
# Where the proof fails at rules, the nodes right above them become leaves, which hold only text,
# until a proof is found or no leaf can be larger.

MAX_STEPS_OF_ADVICE = 5_000_000  # of automata; about 4 seconds
MAX_STEPS_OF_FEWER = 15_000_000  # spent only where leaves are found: a short list is worth it
MAX_TRIES = 12


def larger_leaves(plan: Plan, culprits: Iterable[str]) -> tuple[str, ...]:
    """Return leaves with which the grammar is LALR, above the rules at which the proof failed."""
    grammar, starts, nodes, leaves = plan
    added: frozenset[str] = frozenset()
    rules: tuple[str, ...] | None = tuple(culprits)

    def failed(coarse: frozenset[str], left: list[int]) -> tuple[str, ...] | None:
        try:
            lalr_grammar(Plan(grammar, starts, nodes - coarse, coarse))
        except NotLalrError as error:
            if left[0] < 0:
                raise TooLargeError from None
            return error.rules
        return None

    # An expression may also be nested too deeply for a proof.
    with suppress(RecursionError, TooLargeError), limited(MAX_STEPS_OF_ADVICE) as left:
        for _ in range(MAX_TRIES):
            more = nodes_above(grammar, nodes | leaves, leaves | added, rules or ())
            more = more.difference(starts, leaves, added)
            if not more:
                break
            added |= more
            rules = failed(leaves | added, left)
            if rules is None:
                break
    if rules is not None:
        return ()
    with suppress(RecursionError, TooLargeError), limited(MAX_STEPS_OF_FEWER) as left:
        for name in grammar.rules:  # remove those that are not needed
            fewer = added - {name}
            if name in added and fewer and failed(leaves | fewer, left) is None:
                added = fewer
    return tuple(name for name in grammar.rules if name in added)


MAX_STEPS = 4_000_000  # of automata; about 4 seconds
PROOF_BY_REASON = 25  # steps of the one to those of the other, where there are to be few


@dataclass(frozen=True, slots=True)
class LarkGrammar:
    """The text of a Lark grammar, its parser, and why it is not a faster one."""

    text: str
    parser: Literal["lalr", "earley"]
    starts: tuple[str, ...]  # in Lark's spelling
    reason: str = ""
    advice: tuple[str, ...] = ()  # rules that would make it LALR as leaves
    flattened: tuple[str, ...] = ()  # rules that could not be nodes, or it would not be LALR
    ambiguity: str = ""  # a shortest text with two trees, and what they are
    agrees: bool = True  # whether the parser's tree of that text is that of `Grammar.tree`


@dataclass(frozen=True, slots=True)
class Form:
    """How a grammar is written: also for old engines; without white space in trees."""

    portable: bool = False
    drops_blanks: bool = False


PROVED_FORM = Form()


def compile_grammar(
    grammar: ir.RuleSet,
    starts: tuple[str, ...],
    *,
    nodes: Iterable[str] = (),
    leaves: Iterable[str] = (),
    inlined: Iterable[str] = (),
    advise: bool = False,
    form: Form = PROVED_FORM,
    max_steps: int = MAX_STEPS,
) -> LarkGrammar:
    """Compile the rules that ``starts`` lead to; LALR where that is proved right, else Earley.

    ``nodes`` and ``leaves`` are nodes of trees in addition to the default ones; a leaf holds only
    text. ``inlined`` rules are not nodes. With ``advise`` leaves are searched that would make it
    LALR. Raises `LimitError` for what Lark could not load.
    """
    only = ir.reachable_part(grammar, starts)
    refuse_large(only)
    flat = frozenset(leaves).intersection(only.rules)
    kept = (default_nodes(only) | flat.union(nodes).intersection(only.rules)).difference(inlined)
    comments = {rule.name: rule.source for rule in only.rules.values()}
    blanks = ir.blank_rules(only).difference(kept, starts) if form.drops_blanks else frozenset()
    doubts = [*witnesses(only, starts, kept)]
    loops = frozenset(_texts(only, kept))
    wanted = kept if kept.isdisjoint(flat) else frozenset[str]()
    plan = Plan(only, starts, kept - flat, flat)

    def agreeing() -> LexedGrammar | None:
        """Write the grammar for Earley so that Lark keeps the tree that `Grammar.tree` gives."""
        for smallest in (False, True):
            try:
                other = earley_grammar(plan, in_order=True, smallest=smallest)
            except TooLargeError:
                continue
            if agrees_on(doubts, other, only, wanted, "earley"):
                return other
        return None

    failure: NotLalrError | None = None
    agrees = single = not cycle(only, starts)  # else there are trees without end
    try:
        found, loops = _lalr(plan, blanks, loops, max_steps)
        agrees = single and agrees_on(doubts, found, only, wanted - loops, "lalr")
        if single and not agrees and (other := agreeing()):
            told = f"ambiguous: {doubts[0].told}; LALR would keep another tree"
            failure, found, agrees = NotLalrError(told), other, True
    except NotLalrError as error:
        failure = error
        found = earley_grammar(plan)
        if single and doubts:
            found, agrees = (other, True) if (other := agreeing()) else (found, False)
    least = min((one.priority for one in found.lexed.values()), default=0)
    lexed = {name: replace(one, priority=one.priority - least) for name, one in found.lexed.items()}
    if form.portable:
        lexed = {name: portable_form(name, one) for name, one in lexed.items()}
    found = replace(found, lexed=lexed)
    body = found.text(comments, aliases=True)
    prove_expressions(body, found.components.starts.values(), found.expressions())
    made = LarkGrammar(
        body,
        "earley" if failure else "lalr",
        tuple(found.components.starts.values()),
        ambiguity=doubts[0].told if doubts else "",
        agrees=agrees,
    )
    if failure is None:
        shown = {*shown_rules(found.components).values()} - loops
        flattened = tuple(name for name in only.rules if name in kept and name not in shown)
        made = replace(made, flattened=flattened)
    else:
        steps = min(MAX_STEPS_OF_A_REASON, max_steps // PROOF_BY_REASON)
        advice = larger_leaves(plan, failure.rules) if advise and failure.rules else ()
        made = replace(made, reason=_reason(failure, plan, steps), advice=advice)
    return replace(made, text="\n".join([*_head(made, grammar.name, found, form), "", body]))


def settled_grammar(
    bundle: Bundle, starts: tuple[str, ...] = (), known: Known | None = None
) -> LexedGrammar:
    """Compile rules of a grammar, or all, as settings say; `NotLalrError` without a proof."""
    settings = bundle.settings
    nodes = frozenset([*settings.nodes, *settings.records])
    leaves = frozenset([*settings.leaves, *settings.fields])
    plan = Plan(bundle.grammar, starts or bundle.public, nodes, leaves)
    return lalr_grammar(plan, known, apart=True)


def settled_text(bundle: Bundle, lexed: LexedGrammar) -> str:
    """Return the Lark file of a grammar; its expressions are proved to be read as written."""
    settings, name = bundle.settings, bundle.grammar.name
    starts = lexed.components.starts
    shown = starts.get(bundle.start) or next(iter(starts.values()))
    prove_expressions(lexed.text(), starts.values(), lexed.expressions())
    header = (
        f"// {settings.title}: {settings.source}.\n"
        f"// Generated by `abnf2lark build` from grammar/{name}.abnf. Do not edit.\n"
        "// LALR(1) with the contextual lexer; guards and priorities are proved sufficient.\n"
        f'// lark.Lark(text, parser="lalr", lexer="contextual", start="{shown}"),\n'
        "// with one start rule: of several, the lexer would try the terminals of all.\n"
    )
    comments = {rule.name: rule.source for rule in bundle.grammar.rules.values()}
    return lexed.text(comments, header, aliases=True)


def compile_settled(
    bundle: Bundle,
    starts: tuple[str, ...] = (),
    nodes: Iterable[str] = (),
    leaves: Iterable[str] = (),
    inlined: Iterable[str] = (),
    form: Form = PROVED_FORM,
) -> LarkGrammar:
    """Compile a grammar by its settings, as `abnf2lark build` does.

    Only a portable form, or inlined rules, need `compile_grammar`.
    """
    own = bundle.settings
    settings = replace(own, nodes=[*own.nodes, *nodes], leaves=[*own.leaves, *leaves])
    flat = {*settings.leaves, *settings.fields}
    kept = {*settings.nodes, *settings.records, *flat}.difference(inlined)
    if form.portable or inlined:
        others = [name for name in bundle.grammar.rules if name not in kept]
        starts = starts or (bundle.start,)
        leaves = kept & flat
        return compile_grammar(
            bundle.grammar, starts, nodes=kept - flat, leaves=leaves, inlined=others, form=form
        )
    lexed = settled_grammar(replace(bundle, settings=settings), starts)
    spelled = tuple(lexed.components.starts.values())
    return LarkGrammar(settled_text(bundle, lexed), "lalr", spelled)


def _lalr(
    plan: Plan, blanks: frozenset[str], loops: frozenset[str], max_steps: int
) -> tuple[LexedGrammar, frozenset[str]]:
    """Compile for LALR, and return what could not stay recursive: rules that hold no other node."""
    for looping in dict.fromkeys((frozenset[str](), loops)):
        try:
            with limited(max_steps):
                known = plan._replace(grammar=with_loops(plan.grammar, looping))
                return _without_blanks(known, blanks), looping
        except NotLalrError as error:
            failure = error
    raise failure


def _without_blanks(plan: Plan, blanks: frozenset[str]) -> LexedGrammar:
    """Compile for LALR, with white space as hidden rules and tokens: `"," ws value`.

    Where that is not LALR, white space is joined with the text around it in tokens.
    """
    if not blanks:
        return lalr_grammar(plan)
    try:
        found = lalr_grammar(plan._replace(leaves=plan.leaves | blanks))
    except NotLalrError:
        return lalr_grammar(plan)
    parts = found.components
    hidden = {name for name in parts.rules if parts.abnf_names[name] in blanks}
    rules = parts.rules.items()
    used = ir.grouped((ref.name, name) for name, body in rules for ref in ir.references(body))
    tokens = {name for name in parts.terminals if hidden.issuperset(used.get(name, ()))}
    names = {name: f"_{name.lstrip('_')}" for name in hidden | tokens}
    # Without white space, a token that is a whole alternative distinguishes it from others.
    for body in parts.rules.values():
        ways = [way for part in ir.walk(body) if isinstance(part, ir.Alt) for way in part.items]
        shown = {way.name for way in ways if isinstance(way, ir.Ref)}.intersection(parts.terminals)
        names |= {name: name.lstrip("_") for name in shown - tokens if name.startswith("_")}
    taken = {*parts.rules, *parts.terminals}
    names = {old: new for old, new in names.items() if new not in taken}
    lexed = {names.get(name, name): one for name, one in found.lexed.items()}
    return LexedGrammar(component_rules.renamed(parts, names), lexed)


def _reason(error: NotLalrError, plan: Plan, max_steps: int) -> str:
    """Explain why a grammar needs Earley, with a text as an example."""
    if str(error).startswith("ambiguous: ") or cycle(plan.grammar, plan.starts):
        return str(error)
    try:
        refuse_long(plan.grammar)
        with limited(MAX_STEPS_OF_TERMINALS):
            components = recursive_components(plan)
            told = conflict_reason(components, error.rules, max_steps)
    except (RecursionError, TooLargeError):  # no text is found in reasonable time
        return str(error)
    return f"{error}; {told}" if told else str(error)


def _texts(grammar: ir.RuleSet, kept: AbstractSet[str]) -> Iterator[str]:
    """Yield the directly recursive rules that hold no other node."""
    for name, rule in grammar.rules.items():
        inside = {ref.name for ref in ir.references(rule.body)}
        if name in inside and kept.isdisjoint(ir.reachable(grammar, inside - {name})):
            yield name


def _head(made: LarkGrammar, name: str, found: LexedGrammar, form: Form) -> list[str]:
    """Return what is above the rules: comments, and a rule `start` for Lark's default."""
    reason, spelled = made.reason, made.starts
    options = 'parser="earley"' if reason else 'parser="lalr", lexer="contextual"'
    shown = f'"{spelled[0]}"' if len(spelled) == 1 else str(list(spelled)).replace("'", '"')
    lines = [
        f"// Generated by `abnf2lark compile` from {name}.abnf.",
        f"// lark.Lark(text, {options}, start={shown})",
        f"// {needed(found.expressions().values(), portable=form.portable)}",
        f"// Earley, because there is no proof for LALR(1): {reason}"
        if reason
        else "// LALR(1): guards and priorities of the terminals are proved sufficient.",
    ]
    if made.flattened:
        names = ", ".join(made.flattened)
        lines.append(f"// No nodes, since it would not be LALR(1) with them: {names}")
    if made.ambiguity:
        lines.append(f"// Ambiguous: {made.ambiguity}.")
        whose = "abnf2lark's parser keeps" if made.agrees and reason else "Its tree is"
        but = "; Lark alone may keep another" if reason else ""
        whose = whose if made.agrees else "Its tree may not be"
        lines.append(f"// {whose} {RULE_OF_TREES}{but if made.agrees else ''}.")
    if len(spelled) > 1:
        lines.insert(2, f'// and of what that returns: .parse(string, start="{spelled[0]}")')
    if "start" not in found.components.rules:
        lines += ["", f"?start: {' | '.join(spelled)}"]
    return lines


def needed(expressions: Iterable[str], *, portable: bool) -> str:
    """Return which engines can read the expressions of a Lark grammar."""
    if portable:
        return 'Python 3.8 or later; terminals: JavaScript too, with the flags "uy"'
    if any("POSSESSIVE_REPEAT" in repr(_parser.parse(one)) for one in expressions):
        return "Python 3.11 or later, for possessive quantifiers; --portable does without"
    return "Python 3.8 or later"


def portable_form(name: str, terminal: LexedTerminal) -> LexedTerminal:
    """Write a terminal for Python from 3.8 on and for JavaScript with the flag `u`.

    The written text is parsed again, and proved to match the same texts. Its loops backtrack, which
    changes nothing where the next character decides; `LimitError` where it is not linear.
    """
    node, _ = proof.read_back(terminal.pattern)
    text, guard = pattern(node, PORTABLE), ""
    if terminal.guard:
        seen, _, is_negative = proof.ahead(terminal.guard)
        guard = f"(?{'!' if is_negative else '='}{pattern(seen, PORTABLE)})"
    why = proof.backtracking(ir.seq([node, proof.guard_expression(terminal.guard)]))
    if why is not None:
        raise LimitError(f"{name} needs loops that never give back, which are not portable: {why}")
    alphabet = Alphabet([node, proof.guard_expression(terminal.guard)])
    followed = alphabet.chars(proof.guard_language(terminal.guard, alphabet).first())
    is_same = proof.language_of(text, alphabet) == proof.language_of(
        terminal.pattern, alphabet, followed
    )
    if not is_same or proof.guard_language(guard, alphabet) != proof.guard_language(
        terminal.guard, alphabet
    ):
        raise proof.ProofError(f"the portable form of {name} matches other texts")
    if guard and isinstance(node, ir.Alt):
        text = f"(?:{text})"
    return LexedTerminal(text, guard, terminal.priority)
