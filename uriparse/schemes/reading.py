"""From a text to a record, by the rule of one scheme."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.errors import SchemeError, URISyntaxError
from uriparse.grammar import matcher
from uriparse.schemes.captures import captured
from uriparse.schemes.encoding import Encoded
from uriparse.schemes.exchange import exchanged
from uriparse.schemes.failure import fragment_error, own_error, scheme_error
from uriparse.schemes.url import _unchecked_url

if TYPE_CHECKING:
    from uriparse.schemes.scheme import Scheme
    from uriparse.schemes.source import Source
    from uriparse.schemes.url import URL


def read(text: str, scheme: Scheme, *, relaxed_host: bool = False) -> URL:
    """Make the record of a text that begins with the name of a scheme and ":".

    relaxed_host: whether to take a host that RFC 3986 allows and RFC 1738 lacks.

    The expressions of the scheme's rule capture the fields; where it has none, a tree has them.

    SchemeError if the text is no URL of that scheme.
    """
    url, mark, fragment = (text, "", "") if scheme.fragment is None else text.partition("#")
    name = url.partition(":")[0].lower()
    source = exchanged(text, scheme, relaxed_host=True) if relaxed_host else None
    if scheme.expressions is None:
        return read_tree(source or exchanged(text, scheme), scheme)
    word, found = scheme.word, None
    if source is not None:
        found = captured(source.parsed, scheme.expressions, source)
    elif word is None or word == name:
        found = captured(url, scheme.expressions)
    else:
        own = word + url[len(name) :]
        found = captured(own, scheme.expressions, shift=len(name) - len(word))
    if found is None:
        raise scheme_error(source or exchanged(text, scheme), scheme)
    found["_text"], found["scheme"], found["default_port"] = text, name, scheme.default_port
    if mark:
        _check_fragment(fragment, text, name, scheme)
        found["fragment"] = Encoded(fragment, len(url) + 1 if fragment else None)
    if source is not None and source.host is not None and "host" in found:
        found["host"] = source.host
    scheme.record.complete(found, url)
    return _unchecked_url(scheme.record, found)


def read_tree(source: Source, scheme: Scheme) -> URL:
    """Make the record by way of the tree, with the scheme's transformer; it is the same.

    SchemeError if the text is no URL of that scheme; whatever a transformer of one's own raises.
    """
    refusal: SchemeError | None = None
    try:
        tree = scheme.tree(source.parsed)
    except URISyntaxError as error:
        is_own = scheme.tree_parser is not None
        refusal = own_error(error, source, scheme) if is_own else scheme_error(source, scheme)
    if refusal is not None:  # out of the handler, or what saw a part of the text hangs behind it
        raise refusal
    if source.fragment is not None:
        _check_fragment(source.fragment, source.text, source.scheme, scheme)
    return scheme.transformer(source).transform(tree)


def _check_fragment(fragment: str, text: str, name: str, scheme: Scheme) -> None:
    rule = scheme.fragment
    if rule is not None and matcher(*rule).fullmatch(fragment) is None:
        raise fragment_error(fragment, text, name, rule)
