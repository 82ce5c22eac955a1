"""x"""

from typing import Final, NamedTuple


class ClientRules(NamedTuple):
    version: str
    codes: tuple[str, ...]
    path_triplets: str
    query_triplets: str


MEASURED: Final = ()
CLIENTS: Final[dict[str, ClientRules]] = {}
