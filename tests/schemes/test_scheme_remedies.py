"""What is said of a URL that is refused: the cause, and a remedy that works."""

import re
from collections import Counter

import pytest
from cases import each_case, sentence, tables, vectors
from hypothesis import example, given
from rfc1738_urls import parse_url
from schemes.corruption import corrupted

from uriparse.diagnosis import CAUSES, diagnose
from uriparse.errors import SchemeError
from uriparse.schemes import CURRENT, RFC1738, access_plan

CASES = tables(__file__, "remedies.json")
assert CASES
TODAY = tables(__file__, "current_remedies.json")
assert TODAY
REGISTRIES = {None: CURRENT, "RFC 1738": RFC1738}


def refused(text, **options):
    """The error that a URL gets, when it is parsed or when it is planned."""
    with pytest.raises(SchemeError) as caught:
        access_plan(parse_url(text, **options))
    return caught.value


@each_case("case", CASES)
def test_a_cause_with_its_remedy(case):
    error = refused(case["text"])
    assert error.cause == case["cause"]
    assert (error.offset, error.component) == (case["offset"], case["component"])
    assert error.reason.endswith(case["reason"])
    assert case["remedy"] in error.remedy
    assert f"; help: {error.remedy}" in str(error)
    assert f"at offset {error.offset}" in str(error)


@each_case("case", [c for c in CASES if "mended" in c])
def test_the_remedy_works(case):
    assert parse_url(case["mended"])


@each_case("case", TODAY)
def test_what_is_said_by_the_rules_of_today(case):
    registry = REGISTRIES[case.get("registry")]
    error = refusal(case["text"], registry=registry)
    assert str(error) == case["message"]
    for name in ("offset", "rule", "cause"):
        assert getattr(error, name) == case[name]
    assert parse_url(case["mended"], registry=registry)


def test_a_percent_sign_or_a_triplet_is_named_in_any_scheme():
    """Where a URL has a character, its triplet is, or the character is said to be written."""
    seen = Counter()
    for url in (row["text"] for row in vectors("current_uris")):
        for at in range(url.index(":") + 1, len(url)):
            head, tail = url[:at], url[at:]
            if refusal(f"{head}%25{tail}", registry=CURRENT) is None:
                error = refusal(f"{head}%zz{tail}", registry=CURRENT)
                assert (error.cause, error.offset) == ("bad-triplet", at + 1), url
                assert error.remedy == 'write %25 for the "%" itself'
            error = refusal(f"{head}%{ord(url[at]):02X}{tail[1:]}", registry=CURRENT)
            in_triplet = error is not None and error.expected and 0 < error.offset - at < 3
            if in_triplet and url[at] != "%" and "masked" not in error.reason:
                assert error.cause == "excluded-triplet", (error, url)
                assert error.remedy == f'write "{url[at]}"'
            seen[None if error is None else error.cause] += 1
    assert seen["excluded-triplet"] > 30, seen


def test_a_triplet_of_a_password_is_not_shown():
    error = diagnose("ftp://u:s%7es@h/", "normal-IRI", "normal")
    assert error.cause == "excluded-triplet"
    assert not {"7e", "~"} & {*re.findall("7e|~", f"{error} {error.reason} {error.remedy}".lower())}


RELAXED = [case for case in CASES if case["cause"] == "relaxed-host"]
assert RELAXED


@pytest.mark.parametrize("case", RELAXED, ids=lambda case: case["text"])
def test_the_argument_works(case):
    error = refused(case["text"])
    effect, name, value = error.argument
    assert str(error).endswith(f", or {effect} ({name}={value})")
    assert parse_url(case["text"], **{name: value})


@pytest.mark.parametrize("text", ["ftp://h.d:", "http://h.d:/", "wais://h.d:?", "telnet://u:"])
def test_no_host_is_missed_behind_one(text):
    error = refused(text)
    assert (error.cause, error.offset) == (None, text.rfind(":") + 1)


def test_every_cause_of_urls_has_its_case():
    by = {"RFC 1738", "access_plan"}
    causes = {name for name, cause in CAUSES.items() if cause.example.by in by}
    assert len(causes) >= 10
    assert {case["cause"] for case in CASES} >= causes


def refusal(text, act=parse_url, **options):
    """The error that a text gets; None for a URL that is accepted."""
    try:
        act(text, **options)
    except SchemeError as error:
        return error
    return None


@given(corrupted())
def test_every_cause_is_listed(text):
    error = refusal(text, lambda text: access_plan(parse_url(text)))
    assert error is None or error.cause is None or error.cause in CAUSES
    assert error is None or error.argument is None or error.cause == "relaxed-host"


@given(corrupted())
@example("ttp://[::1]:a80/")
def test_relaxing_helps_where_it_is_offered(text):
    """If there is another fault, it comes behind the host."""
    error = refusal(text)
    if error is None or error.cause != "relaxed-host":
        return
    other = refusal(text, relaxed_host=True)
    assert other is None or (other.offset >= error.offset and other.component != "host")


@pytest.mark.parametrize("text", ["URL:ftp://h.d/", "url:a:b", "URL:foo:", "URL:URL:ftp://h"])
def test_a_prefix_is_no_scheme(text):
    error = refused(text)
    assert (error.cause, error.scheme, error.offset) == ("url-prefix", None, 0)


@pytest.mark.parametrize("text", ["url:x", "url:", "url:/a:b", "urls:a:b"])
def test_a_scheme_of_that_name_is_one(text):
    assert parse_url(text).scheme in {"url", "urls"}


def test_a_prefix_that_is_registered_is_a_scheme():
    registry = RFC1738.with_scheme(RFC1738["mailto"].like("url", RFC1738["mailto"].record))
    assert parse_url("url:a:b", registry=registry).address == "a:b"


def test_offsets_are_those_of_the_text_as_written():
    """Where a word was exchanged, or a fragment hides what the "@" is."""
    assert sentence("bad-triplet", "12") in str(refused("https://h.d/%zz"))
    error = refused("http://h.d/#a%4")
    assert (error.offset, error.cause) == (15, "bad-triplet")
    assert sentence("bad-triplet", "13") in str(error)
    assert refused("https://h_h/").offset == 9


@pytest.mark.parametrize(
    "text", ["http://h:sesame~#x@y", "http://h/#a:sesame~@y", "ftp://h_h/:sesame~#@", "x:s~e#@"]
)
def test_a_fragment_may_tell_of_a_password(text):
    error = refused(text)
    assert "~" not in str(error).replace(text, "")
    assert "%7E" not in str(error)


@each_case("text", ["file://D:/a", "file:D:/x", "file:c|/x", "file://c|/x", "file:///c|/x"])
def test_drives_have_one_remedy_in_both_registries(text):
    told = [refusal(text, registry=registry) for registry in (CURRENT, RFC1738)]
    assert {error.cause for error in told} == {"drive"}
    assert len({error.remedy for error in told}) == 1
    drive = text.replace("|", ":").partition(":")[2].lstrip("/")[:2]
    assert f"begin with file:///{drive}" in told[0].remedy
