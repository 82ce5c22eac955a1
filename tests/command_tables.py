"""The commands of `uriparse` and their parts, for tests that go through all of them.

The tests take them from here: one file of theirs knows where the command line keeps them.
"""

from uriparse._base.migration_hints import foreign_names
from uriparse.cli.arguments import parser_for, parsers_within
from uriparse.cli.commands import COMMANDS, GROUPS, examples, exits, grouped, load
from uriparse.cli.help_text import EXITS
from uriparse.cli.legacy_command import PARTS as LEGACY
from uriparse.conformance.commands import PARTS as CONFORMANCE

__all__ = [
    "COMMANDS", "CONFORMANCE", "EXITS", "GROUPS", "LEGACY", "NEAR_WORDS", "examples", "exits",
    "grouped", "load", "parser_for", "parsers_within",
]  # fmt: skip

NEAR_WORDS = foreign_names("command")
