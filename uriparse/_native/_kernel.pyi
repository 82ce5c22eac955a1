from collections.abc import Callable, Mapping, MutableSequence
from typing import Self, TypeAlias, TypeVar, final

_F = TypeVar("_F", bound=Callable[..., object])
_Explain: TypeAlias = Callable[[str], Exception]
_Outcome: TypeAlias = tuple[int, Block | None, Block, Block | None]
_Defaults: TypeAlias = tuple[
    bytes, bytes | None, bytes | None, bytes | None, bool, bool, bool, bool
]
_Words: TypeAlias = tuple[bytes, ...] | None
Conditions: TypeAlias = tuple[
    tuple[int, ...],
    tuple[int, int],
    tuple[int, ...],
    tuple[_Words, ...],
    tuple[bytes, bytes],
    tuple[Rule | int | tuple[int, ...], ...],
    int,
    tuple[bool, bool, bool, bool],
    tuple[bytes, bytes, bytes, bytes],
]
_Selection: TypeAlias = tuple[tuple[int, ...]] | tuple[int, tuple[bytes, ...]]

FORMAT: int
PARSE: int
TRY_PARSE: int
BROWSER: int
IS_VALID: int
PARSE_URL: int

class Tables:
    def __new__(cls, data: bytes, /) -> Self: ...

class Rule:
    def __new__(
        cls, tables: Tables, start: int, fallback: Callable[[str], object | None], /
    ) -> Self: ...
    def fullmatch(self, text: str, /) -> object | None: ...
    def verdicts(self, rows: Rows, /) -> _Outcome: ...
    def stops(self, rows: Rows, /) -> _Outcome: ...
    def split(
        self, rows: Rows, selections: tuple[_Selection, ...], width: int, /
    ) -> tuple[_Outcome, ...]: ...
    def sighted(self, rows: Rows, conditions: Conditions, /) -> tuple[Block, Block]: ...
    def changed(
        self,
        rows: Rows,
        field: int,
        flags: bytes,
        known: Mapping[bytes, bool],
        function: Callable[[bytes], bytes | None] | None,
        width: int,
        /,
    ) -> _Outcome: ...

@final
class Rows:
    def __len__(self) -> int: ...
    def __getitem__(self, row: int, /) -> bytes | None: ...

@final
class Block:
    def __buffer__(self, flags: int, /) -> memoryview: ...

class Reader:
    def __new__(
        cls,
        rule: Rule,
        records: tuple[type, ...],
        whole: object,
        fields: tuple[object, ...],
        fixed: tuple[tuple[object, object], ...],
        kinds: tuple[tuple[int, int, tuple[type, ...], object], ...],
        located: tuple[tuple[int, type[str], object], ...],
        fallback: Callable[[str], object | None],
        /,
    ) -> Self: ...
    def read(self, text: str, /) -> object | None: ...
    def finds(
        self, text: str, plan: tuple[object, ...], state: tuple[int, ...], /
    ) -> tuple[list[object], bool, int, int, int, int, int, int] | None: ...

class Rewriter:
    def __new__(
        cls,
        reader: Reader,
        fields: bytes,
        triplets: bytes,
        defaults: tuple[_Defaults, ...],
        /,
    ) -> Self: ...
    def normal(self, text: str, by_scheme: bool, record: object | None, /) -> object | None: ...
    def target(
        self, base: str, reference: str, strict: bool, record: object | None, /
    ) -> object | None: ...
    def made(self, text: str, /, *components: object) -> object | None: ...
    def built(self, in_segment: bytes, in_pair: bytes, /, *data: object) -> object | None: ...
    def normals(self, rows: Rows, by_scheme: bool, width: int, /) -> _Outcome: ...
    def targets(self, rows: Rows, base: str | Rows, strict: bool, width: int, /) -> _Outcome: ...
    def equivalents(
        self,
        rows: Rows,
        others: Rows,
        by_scheme: bool,
        known: Mapping[bytes, bool],
        function: Callable[[bytes, bytes], bool | None],
        /,
    ) -> _Outcome: ...

class SchemeReader:
    def __new__(
        cls,
        reader: Reader,
        word: str,
        name: str,
        rest: object,
        fallback: Callable[[str, str, str, object], object | None],
        needed: object | None = None,
        following: Self | None = None,
        /,
    ) -> Self: ...
    def read(self, text: str, part: str, name: str, rest: object, /) -> object | None: ...
    def whole(self, text: str, /) -> object | None: ...

def fastcall(number: int, function: _F, name: str, doc: str, module: str, /) -> _F: ...
def activate(
    number: int,
    given: Rule | Reader | SchemeReader,
    refusal: tuple[type[Exception], _Explain] = ...,
    /,
) -> None: ...
def stopped(rows: bytes, classes: bytes, text: str, state: int, /) -> tuple[int, int]: ...
def pairs(
    query: str, separator: str, plus: bool, alone: Callable[[tuple[str, None]], object], /
) -> tuple[tuple[str, str | None], ...] | None: ...
def encoded(kept: bytes, fallback: Callable[[str], str], text: str, /) -> str: ...
def domains(rows: Rows, suffixes: bytes, width: int, /) -> tuple[_Outcome, Block]: ...
def distinct(rows: Rows, /) -> tuple[Block, list[bytes]]: ...
def named(
    numbers: Block | bytes | bytearray, size: int, names: tuple[bytes | None, ...], width: int, /
) -> _Outcome: ...
def patched(
    rows: Rows, kept: Block | bytes, given: tuple[bytes | None, ...], width: int, /
) -> _Outcome: ...
def recalled(
    rows: Rows,
    kinds: bytes,
    known: Mapping[bytes, int],
    ends: bytes,
    numbers: bytearray,
    places: MutableSequence[int],
    /,
) -> None: ...
def imported(
    capsule: object, array: object = ..., /
) -> tuple[bytes, bytes | None, list[Rows] | None]: ...
def schema(kind: tuple[object, ...], /) -> object: ...
def array(values: tuple[object, ...], /) -> object: ...
def stream(kind: tuple[object, ...], values: tuple[tuple[object, ...], ...], /) -> object: ...
