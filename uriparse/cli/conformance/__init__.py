"""What `uriparse conformance` can do: a module `<name>_command` for each, named in `PARTS`.

`grammar_option` declares how a rule is named, and reads the grammar that it is taken from.
"""

PARTS = ("suite", "coverage", "trial", "equal")
"""In the order of the help text. A new one adds its name here and its module beside this."""
