"""Where files are."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
VECTORS = ROOT / "tests/vectors"
GRAMMARS = ROOT / "grammar"
FRAMEWORKS = (
    *("pydantic", "jsonschema", "click", "hypothesis", "sqlalchemy", "django"),
    *("rest_framework", "fastapi", "pandas", "polars", "duckdb", "spark"),
    *("datafusion", "daft", "publicsuffix"),
)
"""What uriparse has a module of that name for, in the order of these modules."""

PACKAGES = {"publicsuffix": "publicsuffixlist", "spark": "pyspark"}
"""The packages of these that have another name."""

GUARDED = ("aiohttp", "httpx", "requests", "urllib3")
"""The clients of which uriparse.guard has guarded ones, in modules of these names."""
