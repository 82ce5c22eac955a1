"""Public functions with the kernel in front: a single str is read at once, the rest in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from uriparse._native import kernel

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FunctionType

    from uriparse._native import _kernel


_F = TypeVar("_F", bound="Callable[..., object]")


def door(number: str, function: _F) -> _F:
    """Give what is to stand in the place of a public function: the same without a kernel.

    It has the name, signature and docstring of the function, and gives to it whatever is not a
    single str proper; and a single str too, as long as the door is locked.

    number: the name of the door among the kernel's constants.
    """
    if kernel is None:
        return function
    name = function.__name__
    own = function.__doc__ or ""  # `python -OO` leaves none
    doc = f"{name}{signature(function)}\n--\n\n{own}"  # type: ignore[arg-type]
    made: _F = kernel.door(getattr(kernel, number), function, name, doc, function.__module__)
    return made


def unlock(number: str, given: Callable[[str], object | None]) -> None:
    """Let a door read by a method of the kernel's; without a kernel there is none to open."""
    own: _kernel.Rule | _kernel.Reader | None = getattr(given, "__self__", None)
    if kernel is not None and isinstance(own, kernel.Rule | kernel.Reader):
        kernel.unlock(getattr(kernel, number), own)


def signature(function: FunctionType) -> str:
    """Write the signature of a function as the docstrings of C functions begin.

    >>> def f(a, b="c", *, d=1): ...
    >>> signature(f)
    "(a, b='c', *, d=1)"
    """
    code = function.__code__
    count, only = code.co_argcount, code.co_kwonlyargcount
    names = code.co_varnames[: count + only]
    defaults = function.__defaults__ or ()
    values = dict(zip(names[count - len(defaults) : count], defaults, strict=True))
    values |= function.__kwdefaults__ or {}
    shown = [f"{name}={values[name]!r}" if name in values else name for name in names]
    if only:
        shown.insert(count, "*")
    return f"({', '.join(shown)})"
