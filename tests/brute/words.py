"""All short words of an expression, found without any automaton."""

from itertools import product

from abnf2lark.ir import Alt, Capture, Chars, Ref, Rep, Seq, Text


def all_words(letters, limit):
    """Give every word over the letters up to a length, shortest first."""
    return [
        "".join(word) for length in range(limit + 1) for word in product(letters, repeat=length)
    ]


def words(node, letters, limit, rules=None):
    """Give the set of the words of an expression over the letters up to a length."""
    return _once(node, letters, limit, rule_words(rules or {}, letters, limit))


def rule_words(rules, letters, limit):
    """Give the words of each rule, recursive or not, by deriving until nothing new comes."""
    known = dict.fromkeys(rules, frozenset())
    grown = True
    while grown:
        grown = False
        for name, rule in rules.items():
            found = _once(rule.body, letters, limit, known)
            grown = grown or found != known[name]
            known[name] = found
    return known


def _once(node, letters, limit, known):
    """Give the words of an expression where what rules derive is known."""

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
                return known[name]
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
