"""ABNF out of the plain text of an RFC.

`pages` takes out what printing put in, `candidates` gathers the lines that may be a rule, `judging`
says which of them are, `document` writes the rules with the lines that they come from.
"""
