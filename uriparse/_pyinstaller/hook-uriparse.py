"""What uriparse imports by computed names, and its data: PyInstaller sees neither by itself.

Modules for another library are left out, since with them the library would be packed too, wherever
it is installed. A program that imports such a module has it, as any other.
"""

from PyInstaller.utils.hooks import collect_data_files, collect_submodules

FOR_OTHER_LIBRARIES = frozenset({"_pyinstaller", "extra", "guard"})


def is_collected(name: str) -> bool:
    """Return whether a module of uriparse is part of every program that uses it."""
    return not FOR_OTHER_LIBRARIES.intersection(name.split(".")[1:2])


hiddenimports = collect_submodules("uriparse", filter=is_collected)
datas = collect_data_files("uriparse")
# Imported for types, or where they are there: a program that needs them imports them itself.
excludedimports = ["hypothesis", "pyarrow", "pydantic_core"]
