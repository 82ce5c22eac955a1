"""What an RFC requires of the URIs of its scheme beside its ABNF, as rows of a table.

A record class lists its rows in `CONSTRAINTS`; each names the section that states it. They are
checked after the grammar, in the order of the list, and the first that is broken is the error. An
ABNF often ends a list of known parameters with a general one, which also takes the known ones where
they are malformed, repeated or in the wrong place: most rows are about that.

>>> from uriparse.schemes import parse_url
>>> parse_url("geo:1,2;u=1;u=2")
Traceback (most recent call last):
uriparse.errors.SchemeError: geo URL, parameters: "u" is given twice (RFC 5870 section 3.3); at \
offset 12, found "u"; help: leave one of them out
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Protocol, TypeAlias

from uriparse.errors import excerpt
from uriparse.grammar.matchers import fullmatch
from uriparse.schemes.encoding import Encoded, octet_offset

__all__ = ["Constraint", "apart", "in_utf8", "once", "ordered", "together", "valued", "within"]


class Breach(NamedTuple):
    """How a URL breaks a constraint: a name in `CAUSES`, a field, its span, and more facts."""

    cause: str
    component: str
    span: tuple[int, int]
    facts: dict[str, str]


class Checked(Protocol):
    """A record as constraints see it: its fields by name, and what is required of them."""

    CONSTRAINTS: ClassVar[tuple[Constraint, ...]]


Check: TypeAlias = "Callable[[Checked], Breach | None]"
"""Finds the first breach of a constraint in a URL that the grammar of its scheme matches."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """A requirement of an RFC about the URIs of a scheme, which its ABNF does not express.

    section: where it is stated: `"RFC 5870 section 3.3"`.
    check: what finds a breach of it.
    """

    section: str
    check: Check


Pair: TypeAlias = "tuple[Encoded, Encoded | None]"


def once(section: str, *names: str, field: str = "parameters") -> Constraint:
    """Require that a name occurs at most once; any name if none are given."""

    def check(url: Checked) -> Breach | None:
        seen = set()
        for key, pair in _pairs(url, field):
            if key in seen and (not names or key in names):
                return Breach("repeated", field, _span(pair), {"name": excerpt.quoted(key)})
            seen.add(key)
        return None

    return Constraint(section, check)


def ordered(
    section: str, *first: str, sorted_rest: bool = False, field: str = "parameters"
) -> Constraint:
    """Require that some names come before all others, in this order.

    first: names, or several for one place, as `"ext|isub"`.
    sorted_rest: whether the other names are in the order of their letters.
    """
    places = {name: place for place, names in enumerate(first) for name in names.split("|")}

    def check(url: Checked) -> Breach | None:
        before, last = (0, ""), ""
        for key, pair in _pairs(url, field):
            place = places.get(key, len(first))
            here = (place, key if sorted_rest and place == len(first) else "")
            if here < before:
                facts = {"name": excerpt.quoted(key), "other": excerpt.quoted(last)}
                return Breach("misplaced", field, _span(pair), facts)
            before, last = here, key
        return None

    return Constraint(section, check)


def valued(
    section: str,
    name: str,
    rule: str | None,
    grammar: str,
    *,
    whole: bool = False,
    field: str = "parameters",
) -> Constraint:
    """Require that the value of a parameter fits an ABNF rule; None forbids a value and its "=".

    whole: whether the rule is that of the parameter, with ";" and name, and not that of its value.
    """

    def check(url: Checked) -> Breach | None:
        for key, pair in _pairs(url, field):
            if key != name:
                continue
            if rule is None:
                fits = pair[1] is None
            else:
                text = f";{_text(pair)}" if whole else pair[1] or ""
                fits = fullmatch(rule, grammar)(text) is not None
            if not fits:
                facts = {"given": excerpt.quoted(_text(pair)), "needed": rule or f"{name}-param"}
                return Breach("bad-parameter", field, _span(pair), facts)
        return None

    return Constraint(section, check)


def apart(section: str, *names: str, field: str = "parameters") -> Constraint:
    """Require that at most one of some names occurs."""

    def check(url: Checked) -> Breach | None:
        found = [(key, pair) for key, pair in _pairs(url, field) if key in names]
        for key, pair in found:
            if key != found[0][0]:
                facts = {"name": excerpt.quoted(found[0][0]), "other": excerpt.quoted(key)}
                return Breach("exclusive", field, _span(pair), facts)
        return None

    return Constraint(section, check)


def together(section: str, name: str, needed: str, *, field: str = "parameters") -> Constraint:
    """Require that one name occurs only where another does."""

    def check(url: Checked) -> Breach | None:
        pairs = dict(_pairs(url, field))
        if name not in pairs or needed in pairs:
            return None
        facts = {"name": excerpt.quoted(name), "other": excerpt.quoted(needed)}
        return Breach("lonely", field, _span(pairs[name]), facts)

    return Constraint(section, check)


def required(section: str, name: str, *, where: tuple[str, str] | None = None) -> Constraint:
    """Require a parameter; `where`: only if a field has a value, in any letter case."""

    def check(url: Checked) -> Breach | None:
        if where is not None and getattr(url, where[0]).lower() != where[1]:
            return None
        if any(key == name for key, _ in _pairs(url, "parameters")):
            return None
        end = len(str(url))
        return Breach("missing-parameter", "parameters", (end, end), {"name": excerpt.quoted(name)})

    return Constraint(section, check)


def fitting(
    section: str, component: str, part: Callable[[Checked], Encoded | None], rule: str, grammar: str
) -> Constraint:
    """Require that a component fits a narrower ABNF rule; `part` is as for `within`."""

    def check(url: Checked) -> Breach | None:
        text = part(url)
        if text is None or fullmatch(rule, grammar)(text) is not None:
            return None
        facts = {"given": excerpt.quoted(text), "needed": rule}
        return Breach("bad-parameter", component, _place(text), facts)

    return Constraint(section, check)


def within(
    section: str, component: str, part: Callable[[Checked], Encoded | None], low: int, high: int
) -> Constraint:
    """Require that a number, which the grammar matches, lies between two numbers, both allowed.

    part: returns its digits; None where there are none, or where nothing is required of them.
    """

    def check(url: Checked) -> Breach | None:
        from decimal import Decimal  # noqa: PLC0415 - by the few schemes that have numbers

        digits = part(url)
        if digits is None or low <= Decimal(digits) <= high:
            return None
        facts = {"given": excerpt.quoted(digits), "low": str(low), "high": str(high)}
        return Breach("out-of-range", component, _place(digits), facts)

    return Constraint(section, check)


def in_utf8(section: str, *fields: str) -> Constraint:
    """Require that the octets of some fields, decoded, are UTF-8."""

    def check(url: Checked) -> Breach | None:
        for name in fields:
            field: Encoded | None = getattr(url, name)
            if field is None or "%" not in field:
                continue
            try:
                field.octets.decode()
            except UnicodeDecodeError as error:
                start = (field.start or 0) + octet_offset(field, error.start)
                span = (start, start + len("%XX"))
                return Breach("not-utf8", name, span, {"octet": f"{error.object[error.start]:02X}"})
        return None

    return Constraint(section, check)


def first_breach(url: Checked) -> tuple[Constraint, Breach] | None:
    """Return the first constraint of its scheme that a URL breaks, and how; None without one."""
    for constraint in url.CONSTRAINTS:
        breach = constraint.check(url)
        if breach is not None:
            return constraint, breach
    return None


def value_of(url: Checked, name: str) -> Encoded | None:
    """Return the value of the first parameter of a name; None without one."""
    return next((pair[1] for key, pair in _pairs(url, "parameters") if key == name), None)


def _pairs(url: Checked, field: str) -> Iterator[tuple[str, Pair]]:
    """Yield pairs of name and value, each after its name as schemes compare it."""
    pairs: Iterable[Pair] = getattr(url, field)
    for pair in pairs:
        yield pair[0].octets.decode("utf-8", "replace").lower(), pair


def _text(pair: Pair) -> str:
    name, value = pair
    return name if value is None else f"{name}={value}"


def _span(pair: Pair) -> tuple[int, int]:
    start = pair[0].start or 0
    return start, start + len(_text(pair))


def _place(part: Encoded) -> tuple[int, int]:
    start = part.start or 0
    return start, start + len(part)
