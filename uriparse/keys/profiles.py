"""Keys: texts that mean the same have the same key, according to a profile.

A profile is a sequence of named steps. Several are included; one's own is a name with further
steps, such as "scheme+drop-tracking+sort-query", or made from `Profile` and `Step`:

>>> key("http://H/?b&utm_source=x&a#top", "scheme+drop-tracking+sort-query")
'http://h/?a&b'
>>> from uriparse import URI
>>> def drop_user(uri: URI) -> URI:
...     return uri.replace(userinfo=None)
>>> own = SCHEME.extended("own", Step("drop-user", "all users get one page", drop_user))
>>> key("http://me@H/a#top", own)
'http://h/a'

A key contains the user name and password of its text, since the server's answer depends on them;
that of profile "surt" does not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from uriparse._base.coerce import Text, as_choice, as_str, as_text, refusal
from uriparse.keys import steps
from uriparse.keys.steps import Profile, Step
from uriparse.keys.surt import SURT
from uriparse.legacy.octets import octets_of, text_of
from uriparse.legacy.wwwoffle import LOCALHOST, VERSIONS, Version
from uriparse.legacy.wwwoffle.by_document import WwwoffleParts, composed
from uriparse.legacy.wwwoffle.canonical import rules, split_by_version
from uriparse.normalization import normalize, normalizing
from uriparse.parsing import parse
from uriparse.records.rewriting import native_normal
from uriparse.resolution.resolving import without_fragment

if TYPE_CHECKING:
    from uriparse.legacy.wwwoffle.by_document import NamedRule
    from uriparse.records import URI
    from uriparse.records.references import NormalLevel, Pass

_T = TypeVar("_T")


def key(text: Text, profile: str | Profile[_T] = "scheme") -> str:
    """Return the key of a text. A key is its own key, but for programs of WWWOFFLE that fail it.

    profile: your own profile, or a name: "rfc3986" is the normal form of RFC 3986 section 6.2.2
        without the fragment, "scheme" that of section 6.2.3, "surt" that of web archives, each for
        URIs; "wwwoffle", or "wwwoffle-2.7" to "wwwoffle-2.9", is the canonical string of
        `uriparse.legacy.wwwoffle`, for any text. After another name may come further steps, each
        after a "+": drop-default-index, drop-query, drop-tracking, sort-query.

    URIError if the profile rejects the text: URISyntaxError unless it is a URI. ValueError for an
    unknown name.

    >>> key("HTTP://Example.com:80/%7ea/../b#top")
    'http://example.com/b'
    >>> key("https://www.example.com/B/?d=1&c=2#top", "surt")
    'com,example)/b?c=2&d=1'
    >>> key("Example.com/%7ea/../b?c=%20", "wwwoffle")
    'http://example.com/b?c=+'
    """
    if isinstance(profile, str):
        return _key_function(as_str(profile, "profile"))(text)
    if not isinstance(profile, Profile):
        raise refusal(profile, "profile", "a name or a Profile")
    return profile.key(text)


def named_profile(name: str) -> Profile[Any]:
    """Return the profile of a name, as `key` takes it; ValueError for an unknown one.

    >>> [step.name for step in named_profile("rfc3986+sort-query").steps][-2:]
    ['remove-dots', 'sort-query']
    """
    return _named_profile(as_str(name, "name"))


@cache
def _named_profile(name: str) -> Profile[Any]:
    base, *further = name.split("+")
    own = PROFILES[as_choice(base, "profile", tuple(PROFILES))]
    if further and own.name == WWWOFFLE.name:
        raise ValueError('the profile "wwwoffle" has no further steps')
    made = [STEPS[as_choice(one, "a step of the profile", tuple(STEPS))]() for one in further]
    return own.extended(name, *made) if made else own


@cache
def _key_function(name: str) -> Callable[[Text], str]:
    """Return what makes the keys of a profile, where it can be with the first steps at once."""
    profile = _named_profile(name)
    level = LEVELS.get(name.partition("+")[0])
    if level is None:
        return profile.key
    further = [step.apply for step in profile.steps[len(PROFILES[name.partition("+")[0]].steps) :]]

    def key(text: Text) -> str:
        plain = as_text(text)
        record = cast("URI | None", native_normal(plain, level == "scheme"))
        if record is None or record.scheme is None:
            record = normalize(parse(plain, "URI"), level)
        record = without_fragment(record)
        for apply in further:
            record = apply(record)
        return str(record)

    return key


LEVELS: Mapping[str, NormalLevel] = {"rfc3986": "syntax", "scheme": "scheme"}
"""The profiles whose keys are normal forms of a level, without the fragment."""


def _uri_step(name: str, says: str, apply: Pass) -> Step[URI]:
    return Step(name, says, cast("Callable[[URI], URI]", apply))


RFC3986: Profile[URI] = Profile(
    "rfc3986",
    lambda text: parse(text, "URI"),
    (
        steps.drop_fragment(),
        _uri_step(
            "decode-unreserved", "triplets of unreserved characters", normalizing.decode_unreserved
        ),
        _uri_step("fold-case", "scheme and host small, triplets large", normalizing.fold_case),
        _uri_step("remove-dots", "dot segments of the path", normalizing.remove_dots),
    ),
    str,
)
"""The syntax-based normal form (RFC 3986 section 6.2.2) without the fragment."""

SCHEME: Profile[URI] = RFC3986.extended(
    "scheme",
    _uri_step("apply-defaults", "default port, empty path, local host", normalizing.apply_defaults),
)
"""The scheme-based normal form (RFC 3986 section 6.2.3) without the fragment."""


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

PROFILES: Mapping[str, Profile[Any]] = MappingProxyType(
    {each.name: each for each in (RFC3986, SCHEME, SURT, WWWOFFLE)}
    | {f"wwwoffle-{version}": wwwoffle_profile(version=version) for version in VERSIONS[1:]}
)
"""The profiles by their names."""

STEPS: Mapping[str, Callable[[], Step[Any]]] = MappingProxyType(
    {
        "drop-default-index": steps.drop_default_index,
        "drop-query": steps.drop_query,
        "drop-tracking": steps.drop_tracking,
        "sort-query": steps.sort_query,
    }
)
"""The steps that the name of a profile can end with."""
