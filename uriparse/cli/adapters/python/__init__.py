"""Parsers in Python, one module a family: each function makes what judges texts for a rule."""
