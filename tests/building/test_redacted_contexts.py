"""One URL, in every place where logs write URLs: the same mask, and every other octet unchanged.

Nothing here asks the package where a URL begins or ends: each line is made of known pieces.
"""

import json
import random
import traceback
from urllib.parse import quote, urlparse, urlsplit

import pytest
from cases import documents, each_case, tables

from uriparse.text import redact_text

TABLES = tables(__file__)

CANARY = "Zq7kCANARYv3w"
MASK = "REDACTED"
URL = f"https://u:{CANARY}@h.example/a?api_key={CANARY}&format=json"
TOKEN = f"https://{CANARY}@h.example/a"
MASKED = URL.replace(CANARY, MASK).replace("//u:", f"//{MASK}:")
TOKEN_MASKED = TOKEN.replace(CANARY, MASK)

PLAIN = TABLES["plain"]
assert len(PLAIN) >= 60


@each_case("context", PLAIN)
def test_the_same_mask_in_every_context(context):
    written = context.replace("{{", "\0").replace("}}", "\1")
    for url, masked in ((URL, MASKED), (TOKEN, TOKEN_MASKED)):
        line, wanted = (
            written.replace("{}", text).replace("\0", "{").replace("\1", "}")
            for text in (url, masked)
        )
        assert redact_text(line) == wanted


ENCODERS = {
    "json": lambda text: json.dumps({"at": 1, "url": text, "user": "joe@h.example"}),
    "json, minified": lambda text: json.dumps({"url": text, "q": "a=b"}, separators=(",", ":")),
    "json in json": lambda text: json.dumps({"log": json.dumps({"url": text, "q": "a=b"}) + "\n"}),
    "json of PHP": lambda text: json.dumps({"url": text, "n": 1}).replace("/", "\\/"),
    "json of Go": lambda text: json.dumps({"url": text, "n": 1}).replace("&", "\\u0026"),
    "json of Gson": lambda text: (
        json.dumps({"url": text}).replace("&", "\\u0026").replace("=", "\\u003d")
    ),
    "json of Go in json": lambda text: json.dumps(
        {"log": json.dumps({"url": text, "n": 1}).replace("&", "\\u0026"), "q": "a=b"}
    ),
    "json of PHP in json": lambda text: json.dumps(
        {"log": json.dumps({"url": text}).replace("/", "\\/")}
    ).replace("/", "\\/"),
    "json of .NET": lambda text: '{"m":"\\u0022' + text.replace("&", "\\u0026") + '\\u0022 x"}',
    "sentence in json": lambda text: json.dumps({"m": f"GET {text}\nnext line", "n": "a=b"}),
    "repr": lambda text: repr({"url": text, "n": [text]}),
    "repr of repr": lambda text: repr(repr({"url": text, "n": "it's"})),
    "urlsplit": lambda text: repr(urlsplit(text)),
    "urlparse": lambda text: repr(urlparse(text.encode())),
    "urlsplit in json": lambda text: json.dumps({"m": f"got {urlsplit(text)!r}"}),
    "parts in json": lambda text: json.dumps(urlsplit(text)._asdict()),
    "urllib3": lambda text: repr(pytest.importorskip("urllib3").util.parse_url(text)),
    "properties": lambda text: "url=" + text.replace(":", "\\:").replace("=", "\\="),
    "shell": lambda text: f"curl {text.replace('&', chr(92) + '&')} -o x",
    "html": lambda text: f'<a href="{text.replace("&", "&amp;")}">x</a>',
    "html in html": lambda text: f"&lt;a href=&quot;{text}&quot;&gt;",
    "next": lambda text: f"GET /login?next={quote(text, safe='')}&x=1 HTTP/1.1",
    "next of next": lambda text: (
        f"https://h/?RelayState={quote('https://i/?to=' + quote(text, safe=''), safe='')}&x=1"
    ),
    "json in a query": lambda text: f"/?s={quote(json.dumps({'u': text, 'n': 1}), safe='')}&x=1",
}


@each_case("name", ENCODERS)
@pytest.mark.parametrize(("url", "masked"), [(URL, MASKED), (TOKEN, TOKEN_MASKED)])
def test_the_same_mask_however_it_is_encoded(name, url, masked):
    encode = ENCODERS[name]
    assert redact_text(encode(url)) == encode(masked)


@each_case("escape", ["\n", "\r\n", "\t", "\n\n"])
@each_case("write", [repr, json.dumps, lambda text: json.dumps({"m": repr(text)})])
def test_a_secret_in_a_literal_goes_on_after_the_escape_of_a_line_break(escape, write):
    for url, masked in (
        (f"https://h/?token=gr{escape}{CANARY}&a=b", f"https://h/?token={MASK}&a=b"),
        (f"https://u:gr{escape}{CANARY}@h/", f"https://{MASK}:{MASK}@h/"),
    ):
        assert redact_text(write(url)) == write(masked)
    urls = f"{TOKEN}{escape}{TOKEN}"
    assert redact_text(write(urls)) == write(urls.replace(CANARY, MASK))


@each_case("cut", [
    "ö", "|", '"', "'", "`", "[", "]", "^", "{", "}", "\\", "(", ")", "€", "\udcff", ",", ";", "!",
])  # fmt: skip
@each_case("frame", ["{}", "see {} now", "url={} n=1", '{{"u":"{}","n":1}}', "<{}>", "'{}' x"])
def test_a_secret_is_masked_beyond_what_no_url_holds(cut, frame):
    frame = frame.replace("{{", "{").replace("}}", "}")
    quoted = frame.partition("{}")[0][-1:]
    secret = f"gr{cut}{CANARY}"
    if cut in (quoted, "\\"):
        secret = f"gr{CANARY}"
    for text in (f"https://h.example/?password={secret}", f"/a?x=1&token={secret}&y=2"):
        assert redact_text(frame.replace("{}", text)) == frame.replace(
            "{}", text.replace(secret, MASK)
        )


@each_case("line", TABLES["one_secret_or_none_and_all_else_stays"])
def test_one_secret_or_none_and_all_else_stays(line):
    assert redact_text(line.replace("<canary>", CANARY)) == line.replace("<canary>", MASK)


TEXT_OF_LIBRARIES = documents(__file__)["TEXT_OF_LIBRARIES"]


def test_texts_of_tracebacks():
    for line in TEXT_OF_LIBRARIES.splitlines():
        for url, masked in ((URL, MASKED), (TOKEN, TOKEN_MASKED)):
            assert redact_text(line.replace("{}", url)) == line.replace("{}", masked)


def failed(library, url):
    """Ask a library for a URL that it cannot fetch: the port is closed, or not a port."""
    if library == "urllib":
        from urllib.request import urlopen

        urlopen(url.replace("https:", "nothing:"))
    elif library == "aiohttp":
        import asyncio

        import aiohttp

        async def get():
            async with aiohttp.ClientSession() as session:
                await session.get(url.replace("https:", "nothing:"))

        asyncio.run(get())
    elif library == "yarl":
        import yarl

        yarl.URL(url.replace("h.example", "h.example:x"))
    else:
        module = pytest.importorskip(library)
        call = {"requests": "get", "httpx": "get", "urllib3": "request"}[library]
        arguments = ["GET"] if library == "urllib3" else []
        getattr(module, call)(*arguments, url.replace("h.example", "127.0.0.1:1"))


@each_case("library", ["urllib", "requests", "httpx", "urllib3", "aiohttp", "yarl"])
def test_tracebacks_of_libraries(library):
    pytest.importorskip(library)
    for url in (URL, TOKEN):
        try:
            failed(library, url)
        except Exception as error:  # noqa: BLE001 - of any library
            text = "".join(traceback.format_exception(error)) + repr(error)
        shown = redact_text(text)
        assert CANARY not in shown
        assert shown.count("\n") == text.count("\n")


FRAMES = [*PLAIN, *ENCODERS]
SECRETS = "abcXYZ0189-._~"


def planted(choose, number):
    """A line with secrets of its own, and the same with what each should have become."""
    marks = []

    def secret():
        marks.append("s3Cr" + "".join(choose.choices(SECRETS, k=10)) + f"{number}x")
        return marks[-1]

    url = choose.choice(
        [
            lambda: f"https://{secret()}:{secret()}@h.example:8443/a/b?c=d#e",
            lambda: f"https://h.example/a?id=7&{choose.choice(['sig', 'db_password'])}={secret()}",
            lambda: f"https://h.example/a;jsessionid={secret()}?id=7#top",
            lambda: f"http://h.example/cb#access_token={secret()}&state=1",
            lambda: f"https://b.example/k?X-Amz-Credential={secret()}&X-Amz-Signature={secret()}",
            lambda: f"git+https://{secret()}@h.example/o/r@v1",
            lambda: f"https://h.example/?page_token=7&to={quote(f'//{secret()}:{secret()}@i')}&b=c",
        ]
    )()
    masked = url
    for mark in marks:
        masked = masked.replace(mark, MASK)
    name = FRAMES[number % len(FRAMES)]
    if name in ENCODERS:
        return ENCODERS[name](url), ENCODERS[name](masked)
    frame = name.replace("{{", "\0").replace("}}", "\1")
    line, wanted = (
        frame.replace("{}", text).replace("\0", "{").replace("\1", "}") for text in (url, masked)
    )
    return line, wanted


def test_planted_secrets_in_thousands_of_lines():
    choose = random.Random(45)
    rows = [planted(choose, number) for number in range(3_000)]
    assert [(line, redact_text(line)) for line, wanted in rows if redact_text(line) != wanted] == []
