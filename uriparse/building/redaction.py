"""What logs and traces must not hold, taken out of a reference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar, overload

from uriparse.building.queries import joined, octets_of, raw_pairs
from uriparse.door import as_items
from uriparse.parsing import Record, Reference, as_reference
from uriparse.records import _unchecked

if TYPE_CHECKING:
    from collections.abc import Iterable

    from uriparse.door import Data

SENSITIVE_NAMES: Final = ("AWSAccessKeyId", "Signature", "sig", "X-Goog-Signature")
"""Names of pairs whose values OpenTelemetry redacts by default (its semantic conventions, for
url.full and url.query)."""

_MARK = "REDACTED"

_R = TypeVar("_R", bound=Record)


@overload
def redacted(uri: _R, *, userinfo: bool = True, query: Iterable[Data] | None = None) -> _R: ...
@overload
def redacted(
    uri: Reference, *, userinfo: bool = True, query: Iterable[Data] | None = None
) -> Record: ...
def redacted(
    uri: Reference, *, userinfo: bool = True, query: Iterable[Data] | None = None
) -> Record:
    """Write REDACTED in the place of secrets, as OpenTelemetry does; all else stays as written.

    userinfo: whether user and password are secret; False keeps both.
    query: names of pairs whose values are, compared decoded and in their letter case; None takes
        `SENSITIVE_NAMES`, which yours replace.

    What else holds a secret (path, fragment, other pairs) is not known here. Linear in time.
    URISyntaxError, without the secret in its message, if a text is no reference.

    >>> str(redacted("https://u:p@h/?a=1&sig=x"))
    'https://REDACTED:REDACTED@h/?a=1&sig=REDACTED'
    """
    record = as_reference(uri, name="uri")
    names = octets_of(
        SENSITIVE_NAMES if query is None else as_items(query, "query", "an iterable of names")
    )
    authority = record.authority
    if userinfo and authority is not None and authority.userinfo is not None:
        login = _MARK if authority.password is None else f"{_MARK}:{_MARK}"
        authority = _unchecked.authority(login, authority.host, authority.port)
    pairs = [
        pair._replace(value=_MARK) if pair.value is not None and pair.is_named(names) else pair
        for pair in raw_pairs(record.query)
    ]
    return _unchecked.reference(
        record.scheme,
        authority,
        record.path,
        joined([(pair.separator, pair.text) for pair in pairs]) if pairs else record.query,
        record.fragment,
        record.grammar,
    )
