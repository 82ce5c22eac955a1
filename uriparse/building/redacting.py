"""Secrets of references, taken out for logs and traces."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, overload

from uriparse.components.redaction import Names, Redaction
from uriparse.parsing import Record, Reference, as_reference
from uriparse.records.references import redacted_by

if TYPE_CHECKING:
    from uriparse._compiled.names import RecordGrammar
    from uriparse.components.secret_names import Profile

_R = TypeVar("_R", bound=Record)


@overload
def redact(
    uri: _R,
    *,
    profile: Profile = "default",
    userinfo: bool = True,
    names: Names | None = None,
    grammar: RecordGrammar | str = "rfc3986",
) -> _R: ...
@overload
def redact(
    uri: Reference,
    *,
    profile: Profile = "default",
    userinfo: bool = True,
    names: Names | None = None,
    grammar: RecordGrammar | str = "rfc3986",
) -> Record: ...
def redact(
    uri: Reference,
    *,
    profile: Profile = "default",
    userinfo: bool = True,
    names: Names | None = None,
    grammar: RecordGrammar | str = "rfc3986",
) -> Record:
    """Replace the secrets of a reference by REDACTED; the rest stays as written.

    profile: which names of pairs have secret values (`NAMES` lists them): "default" all known
        ones, and every name that ends in a word such as "password", "token" or "access_key";
        "aws" those of signed URLs, "oauth" those of OAuth and OpenID Connect, "otel" those of
        OpenTelemetry. "strict" keeps scheme, host and path only, without the secrets of the path.
    userinfo: whether user and password are secret; False keeps both.
    names: your own names, which replace those of the profile.
    grammar: by which a text is parsed, "rfc3986" or "rfc3987"; a record has its own.

    Names are compared decoded, as ASCII letters and digits without letter case. Pairs are looked
    for in the query, in the fragment and after ";" in the path; URLs in values and paths are
    redacted too, encoded up to eight times. What else is secret in a path is not known. Linear in
    time. URISyntaxError, without the secret in its message, if a text is not a reference.

    >>> str(redact("https://u:p@h/?a=1&sig=x#access_token=y"))
    'https://REDACTED:REDACTED@h/?a=1&sig=REDACTED#access_token=REDACTED'
    >>> str(redact("https://h/?to=https%3A%2F%2Fu%3Ap%40i"))
    'https://h/?to=https%3A%2F%2FREDACTED%3AREDACTED%40i'
    >>> str(redact("https://u:p@h:8080/a?b#c", profile="strict"))
    'https://h/a'
    """
    record = as_reference(uri, grammar, "uri")
    return redacted_by(Redaction(profile, names, userinfo=userinfo), record)
