"""SQLModel: a column of records."""

from sqlmodel import Field, SQLModel

from uriparse import URI
from uriparse.extra.sqlalchemy import URIType


class Link(SQLModel, table=True):
    id: int | None = Field(default=None, primary_key=True)
    url: URI = Field(sa_type=URIType)
