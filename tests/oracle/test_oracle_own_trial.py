"""Every entry point of ours on whole suites of every rule that is shipped: no error."""

import pytest
from bundles import BUNDLES
from conformance.test_own_trial import RULES, errors, judges

from abnf2lark.ir import leading_to
from uriparse.conformance import suite

pytestmark = pytest.mark.oracle

UNSEARCHED = {("agreed", rule) for rule in leading_to(BUNDLES["agreed"].grammar, ["domain"])}
"""Of labels of up to 63 characters: an edit may give them too many states to be told in time."""


@pytest.mark.parametrize(("grammar", "rule"), RULES)
def test_the_suites_of_every_rule(grammar, rule, tally):
    """`standard` holds what `transition` has of all characters."""
    counts = {}
    first = "transition" if (grammar, rule) in UNSEARCHED else "standard"
    for method, characters in ((first, "all"), ("hsi", "one")):
        rows = list(suite(rule, grammar=grammar, method=method, characters=characters))
        assert not errors(rows, grammar, rule)
        counts[method] = len(rows)
    verdicts = sum(counts.values()) * len(judges(grammar, rule))
    tally("our own trial", rules=1, **counts, verdicts=verdicts)
