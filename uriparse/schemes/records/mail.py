"""Addresses and message ids as mail and news define them, which RFC 1738 only refers to.

Without the comments, folding and routes that RFC 822 allows between the words of an address in
the header of a message: none of them identifies a mailbox.
"""

from __future__ import annotations

_SPECIALS = frozenset(b'()<>@,;:\\".[]')
_ATOM = frozenset(range(0x21, 0x7F)) - _SPECIALS
_CR = 0x0D
_QUOTE, _BACKSLASH, _OPEN, _CLOSE, _DOT, _AT = b'"\\[].@'
_MESSAGE_ID = frozenset(range(0x21, 0x7F)) - frozenset(b"<>@")


def is_addr_spec(address: bytes) -> bool:
    r"""Whether octets are an `addr-spec` (RFC 822 section 6.1): words, "@", a domain.

    Words are atoms or quoted strings between full stops; the parts of a domain are atoms, or
    literals in brackets.

    >>> [is_addr_spec(text) for text in (b"a.b@c.d", b'"a b"@[10.0.0.1]', b"a@", b".a@b")]
    [True, True, False, False]
    """
    at = _words(address, 0, _QUOTE, _QUOTE)
    if at is None or not address.isascii() or address[at : at + 1] != b"@":
        return False
    return _words(address, at + 1, _OPEN, _CLOSE) == len(address)


def is_message_id(text: bytes) -> bool:
    """Whether octets are a message id without angle brackets (RFC 1036 section 2.1.5).

    Printable characters but "<" and ">", with one "@" among them.

    >>> is_message_id(b"4234@h.dom"), is_message_id(b"a@b@c"), is_message_id(b"@c")
    (True, False, False)
    """
    unique, at, domain = text.partition(b"@")
    return bool(unique and at and domain) and _MESSAGE_ID.issuperset(unique + domain)


def _words(text: bytes, at: int, opening: int, closing: int) -> int | None:
    """Read words between full stops from an offset; give the offset after them, None if none."""
    while True:
        start = at
        if at < len(text) and text[at] == opening:
            end = _delimited(text, at + 1, closing)
            if end is None:
                return None
            at = end
        else:
            while at < len(text) and text[at] in _ATOM:
                at += 1
        if at == start:
            return None
        if at == len(text) or text[at] != _DOT:
            return at
        at += 1


def _delimited(text: bytes, at: int, closing: int) -> int | None:
    """Read to a closing delimiter, over what a backslash quotes; None if it does not come."""
    while at < len(text) and text[at] != closing:
        if text[at] == _CR or (text[at] == _OPEN and closing == _CLOSE):
            return None
        at += 2 if text[at] == _BACKSLASH else 1
    return at + 1 if at < len(text) else None
