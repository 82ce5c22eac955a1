"""The texts that a policy certainly accepts, many at once, by the kernel.

It decides the same as `CompiledPolicy.fast_accept` about names; hosts that are addresses, names
with "--" and long texts are left to Python.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, repeat
from typing import TYPE_CHECKING, TypeAlias

from uriparse._native import kernel, native_rule, tagged
from uriparse.components.servers import default_port
from uriparse.validation.agreement_checks import LONGEST_NAME
from uriparse.validation.compiled_policy import CompiledPolicy, compiled, special_labels
from uriparse.validation.findings import BLOCKED

if TYPE_CHECKING:
    from uriparse._native._kernel import Block
    from uriparse.validation.policy import Policy


@lru_cache(maxsize=16)
def acceptance(policy: Policy) -> Callable[..., Block] | None:
    """Return what sets a bit for each row that a policy certainly accepts; None if nothing does."""
    prepared = compiled(policy)
    fast = prepared.fast_rule
    rule = None if fast is None else native_rule(*fast, lambda _: None)
    if fast is None or rule is None:
        return None
    accepted, conditions = rule.accepted, _conditions(prepared, fast[1])
    return lambda rows: accepted(rows, conditions)


def accepted_texts(policy: Policy, texts: Sequence[str]) -> Iterable[bool]:
    """Return for each text whether a policy certainly accepts it, as far as the kernel knows."""
    accepts = acceptance(policy) if texts else None
    if accepts is None or kernel is None:
        return repeat(False, len(texts))
    octets = [text.encode("utf-8", "surrogatepass") for text in texts]
    places, count = array("q", accumulate(map(len, octets), initial=0)).tobytes(), len(texts)
    column = kernel.array((count, 0, (None, places, b"".join(octets)), ()))
    (rows,) = kernel.imported(kernel.schema(("U", "", ())), column)[2]
    bits = bytes(accepts(rows))
    return map("1".__eq__, reversed(f"{int.from_bytes(bits, 'little'):0{count}b}"))


_NO_FIELD = 0xFF
_Words: TypeAlias = "tuple[bytes, ...] | None"


def _conditions(
    prepared: CompiledPolicy, grammar: str
) -> tuple[int, int, int, tuple[int, int, int], tuple[_Words, ...]]:
    """Return a policy's conditions on a text of its rule, for `Rule.accepted` of the kernel."""
    policy, names = prepared.policy, prepared.names
    numbers = {field: number for number, field in enumerate(tagged(grammar).FIELDS)}
    refused = ["userinfo"] * (not policy.userinfo) + ["fragment"] * (not policy.fragment)
    absent = sum(1 << numbers[field] for field in refused if field in numbers)
    # "domain" is a field of destinations: any host will do for a policy that lists schemes alone.
    fields = ["scheme", "domain", "port"] if "domain" in numbers else ["scheme", "", ""]
    scheme, name, port = (numbers.get(field, _NO_FIELD) for field in fields)
    labels, pairs = special_labels(names)
    words = (
        None if policy.schemes == "*" else policy.schemes,
        None if policy.hosts == "*" else policy.hosts,
        None if policy.ports == "*" else _origins(policy),
        BLOCKED if policy.ports == "*" and not policy.bad_ports else None,
        labels if names else None,
        pairs if names else None,
    )
    # In the order in which the kernel searches them.
    searched = tuple(None if one is None else tuple(sorted(map(str.encode, one))) for one in words)
    return (
        int(min(prepared.least_limit, _MOST)),
        LONGEST_NAME,
        absent,
        (scheme, name, port),
        searched,
    )


_MOST = (1 << 62) - 1


def _origins(policy: Policy) -> list[str]:
    """Return every "scheme:port" that a policy allows, and "scheme:" for its default port."""
    found = []
    for scheme in ("http", "https"):
        default = default_port(scheme)
        numbers = {port for port in policy.ports if isinstance(port, int)}
        if default is not None and (default in numbers or "default" in policy.ports):
            numbers.add(default)
            found.append(f"{scheme}:")
        found += [f"{scheme}:{number}" for number in numbers]
    return found
