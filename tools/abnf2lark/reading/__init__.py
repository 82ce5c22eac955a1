"""From ABNF text to the intermediate form, with every problem named at its line and column.

`scan` cuts, `reader` reads one file into the rules of `ir`, `load` puts imports beside them;
`config` reads a whole directory by its grammars.toml.
"""
