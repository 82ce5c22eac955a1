"""What is wrong or doubtful in a grammar that can be read: the lint.

`subject` is what the checks look at, `structure` and `first_match` are the checks, `lint` runs
them.
"""
