"""Names that other libraries use, so that an AttributeError can suggest ours.

They are in migration_hints.txt, by what they are tried on. A section is read where a class states
it, and that of a module when somebody tries a name that the module lacks.
"""

from __future__ import annotations

from uriparse._data_files import text_beside

TYPE_CHECKING = False  # as in `typing`, which the command loads later (see the front)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import ClassVar, Never


def _sections() -> dict[str, str]:
    """Return the rows of each section; none where a program was packed without its data."""
    try:
        text = text_beside(__name__, "migration_hints.txt")
    except OSError:
        return {}
    blocks = (block.partition("\n") for block in text.split("\n\n")[1:])
    return {title[1 : title.index("]")]: rows for title, _, rows in blocks}


_SECTIONS = _sections()


def foreign_names(*sections: str, value: str = "") -> dict[str, str]:
    """Return what to write, by each name of some sections; a later section replaces an earlier one.

    value: what stands for `{}` in the rows.

    >>> foreign_names("text", value="host")["lower"]
    'str(host).lower'
    """
    found = {}
    for section in sections:
        for row in _SECTIONS.get(section, "").replace("{}", value).splitlines():
            code, _, names = row.partition(" <- ")
            for name in names.split():
                found[name] = f"{code[:-1]}{name}" if code.endswith(".*") else code
    return found


def on_arrow() -> dict[str, str]:
    """Return what to write, by names of functions of columns that are tried on `uriparse.arrow`."""
    found = foreign_names("columns", value="uriparse.arrow.").items()
    return {n: c.replace("(", "(column, ").replace(", )", ")") for n, c in found}


class ForeignName:
    """A name that a class does not have: reading it raises an AttributeError that says ours.

    `hasattr` is False. A `__getattr__` would say it as well, but with one CPython 3.11 takes nine
    times as long to read any component.
    """

    def __init__(self, name: str, words: str) -> None:
        self._name = name
        self._words = words

    @property
    def __doc__(self) -> str:  # type: ignore[override]  # which only `help` asks for
        """What `help` shows."""
        return f"Not here: use {self._words}."

    def __get__(self, instance: object, owner: type) -> Never:
        """Raise the error of `object` with a hint at its end."""
        shown = f"{owner.__name__!r} object" if instance is not None else f"type {owner.__name__!r}"
        raise AttributeError(
            f"{shown} has no attribute {self._name!r}: use {self._words}",
            name=self._name,
            obj=owner if instance is None else instance,
        )

    def __set__(self, instance: object, value: object) -> Never:
        """Raise the same error; and so `help` lists these names apart from methods."""
        self.__get__(instance, type(instance))


def refusing(what: str, *ours: str) -> Callable[[object, object], Never]:
    """Return a method for an operator that a class does not have; a TypeError says what has."""

    def refuse(self: object, _: object) -> Never:
        raise TypeError(f"{type(self).__name__!r} object {what}: use {' or '.join(ours)}")

    return refuse


class Foreign:
    """A class whose values answer the names of other libraries with advice.

    They are listed by `help`, and not by the `dir` of a value.
    """

    __slots__ = ()
    _FOREIGN: ClassVar[Mapping[str, str]] = {}

    def __init_subclass__(cls, foreign: Mapping[str, str] | None = None) -> None:
        super().__init_subclass__()
        if foreign is not None:
            cls._FOREIGN = foreign
            for name, words in foreign.items():
                if not hasattr(cls, name):
                    setattr(cls, name, ForeignName(name, words))

    def __dir__(self) -> Iterable[str]:
        # What is foreign to a class may be a field of one made of it.
        from inspect import getattr_static  # noqa: PLC0415 - only who asks pays for it

        found = {name: getattr_static(type(self), name, None) for name in self._FOREIGN}
        foreign = {name for name, value in found.items() if isinstance(value, ForeignName)}
        return [name for name in super().__dir__() if name not in foreign]


def advice(name: str, known: Mapping[str, str]) -> str:
    """Say what to use instead of a name, as the end of a message; `""` where nothing is known.

    `isUri`, `IsURI` and `is_uri` are one name.
    """
    plain = {_plain(one): words for one, words in known.items()}
    words = known.get(name) or plain.get(_plain(name))
    return f": use {words}" if words else ""


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def of_front(name: str, public: Mapping[str, str]) -> str:
    """Say what to use instead of a name that is not in the package, as the end of a message.

    public: where each public name is.
    """
    from difflib import get_close_matches  # noqa: PLC0415 - only who errs pays for it

    near = get_close_matches(name, public, 1, cutoff=0.85)
    meant = f": use {public[near[0]]}" if near else ""
    ours, below = foreign_names("package"), foreign_names("modules")
    known = ours if name in ours else public
    return advice(name, below) or advice(name, known) or advice(name, ours) or meant


def answers(
    module: str, names: Callable[[], Mapping[str, str]] | None = None
) -> Callable[[str], object]:
    """Return the `__getattr__` of a module: it has its modules, and answers the names of others.

    names: returns these; None for the section of the module's own name.
    """

    def answer(name: str) -> object:
        from importlib import import_module  # noqa: PLC0415 - only who asks pays for it
        from importlib.util import find_spec  # noqa: PLC0415 - same

        known = names() if names else foreign_names(module.rpartition(".")[2])
        if not name.startswith("_") and name not in known and find_spec(f"{module}.{name}"):
            return import_module(f"{module}.{name}")
        hint = advice(name, known)
        raise AttributeError(f"module {module!r} has no attribute {name!r}{hint}", name=name)

    return answer
