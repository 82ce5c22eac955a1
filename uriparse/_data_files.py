"""The text of a data file beside a module, in a directory, a zip or a frozen program."""

from __future__ import annotations

import os
import sys


def text_beside(module: str, name: str) -> str:
    """Return the text of a file in the directory of a module, which may be loading.

    OSError where the program was packed without it.
    """
    found = sys.modules[module]
    spec, place = found.__spec__, getattr(found, "__file__", None)
    read = getattr(spec and spec.loader, "get_data", None)
    if read is not None and place is not None:
        path = os.path.join(os.path.dirname(place), name)  # noqa: PTH118, PTH120 - no pathlib yet
        text: str = read(path).decode().replace("\r\n", "\n")
        return text
    from importlib import resources  # noqa: PLC0415 - 10 ms, for frozen programs alone

    return resources.files(module.rpartition(".")[0]).joinpath(name).read_text("utf-8")
