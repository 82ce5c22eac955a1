"""What a Prospero client asks a directory server for (RFC 1738 section 3.11)."""

from __future__ import annotations

from dataclasses import dataclass

from uriparse.schemes.plans.access import expect, fit_to_send, server_of
from uriparse.schemes.records.prospero import ProsperoURL


@dataclass(frozen=True, slots=True)
class ProsperoPlan:
    """What to ask for; how is a matter of the Prospero protocol, whose messages are datagrams.

    The answer says how the object is accessed, perhaps by a URL of another scheme: a prospero URL
    names a directory entry, never the object itself.

    Attributes:
        host, port: the directory server.
        hsoname: the object's name, which only its server understands.
        fields: pairs of name and value that tell which of the objects is meant, in their order.

    """

    host: str
    port: int
    hsoname: bytes
    fields: tuple[tuple[bytes, bytes], ...] = ()


def prospero_plan(url: ProsperoURL) -> ProsperoPlan:
    """Plan the question for how an object is accessed.

    SchemeError, with the offset, where anything decoded holds CR, LF or NUL, for Prospero speaks
    in lines; or where the port cannot be.

    >>> from uriparse.schemes import parse_url
    >>> plan = prospero_plan(parse_url("prospero://host.dom//pros/name;OBJECT-VERSION=3"))
    >>> plan.hsoname, plan.fields
    (b'/pros/name', ((b'OBJECT-VERSION', b'3'),))
    """
    expect(url, ProsperoURL)
    host, port = server_of(url)
    return ProsperoPlan(
        host,
        port,
        fit_to_send(url, url.hsoname, "hsoname"),
        tuple(
            (fit_to_send(url, name, "field"), fit_to_send(url, value, "field"))
            for name, value in url.fields
        ),
    )
