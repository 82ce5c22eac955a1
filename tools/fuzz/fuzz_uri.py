"""Fuzz the readers of URIs by their laws: `python tools/fuzz/fuzz_uri.py -max_total_time=60`.

Needs atheris. A text is valid for every reader or for none; a record is its text; what is made from
records can be read again; and no function raises what its documentation does not name.
"""

import sys

import atheris

with atheris.instrument_imports(include=["uriparse", "abnf2lark"]):
    import abnf2lark
    from uriparse import (
        URIError,
        find_uris,
        is_valid,
        normalize,
        parse,
        relativize,
        resolve,
        try_parse,
        validate,
        whatwg,
    )
    from uriparse.diagnosis import diagnose

GRAMMAR = abnf2lark.load("rfc3986")
BASE = parse("http://h/a/b?c#d")
EXAMPLES = "http://u@h:8/../%7ea?b#c", "//[::1]/", "x y", "see <http://h/a>", "http://\xfc.de/"


def check(text: str) -> None:
    """Hold one text against the laws; AssertionError for one that is broken."""
    record = try_parse(text)
    valid = record is not None
    verdicts = is_valid(text, "URI-reference"), GRAMMAR.matches(text, "URI-reference")
    assert verdicts == (valid, valid), verdicts
    if not valid:
        assert 0 <= diagnose(text, "URI-reference").offset <= len(text)
    report = validate(text)
    assert valid or not report.accepted
    for found in find_uris(text):
        assert found.uri is None or parse(str(found.uri)) == found.uri
    if record is not None:
        assert str(record) == text
        target = resolve(BASE, record)
        assert parse(str(target)) == target
        assert resolve(BASE, relativize(BASE, target)) == target
        normal = normalize(record)
        assert parse(str(normal)) == normal == normalize(normal)
    try:
        url = whatwg.parse(text)
    except URIError:
        return
    assert str(whatwg.parse(str(url))) == str(url)


def one_input(data: bytes) -> None:
    """Read octets as a text."""
    check(atheris.FuzzedDataProvider(data).ConsumeUnicode(4096))


with atheris.instrument_imports(include=["uriparse", "abnf2lark"]):  # of modules that load later
    for example in EXAMPLES:
        check(example)

if __name__ == "__main__":
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
