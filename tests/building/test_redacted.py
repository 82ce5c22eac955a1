"""What logs must not hold goes, and all else stays as it is written."""

import pytest
from building_data import references, same
from cases import each_case, tables
from hypothesis import given

from uriparse import query_pairs, quote, redact
from uriparse.building import NAMES

TABLES = tables(__file__)

R = "REDACTED"


@each_case(("uri", "options", "made"), TABLES["redacted"])
def test_redacted(uri, options, made):
    assert str(same(redact(uri, **options))) == made


# What people put into URLs and must not log, written down by hand.
# What ends alike and grants nothing: places in lists, counts, names of other things.
PUBLIC = TABLES["public"]


@each_case("name", TABLES["secret"])
@each_case("place", ["//h?{}=CANARY", "//h#{}=CANARY", "//h?a=%2F%3F{}%3DCANARY"])
def test_secret_names_are_redacted_wherever_they_are(name, place):
    assert "CANARY" not in str(same(redact(place.format(name))))
    assert "CANARY" not in str(same(redact(place.format(name.upper()))))


@each_case("name", PUBLIC)
def test_other_names_are_kept(name):
    assert str(redact(f"//h?{name}=CANARY;b#{name}=CANARY")).count("CANARY") == 2


def test_a_url_too_deep_is_redacted_whole():
    text = "http://u:CANARY@h/"
    for _ in range(12):
        text = f"http://h/?a={quote(text, 'query-value')}"
        assert "CANARY" not in str(same(redact(text)))


def test_each_name_of_a_profile_is_redacted():
    assert set(NAMES) == {"default", "aws", "oauth", "otel", "strict"}
    for profile in ("default", "aws", "oauth", "otel"):
        for name in NAMES[profile]:
            made = redact(f"//h?{name}=secret", profile=profile)
            assert query_pairs(made) == ((name, R),)


def test_an_unknown_profile_is_refused():
    with pytest.raises(ValueError, match='profile must be "default", "aws"'):
        redact("//h", profile="none")


@given(references())
def test_what_holds_no_secret_stays(uri):
    made = same(redact(uri))
    assert made.replace(userinfo=uri.userinfo) == uri if uri.host is not None else made == uri
