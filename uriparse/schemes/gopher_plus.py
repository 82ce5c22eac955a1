"""The string at the end of a Gopher+ URL (RFC 1738 sections 3.4.5 to 3.4.9): what is asked for.

The octets that a client sends after the selector: "+" and a view for the item in a form of its
own, "!" or "$" for attributes, "?" for an item that asks questions first, and, once they are
answered, a data block that holds the answers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from uriparse._base.coerce import as_items, as_optional_str, as_str, refusal
from uriparse.errors import EncodingError
from uriparse.schemes.encoding import octets_of

Kind: TypeAlias = Literal[
    "default-view", "view", "attributes", "directory-attributes", "ask-form", "filled-form", "other"
]

_DATA_FOLLOWS = b"\t1"
_BLOCK_START = b"+-1\r\n"
_BLOCK_END = b".\r\n"
_ATTRIBUTE_KINDS: dict[bytes, Kind] = {b"!": "attributes", b"$": "directory-attributes"}


@dataclass(frozen=True, slots=True)
class GopherPlus:
    r"""What a Gopher+ string asks for.

    kind: `"default-view"` (`+`), `"view"` (`+view` with or without a language),
        `"attributes"` (`!`) of the item, `"directory-attributes"` (`$`) of all items in the
        directory, `"ask-form"` (`?`), `"filled-form"`, or `"other"`, which RFC 1738 does not
        describe.
    octets: the decoded string itself.
    view: a view's name, usually a media type; None if none is named.
    language: the language of the view, None if none is named.
    names: attributes asked for, as `+ABSTRACT`; none for all.
    answers: what a filled form answers; None without a form.

    Octets that are not UTF-8 are kept in the texts as lone surrogates, as `os.fsdecode` does.

    >>> GopherPlus.of(b"+application/postscript Es_ES").language
    'Es_ES'
    >>> GopherPlus.of(b"!+ABSTRACT +SMELL").names
    ('+ABSTRACT', '+SMELL')
    """

    kind: Kind
    octets: bytes
    view: str | None = None
    language: str | None = None
    names: tuple[str, ...] = ()
    answers: tuple[str, ...] | None = None

    @classmethod
    def of(cls, octets: bytes) -> GopherPlus:
        """Read a decoded Gopher+ string. Never fails: what is not described is `"other"`."""
        if not isinstance(octets, bytes):
            raise refusal(octets, "octets", "bytes")
        first = octets[:1]
        if octets == b"?":
            return cls("ask-form", octets)
        if first in _ATTRIBUTE_KINDS:
            names = tuple(_text(name) for name in octets[1:].split(b" ") if name)
            return cls(_ATTRIBUTE_KINDS[first], octets, names=names)
        if first != b"+":
            return cls("other", octets)
        head, mark, block = octets[1:].partition(b"\r\n")
        if not mark:
            view, language = _view(head)
            if b"\t" in head:
                return cls("other", octets)
            return cls("view" if view else "default-view", octets, view, language)
        answers = _answers(block)
        if answers is None or not head.endswith(_DATA_FOLLOWS):
            return cls("other", octets)
        view, language = _view(head.removesuffix(_DATA_FOLLOWS))
        return cls("filled-form", octets, view, language, answers=answers)

    @classmethod
    def filled(
        cls, answers: Iterable[str], *, view: str | None = None, language: str | None = None
    ) -> GopherPlus:
        r"""Make the string that returns the answers to a form (RFC 1738 section 3.4.9).

        EncodingError for an answer that would end its line or the block, for a view or a language
        with a space or a control character, and for a lone surrogate that is not an octet.

        >>> GopherPlus.filled(["x", "y"]).octets
        b'+\t1\r\n+-1\r\nx\r\ny\r\n.\r\n'
        """
        given = as_items(answers, "answers", "an iterable of lines")
        lines = tuple(as_str(line, "an answer") for line in given)
        view = as_optional_str(view, "view")
        language = as_optional_str(language, "language")
        for line in lines:
            if line == "." or "\r" in line or "\n" in line or "\0" in line:
                raise EncodingError("an answer is one line, and not a lone full stop", text=line)
        head = "+" + " ".join(part for part in (view, language) if part is not None)
        for part in (view, language):
            if part is not None and (not part or min(part) <= " "):
                raise EncodingError("a view or a language has no space or control", text=part)
        if language is not None and view is None:
            raise EncodingError("a language belongs to a view", text=language)
        body = "".join(f"{line}\r\n" for line in lines)
        octets = _octets(head) + _DATA_FOLLOWS + b"\r\n" + _BLOCK_START
        return cls.of(octets + _octets(body) + _BLOCK_END)


def _view(head: bytes) -> tuple[str | None, str | None]:
    view, space, language = head.partition(b" ")
    return _text(view) if view else None, _text(language) if space else None


def _answers(block: bytes) -> tuple[str, ...] | None:
    """Return the lines of a data block; None if the text is not exactly one block."""
    if not block.startswith(_BLOCK_START) or not block.endswith(b"\r\n"):
        return None
    *lines, last = block.removeprefix(_BLOCK_START).removesuffix(b"\r\n").split(b"\r\n")
    if last != b"." or b"." in lines:
        return None
    if any(octet in line for line in lines for octet in (b"\r", b"\n", b"\0")):
        return None
    return tuple(_text(line) for line in lines)


def _text(octets: bytes) -> str:
    return octets.decode("utf-8", "surrogateescape")


def _octets(text: str) -> bytes:
    return octets_of(text, "surrogateescape")
