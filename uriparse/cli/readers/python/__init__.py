"""Readers in Python, one module a family; each runs in a process that serves that reader alone."""
