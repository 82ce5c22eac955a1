"""A directory of grammars to a package of generated files, all or nothing.

`artifacts` renders them, `project` compares and writes.
"""
