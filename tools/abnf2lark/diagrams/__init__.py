"""A grammar as railroad diagrams on one page.

`words` spells what a diagram's boxes hold, `drawing` makes the diagram of a rule by the package
railroad-diagrams, `written` is the rule's ABNF with links, `page` puts all of it together.
"""
