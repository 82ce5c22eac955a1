"""Where a project keeps its grammars, and where what is compiled of them goes."""

from __future__ import annotations

import tomllib
from pathlib import Path

from abnf2lark.reading.problems import InputError

_OWN = Path("uriparse", "_compiled")  # of the project that this package comes from


def places(here: Path, grammars: str | None, out: str | None) -> tuple[Path, Path]:
    """Return the directories of grammars and of generated files, as far as they are not given.

    Grammars are in ``grammar/`` of the project around a directory; its pyproject.toml says in
    ``[tool.abnf2lark]`` where the generated files go, as ``out``, from there on.
    """
    if grammars and out:
        return Path(grammars), Path(out)
    root = Path(grammars).resolve().parent if grammars else project_root(here)
    return Path(grammars or root / "grammar"), Path(out) if out else root / _out(root)


def project_root(here: Path) -> Path:
    """Return the project around a directory, else the source tree that this package is in."""
    for place in (here, *here.parents, Path(__file__).parents[3]):
        if (place / "grammar" / "grammars.toml").is_file():
            return place
    raise InputError(
        f"no grammar/grammars.toml in {here} or above it; name the places with --grammars and --out"
    )


def _out(root: Path) -> Path:
    path = root / "pyproject.toml"
    try:
        settings = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError:
        settings = {}
    except ValueError as error:  # not TOML, or not UTF-8
        raise InputError(f"{path}: {error}") from None
    tool = settings.get("tool", {}).get("abnf2lark", {})
    out = tool.get("out")
    if isinstance(out, str):
        return Path(out)
    if (root / _OWN).is_dir():
        return _OWN
    raise InputError(
        f"where do the generated files go? name the directory with --out, or in {path}: "
        '[tool.abnf2lark] out = "package/_compiled"'
    )
