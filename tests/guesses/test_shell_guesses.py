"""What people type first at a shell works, or the error gives a command line that works."""

import re
import shlex

from cases import each_case, tables
from command_tables import NEAR_WORDS

from uriparse.cli import main

TABLES = tables(__file__)

WORDS = (
    "scheme authority userinfo user host port origin path query decode unquote params json split "
    "edit change replace make build create join canonicalize clean sort uniq dedupe same equal "
    "extract grep links mask sanitize valid lint safe man manual completion version"
)
SPELLINGS = "isValid is-valid IS_VALID Canonicalise url-encode to-ascii query-params"


@each_case("word", [*WORDS.split(), *NEAR_WORDS, *SPELLINGS.split()])
def test_a_word_that_is_no_command_is_answered_by_a_line_that_works(word, capsys, tmp_path):
    assert main([word, "http://h/"]) == 2
    line = re.search(r"help: write `uriparse (.+)`\n", capsys.readouterr().err)[1]
    file = tmp_path / "log.txt"
    file.write_text("GET http://u:p@h/ 200\n")
    given = TABLES["given"] | {"FILE": str(file)}
    words = shlex.split(re.sub(r"\b[A-Z]{3,}\b", lambda found: given[found[0]], line))
    assert main(words) in {0, 1}
    assert capsys.readouterr().out


@each_case(("line", "told"), TABLES["habits_of_other_programs_are_answered"])
def test_habits_of_other_programs_are_answered(line, told, capsys):
    assert main(shlex.split(line)) == 2
    assert told in capsys.readouterr().err


def test_the_version_in_short(capsys):
    assert main(["-V"]) == main(["--version"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == second


@each_case(("line", "told"), TABLES["help_is_in_the_words_of_the_command"])
def test_help_is_in_the_words_of_the_command(line, told, capsys):
    assert main(shlex.split(line)) == 1
    assert told in capsys.readouterr().err
