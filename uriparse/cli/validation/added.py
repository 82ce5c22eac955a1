"""What is said of a column of texts: columns for verdict, code, cause, offset and components."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from uriparse import arrow
from uriparse.cli.validation.judging import told_of
from uriparse.cli.validation.tables import pyarrow_module
from uriparse.parsing.readers import yields_records
from uriparse.validation import Policy, validate

if TYPE_CHECKING:
    from collections.abc import Sequence

VERDICT = ("accepted", "code", "cause", "offset")
COMPONENTS = (
    *("scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment", "host_kind"),
)


class Adder:
    """Makes the columns, by a policy.

    Attributes:
        accepted, refused: how many texts there were of each.

    """

    def __init__(self, policy: Policy) -> None:
        self.accepted = self.refused = 0
        self._policy = policy
        plain = Policy.syntax().replace(grammar=policy.grammar)
        self._surely = None if policy == plain else policy.surely_accepts
        self._pyarrow = pyarrow_module()

    def fields(self, column: str) -> list[Any]:
        """Give names and types of the columns, for one of a name."""
        kinds = {"accepted": self._pyarrow.bool_(), "offset": self._pyarrow.int64()}
        return [
            self._pyarrow.field(f"{column}_{name}", kinds.get(name, self._pyarrow.string()))
            for name in (*VERDICT, *COMPONENTS)
        ]

    def columns(self, texts: Any) -> list[Any]:
        """Judge and split texts: an array for each field, null throughout for null."""
        string, int64 = self._pyarrow.string(), self._pyarrow.int64()
        if self._pyarrow.types.is_dictionary(texts.type):
            texts = texts.dictionary_decode()
        valid, parts = self._split(texts)
        accepted, told = self._judged(texts, valid.to_pylist())
        self.accepted += accepted.count(True)
        self.refused += accepted.count(False)
        codes, causes, offsets = zip(*told, strict=True) if told else ((), (), ())
        return [
            self._pyarrow.array(accepted, self._pyarrow.bool_()),
            self._pyarrow.array(codes, string),
            self._pyarrow.array(causes, string),
            self._pyarrow.array(offsets, int64),
            *(part.cast(string) for part in parts),
        ]

    def _split(self, texts: Any) -> tuple[Any, list[Any]]:
        """Tell which texts are derived by the rule, and give their components."""
        rule, grammar = self._policy.start, self._policy.grammar
        with warnings.catch_warnings():  # that there is no kernel is no news to a command
            warnings.simplefilter("ignore", RuntimeWarning)
            if not yields_records(rule, grammar):
                nothing = self._pyarrow.nulls(len(texts), self._pyarrow.string())
                valid = self._pyarrow.array(arrow.is_valid(texts, rule, grammar=grammar))
                return valid, [nothing] * len(COMPONENTS)
            parts = self._pyarrow.array(arrow.split(texts, rule, grammar=grammar))
        return parts.is_valid(), parts.flatten()

    def _judged(
        self,
        texts: Any,
        valid: Sequence[bool],
    ) -> tuple[list[bool | None], list[tuple[str | None, str | None, int | None]]]:
        """Give verdicts; and code, cause and offset of what is refused."""
        octets = texts.cast(self._pyarrow.large_binary())
        accepted: list[bool | None] = list(valid)
        told: list[tuple[str | None, str | None, int | None]] = [_NOTHING] * len(accepted)
        for place, is_valid in enumerate(valid):
            if is_valid and self._surely is None:
                continue
            value = octets[place].as_py()
            if value is None:
                accepted[place] = None
                continue
            text = value.decode("utf-8", "surrogateescape")
            if self._surely is not None and self._surely(text):
                continue
            verdict = told_of(0, validate(text, self._policy), text)
            accepted[place] = verdict.accepted
            if not verdict.accepted:
                told[place] = (verdict.codes[0], verdict.cause, verdict.offset)
        return accepted, told


_NOTHING = (None, None, None)
