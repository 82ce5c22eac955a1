"""The grammars of the collection as the backtracking judge reads them."""

from functools import cache

from brute.backtracking import Scope
from paths import GRAMMARS as BUNDLED

from tools.collection.grammars import COLLECTED, FOLDER, GRAMMARS
from tools.collection.published import text


@cache
def scope(name):
    """Read a grammar of the collection, or a bundled one, with what it imports."""
    if name in COLLECTED:
        entry = COLLECTED[name]
        path = FOLDER / "grammars" / f"{name}.abnf"
        imports = [scope(one) for one in entry.imports]
        return Scope(path.read_text(encoding="utf-8"), imports, entry.defines)
    if name in GRAMMARS:
        return Scope(text(name))
    return Scope((BUNDLED / f"{name}.abnf").read_text(encoding="utf-8"))
