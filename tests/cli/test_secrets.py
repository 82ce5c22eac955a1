"""No password in anything that is said: errors, their reprs and chains, messages, rows of JSON."""

import io
import logging
import traceback

import pytest
from hypothesis import given
from hypothesis import strategies as st

import uriparse
from uriparse import URIReference, keys, schemes
from uriparse.legacy import rfc2396, sqlalchemy, wwwoffle
from uriparse.legacy import rfc2396 as appendix_b
from uriparse.schemes import dialects

SECRET = "S3cr3T"
JUNK = st.text(alphabet="aZ09:/?#[]@%.!&=;~ é\n\\\ufeff\u202e\"<'", max_size=8)
HEADS = ["", "http://", "//", "ftp://", "http:/", "http:\\\\", "http://h/http://", "mailto:", "1a:"]
TEXTS = st.builds(
    "{}{}{}:{}{}{}@{}{}".format, st.sampled_from(HEADS), JUNK, st.sampled_from(["u", "", "a%40b"]),
    st.sampled_from(["", "12/", "#", "?"]), st.just(SECRET),
    st.sampled_from(["", "/", "#", " ", "~", "[", "%zz"]),
    st.sampled_from(["h.d/", "h.d:x/", "h_h/a;b", "[::1/", "h.d/a b", "h/\x00"]), JUNK,
)  # fmt: skip

CALLS = {
    "parse": uriparse.parse, "parse-uri": lambda text: uriparse.parse(text, "URI"),
    "parse-iri": lambda text: uriparse.parse(text, "IRI", grammar="rfc3987"),
    "parse-rule": lambda text: uriparse.parse("", text),
    "parse-grammar": lambda text: uriparse.parse("", grammar=text),
    "is_valid": lambda text: uriparse.is_valid("", text), "parse_tree": uriparse.parse_tree,
    "parse_tree-full": lambda text: uriparse.parse_tree(text, detail="full"),
    "parse_tree-detail": lambda text: uriparse.parse_tree("", detail=text), "rules": uriparse.rules,
    "resolve": lambda text: uriparse.resolve("http://a/", text),
    "resolve-base": lambda text: uriparse.resolve(text, "g"),
    "resolve-none": lambda text: uriparse.resolve(None, text),
    "relativize": lambda text: uriparse.relativize("http://a/", text),
    "relativize-base": lambda text: uriparse.relativize(text, "http://a/"),
    "base_uri": lambda text: uriparse.base_uri(embedded=text),
    "base_uri-default": lambda text: uriparse.base_uri(retrieval=[text]),
    "normalize": uriparse.normalize, "normalize-level": lambda text: uriparse.normalize("x:", text),
    "equivalent": lambda text: uriparse.equivalent(text, "http://h/"),
    "equivalent-level": lambda text: uriparse.equivalent("x:", "x:", text),
    "is_same_document": lambda text: uriparse.schemes.equivalence.is_same_document(text, None),
    "lowest_rung": lambda text: uriparse.schemes.equivalence.lowest_rung("http://h/", text),
    "remove_dot_segments": uriparse.remove_dot_segments,
    "reference_kind": uriparse.resolution.reference_kind,
    "quote": lambda text: uriparse.quote(text, "segment"),
    "quote-component": lambda text: uriparse.quote("", text),
    "quote-encoding": lambda text: uriparse.quote("é", "segment", encoding=text),
    "unquote": uriparse.unquote,
    "unquote-encoding": lambda text: uriparse.unquote("%41", encoding=text),
    "unquote_to_bytes": uriparse.unquote_to_bytes, "query_pairs": uriparse.query_pairs,
    "query_pairs-query": lambda text: uriparse.query_pairs(query=text),
    "iri_to_uri": uriparse.iri_to_uri,
    "iri_to_uri-idna": lambda text: uriparse.iri_to_uri(text, idna=True),
    "uri_to_iri": uriparse.uri_to_iri, "find_uris": lambda text: list(uriparse.find_uris(text)),
    "find_uris-schemes": lambda text: list(uriparse.find_uris("", schemes=text)),
    "find_uris-grammar": lambda text: list(uriparse.find_uris("", grammar=text)),
    "from_parts-path": lambda text: URIReference.from_parts(path=text),
    "from_parts-authority": lambda text: URIReference.from_parts(path="", authority=text),
    "from_parts-userinfo": lambda text: URIReference.from_parts(path="", userinfo=text, host="h"),
    "from_parts-scheme": lambda text: URIReference.from_parts(scheme=text, path=""),
    "from_parts-query": lambda text: URIReference.from_parts(path="", query=text),
    "parse_url": schemes.parse_url,
    "parse_url-relaxed": lambda text: schemes.parse_url(text, relaxed_host=True),
    "access_plan": lambda text: schemes.access_plan(schemes.parse_url(text)),
    "dialects": dialects.dialects,
    "rfc2396-resolve": lambda text: rfc2396.resolve("http://a/b", text, loophole="validating"),
    "rfc2396-base": lambda text: rfc2396.resolve(text, "g", excess="avoid"),
    "rfc2396-excess": lambda text: rfc2396.resolve("http://a/b", "g", excess=text),
    "appendix_b": appendix_b.split_reference, "key": keys.key,
    "key-profile": lambda text: keys.key("x:", text),
    "split_engine_url": sqlalchemy.split_engine_url, "wwwoffle-split": wwwoffle.split_url,
    "wwwoffle-version": lambda text: wwwoffle.canonicalize("h", version=text),
}  # fmt: skip


def chain(error):
    """The error and all that hangs behind it, whether it would be shown or not."""
    seen = []
    waiting = [error]
    while waiting:
        one = waiting.pop()
        if one is not None and one not in seen:
            seen.append(one)
            waiting += [one.__cause__, one.__context__]
    return seen


def said_of(error):
    """All that is said of an error by those who may show it."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    record = logging.LogRecord(
        "x", logging.ERROR, "x", 1, "%s %r", (error, error), (type(error), error, None)
    )
    handler.emit(record)
    yield stream.getvalue()
    yield "".join(traceback.format_exception(error))
    for one in chain(error):
        yield str(one)
        yield repr(one)
        yield from map(str, one.args)
        if hasattr(one, "pointer"):
            yield one.pointer()
        for name in ("reason", "remedy", "argument", "expected"):
            yield str(getattr(one, name, ""))


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
@given(text=TEXTS)
def test_no_error_says_a_password(name, text):
    try:
        CALLS[name](text)
    except Exception as error:  # noqa: BLE001 - whatever it is
        for said in said_of(error):
            assert SECRET not in said, said
