"""A rule as one regular expression, for other engines to decide as `is_valid` does.

The compiler makes the expression from the grammar at first use and proves it equal to the rule.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from uriparse._base.coerce import as_choice, as_str
from uriparse.errors import PatternError
from uriparse.grammar import rule_name

if TYPE_CHECKING:
    from uriparse._compiled.names import GrammarName, RuleName

__all__ = ["pattern"]


def pattern(
    rule: RuleName | str, *, flavour: str = "python", grammar: GrammarName | str = "rfc3986"
) -> str:
    r"""Write the regular expression of a rule for an engine.

    rule, grammar: as for `is_valid`.
    flavour: "python"; "re2" (Arrow, DuckDB, BigQuery, ClickHouse, Go); "rust" (the crate regex,
    with it Polars and DataFusion); "java" (Spark and all on the JVM); "ecmascript" (JavaScript,
    JSON Schema); "pcre2" (PHP, MariaDB, grep -P); "postgresql".

    It matches whole texts only, also when searched for, in linear time. Set no flags except
    ECMAScript's `u` or `v`, without which it matches nothing beyond ASCII. It has no groups: for
    components, use `parse`.

    The result is cached; the first call takes up to a second. UnknownRuleError for an unknown rule,
    PatternError for one that the flavour has no expression for, ValueError for an unknown flavour.

    >>> print(pattern("scheme", flavour="re2"))
    \A[A-Za-z][+\-.0-9A-Za-z]*\z
    >>> print(pattern("port", flavour="ecmascript"))
    ^[0-9]*$
    """
    from abnf2lark.patterns.emit_pattern import FLAVOURS  # noqa: PLC0415 - only expressions need it

    name = rule_name(rule, grammar)
    return _made(name, as_choice(flavour, "flavour", list(FLAVOURS)), as_str(grammar, "grammar"))


@cache
def _made(rule: str, flavour: str, grammar: str) -> str:
    from abnf2lark.config import read_grammar  # noqa: PLC0415 - same
    from abnf2lark.patterns.emit_pattern import FLAVOURS  # noqa: PLC0415 - only expressions need it
    from abnf2lark.patterns.rule_expression import NoExpressionError, proved_matcher  # noqa: PLC0415 - same

    read, _ = read_grammar(grammar, ())
    try:
        return proved_matcher(read, rule, (), FLAVOURS[flavour]).pattern
    except NoExpressionError as error:
        message, reason, remedy = str(error), error.reason, error.remedy
    raise PatternError(message, rule=rule, flavour=flavour, reason=reason, remedy=remedy)
