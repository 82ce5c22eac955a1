"""Run the command as ``python -m abnf2lark``."""

from __future__ import annotations

import sys

from .command import main

sys.exit(main())
