"""attrs and cattrs: a field that is a record, to and from plain data."""

import attrs
import cattrs

from uriparse import URI


@attrs.frozen
class Link:
    url: URI = attrs.field(converter=URI)


converter = cattrs.Converter()
converter.register_structure_hook(URI, lambda value, kind: kind(value))
converter.register_unstructure_hook(URI, str)
