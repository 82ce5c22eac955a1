"""Expressions for PostgreSQL, held to by a server where one is installed."""

import pytest
from engines.postgresql import is_storable, server
from engines.texts import long_texts, texts

from uriparse.grammar.expressions import pattern

RULES = (("URI", "rfc3986"), ("IRI-reference", "rfc3987"))


@pytest.fixture(scope="module")
def connection():
    with server() as place:
        import psycopg

        with psycopg.connect(f"host={place} user=u dbname=postgres") as connected:
            yield connected


def differences(connection, rule, grammar, among):
    """The texts that the server judges otherwise than `is_valid`, shortened."""
    held = {text: right for text, right in among.items() if is_storable(text)}
    judged = "select t ~ %s from unnest(%s::text[]) with ordinality as u(t, i) order by i"
    expression = pattern(rule, flavour="postgresql", grammar=grammar)
    verdicts = [verdict for (verdict,) in connection.execute(judged, (expression, list(held)))]
    assert {True, False} == set(held.values())
    pairs = zip(held.items(), verdicts, strict=True)
    return [text[:100] for (text, right), verdict in pairs if verdict is not right]


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "grammar"), RULES)
def test_postgresql_judges_as_the_grammar_does(connection, rule, grammar):
    assert differences(connection, rule, grammar, texts(rule, grammar, corruptions=1_000)) == []


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "grammar"), RULES)
def test_postgresql_judges_long_texts(connection, rule, grammar):
    assert differences(connection, rule, grammar, long_texts(rule, grammar, kinds=6)) == []


@pytest.mark.oracle
@pytest.mark.parametrize(("rule", "grammar"), RULES)
def test_postgresql_judges_all_corruptions(connection, rule, grammar):
    among = texts(rule, grammar, corruptions=100_000, seed=1)
    assert differences(connection, rule, grammar, among) == []
