"""Records agree with themselves, whatever kind of `str` their parts came in."""

import pytest
from cases import each_case

from uriparse import (
    URI,
    Authority,
    Host,
    RegName,
    RelativeRef,
    UnknownRuleError,
    URIError,
    URIReference,
    rules,
)


@each_case("grammar", ["rfc1738", "rfc2396"])
@each_case("make", [
    lambda grammar: URI(scheme="1a", grammar=grammar), lambda grammar: URI("x:", grammar=grammar),
    lambda grammar: RelativeRef(path="a", grammar=grammar),
    lambda grammar: URIReference.from_parts(scheme="x", path="a", grammar=grammar),
    lambda grammar: URIReference.from_parts(host="h", grammar=grammar),
    lambda grammar: Authority(None, "h", grammar=grammar), lambda grammar: RegName("h", grammar),
    lambda grammar: Host("h", grammar),
])  # fmt: skip
def test_a_grammar_without_references_makes_none(make, grammar):
    assert "scheme" in rules(grammar)
    with pytest.raises(UnknownRuleError) as caught:
        make(grammar)
    expected = f"no reference is made by the rules of {grammar}: try rfc3986 or rfc3987"
    assert str(caught.value) == expected


def test_a_host_of_a_class_of_ones_own_is_refused():
    class Own(RegName):
        __slots__ = ()

    with pytest.raises(URIError, match="host: the text is that of RegName, not of Own"):
        Own("h")
