"""Imports: which grammar a name is taken from."""

from brute.judge import CORE, ours
from cases import each_case

from abnf2lark.ir import Chars, Ref

ONE = ours('r = "1"\nq = r\n')
TWO = ours('r = "2"\nq = r\n')
URIS = ours("host = 1*ALPHA\n", (CORE,))
HTTP = "Host = uri-host\nuri-host = <host, see [URI], Section 3.2.2>\n"


def test_a_wanted_rule_is_taken_although_nothing_refers_to_it():
    grammar = ours('a = "x"\n', take=[(CORE, "bit")])
    assert list(grammar.rules) == ["a", "BIT"]


@each_case("order", [(ONE, TWO), (TWO, ONE)])
@each_case(("owner", "digit"), [(ONE, "1"), (TWO, "2")])
def test_a_rule_comes_from_the_grammar_that_it_is_to_be_taken_from(order, owner, digit):
    grammar = ours("a = R\nb = <r>\n", order, [(owner, "R")])
    assert list(grammar.rules) == ["a", "b", "r"]
    assert grammar.rules["b"].body == Ref("r")
    assert grammar.rules["r"].body == Chars.single(digit)


@each_case("prose",
    ["<host, see [URI], Section 3.2.2>", "<host, defined in [RFC3986]>", "<host in RFC 3986>",
     "<host (RFC3986, 3.2.2)>", "<host>", "<host, see Section 4>"])  # fmt: skip
def test_prose_never_leads_back_to_its_own_rule(prose):
    grammar = ours(f"Host = uri-host\nuri-host = {prose}\n", (URIS, CORE))
    assert grammar.rules[grammar.rules["uri-host"].body.name].body == URIS.rules["host"].body


def test_prose_that_could_only_be_its_own_rule_is_a_problem(abnf2lark):
    done = abnf2lark("compile", "t.abnf", t=HTTP.replace("URI", "X"))
    assert done.code == 1
    assert done.err.splitlines()[0] == (
        "t.abnf:2:12: prose: <host, see [X], Section 3.2.2> cannot be Host of this file, which "
        "leads back to uri-host; give its grammar with --import"
    )


def test_what_a_file_leaves_open_can_be_given(abnf2lark):
    text = "a = <any CHAR except  CTLs> sep\nsep = <a mark> / other\n"
    arguments = ["--define", "any CHAR except CTLs=%x20-7E", "--define", "<a mark>= %x2C",
                 "--define", 'other=";" [ other ]', "a"]  # fmt: skip
    assert abnf2lark("lint", "t.abnf", *arguments[:-1], t=text).code == 0
    done = abnf2lark("compile", "t.abnf", *arguments[:-1], t=text)
    assert (done.code, '// other = ";" [ other ]' in done.out) == (0, True)
    assert abnf2lark("pattern", "t.abnf", *arguments[:4], "--define", "other=%x2E", "a",
                     t=text).out == r"\A[\x20-\~][,.]\Z" + "\n"  # fmt: skip


@each_case(("given", "code", "told"), [
    ("other", 2, "abnf2lark: --define other: write NAME=ELEMENTS, as in 'CTL=%x00-1F / %x7F'"),
    ("other=(", 1, "--define:1:9: syntax: "),
    ("other=none", 1, '--define:1:9: undefined: "none" is not defined'),
])  # fmt: skip
def test_what_is_given_and_no_definition_is_named(abnf2lark, given, code, told):
    done = abnf2lark("compile", "t.abnf", "--define", given, t="a = other\n")
    assert (done.code, done.out) == (code, "")
    assert done.err.startswith(told)
