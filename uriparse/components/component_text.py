"""Components as text: the rule of each, whether a text obeys it, and how they are composed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from uriparse._base.coerce import as_str
from uriparse.errors import ComponentError, UnknownRuleError
from uriparse.grammar import charset, grammars
from uriparse.grammar.matchers import fullmatch, tables

_SHARED = frozenset({"scheme", "port"})
"""Rules that RFC 3987 takes from RFC 3986; of the others it has its own, named with an "i"."""

NO_ZONE = "no zone identifier follows an IPv6 address in a URI (RFC 9844)"


def rule_of(name: str, grammar: str) -> str:
    """Name the rule of a grammar that plays the part of `name` in RFC 3986."""
    return "i" + name if grammar == "rfc3987" and name not in _SHARED else name


class Components(NamedTuple):
    """The components of a reference as written; None is absent, "" empty.

    scheme: without its ":".
    authority: without the "//" before it.
    path: never absent.
    query: without the "?" before it.
    fragment: without the "#" before it.
    """

    scheme: str | None
    authority: str | None
    path: str
    query: str | None
    fragment: str | None

    def __repr__(self) -> str:
        """Show the text of the components, a password masked."""
        from uriparse.errors import excerpt  # noqa: PLC0415 - rarely asked for

        text = compose(self.scheme, None, self.authority, None, *self[2:])
        return f"<{type(self).__name__} {excerpt.masked(text)!r}>"


def grammar_of_records(grammar: str) -> str:
    """Return the name of a grammar whose texts become records; UnknownRuleError for another."""
    if type(grammar) is str and grammar == "rfc3986":
        return grammar
    name = as_str(grammar, "grammar")
    if not tables(name).RECORDS:
        able = " or ".join(known for known in grammars() if tables(known).RECORDS)
        raise UnknownRuleError(f"no reference is made by the rules of {name}: try {able}")
    return name


def check(component: str, value: str, grammar: str, rule: str | None = None) -> None:
    """Match a component against its rule, named as in RFC 3986; the rule is `component` if None.

    ComponentError, with the offset within `value` of the first character that is not allowed.
    """
    if fullmatch(rule_of(rule or component, grammar), grammar)(value) is None:
        raise broken(component, value, rule_of(rule or component, grammar), grammar)


def check_path(path: str, grammar: str, *, scheme: str | None, authority: bool) -> None:
    """Check a path against the rule that its neighbours leave it (RFC 3986 section 3.3)."""
    if authority:
        if path and not path.startswith("/"):
            reason = 'after a host: it must be empty or begin with "/"'
            raise _misplaced(path, reason, rule_of("path-abempty", grammar), 0)
        check("path", path, grammar, "path-abempty")
    elif path.startswith("//"):
        reason = 'without an authority would be read as one: path-absolute begins with one "/"'
        raise _misplaced(path, reason, rule_of("path-absolute", grammar), 1)
    elif path.startswith("/"):
        check("path", path, grammar, "path-absolute")
    elif scheme is None and (colon := path.partition("/")[0].find(":")) >= 0:
        reason = (
            f'without a scheme: the ":" at offset {colon} would end one, for path-noscheme begins'
            ' with segment-nz-nc; write "./" before it'
        )
        raise _misplaced(path, reason, rule_of("path-noscheme", grammar), colon)
    elif path:
        check("path", path, grammar, "path-rootless" if scheme is not None else "path-noscheme")


def compose(
    scheme: str | None,
    userinfo: str | None,
    host: str | None,
    port: str | None,
    path: str,
    query: str | None,
    fragment: str | None,
) -> str:
    """Put the components of a reference together as they are (RFC 3986 section 5.3).

    None is absent, "" present and empty. Nothing is checked: see `URIReference.from_parts`.
    """
    text = path
    if host is not None:
        if userinfo is not None:
            host = f"{userinfo}@{host}"
        text = f"//{host}{path}" if port is None else f"//{host}:{port}{path}"
    if scheme is not None:
        text = f"{scheme}:{text}"
    if query is not None:
        text = f"{text}?{query}"
    if fragment is not None:
        text = f"{text}#{fragment}"
    return text


def compose_authority(userinfo: str | None, host: str, port: str | None) -> str:
    """Put the components of an authority together as they are (RFC 3986 section 3.2)."""
    return compose(None, userinfo, host, port, "", None, None)[len("//") :]


def broken(component: str, value: str, rule: str, grammar: str) -> ComponentError:
    """Explain why a component breaks its rule."""
    from uriparse.errors import excerpt  # noqa: PLC0415 - only refused parts pay for it
    from uriparse.grammar.automata import longest_prefix  # noqa: PLC0415 - same

    stop = longest_prefix(value, rule, grammar)
    offset = stop.offset
    found = excerpt.found_at(value, offset)
    if component == "userinfo" and excerpt.is_masked(f"{value}@", offset):
        found = "a masked character"
    reason = f"{component}: {found} at offset {offset} does not fit the rule {rule}"
    if not value:
        reason = f'{component}: "" does not fit the rule {rule}; None is for one that is absent'
    elif any(group.rule == "pct-encoded" for group in stop.groups):
        start = value.rfind("%", 0, offset)
        reason += f'; the "%" at offset {start} begins a triplet with two HEXDIG, or is written %25'
    elif component == "host" and ":" in value and not value.startswith("["):
        reason += "; an IPv6 address must be in brackets"
    elif component == "host" and value.startswith("%", offset):
        reason += f"; {NO_ZONE}"
    elif _takes_triplets(value[:offset], value[offset : offset + 1], rule, grammar):
        reason += "; write it as triplets"
    return ComponentError(reason, component=component, rule=rule, value=value, offset=offset)


def _takes_triplets(before: str, character: str, rule: str, grammar: str) -> bool:
    """Return whether a character may be written as triplets after the text before it."""
    from uriparse.grammar.automata import longest_prefix  # noqa: PLC0415 - only for errors
    from uriparse.percent import triplets  # noqa: PLC0415 - same

    if not character or "\ud800" <= character <= "\udfff":
        return False
    text = before + triplets(character)
    return longest_prefix(text, rule, grammar).offset == len(text)


def _misplaced(path: str, reason: str, rule: str, offset: int) -> ComponentError:
    from uriparse.errors import excerpt  # noqa: PLC0415 - only refused parts pay for it

    message = f"path {excerpt.quoted(path)} {reason}"
    return ComponentError(message, component="path", rule=rule, value=path, offset=offset)


# What keeps the text of a host from being a name of the DNS, though a grammar derives it.
#
# RFC 3986 leaves it to schemes what a registered name is (section 3.2.2). Most look it up in the
# DNS, which has labels of letters, digits and hyphens between dots (RFC 1034 section 3.5, RFC
# 1123 section 2.1), the last of which does not begin with a digit.

_LONGEST_NAME = 255
_LONGEST_LABEL = 63


def name_problems(name: str) -> Iterator[str]:
    """Return what is wrong with a name; see the property `problems` of hosts."""
    if not name:
        yield "empty"
        return
    if len(name) > _LONGEST_NAME:
        yield "too long"
    if "%" in name:
        yield "triplet"
    if name.endswith("."):
        yield "trailing dot"
    bare = name.removesuffix(".")
    labels = bare.split(".")
    between_dots = f".{bare}."
    if "" in labels:
        yield "empty label"
    if max(map(len, labels)) > _LONGEST_LABEL:
        yield "long label"
    if ".-" in between_dots or "-." in between_dots:
        yield "hyphen at an end"
    if "_" in name:
        yield "underscore"
    if not frozenset(name) <= charset("ALPHA") | charset("DIGIT") | frozenset(".-_%"):
        yield "character"
    if labels[-1][:1] in charset("DIGIT"):
        yield "numeric top label"
