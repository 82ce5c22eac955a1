from collections.abc import Callable
from typing import Self, TypeVar

_F = TypeVar("_F", bound=Callable[..., object])

FORMAT: int
PARSE: int
TRY_PARSE: int
IS_VALID: int

class Tables:
    def __new__(cls, data: bytes, /) -> Self: ...

class Rule:
    def __new__(
        cls, tables: Tables, start: int, otherwise: Callable[[str], object | None], /
    ) -> Self: ...
    def fullmatch(self, text: str, /) -> object | None: ...
    def stop(self, text: str, /) -> int | None: ...

class Reader:
    def __new__(
        cls,
        rule: Rule,
        records: tuple[type, ...],
        whole: object,
        fields: tuple[object, ...],
        fixed: tuple[tuple[object, object], ...],
        kinds: tuple[tuple[int, int, tuple[type, ...], object], ...],
        otherwise: Callable[[str], object | None],
        /,
    ) -> Self: ...
    def read(self, text: str, /) -> object | None: ...

def door(number: int, function: _F, name: str, doc: str, module: str, /) -> _F: ...
def unlock(number: int, given: Rule | Reader, /) -> None: ...
