"""Cache keys: texts that mean the same resource get the same key, as a profile sees it.

A profile is a row of named steps. Two are here; a crawler with rules of its own extends one of
them, or makes another out of `Profile` and `Step`:

>>> from uriparse import URI
>>> def drop_query(uri: URI) -> URI:
...     return uri.replace(query=None)
>>> pages = RFC3986.extended("pages", Step("drop-query", "all queries give one page", drop_query))
>>> cache_key("http://H/a?session=1#top", pages)
'http://h/a'

A key holds the user name and password of its text, since they decide what a server answers.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar, cast

from uriparse.door import as_choice, as_str, refusal
from uriparse.legacy.octets import octets_of, text_of
from uriparse.legacy.profile import Profile, Step
from uriparse.legacy.wwwoffle import LOCALHOST
from uriparse.legacy.wwwoffle.canonical import PARAMS_MODES
from uriparse.legacy.wwwoffle.part_rules import NamedRule, canonical_host, rules
from uriparse.legacy.wwwoffle.split import Parts, composed, split_parts
from uriparse.normalization.normalizing import (
    apply_defaults,
    decode_unreserved,
    fold_case,
    remove_dots,
)
from uriparse.parsing import parse
from uriparse.resolution.resolving import without_fragment

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from uriparse.door import Text
    from uriparse.legacy.wwwoffle import ParamsMode
    from uriparse.normalization.normalizing import Pass
    from uriparse.records import URI

_T = TypeVar("_T")


def cache_key(text: Text, profile: str | Profile[_T] = "rfc3986") -> str:
    """Give the cache key of a text. The key of a key by the named profiles is the key itself.

    profile: one of your own, or a name: "rfc3986" is the normal form of RFC 3986 section 6.2.3
        without the fragment, for texts that are URIs; "wwwoffle" is the canonical string of
        `uriparse.legacy.wwwoffle`, for any text.

    URIError if the profile refuses the text: "rfc3986" raises URISyntaxError for what is no URI.
    ValueError if there is no profile of that name.

    >>> cache_key("HTTP://Example.com:80/%7ea/../b#top")
    'http://example.com/b'
    >>> cache_key("Example.com/%7ea/../b?c=%20", "wwwoffle")
    'http://example.com/b?c=+'
    """
    if isinstance(profile, str):
        return _PROFILES[as_choice(profile, "profile", tuple(_PROFILES))](text)
    if not isinstance(profile, Profile):
        raise refusal(profile, "profile", "a name or a Profile")
    return profile.key(text)


def _uri(text: str) -> URI:
    return parse(text, "URI")


def _uri_step(name: str, says: str, apply: Pass) -> Step[URI]:
    return Step(name, says, cast("Callable[[URI], URI]", apply))


RFC3986: Profile[URI] = Profile(
    "rfc3986",
    _uri,
    (
        Step("drop-fragment", "it is no part of what is retrieved", without_fragment),
        _uri_step("decode-unreserved", "triplets of unreserved characters", decode_unreserved),
        _uri_step("fold-case", "scheme and host small, triplets large", fold_case),
        _uri_step("remove-dots", "dot segments of the path", remove_dots),
        _uri_step("apply-defaults", "default port, empty path, local host", apply_defaults),
    ),
    str,
)
"""The scheme-based normal form (RFC 3986 section 6.2.3) without the fragment."""


def _written(parts: Parts) -> str:
    return text_of(composed(parts))


def wwwoffle_profile(
    *,
    localhost: str = LOCALHOST,
    params: ParamsMode = "split",
    preserve_encoded_slash: bool = False,
) -> Profile[Parts]:
    """Make the profile whose keys are those of `wwwoffle.canonicalize` with the same options.

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
    local = canonical_host(octets_of(as_str(localhost, "localhost")), "http")
    splits = as_choice(params, "params", PARAMS_MODES) == "split"

    def read(text: str) -> Parts:
        return split_parts(octets_of(text), localhost=local, params=splits)

    def step(rule: NamedRule) -> Step[Parts]:
        def apply(parts: Parts) -> Parts:
            rule.apply(parts)
            return parts

        return Step(rule.name, rule.says, apply)

    named = rules(params=splits, preserve_encoded_slash=bool(preserve_encoded_slash))
    return Profile("wwwoffle", read, tuple(map(step, named)), _written)


WWWOFFLE: Profile[Parts] = wwwoffle_profile()
"""The canonical string of WWWOFFLE."""

_PROFILES: Mapping[str, Callable[[Text], str]] = MappingProxyType(
    {profile.name: profile.key for profile in (RFC3986, WWWOFFLE)}
)
