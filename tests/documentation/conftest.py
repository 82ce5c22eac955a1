"""The tools that build the pages are not installed: they are imported from the clone."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
