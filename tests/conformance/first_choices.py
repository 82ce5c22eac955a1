"""The choices of a first derivation by plain backtracking: a second opinion, for short texts."""

from collections.abc import Iterator, Mapping

Named = tuple[str, str, str, object, int]  # kind, component, rule, place, value


def first_choices(text, rule, expressions, components=frozenset()):
    """Give the choices of the first derivation of a text as a set; None if there is none."""
    judge = _Judge(text, expressions, components)
    ways = judge.ways(("ref", rule), 0, "", rule, ())
    return next((set(made) for end, made in ways if end == len(text)), None)


class _Judge:
    def __init__(self, text: str, expressions: Mapping, components) -> None:
        self.text = text
        self.expressions = expressions
        self.components = components

    def ways(self, expression, at, component, rule, way) -> Iterator[tuple[int, tuple]]:
        """Yield where an expression can end, preferred ways first, and what is chosen on each."""
        here = (component, rule)
        match expression:
            case ("chars", ranges):
                if at < len(self.text) and any(a <= ord(self.text[at]) <= b for a, b in ranges):
                    code = ord(self.text[at])
                    ends = {end for span in ranges for end in span}
                    made = ("range", *here, way, code)
                    yield at + 1, (made,) if code in ends and len(ends) > 1 else ()
            case ("text", value):
                if self.text.startswith(value, at):
                    yield at + len(value), ()
            case ("ref", name):
                inner = name if name in self.components else component
                for end, made in self.ways(self.expressions[name], at, inner, name, ()):
                    yield end, (("rule", inner, name, (), 0), *made)
            case ("alt", items):
                for number, item in enumerate(items):
                    for end, made in self.ways(item, at, *here, (*way, number)):
                        yield end, (("alternative", *here, way, number), *made)
            case ("seq", items):
                yield from self.sequence(items, 0, at, *here, way)
            case ("rep", item, low, high):
                for end, made, count in self.repeated(item, low, high, 0, at, *here, way):
                    if low == high:
                        yield end, made
                        continue
                    kind = "option" if (low, high) == (0, 1) else "repetition"
                    shown = min(count, low + 2) if high < 0 else count
                    told = high < 0 or shown in {low, low + 1, high - 1, high}
                    yield end, (*made, (kind, *here, way, shown)) if told else made

    def sequence(self, items, number, at, component, rule, way):
        if number == len(items):
            yield at, ()
            return
        for end, made in self.ways(items[number], at, component, rule, (*way, number)):
            for last, more in self.sequence(items, number + 1, end, component, rule, way):
                yield last, made + more

    def repeated(self, item, low, high, count, at, component, rule, way):
        if count != high:
            for end, made in self.ways(item, at, component, rule, (*way, 0)):
                if end == at and high < 0 and count >= low:
                    continue  # an endless repetition takes no empty turn
                after = self.repeated(item, low, high, count + 1, end, component, rule, way)
                for last, more, total in after:
                    yield last, made + more, total
        if count >= low:
            yield at, (), count
