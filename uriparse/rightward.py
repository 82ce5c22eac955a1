"""Functions that lie to the right of those who call them.

A wing imports from those to its left alone. But a record is made of text, resolves and normalizes
by methods, while the functions behind these take records and lie further right. Such a method asks
for the function by its public name; the front of the package, which stands right of all, hands
itself in as the one who knows.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in `typing`, which the command loads later (see the front)
if TYPE_CHECKING:
    from collections.abc import Callable

front: object = None
"""The package `uriparse`, once its front has run."""


def public(name: str) -> Callable[..., object]:
    """Give the public function of that name, which is loaded for it.

    >>> public("remove_dot_segments")("/a/../b")
    '/b'
    """
    function: Callable[..., object] = getattr(front, name)
    return function
