"""What can follow a text by the backtracking judge: every way through a rule that reaches its end.

It shares nothing with the compiler. A character is what can follow where some way asks for it at
the end of the text, and the rules of the grammars here all end in some text.
"""

from string import ascii_lowercase

from .backtracking import Judge


class Frontier(Judge):
    """Judges a text, and keeps what each way would read at its end; make one for each text."""

    def __init__(self, text):
        super().__init__(text)
        self.wanted = set()

    def accepts(self, scope, name):
        """Tell whether the text is one of the rule's; go on as long as more ways are found."""
        body, before, found = scope.body(name.casefold()), -1, set()
        while before < (known := sum(map(len, self.known.values()))):
            self.done, before = set(), known
            found = self.rule(body, 0)
        return len(self.text) in found

    def ends(self, node, start):
        match node:
            case "range", low, high if start == len(self.text):
                self.wanted.add((low, high))
            case "text", value, sensitive if value:
                there = (self.text if sensitive else self.folded)[start:]
                if len(there) < len(value) and value.startswith(there):
                    code = ord(value[len(there)])
                    self.wanted.add((code, code))
                    if not sensitive and value[len(there)] in ascii_lowercase:
                        self.wanted.add((code - 32, code - 32))
        return super().ends(node, start)


def follows(scope, rule, text):
    """Return the characters that can follow a text, as ranges, and whether it may end there.

    Ranges are sorted, disjoint, and do not touch. Halves of surrogate pairs are not characters.
    """
    judge = Frontier(text)
    may_end = judge.accepts(scope, rule)
    before = {(low, min(high, 0xD7FF)) for low, high in judge.wanted if low < 0xD800}
    behind = {(max(low, 0xE000), high) for low, high in judge.wanted if high > 0xDFFF}
    return joined(before | behind), may_end


def joined(ranges):
    """Put ranges together that overlap or touch."""
    found = []
    for low, high in sorted(ranges):
        if found and low <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(high, found[-1][1]))
        else:
            found.append((low, high))
    return found
