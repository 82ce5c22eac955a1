"""Cache keys: texts of the same resource get the same key, according to a profile.

A profile is a sequence of named steps. Two are included; a crawler with its own rules extends one
of them, or makes another from `Profile` and `Step`:

>>> from uriparse import URI
>>> def drop_query(uri: URI) -> URI:
...     return uri.replace(query=None)
>>> pages = RFC3986.extended("pages", Step("drop-query", "all queries give one page", drop_query))
>>> cache_key("http://H/a?session=1#top", pages)
'http://h/a'

A key contains the user name and password of its text, since the server's answer depends on them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from types import MappingProxyType
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar, cast

from uriparse._base.coerce import Text, as_choice, as_text, refusal
from uriparse.errors import EncodingError, excerpt
from uriparse.grammar import charset
from uriparse.legacy.octets import octets_of, text_of
from uriparse.legacy.wwwoffle import LOCALHOST, Version
from uriparse.legacy.wwwoffle.canonical import rules, split_by_version
from uriparse.legacy.wwwoffle.split import WwwoffleParts, composed
from uriparse.normalization import normalize
from uriparse.normalization.normalizing import (
    apply_defaults,
    decode_unreserved,
    fold_case,
    remove_dots,
)
from uriparse.parsing import parse
from uriparse.records.rewriting import native_normal
from uriparse.resolution.resolving import without_fragment

if TYPE_CHECKING:
    from uriparse.legacy.wwwoffle.part_rules import NamedRule
    from uriparse.parsing import Record
    from uriparse.records import URI
    from uriparse.records.references import Pass


_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Step(Generic[_T]):
    """One step of a profile.

    name: unique in its profile.
    says: what it does, in a few words.
    apply: takes the value of the previous step and returns the next.
    """

    name: str
    says: str
    apply: Callable[[_T], _T]


class Shown(NamedTuple):
    """A step, and the key if the profile ended there."""

    name: str
    says: str
    key: str

    def __repr__(self) -> str:
        """Show name and key, a password masked."""
        return f"<{type(self).__name__} {self.name}: {excerpt.masked(self.key)!r}>"


@dataclass(frozen=True, slots=True)
class Profile(Generic[_T]):
    """How a text becomes a cache key: read it, apply the steps in order, write the result.

    name: the name in messages.
    read: returns a value for the text, or raises URIError for a text without a key.
    steps: the steps in order.
    write: returns the key for the value.
    """

    name: str
    read: Callable[[str], _T]
    steps: tuple[Step[_T], ...]
    write: Callable[[_T], str]

    def __post_init__(self) -> None:
        """Check that the names of steps are unique."""
        names = [step.name for step in self.steps]
        if len(set(names)) != len(names):
            raise ValueError(f"profile {self.name!r} has two steps of the same name: {names}")

    def key(self, text: Text) -> str:
        """Return the key of a text; URIError if it has none."""
        value = self.read(as_text(text))
        for step in self.steps:
            value = step.apply(value)
        return self.write(value)

    def explain(self, text: Text) -> Iterator[Shown]:
        """Yield the key after each step, and before the first as step "read"."""
        return self._explained(as_text(text))

    def _explained(self, text: str) -> Iterator[Shown]:
        value = self.read(text)
        yield Shown("read", "the text as the profile reads it", self.write(value))
        for step in self.steps:
            value = step.apply(value)
            yield Shown(step.name, step.says, self.write(value))

    def extended(self, name: str, *steps: Step[_T]) -> Profile[_T]:
        """Return a profile with these steps after its own."""
        return replace(self, name=name, steps=(*self.steps, *steps))

    def without(self, name: str, *steps: str) -> Profile[_T]:
        """Return a profile without the named steps; ValueError for an unknown step."""
        missing = set(steps) - {step.name for step in self.steps}
        if missing:
            raise ValueError(f"profile {self.name!r} has no step {sorted(missing)}")
        kept = tuple(step for step in self.steps if step.name not in steps)
        return replace(self, name=name, steps=kept)


def cache_key(text: Text, profile: str | Profile[_T] = "rfc3986") -> str:
    """Return the cache key of a text; with the named profiles, a key is its own key.

    profile: your own profile, or a name: "rfc3986" is the normal form of RFC 3986 section 6.2.3
        without the fragment, for URIs; "wwwoffle" is the canonical string of
        `uriparse.legacy.wwwoffle`, for any text.

    URIError if the profile rejects the text: "rfc3986" raises URISyntaxError unless it is a URI.
    ValueError for an unknown name.

    >>> cache_key("HTTP://Example.com:80/%7ea/../b#top")
    'http://example.com/b'
    >>> cache_key("Example.com/%7ea/../b?c=%20", "wwwoffle")
    'http://example.com/b?c=+'
    """
    if isinstance(profile, str):
        return KEYS[as_choice(profile, "profile", tuple(KEYS))](text)
    if not isinstance(profile, Profile):
        raise refusal(profile, "profile", "a name or a Profile")
    return profile.key(text)


def _uri_step(name: str, says: str, apply: Pass) -> Step[URI]:
    return Step(name, says, cast("Callable[[URI], URI]", apply))


RFC3986: Profile[URI] = Profile(
    "rfc3986",
    lambda text: parse(text, "URI"),
    (
        Step("drop-fragment", "it is not part of what is retrieved", without_fragment),
        _uri_step("decode-unreserved", "triplets of unreserved characters", decode_unreserved),
        _uri_step("fold-case", "scheme and host small, triplets large", fold_case),
        _uri_step("remove-dots", "dot segments of the path", remove_dots),
        _uri_step("apply-defaults", "default port, empty path, local host", apply_defaults),
    ),
    str,
)
"""The scheme-based normal form (RFC 3986 section 6.2.3) without the fragment."""


def _rfc3986_key(text: Text) -> str:
    """Return the key of `RFC3986`, all steps at once."""
    plain = as_text(text)
    record = cast("Record | None", native_normal(plain, by_scheme=True))
    if record is None or record.scheme is None:
        record = normalize(parse(plain, "URI"), "scheme")
    return str(without_fragment(record))


def wwwoffle_profile(
    *,
    localhost: str = LOCALHOST,
    version: Version = "2.6",
    preserve_encoded_slash: bool = False,
) -> Profile[WwwoffleParts]:
    """Return the profile with the keys of `wwwoffle.canonicalize` for the same options.

    >>> for shown in wwwoffle_profile().explain("H:80/%7ea;?q"):
    ...     print(f"{shown.name:11} {shown.key}")
    read        H:80/%7ea;?q
    protocol    http://H:80/%7ea;?q
    credentials http://H:80/%7ea;?q
    host        http://h:80/%7ea;?q
    port        http://h/%7ea;?q
    path        http://h/~a;?q
    params      http://h/~a?q
    arguments   http://h/~a?q
    """
    local, named = rules(localhost, version, preserve_encoded_slash=preserve_encoded_slash)

    def read(text: str) -> WwwoffleParts:
        return split_by_version(octets_of(text), local, version)

    def step(rule: NamedRule) -> Step[WwwoffleParts]:
        def apply(parts: WwwoffleParts) -> WwwoffleParts:
            rule.apply(parts)
            return parts

        return Step(rule.name, rule.says, apply)

    return Profile(
        "wwwoffle", read, tuple(map(step, named)), lambda parts: text_of(composed(parts))
    )


WWWOFFLE: Profile[WwwoffleParts] = wwwoffle_profile()
"""The canonical string of WWWOFFLE."""

KEYS: Mapping[str, Callable[[Text], str]] = MappingProxyType(
    {RFC3986.name: _rfc3986_key, WWWOFFLE.name: WWWOFFLE.key}
)
"""What makes the keys of the named profiles."""


# File names of cache keys. A name is `k-` and the key, in which small letters, digits, "-", "_"
# and "." stay and every other octet of its UTF-8 form is "=" and two digits. So a name contains no
# path separator, keys that differ only in case have different names on case-insensitive file
# systems, and no name is a device, hidden, or "..". If the name would be too long, it is `h-` and
# the SHA-256 of the key, which is not reversible.

LONGEST = 255
"""The most characters of a file name on common file systems."""

_REVERSIBLE = "k-"
_HASHED = "h-"
_HASHED_LENGTH = len(_HASHED) + 64
_PLAIN = charset("lowalpha", "rfc1738") | charset("DIGIT") | frozenset("-_.")
_TABLE = {code: chr(code) if chr(code) in _PLAIN else f"={code:02x}" for code in range(0x100)}
_OCTETS = {f"{code:02x}": chr(code) for code in _TABLE}


def file_name(key: Text, *, longest: int = LONGEST, hashed: bool = False) -> str:
    """Return the file name of a cache key.

    longest: the most characters of a name, at least 66.
    hashed: True hashes short keys too, so that directory listings show no password of a URL.

    ValueError if `longest` is too small for a hash.

    >>> file_name("http://h/A?b")
    'k-http=3a=2f=2fh=2f=41=3fb'
    >>> file_name("http://h/A?b", hashed=True)[:12]
    'h-4505cdd0e4'
    """
    key = as_text(key, "key")
    if not isinstance(longest, int):
        raise refusal(longest, "longest", "an int")
    if longest < _HASHED_LENGTH:
        raise ValueError(f"a hashed name takes {_HASHED_LENGTH} characters, and longest={longest}")
    octets = key.encode("utf-8", "surrogatepass")
    if not hashed and len(_REVERSIBLE) + len(octets) <= longest:
        name = _REVERSIBLE + octets.decode("latin-1").translate(_TABLE)
        if name.endswith("."):  # Windows drops a final dot
            name = name[:-1] + "=2e"
        if len(name) <= longest:
            return name
    return _HASHED + sha256(octets).hexdigest()


def key_of(name: Text) -> str:
    """Return the cache key of a reversible file name.

    EncodingError for a hashed name, or one that `file_name` does not make.

    >>> key_of("k-http=3a=2f=2fh=2f=41=3fb")
    'http://h/A?b'
    """
    name = as_text(name, "name")
    if name.startswith(_HASHED):
        raise EncodingError("a hashed name does not contain its key", text=name)
    if name.startswith(_REVERSIBLE):
        first, *rest = name.removeprefix(_REVERSIBLE).split("=")
        octets = first + "".join((_OCTETS.get(piece[:2], "=") + piece[2:]) for piece in rest)
        with suppress(UnicodeError):
            key = octets.encode("latin-1").decode("utf-8", "surrogatepass")
            if file_name(key, longest=max(LONGEST, len(name))) == name:
                return key
    raise EncodingError("this name was not made from a cache key", text=name)
