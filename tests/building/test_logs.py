"""Log lines hold no secret of a URL, however it comes to them, and a filter never raises."""

import io
import json
import logging

import pytest
from cases import each_case, tables

import uriparse
from uriparse import parse
from uriparse.extra.logs import RedactingFilter, RedactingProcessor
from uriparse.text import redact_text

TABLES = tables(__file__)

CANARY = "Zq7kCANARYv3w"
MASKED = "http://REDACTED:REDACTED@h/?token=REDACTED"
URLS = [url.replace("<canary>", CANARY) for url in TABLES["urls"]]


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
@each_case("write", [
    lambda logger, url: logger.error(url),
    lambda logger, url: logger.error("see <%s>, twice: %r.", url, url),
    lambda logger, url: logger.error("%(url)s", {"url": url}),
    lambda logger, url: logger.error("%s", [url]),
    lambda logger, url: logger.error("%s", ValueError(url)),
    lambda logger, url: logger.error("%s%s", url[:10], url[10:]),
    lambda logger, url: logger.error("%d %s", url, url),
])  # fmt: skip
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
    assert redact_text(text) == text


def test_strict_leaves_scheme_host_and_path():
    text = "GET http://h/a?b=c#d and (https://u@h:8080/)"
    assert redact_text(text, profile="strict") == "GET http://h/a and (https://h/)"


def test_a_wrong_profile_is_refused_at_once():
    with pytest.raises(ValueError, match="profile must be"):
        RedactingFilter(profile="none")


def shown_by_structlog(renderer, *, redacts=True):
    structlog = pytest.importorskip("structlog")
    stream = io.StringIO()
    processors = [structlog.processors.format_exc_info]
    processors += [RedactingProcessor()] if redacts else []
    logger = structlog.wrap_logger(
        structlog.PrintLogger(stream), processors=[*processors, renderer(structlog)]
    )
    url = f"http://u:{CANARY}@h/"
    logger.info("slow", url=parse(url), several=[parse(url)], **({"text": url} if redacts else {}))
    return stream.getvalue()


RENDERERS = [
    lambda structlog: structlog.processors.JSONRenderer(),
    lambda structlog: structlog.processors.KeyValueRenderer(),
    lambda structlog: structlog.dev.ConsoleRenderer(colors=True),
]


@each_case("renderer", [*RENDERERS, lambda it: it.processors.LogfmtRenderer()])
def test_structlog_shows_no_password(renderer):
    line = shown_by_structlog(renderer)
    assert CANARY not in line
    assert "REDACTED" in line


@each_case("renderer", RENDERERS)
def test_nor_does_it_of_a_record_alone(renderer):
    assert CANARY not in shown_by_structlog(renderer, redacts=False)


def test_python_json_logger_shows_no_password(log):
    logger, stream = log
    logger.handlers[0].setFormatter(pytest.importorskip("pythonjsonlogger.json").JsonFormatter())
    url = f"http://u:{CANARY}@h/?token={CANARY}"
    more = {"url": parse(url), "text": url, "nested": {"urls": [parse(url), (url,)]}}
    logger.error("slow: %s", parse(url), extra=more)
    logger.error({"event": "slow", **more})
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert CANARY not in stream.getvalue()
    assert [line["nested"]["urls"][1] for line in lines] == [[MASKED], [MASKED]]
    assert [line["text"] for line in lines] == [MASKED, MASKED]


def test_what_nests_too_deep_or_cannot_be_read_is_hidden():
    class Bad(dict):
        def items(self):
            raise ValueError

    event = {"event": "x", "bad": Bad(a=1), "deep": (deep := []), "set": {f"//u:{CANARY}@h"}}
    deep.append(deep)
    made = RedactingProcessor()(None, "info", event)
    assert made["bad"] == "REDACTED"
    assert made["set"] == {"//REDACTED:REDACTED@h"}
    assert "REDACTED" in str(made["deep"])


def test_nor_does_a_tree():
    assert CANARY not in repr(uriparse.parse_tree(f"http://u:{CANARY}@h/"))
