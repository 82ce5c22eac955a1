"""Tables that other parts of a package read at run time.

`error_automaton` says how far a text can go on; `packing` writes the tables of a grammar into one
file, and `packed`, which is copied beside the generated files, reads it.
"""
