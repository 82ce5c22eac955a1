"""A policy prepared for judging: what follows from its settings, and what it makes of hits."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property, partial
from ipaddress import IPv4Address
from math import inf
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from uriparse._base import engine as _engine
from uriparse._native import native_rule
from uriparse.components.servers import default_port, tcp_port
from uriparse.errors import URISyntaxError, URLError
from uriparse.grammar import charset, matcher
from uriparse.grammar.matchers import tables
from uriparse.parsing import parse
from uriparse.records.readers import yields_records
from uriparse.records.references import REFERENCE_RULES, URI_RULES, reader
from uriparse.resolution import BaseURI
from uriparse.validation import findings
from uriparse.validation.addresses import AddressRules, effective
from uriparse.validation.agreement_checks import (
    LONGEST_NAME,
    KeptTriplets,
    is_name_kept,
    kept_triplets,
    spared_codes,
)
from uriparse.validation.finding_catalogue import CATALOGUE
from uriparse.validation.findings import Finding, Hit, Severity
from uriparse.validation.policy import WEB, Policy
from uriparse.validation.settings import LIMITS, Limit
from uriparse.validation.special import NOT_PUBLIC, SPECIAL_NAMES, parts_of

if TYPE_CHECKING:
    from uriparse.parsing import Record
    from uriparse.records import Host

Wording: TypeAlias = tuple[Severity, findings.Layer, str, str]
"""Severity, layer, sentence and source of the findings of a code under a policy."""

# The fast path. Most texts are accepted, so one match and a look at its captures come first. What
# an acceptor returns is true only if the policy certainly accepts a text; otherwise all checks run.

Acceptor: TypeAlias = Callable[[str], object]


ORDINARY: Final = ("ordinary-URI", "agreed")
"""A rule, and its grammar, whose texts have hits of scheme, host, port and fragment alone."""

SCHEME_CODES: Final = frozenset(code for code, row in CATALOGUE.items() if row.layer == "scheme")


def accept_nothing(_: str) -> bool:
    """Leave every text to the full checks."""
    return False


def with_limits(accepts: Acceptor, prepared: CompiledPolicy) -> Acceptor:
    """Return an acceptor that also checks limits of characters, segments and parameters."""
    limits = prepared.limits
    if not limits:
        return accepts
    if len(limits) < len(LIMITS):
        return accept_nothing
    shortest = prepared.least_limit  # a text too short to exceed any limit needs no counting

    def within(text: str) -> object:
        if len(text) > shortest and any(count(text) > most for most, (*_, count) in limits):
            return False
        return accepts(text)

    return within


def destination_acceptor(prepared: CompiledPolicy) -> Acceptor:
    """Return an acceptor of destinations; it leaves IPv6 hosts to the full checks."""
    policy = prepared.policy
    pattern = matcher("destination-URI", "agreed")
    fullmatch, group = pattern.fullmatch, pattern.groupindex
    at = group["scheme"], group["domain"], group["IPv4address"], group["port"], group["fragment"]
    schemes, names, fragments = policy.schemes, prepared.names, policy.fragment
    ordinary = _ordinary_name_test(names)
    blocked = frozenset[str]() if policy.bad_ports else findings.BLOCKED
    is_any_host, is_any_port = policy.hosts == "*", policy.ports == "*"

    def accepts(text: str) -> bool:
        match = fullmatch(text)
        if match is None:
            return False
        scheme, name, number, port, fragment = match.group(*at)
        if fragment is not None and not fragments:
            return False
        if schemes != "*" and scheme not in schemes:
            return False
        if not (is_any_host or prepared.allows_host(name or number or "")):
            return False
        # A listed port is allowed even if browsers block it.
        if port in blocked if is_any_port else not prepared.allows_port(port, scheme):
            return False
        if name is not None:
            # Only a name with "--" can have an xn-- label, which costs a look into idna's tables.
            if (len(name) > LONGEST_NAME or "--" in name) and not is_name_kept(name):
                return False
            return not names or ordinary(name)
        return number is not None and not policy.refused_classes(IPv4Address(number))

    return accepts


def uri_acceptor(prepared: CompiledPolicy) -> Acceptor:
    """Return an acceptor of all texts that match the rule and have an allowed scheme."""
    policy = prepared.policy
    schemes, fragments, userinfos = policy.schemes, policy.fragment, policy.userinfo
    fullmatch = matcher(prepared.start, policy.grammar).fullmatch
    groups = {field: group for group, field in tables(policy.grammar).FIELDS.items()}
    user, tail = groups["userinfo"], groups["fragment"]
    if schemes == "*" and fragments and userinfos:
        native = native_rule(prepared.start, policy.grammar, fullmatch)
        return fullmatch if native is None else native.fullmatch

    def accepts(text: str) -> bool:
        match = fullmatch(text)
        if match is None:
            return False
        scheme, userinfo, fragment = match.group("scheme", user, tail)
        if (userinfo is not None and not userinfos) or (fragment is not None and not fragments):
            return False
        return schemes == "*" or scheme in schemes

    return accepts


def special_labels(classes: Collection[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the last labels of special names of some classes, and the last two of others."""
    rows = [row.name for row in SPECIAL_NAMES if row.kind in classes]
    two_labels = frozenset(name for name in rows if name.count(".") == 1)
    return frozenset(name.rpartition(".")[2] for name in rows if name.count(".") != 1), two_labels


def _ordinary_name_test(classes: Collection[str]) -> Callable[[str], bool]:
    """Return a test whether the last labels of a name belong to none of some classes."""
    last_labels, two_labels = special_labels(classes)

    def is_ordinary(name: str) -> bool:
        lower = name.lower()
        dot = lower.rfind(".")
        if dot < 0 or lower[dot + 1 :] in last_labels:
            return False
        return lower[lower.rfind(".", 0, dot) + 1 :] not in two_labels

    return is_ordinary


class Severities:
    """What the severities of a policy make of hits, for a scheme or all others.

    wordings: for each code.
    refusing: the codes for which a text is refused.
    leaves_schemes: whether no code of the layer "scheme" is one of them.
    """

    def __init__(self, wordings: Mapping[str, Wording], refusing: frozenset[str]) -> None:
        self.wordings, self.refusing = wordings, refusing
        self.leaves_schemes = refusing.isdisjoint(SCHEME_CODES)
        self._known: dict[tuple[str, ...], tuple[str, ...]] = {}

    def codes(self, found: tuple[str, ...]) -> tuple[str, ...]:
        """Return the codes of hits that are reported, each once, those that refuse first."""
        known = self._known.get(found)
        if known is None:
            on = [code for code in found if self.wordings[code][0] is not Severity.OFF]
            known = tuple(dict.fromkeys([*filter(self.refusing.__contains__, on), *on]))
            if len(self._known) < _MOST_KNOWN:
                self._known[found] = known
        return known


_MOST_KNOWN = 1 << 10


class CompiledPolicy:
    """What the checks ask a policy; `compiled` makes one.

    policy: the settings.
    base: the base for relative references, or None.
    names: the classes of names that are refused.
    allows_any_address: whether no class and no network of addresses is refused.
    judges_addresses: whether some are, or those without a meaning of their own.
    start: the rule that texts must match.
    limits: the limits that it sets, each after its number.
    least_limit: the length in characters up to which a text exceeds no limit.
    read: the reader of the rule; None if texts that match it are no references.
    matches: returns None for a text that is refused because it does not match the rule.
    keeps_beginnings: whether `beginnings` are kept.
    beginnings: what was found in texts, by their part up to the path, if the rest adds nothing.
    """

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.base = policy.base if isinstance(policy.base, BaseURI) else None
        self.names = effective(policy.refused_names, policy.allowed_names, NOT_PUBLIC)
        rules = AddressRules(policy.refused_addresses, policy.allowed_addresses)  # type: ignore[arg-type]  # checked texts
        self.address_rules = rules
        self.allows_any_address = rules.are_any
        self.judges_addresses = policy.agreement is not None or not rules.are_any
        self.start = (
            policy.rule or (REFERENCE_RULES if policy.relative else URI_RULES)[policy.grammar]
        )
        given = [(getattr(policy, limit.setting), limit) for limit in LIMITS]
        self.limits: list[tuple[int, Limit]] = [pair for pair in given if pair[0] is not None]
        self.least_limit = min((most for most, _ in self.limits), default=inf)
        rule = self.start, policy.grammar
        self.read = reader(*rule) if yields_records(*rule) else None
        is_usual = self.start in (*REFERENCE_RULES.values(), *URI_RULES.values())
        self.keeps_beginnings = is_usual and policy.uris == "*" and _engine.by_lark is None
        self.beginnings: dict[str, Judgement] = {}

    @cached_property
    def fast_accept(self) -> Acceptor:
        """The acceptor of the fast path: True if a text is certainly accepted."""
        # The engine of Lark reads every text by its grammar.
        if self.fast_rule in (None, ORDINARY) or _engine.by_lark is not None:
            return accept_nothing
        make = destination_acceptor if self.policy.agreement == "destination" else uri_acceptor
        return with_limits(make(self), self)

    @cached_property
    def fast_rule(self) -> tuple[str, str] | None:
        """The rule that the fast path matches, and its grammar; None if there is no fast path."""
        is_usual = self.start in URI_RULES.values() and self.policy.uris == "*"
        return self.known_rule if is_usual else None

    @cached_property
    def known_rule(self) -> tuple[str, str] | None:
        """A rule, and its grammar, of whose texts the checks are known; None for a policy's own.

        It depends on which hits a text of the rule may have: `ORDINARY` has none of the path, of
        whatever severity. Whether the policy lists a text is another question.
        """
        policy = self.policy
        if self.start not in (*REFERENCE_RULES.values(), *URI_RULES.values()):
            return None
        if not self.is_plain:
            return ORDINARY
        if policy.agreement == "destination":
            return "destination-URI", "agreed"
        is_open = policy.hosts == "*" and policy.ports == "*" and policy.bad_ports
        is_open = is_open and policy.agreement is None and not self.names
        is_open = is_open and self.allows_any_address
        return (self.start, policy.grammar) if is_open else ORDINARY

    @cached_property
    def is_plain(self) -> bool:
        """Whether neither path nor query of a valid text is a reason, but for limits."""
        is_request = self.policy.agreement == "request"
        return not is_request and self.refusing_somewhere.isdisjoint(SCHEME_CODES)

    @cached_property
    def refusing_somewhere(self) -> frozenset[str]:
        """The codes for which a text of some scheme is refused."""
        return frozenset().union(*(one.refusing for one in self.by_scheme.values()))

    @cached_property
    def kept_triplets(self) -> KeptTriplets:
        """The triplets of ASCII that all clients of the policy send as they are."""
        return kept_triplets(self.policy.clients)

    def needs_agreement(self, scheme: str | None) -> bool:
        """Whether clients must agree on a URI of a scheme in lower case; None for a missing scheme.

        Agreement is known for http and https only, so other schemes that the policy allows need
        none.
        """
        if self.policy.agreement is None:
            return False
        is_other = scheme is not None and scheme not in WEB
        return not (is_other and self.allows_scheme(scheme))

    def allows_scheme(self, scheme: str | None) -> bool:
        """Return whether the policy allows a scheme in lower case; None is on no list."""
        return self.policy.schemes == "*" or scheme in self.policy.schemes

    def allows_host(self, host: Host | str | None) -> bool:
        """Return whether the policy allows a host; a missing or empty host is on no list.

        No list matches a host with a triplet: the `parse` of Node's url and Perl read
        "evil.com%2f.example.com" as evil.com. No suffix matches a host with a reserved character,
        which has the same effect ("evil.com;.example.com"), nor with a character of an IRI that
        NFKC maps to a reserved one (U+FF0F, CVE-2019-9636).
        """
        policy = self.policy
        if policy.hosts == "*":
            return True
        text = str(host or "").lower()
        if not text or "%" in text:
            return False
        if text in policy.hosts:
            return True
        folded = text if text.isascii() else unicodedata.normalize("NFKC", text)
        if not charset("reserved").isdisjoint(folded):
            return False
        # No suffix on the list is longer than the longest host there.
        dot = text.find(".", max(1, len(text) - self._longest_host))
        while dot >= 0:
            if text[dot:] in policy.hosts:
                return True
            dot = text.find(".", dot + 1)
        return False

    @cached_property
    def _longest_host(self) -> int:
        return max(map(len, self.policy.hosts), default=0)

    def allows_uri(self, uri: Record | None) -> bool:
        """Return whether the policy allows a whole URI or reference; None is on no list."""
        if self.policy.uris == "*":
            return True
        if uri is None:
            return False
        return (
            str(uri) in self.policy.uris or self._without_loopback_port(uri) in self.loopback_uris
        )

    @cached_property
    def loopback_uris(self) -> frozenset[str]:
        """The listed URIs with any port, without it."""
        bare = (self._without_loopback_port(parse(uri, "URI")) for uri in self.policy.uris)
        return frozenset(uri for uri in bare if uri is not None)

    def _without_loopback_port(self, uri: Record) -> str | None:
        """Return an http URI with a loopback address without its port; None for any other."""
        if uri.host is None or (uri.scheme or "").lower() != "http":
            return None
        address = uri.host.address
        if address is None:
            is_local = self.policy.localhost_ports and str(uri.host).lower() == "localhost"
        else:  # the tables of `ipaddress` differ between versions of Python
            is_local = [row.kind for row in parts_of(address)[0][1]][:1] == ["loopback"]
        return str(uri.replace(port=None)) if is_local else None

    def allows_port(self, port: str | None, scheme: str | None) -> bool:
        """Return whether the policy allows a port; None is the default port of the scheme."""
        policy = self.policy
        if policy.ports == "*":
            return True
        default = default_port(scheme)
        number = tcp_port(port) if port else default
        if number is None:
            return False
        return number in policy.ports or (number == default and "default" in policy.ports)

    @cached_property
    def refusing(self) -> frozenset[Severity]:
        """The severities that make the policy refuse a text; "off" is never one of them."""
        least = max(Severity(self.policy.refuse).rank, Severity.INFO.rank)
        return frozenset(severity for severity in Severity if severity.rank >= least)

    def of_scheme(self, scheme: str | None) -> Severities:
        """Return what severities make of hits in a text with a scheme in lower case."""
        return self.by_scheme.get(scheme, self.by_scheme[None])

    @cached_property
    def matches(self) -> Callable[[str], object | None]:
        """What returns None for most texts that are refused because the rule does not match them.

        With the kernel: without, it would take longer than the acceptor of the fast path.
        """
        rule = native_rule(self.start, self.policy.grammar, len)
        return rule.fullmatch if rule is not None and self.refuses_invalid else len  # never None

    @cached_property
    def refuses_invalid(self) -> bool:
        """Whether texts are refused because the rule does not match them, as nearly always."""
        return "syntax" in self.of_scheme(None).refusing

    @cached_property
    def by_scheme(self) -> dict[str | None, Severities]:
        """What they make of hits; of None where a scheme has none of its own."""
        changed: dict[str, Severity] = dict(self.policy.severity)  # type: ignore[arg-type]  # checked pairs
        off = dict.fromkeys(spared_codes(self.policy.clients), Severity.OFF)
        common = {
            code: (
                changed.get(code, off.get(code, row.severity)),
                row.layer,
                row.sentence,
                row.source,
            )
            for code, row in CATALOGUE.items()
        }
        by_scheme: dict[str | None, dict[str, Wording]] = {None: common}
        for name, severity in changed.items():
            scheme, _, code = name.rpartition(":")
            if scheme:
                wordings = by_scheme.setdefault(scheme.lower(), dict(common))
                wordings[code] = (severity, *common[code][1:])
        return {
            name: Severities(
                own, frozenset(code for code, words in own.items() if words[0] in self.refusing)
            )
            for name, own in by_scheme.items()
        }


def compiled(policy: Policy) -> CompiledPolicy:
    """Return what the checks ask a policy; the policy keeps it."""
    kept: CompiledPolicy | None = policy.__dict__.get("_compiled")
    return policy.__dict__.setdefault("_compiled", CompiledPolicy(policy)) if kept is None else kept


class Reason(NamedTuple):
    """The first reason for which a policy refuses a text; all None for an accepted one.

    cause: that of the syntax error; None for another reason.
    """

    code: str | None = None
    cause: str | None = None
    offset: int | None = None


class Judgement:
    """What the checks found in a text under a policy; findings and codes are made when read.

    hits: of the checks.
    scheme: in lower case, by which severities are looked up; None without a record.
    explain: makes the error of a text that the rule does not match, or that browsers refuse.
    is_read: whether there is no such error.
    later: returns the hits of the layer "scheme", which come before the others, if not there yet.
    """

    _error: URISyntaxError | URLError | None = None
    _findings: tuple[Finding, ...] | None = None
    _all_hits: list[Hit] | None = None

    def __init__(
        self,
        prepared: CompiledPolicy,
        scheme: str | None,
        hits: Iterable[Hit],
        explain: Callable[[], URISyntaxError | URLError] | None = None,
        later: Callable[[], list[Hit]] | None = None,
    ) -> None:
        self._explain, self.is_read = explain, explain is None
        self._severities, self._later = prepared.of_scheme(scheme), later
        refusing = self._severities.refusing
        self._hits = sorted(hits, key=_span)
        self._reasons = [hit for hit in self._hits if hit[0] in refusing]
        self.is_accepted = not self._reasons

    def _hits_of_all(self) -> list[Hit]:
        """Return the hits of all checks, in the order of the text, then of the layers."""
        if self._all_hits is None:
            self._all_hits = self._hits
            if self._later is not None:
                self._all_hits = sorted([*self._later(), *self._hits], key=_span)
        return self._all_hits

    def __getstate__(self) -> dict[str, object]:
        """Return what was found, without the functions that find more of it."""
        found = {"_error": self.error, "_all_hits": self._hits_of_all()}
        return {**vars(self), **found, "_explain": None, "_later": None}

    @property
    def reason(self) -> Reason:
        """The first reason, without its sentence."""
        if self.is_accepted:
            return Reason()
        code, (offset, _), *_ = self._reasons[0]
        cause = getattr(self.error, "cause", None) if code == "syntax" else None
        return Reason(code, cause, offset)

    # Not by `cached_property`, whose lock takes longer than any of these.

    @property
    def error(self) -> URISyntaxError | URLError | None:
        """Why the rule does not match the text, or browsers refuse it; None if neither."""
        if self._error is None and self._explain is not None:
            self._error = self._explain()
        return self._error

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the findings, each once, those of the reasons first."""
        return self._severities.codes(tuple([code for code, *_ in self._hits_of_all()]))

    @property
    def first(self) -> Finding:
        """The first reason for which the policy refuses the text."""
        return self._finding(self._reasons[0])

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings in the order of the text, then of the layers."""
        if self._findings is None:
            wordings, off = self._severities.wordings, Severity.OFF
            hits = self._hits_of_all()
            shown = [self._finding(hit) for hit in hits if wordings[hit[0]][0] is not off]
            self._findings = tuple(shown)
        return self._findings

    @property
    def reasons(self) -> tuple[Finding, ...]:
        """The findings for which the policy refuses the text."""
        if self._findings is None:
            return tuple(map(self._finding, self._reasons))
        refusing = self._severities.refusing
        return tuple([finding for finding in self._findings if finding.code in refusing])

    def _finding(self, hit: Hit) -> Finding:
        code, span, component, detail, times = hit
        severity, layer, message, source = self._severities.wordings[code]
        if code == "syntax" and (error := self.error) is not None:
            message, component = str(error), error.component
            cause = error if isinstance(error, URISyntaxError) else None
            return _made((code, severity, layer, span, component, message, source, times, cause))
        if code == "scheme-requirement":  # whose reason names the section in brackets at its end
            source = detail[detail.rindex("(") + 1 : -1]
        if detail:
            message = f"{message}: {detail}"
        if times > 1:
            message = f"{message} ({times} times)"
        return _made((code, severity, layer, span, component, message, source, times, None))


_span = itemgetter(1)
_made = partial(tuple.__new__, Finding)  # in half the time of the constructor
