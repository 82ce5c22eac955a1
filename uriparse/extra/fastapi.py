"""For FastAPI: handlers may return records, whatever their return type says, or does not say.

Importing this module registers the encoder. Parameters and bodies need nothing of it: `URI` is
the type of a field as it is, and a `Policy` is a mark.

>>> from fastapi.encoders import jsonable_encoder
>>> from uriparse import parse
>>> jsonable_encoder({"next": parse("http://h/a"), "host": parse("//h").host})
{'next': 'http://h/a', 'host': 'h'}
"""

from uriparse._base import needed
from uriparse.records import URI as _URI
from uriparse.records import Authority, IPv4, IPv6, IPvFuture, RegName, RelativeRef

with needed("fastapi", __name__):
    from fastapi.encoders import ENCODERS_BY_TYPE

ENCODERS_BY_TYPE.update(
    dict.fromkeys((_URI, RelativeRef, Authority, IPv4, IPv6, IPvFuture, RegName), str)
)
