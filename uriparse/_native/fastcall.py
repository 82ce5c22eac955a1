"""Fast calls: public functions whose single str is read in C, and every other call in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from uriparse._native import kernel

if TYPE_CHECKING:
    from types import FunctionType

    from uriparse._native import _kernel


_F = TypeVar("_F", bound="Callable[..., object]")


def fastcall(number: str, function: _F) -> _F:
    """Return the fast version of a public function; the function itself without the kernel.

    The fast version has the name, signature and docstring of the function, and passes it every call
    but those with a single str. Until it is activated, it passes all calls.

    number: the name of the constant for this function, such as PARSE or IS_VALID.
    """
    if kernel is None:
        return function
    name = function.__name__
    own = function.__doc__ or ""  # None with `python -OO`
    # In this form `inspect` reads the signature of a C function from the text of its docstring.
    doc = f"{name}{signature(function)}\n--\n\n{own}"  # type: ignore[arg-type]
    made: _F = kernel.fastcall(getattr(kernel, number), function, name, doc, function.__module__)
    return made


def activate(
    number: str,
    given: Callable[[str], object | None],
    *refusal: tuple[type[Exception], Callable[[str], Exception]],
) -> None:
    """Let a fast call read texts by a kernel method; does nothing for any other function.

    refusal: the class of the error that PARSE raises, and what explains it, for `_explain`.
    """
    own: _kernel.Rule | _kernel.Reader | _kernel.SchemeReader | None
    own = getattr(given, "__self__", None)
    if kernel is not None and isinstance(own, kernel.Rule | kernel.Reader | kernel.SchemeReader):
        kernel.activate(getattr(kernel, number), own, *refusal)


def signature(function: FunctionType) -> str:
    """Format the signature of a function as the docstring of a C function begins with it."""
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
