"""The quick way to "yes": one match, and a look at what it captured.

Most texts that are judged are good. An acceptor says True where a policy certainly accepts a text,
and False where it does not know: then all checks are made.
"""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import IPv4Address
from typing import TYPE_CHECKING, TypeAlias

from uriparse.grammar import matcher
from uriparse.grammar.matchers import tables
from uriparse.validation.agreement import LONGEST_NAME, is_name_kept
from uriparse.validation.special_addresses import classes_of
from uriparse.validation.special_names import SPECIAL_NAMES

if TYPE_CHECKING:
    from collections.abc import Collection

Acceptor: TypeAlias = Callable[[str], bool]


def unsure(_: str) -> bool:
    """Know nothing of any text."""
    return False


def limited(
    accepts: Acceptor, longest: int | None, segments: int | None, parameters: int | None
) -> Acceptor:
    """Put limits before an acceptor: of characters, segments and parameters."""
    if longest is segments is parameters is None:
        return accepts
    if longest is None or segments is None or parameters is None:
        return unsure
    # A text too short to exceed any limit needs no counting.
    shortest = min(longest, segments, parameters)

    def within(text: str) -> bool:
        if len(text) > shortest and (
            len(text) > longest or text.count("/") > segments or text.count("&") >= parameters
        ):
            return False
        return accepts(text)

    return within


def destination_acceptor(
    schemes: Collection[str] | None,
    *,
    fragments: bool,
    names: Collection[str],
    addresses: Collection[str],
    allows: Callable[[str, str, str | None], bool],
) -> Acceptor:
    """Make an acceptor of destinations that are names or IPv4 addresses; IPv6 goes the long way.

    schemes: those that are listed; None for all.
    names, addresses: classes of special names and addresses that are to be passed over.
    allows: whether the caller's lists have a scheme, a host, and a port or None.
    """
    pattern = matcher("destination-URI", "agreed")
    fullmatch, group = pattern.fullmatch, pattern.groupindex
    at = group["scheme"], group["domain"], group["IPv4address"], group["port"], group["fragment"]
    ordinary = _ordinary(names)
    refused = frozenset(addresses)

    def accepts(text: str) -> bool:
        match = fullmatch(text)
        if match is None:
            return False
        scheme, name, number, port, fragment = match.group(*at)
        if fragment is not None and not fragments:
            return False
        if schemes is not None and scheme not in schemes:
            return False
        if not allows(scheme, name or number or "", port):
            return False
        if name is not None:
            if (len(name) > LONGEST_NAME or "--" in name) and not is_name_kept(name):
                return False
            return not names or ordinary(name)
        return number is not None and refused.isdisjoint(classes_of(IPv4Address(number)))

    return accepts


def uri_acceptor(
    rule: str,
    grammar: str,
    schemes: Collection[str] | None,
    *,
    fragments: bool,
    userinfos: bool,
) -> Acceptor:
    """Make an acceptor of whatever a rule of URIs derives, with a scheme that is listed."""
    fullmatch = matcher(rule, grammar).fullmatch
    groups = {field: group for group, field in tables(grammar).FIELDS.items()}
    user, tail = groups["userinfo"], groups["fragment"]
    if schemes is None and fragments and userinfos:
        return lambda text: fullmatch(text) is not None

    def accepts(text: str) -> bool:
        match = fullmatch(text)
        if match is None:
            return False
        scheme, userinfo, fragment = match.group("scheme", user, tail)
        if (userinfo is not None and not userinfos) or (fragment is not None and not fragments):
            return False
        return schemes is None or scheme in schemes

    return accepts


def _ordinary(classes: Collection[str]) -> Callable[[str], bool]:
    """Make a test of names that are certainly of none of some classes.

    It compares their last label, or the last two, with those of the special names.
    """
    rows = [row.name for row in SPECIAL_NAMES if row.kind in classes]
    two_labels = frozenset(name for name in rows if name.count(".") == 1)
    last_labels = frozenset(name.rpartition(".")[2] for name in rows if name.count(".") != 1)

    def is_ordinary(name: str) -> bool:
        lower = name.lower()
        dot = lower.rfind(".")
        if dot < 0 or lower[dot + 1 :] in last_labels:
            return False
        return lower[lower.rfind(".", 0, dot) + 1 :] not in two_labels

    return is_ordinary
