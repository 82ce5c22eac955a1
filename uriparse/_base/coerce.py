"""Coerce arguments: text that comes in becomes a plain `str` once, in public functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import total_ordering
from typing import Any, Protocol, Self, TypeAlias, TypeGuard, TypeVar, cast

from uriparse.errors import EncodingError

# Values that are text.


class Textual:
    """A value that has a text; a copy of it is the value itself.

    Wherever a function of uriparse takes text, such a value is accepted for its own (`as_text`).
    Subclasses keep the text in a slot `_text`, or define `__str__`.
    """

    __slots__ = ()
    _text: str

    def __str__(self) -> str:
        return self._text

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _: object) -> Self:
        return self


_D = TypeVar("_D")


def derived(find: Callable[[Any], _D]) -> _D:
    """State, in the body of a class, what its values find in their parts: a property."""
    return cast("_D", property(find))


@total_ordering
class ComparedAsText(Textual):
    """A value that is its text: equal to it, hashed and ordered as it is.

    So a host is found in a set of names, and a name in a set of hosts. Two values of any classes
    are equal when their texts are: were `RegName("h")` and `RelativeRef(path="h")` equal to "h"
    and not to each other, what a set keeps of the three would hang on their order.
    Subclasses keep the text in a slot `_text`.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if isinstance(other, ComparedAsText):
            return self._text == other._text
        # The characters alone: a subclass of str may compare as something else.
        return str.__eq__(self._text, other)

    def __hash__(self) -> int:
        return hash(self._text)

    def __lt__(self, other: str | ComparedAsText) -> bool:
        # `str` refuses to compare with any other value.
        return str.__lt__(self._text, other._text if isinstance(other, ComparedAsText) else other)


# Arguments: text becomes a plain `str` once, and a value of another type is refused.
#
# A subclass of `str` may print as something else than its characters (every `(str, Enum)` does),
# so that a record made from it would contradict itself. A value of another type would fail later,
# at some method that it lacks. So every public function calls these functions on its text, and
# inner functions do not.

_C = TypeVar("_C", bound=str)
_T = TypeVar("_T")


class ForeignURL(Protocol):
    """The URL of another library, as far as type checkers can know one."""

    @property
    def scheme(self) -> object:
        """Its scheme."""

    @property
    def path(self) -> object:
        """Its path."""


Text: TypeAlias = str | bytes | Textual | ForeignURL
"""What is accepted as text: text, ASCII bytes, a record, or a URL of another library."""

Data: TypeAlias = str | bytes | bytearray | memoryview | Textual
"""What is accepted as data: text, any octets, or a record for its text."""

Value: TypeAlias = Data | int | float | None
"""The value of a pair in a query: data, a number, "true" or "false"; None without "="."""

Values: TypeAlias = Value | list[Value] | tuple[Value, ...]
"""One value of a name, or several, each for a pair of its own."""

Pairs: TypeAlias = Iterable[tuple[Data, Value]] | Mapping[str, Values]
"""Names and values, in their order; or a mapping, which has each name once."""


def as_text(value: Text, name: str = "text") -> str:
    """Return a text as a plain `str`; of a URL of another library, the text that it writes.

    TypeError, which names the parameter, for another type; EncodingError, with its offset, for
    an octet that is not ASCII.
    """
    if type(value) is str:
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, Textual):
        return str.__str__(str(value))
    if not isinstance(value, bytes):
        value = _written(value, name)
        if isinstance(value, str):
            return str.__str__(value)
    try:
        return bytes.decode(value, "ascii")
    except UnicodeDecodeError as error:
        octet, offset = error.object[error.start], error.start
    # After the handler: inside it, the codec's error, which shows all octets, would be the context.
    raise EncodingError(
        f"{name}: octet 0x{octet:02X} at offset {offset} is not ASCII: decode the bytes first",
        text=bytes.decode(value, "ascii", "replace"),
        offset=offset,
    )


# URLs of other libraries are taken for the text that they write, so that programs can move step by
# step. None of the packages is loaded: a class says by itself where it is from.

_WRITERS: Mapping[str, tuple[str, bool] | tuple[str]] = {
    **dict.fromkeys(("hyperlink.DecodedURL", "hyperlink.URL"), ("to_text", True)),  # with password
    **dict.fromkeys(("furl.furl", "httpx.URL", "httpx2.URL", "yarl.URL"), ("__str__",)),
    **dict.fromkeys(("pydantic._BaseUrl", "pydantic._BaseMultiHostUrl"), ("__str__",)),
    **dict.fromkeys(("pydantic_core.Url", "pydantic_core.MultiHostUrl"), ("__str__",)),
    **dict.fromkeys(("cloudpathlib.CloudPath", "starlette.URL", "upath.UPath"), ("__str__",)),
    **dict.fromkeys(("rfc3986.ParseResult", "rfc3986.URIReference"), ("unsplit",)),
    **dict.fromkeys(("uritools.SplitResultBytes", "uritools.SplitResultString"), ("geturi",)),
    **{
        f"urllib.{kind}Result{of}": ("geturl",)
        for kind in ("Split", "Parse", "Defrag")
        for of in ("", "Bytes")
    },
}
"""By package and class the method that writes the text of an object, and its argument."""


def is_other_url(value: object) -> TypeGuard[ForeignURL]:
    """Return whether a value is the URL of another library that is taken for its text."""
    return _writer(value) is not None


def _writer(value: object) -> tuple[str, bool] | tuple[str] | None:
    names = (f"{one.__module__.partition('.')[0]}.{one.__name__}" for one in type(value).__mro__)
    return next((_WRITERS[name] for name in names if name in _WRITERS), None)


def _written(value: object, name: str) -> str | bytes:
    """Return the text of a URL of another library; TypeError for any other value."""
    if writer := _writer(value):
        text: object = getattr(value, writer[0])(*writer[1:])
        if isinstance(text, str | bytes):
            return text
    expected = "a str, ASCII bytes or a URI record"
    if hasattr(value, "__fspath__"):
        expected += " (see uriparse.building.from_path for paths)"
    raise refusal(value, name, expected)


def as_data(
    value: Data, name: str = "data", wanted: str = "a str, octets as bytes or a record"
) -> str | bytes:
    """Return data as a plain `str` or as `bytes`; TypeError, which says what is accepted."""
    if isinstance(value, str | Textual):
        return as_text(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return memoryview(value).tobytes()
    raise refusal(value, name, wanted)


def as_str(value: str, name: str) -> str:
    """Return an argument that must be a `str` as a plain `str`; TypeError, which names it."""
    if type(value) is str:
        return value
    if isinstance(value, str):
        return str.__str__(value)
    raise refusal(value, name, "a str")


def as_optional_str(value: str | None, name: str) -> str | None:
    """Return an argument that must be a `str` or None as a plain `str` or None; else TypeError."""
    if value is None or type(value) is str:
        return value
    if isinstance(value, str):
        return str.__str__(value)
    raise refusal(value, name, "a str or None")


def as_choice(value: str, name: str, choices: Sequence[_C]) -> _C:
    """Return a word that must be one of a few; ValueError, which names them, for another."""
    word = as_str(value, name)
    if word in choices:
        return choices[choices.index(word)]
    from uriparse.errors import excerpt  # noqa: PLC0415 - only refused words pay for it

    *first, last = (f'"{choice}"' for choice in choices)
    raise ValueError(f"{name} must be {', '.join(first)} or {last}, not {excerpt.quoted(word)}")


def as_instance(value: object, kind: type[_T], name: str) -> _T:
    """Return an argument that must be of one class; TypeError for another."""
    if isinstance(value, kind):
        return value
    raise refusal(value, name, f"a {kind.__name__}")


_SEQUENCES = frozenset({list, tuple})


def as_items(value: Iterable[_T], name: str, expected: str) -> Iterable[_T]:
    """Return an argument that must be an iterable of values.

    TypeError if it is not iterable, and for a single text: iterating its characters is a mistake.
    """
    if type(value) in _SEQUENCES:  # as most are: the checks below take several times as long
        return value
    if isinstance(value, Iterable) and not isinstance(value, str | bytes | bytearray | memoryview):
        return value
    raise refusal(value, name, expected)


def each_pair(pairs: Mapping[str, Values]) -> Iterator[tuple[str, Value]]:
    """Yield the pairs of a mapping: one for each of several values of a name."""
    for name, value in pairs.items():
        if isinstance(value, list | tuple):
            yield from ((name, one) for one in value)
        else:
            yield name, value


def is_unicode(text: str) -> bool:
    """Return whether a text has no lone surrogates, and so can be encoded."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def refusal(value: object, name: str, expected: str) -> TypeError:
    """Make the error for a value of a type that a parameter does not take."""
    return TypeError(f"{name} must be {expected}, not {type(value).__name__}")
