"""Metadata hook of the build: the README as a package index shows it, and the project's addresses.

`home` of `[tool.hatch.metadata.hooks.custom]` in pyproject.toml is the address of the repository.
While it is empty, links to files stay relative, and there are no addresses.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"\]\((?!https?:|#)([^)]+)\)")


class ReadmeHook(MetadataHookInterface):
    """Fills in `readme` and `urls`."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Make links to files of the repository absolute, once the repository has an address."""
        home = str(self.config.get("home", "")).rstrip("/")
        text = Path(self.root, "README.md").read_text("utf-8")
        metadata["urls"] = {}
        if home:
            text = _LINK.sub(rf"]({home}/blob/main/\1)", text)
            metadata["urls"] = {
                "Source": home,
                "Issues": f"{home}/issues",
                "Changelog": f"{home}/blob/main/tools/docs/changelog.md",
            }
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
