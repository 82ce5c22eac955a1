"""What is refused because it would take too much memory or time."""


class LimitError(Exception):
    """A grammar or a text is too large to be read; the message says what, and what to do."""
