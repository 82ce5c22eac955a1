"""From a text to a record, by the rule of one scheme."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.errors import SchemeError, URISyntaxError
from uriparse.grammar import matcher
from uriparse.schemes.captures import captured
from uriparse.schemes.encoding import Encoded
from uriparse.schemes.exchange import exchanged
from uriparse.schemes.failure import fragment_error, no_host_error, own_error, scheme_error
from uriparse.schemes.trees import record_of

if TYPE_CHECKING:
    from uriparse.schemes.scheme import Scheme
    from uriparse.schemes.source import Source
    from uriparse.schemes.url import URL


def read(text: str, name: str, scheme: Scheme, *, relaxed_host: bool = False) -> URL:
    """Make the record of a text that begins with the name of a scheme and ":".

    name: that of the scheme in the text, in lower case.
    relaxed_host: whether to take a host that RFC 3986 allows and RFC 1738 lacks.

    The expressions of the scheme's rule capture the fields; where it has none, a tree has them.

    SchemeError if the text is no URL of that scheme.
    """
    reader = None if relaxed_host else scheme.reader
    if reader is None:
        return _read_source(exchanged(text, scheme, relaxed_host=relaxed_host), scheme)
    url, fragment = text, None
    if "#" in text and scheme.fragment is not None:
        url, _, written = text.partition("#")
        fragment = Encoded(written, len(url) + 1 if written else None)
        if not _fits(fragment, scheme):
            return _read_source(exchanged(text, scheme), scheme)  # which says what is wrong first
    record = reader(text, url, name, fragment)
    if record is None:
        raise scheme_error(exchanged(text, scheme), scheme)
    return _with_host(record) if record.needs_host else record


def _read_source(source: Source, scheme: Scheme) -> URL:
    """Make the record where another text may be parsed in place of the URL, or a tree is needed."""
    if scheme.expressions is None:
        return read_tree(source, scheme)
    found = captured(source.parsed, scheme.expressions, source)
    if found is None:
        raise scheme_error(source, scheme)
    _check_fragment(source, scheme)
    if source.host is not None and "host" in found:
        found["host"] = source.host
    record = record_of(source, found)
    if _lost_its_host(record, source):
        return _read_source(exchanged(source.text, scheme), scheme)
    return _with_host(record)


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
    _check_fragment(source, scheme)
    record = scheme.transformer(source).transform(tree)
    if _lost_its_host(record, source):
        return read_tree(exchanged(source.text, scheme), scheme)
    return _with_host(record)


def _lost_its_host(record: URL, source: Source) -> bool:
    """Tell whether what stood in for a host was read as something else."""
    return source.host is not None and getattr(record, "host", source.host) is None


def _check_fragment(source: Source, scheme: Scheme) -> None:
    if source.fragment is not None and scheme.fragment and not _fits(source.fragment, scheme):
        raise fragment_error(source.fragment, source.text, source.scheme, scheme.fragment)


def _fits(fragment: str, scheme: Scheme) -> bool:
    rule = scheme.fragment
    return rule is None or matcher(*rule).fullmatch(fragment) is not None


def _with_host(url: URL) -> URL:
    if url.needs_host and not getattr(url, "host", None):
        raise no_host_error(url)
    return url
