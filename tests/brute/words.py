"""All short words of an expression, found without any automaton."""

from itertools import product

from abnf2lark.reading.ir import Alt, Capture, Chars, Ref, Rep, Seq, Text


def all_words(letters, limit):
    """Give every word over the letters up to a length, shortest first."""
    return [
        "".join(word) for length in range(limit + 1) for word in product(letters, repeat=length)
    ]


def words(node, letters, limit, rules=None):
    """Give the set of the words of an expression over the letters up to a length."""
    rules = {} if rules is None else rules

    def joined(left, right):
        return frozenset(a + b for a in left for b in right if len(a) + len(b) <= limit)

    def find(node):
        match node:
            case Chars():
                return frozenset(letter for letter in letters if limit and ord(letter) in node)
            case Text(value):
                return frozenset(
                    {value} if len(value) <= limit and set(value) <= set(letters) else ()
                )
            case Ref(name):
                return find(rules[name].body)
            case Alt(items):
                return frozenset().union(*map(find, items))
            case Seq(items):
                found = frozenset({""})
                for item in items:
                    found = joined(found, find(item))
                return found
            case Capture(_, item):
                return find(item)
            case Rep(item, low, high):
                once, found = find(item), frozenset({""})
                for _ in range(low):
                    found = joined(found, once)
                turns = 0
                while high is None or low + turns < high:
                    more = found | joined(found, once)
                    if more == found:
                        break
                    found, turns = more, turns + 1
                return found

    return find(node)
