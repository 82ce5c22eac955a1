"""The commands of this wing: `uriparse diff`, and the parts of `uriparse conformance`."""

PARTS = ("suite", "coverage", "trial", "adapters")
"""In the order of the help text. A new one adds its name here and its module beside this."""
