"""The components of a reference as callers name and give them; for type checkers alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from typing import Required

    from uriparse.records.authority import Authority, PortPart
    from uriparse.records.hosts import HostPart


class AfterScheme(TypedDict, total=False):
    """The components that any reference may have."""

    authority: str | Authority | None
    userinfo: str | None
    host: HostPart | None
    port: PortPart | None
    path: str
    query: str | None
    fragment: str | None


class Parts(AfterScheme, total=False):
    """The components of a `URI` or a `RelativeRef`."""

    scheme: str | None


class PartsOfURI(AfterScheme, total=False):
    """The components of a `URI`."""

    scheme: Required[str]


class ChangesOfURI(AfterScheme, total=False):
    """What can be exchanged in a `URI` that is to stay one."""

    scheme: str
