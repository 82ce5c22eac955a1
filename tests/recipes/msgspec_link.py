"""msgspec: a field that is a record, to and from JSON."""

import msgspec

from uriparse import URI, URIReference


class Link(msgspec.Struct):
    url: URI


def encode_hook(value: object) -> object:
    if isinstance(value, URIReference):
        return str(value)
    raise NotImplementedError


def decode_hook(kind: type, value: object) -> object:
    if issubclass(kind, URIReference):
        return kind(value)
    raise NotImplementedError


encoder = msgspec.json.Encoder(enc_hook=encode_hook)
decoder = msgspec.json.Decoder(Link, dec_hook=decode_hook)
