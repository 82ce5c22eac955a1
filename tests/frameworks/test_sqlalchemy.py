"""Columns of records on SQLite, and on PostgreSQL where a server is installed."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from uriparse import URI, RelativeRef, UnknownRuleError
from uriparse.conformance import suite

pytest.importorskip("sqlalchemy")

import sqlalchemy as sa
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from uriparse.sqlalchemy import ColumnSyntaxError, URIType, _expression, fits

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
    """A server of its own, that listens on a socket in a directory alone."""
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    found = [shutil.which("initdb"), *sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))]
    programs = [Path(program).resolve().parent for program in found if program]
    if not programs:
        pytest.skip("no server of PostgreSQL is installed")
    # PostgreSQL does not run as root.
    user = "nobody" if os.geteuid() == 0 else None
    place = Path(tempfile.mkdtemp(prefix="uriparse-"))
    if user:
        shutil.chown(place, user)

    def run(program, *arguments):
        command = [programs[-1] / program, "-D", place / "data", *arguments]
        done = subprocess.run(
            command, capture_output=True, text=True, cwd=place, user=user, check=False
        )
        assert done.returncode == 0, done.stderr

    try:
        run("initdb", "-U", "u", "--auth=trust", "-E", "UTF8", "--locale=C", "-N")
        options = f"-k {place} -c listen_addresses= -c fsync=off"
        run("pg_ctl", "start", "-w", "-l", place / "log", "-o", options)
        engine = sa.create_engine(f"postgresql+psycopg://u@/postgres?host={place}")
        yield engine
        engine.dispose()
        run("pg_ctl", "stop", "-m", "immediate")
    finally:
        shutil.rmtree(place)


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
    assert str(caught.value).startswith('port: "8x" is no port')
    assert (caught.value.offset, caught.value.cause) == (21, "bad-port")
    assert SECRET not in str(caught.value)
    with sqlite.connect() as connection:
        connection.execute(sa.text("insert into links (url) values ('a b')"))
        with pytest.raises(ColumnSyntaxError, match=r"no component holds a space"):
            connection.execute(sa.select(Link.url)).all()
        with pytest.raises(ColumnSyntaxError):
            connection.execute(sa.select(Link.id).where(Link.url != "a b"))


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


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "grammar"), [("URI", "rfc3986"), ("IRI-reference", "rfc3987")])
def test_postgresql_judges_as_the_grammar_does(postgresql, rule, grammar):
    # Lone surrogates and NUL are no text for PostgreSQL.
    rows = [
        row for row in suite(rule, grammar=grammar, method="transition") if is_storable(row.text)
    ]
    assert {row.valid for row in rows} == {True, False}
    anchored = f"^(?:{_expression(rule, grammar)})$"
    texts = [row.text for row in rows]
    judged = sa.text(
        "select t ~ :anchored from unnest(cast(:texts as text[])) with ordinality as u(t, i)"
        " order by i"
    )
    with postgresql.connect() as connection:
        verdicts = connection.scalars(judged, {"anchored": anchored, "texts": texts}).all()
    pairs = zip(rows, verdicts, strict=True)
    assert [row.text for row, verdict in pairs if row.valid != verdict] == []


def is_storable(text):
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)
