"""The positions of rules as a network: what can be read at each, and the next ones."""

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from threading import Lock
from typing import Final, Literal, TypeAlias

from abnf2lark import ir
from abnf2lark.problems import AbnfError
from abnf2lark.reading.large_parts import large_part, lengths
from abnf2lark.reading.positions import Unfolding
from abnf2lark.reading.recursion import innermost_first


class LimitError(AbnfError):
    """A grammar or a text is too large to be read; the message says what, and what to do."""


# How many positions rules have, and which rules are called rather than inlined.

MAX_INSIDE: Final = 16_000  # positions of a network in which all other rules are inlined
SOME: Final = 500  # positions of a rule that is inlined in a network that calls others
FEW: Final = 20  # positions of a rule that is inlined in the network of a larger one
MAX_DEPTH: Final = 30  # nested rules in one network: each takes up to five frames of Python's stack


class NetworkSizes:
    """The sizes of the rules of a grammar that can be inlined: all but those to be called."""

    def __init__(self, grammar: ir.RuleSet, called: AbstractSet[str] = frozenset()) -> None:
        self._sizes: dict[str, int] = {}
        self._depths: dict[str, int] = {}
        for name in innermost_first(grammar):
            body = grammar.rules[name].body
            inside = {ref.name for ref in ir.references(body)}
            if name in called or not all(self.is_inlined(one, MAX_INSIDE) for one in inside):
                continue
            size = self.positions(body, MAX_INSIDE) + 2
            depth = max((self._depths[one] for one in inside), default=0) + 1
            if size <= MAX_INSIDE and depth <= MAX_DEPTH:
                self._sizes[name], self._depths[name] = size, depth

    def is_inlined(self, name: str, limit: int) -> bool:
        """Return whether a rule is inlined in networks with this limit of positions."""
        return name in self._sizes and self._sizes[name] <= limit

    def limit(self, body: ir.Node) -> int:
        """Return how many positions a rule may have to be inlined in the network of ``body``."""
        if self.positions(body, MAX_INSIDE) <= MAX_INSIDE and all(
            self.is_inlined(ref.name, MAX_INSIDE) for ref in ir.references(body)
        ):
            return MAX_INSIDE
        return SOME if self.positions(body, SOME) <= MAX_INSIDE else FEW

    def positions(self, node: ir.Node, limit: int) -> int:
        """Count the positions of an expression."""
        match node:
            case ir.Text(value):
                return len(value)
            case ir.Ref(name):
                return self._sizes[name] if self.is_inlined(name, limit) else 1
            case ir.Rep(item):
                once = self.positions(item, limit)
                return _times(node) * (2 if _is_large(once, node) else once + 1)
            case _:
                return 1 + sum(self.positions(part, limit) for part in ir.children(node))


def _is_large(once: int, node: ir.Rep) -> bool:
    return once > FEW and once * _times(node) > MAX_INSIDE


def _times(node: ir.Rep) -> int:
    return node.low + 1 if node.high is None else max(node.high, 1)


# The positions of rules: what can be read at each, and what comes next.
#
# A rule is inlined in the network of another one unless it is recursive or too large; then it is
# called there, and has a network of its own. So all networks together are about as large as the
# grammar.

MAX_POSITIONS: Final = 400_000  # positions of all networks that are in use; about 200 MB
Item: TypeAlias = tuple[int, int]  # a position, and how many of the rules around it are begun
Kind: TypeAlias = Literal["read", "call", "choice", "enter", "leave", "end"]


@dataclass(eq=False)
class Network(Unfolding["tuple[str, ...]"]):
    """The positions of one rule; the first is its end.

    rule: its name; for a called part of a rule a name that no rule can have.
    owner: the networks of the grammar.
    limit: how many positions a rule may have to be inlined here, and not called.
    kinds: the action at each position.
    names: the rule that is called, entered or left there.
    paths: the rules around it, outermost first, but for the network's own.
    start: the first one that is reached.
    """

    rule: str
    owner: "States"
    limit: int
    kinds: list[Kind] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    start: int = 0

    def add(self, kind: Kind, path: tuple[str, ...], following: list[int], name: str = "") -> int:
        """Add a position that reads nothing; return its number."""
        found = self.position(following, path)
        self.kinds[found], self.names[found] = kind, name
        return found

    def position(
        self, ways: list[int], around: tuple[str, ...], chars: ir.Chars | None = None
    ) -> int:
        """Add a position that reads one of some characters, or a choice without them."""
        self.kinds.append("choice" if chars is None else "read")
        self.names.append("")
        return super().position(ways, around, chars)

    def stops(self, position: int) -> bool:
        """Return whether something is read or called at a position, or it is the end."""
        return self.kinds[position] in ("read", "call", "end")

    def behind(self, position: int) -> list[Item]:
        """Return the positions after one, within the rules around it."""
        depth = len(self.paths[position])
        return [(target, depth) for target in self.following[position]]

    def after(self, items: Iterable[Item]) -> tuple[Item, ...]:
        """Follow the steps that read nothing, with how many of the rules around are begun."""
        return (*self.closed(items, lambda at, depth: min(depth, len(self.paths[at]))),)

    def rule_at(self, name: str, after: int, path: tuple[str, ...]) -> int:
        """Add a call of a rule, or inline it."""
        if not self.owner.sizes.is_inlined(name, self.limit):
            return self.add("call", path, [after], name)
        leave = self.add("leave", path, [after], name)
        body = self.owner.grammar.rules[name].body
        return self.add("enter", path, [self.unfold(body, leave, (*path, name))], name)

    def repeat(self, node: ir.Rep, after: int, path: tuple[str, ...]) -> int:
        """Add a repetition; its element is called if so many copies are too large."""
        if _is_large(self.owner.sizes.positions(node.item, self.limit), node):
            called = self.owner.part(self.rule, node.item, path)
            node = ir.Rep(ir.Ref(called), node.low, node.high)
        return super().repeat(node, after, path)


def spelled(chars: ir.Chars) -> str:
    """Write a set as ABNF does: a literal, or ranges in order."""
    letters = {chr(low).lower() for low, high in chars.ranges if low == high}
    if len(letters) == 1 and all(low == high for low, high in chars.ranges):
        return ir.abnf_text(letters.pop())
    return " / ".join(
        f"%x{low:02X}" if low == high else f"%x{low:02X}-{high:02X}" for low, high in chars.ranges
    )


MAX_KEPT: Final = 1_000_000  # positions of the states that are kept; about 200 MB


class State:
    """A set of positions of one network, made when it is first reached."""

    __slots__ = ("_calls", "_moves", "ends", "items", "network", "owner")

    def __init__(self, owner: "States", network: Network, items: tuple[Item, ...]) -> None:
        self.owner = owner
        self.network = network
        self.items = items
        self.ends = any(network.kinds[position] == "end" for position, _ in items)
        self._moves: dict[int, State | None] = {}
        self._calls: tuple[tuple[str, State], ...] | None = None

    @property
    def calls(self) -> "tuple[tuple[str, State], ...]":
        """The rules called here, each with the state after it."""
        if self._calls is None:
            network, called = self.network, dict[str, list[Item]]()
            for position, _ in self.items:
                if network.kinds[position] == "call":
                    called.setdefault(network.names[position], []).extend(network.behind(position))
            after = (self.owner.state(network, behind) for behind in called.values())
            self._calls = (*zip(called, after, strict=True),)
        return self._calls

    def after(self, cell: int) -> "State | None":
        """Return the state after a character of a cell; ``None`` if it is not read here."""
        if cell not in self._moves:
            network, code = self.network, self.owner.code(cell) if cell else -1
            behind: list[Item] = []
            for position in dict.fromkeys(position for position, _ in self.items):
                if code in (network.characters[position] or ()):
                    behind += network.behind(position)
            self._moves[cell] = self.owner.state(network, behind) if behind else None
        return self._moves[cell]

    @property
    def rule(self) -> str:
        """The rule of the network, or the rule whose part it is."""
        return self.network.rule.partition(" ")[0]

    def expected(self, whose: str, others: Sequence[ir.Chars]) -> Iterator[tuple[str, str, str]]:
        """Yield each expected word, the rule that expects it, and the rule that is called for it.

        ``whose`` expects what is not in an inner rule in progress. The rest of a string is omitted
        if its next character is in ``others``.
        """
        network, small, blank = self.network, self.owner.small, self.owner.blank
        anew = self._begins_anew()
        for position, begun in self.items:
            path = network.paths[position]
            if not anew.isdisjoint(path[:begun]):  # more of a blank is not reported
                begun = next(place for place, one in enumerate(path) if one in anew)  # noqa: PLW2901
            rule = path[begun - 1] if begun else whose
            fresh = next((one for one in path[begun:] if one in small or one in blank), "")
            chars = network.characters[position]
            if chars is not None:
                inside = bool(chars.literal and chars.literal.place)
                if inside and all(any(low in one for one in others) for low, _ in chars.ranges):
                    continue
                single = chars.size() == 1  # a letter in one case alone is the string that it is
                word = ir.spelled(chars) if single else spelled(chars)
                word = chars.literal.rest if chars.literal else word
                yield fresh or word, rule, ""
            elif network.kinds[position] == "call":
                name = network.names[position]
                fresh = fresh or (name if name in small or name in blank else "")
                yield fresh, rule, "" if fresh else name

    def _begins_anew(self) -> AbstractSet[str]:
        """Return the rules of blanks in progress that can continue as they can begin."""
        inside: dict[str, set[int]] = {}
        for position, begun in self.items:
            for rule in self.owner.blank.intersection(self.network.paths[position][:begun]):
                inside.setdefault(rule, set()).update(self.owner.codes(self.network, position))
        return {rule for rule, codes in inside.items() if self.owner.first(rule) <= codes}

    def characters(self) -> Iterator[ir.Chars]:
        """Yield the sets that are read here; called rules have their own states."""
        for position, _ in self.items:
            chars = self.network.characters[position]
            if chars is not None:
                yield chars


class States:
    """The states of the rules of a grammar; ``names`` are those of all rules.

    called: rules that are called wherever they are: for trees, of which one is to be told from
        others by what called rules take.
    """

    def __init__(self, grammar: ir.RuleSet, called: AbstractSet[str] = frozenset()) -> None:
        self.grammar = grammar
        self.names = frozenset(grammar.rules)
        self.sizes = NetworkSizes(grammar, called)
        self._room = MAX_POSITIONS
        self._made: dict[str, Network] = {}
        self.parts: dict[str, tuple[ir.Node, tuple[str, ...]]] = {}
        self._refused: dict[str, str] = {}
        self.small = _small_rules(grammar)
        self.blank = ir.blank_rules(grammar)
        sets = ir.char_sets(rule.body for rule in grammar.rules.values())
        # The sorted bounds of all sets of characters; a cell is the range between two of them.
        ends = (end for spans in sets for low, high in spans for end in (low, high + 1))
        self.cuts = sorted({0, *ends})
        self._known: dict[tuple[str, tuple[Item, ...]], State] = {}
        self._kept = 0
        self.lock = Lock()
        """Held while a text is read: threads could give one number to two states."""
        self.reader: object = None
        """The engine and tables for these states."""

    def network(self, name: str) -> Network:
        """Return the network of a rule or a part; :class:`LimitError` if it is too large."""
        found = self._made.get(name)
        if found is None:
            if name in self._refused:
                raise LimitError(self._refused[name])
            body, path = self.parts.get(name) or (self.grammar.rules[name].body, ())
            # With little room left, fewer rules are inlined.
            spread = self.sizes.limit(body) if self._room > MAX_POSITIONS // 2 else FEW
            needed = self.sizes.positions(body, spread)
            if needed > self._room:
                rule = name.partition(" ")[0]
                self._refused[name] = (  # which takes long to find out
                    f"{rule} has more places for characters than can be kept in mind, "
                    f"{MAX_POSITIONS:,}: {large_part(self.grammar, rule)}"
                )
                raise LimitError(self._refused[name])
            self._room -= needed
            found = self._made[name] = Network(name, self, spread)
            end = found.add("end", path, [])
            found.start = found.unfold(body, end, path)
        return found

    def part(self, rule: str, node: ir.Node, path: tuple[str, ...]) -> str:
        """Return a name for a part of a rule, which has a network of its own."""
        name = f"{rule} {len(self.parts)}"
        self.parts[name] = node, path
        return name

    def codes(self, network: Network, position: int) -> set[int]:
        """Return the code points that are read at a position of a rule of blanks."""
        chars = network.characters[position]
        spans = () if chars is None else chars.ranges
        return {code for low, high in spans for code in range(low, high + 1)}

    def first(self, rule: str) -> set[int]:
        """Return the code points with which texts of a rule of blanks begin."""
        state = self.start(rule)
        return {code for at, _ in state.items for code in self.codes(state.network, at)}

    @ir.memoized
    def start(self, rule: str) -> State:
        """Return the state in which a rule begins; raises :class:`LimitError`."""
        network = self.network(rule)
        return self.state(network, [(network.start, 0)])

    def tidy(self) -> None:
        """Discard the states if they have become many; those in use stay."""
        if self._kept > MAX_KEPT:
            self._known.clear()
            vars(self).pop("start", None)
            self._kept = 0
            self.reader = None

    def code(self, cell: int) -> int:
        """Return one of the characters of a cell."""
        return self.cuts[cell - 1]

    def keep(self, positions: int) -> None:
        """Count memory, in positions."""
        self._kept += positions

    def state(self, network: Network, begun: Iterable[Item]) -> State:
        """Return the state of positions, and of those that are reached without reading."""
        items = network.after(begun)
        key = network.rule, items
        found = self._known.get(key)
        if found is None:
            self._kept += len(items) + 10
            found = self._known[key] = State(self, network, items)
        return found


_LONG: Final = 4  # characters: more than a character or its escape


def _small_rules(grammar: ir.RuleSet) -> frozenset[str]:
    """Return the rules of one to three characters, except single characters to be shown."""
    bodies = {name: rule.body for name, rule in grammar.rules.items()}
    words = {name: spelled(one) for name, one in bodies.items() if isinstance(one, ir.Chars)}
    shown = {name for name, word in words.items() if word.startswith('"') and word != '" "'}
    small = {name for name, (low, high) in lengths(grammar).items() if low and high < _LONG}
    return frozenset(small - shown)
