"""What logs must not hold goes, and all else stays as it is written."""

import pytest
from building_data import references, same
from cases import each_case
from hypothesis import given

from uriparse import query_pairs, quote, redact
from uriparse.building import NAMES

R = "REDACTED"


@each_case(("uri", "options", "made"), [
    ("https://u:p@h:1/%7e?q#f", {}, f"https://{R}:{R}@h:1/%7e?q#f"),
    ("https://u@h", {}, f"https://{R}@h"), ("https://u:p:q@h", {}, f"https://{R}:{R}@h"),
    ("https://u:p@h", {"userinfo": False}, "https://u:p@h"),
    ("//h?sig=a;b=%7e&%73ig=c&sig", {}, f"//h?sig={R};b=%7e&%73ig={R}&sig"),
    ("//h?Sig=a&signature=b&Signatur=c", {}, f"//h?Sig={R}&signature={R}&Signatur=c"),
    ("//h?X%2dGoog-Signature=a", {}, f"//h?X%2dGoog-Signature={R}"),
    ("//h?sig=a&t=b=c", {"names": ["t"]}, f"//h?sig=a&t={R}"),
    ("//h?sig=a", {"names": ()}, "//h?sig=a"), ("mailto:a:b@c", {}, "mailto:a:b@c"),
    ("sip:u:p@h;x=y", {}, f"sip:u:{R}@h;x=y"), ("sip:u:p@h", {"userinfo": False}, "sip:u:p@h"),
    ("/http://u:p@h/a", {}, f"/http://{R}:{R}@h/a"),
    ("//h#access_token=a&state=b", {}, f"//h#access_token={R}&state=b"),
    ("//h#/cb?id=1&Access-Token=a", {}, f"//h#/cb?id=1&Access-Token={R}"),
    ("//h#top", {}, "//h#top"),
    ("//h?to=http://u:p@i/?TOKEN=a", {}, f"//h?to=http://{R}:{R}@i/?TOKEN={R}"),
    ("//h?http%3a%2f%2fu%3ap%40i", {}, f"//h?http%3a%2f%2f{R}%3a{R}%40i"),
    ("//h?a=%2fb%3fcode%3dx", {}, f"//h?a=%2fb%3fcode%3d{R}"),
    ("//h?a=%2fb%3fcodes%3dx", {}, "//h?a=%2fb%3fcodes%3dx"),
    ("//h?a=http%3A%2F%2Fu%3Ap%40i%20j", {}, f"//h?a=http%3A%2F%2F{R}%3A{R}%40i%20j"),
    ("//h?a=x%20y%3Ftoken=b", {}, f"//h?a=x%20y%3Ftoken={R}"),
    ("/a;jsessionid=b;v=1/c?d", {}, f"/a;jsessionid={R};v=1/c?d"),
    ("//h?token=a;b&sig=", {}, f"//h?token={R}&sig="),
    ("//h?a=12:30&b=x@y", {}, "//h?a=12:30&b=x@y"),
    ("//h?a=http%3A%2F%2Fi%2F%3Fb%3Dhttp%253A%252F%252Fu%253Ap%2540j", {},
     f"//h?a=http%3A%2F%2Fi%2F%3Fb%3Dhttp%253A%252F%252F{R}%253A{R}%2540j"),
    ("//h?code=a&sig=b", {"profile": "oauth"}, f"//h?code={R}&sig=b"),
    ("//h?code=a&x-amz-signature=b", {"profile": "aws"}, f"//h?code=a&x-amz-signature={R}"),
    ("//h?code=a&sig=b", {"profile": "otel"}, f"//h?code=a&sig={R}"),
    ("https://u:p@h:1/a?b#c", {"profile": "strict"}, "https://h/a"),
    ("/a?b#c", {"profile": "strict"}, "/a"),
])  # fmt: skip
def test_redacted(uri, options, made):
    assert str(same(redact(uri, **options))) == made


# What people put into URLs and must not log, written down by hand.
SECRET = [
    *("X-Amz-Signature", "X-Amz-Credential", "X-Amz-Security-Token", "access_token", "token"),
    *("password", "api-key", "client_secret", "jwt", "code", "SIG", "sig", "Signature"),
    *("AWSAccessKeyId", "X-Goog-Signature", "API_KEY", "apiKey", "refresh_token", "id_token"),
    *("Client-Secret", "x-api-key", "auth", "session_id"),
    *("db_password", "new_password", "client-refresh-token", "oauth_signature", "bot_token"),
    *("oauth_verifier", "api_secret", "subscription-key", "access_key", "private_key"),
    *("reset_token", "user%5Bpassword%5D", "SAMLResponse", "db_pass", "api_key_2", "x.auth"),
]
# What ends alike and grants nothing: places in lists, counts, names of other things.
PUBLIC = [
    *("page_token", "nextPageToken", "NextToken", "continuation-token", "state", "monkey"),
    *("sort_key", "primary_key", "public_key", "bypass", "compass", "zip_code", "error_code"),
    *("tokens", "token_type", "author", "oauth", "passage", "design", "x_request", "inside"),
]


@each_case("name", SECRET)
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
