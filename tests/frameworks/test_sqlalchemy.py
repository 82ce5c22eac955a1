"""Columns of records on SQLite, and on PostgreSQL where a server is installed."""

import re

import pytest
from cases import sentence
from engines.postgresql import server
from oracle.engine_urls import as_program, hostile_texts

from uriparse import URI, RelativeRef, UnknownRuleError
from uriparse.errors import URISyntaxError
from uriparse.legacy.sqlalchemy import VERSIONS, quote, split_engine_url

pytest.importorskip("sqlalchemy")

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import asyncpg, psycopg
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from uriparse.extra.sqlalchemy import ColumnSyntaxError, URIType, fits

SECRET = "pa55word"


class Base(DeclarativeBase):
    """All tables."""


class Link(Base):
    """A URI, and a reference to it."""

    __tablename__ = "links"
    __table_args__ = (fits("url"), fits("ref", "IRI-reference", grammar="rfc3987"))

    id: Mapped[int] = mapped_column(primary_key=True)
    url: Mapped[URI] = mapped_column(URIType(length=2000))
    ref: Mapped[RelativeRef | None] = mapped_column(URIType("iri-reference", grammar="rfc3987"))


@pytest.fixture
def sqlite():
    engine = sa.create_engine("sqlite://")
    Base.metadata.create_all(engine)
    yield engine
    engine.dispose()


@pytest.fixture(scope="module")
def postgresql():
    """A server of its own."""
    with server() as place:
        engine = sa.create_engine(f"postgresql+psycopg://u@/postgres?host={place}")
        yield engine
        engine.dispose()


def keeps_records(engine):
    with Session(engine) as session:
        session.add(Link(url=URI("http://h/%7Ea?b"), ref=RelativeRef("../é", grammar="rfc3987")))
        session.add(Link(url="http://h/it's"))
        session.commit()
    with Session(engine) as session:
        link = session.scalars(sa.select(Link).where(Link.url == "http://h/%7Ea?b")).one()
        assert (type(link.url), link.url, link.ref.grammar) == (URI, "http://h/%7Ea?b", "rfc3987")
        other = session.scalars(sa.select(Link).where(Link.url.in_([URI("http://h/it's")]))).one()
        assert other.ref is None
        likes = sa.select(sa.func.count()).where(Link.url.like("%//h/%"))
        assert session.scalar(likes) == 2
        literal = sa.select(Link.id).where(Link.url == "http://h/it's")
        text = str(literal.compile(engine, compile_kwargs={"literal_binds": True}))
        assert "'http://h/it''s'" in text


def test_sqlite_keeps_records(sqlite):
    keeps_records(sqlite)


def test_a_fault_is_told_with_its_place_and_no_password(sqlite):
    with Session(sqlite) as session:
        session.add(Link(url=f"http://u:{SECRET}@h:8x/"))
        with pytest.raises(ColumnSyntaxError) as caught:
            session.commit()
    assert str(caught.value).startswith("port: ")
    assert (caught.value.offset, caught.value.cause) == (21, "bad-port")
    assert SECRET not in str(caught.value)
    with sqlite.connect() as connection:
        connection.execute(sa.text("insert into links (url) values ('a b')"))
        with pytest.raises(ColumnSyntaxError, match=sentence("space")):
            connection.execute(sa.select(Link.url)).all()


def test_a_text_that_the_rule_does_not_derive_equals_no_value(sqlite):
    with Session(sqlite) as session:
        session.add(Link(url="http://h/"))
        session.commit()
        for text in ("not a uri", "\u00fc", "", URI("x:"), b"a b"):
            assert session.scalars(sa.select(Link.id).where(Link.url == text)).all() == []
        assert len(session.scalars(sa.select(Link.id).where(Link.url != "a b")).all()) == 1
        found = session.scalars(sa.select(Link.id).where(Link.url.in_(["a b", "http://h/"])))
        assert len(found.all()) == 1
        with pytest.raises(sa.exc.StatementError, match="value must be a str, ASCII bytes or a"):
            session.scalars(sa.select(Link.id).where(Link.url == 5))


def test_types_are_compared_by_what_they_hold():
    assert URIType("uri").rule == "URI"
    assert repr(URIType(length=9)) == "URIType('URI', grammar='rfc3986', length=9)"
    assert URIType()._static_cache_key == URIType("uri")._static_cache_key
    assert URIType()._static_cache_key != URIType("URI-reference")._static_cache_key
    with pytest.raises(UnknownRuleError):
        URIType("nonsense")
    with pytest.raises(UnknownRuleError):
        fits("url", "nonsense")


def test_only_postgresql_is_asked_to_check():
    made = sa.schema.CreateTable(Link.__table__)
    assert "CHECK" not in str(made.compile(dialect=sa.dialects.sqlite.dialect()))


def test_a_constraint_reads_the_same_as_text(monkeypatch):
    written = "(?:a|[0-:A-Z]|:5|%20)*"
    monkeypatch.setattr("uriparse.extra.sqlalchemy.pattern", lambda *_, **__: written)
    for dialect in (psycopg.dialect(), asyncpg.dialect()):
        made = str(fits("url").sqltext.compile(dialect=dialect))
        text = sa.text(made).compile(dialect=dialect)
        assert (str(text), text.params) == (made, {})
        expression = re.compile(made.split("'")[1])
        for character in map(chr, range(128)):
            assert bool(expression.fullmatch(character)) is bool(re.fullmatch(written, character))
        assert expression.fullmatch(":5%20a:A")


@pytest.mark.slow
def test_postgresql_keeps_records_and_holds_to_the_rules(postgresql):
    Base.metadata.create_all(postgresql)
    keeps_records(postgresql)
    for statement in [
        "insert into links (url) values ('http://h/a b')",
        "insert into links (url) values (E'http://h/\\n')",
        "insert into links (url, ref) values ('a:', '%')",
    ]:
        with postgresql.connect() as connection, pytest.raises(sa.exc.IntegrityError, match="fits"):
            connection.exec_driver_sql(statement.replace("%", "%%"))


def test_database_urls_are_read_and_quoted_as_the_installed_version_does():
    version, _, patch = sa.__version__.rpartition(".")
    if version == "2.0" and int(patch) < 24:
        version = "2.0.23"
    assert version in VERSIONS
    read = 0
    for text in hostile_texts(10_000, 1):
        assert quote(text, version=version) == sa.URL.create("d", text).render_as_string()[4:-1]
        try:
            url = split_engine_url(text, version=version)
        except URISyntaxError:
            continue
        theirs = sa.make_url(text)
        query = {name: list(v) if isinstance(v, tuple) else v for name, v in theirs.query.items()}
        assert as_program(url, version) == [*theirs[:-1], query]
        read += 1
    assert read > 3_000
