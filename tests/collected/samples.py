"""Short words of any grammar, recursive or not, and the same with one character wrong."""

from __future__ import annotations

from abnf2lark.ir import Alt, Chars, Ref, Rep, Seq, Text

ENDLESS = 10**6
LETTERS = ((0x61, 0x7A), (0x30, 0x39), (0x41, 0x5A))
WRONG = 'a0/:" ,\t\r\n)(\\%@\x00\u00e9'


class Sampler:
    """Derives words at random; ``room`` bounds how far a derivation goes its own way."""

    def __init__(self, grammar, random):
        self.grammar = grammar
        self.random = random
        self.least = {}
        grown = True
        while grown:
            grown = False
            for name, rule in grammar.rules.items():
                size = self.size(rule.body)
                if size < self.least.get(name, ENDLESS):
                    self.least[name] = size
                    grown = True

    def size(self, node):
        """Give the length of a shortest word."""
        match node:
            case Chars():
                return 1
            case Text(value):
                return len(value)
            case Ref(name):
                return self.least.get(name, ENDLESS)
            case Seq(items):
                return sum(map(self.size, items))
            case Alt(items):
                return min(map(self.size, items))
            case Rep(item, low, _):
                return low * self.size(item) if low else 0

    def word(self, rule, room=14):
        return self.derive(Ref(rule), room)

    def derive(self, node, room):
        match node:
            case Chars(ranges):
                low, high = self.random.choice(ranges)
                for first, last in LETTERS:
                    inside = any(start <= first and last <= end for start, end in ranges)
                    if inside and self.random.random() < 0.5:
                        low, high = first, last
                return chr(self.random.randint(low, high))
            case Text(value):
                return value
            case Ref(name):
                return self.derive(self.grammar.rules[name].body, room - 1)
            case Seq(items):
                share = room // max(1, len(items)) + (room > 4)
                return "".join(self.derive(item, share) for item in items)
            case Alt(items):
                item = self.random.choice(items) if room > 0 else min(items, key=self.size)
                return self.derive(item, room - 1)
            case Rep(item, low, high):
                most = low + 3 if high is None else min(high, low + 3)
                count = self.random.randint(low, most) if room > 0 else low
                return "".join(self.derive(item, room // max(1, count)) for _ in range(count))

    def spoiled(self, word):
        """Give three words that differ from one by a character."""
        place = self.random.randint(0, len(word))
        wrong = self.random.choice(WRONG)
        before, after = word[:place], word[place:]
        return [before + wrong + after, word[:-1], before + wrong + after[1:]]
