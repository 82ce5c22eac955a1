"""Say for each text whether a rule matches it, recursive or not, and how far it
goes. Exit codes: 0 the rule matches all texts, 1 it does not, 2 a usage error.

examples:
  abnf2lark match rfc3986 IPv6address ::1 1::2::3
  abnf2lark match my.abnf document --file a.doc
"""

from argparse import Namespace

from abnf2lark.commands.texts import add_text_arguments, explained, quoted
from abnf2lark.library.explanations import Explanation

add_arguments = add_text_arguments


def run(options: Namespace) -> int:
    """Report of each text whether it matches; return 1 if one does not."""
    return explained(options, ("matches", "offset"), _verdict)


def _verdict(found: Explanation) -> list[str]:
    where = f"stops at offset {found.offset}"
    where = "ends too early" if found.offset == len(found.text) else where
    verdict = found.rule if found.matches else f"no {found.rule}, {where}"
    return [f"{verdict}: {quoted(found.text)}"]
