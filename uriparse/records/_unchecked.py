"""Records made WITHOUT CHECKING, of parts that come from records: `_unchecked.reference(...)`.

For code that derives parts in ways which keep them valid (parsing, resolution, normalization),
where checking again would double its time; the tests parse again what it returns. Never for text
from outside: that is what the constructors and `URIReference.from_parts` are for.
"""

from uriparse.records.authority import _unchecked_authority as authority
from uriparse.records.hosts import _unchecked_host as host
from uriparse.records.references import _unchecked_parts as parts
from uriparse.records.references import _unchecked_reference as reference

__all__ = ["authority", "host", "parts", "reference"]
