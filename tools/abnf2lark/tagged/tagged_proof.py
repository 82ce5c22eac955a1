"""Proof that a tagged automaton reads what the expression reads, and its tables."""

import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import replace

from abnf2lark.automata import Alphabet, Language
from abnf2lark.automata.language import shortest_ends
from abnf2lark.config import Bundle, Settings
from abnf2lark.ir import reachable
from abnf2lark.patterns.emit_pattern import group_name
from abnf2lark.patterns.proof import ProofError
from abnf2lark.patterns.rule_expression import make_matcher
from abnf2lark.tables.packing import Parts
from abnf2lark.tagged import automaton
from abnf2lark.tagged.format import FORMAT, TagTables, TagValues, over_octets, read, written

# Hold tables that were read back to the rule and to its matcher.
#
# That they accept the rule's language is proved, by automata. What they report of a text is held to
# what the matcher captures, for a text through every edge and every end of the automaton.


def prove_language(
    name: str, made: automaton.Tagged, languages: Mapping[str, Language], alphabet: Alphabet
) -> None:
    """Raise :class:`ProofError` unless tables accept from each start what its rule matches."""
    idle = automaton.IDLE
    rows = [{octet: step._replace(act=idle) for octet, step in row.items()} for row in made.rows]
    ends = [end and idle for end in made.ends]
    found = automaton.merged(automaton.Tagged(made.starts, rows, ends))
    wanted = automaton.Tagged()
    for rule in made.starts:
        shift = wanted.starts[rule] = len(wanted.rows)
        for state, row in enumerate(languages[rule].edges):
            steps = ((label, automaton.Step(goal + shift, idle)) for label, goal in row.items())
            wanted.rows.append(dict(steps))
            wanted.ends.append(idle if state in languages[rule].final else None)
    if automaton.merged(over_octets(wanted, alphabet)) != found:
        raise ProofError(f"the tagged automaton of {name} does not accept what its rules match")


def words(rows: list[automaton.Row], ends: list[bool], start: int) -> Iterator[bytes]:
    """Yield short texts of a state which take, together, every edge and every end after it."""
    after = shortest_ends(
        ([(bytes([octet]), target) for octet, target in _examples(row)] for row in rows),
        (state for state, ended in enumerate(ends) if ended),
        b"",
    )
    before: dict[int, bytes] = {start: b""}
    pending = deque([start])
    while pending:
        state = pending.popleft()
        if ends[state]:
            yield before[state]
        for octet, target in _examples(rows[state]):
            if target not in before:
                before[target] = before[state] + bytes([octet])
                pending.append(target)
            yield before[state] + bytes([octet]) + after[target]


def _examples(row: automaton.Row) -> Iterator[tuple[int, int]]:
    """Yield an octet, readable if there is one, of each edge that leads or acts in its own way."""
    taken: dict[automaton.Step, int] = {}
    for octet in sorted(row, key=lambda octet: (not chr(octet).isalnum(), octet)):
        taken.setdefault(row[octet], octet)
    for step, octet in taken.items():
        yield octet, step.target


class Held:
    """The matchers of rules, with which the reports of tables are compared."""

    def __init__(
        self, patterns: Mapping[str, str], settings: Settings, told: automaton.Layout
    ) -> None:
        self.patterns = {rule: re.compile(text) for rule, text in patterns.items()}
        self.settings = settings
        self.told = told
        self.groups: dict[str, tuple[str, str]] = {}
        for rule, entry in settings.fields.items():
            name, _, kind = entry.partition(":")
            self.groups[group_name(rule)] = name, kind
        captured = {group for one in self.patterns.values() for group in one.groupindex}
        self.silent = {self.groups[group][0] for group in self.groups.keys() - captured}

    def wanted(self, rules: tuple[str, ...], text: str) -> TagValues | None:
        """Return what the matchers say of a text: of the first of some rules that takes it."""
        told = self.told
        places: list[int | None] = [None] * told.tags
        values = [0] * len(told.constants)
        for rule in rules:
            match = self.patterns[rule].fullmatch(text)
            if match is None:
                continue
            values[0] = told.constants[0].index(self.settings.records[rule]) + 1
            for group in match.re.groupindex:
                begin, end = match.span(group)
                name, kind = self.groups[group]
                if begin >= 0 and kind:
                    constant = told.kinds[name]
                    values[constant] = told.constants[constant].index(kind) + 1
                    begin, end = self._around(group, text, begin, end)
                if begin >= 0:
                    number = 2 * told.fields.index(name)
                    places[number : number + 2] = _octets(text, begin), _octets(text, end)
            return TagValues(tuple(places), tuple(values))
        return None

    def _around(self, group: str, text: str, begin: int, end: int) -> tuple[int, int]:
        """Widen the span of a kind by what its field's rule puts around it."""
        owner = self.patterns[self.told.owners[self.groups[group][0]]]
        for wider in range(min(begin, len(text) - end) + 1):
            match = owner.fullmatch(text, begin - wider, end + wider)
            if match is not None and match.span(group) == (begin, end):
                return match.span()
        raise ProofError(f"the text of {group} stands alone: {text[begin:end]!r} in {text!r}")

    def agrees(self, rules: tuple[str, ...], text: str, found: TagValues | int) -> bool:
        """Return whether the matchers say the same of a text as the tables.

        Of what a rule without characters derives, which no group captures, they say nothing; nor
        do those without groups, of rules in which something would be captured twice.
        """
        wanted = self.wanted(rules, text)
        if wanted is None or isinstance(found, int):
            return wanted is None and isinstance(found, int)
        if not any(self.patterns[rule].groupindex for rule in rules):
            return found.values[0] == wanted.values[0]
        pairs = zip(self.told.fields, found.spans(), wanted.spans(), strict=True)
        return found.values == wanted.values and all(
            ours == theirs
            or (theirs is None and ours is not None and ours[0] == ours[1] and name in self.silent)
            for name, ours, theirs in pairs
        )


def _octets(text: str, offset: int) -> int:
    return len(text[:offset].encode())


def prove_told(
    tables: TagTables, made: automaton.Tagged, rules: Mapping[str, tuple[str, ...]], held: Held
) -> None:
    """Raise :class:`ProofError` for a text that tables report otherwise than the matcher."""
    ended = [end is not None for end in made.ends]
    for rule, start in made.starts.items():
        for word in words(made.rows, ended, start):
            found = tables.run(start, word)
            text = word.decode()
            if not held.agrees(rules[rule], text, found):
                other = held.wanted(rules[rule], text)
                raise ProofError(f"{rule}: for {text!r} tables report {found}, not {other}")


_RECORD = "Leaves"  # what becomes of a rule that is tagged though it yields no record


def of_leaves(bundle: Bundle, languages: Mapping[str, Language], alphabet: Alphabet) -> Settings:
    """Return settings by which the leaves that tagged rules capture are the fields of a record."""
    grammar, settings = bundle.grammar, bundle.settings
    leaves = {name: name for name in settings.leaves if languages[name].without_empty()}
    made = [make_matcher(grammar, rule, leaves, alphabet) for rule in settings.tagged]
    captured = {name for matcher in made for name in matcher.captures}
    fields = {name: name for name in leaves if name in captured}
    return replace(settings, records=dict.fromkeys(settings.tagged, _RECORD), fields=fields)


def tagged_content(bundle: Bundle, languages: Mapping[str, Language], alphabet: Alphabet) -> bytes:
    """Return the section ``tagged``, with tables that were read back and proved.

    One automaton for all rules that yield records, or are named for it, over the octets of UTF-8.
    It begins in ``starts[rule]``; it notes where each of ``fields`` begins and ends, and sets
    constants to the number, from 1, of a value in ``constants``: the first is the class of the
    record, ``kinds[field]`` is the number of the one that says of what kind a field is. ``tables``
    is laid out as :mod:`abnf2lark.tagged.format` says.

    Raises :class:`AmbiguousTagsError`, :class:`ProofError` or :class:`OverflowError`.
    """
    grammar, settings = bundle.grammar, bundle.settings
    if not settings.records:
        settings = of_leaves(bundle, languages, alphabet)
    told = automaton.layout(grammar, settings)
    rules = automaton.choices(grammar, told.marks)
    own = Alphabet(grammar.rules[name].body for name in reachable(grammar, rules))
    made = automaton.merged(over_octets(automaton.tagged(grammar, own, told, tuple(rules)), own))
    data = written(made, told)
    tables = read(data)
    again = tables.automaton(made.starts)
    prove_language(grammar.name, again, languages, alphabet)
    captured = {name: name for name in settings.fields if languages[name].without_empty()}
    names = (*told.marks, *told.owners.values())
    patterns = {name: make_matcher(grammar, name, captured, alphabet).pattern for name in names}
    prove_told(tables, again, rules, Held(patterns, settings, told))
    parts = Parts()
    parts.numbers("format", [FORMAT])
    parts.words("fields", told.fields)
    parts.word_lists("constants", told.constants)
    parts.mapping("kinds", told.kinds)
    parts.mapping("starts", made.starts)
    parts.octets("tables", data)
    return parts.content
