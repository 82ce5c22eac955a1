"""The functions of columns, each described once: engines make theirs of these descriptions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import update_wrapper
from inspect import Parameter, signature
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Concatenate, Generic, ParamSpec, TypedDict, TypeVar, Unpack, cast

from uriparse._base import migration_hints as hints
from uriparse._base.coerce import as_choice
from uriparse.arrow import distinct, hosts, judging, policies
from uriparse.arrow.column import Column, text_type, texts, values_of
from uriparse.arrow.importing import pyarrow
from uriparse.arrow.reading import COLUMNS
from uriparse.errors import ResolutionError, URISyntaxError
from uriparse.records.references import REFERENCE_RULES
from uriparse.validation.policy import as_policy
from uriparse.validation.report import OUTBOUND

if TYPE_CHECKING:
    from typing import Never

    import pyarrow as pa

    from uriparse.arrow.column import ChunkedColumn
    from uriparse.arrow.hosts import DomainOf
    from uriparse.arrow.importing import ArrowColumn
    from uriparse.validation import Policy

T = TypeVar("T")
P = ParamSpec("P")

OBJECTS = {"policy": "Policy.web()", "domain_of": "function"}
"""Arguments that have no form in SQL, and how each is written."""


class ColumnFunction(Generic[P]):
    """A function of columns: its name, arguments, the type of its result, and what it calls.

    call: takes Arrow columns and arguments by name.
    kind: "bool", "int64", "text", "texts" for lists of them, or "parts" for a struct.
    single: what is called for one text, as a page shows it.
    columns: its arguments that are columns, in the order of SQL; the second may also be a constant.
    """

    name: str

    def __init__(
        self,
        call: Callable[Concatenate[ArrowColumn, P], ChunkedColumn],
        kind: str,
        single: str,
        columns: tuple[str, ...] = ("column",),
    ) -> None:
        self.call: Callable[..., ChunkedColumn] = call
        self.kind, self.single, self.columns = kind, single, columns
        self.parameters = signature(call).parameters
        self.first = "column" if "column" in columns else columns[0]
        own = [one for name, one in self.parameters.items() if name != self.first]
        self.signature = signature(call).replace(parameters=own)
        """That of the method: without its column."""
        options = [
            name for name, one in self.parameters.items()
            if one.kind is Parameter.POSITIONAL_OR_KEYWORD and name not in {*columns, *OBJECTS}
        ]  # fmt: skip
        self.inputs = (*columns, *options)
        """What SQL passes, in this order; what has a default may be left out."""

        def method(given: Functions[object], /, *args: object, **named: object) -> object:
            return given._applied(self, *args, **named)  # noqa: SLF001 - the method of its class

        update_wrapper(method, call, ("__doc__", "__module__"))
        bound = [Parameter("self", Parameter.POSITIONAL_ONLY), *own]
        method.__dict__["__signature__"] = self.signature.replace(parameters=bound)
        self._method = cast("FunctionType", method)

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = self._method.__name__ = name

    def __get__(
        self, given: Functions[T] | None, owner: type[Functions[T]] | None = None
    ) -> Callable[P, T]:
        """Return a method, whose signature and docstring are those of the function."""
        own = self._method if given is None else MethodType(self._method, given)
        return cast("Callable[P, T]", own)

    @property
    def needed(self) -> tuple[str, ...]:
        """What SQL must pass: the arguments without a default."""
        return tuple(n for n in self.inputs if self.parameters[n].default is Parameter.empty)


@dataclass(frozen=True)
class Call:
    """A function with its arguments: what columns are given to, in any process.

    columns: the names of the columns that it takes, in their order.
    """

    name: str
    columns: tuple[str, ...]
    arguments: Mapping[str, object] = field(default_factory=dict)

    def __call__(self, *columns: ArrowColumn) -> ChunkedColumn:
        """Return what the function makes of columns."""
        given = dict(zip(self.columns, columns, strict=True))
        return FUNCTIONS[self.name].call(**given, **self.arguments)

    def array(self, *columns: ArrowColumn) -> pa.Array:
        """Return what the function makes of columns, in one piece, and of the declared type."""
        return pyarrow().chunked_array(self(*columns)).cast(self.type).combine_chunks()

    def of_arrays(self, *given: pa.Array) -> pa.Array:
        """Return what the function makes of the inputs of SQL, for which others may be left out.

        Null where an argument other than a column is null.
        """
        inputs, needed = FUNCTIONS[self.name].inputs, FUNCTIONS[self.name].needed
        if not len(needed) <= len(given) <= len(inputs):
            shown = ", ".join(inputs)
            own = [one for one in OBJECTS if one in FUNCTIONS[self.name].parameters]
            hint = "".join(f"; its {o} is that of register(..., {o}={OBJECTS[o]})" for o in own)
            raise TypeError(f"{self.name} takes {shown}, {len(needed)} of them at least{hint}")
        count = len(self.columns)
        columns, names = given[:count], inputs[count : len(given)]
        rows: dict[tuple[object, ...], list[int]] = {}
        for row, key in enumerate(zip(*map(_values, given[count:]), strict=True)):
            rows.setdefault(key, []).append(row)
        if len(rows) <= 1:
            return self._made(columns, names, next(iter(rows), ()))
        pa = pyarrow()
        parts = [
            self._made([one.take(pa.array(places)) for one in columns], names, key)
            for key, places in rows.items()
        ]
        places = [row for own in rows.values() for row in own]
        back = pa.array(sorted(range(len(places)), key=places.__getitem__))
        return pa.chunked_array(parts).take(back).combine_chunks()

    def _made(
        self, columns: Sequence[pa.Array], names: Sequence[str], key: tuple[object, ...]
    ) -> pa.Array:
        if None in key:
            return pyarrow().nulls(len(columns[0]), self.type)
        arguments = {**self.arguments, **dict(zip(names, key, strict=False))}
        return replace(self, arguments=arguments).array(*columns)

    @property
    def kind(self) -> str:
        """The kind of the result."""
        return FUNCTIONS[self.name].kind

    @property
    def type(self) -> pa.DataType:
        """The type of the result."""
        return arrow_type(self.kind)

    @property
    def component(self) -> str | None:
        """The component that the result is, if it is one."""
        is_host = self.name == "host"
        return "host" if is_host else cast("str | None", self.arguments.get("component"))

    def checked(self) -> Call:
        """Return the call itself; errors of its arguments, before there are rows."""
        self(*[_NOTHING] * len(self.columns))
        return self


_NOTHING = Column(text_type(4), (values_of(0, texts((), 4)),))


_plain = cast("Callable[[object], Callable[..., ChunkedColumn]]", lambda call: call)
"""For methods whose column, or second column, a type checker does not follow."""


class Functions(Generic[T]):
    """The functions as methods of a column of an engine.

    given: the column. `_columns` are the types of columns that arguments may have, and `_other`
        is how another one is written.
    """

    _columns: tuple[type, ...] = ()
    _other = 'col("{}")'

    def __init__(self, given: T) -> None:
        self._given = given

    def __getattr__(self, name: str) -> Never:  # names of others, which `help` would list as ours
        hint = hints.advice(name, hints.foreign_names("columns", value="column.uri."))
        kind = type(self).__name__
        told = f"{kind!r} object has no attribute {name!r}{hint}"
        raise AttributeError(told, name=name, obj=self)

    def _applied(self, function: ColumnFunction[...], /, *args: object, **named: object) -> T:
        rest = function.signature.bind(*args, **named).arguments
        seconds = [name for name in function.columns if isinstance(rest.get(name), self._columns)]
        columns = {function.first: self._given, **{name: rest.pop(name) for name in seconds}}
        try:
            return self._made(Call(function.name, tuple(columns), rest), [*columns.values()])
        except (ResolutionError, URISyntaxError) as error:
            for text in [rest[name] for name in function.columns if name in rest]:
                error.add_note(f"for the column of this name, give {self._other.format(text)}")
            raise

    def _made(self, call: Call, columns: Sequence[object]) -> T:
        raise NotImplementedError

    is_valid = ColumnFunction(judging.is_valid, "bool", "is_valid")
    stop = ColumnFunction(judging.stop, "int64", "URISyntaxError.offset")
    verdict = ColumnFunction(policies.verdict, "text", "validate(...).reasons[0].code")
    findings = ColumnFunction(policies.findings, "texts", "validate(...).findings")
    split = ColumnFunction(judging.split, "parts", "parse")
    get = ColumnFunction(judging.get, "text", "parse(...).port")
    host = ColumnFunction(judging.host, "text", "parse(...).host")
    registered_domain = ColumnFunction(hosts.registered_domain, "text", "")
    query_value = ColumnFunction(distinct.query_value, "text", "parse(...).query_value")
    normalize = ColumnFunction(judging.normalize, "text", "normalize")
    resolve = ColumnFunction(_plain(distinct.resolve), "text", "resolve", ("base", "column"))
    equivalent = ColumnFunction(_plain(distinct.equivalent), "bool", "equivalent", ("a", "b"))
    key = ColumnFunction(distinct.key, "text", "keys.key")
    strip_query = ColumnFunction(distinct.strip_query, "text", "keys.drop_query")
    redact = ColumnFunction(distinct.redact, "text", "redact")
    to_iri = ColumnFunction(distinct.to_iri, "text", "uri_to_iri")
    to_uri = ColumnFunction(distinct.to_uri, "text", "iri_to_uri")
    whatwg = ColumnFunction(judging.whatwg, "text", "whatwg.parse(...).href")


FUNCTIONS: Mapping[str, ColumnFunction[...]] = {
    name: one for name, one in vars(Functions).items() if isinstance(one, ColumnFunction)
}


def arrow_type(kind: str) -> pa.DataType:
    """Return the type of pyarrow that a result has."""
    pa = pyarrow()
    text = pa.string()
    known = {"bool": pa.bool_(), "int64": pa.int64(), "text": text, "texts": pa.list_(text)}
    return known.get(kind) or pa.struct([(part, text) for part in COLUMNS])


def _values(given: pa.Array) -> list[object]:
    """Return the values of an argument, which is nearly always the same in all rows."""
    is_nested = pyarrow().types.is_nested(given.type)
    is_one = not is_nested and len(given.unique()) == 1
    values = given[:1].to_pylist() * len(given) if is_one else given.to_pylist()
    return [tuple(one) if isinstance(one, list) else one for one in values]


class SQLOptions(TypedDict, total=False):
    """What the functions of an engine of SQL share.

    grammar: "rfc3987" for IRIs and IRI references; a policy has its own.
    policy: by default what a server may fetch on behalf of others.
    domain_of: returns the registered domain of a name; by default that of publicsuffixlist.
    arguments: by the name of a function, arguments in place of its defaults.
    """

    grammar: str
    policy: Policy
    domain_of: DomainOf
    arguments: Mapping[str, Mapping[str, object]]


def sql_functions(**options: Unpack[SQLOptions]) -> Iterator[Call]:
    """Yield the functions for an engine of SQL, which gives them arrays: `Call.of_arrays`.

    TypeError for options, functions and arguments that there are not, and for another policy;
    ValueError for another grammar.
    """
    known = ", ".join(SQLOptions.__annotations__)
    unknown = [name for name in options if name not in SQLOptions.__annotations__]
    if unknown:
        raise TypeError(f"there is no option {unknown[0]!r}; there are {known}")
    as_choice(options.get("grammar", "rfc3986"), "grammar", tuple(REFERENCE_RULES))
    as_policy(options.get("policy", OUTBOUND))
    shared: dict[str, object] = {**options}
    own = options.get("arguments", {})
    unknown = [name for name in own if name not in FUNCTIONS]
    if unknown:
        raise TypeError(f"there is no function {unknown[0]!r}; there are {', '.join(FUNCTIONS)}")
    for name, function in FUNCTIONS.items():
        given = {one: shared[one] for one in shared if one in function.parameters}
        if name in own:
            given |= own[name]
            function.signature.bind_partial(**given)
        yield Call(name, function.columns, given)
