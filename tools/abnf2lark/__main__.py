"""Run the command as ``python -m abnf2lark``."""

from __future__ import annotations

import sys

from abnf2lark.command import main

sys.exit(main())
