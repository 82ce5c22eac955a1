"""Where things lie."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
VECTORS = ROOT / "tests/vectors"
GRAMMARS = ROOT / "grammar"
