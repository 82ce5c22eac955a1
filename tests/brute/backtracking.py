"""A judge of texts by any ABNF, which shares nothing with the compiler: it reads, and tries all.

Rules are read by recursive descent, and a text by following every way through a rule from every
place, each once. Rules that begin with themselves are read again until nothing new is found.
"""

import re
from collections import deque

from cases import documents

TOKEN = re.compile(
    r"""(?P<space>(?:[ \t\r\n]|;[^\n]*)+)
    |(?P<name>[A-Za-z][A-Za-z0-9-]*)
    |(?P<prose><[^>]*>)
    |%(?P<case>[si])?(?:(?P<base>[xdb])(?P<digits>[0-9A-Fa-f]+(?:-[0-9A-Fa-f]+|(?:\.[0-9A-Fa-f]+)*)))?
    |"(?P<text>[^"]*)"
    |(?P<counts>[0-9]*\*[0-9]*|[0-9]+)
    |(?P<mark>=/|[=/()\[\]])""",
    re.VERBOSE | re.IGNORECASE,
)
BASES = {"x": 16, "d": 10, "b": 2}
CORE = documents(__file__)["CORE"]


class Scope:
    """The rules of one text; what it does not define is of those that it imports, then the core."""

    def __init__(self, text, imports=(), defines=()):
        self.imports = imports
        self.prose = {" ".join(key.split()): value for key, value in dict(defines).items()}
        self.rules = {}
        for line in re.split(r"\n(?=[A-Za-z])", "\n" + text):
            if re.match(r"\n*[A-Za-z]", line):
                self.add(line)

    def add(self, line):
        tokens = tokenized(line.strip("\n"))
        (_, name), (_, sign) = tokens.popleft(), tokens.popleft()
        body = self.alternation(tokens)
        assert not tokens, tokens
        if sign == "=/":
            body = ("alt", [self.rules[name.casefold()], body])
        self.rules[name.casefold()] = body

    def alternation(self, tokens):
        items = [self.sequence(tokens)]
        while tokens and tokens[0] == ("mark", "/"):
            tokens.popleft()
            items.append(self.sequence(tokens))
        return ("alt", items)

    def sequence(self, tokens):
        items = []
        while tokens and tokens[0] not in (("mark", "/"), ("mark", ")"), ("mark", "]")):
            low, high = 1, 1
            if tokens[0][0] == "counts":
                first, star, last = tokens.popleft()[1].partition("*")
                low = int(first or 0)
                high = (int(last) if last else None) if star else low
            item = self.element(*tokens.popleft(), tokens)
            items.append(item if (low, high) == (1, 1) else ("rep", item, low, high))
        return ("seq", items)

    def element(self, kind, value, tokens):
        match kind, value:
            case "mark", "(" | "[":
                inner = self.alternation(tokens)
                assert tokens.popleft()[1] == ")]"["([".index(value)]
                return inner if value == "(" else ("rep", inner, 0, 1)
            case "name", _:
                return ("ref", self, value.casefold())
            case "prose", _:
                known = self.prose.get(" ".join(value[1:-1].split()))
                if known is not None:
                    return self.alternation(tokenized(known))
                return ("cited", self, re.match(r"<\s*([\w-]+)", value)[1].casefold())
            case "text", (text, sensitive):
                return ("text", text if sensitive else folded(text), sensitive)
            case "codes", (base, digits):
                numbers = [int(one, BASES[base]) for one in re.split(r"[.-]", digits)]
                if "-" in digits:
                    return ("range", *numbers)
                return ("text", "".join(map(chr, numbers)), True)
        raise AssertionError((kind, value))

    def body(self, name):
        """Give the body of a rule; None where there is none."""
        found = self.rules.get(name)
        for other in (
            () if found is not None else (*self.imports, *([] if self is ROOT else [ROOT]))
        ):
            found = other.body(name)
            if found is not None:
                break
        return found

    def cited(self, name):
        for other in self.imports:
            found = other.body(name)
            if found is not None:
                return found
        return self.body(name)


def folded(text):
    """Write ASCII letters small; no other letter has two cases in ABNF."""
    return "".join(char.lower() if char.isascii() else char for char in text)


def tokenized(line):
    found, place = deque(), 0
    while place < len(line):
        token = TOKEN.match(line, place)
        assert token, line[place:]
        place = token.end()
        if token["name"] or token["prose"] or token["counts"] or token["mark"]:
            found.append((token.lastgroup, token[0]))
        elif token["digits"]:
            found.append(("codes", (token["base"].lower(), token["digits"])))
        elif token["case"]:
            quoted = TOKEN.match(line, place)
            place = quoted.end()
            found.append(("text", (quoted["text"], token["case"].lower() == "s")))
        elif token["text"] is not None:
            found.append(("text", (token["text"], False)))
    return found


ROOT = Scope(CORE)


class Judge:
    """Judges one text by one rule; make one for each."""

    def __init__(self, text):
        self.text = text
        self.folded = folded(text)
        self.known = {}
        self.done = set()
        self.open = set()
        self.again = False

    def accepts(self, scope, name):
        """Tell whether the text is one of the rule's."""
        body = scope.body(name.casefold())
        while True:
            self.done, self.again, before = set(), False, sum(map(len, self.known.values()))
            found = self.rule(body, 0)
            after = sum(map(len, self.known.values()))
            if len(self.text) in found or not self.again or before == after:
                return len(self.text) in found

    def rule(self, body, start):
        """Give the places where a rule that begins at a place can end."""
        key = (id(body), start)
        if key in self.done:
            return self.known[key]
        if key in self.open:
            self.again = True
            return self.known.setdefault(key, set())
        self.open.add(key)
        found = self.ends(body, start)
        self.known[key] = self.known.get(key, set()) | found
        self.open.discard(key)
        self.done.add(key)
        return self.known[key]

    def ends(self, node, start):
        match node:
            case "range", low, high:
                inside = start < len(self.text) and low <= ord(self.text[start]) <= high
                return {start + 1} if inside else set()
            case "text", value, sensitive:
                there = (self.text if sensitive else self.folded)[start : start + len(value)]
                return {start + len(value)} if there == value else set()
            case "ref", scope, name:
                return self.rule(scope.body(name), start)
            case "cited", scope, name:
                return self.rule(scope.cited(name), start)
            case "alt", items:
                return set().union(*(self.ends(item, start) for item in items))
            case "seq", items:
                found = {start}
                for item in items:
                    found = set().union(*(self.ends(item, place) for place in found))
                return found
            case "rep", item, low, high:
                return self.repeated(item, low, high, start)
        raise AssertionError(node)

    def repeated(self, item, low, high, start):
        found, here, turns = set(), {start}, 0
        seen = set()
        while here and (high is None or turns <= high):
            if turns >= low:
                found |= here
                here = here - seen  # where a turn of the same place has been already
                seen |= here
            if turns == high:
                break
            here = set().union(*(self.ends(item, place) for place in here))
            turns += 1
        return found


def accepts(scope, rule, text):
    """Tell whether a text is one of a rule's."""
    return Judge(text).accepts(scope, rule)
