"""Schemes of a grammar in one call, `scheme_from_abnf`, and the records that they make."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final, Self

from uriparse._base.coerce import as_items, as_str
from uriparse.errors import ComponentError, URISyntaxError, unfit
from uriparse.grammar import grammars
from uriparse.grammar.rule_sources import Source, read_abnf, source_of
from uriparse.schemes.captures import OwnReader
from uriparse.schemes.current_uri import AuthorityURI, CurrentURI
from uriparse.schemes.encoding import Encoded, URIHost
from uriparse.schemes.fields import Field, RecordClass
from uriparse.schemes.registry import Scheme
from uriparse.schemes.url_parts import Data, made
from uriparse.schemes.written_by_rule import MANY, Occurrences

if TYPE_CHECKING:
    from typing import Literal

    from uriparse.schemes.registry import FieldRules, Schemes, Standing
    from uriparse.schemes.url import URL

__all__ = ["GrammarURI"]


class GrammarURI(CurrentURI):
    """A URI whose fields are the texts of rules of its grammar, as written; None where absent.

    The base of the classes that `scheme_from_abnf` makes.
    """

    @classmethod
    def from_parts(
        cls,
        *,
        fragment: Data | None = None,
        registry: Schemes | None = None,
        **fields: Data | Iterable[Data] | int | None,
    ) -> Self:
        """Make a URI of data for its fields: the shortest one that has them, in their order.

        A port may be its number.

        Characters that the rule of a field has stay as they are, all others and "%" become
        triplets; what is `Encoded` is taken as written. ComponentError for fields that make no URI
        or would be read as something else, TypeError for a field that the class lacks.

        >>> from uriparse.schemes.devices import CoapURI
        >>> CoapURI.from_parts(host="h.d", path="/a b", query="c=d")
        <CoapURI 'coap://h.d/a%20b?c=d'>
        """
        strange = fields.keys() - cls.FIELDS.keys()
        if strange:
            raise TypeError(f"{cls.__name__}.from_parts() has no field {min(strange)!r}")
        given = {name: value for name, value in fields.items() if value is not None}
        return made(cls, registry, fragment, given)

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URIs share: their normal form, or the text if it is not a URI.

        A grammar may have texts that are not URIs of RFC 3986, such as lists of hosts.
        """
        try:
            return super().identity()
        except URISyntaxError:
            return (f"{self.scheme}{self.url[len(self.scheme) :]}",)


def scheme_from_abnf(  # noqa: PLR0913 - all that is known of a scheme
    name: str,
    abnf: str,
    *,
    rule: str,
    imports: Iterable[str] = (),
    fields: Mapping[str, FieldRules] | None = None,
    record: type[URL] | None = None,
    needs_host: bool = False,
    empty_path_is_slash: bool = False,
    default_port: int | None = None,
    hierarchical: bool = False,
    host_after: Literal["//", "@"] | None = None,
    fragment: tuple[str, str] | None = ("fragment", "rfc3986"),
    standing: Standing = "registered",
    source: str = "",
    module: str = __name__,
) -> Scheme:
    r"""Make a scheme of a grammar: its record class, parsing, `from_parts`, comparing.

    name: of the scheme, in lower case; URIs of the rule begin with it and ":".
    abnf: the rules, as an RFC has them; or the name of a shipped grammar that has them.
    rule: the rule of its URIs. What follows "#" is split off before, so the rule may or
        may not have it.
    imports: shipped grammars that rules which `abnf` lacks are taken from.
    fields: the fields of the records, and the rule whose text each holds: several rules in
        a tuple, one that occurs many times in a list. Of a rule that occurs both within
        another field and outside of it, the field is what is outside.
    record: a class that states the fields, in place of `fields`; see `url_field`. It also
        says whether it `needs_host` and whether `EMPTY_PATH_IS_SLASH`.
    needs_host: refuses an empty host, which the rule of RFC 3986 has.
    empty_path_is_slash: whether an empty path is equivalent to "/".
    default_port, hierarchical, host_after, fragment, standing, source: as in a `Scheme`.
    module: of the class that is made, as `pickle` looks it up: `__name__` of yours.

    The grammar may be ambiguous or recursive: fields are captured by one expression where that
    is proved right, and are taken from a derivation elsewhere. `access_plan` has no plan.

    GrammarTextError lists what is wrong with the grammar; UnknownRuleError for a rule that it
    lacks; ComponentError for a field that no URI has, or that can occur many times.

    >>> DB = scheme_from_abnf(
    ...     "db",
    ...     'db-url = "db://" host [ ":" port ] "/" table\ntable = 1*ALPHA',
    ...     rule="db-url",
    ...     imports=["rfc3986"],
    ...     fields={"host": "host", "port": "port", "table": "table"},
    ...     default_port=7000,
    ... )
    >>> from uriparse.schemes import CURRENT, parse_url
    >>> url = parse_url("db://h.d/books", registry=CURRENT.with_scheme(DB))
    >>> url, url.table, url.effective_port
    (<DbURI 'db://h.d/books'>, 'books', 7000)
    >>> DB.record.from_parts(host="h.d", table="books")
    <DbURI 'db://h.d/books'>
    """
    name, abnf = as_str(name, "name"), as_str(abnf, "abnf")
    if (fields is None) == (record is None):
        raise TypeError("scheme_from_abnf() takes fields, or a record class that states them")
    said = {"needs_host": needs_host, "EMPTY_PATH_IS_SLASH": empty_path_is_slash}
    if record is not None and any(said.values()):
        raise TypeError(f"{record.__name__} says {' and '.join(said)} itself")
    several = tuple(as_items(imports, "imports", "a list of the names of grammars"))
    own = None if abnf in grammars() else read_abnf(abnf, f"{name}.abnf", several)
    of_rule: Source = source_of(abnf) if own is None else own
    rule = of_rule.rule_name(as_str(rule, "rule"))
    if record is None:
        record = _record_class(name, rule, of_rule, fields or {}, {**said, "__module__": module})
    if own is not None and not issubclass(record, GrammarURI):
        raise TypeError(f"{record.__name__} is not a subclass of GrammarURI")
    found = Scheme(
        name,
        record,
        rule,
        abnf if own is None else "rfc3986",
        own=None if own is None else OwnReader(own, rule, record),
        word=name,
        default_port=default_port,
        hierarchical=hierarchical,
        host_after=host_after,
        takes_any_host=True,
        fragment=fragment,
        standing=standing,
        source=source,
    )
    record.OWN_SCHEME = found
    return found


def _record_class(
    name: str,
    rule: str,
    source: Source,
    fields: Mapping[str, FieldRules],
    said: Mapping[str, object],
) -> type[GrammarURI]:
    """Make the class of the records, whose name is that of the scheme."""
    known = source.expressions
    stated: dict[str, Field] = {}
    lists: set[str] = set()
    for field, written in fields.items():
        _check_field(field)
        several = (written,) if isinstance(written, str) else written
        named = [source.rule_name(as_str(one, "a rule of a field")) for one in several]
        kinds = dict.fromkeys(named, URIHost if field == "host" else Encoded)
        stated[field] = Field(kinds, next(iter(kinds), ""))
        if isinstance(written, list):
            lists.add(field)
    for field, each in stated.items():
        most = 0
        for one in each.kinds:
            others = [other for more in stated.values() for other in more.kinds]
            outside = Occurrences(known, one, others, within=False).of(rule)
            most = max(most, outside or Occurrences(known, one, others, within=True).of(rule))
        first = next(iter(each.kinds))
        if most == 0:
            raise unfit(field, f"no text of the rule {rule} holds one of {first}", first)
        if most == MANY and field not in lists:
            raise unfit(
                field,
                f"{first} can occur many times in {rule}; write [{first!r}] for a tuple",
                first,
            )
    words = re.split(r"\W", name)  # of the class, not of a URI: schemes have "+", "-" and "."
    bases = (GrammarURI, AuthorityURI) if {"host"} <= fields.keys() else (GrammarURI,)
    body: dict[str, object] = {
        **said,
        **stated,
        "SCHEME": name,
        "LISTS": frozenset(lists),
        "__match_args__": tuple(fields),
        "__doc__": f"A {name} URI, by the rule {rule}.",
    }
    made = RecordClass(f"{''.join(map(str.capitalize, words))}URI", bases, body)
    assert issubclass(made, GrammarURI)  # noqa: S101 - by its bases
    return made


def _check_field(name: str) -> None:
    """Refuse a name that records have for something else."""
    is_name = as_str(name, "the name of a field").isidentifier() and not name.startswith("_")
    if not is_name or (hasattr(AuthorityURI, name) and name not in _COMMON):
        raise ComponentError(
            f"{name!r} is not a name for a field: records have it, or it is not an identifier",
            component="fields",
            rule="field",
        )


_COMMON: Final = frozenset({"host", "port"})
