from typing import Protocol, Self, TypeAlias, final

_Found: TypeAlias = tuple[bool, int, bool, list[tuple[int, int]], bytes | None]

FORMAT: int

class _Tables(Protocol):
    def ask(self, what: int, a: int, b: int, c: int, /) -> int: ...
    def row(self, state: int, /) -> tuple[int, bool, bool, tuple[int, ...]]: ...
    def way(self, number: int, /) -> tuple[tuple[int, ...], int, int, int, int]: ...

@final
class Engine:
    def __new__(
        cls, tables: _Tables, cuts: tuple[int, ...], refusal: type[Exception], /
    ) -> Self: ...
    def read(
        self, rule: int, text: str, kept: bytes | None, room: tuple[int, int, int], /
    ) -> _Found: ...
