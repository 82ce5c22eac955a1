"""Dialects older than RFC 3986, each by its own rules, and cache keys made with them.

- `uriparse.legacy.rfc2396`: reference resolution and equivalence as they were from 1998 to 2005.
- `uriparse.legacy.wwwoffle`: the canonical form by which the WWWOFFLE proxy names its cache files.
- `uriparse.legacy.sqlalchemy`: user names and passwords of database URLs.
- `uriparse.legacy.cache_key`: keys by a named profile, and file names made of them.

They take text that is no URI by any RFC, and say in their docstrings what they make of it.
"""
