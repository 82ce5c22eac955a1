"""All causes by their names, for whoever explains an error: documents, programs, people."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from uriparse.diagnosis.reference_causes import REFERENCE_CAUSES
from uriparse.diagnosis.url_causes import URL_CAUSES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from uriparse.diagnosis.cause import Cause

CAUSES: Final[Mapping[str, Cause]] = MappingProxyType(
    {cause.name: cause for cause in (*REFERENCE_CAUSES, *URL_CAUSES)}
)
"""Every cause that a `URISyntaxError` may name, by its name."""
