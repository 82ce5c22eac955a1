"""`uriparse get`: parts of references, in lines that a template describes."""

import argparse
import re
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
from typing import NamedTuple, TypeAlias, cast

from uriparse.cli.arguments import IN_RESULTS, add_texts, declare
from uriparse.cli.console import Console, without_line_ends
from uriparse.cli.help_text import did_you_mean
from uriparse.cli.per_line import answer_each, made
from uriparse.components.query_edits import octets_of, raw_pairs
from uriparse.errors import ComponentError, EncodingError
from uriparse.parsing import Record
from uriparse.percent import REPLACES, OctetErrors, Separator, decoded_pairs, unquote
from uriparse.records._draft import NAMES
from uriparse.records.chunks import component_texts

# Lines to be filled with the parts of references: `{host} {port|443} {query[q]}`.
#
# A reader of its own, since `str.format` would lead from a field to all that hangs on it.

FIELDS = (
    *("scheme", "authority", "userinfo", "user", "password", "host", "port", "effective_port"),
    *("origin", "path", "segments", "query", "query_pairs", "fragment", "text"),
)
"""What may be in braces: names of a record, and the whole text."""

KEYED = ("query", "segments")
"""Fields that may have a key in brackets: a name, and a number from 0 or, from the end, from -1."""

VIEWS = {
    "decoded": "percent-decoded",
    "written": "values of a query as written",
    "all": "all values of a query's name, not just the first, with spaces between",
    "required": "an absent part is an error",
}
"""What may follow a name and its key, after ":"."""

_ESCAPES = {"t": "\t", "n": "\n", "\\": "\\"}


Value: TypeAlias = str | list[str] | list[tuple[str, str | None]] | None


class TemplateField(NamedTuple):
    """A part of a template: one of `FIELDS`, its key, its default, and some of `VIEWS`."""

    name: str
    key: str | None
    default: str
    views: tuple[str, ...] = ()

    @property
    def written(self) -> str:
        """The field as it was written, without its default."""
        name = self.name if self.key is None else f"{self.name}[{self.key}]"
        return ":".join([name, *self.views])

    def value(
        self, reference: Record, separator: Separator = "&", errors: OctetErrors = "strict"
    ) -> Value:
        """Return the part of a reference that is meant, None where it is absent.

        As it is written, but that of a query by a name, which is the first one, decoded, and pairs.
        URIError if it cannot be, or is required and absent.
        """
        found: Value
        if self.name == "query_pairs" or (self.name == "query" and self.key is not None):
            try:
                found = self._of_pairs(reference, separator, errors)
            except EncodingError as error:  # which the command has another way to read
                own = self._replace(views=(*self.views, "written")).written
                told, advice = str(error), "{query}" if "written" in self.views else f"{{{own}}}"
                raise EncodingError(told.replace(REPLACES, advice), offset=error.offset) from None
        else:
            found = _component(reference, self.name, self.key)
            if isinstance(found, str) and "decoded" in self.views:
                found = unquote(found)
        if found is None and "required" in self.views:
            raise ComponentError(
                f"{self.name}: it is absent, and required", component=self.name, rule=self.name
            )
        return found

    def _of_pairs(self, reference: Record, separator: Separator, errors: OctetErrors) -> Value:
        raw = [pair for pair in raw_pairs(reference.query, separator) if not pair.is_empty]
        if self.key is None:
            if "written" not in self.views:
                return [*decoded_pairs(reference.query or "", separator=separator, errors=errors)]
            names = separator[0].join([f"{one.name}=" for one in raw])
            pairs = decoded_pairs(names, separator=separator, errors=errors)
            return [(name, one.value) for (name, _), one in zip(pairs, raw, strict=True)]
        found: Iterable[str | None]
        if "written" in self.views:
            wanted = octets_of([self.key])
            found = (one.value for one in raw if one.is_named(wanted, plus=True))
        else:  # what other pairs hold is not an error
            found = reference.query_values(self.key, separator=separator, errors=errors)
        values = (value or "" for value in found)
        return [*values] or None if "all" in self.views else next(values, None)

    def text(self, reference: Record, separator: Separator, errors: OctetErrors) -> str:
        """Return the part as it is shown in a line."""
        value = self.value(reference, separator, errors)
        if isinstance(value, list):
            if self.key is not None:
                return without_line_ends(" ".join(cast("list[str]", value)))
            pairs = cast("list[tuple[str, str | None]]", value)
            return "\t".join([without_line_ends(n if v is None else f"{n}={v}") for n, v in pairs])
        return self.default if value is None else without_line_ends(value)


Template = tuple[str | TemplateField, ...]


def read_template(text: str) -> Template:
    r"""Read a template. `{{` and `}}` stand for braces; `\t`, `\n` and `\\` are escapes.

    ArgumentTypeError if it is invalid.

    >>> [part if isinstance(part, str) else part.name for part in read_template(r"{host}\t{port}")]
    ['host', '\t', 'port']
    """
    parts: list[str | TemplateField] = []
    plain: list[str] = []
    at = 0
    while at < len(text):
        character, pair = text[at], text[at : at + 2]
        if pair in {"{{", "}}"}:
            plain.append(character)
            at += 2
        elif character == "\\" and pair[1:] in _ESCAPES:
            plain.append(_ESCAPES[pair[1:]])
            at += 2
        elif character == "{":
            field, at = _field(text, at)
            parts += ["".join(plain), field]
            plain = []
        elif character == "}":
            raise ArgumentTypeError(f'the "}}" at offset {at} ends no field; write }}}} for itself')
        else:
            plain.append(character)
            at += 1
    if text in FIELDS:
        raise ArgumentTypeError(f"the template has no field; write {{{text}}}")
    return tuple(part for part in [*parts, "".join(plain)] if part)


def filler(
    template: Template, separator: Separator = "&", errors: OctetErrors = "strict"
) -> Callable[[Record], str]:
    r"""Return what fills a template: each part of a reference in one line, fit to be shown."""
    return lambda reference: "".join(
        [p if isinstance(p, str) else p.text(reference, separator, errors) for p in template]
    )


def _field(text: str, start: int) -> tuple[TemplateField, int]:
    """Read the field that begins at an offset, and give the offset after it."""
    found = cast("re.Match[str]", _FIELD.match(text, start))
    name, key, key_end, views, default, end = found.groups()
    if name not in FIELDS:
        whole, dot, own = name.partition(".")
        keyed = f"write {whole}[{own}]" if dot and whole in KEYED else None
        hint = keyed or did_you_mean(name, FIELDS) or f"there are {', '.join(FIELDS)}"
        raise ArgumentTypeError(f"there is no field {name}; {hint}")
    if key_end == "":
        raise ArgumentTypeError(f'the "[" at offset {found.end(1)} is never closed')
    if key is not None and name not in KEYED:
        raise ArgumentTypeError(f"{name} has no key; {' and '.join(KEYED)} have")
    if name == "segments" and not _is_number(key or ""):
        raise ArgumentTypeError(
            f"segments[{key or ''}]: give a number, 0 for the first, -1 the last"
        )
    if not end:
        raise ArgumentTypeError(f'the "{{" at offset {start} is never closed')
    return TemplateField(name, key, default or "", _views(name, key, views)), found.end()


_FIELD = re.compile(r"\{([^\[:|}]*)(?:\[([^]]*)(\]?))?(:[^|}]*)?(?:\|([^}]*))?(\}?)")
"""Name, key and its end, views, default, and the end; of those all but the name may be missing."""


def _views(name: str, key: str | None, text: str | None) -> tuple[str, ...]:
    """Read the views of a field, each after its ":"."""
    views = tuple(text[1:].split(":")) if text else ()
    fit = ["required", "decoded"]
    if name == "query_pairs":
        fit[1] = "written"
    elif name == "query" and key is not None:
        fit[1:] = ["written", "all"]
    for view in views:
        if view not in fit:
            raise ArgumentTypeError(f"{name} has no view {view}; there are {', '.join(fit)}")
    return views


def _is_number(key: str) -> bool:
    digits = key.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) < 10


def _component(reference: Record, name: str, key: str | None) -> str | None:
    if name == "text":
        return str(reference)
    if key is not None:
        segments, place = reference.segments, int(key)
        return segments[place] if -len(segments) <= place < len(segments) else None
    value = getattr(reference, name)
    return None if value is None else str(value)


# `uriparse get`: parts of references, in lines of any form.

NAME = "get"
HELP = "print parts of URIs, by a template such as '{host} {port}'"
GROUP = "read"
EXAMPLES = (
    r"uriparse get -f '{host}\t{query[q]|none}' < urls.txt",
    "uriparse get -f '{effective_port} {segments[-1]}' https://example.com/a/b",
)
OPTIONS = rf"""
--file --null
-f, --format TEMPLATE  {{NAME}}, {{NAME|DEFAULT}} with a default, {{query[KEY]}} for its first
    value, decoded, {{segments[N]}}; names: {", ".join(FIELDS)}; after name and key,
    {"; ".join(f":{view} ({about})" for view, about in VIEWS.items())};
    {{{{ and }}}} for braces, \t and \n
--separator --whatwg --suffix --json --show-passwords --invalid --grammar --jobs
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.set_defaults(instead={f"--{name}": f"write -f '{{{name}}}'" for name in FIELDS})
    add_texts(parser, "uri", "URI")
    declare(
        parser, OPTIONS, format={"required": True, "type": read_template}, show_passwords=IN_RESULTS
    )


def run(args: argparse.Namespace, console: Console) -> int:
    """Write the line of each reference; 1 if some were invalid."""
    how: tuple[Separator, OctetErrors] = args.separator, "replace" if args.whatwg else "strict"
    fill = filler(args.format, *how)
    fields = [part for part in args.format if not isinstance(part, str)]
    is_plain = not (args.json or args.whatwg or args.suffix or console.hides)
    is_plain = is_plain and all(one.name in (*NAMES, "text") for one in fields)
    is_plain = is_plain and not any(one.key is not None or one.views for one in fields)

    def answer(reference: Record) -> tuple[str, dict[str, object]]:
        fit = made(reference, console)
        if not args.json:
            return fill(fit), {}
        return "", {"fields": {one.written: one.value(fit, *how) for one in fields}}

    def chunk(texts: Sequence[str]) -> list[str | None] | None:
        return _filled(args.format, texts, args.grammar) if is_plain else None

    return answer_each(args.uri, args, console, answer, chunk)


def _filled(template: Template, texts: Sequence[str], grammar: str) -> list[str | None] | None:
    """Fill a template of components for many texts at once."""
    fields = [one for one in template if not isinstance(one, str) and one.name != "text"]
    names, missing = [field.name for field in fields], [field.default for field in fields]
    found = component_texts(texts, names, missing, grammar)
    if found is None:
        return None
    valid, columns = found
    of_field = iter(columns)
    parts: list[Iterable[str | None]] = []
    for one in template:
        is_text = isinstance(one, TemplateField) and one.name == "text"
        parts.append(texts if is_text else repeat(one) if isinstance(one, str) else next(of_field))
    rows = map("".join, zip(*parts, strict=False))  # constants repeat without end
    return [row if is_valid else None for row, is_valid in zip(rows, valid, strict=False)]
