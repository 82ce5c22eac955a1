"""Queries made of pairs: their pairs, and their text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse._base.coerce import Text, as_text
from uriparse.components.component_text import grammar_of_records
from uriparse.components.query_edits import between_pairs, written_pairs
from uriparse.errors import unfit
from uriparse.parsing import as_reference
from uriparse.percent import OctetErrors, Separator, decoded_pairs

if TYPE_CHECKING:
    from uriparse._base.coerce import Pairs
    from uriparse._compiled.names import RecordGrammar


def query_pairs(
    reference: Text | None = None,
    *,
    query: Text | None = None,
    plus: bool = True,
    separator: Separator = "&",
    errors: OctetErrors = "strict",
    grammar: RecordGrammar | str = "rfc3986",
) -> tuple[tuple[str, str | None], ...]:
    """Split the query of a reference into pairs of name and value, then decode each of both.

    reference: a record, or the text of a URI or relative reference; without a query it has no
        pairs.
    query: instead of a reference, the text of a query.
    plus: True reads "+" as a space, as HTML forms, browsers, servers, `urllib.parse.parse_qsl` and
        yarl do; only `%2B` is a plus sign then. False reads "+" as itself, as in RFC 3986.
    separator: "&", as in browsers and `parse_qsl`; ";" or "&;" (either one) for a server that is
        known to split so.
    errors: "replace" reads what "strict" refuses as browsers read it: octets that are not UTF-8 as
        U+FFFD, and a "%" without two digits as itself.
    grammar: by which the text of a reference is parsed, "rfc3986" or "rfc3987".

    The value is None without "=", and `""` if nothing follows it; empty pairs are skipped.
    `query_string` writes a space as `%20` and a plus sign as `%2B`, which do not depend on `plus`;
    `with_query` keeps existing pairs as written.

    URISyntaxError for an invalid reference. ComponentError for a text such as "a=1&b", a relative
    path with "=" in its first segment: it is nearly always a query that was not given by name.
    EncodingError as for `unquote`, for octets that are not UTF-8; its offset is within the query,
    and the message names the pair. ValueError for another separator. TypeError unless exactly one
    of both is given.

    >>> query_pairs("http://h/?a=1&b=x%26y+z&c&d=;")
    (('a', '1'), ('b', 'x&y z'), ('c', None), ('d', ';'))
    >>> query_pairs(query="a=1+2;b", plus=False, separator=";")
    (('a', '1+2'), ('b', None))
    """
    if query is None and reference is not None:
        record = as_reference(reference, grammar)
        if (
            record is not reference
            and record.scheme is None
            and "=" in (first := record.path.partition("/")[0])
        ):
            raise unfit(
                "path",
                "a query is given by name, query_pairs(query=...); a path like this begins with ./",
                offset=first.index("="),
            )
        text = record.query or ""
    elif query is not None and reference is None:
        text = as_text(query, "query")
    else:
        raise TypeError("give either a reference or query=, the text of a query")
    return decoded_pairs(text, plus=plus, separator=separator, errors=errors)


def query_string(
    pairs: Pairs, *, separator: Separator = "&", grammar: RecordGrammar | str = "rfc3986"
) -> str:
    """Write pairs of name and value as a query, which `query_pairs` reads back.

    pairs: data. A space is written as `%20` and a plus sign as `%2B`, so a server may read
        "+" as a space or not; "&", ";" and "=" are encoded too. A value may be a number; a bool
        is written "true" or "false"; with None only the name is written. In a mapping, a list
        holds several values of the name.
    separator: what is written between pairs, the first character of "&", ";" or "&;".
    grammar: "rfc3987" keeps characters beyond ASCII.

    Linear in time. ComponentError for the pair of `""` and None, which has no written form;
    EncodingError for lone surrogates; TypeError for another type of pair; ValueError
    for another separator.

    >>> query_string([("q", "a&b=c+d e"), ("page", 2), ("all", None), ("", "")])
    'q=a%26b%3Dc%2Bd%20e&page=2&all&='
    """
    between = between_pairs(separator)
    return between.join(written_pairs(pairs, grammar_of_records(grammar)))
