"""Where things lie."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
VECTORS = ROOT / "tests/vectors"
GRAMMARS = ROOT / "grammar"
FRAMEWORKS = (
    *("pydantic", "jsonschema", "click", "hypothesis", "sqlalchemy", "django"),
    "rest_framework",
)
"""Packages that uriparse has a module of the same name for, in the order of these modules."""
