"""Build hook of the metadata: the README with links that work elsewhere, and the project's URLs.

Both need the repository's address: `home` of [tool.uriparse.release] in pyproject.toml.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

TO_FILE = re.compile(r"\]\((?!https?:|#)([^)]+)\)")


class ProjectHook(MetadataHookInterface):
    """Adds what is dynamic."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the README, and URLs if there is an address."""
        root = Path(self.root)
        project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
        home = project["tool"]["uriparse"]["release"]["home"].rstrip("/")
        text = (root / "README.md").read_text("utf-8")
        if home:
            text = TO_FILE.sub(rf"]({home}/blob/main/\1)", text)
            changes = f"{home}/blob/main/tools/docs/changelog.md"
            urls = {"Source": home, "Issues": f"{home}/issues", "Changelog": changes}
            metadata["urls"] = urls
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
