from collections.abc import Callable, Container, Sequence
from typing import Generic, Protocol, Self, TypeAlias, TypeVar, final

from lark import Token, Tree

_Found: TypeAlias = tuple[bool, int, bool, list[tuple[int, int]], bytes | None]

_N = TypeVar("_N", bound=Node)
_T = TypeVar("_T")

FORMAT: int

def made(made: Callable[..., _T], values: dict[str, object], /) -> _T: ...

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

class Node:
    data: str
    children: Sequence[Token | Tree[Token]]
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def derived(self) -> Derived[Node] | None: ...

@final
class Derived(Generic[_N]):
    def __new__(
        cls,
        text: str,
        names: Sequence[str],
        nodes: memoryview,
        kind: type[_N],
        token: type[Token],
        word: str,
        omitted: Container[str],
        /,
    ) -> Self: ...
    def tree(self) -> _N: ...
    def place(self, offset: int, /) -> tuple[int, int]: ...
