"""Recipes for packages that need no module of ours: values are kept, no password is shown."""

import pytest

from uriparse import URI, URISyntaxError

GOOD = "http://h/%7Ea?b"
BAD = "http://u:pa55word@h:8x/"


ROWS = [(GOOD, True, "h"), ("a b", False, None), (None, None, None), ("x://0.é/", False, None)]
ROWS += [("a://b", True, "b"), (GOOD, True, "h")]


SHAPES = {
    "as it is": lambda frame: frame,
    "sorted": lambda frame: frame.sort_values("url", ascending=False),
    "filtered": lambda frame: frame[frame["url"] != GOOD],
    "turned round": lambda frame: frame[::-1],
    "labels twice": lambda frame: frame.set_axis([7, 7, 0, 1, 0, 7]),
    "labels of two levels": lambda frame: frame.set_index(["valid", "host"], drop=False),
    "texts as labels": lambda frame: frame.set_index("url", drop=False),
    "no rows": lambda frame: frame[:0],
}


def test_attrs():
    pytest.importorskip("cattrs")
    from recipes.attrs_link import Link, converter

    link = converter.structure({"url": GOOD}, Link)
    assert link == Link(GOOD)
    assert type(link.url) is URI
    assert converter.unstructure(link) == {"url": GOOD}
    with pytest.raises(URISyntaxError, match=r"not a valid port"):
        Link(BAD)
    with pytest.raises(ExceptionGroup) as caught:
        converter.structure({"url": BAD}, Link)
    assert "not a valid port" in repr(caught.value.exceptions)
    assert "pa55word" not in repr(caught.value)


def test_msgspec():
    msgspec = pytest.importorskip("msgspec")
    from recipes.msgspec_link import Link, decoder, encoder

    text = b'{"url":"%s"}' % GOOD.encode()
    link = decoder.decode(text)
    assert (type(link.url), link) == (URI, Link(URI(GOOD)))
    assert encoder.encode(link) == text
    with pytest.raises(msgspec.ValidationError, match=r"not a valid port.*`\$\.url`$") as caught:
        decoder.decode(b'{"url":"%s"}' % BAD.encode())
    assert "pa55word" not in str(caught.value)


def test_marshmallow():
    marshmallow = pytest.importorskip("marshmallow")
    from recipes.marshmallow_link import LinkSchema

    loaded = LinkSchema().load({"url": GOOD})
    assert type(loaded["url"]) is URI
    assert LinkSchema().dump(loaded) == {"url": GOOD}
    for value, told in [(BAD, "not a valid port"), (5, "not int")]:
        with pytest.raises(marshmallow.ValidationError) as caught:
            LinkSchema().load({"url": value})
        assert told in caught.value.messages["url"][0]
        assert "pa55word" not in str(caught.value)


def test_wtforms():
    pytest.importorskip("wtforms")
    from recipes.wtforms_link import LinkForm

    assert LinkForm(data={"url": GOOD}).validate()
    for value, told in [(BAD, "not a valid port"), (None, "no scheme")]:
        form = LinkForm(data={"url": value})
        assert not form.validate()
        assert told in form.errors["url"][0]
        assert "pa55word" not in str(form.errors)


def test_environs(monkeypatch):
    environs = pytest.importorskip("environs")
    from recipes.environs_link import env

    monkeypatch.setenv("SERVICE", GOOD)
    assert env.uri("SERVICE") == URI(GOOD)
    monkeypatch.setenv("SERVICE", BAD)
    with pytest.raises(environs.EnvError, match=r"not a valid port") as caught:
        env.uri("SERVICE")
    assert "pa55word" not in str(caught.value)


def test_pandas():
    pd = pytest.importorskip("pandas")
    from recipes.pandas_columns import COMPONENTS, components, valid

    texts = pd.Series([GOOD, "a b", None, "//h:80"], index=[3, 1, 4, 5])
    assert valid(texts).tolist() == [True, False, pd.NA, False]
    table = components(texts)
    assert table.index.equals(texts.index)
    assert tuple(table.loc[3]) == ("http", None, "h", None, "/%7Ea", "b", None)
    assert tuple(table.loc[1]) == tuple(table.loc[4]) == (None,) * len(COMPONENTS)
    assert (table.loc[5, "port"], table.loc[5, "path"]) == ("80", "")


@pytest.mark.parametrize("kind", ["object", "string", "string[pyarrow]", "large_string[pyarrow]"])
@pytest.mark.parametrize("shape", SHAPES)
def test_pandas_gives_each_row_its_own_verdict(shape, kind):
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    from recipes import pandas_columns

    frame = pd.DataFrame(ROWS, columns=["url", "valid", "host"], dtype=object)
    frame = SHAPES[shape](frame.astype({"url": kind}))
    import uriparse.extra.pandas  # noqa: F401 - registers the accessor

    for made in (frame["url"].uri.is_valid(), pandas_columns.valid(frame["url"])):
        frame["found"] = made
        for valid, found in zip(frame["valid"], frame["found"], strict=True):
            assert found is pd.NA if valid is None else found == valid
    frame["found"] = pandas_columns.components(frame["url"])["host"]
    assert [host if isinstance(host, str) else None for host in frame["found"]] == [*frame["host"]]


def test_sqlmodel():
    sqlmodel = pytest.importorskip("sqlmodel")
    from recipes.sqlmodel_link import Link

    from uriparse.extra.sqlalchemy import ColumnSyntaxError

    engine = sqlmodel.create_engine("sqlite://")
    sqlmodel.SQLModel.metadata.create_all(engine, tables=[Link.__table__])
    with sqlmodel.Session(engine) as session:
        session.add(Link(url=URI(GOOD)))
        session.commit()
        assert session.exec(sqlmodel.select(Link)).one().url == URI(GOOD)
        session.add(Link(url=BAD))
        with pytest.raises(ColumnSyntaxError, match=r"not a valid port"):
            session.commit()
    engine.dispose()


def test_rdflib():
    rdflib = pytest.importorskip("rdflib")
    from recipes.rdflib_names import name

    assert name("http://é.example/#ü") == rdflib.URIRef("http://é.example/#ü")
    assert name("../é", "x-data://h/a/b/") == rdflib.URIRef("x-data://h/a/é")
    for text in ["a", "http://h/<b>", BAD]:
        with pytest.raises(URISyntaxError):
            name(text)


def test_referencing():
    jsonschema = pytest.importorskip("jsonschema")
    pytest.importorskip("referencing")
    from recipes.referencing_schemas import absolute, registry
    from referencing.exceptions import Unresolvable

    schemas = {
        "x-schemas://h/dir/list.json": {"items": {"$ref": "item.json#/$defs/name"}},
        "x-schemas://h/dir/item.json": {"$defs": {"name": {"type": "string"}}},
    }
    first = next(iter(schemas))
    validator = jsonschema.Draft202012Validator({"$ref": first}, registry=registry(schemas))
    assert validator.is_valid(["a"])
    assert not validator.is_valid([5])
    from referencing import Registry
    from referencing.jsonschema import DRAFT202012

    plain = [(uri, DRAFT202012.create_resource(schema)) for uri, schema in schemas.items()]
    unmended = jsonschema.Draft202012Validator(
        {"$ref": first}, registry=Registry().with_resources(plain)
    )
    with pytest.raises(Unresolvable):  # or the recipe is needed no more
        unmended.is_valid(["a"])
    nested = {"$id": "a/b", "anyOf": [{"$ref": "c"}, {"$ref": "#d"}]}
    assert absolute(nested, "x:/y/") == {
        "$id": "x:/y/a/b",
        "anyOf": [{"$ref": "x:/y/a/c"}, {"$ref": "x:/y/a/b#d"}],
    }
