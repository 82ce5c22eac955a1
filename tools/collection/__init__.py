"""Grammars that were not written for the compiler: what it makes of each, in what time and memory.

`sources.toml` and `grammars/` are the collection, `published` are the grammars of the ``abnf``
package; `grammars` loads both, `measuring` compiles one in a process of its own, `command` prints
the table.
"""
