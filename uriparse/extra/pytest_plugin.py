"""For pytest: a failed `==` of records says which components differ, and shows no password.

pytest loads this module by its entry point where uriparse is installed; `-p no:uriparse` leaves it
out. It imports nothing of the library before a comparison of records has failed.
"""

import sys


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Explain why two records, or a record and a text, are not equal; None for other values."""
    if op != "==" or "uriparse.records" not in sys.modules:
        return None
    return explained(left, right)


def explained(left: object, right: object) -> list[str] | None:
    r"""Return the lines of an explanation, the first of them the comparison.

    >>> from uriparse import parse
    >>> print(*explained(parse("http://u:p@h/a"), "http://u:x@h/b"), sep="\n")
    <URI 'http://u:***@h/a'> == <URI 'http://u:***@h/b'>
    userinfo: the passwords differ
    path: '/a' != '/b'
    """
    from uriparse.parsing import try_parse  # noqa: PLC0415 - for records alone
    from uriparse.records import URIReference  # noqa: PLC0415 - same
    from uriparse.records._draft import COMPONENTS  # noqa: PLC0415 - same

    both = [left, right]
    if {type(one) for one in both} >= {str} and not all(isinstance(one, str) for one in both):
        both = [try_parse(one) if isinstance(one, str) else one for one in both]
    first, second = both
    names: tuple[str, ...] = COMPONENTS
    if not (isinstance(first, URIReference) and isinstance(second, URIReference)):
        if "uriparse.schemes.url" not in sys.modules:  # whoever has such a record has loaded it
            return None
        from uriparse.schemes import URL  # noqa: PLC0415 - same

        if not isinstance(first, URL) or type(first) is not type(second):
            return None
        names = ("scheme", *first.__match_args__)
    lines = [f"{first!r} == {second!r}"]
    for name in names:
        values = getattr(first, name), getattr(second, name)
        if values[0] != values[1]:
            shown = [_shown(name, value) for value in values]
            is_hidden = shown[0] == shown[1]
            difference = "the passwords differ" if is_hidden else " != ".join(shown)
            lines.append(f"{name}: {difference}")
    return lines


def _shown(name: str, value: object) -> str:
    """Show a component, absent as None, without a password."""
    from uriparse.errors.excerpt import MASK  # noqa: PLC0415 - same

    if value is None or isinstance(value, tuple):
        return repr(value)
    text = str(value)
    if name == "password":
        text = MASK
    elif name == "userinfo" and ":" in text:
        text = text.partition(":")[0] + ":" + MASK
    return repr(text)
