"""What logs must not hold goes, and all else stays as it is written."""

import pytest
from building_data import references, same
from hypothesis import given

from uriparse import SENSITIVE_NAMES, URISyntaxError, query_pairs, redacted

R = "REDACTED"


@pytest.mark.parametrize(
    ("uri", "options", "made"),
    [
        ("https://u:p@h:1/%7e?q#f", {}, f"https://{R}:{R}@h:1/%7e?q#f"),
        ("https://u@h", {}, f"https://{R}@h"),
        ("https://u:p:q@h", {}, f"https://{R}:{R}@h"),
        ("https://u:p@h", {"userinfo": False}, "https://u:p@h"),
        ("//h?sig=a;b=%7e&%73ig=c&sig", {}, f"//h?sig={R};b=%7e&%73ig={R}&sig"),
        ("//h?Sig=a&signature=b", {}, "//h?Sig=a&signature=b"),
        ("//h?X%2dGoog-Signature=a", {}, f"//h?X%2dGoog-Signature={R}"),
        ("//h?sig=a&t=b=c", {"query": ["t"]}, f"//h?sig=a&t={R}"),
        ("//h?sig=a", {"query": ()}, "//h?sig=a"),
        ("mailto:a:b@c", {}, "mailto:a:b@c"),
    ],
)
def test_redacted(uri, options, made):
    assert str(same(redacted(uri, **options))) == made


def test_each_name_of_the_list_is_redacted():
    assert SENSITIVE_NAMES == ("AWSAccessKeyId", "Signature", "sig", "X-Goog-Signature")
    for name in SENSITIVE_NAMES:
        assert query_pairs(redacted(f"//h?{name}=secret")) == ((name, R),)


@given(references())
def test_what_holds_no_secret_stays(uri):
    made = same(redacted(uri))
    assert made.replace(userinfo=uri.userinfo) == uri if uri.host is not None else made == uri


def test_a_refusal_holds_no_password():
    with pytest.raises(URISyntaxError) as caught:
        redacted("http://u:secret@h/a b")
    assert "secret" not in str(caught.value)
