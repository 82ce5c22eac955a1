"""Benchmarks of uriparse and its peers. Not shipped; run `python -m tools.bench` from a clone."""
