"""Tables that other parts of a package read at run time.

`diagnosis` is the automaton that says how far a text can go on; the emitters write it, and the
rules themselves, as Python.
"""
