"""For argparse: an argument that is a URI, with our message for an invalid text.

>>> from argparse import ArgumentParser
>>> parser = ArgumentParser()
>>> added = parser.add_argument("url", type=uri_argument)
>>> parser.parse_args(["http://h/a"]).url.path
'/a'
"""

from argparse import ArgumentTypeError

from uriparse._base.coerce import Text
from uriparse.errors import URISyntaxError
from uriparse.parsing import parse
from uriparse.records import URI, RelativeRef
from uriparse.validation import Policy, PolicyError, validate

__all__ = ["uri_argument"]


def uri_argument(
    text: Text, rule: str = "URI", *, grammar: str = "rfc3986", policy: Policy | None = None
) -> URI | RelativeRef:
    """Parse an argument as `parse` does, for the `type` of `add_argument`.

    policy: also validates the text. Set it, or another rule, with `functools.partial`.

    ArgumentTypeError where it is refused: argparse shows its message as it is, with a pointer to
    the fault below, while of any other error it shows the whole text, password included.

    >>> uri_argument("http://u:secret@h/a b")
    Traceback (most recent call last):
    argparse.ArgumentTypeError: path: a space is not allowed, at offset 19: write %20
    http://u:***@h/a b
                    ^
    """
    try:
        record = parse(text, rule, grammar=grammar)
    except URISyntaxError as error:
        refused = f"{error.summary()}\n{error.pointer()}"
    else:
        report = None if policy is None else validate(record, policy)
        if report is None or report.accepted:
            return record
        refused = str(PolicyError(report))
    # After the handler: inside it, the syntax error, which holds the text, would be the context.
    raise ArgumentTypeError(refused)
