"""`parse_url` and `equivalent` by RFC 1738, as the tests of its schemes use these names."""

from functools import partial

from uriparse import schemes
from uriparse.schemes import RFC1738

parse_url = partial(schemes.parse_url, registry=RFC1738)
equivalent = partial(schemes.equivalent, registry=RFC1738)
