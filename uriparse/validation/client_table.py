"""Which clients need which rules of the agreement, as measured on the wire: see `clients.txt`."""

from typing import Final, NamedTuple

from uriparse._data_files import text_beside


class ClientRules(NamedTuple):
    """What a client does otherwise than RFC 3986.

    version: that was measured.
    codes: of the layer "agreement", without whose rules it goes elsewhere or sends another
        request target.
    path_triplets: triplets in a path that it does not send as they are; octets below 80.
    query_triplets: the same in a query.
    """

    version: str
    codes: tuple[str, ...]
    path_triplets: str
    query_triplets: str


_, _CODES, _ROWS = text_beside(__name__, "clients.txt").split("\n\n")

MEASURED: Final = tuple(_CODES.split())
"""The codes that were measured; triplets have sets of their own."""

CLIENTS: Final = {
    name: ClientRules(version, tuple(codes.split()), path, query)
    for name, version, codes, path, query in (row.split("|") for row in _ROWS.splitlines())
}
"""The clients that were measured, by the names that a policy takes."""
