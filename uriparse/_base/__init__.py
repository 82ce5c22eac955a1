"""Plumbing that every part of the library uses: the engine, coercion of arguments, hints."""
