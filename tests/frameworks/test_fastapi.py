"""FastAPI takes the types as they are."""

from typing import Annotated

import pytest

from uriparse import URI, Policy

pytest.importorskip("fastapi")
pytest.importorskip("httpx2")

from fastapi import FastAPI
from fastapi.testclient import TestClient
from pydantic import BaseModel

from uriparse.pydantic import Schemes, URIStr


class Hook(BaseModel):
    """What is sent as JSON."""

    url: Annotated[URI, Schemes("https")]


APP = FastAPI()


@APP.get("/fetch")
def fetch(url: Annotated[URI, Policy.web()]) -> str:
    """Take a record of a query parameter."""
    return str(url.host)


@APP.get("/text")
def text(url: URIStr) -> str:
    """Take a text of a query parameter."""
    return url


@APP.post("/hooks")
def post(hook: Hook) -> Hook:
    """Take a record of JSON, and give one."""
    return hook


@pytest.fixture(scope="module")
def client():
    return TestClient(APP)


def test_parameters_and_bodies_are_read(client):
    assert client.get("/fetch", params={"url": "http://example.com/a"}).json() == "example.com"
    assert client.get("/text", params={"url": "a:b"}).json() == "a:b"
    sent = {"url": "https://h/?a=1"}
    assert client.post("/hooks", json=sent).json() == sent


def test_a_fault_is_told_with_its_place_and_no_password(client):
    answer = client.get("/fetch", params={"url": "http://u:pa55word@h:8x/"})
    assert answer.status_code == 422
    assert "pa55word" not in answer.text
    (error,) = answer.json()["detail"]
    assert (error["loc"], error["ctx"]["offset"]) == (["query", "url"], 21)
    answer = client.post("/hooks", json={"url": "http://u:pa55word@h/"})
    assert (answer.status_code, "pa55word" in answer.text) == (422, False)


def test_the_api_says_the_format(client):
    api = client.get("/openapi.json").json()
    (parameter,) = api["paths"]["/fetch"]["get"]["parameters"]
    assert parameter["schema"]["format"] == "uri"
    assert api["components"]["schemas"]["Hook"]["properties"]["url"]["format"] == "uri"
