"""The project's grammars as the compiler reads them: once for all tests."""

from paths import GRAMMARS

from abnf2lark.config import load_bundles

BUNDLES = load_bundles(GRAMMARS)
