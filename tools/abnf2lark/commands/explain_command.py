"""Say where each text stops matching, what could have followed, in the words of
the grammar, and the string that may be meant.
Exit codes: 0 the rule matches all texts, 1 it does not, 2 a usage error.

examples:
  abnf2lark explain rfc3986 URI 'http://a b/'
  abnf2lark explain my.abnf document --json < lines.txt
"""

from argparse import Namespace

from abnf2lark.commands.texts import add_text_arguments, explained, pointed

add_arguments = add_text_arguments
_FACTS = ("matches", "offset", "begin", "line", "column", "may_end", "expected", "meant")


def run(options: Namespace) -> int:
    """Explain each text; return 1 if one does not match."""
    return explained(options, _FACTS, pointed)
