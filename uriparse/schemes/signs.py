"""What tells why a text is no URL of its scheme, beyond what the scheme's rule expects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse import excerpt
from uriparse.grammar.automata import longest_prefix
from uriparse.schemes.captures import captured
from uriparse.schemes.exchange import exchanged
from uriparse.schemes.url import Sign

if TYPE_CHECKING:
    from uriparse.diagnosis.failure_context import Situation
    from uriparse.schemes.scheme import Scheme
    from uriparse.schemes.source import Source


_LOGINS = frozenset({"user", "userinfo"})
"""Fields that stand before an "@"; a scheme that has neither has none that does."""


def sign_of(source: Source, scheme: Scheme, situation: Situation) -> Sign | None:
    """Find the sign that tells why a URL stops; None if the rule says all there is to say."""
    offset = source.at(situation.offset)
    if scheme.components.isdisjoint(_LOGINS) and _in_userinfo(source.url, offset):
        return Sign("userinfo")
    return (
        scheme.record.sign(source.url, offset)
        or _relaxed(source, scheme, offset)
        or _missing(source, scheme, situation, offset)
    )


def _relaxed(source: Source, scheme: Scheme, offset: int) -> Sign | None:
    """Tell a host that RFC 3986 alone has, if all is well with it to the end of the authority."""
    relaxed = exchanged(source.text, scheme, relaxed_host=True)
    host = relaxed.host
    if source.host is not None or host is None or host.start is None or host.end is None:
        return None
    if not host.start <= offset <= host.end:
        return None
    stop = longest_prefix(relaxed.parsed, scheme.rule, scheme.grammar)
    rest = source.url.find("/", host.end)
    if stop.offset < len(relaxed.parsed) and not 0 <= rest < relaxed.at(stop.offset):
        return None
    fitting = captured(relaxed.parsed[: stop.offset], scheme.expressions or ())
    if fitting is not None and fitting.get("host") is None:
        return None  # what fits would be read as something else than a host
    problems = ", ".join(host.problems) or "an address in brackets"
    shown = excerpt.quoted(source.text, host.start, host.end)
    return Sign("relaxed-host", "host", {"host": shown, "problems": problems})


def _missing(source: Source, scheme: Scheme, situation: Situation, offset: int) -> Sign | None:
    """Tell that there are no slashes where a host should follow them, or no host."""
    after = source.url.find(":") + 1 + len("//")
    if scheme.host_after != "//" or offset > after:
        return None
    if offset < after:
        return Sign("no-slashes", blanks={"begin": f"{source.scheme}://"})
    is_empty = situation.found in {"", "/", ":", "?"} and '"/"' not in situation.expected
    return Sign("no-host", "host") if is_empty else None


def _in_userinfo(text: str, offset: int) -> bool:
    """Whether an authority, up to the next "/", has an "@" at or behind the offset."""
    start = text.find("//") + 2
    if start < 2:
        return False
    end = text.find("/", start)
    return offset <= text.rfind("@", start, len(text) if end < 0 else end)
