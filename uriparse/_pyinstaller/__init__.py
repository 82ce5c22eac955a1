"""Hooks for PyInstaller, which finds them by the entry point `pyinstaller40` of this package."""

from pathlib import Path


def hook_directories() -> list[str]:
    """Return where the hooks are."""
    return [str(Path(__file__).parent)]
