"""What validators and guards refuse: of hostile URLs, and of real ones."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from .tables import table

if TYPE_CHECKING:
    from unittest.mock import _patch

HOSTILE = Path("tests/vectors/hostile_urls.json")

Judge = Callable[[Sequence[str]], list[bool]]
"""Returns for each text whether it is accepted."""


@dataclass(frozen=True)
class Share:
    """What one of them refuses."""

    name: str
    hostile: int
    real: int
    of_hostile: int
    of_real: int


def _each(raises: Callable[[str], object]) -> Judge:
    """Judge by a function that raises, or returns something false, for what it refuses."""

    def accepts(text: str) -> bool:
        try:
            return bool(raises(text))
        except Exception:  # noqa: BLE001 - a peer may raise anything
            return False

    return lambda texts: [accepts(text) for text in texts]


def _ours() -> Judge:
    from uriparse import validate

    return _each(validate)


def _django() -> Judge:
    from django.core.validators import URLValidator

    validator = URLValidator(schemes=["http", "https"])
    return _each(lambda text: validator(text) is None)


def _pydantic() -> Judge:
    from pydantic import HttpUrl, TypeAdapter

    return _each(TypeAdapter(HttpUrl).validate_python)


def _validators() -> Judge:
    from validators import url

    return _each(lambda text: url(text, private=False))


def _url_guard() -> Judge:
    from url_guard import is_public_url

    return _each(is_public_url)


class _Connected(BaseException):
    """A client would connect now: no packet is sent."""


def _connect(own: socket.socket, _: object) -> NoReturn:
    own.close()
    raise _Connected


_PUBLIC = "93.184.215.14"


def _resolve(host: object, port: object, *_: object, **__: object) -> list[object]:
    """Resolve as a system without a network would, and any other name to a public address."""
    name = host.decode() if isinstance(host, bytes) else str(host)
    number = int(str(port or 0))
    try:
        packed = socket.inet_aton(name)  # "127.1" is a number for getaddrinfo, too
        address = socket.inet_ntoa(packed)
    except OSError:
        address = "127.0.0.1" if name.rstrip(".").lower().endswith("localhost") else _PUBLIC
    if ":" in name:
        return [(socket.AF_INET6, socket.SOCK_STREAM, 6, "", (name, number, 0, 0))]
    return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, number))]


@contextmanager
def _without_network() -> Iterator[None]:
    from unittest.mock import patch

    patches: list[_patch[object]] = [
        patch("socket.getaddrinfo", _resolve),
        patch("socket.socket.connect", _connect),
    ]
    for one in patches:
        one.start()
    try:
        yield
    finally:
        for one in patches:
            one.stop()


def _requests_hardened() -> Judge:
    from requests_hardened import Config, Manager

    config = Config(
        ip_filter_enable=True,
        ip_filter_allow_loopback_ips=False,
        never_redirect=True,
        default_timeout=(1, 1),
    )

    def connects(text: str) -> bool:
        try:
            Manager(config).send_request("GET", text)
        except _Connected:
            return True
        return False

    def judge(texts: Sequence[str]) -> list[bool]:
        with _without_network():
            return _each(connects)(texts)

    return judge


_SSRFCHECK = """
const { isSSRFSafeURL } = require("ssrfcheck");
const texts = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(texts.map((text) => {
  try { return isSSRFSafeURL(text, { quiet: true }); } catch { return false; }
})));
"""


def _ssrfcheck() -> Judge:
    node = shutil.which("node")
    where = os.environ.get("NODE_PATH")
    if node is None or not where or not (Path(where) / "ssrfcheck").is_dir():
        raise ImportError("NODE_PATH with ssrfcheck")

    def judge(texts: Sequence[str]) -> list[bool]:
        told = subprocess.run(
            [node, "-e", _SSRFCHECK], input=json.dumps(texts), stdout=subprocess.PIPE,
            encoding="utf-8", check=True,
        )  # fmt: skip
        found: list[bool] = json.loads(told.stdout)
        return found

    return judge


JUDGES: Mapping[str, Callable[[], Judge]] = {
    "uriparse": _ours,
    "django": _django,
    "pydantic": _pydantic,
    "validators": _validators,
    "requests-hardened": _requests_hardened,
    "ssrfcheck (npm)": _ssrfcheck,
    "url-guard": _url_guard,
}
"""What is asked, as their documentation says; each may raise ImportError."""


def hostile() -> list[str]:
    """Return the hostile texts of the tests."""
    groups = json.loads(HOSTILE.read_text("utf-8"))
    return [text for texts in groups.values() for text in texts]


def measure(texts: Iterable[str], tell: Callable[[str], object]) -> Iterator[Share]:
    """Yield what each refuses.

    texts: real URLs; those that are not http or https URIs by RFC 3986 are left out.
    """
    from uriparse import try_parse

    schemes = {"http", "https"}
    records = ((text, try_parse(text, "URI")) for text in texts)
    real = [text for text, found in records if found and found.scheme.lower() in schemes]
    attacks = hostile()
    for name, make in JUDGES.items():
        tell(f"refusals: {name} ...")
        try:
            judge = make()
        except ImportError as error:
            tell(f"refusals: not there: {name} ({error})")
            continue
        refused = [sum(not found for found in judge(texts)) for texts in (attacks, real)]
        yield Share(name, *refused, len(attacks), len(real))


def render(shares: Sequence[Share]) -> str:
    """One table."""
    body = [
        [
            share.name,
            f"{share.hostile} of {share.of_hostile}",
            f"{share.real} of {share.of_real}",
        ]
        for share in shares
    ]
    return table("refusals", ["", "hostile refused", "real refused"], body)
