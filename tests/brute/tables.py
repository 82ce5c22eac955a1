"""Tables of small grammars, as proofs look at them."""

from abnf2lark.automata import Alphabet, Language
from abnf2lark.lark_grammars.component_rules import LexedGrammar, Plan, terminal_languages
from abnf2lark.lark_grammars.lalr_tables import Actions
from abnf2lark.lark_grammars.readings import Replacements
from abnf2lark.lark_grammars.recursive_grammar import recursive_components


class Table:
    """All actions of a grammar, of which every rule is a node unless ``inlined`` holds it."""

    def __init__(self, grammar, start="s", inlined=()):
        nodes = frozenset(grammar.rules) - {*inlined}
        self.components = recursive_components(Plan(grammar, (start,), nodes))
        terminals = self.components.terminals.values()
        self.alphabet = Alphabet(terminal.node for terminal in terminals)
        self.languages = terminal_languages(self.components, self.alphabet)
        starts = list(self.components.starts.values())
        self.actions = Actions(LexedGrammar(self.components).text(), starts)
        self.replacements = Replacements(self.actions, self.languages, self.alphabet)
        self.readings = self.replacements.readings
        self.anything = Language.everything(self.alphabet.size)

    @property
    def start(self):
        """The reading in which a text begins."""
        return (self.actions.starts[0],), self.readings.rests.done

    def behind(self, *tokens):
        """Give the one state that tokens lead to from the beginning, by shifts alone."""
        state = self.actions.starts[0]
        for token in tokens:
            state = self.actions.shifts[state][token]
        return state

    def labels(self, text):
        """Give the classes of the characters of a text; ``None`` where one has none."""
        return [self.alphabet.class_of(char) for char in text]

    def reduction(self, state, token, name):
        """Give the one reduction to a rule."""
        [found] = [one for one in self.actions.reductions[state][token] if one.name == name]
        return found
