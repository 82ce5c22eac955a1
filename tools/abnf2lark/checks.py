"""Lint: find what is wrong or doubtful in a grammar, all of it, in the order of the file."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from abnf2lark import automata, ir
from abnf2lark.config import Bundle, cited_grammars, origin_of, roots
from abnf2lark.patterns.proof import ProofError
from abnf2lark.problems import InputError, Problem, Source, find_rules, has_errors, meant
from abnf2lark.reading import load, recursion
from abnf2lark.reading.reader import Choice, Outline, Part
from abnf2lark.reading.scan import TOKEN, chunks


@dataclass(frozen=True, slots=True)
class Subject:
    """A file to look into."""

    source: Source
    grammar: ir.RuleSet
    outline: Outline
    core: ir.RuleSet

    @property
    def own(self) -> list[ir.Rule]:
        """The rules of the file."""
        return [self.grammar.rules[name] for name in self.grammar.own]


def prove_containment(bundles: Mapping[str, Bundle], name: str) -> None:
    """Prove each pair of `within` by automata; :class:`ProofError` has a shortest word."""
    for rule, wider in bundles[name].settings.within.items():
        other, _, wide = wider.rpartition(":")
        sides: list[tuple[ir.RuleSet, str]] = []
        for grammar, one in ((name, rule), (other or name, wide)):
            found = bundles[grammar].grammar.find(one) if grammar in bundles else None
            if found is None:
                raise InputError(f'within of {name}: there is no rule "{one}" of {grammar}')
            sides.append((bundles[grammar].grammar, found.name))
        word = automata.compare_rules(*sides[0], *sides[1]).only_left
        if word is not None:
            raise ProofError(f"{rule} derives {word!r}, which {wider} does not")


def structure_problems(subject: Subject, starts: Sequence[str]) -> list[Problem]:
    """Return unreachable, endless, left-recursive and redefined rules, and empty repetitions."""
    return [
        *_unreachable(subject, starts),
        *recursion.endless(subject.source, subject.grammar),
        *_left_recursive(subject),
        *_empty_repetitions(subject),
        *_redefined(subject),
    ]


def _unreachable(subject: Subject, starts: Sequence[str]) -> Iterator[Problem]:
    """Report what no start leads to; without starts, what the first rule, if a root, does not."""
    grammar = subject.grammar
    if not starts:
        used = {ref.name for rule in subject.own for ref in ir.references(rule.body)}
        starts = [name for name in grammar.own if name not in used]
        if starts != [*grammar.own[:1]]:
            return
    reached = set(ir.reachable(grammar, starts))
    for rule in subject.own:
        if rule.name not in reached:
            text = f'"{rule.name}" is not reached from {" or ".join(starts)}'
            yield Problem(subject.source, rule.position, "unreachable", text, "warning")


def _left_recursive(subject: Subject) -> Iterator[Problem]:
    """Report the first rule of every loop that can come around without reading anything."""
    grammar = subject.grammar
    nullable = ir.nullable_rules(grammar)
    steps = recursion.steps_by(grammar, grammar.rules, lambda body: _leftmost(body, nullable))
    left_recursive = set(recursion.looping(steps))
    done: set[str] = set()
    for rule in subject.own:
        if rule.name in left_recursive and rule.name not in done:
            loop = recursion.loop_through(rule.name, steps, len(steps) + 2)
            done.update(loop)
            text = f'"{rule.name}" is left-recursive: {recursion.shown(loop)}'
            yield Problem(subject.source, rule.position, "left-recursion", text, "warning")


def _leftmost(node: ir.Node, nullable: frozenset[str]) -> Iterator[str]:
    """Yield the rules that ``node`` can begin with, nothing being read before them."""

    def parts(node: ir.Node) -> tuple[ir.Node, ...]:
        inside = ir.children(node)
        filled = (at for at, one in enumerate(inside, 1) if not ir.is_nullable(one, nullable))
        return inside[: next(filled, None)] if isinstance(node, ir.Seq) else inside

    return ir.names_among(node, parts)


def _empty_repetitions(subject: Subject) -> Iterator[Problem]:
    """Report repeated elements that can be empty: how often they come is ambiguous."""
    nullable = ir.nullable_rules(subject.grammar)
    for part in (part for repeat in subject.outline.repeats for part in repeat.parts):
        if ir.is_nullable(part.node, nullable):
            text = "the repeated element can be empty, so it is ambiguous how often it comes"
            yield Problem(subject.source, part.position, "empty-repetition", text, "warning")


def ambiguities(subject: Subject, starts: tuple[str, ...]) -> Iterator[Problem]:
    """Report a shortest text with two trees for each start, as far as 8,000 steps find one."""
    from abnf2lark.lark_grammars.compiling import default_nodes  # noqa: PLC0415 - slow to load
    from abnf2lark.lark_grammars.witnesses import witnesses  # noqa: PLC0415 - same

    grammar = subject.grammar
    seen: set[str] = set()
    nodes = default_nodes(grammar)
    own = nodes.intersection(grammar.own)
    for one in witnesses(grammar, starts or roots(grammar), nodes, counted=own) if own else ():
        if one.rule not in seen and one.rule in own:
            seen.add(one.rule)
            here = grammar.rules[one.rule].position
            yield Problem(subject.source, here, "ambiguous", one.told, "warning", one.text)


def _redefined(subject: Subject) -> Iterator[Problem]:
    """Report own rules with the name of a core rule, and how they differ from it."""
    own = {name.casefold() for name in subject.grammar.own}
    if all(name.casefold() in own for name in subject.core.rules):
        return  # a file of core rules
    for rule in subject.own:
        core = subject.core.find(rule.name)
        if core is None:
            continue
        difference = _difference(subject.grammar, rule, subject.core, core)
        text = (
            f'"{rule.name}" redefines the core rule {core.name}: {difference}'
            if difference
            else f'"{rule.name}" repeats the core rule {core.name}'
        )
        yield Problem(subject.source, rule.position, "core-rule", text, "warning")


def _difference(grammar: ir.RuleSet, rule: ir.Rule, core: ir.RuleSet, core_rule: ir.Rule) -> str:
    """Say what only one of two rules matches; empty if they are equal."""
    if recursion.recursion(recursion.with_loops(grammar), (rule.name,)):
        return "it is recursive"
    try:
        found = automata.compare_rules(grammar, rule.name, core, core_rule.name)
    except automata.UndecidedError as error:
        return f"it is not known how, since {error}"
    if found.only_left is not None:
        return f"only here it matches {ir.abnf_text(found.only_left)}"
    if found.only_right is not None:
        return f"here it does not match {ir.abnf_text(found.only_right)}"
    return ""


# Checks on alternatives as a reader takes them who keeps the first one that matches.
#
# ABNF gives the order of alternatives no meaning, but many parsers do. Under them an alternative
# is dead if everything it matches is matched before it, and shadowed if an earlier one takes only
# the beginning of what it would match.

MAX_STEPS = 1_000_000  # of automata, for a choice and the rules in it; about a second
MAX_STEPS_IN_ALL = 2_000_000


def choice_problems(subject: Subject, *, first_match: bool, ambiguity: bool) -> list[Problem]:
    """Return the dead, shadowed and ambiguous alternatives, except recursive ones."""
    found: list[Problem] = []
    left = MAX_STEPS_IN_ALL
    choices = subject.outline.choices
    try:
        checker = _ChoiceChecker(subject)
    except automata.TooLargeError:
        text = "no alternatives are compared: too many ranges of characters overlap in this file"
        first = [choice.parts[0].position for choice in choices[:1]]
        return [Problem(subject.source, here, "too-large", text, "warning") for here in first]
    for choice in choices:
        allowed = min(left, MAX_STEPS)
        with automata.limited(allowed) as steps:
            try:
                known = checker.known(choice)
                found.extend(checker.check(known) if first_match else ())
                found.extend(checker.ambiguous(known) if ambiguity else ())
            except automata.TooLargeError:
                text = f"the alternatives of {choice.rule} are too large to be compared"
                if allowed < MAX_STEPS:
                    text = f"{text}, and what follows is not: the file is too large"
                elif choice.rule not in checker.irregular:
                    text = f"{text}: {automata.part_of_many_states(checker.grammar, choice.rule)}"
                here = choice.parts[0].position
                found.append(Problem(subject.source, here, "too-large", text, "warning"))
                if allowed < MAX_STEPS:
                    break
            left -= allowed - max(steps[0], 0)
    return found


@dataclass(frozen=True, slots=True)
class _Known:
    """An alternative whose texts are known, and its number in the choice as written."""

    number: int
    part: Part
    language: automata.Language


class _ChoiceChecker:
    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.grammar = recursion.with_loops(subject.grammar)
        self.irregular = ir.leading_to(self.grammar, recursion.recursive_rules(self.grammar))
        bodies = [rule.body for rule in self.grammar.rules.values()]
        parts = [part.node for choice in subject.outline.choices for part in choice.parts]
        self.alphabet = automata.Alphabet([*bodies, *parts])
        self.languages: dict[str, automata.Language] = {}

    def language(self, node: ir.Node) -> automata.Language | None:
        names = {ref.name for ref in ir.references(node)}
        if names & self.irregular:
            return None
        automata.languages(self.grammar.rules, self.alphabet, names, self.languages)
        return automata.language_of_node(node, self.alphabet, self.languages)

    def known(self, choice: Choice) -> list[_Known]:
        languages = (self.language(part.node) for part in choice.parts)
        found = enumerate(zip(choice.parts, languages, strict=True), 1)
        return [_Known(at, part, one) for at, (part, one) in found if one is not None]

    def ambiguous(self, known: list[_Known]) -> Iterator[Problem]:
        """Yield each alternative that matches a text which an earlier one matches, too."""
        for place, one in enumerate(known):
            for other in known[:place]:
                automata.spend(20)  # what two small languages take
                both = one.language & other.language
                witness = automata.shortest_word(both, self.alphabet)
                if witness is not None:
                    told = (
                        f"{ir.abnf_text(witness)} is matched here and by alternative {other.number}"
                    )
                    yield self.problem(one.part, "ambiguous", told, witness)
                    break

    def check(self, known: list[_Known]) -> Iterator[Problem]:
        """Yield the alternatives of a choice that an earlier one hides, wholly or in part."""
        if len(known) > 1:
            chosen, shadowed = automata.first_words([one.language for one in known])
            for place, one in enumerate(known):
                if one.language and place not in chosen:
                    yield self.dead(one, known[:place])
                elif place in shadowed:
                    yield self.shadowed(one, known[:place], shadowed[place])

    def dead(self, one: _Known, earlier: list[_Known]) -> Problem:
        automata.spend(len(earlier))
        language = one.language
        witness = automata.shortest_word(language, self.alphabet) or ""
        number = next(n.number for n in earlier if n.language.accepts(witness, self.alphabet))
        text = (
            f"this alternative can never be chosen: all that it matches is matched before, "
            f"{ir.abnf_text(witness)} by alternative {number}"
        )
        return self.problem(one.part, "dead-alternative", text, witness)

    def shadowed(self, one: _Known, earlier: list[_Known], labels: tuple[int, ...]) -> Problem:
        witness = "".join(map(self.alphabet.sample, labels))
        number, taken = self.longest(earlier, witness)
        lower = witness.lower() if witness.isascii() else witness
        if lower != witness and self.is_shadowed(one, earlier, lower):
            witness = lower
            number, taken = self.longest(earlier, witness)
        text = (
            f"a first match never reaches {ir.abnf_text(witness)}: "
            f"alternative {number} takes {ir.abnf_text(taken or '')} of it"
        )
        return self.problem(one.part, "shadowed-alternative", text, witness)

    def is_shadowed(self, one: _Known, earlier: list[_Known], word: str) -> bool:
        """Return whether an alternative matches a word of which an earlier one takes a part."""
        return (
            one.language.accepts(word, self.alphabet)
            and not any(other.language.accepts(word, self.alphabet) for other in earlier)
            and self.longest(earlier, word)[1] is not None
        )

    def longest(self, earlier: list[_Known], word: str) -> tuple[int, str | None]:
        """Return the earlier alternative that takes most of a word, the first of several."""
        automata.spend(len(earlier) * (len(word) + 1))
        for length in range(len(word) - 1, -1, -1):
            for one in earlier:
                if one.language.accepts(word[:length], self.alphabet):
                    return one.number, word[:length]
        return earlier[0].number, None

    def problem(self, part: Part, code: str, text: str, witness: str) -> Problem:
        return Problem(self.subject.source, part.position, code, text, "warning", witness)


def lint_source(
    source: Source,
    imports: tuple[ir.RuleSet, ...],
    starts: Sequence[str] = (),
    *,
    first_match: bool = False,
    extra: Collection[str] = (),
) -> list[Problem]:
    """Return the problems of a text, of one file or of several that belong together.

    The core rules are the last of the ``imports``. With ``first_match`` alternatives are looked for
    that a parser never reaches if it keeps the first one that matches, with "ambiguity" among
    the ``extra`` ones for two that match the same text, with "unused" for rules that no other
    refers to, with the name of a tool for what it refuses. Raises :class:`InputError`
    for a start that the text does not define.
    """
    outline = Outline()
    origin = origin_of(source, imports)
    cited = cited_grammars(source.text)
    grammar, found = load(source, origin, imports, outline=outline, cited=cited)
    if not has_errors(found):
        starts = find_rules(grammar, starts, "--start")
    if grammar.own:
        subject = Subject(source, grammar, outline, imports[-1])
        starts = tuple(start for start in starts if start in grammar.rules)
        found += structure_problems(subject, starts)
        if not has_errors(found):
            found += ambiguities(subject, starts)
        ambiguity = "ambiguity" in extra
        if first_match or ambiguity:
            found += choice_problems(subject, first_match=first_match, ambiguity=ambiguity)
        if "unused" in extra:
            found += unused_problems(source, grammar)
        for tool in filter(extra.__contains__, TOOLS):
            found += refusals(source, grammar, imports[-1], tool)
    found += line_problems(source)
    return sorted(found, key=lambda problem: (problem.position.line, problem.position.column))


CODES = (
    *("ambiguous", "blank-line", "code-point", "computed", "core-rule"),
    *("dead-alternative", "duplicate", "empty", "empty-repetition", "encoding"),
    *("endless", "example", "last-line", "left-recursion", "lenient", "no-base"),
    *("prose", "range", "read-once", "refused", "repeat", "repeated-rule"),
    *("second-reader", "shadowed-alternative", "surrogate", "syntax", "too-large"),
    *("undefined", "unreachable", "unused"),
)
"""The codes of problems; errors among them cannot be left out."""


def without(problems: Iterable[Problem], codes: Iterable[str]) -> list[Problem]:
    """Leave out the warnings of some codes; raises :class:`InputError` for a code there is not."""
    ignored = set(codes)
    for code in ignored.difference(CODES):
        raise InputError(f"{code}: there is no such problem{meant(code, CODES)}")
    return [one for one in problems if one.severity == "error" or one.code not in ignored]


# What other tools refuse in a grammar that is right: measured with abnf 2.9, apg-js 4.4, bap 1.4.
#
# All three end a rule at a line that begins in the first column, as RFC 5234 does: what goes on
# with a rule begins with a space.


TOOLS = ("abnf", "apg-js", "bap")  # the tools that are known
MAX_BAP = 0xFF  # characters beyond it are cut off


def line_problems(source: Source) -> Iterator[Problem]:
    """Report lines inside rules that begin in the first column: empty ones, and comments."""
    for chunk in chunks(replace(source, lenient=False)):
        text = source.text[chunk.offset : chunk.offset + len(chunk.text)]
        first = source.position(chunk.offset).line
        for number, line in enumerate(text.split("\n")[1:], first + 1):
            if line[:1] not in (" ", "\t"):
                what = "a comment in the first column" if line.strip() else "an empty line"
                told = f"{what} inside a rule: RFC 5234 and most tools end the rule here"
                yield Problem(source, ir.Position(number, 1), "blank-line", told, "warning")


def last_line_problems(source: Source) -> Iterator[Problem]:
    """Report a last line without its end, which RFC 5234 asks for; bap refuses it."""
    if source.text and source.text[-1] not in "\r\n":
        here = source.position(len(source.text))
        yield Problem(source, here, "last-line", "the last line has no line end", "warning")


def unused_problems(source: Source, grammar: ir.RuleSet) -> Iterator[Problem]:
    """Report the rules, except the first, that no other one refers to."""
    used = {
        ref.name for rule in grammar.rules.values() for ref in ir.references(rule.body)
        if ref.name != rule.name
    }  # fmt: skip
    for name in grammar.own[1:]:
        if name not in used:
            text = f'no other rule refers to "{name}"'
            yield Problem(source, grammar.rules[name].position, "unused", text, "warning")


def refusals(source: Source, grammar: ir.RuleSet, core: ir.RuleSet, tool: str) -> Iterator[Problem]:
    """Report what a tool would refuse; raises KeyError for one that is not known."""
    own = [grammar.rules[name] for name in grammar.own]
    core_names = {name.casefold() for name in core.rules}

    def problem(here: ir.Position, text: str) -> Problem:
        return Problem(source, here, "refused", f"{tool} {text}", "warning")

    if tool != "bap":
        for number, line in enumerate(source.text.split("\n"), 1):
            beyond = next((place for place, char in enumerate(line) if not char.isascii()), None)
            if beyond is not None:
                yield problem(ir.Position(number, beyond + 1), "refuses characters beyond ASCII")
        for rule in own:
            if rule.position.column > 1:
                yield problem(rule.position, "refuses rules that are indented")
    for rule in own:
        is_core = rule.name.casefold() in core_names
        if tool == "abnf" and is_core:
            yield problem(rule.position, "refuses the definition of a core rule")
        tokens = (
            one for made in chunks(Source("", rule.source)) for one in TOKEN.finditer(made.text)
        )
        if tool == "apg-js" and any(token.lastgroup == "prose" for token in tokens):
            yield problem(rule.position, "refuses prose in angle brackets")
        ends = [high for ranges in ir.char_sets([rule.body]) for _, high in ranges]
        if tool == "bap" and max(ends, default=0) > MAX_BAP:
            yield problem(rule.position, "reads characters beyond %xFF as %xFF")
    if tool == "apg-js":
        missing = [name for name, rule in grammar.rules.items() if rule.origin == core.name]
        missing = [name for name in missing if name not in grammar.own]
        if missing:
            text = f"asks for core rules to be defined: {', '.join(missing)}"
            yield problem(own[0].position, text)
