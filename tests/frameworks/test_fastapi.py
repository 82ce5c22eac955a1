"""FastAPI takes the types as they are."""

from typing import Annotated

import pytest

from uriparse import URI, Policy, parse

pytest.importorskip("fastapi")
pytest.importorskip("httpx2")

from fastapi import Body, FastAPI, Query
from fastapi.responses import Response
from fastapi.testclient import TestClient
from pydantic import BaseModel

import uriparse.extra.fastapi  # noqa: F401 - registers the encoder
from uriparse.extra.asgi import LocalRedirects
from uriparse.extra.pydantic import IRI, Schemes, URIStr
from uriparse.schemes.current import MailtoURI
from uriparse.validation import Target

APP = FastAPI()
STAYING = ["/a", "/a?b#c", "http://testserver/", "https://login.example.com/a"]
LEAVING = ["//evil.example", "https://evil.example/", "http:evil.example", r"/\evil.example", "a/b"]


class Hook(BaseModel):
    """What is sent as JSON."""

    url: Annotated[URI, Schemes("https")]


@APP.get("/fetch")
def fetch(url: Annotated[URI, Policy.web()]) -> str:
    """Take a record of a query parameter."""
    return str(url.host)


@APP.get("/text")
def text(url: URIStr) -> str:
    """Take a text of a query parameter."""
    return url


@APP.get("/limited")
def limited(url: Annotated[URI, Policy.web(), Query(max_length=25, pattern="^http:")]) -> URI:
    """Take a record of a short query parameter."""
    return url


@APP.post("/typed")
def typed(
    to: Annotated[Target, Body(embed=True)],
    mail: MailtoURI,
    iri: Annotated[IRI, Query(max_length=9)],
) -> tuple[Target, MailtoURI, IRI]:
    """Take a destination, a record of a scheme and an IRI, and give them."""
    return to, mail, iri


@APP.post("/hooks")
def post(hook: Hook) -> Hook:
    """Take a record of JSON, and give one."""
    return hook


@APP.get("/untyped")
def untyped():
    """Give a record, and one in a list, without a return type."""
    return [parse("http://h/a"), {"host": parse("//h").host}]


@APP.get("/login")
def login(next: str):  # noqa: A002 - as pages call it
    """Redirect to where a request says."""
    return Response(status_code=307, headers={"location": next})  # nothing is encoded


APP.add_middleware(LocalRedirects, allow=Policy(schemes=["https"], hosts=["login.example.com"]))


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


def test_a_parameter_has_constraints(client):
    assert client.get("/limited", params={"url": "http://h/a"}).json() == "http://h/a"
    for text, kind in [
        ("http://u:pa55word@h/" + 6 * "a", "string_too_long"),
        ("https://h/", "string_pattern_mismatch"),
        ("http://h:8x/", "uri_syntax"),
    ]:
        answer = client.get("/limited", params={"url": text})
        assert (answer.status_code, answer.json()["detail"][0]["type"]) == (422, kind)
        assert "pa55word" not in answer.text
    (parameter,) = client.get("/openapi.json").json()["paths"]["/limited"]["get"]["parameters"]
    told = {name: parameter["schema"][name] for name in ("format", "maxLength", "pattern")}
    assert told == {"format": "uri", "maxLength": 25, "pattern": "^http:"}


def test_records_of_schemes_targets_and_iris_are_parameters(client):
    sent, body = {"mail": "mailto:a@h.example", "iri": "a:é"}, {"to": "https://example.com/a"}
    answer = client.post("/typed", params=sent, json=body)
    assert answer.json() == [*body.values(), *sent.values()]
    refused = {"mail": "http://h/", "iri": "a:ééééééééé"}
    answer = client.post("/typed", params=refused, json={"to": "http://127.0.0.1/"})
    kinds = {error["loc"][1]: error["type"] for error in answer.json()["detail"]}
    assert answer.status_code == 422
    assert kinds == {"to": "uri_policy", "mail": "uri_scheme", "iri": "string_too_long"}
    told = client.get("/openapi.json").json()["paths"]["/typed"]["post"]["parameters"]
    assert [one["schema"]["format"] for one in told] == ["uri", "iri"]
    assert told[1]["schema"]["maxLength"] == 9


def test_records_are_returned_without_a_return_type(client):
    assert client.get("/untyped").json() == ["http://h/a", {"host": "h"}]


@pytest.mark.parametrize("location", STAYING)
def test_a_redirect_on_the_site_or_where_the_policy_lets_it_passes(client, location):
    answer = client.get("/login", params={"next": location}, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (307, location)


@pytest.mark.parametrize("location", LEAVING)
def test_a_redirect_to_another_site_is_refused(client, location):
    answer = client.get("/login", params={"next": location}, follow_redirects=False)
    assert answer.status_code == 400
    assert "location" not in answer.headers
    assert answer.text == "The redirect leads to another site."


def test_no_redirect_passes_where_the_site_is_not_known(client):
    sent = {"params": {"next": "/"}, "headers": {"host": "a b"}}
    assert client.get("/login", **sent, follow_redirects=False).status_code == 400
