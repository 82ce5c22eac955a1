"""Log lines hold no secret of a URL, however it comes to them, and a filter never raises."""

import io
import logging

import pytest
from cases import each_case

from uriparse import parse
from uriparse.logs import RedactingFilter, redacted_text

CANARY = "Zq7kCANARYv3w"
URLS = [
    f"https://u:{CANARY}@h.example/a?b=c",
    f"https://h.example/?X-Amz-Signature={CANARY}&a=1",
    f"https://h.example/cb#access_token={CANARY}",
    f"https://h.example/?to=https%3A%2F%2Fu%3A{CANARY}%40i",
    f"http://u:{CANARY}[@h/",
    f"http://u:{CANARY}#@h/",
    f"http://u:{CANARY}'x@h/",
    f"postgresql://u:{CANARY}@h/db",
    f"/cb?code={CANARY}",
    f"http://h:port/?a=b&token={CANARY}",
    f"http://h/?q=é&token={CANARY}",
    f"http://h/?q=%zz&token={CANARY}#x",
    f"www.h.example/?token={CANARY}",
    f"sip:u:{CANARY}@h",
    f"http://h/a/http://u:{CANARY}@i/",
]


@pytest.fixture
def log():
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.addFilter(RedactingFilter())
    logger = logging.getLogger("test of redacting")
    logger.propagate = False
    logger.addHandler(handler)
    yield logger, stream
    logger.removeHandler(handler)


@each_case("url", URLS)
@each_case(
    "write",
    [
        lambda logger, url: logger.error(url),
        lambda logger, url: logger.error("see <%s>, twice: %r.", url, url),
        lambda logger, url: logger.error("%(url)s", {"url": url}),
        lambda logger, url: logger.error("%s", [url]),
        lambda logger, url: logger.error("%s", ValueError(url)),
        lambda logger, url: logger.error("%s%s", url[:10], url[10:]),
        lambda logger, url: logger.error("%d %s", url, url),
    ],
)
def test_no_line_holds_a_secret(log, url, write):
    logger, stream = log
    write(logger, url)
    assert CANARY not in stream.getvalue()
    assert stream.getvalue()


@each_case("url", URLS)
def test_nor_does_a_traceback(log, url):
    logger, stream = log
    try:
        int(url)
    except ValueError:
        logger.exception("failed")
    assert CANARY not in stream.getvalue()
    assert "Traceback" in stream.getvalue()


def test_records_and_everything_else_stay(log):
    logger, stream = log
    logger.error("%s took %d ms (a@b, 50%%)", parse("http://u:p@h/?a=1"), 7)
    assert stream.getvalue() == "http://REDACTED:REDACTED@h/?a=1 took 7 ms (a@b, 50%)\n"


@pytest.mark.parametrize(
    "text",
    ["", "a@b.c", "x = 5", "at 12:30 to joe@h", "50%", "\ud800=\x00@", "see http://h/a?b=c.", "//"],
)
def test_what_holds_no_secret_stays(text):
    assert redacted_text(text) == text


def test_strict_leaves_scheme_host_and_path():
    text = "GET http://h/a?b=c#d and (https://u@h:8080/)"
    assert redacted_text(text, profile="strict") == "GET http://h/a and (https://h/)"


def test_another_type_is_refused_by_name():
    with pytest.raises(TypeError, match=r"^text is a str, not bytes$"):
        redacted_text(b"x")


def test_a_wrong_profile_is_refused_at_once():
    with pytest.raises(ValueError, match="profile is"):
        RedactingFilter(profile="none")
