"""The functions that engines of SQL get: names and types, and arrays of pyarrow in and out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from uriparse import arrow
from uriparse._base.coerce import as_choice, as_instance
from uriparse.arrow.importing import pyarrow
from uriparse.arrow.reading import COLUMNS
from uriparse.parsing import try_parse
from uriparse.records.references import REFERENCE_RULES, URI_RULES
from uriparse.resolution import resolve
from uriparse.validation import Policy

if TYPE_CHECKING:
    import pyarrow as pa

    from uriparse.arrow.hosts import DomainOf


class EngineFunction(NamedTuple):
    """A function of columns of texts, for an engine.

    call: takes arrays of pyarrow, as many as `inputs`, and returns one.
    kind: the type of what it returns.
    inputs: how many columns it takes.
    """

    call: Callable[..., pa.Array]
    kind: pa.DataType
    inputs: int = 1


def engine_functions(
    grammar: str, policy: Policy, domain_of: DomainOf | None
) -> dict[str, EngineFunction]:
    """Return the functions for engines by their names; ValueError for another grammar."""
    as_instance(policy, Policy, "policy")
    name = as_choice(grammar, "grammar", tuple(REFERENCE_RULES))
    rule, widest, types = URI_RULES[name], REFERENCE_RULES[name], pyarrow()
    text = types.string()
    parts = types.struct([(part, text) for part in COLUMNS])
    columns: dict[str, tuple[Callable[[pa.Array], arrow.ChunkedColumn], pa.DataType]] = {
        "is_valid": (partial(arrow.is_valid, rule=rule, grammar=name), types.bool_()),
        "stop": (partial(arrow.stop, rule=rule, grammar=name), types.int64()),
        "split": (partial(arrow.split, rule=widest, grammar=name), parts),
        "host": (partial(arrow.host, rule=widest, grammar=name), text),
        "registered_domain": (
            partial(arrow.registered_domain, domain_of=domain_of, grammar=name),
            text,
        ),
        "normalize": (partial(arrow.normalize, grammar=name), text),
        "whatwg": (arrow.whatwg, text),
        "verdict": (partial(arrow.verdict, policy=policy), text),
        "findings": (partial(arrow.findings, policy=policy), types.list_(text)),
    }
    found = {
        one: EngineFunction(partial(_array, function, kind), kind)
        for one, (function, kind) in columns.items()
    }
    return found | {"resolve": EngineFunction(partial(_resolved, grammar=name), text, 2)}


def _array(
    function: Callable[[pa.Array], arrow.ChunkedColumn], kind: pa.DataType, column: pa.Array
) -> pa.Array:
    """Return what a function makes of a column, in one piece, and of the declared type."""
    return pyarrow().chunked_array(function(column)).cast(kind).combine_chunks()


def _resolved(bases: pa.Array, column: pa.Array, *, grammar: str) -> pa.Array:
    """Resolve each row against its own base: null for null, and where one of them is invalid."""
    text, rule = pyarrow().string(), REFERENCE_RULES[grammar]
    known = {
        base: None if base is None else try_parse(base, URI_RULES[grammar], grammar=grammar)
        for base in bases.unique().to_pylist()
    }
    if len(known) == 1 and (only := next(iter(known.values()))) is not None:
        return _array(partial(arrow.resolve, only), text, column)

    def target(base: str | None, value: str | None) -> str | None:
        own = known[base]
        record = None if value is None else try_parse(value, rule, grammar=grammar)
        return None if own is None or record is None else str(resolve(own, record))

    return pyarrow().array(map(target, bases.to_pylist(), column.to_pylist()), text)
