"""The documentation of uriparse. Not shipped; run `python -m tools.docs` from a clone."""
