"""Which names of pairs have secret values.

A name is secret if a profile lists it, or, in the profiles "default" and "strict", if it ends in a
word that says so: `db_password`, `resetToken`, `user[password]`, `x-ms-access-key-2`.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

Profile: TypeAlias = Literal["default", "aws", "oauth", "otel", "strict"]

_OTEL = ("AWSAccessKeyId", "Signature", "sig", "X-Goog-Signature")
_AWS = (
    *("AWSAccessKeyId", "Signature", "sig", "Key-Pair-Id", "X-Amz-Credential"),
    *("X-Amz-Security-Token", "X-Amz-Signature", "X-Goog-Credential", "X-Goog-Signature"),
)
_OAUTH = (
    *("access_token", "assertion", "client_assertion", "client_secret", "code", "code_verifier"),
    *("device_code", "id_token", "id_token_hint", "jwt", "logout_token", "password"),
    *("refresh_token", "request", "token", "user_code"),
)
_COMMON = (
    *("api_key", "auth", "auth_token", "authorization", "credential", "credentials", "key"),
    *("otp", "pass", "passwd", "private_token", "pwd", "secret", "session", "session_id"),
    *("sid", "x_api_key", "csrf_token", "jsessionid", "phpsessid", "auth_code"),
    *("authorization_code", "verification_code", "SAMLResponse", "SAMLart"),
)

SENSITIVE_NAMES: Final = tuple(dict.fromkeys((*_OTEL, *_AWS, *_OAUTH, *_COMMON)))
"""Names of pairs whose values the profile "default" redacts."""

NAMES: Final[Mapping[Profile, tuple[str, ...]]] = MappingProxyType(
    {
        "default": SENSITIVE_NAMES,
        "aws": _AWS,  # signed URLs of AWS, Google Cloud and Azure
        "oauth": _OAUTH,  # RFC 6749, 7523, 7636, 8628, 9101 and OpenID Connect
        "otel": _OTEL,  # OpenTelemetry's semantic conventions, for url.full and url.query
        "strict": SENSITIVE_NAMES,
    }
)
"""The names of each profile."""

SECRET_WORDS: Final = (
    *("password", "passwd", "passphrase", "passcode", "pwd", "password_confirmation"),
    *("password_confirm", "secret", "secret_id", "token", "jwt", "signature", "credential"),
    *("credentials", "verifier", "assertion", "session_id", "sess_id", "api_key", "access_key"),
    *("access_key_id", "account_key", "auth_key", "client_key", "encryption_key", "functions_key"),
    *("license_key", "master_key", "private_key", "secret_key", "service_key", "session_key"),
    *("shared_key", "signing_key", "storage_key", "subscription_key"),
)
"""A name that ends in one of these is secret, whatever is before it."""

SECRET_LAST_WORDS: Final = ("auth", "otp", "pass", "pw", "sig")
"""The same for a last word alone, as in `db_pass` and `dbPass`: not `bypass`, not `compass`."""

PUBLIC_WORDS: Final = (
    *("page_token", "next_token", "continuation_token", "pagination_token", "sync_token"),
    *("skip_token", "boarding_pass", "first_pass"),
)
"""A name that ends in one of these is kept, although it ends in a secret word: these are places in
a list of results, which grant nothing."""


def plain(name: str) -> str:
    """Return a name as names are compared: its ASCII letters and digits, in lower case."""
    return "".join(filter(str.isalnum, name.encode("ascii", "ignore").decode())).lower()


_SUFFIXES, _KEPT = tuple(map(plain, SECRET_WORDS)), tuple(map(plain, PUBLIC_WORDS))
_LAST_WORD = re.compile(r"(?:(?<![A-Za-z])[a-z]+|[A-Z][a-z]+|(?<![A-Za-z])[A-Z]+)[^A-Za-z]*\Z")
"""The last word of a name: the others end before a capital letter or something else."""


def ends_in_secret(name: str) -> bool:
    """Return whether a name, decoded, ends in a secret word; a number may follow it.

    >>> [ends_in_secret(name) for name in ("db_password", "dbPass2", "bypass", "page_token")]
    [True, True, False, False]
    """
    letters = plain(name).rstrip("0123456789")
    if letters.endswith(_SUFFIXES):
        return not letters.endswith(_KEPT)
    # The name of the longest word has 24 characters: of a longer one, its end is enough.
    last = _LAST_WORD.search(name[-_LONGEST:])
    return last is not None and plain(last[0]).rstrip("0123456789") in SECRET_LAST_WORDS


_LONGEST = 24
