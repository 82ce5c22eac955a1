"""No `repr` of what the older dialects give shows a password."""

from cases import each_case

from uriparse.keys import RFC3986, WWWOFFLE, Shown
from uriparse.legacy.rfc2396 import Components, resolve, split_reference
from uriparse.legacy.sqlalchemy import EngineURL, split_engine_url
from uriparse.legacy.wwwoffle import build_url, split_url

URL = "http://u:S3cr3T@h/?a#b"


@each_case("value", [
    split_reference(URL), split_reference("//u:S3cr3T@h"),
    split_reference(URL)._replace(query=None), *RFC3986.explain(URL), *WWWOFFLE.explain(URL),
    *WWWOFFLE.explain("u:S3cr3T@h"), resolve("http://h/", URL),
    split_engine_url("pg://u:S3cr3T@h/d"), EngineURL("pg", "u", "S3cr3T", "h"),
    split_url("u:S3cr3T@h"), build_url(username="u", password="S3cr3T", host="h"),
])  # fmt: skip
def test_no_repr_shows_a_password(value):
    assert "S3cr3T" not in repr(value)
    assert "S3cr3T" not in f"{[value]}"
    assert "u:***@h" in repr(value)


def test_what_they_show():
    assert repr(split_reference(URL)) == "<Components 'http://u:***@h/?a#b'>"
    assert repr(Components(None, None, "", None, "")) == "<Components '#'>"
    shown = Shown("read", "the text as the profile reads it", URL)
    assert repr(shown) == "<Shown read: 'http://u:***@h/?a#b'>"
