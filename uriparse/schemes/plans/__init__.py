"""What a client of a scheme would do with its URL: pure functions, no connection is ever opened.

One module a kind of plan; `choice` picks the one of a URL's scheme, `access` is what they share.
"""
