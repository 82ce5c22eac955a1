"""What people type first at a shell works, or the error gives a command line that works."""

import re
import shlex

from cases import each_case
from command_tables import NEAR_WORDS

from uriparse.cli import main

GIVEN = {
    "URI": "http://h/a?b#c",
    "BASE": "http://h/",
    "REF": "../b",
    "HOST": "h.example",
    "TEXT": "http://h/a",
}
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
    given = GIVEN | {"FILE": str(file)}
    words = shlex.split(re.sub(r"\b[A-Z]{3,}\b", lambda found: given[found[0]], line))
    assert main(words) in {0, 1}
    assert capsys.readouterr().out


@each_case(("line", "told"), [
    ("get http://h/ host", "help: write the parts as a template: -f '{host}'"),
    ("get '{host}' http://h/", "help: write the parts as a template: -f '{host}'"),
    ("resolve http://h/ b", "--base URI is needed: write --base http://h/ REF; or --base-of FILE"),
    ("explain http://h/8x", "`uriparse validate URI` gives those of a text"),
    ("validate --json http://h/", "help: write --format ndjson"),
    ("validate --reading whatwg http://h/", "help: write --whatwg"),
    ("--get '{host}' http://h/", "help: write `uriparse get -f '{host}' URI`"),
    ("-s host=x http://h/", "help: write `uriparse set --host HOST URI`"),
    ("--redirect /b http://h/", "help: write `uriparse resolve --base BASE REF`"),
    ("-f urls.txt", "help: write --file FILE"),
    ("parse --quiet http://h/", "help: write > /dev/null after the command"),
    ("normalize --idna http://h/", "help: `uriparse normalize --to uri --grammar rfc3987 URI`"),
    ("validate --fix 'http://h/a b'", "help: `uriparse get --whatwg -f '{text}' URI` reads as"),
    ("resolve -b http://h/ x", "help: write --base URI"),
    ("find 'see http://h/ now'", "; to search a text, give it by a pipe"),
    ("get -f host http://h/", "the template has no field; write {host}"),
    ("get -f {query.q} http://h/?q=1", "there is no field query.q; write query[q]"),
    ("get --decode http://h/", "help: write -f '{path:decoded}'"),
    ("set --segments a http://h/", "help: write --child SEGMENT"),
    ("set --remove-port http://h:1/", "help: write --without port"),
    ("set --query 'a b' http://h/", "write it as triplets, or add --encode"),
    ("validate --policy webb http://h/", "--policy webb: did you mean web?"),
    ("match --rule IPv6 ::1", "did you mean IPv6address?"),
    ("legacy", "help: give one of: "),
    ("resolve --base-of x --base http://h/ b", "--retrieval URI says where a document is from"),
    ("validate --strict http://h/", "help: write --policy strict"),
    ("--no-color http://h/", "help: leave it out: output has no colours"),
    ("parse --colour never http://h/", "help: leave it out: output has no colours"),
    ("parse --url http://h/", "help: texts are arguments: leave the option out"),
    ("parse --format json http://h/", "help: write --json"),
    ("parse --iri x:", "help: write --grammar rfc3987"),
    ("get --host http://h/", "help: write -f '{host}'"),
    ("normalize --sort-query http://h/", "help: write --key scheme+sort-query"),
    ("validate --schemes https http://h/", "help: write it into a file of settings"),
])  # fmt: skip
def test_habits_of_other_programs_are_answered(line, told, capsys):
    assert main(shlex.split(line)) == 2
    assert told in capsys.readouterr().err


def test_the_version_in_short(capsys):
    assert main(["-V"]) == main(["--version"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == second


@each_case(("line", "told"), [
    ("match IPv6address ::1", "help: IPv6address is also the name of a rule: --rule IPv6address"),
    ("parse http://bücher.example/", "text with `uriparse normalize --to uri --grammar rfc3987`"),
    ("parse '<http://h/>'", "or extract it with `uriparse find`"),
])  # fmt: skip
def test_help_is_in_the_words_of_the_command(line, told, capsys):
    assert main(shlex.split(line)) == 1
    assert told in capsys.readouterr().err
