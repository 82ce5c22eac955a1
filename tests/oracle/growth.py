"""How processor time grows with the length of a text.

Time is noisy, and more so on a busy machine, but noise only ever adds: what looks crooked is
measured again, and the least time of each size counts. What is crooked still is held to a text
four times as long: a quadratic call takes sixteen times as long there, a linear one four times,
however the memory of the machine behaves.
"""

import gc
import signal
import time
from collections import Counter
from contextlib import contextmanager

SIZES = (3_000, 12_000, 48_000)
STEP = 4
"""From one size to the next."""

CROOKED = 1.5
"""So many times a linear growth is looked at again."""

NOISE = 0.002
"""Seconds for the largest size, below which no growth matters: 42 ns a character."""

PATIENCE = 6.0
"""Seconds after which a call is given up."""

DOUBTS = 6
"""Times that a growth is measured again."""


class TooLong(BaseException):
    """Ends a call; no library catches it by accident."""


@contextmanager
def quiet():
    """Keep the collector of garbage out of what is measured."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.unfreeze()


class Meter:
    """Measures calls.

    Attributes:
        counts: measurements, and growths that were measured again.

    """

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def superlinear(self, call, shape, scale=1):
        """Tell by which times a call grows faster than linearly; None if it does not.

        scale: by what part of the sizes it is measured.
        """
        sizes = [size // scale for size in SIZES]
        times = self._times(call, shape, sizes)
        if not crooked(times):
            return None
        self.counts["measured again"] += 1
        for turn in range(1, DOUBTS):
            # Not the same text again, which the call might remember.
            sizes = [size + turn * len(shape.unit + shape.other) for size in sizes]
            times = [min(pair) for pair in zip(times, self._times(call, shape, sizes), strict=True)]
            if not crooked(times):
                return None
        if times[-1] * CROOKED * STEP >= PATIENCE:  # slow enough to be sure
            return times
        beyond = min(self._time(call, shape.text(sizes[-1] * STEP)) for _ in range(2))
        return [*times, beyond] if beyond > CROOKED * STEP * times[-1] else None

    def _times(self, call, shape, sizes):
        """Measure each size; PATIENCE stands for all that takes longer."""
        times = []
        for size in sizes:
            hopeless = bool(times) and times[-1] >= PATIENCE
            times.append(PATIENCE if hopeless else self._time(call, shape.text(size)))
        return times

    def _time(self, call, text):
        self.counts["measurements"] += 1
        if self.counts["measurements"] % 200 == 0:
            gc.collect()
        before = signal.signal(signal.SIGPROF, _give_up)
        signal.setitimer(signal.ITIMER_PROF, PATIENCE)
        start = time.thread_time()
        try:
            call(text)
        except TooLong:
            return PATIENCE
        finally:
            spent = time.thread_time() - start
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, before)
        return min(spent, PATIENCE)


def crooked(times):
    """Whether times look as if they grew faster than the sizes."""
    first, middle, last = times
    if last < NOISE:
        return False
    linear = CROOKED * STEP
    return last >= PATIENCE or last > linear * middle or last > linear * STEP * first


def _give_up(*_):
    raise TooLong
