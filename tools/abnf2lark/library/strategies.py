"""Strategies for Hypothesis: valid and invalid texts of any rule, recursive or not.

The only module that loads Hypothesis. The simplest choice is always the first, so that examples
shrink to a shortest text.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache

from hypothesis import reject
from hypothesis import strategies as st

from abnf2lark.library.generating import Deriver, mutated

_TRIES = 9  # changes of a word, until one is not valid

_below = lru_cache(maxsize=1024)(lambda number: st.integers(0, number - 1))


def derived(deriver: Deriver, rule: str, size: int) -> st.SearchStrategy[str]:
    """Draw texts of up to so many characters, or the shortest."""

    @st.composite
    def strategy(draw: st.DrawFn) -> str:
        def choose(number: int) -> int:
            return draw(_below(number)) if number > 1 else 0

        return deriver.derive(rule, choose, choose(size + 1)).text

    return strategy()


def refused(
    texts: st.SearchStrategy[str], matches: Callable[[str], bool], strangers: Sequence[str]
) -> st.SearchStrategy[str]:
    """Draw texts that one change has made invalid."""

    @st.composite
    def strategy(draw: st.DrawFn) -> str:
        word = draw(texts)
        for _ in range(_TRIES):
            found = mutated(word, lambda number: draw(_below(number)), strangers)
            if not matches(found):
                return found
        return reject()

    return strategy()
