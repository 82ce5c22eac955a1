"""Make memory cost the same at every size, as far as the C library can be asked to."""

from __future__ import annotations

import ctypes

_M_TRIM_THRESHOLD = -1
_M_MMAP_THRESHOLD = -3
_NEVER = 1 << 30


def level() -> bool:
    """Have large blocks come from the heap and stay there; return whether that is so.

    The GNU library fetches every block beyond 128 kB from the kernel and gives it back, page by
    page: strings of 1 MB would pay for that, strings of 100 kB would not, and linear code would
    look crooked by a factor of two.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return False
    return all(mallopt(option, _NEVER) == 1 for option in (_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD))
