"""`python -m tools.collection`, from the root of a clone."""

from __future__ import annotations

import sys

from .command import main

sys.exit(main())
