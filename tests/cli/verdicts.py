"""What is to be said of a text, by the functions of the library."""

from uriparse import try_parse
from uriparse.validation import Policy, validate

COMPONENTS = (
    *("scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment", "host_kind"),
)


def expected(text, policy):
    """What is to be said of a text, by the functions of the library."""
    if text is None:
        return dict.fromkeys(("accepted", "code", "cause", "offset", *COMPONENTS))
    report = validate(text, policy)
    reason = None if report.accepted else report.reasons[0]
    usual = {"rfc3986": "URI", "rfc3987": "IRI"}[policy.grammar] + "-reference" * policy.relative
    rule = policy.rule or usual
    record = None if policy.rule == "port" else try_parse(text, rule, grammar=policy.grammar)
    host = getattr(record, "host", None)
    found = {name: getattr(record, name, None) for name in COMPONENTS[:-1]}
    return {
        "accepted": report.accepted, "code": reason and reason.code,
        "cause": reason and reason.error and reason.error.cause, "offset": reason and reason.offset,
        **{name: None if value is None else str(value) for name, value in found.items()},
        "host_kind": None if host is None else type(host).__name__,
    }  # fmt: skip


POLICIES = {
    "syntax": ((), Policy.syntax()),
    "IRIs": (("--grammar=rfc3987",), Policy.syntax().replace(grammar="rfc3987")),
    "references": (("--rule=URI-reference",), Policy.syntax().replace(rule="URI-reference")),
    "web": (("--policy=web",), Policy.web()),
    "outbound": (("--policy=outbound",), Policy.outbound()),
    "no reference": (("--rule=port",), Policy.syntax().replace(rule="port")),
}
