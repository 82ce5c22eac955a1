"""The readers of `readers` as the kernel has them: told which slots to fill, and by what."""

from __future__ import annotations

from types import MemberDescriptorType
from typing import TYPE_CHECKING, cast

from uriparse._native import kernel, native_rule, tagged
from uriparse.schemes.encoding import Encoded
from uriparse.schemes.readers import SHARED, is_direct
from uriparse.schemes.trees import method_name
from uriparse.schemes.url import making

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uriparse.schemes.readers import Named, Reader
    from uriparse.schemes.trees import Leaf
    from uriparse.schemes.url import URL

_MOST = 8
"""So many slots can the kernel fill with what is the same for all texts."""


def native_reader(
    kind: type[URL],
    rule: tuple[str, str],
    leaves: Mapping[str, Leaf | None],
    named: Named,
    pure: Reader,
) -> Reader:
    """Give the reader of a scheme, the pure one where the kernel has none.

    rule: of the URLs, and its grammar.
    leaves: which fields the leaves of the rule are.
    """
    name, word, port = named
    if kernel is None or word is None or not is_direct(kind):
        return pure
    own = native_rule(*rule, pure)  # type: ignore[arg-type]  # it is never asked
    if own is None:
        return pure
    slots = {slot: getattr(kind, slot) for slot in making(kind).slots}
    found = [leaves.get(method_name(field)) for field in tagged(rule[1]).FIELDS]
    fields = [leaf if leaf is not None and leaf.field in slots else None for leaf in found]
    filled = {leaf.field for leaf in fields if leaf is not None} | SHARED
    empty = {slot: None for slot in slots if slot not in filled}
    fixed = {"scheme": name, "default_port": port, **empty}
    if len(fixed) > _MOST or not all(type(s) is MemberDescriptorType for s in slots.values()):
        return pure
    made = kernel.Reader(
        own,
        (kind,),
        slots["_text"],
        tuple(None if leaf is None else slots[leaf.field] for leaf in fields),
        tuple((slots[slot], value) for slot, value in fixed.items()),
        (),
        tuple(
            (number, leaf.kind, vars(Encoded)["_start"])
            for number, leaf in enumerate(fields)
            if leaf is not None
        ),
        pure,
    )
    return cast("Reader", kernel.Part(made, word, name, slots["fragment"], pure).read)
