"""What abnf2lark imports by computed names, and the grammars that are shipped with it."""

from PyInstaller.utils.hooks import collect_data_files, collect_submodules

hiddenimports = collect_submodules("abnf2lark")
datas = collect_data_files("abnf2lark")
