"""Records of rules: nothing of the text is lost, and there is a way back from them."""

import copy
import pickle
from dataclasses import FrozenInstanceError, fields, is_dataclass
from pathlib import Path

import abnf
import pytest
from cases import each_case
from marks import some_slow

import abnf2lark

JSON = (Path(__file__).parent / "json.abnf").read_text(encoding="utf-8")
TEXT = '{"a": [1, -2.5e3, {"b": null}], "\\u00e9": "x"}'
SUM = 'sum = term *( op term )\nterm = 1*DIGIT / "(" sum ")"\nop = "+" / "-"'
DEEP = "[" * 3000 + "]" * 3000


@pytest.fixture(scope="module")
def grammar():
    return abnf2lark.load(JSON, name="json.abnf")


URI = (
    'uri = scheme ":" [ "//" authority ] *( "/" segment ) [ "?" class ]\n'
    'scheme = 1*ALPHA\nauthority = [ user "@" ] host\nuser = *ALPHA\nhost = *ALPHA\n'
    "segment = *ALPHA\nclass = *ALPHA\n"
)


def test_records_have_a_field_for_each_rule_that_is_captured():
    grammar = abnf2lark.load(URI)
    records = grammar.records("uri")
    found = records.parse("a://u@h/x//y?z")
    assert repr(found) == (
        "Uri(scheme='a', authority=Authority(user='u', host='h'), segment=('x', '', 'y'), "
        "class_='z')"
    )
    assert (str(found), found.authority.text, found.rule) == ("a://u@h/x//y?z", "u@h", "uri")
    assert records.transform(grammar.tree("a://u@h/x//y?z")) == found
    none = records.parse("a:")
    assert (none.scheme, none.authority, none.segment, none.class_) == ("a", None, (), None)
    assert records.parse("a:?") != none
    assert is_dataclass(found)
    assert hash(found) == hash(records.parse(str(found)))
    with pytest.raises(FrozenInstanceError):
        found.scheme = "b"
    assert [(one.name, one.type) for one in fields(records.classes["uri"])][4:] == [
        ("scheme", "Scheme"), ("authority", "Authority | None"), ("segment", "tuple[Segment, ...]"),
        ("class_", "Class | None"),
    ]  # fmt: skip
    assert [slot.shape for slot in records.slots["authority"]] == ["optional", "one"]
    with pytest.raises(abnf2lark.NoMatchError):
        records.parse("a")


def test_records_of_chosen_rules_and_of_recursive_ones(grammar):
    records = grammar.records(captured=["member", "string", "array"])
    found = records.parse('{"a": [[], {"b": 1}]}')
    assert {"member", "array"} <= records.classes.keys()
    (member,) = found.value.object.member
    assert (member.string, member.value.array.text) == ('"a"', '[[], {"b": 1}]')
    one = abnf2lark.load('s = "x"').records()
    assert (repr(one.parse("X")), one.parse("X").text) == ("S('X')", "X")


def test_names_that_python_keeps_for_itself_are_changed():
    text = 'text = rule-a class [ Import ] text-\nrule-a = 1*"1"\nclass = *DIGIT\nimport = *"!"\n'
    text += 'text- = 1*"."\n'
    found = abnf2lark.load(text).records().parse("12!.")
    assert [slot.name for slot in abnf2lark.load(text).records().slots["text"]] == [
        "rule_a", "class_", "import_", "text_",
    ]  # fmt: skip
    assert (found.class_, found.import_, found.text_, found.text) == ("2", "!", ".", "12!.")
    text = 'record = leaf node [ children ]\nleaf = 1*"1"\nnode = *"2"\nchildren = "3"\n'
    records = abnf2lark.load(text).records(captured=["record", "leaf", "node", "children"])
    assert [kind.__name__ for kind in records.classes.values()] == [
        "Record_", "Leaf_", "Node_", "Children",
    ]  # fmt: skip
    assert records.parse("123").children_ == "3"


@pytest.mark.slow
def test_records_nest_as_deeply_as_texts_do(grammar):
    records = grammar.records()
    found, again = records.parse(DEEP), records.parse(DEEP)
    assert (found == again, found != again, hash(found) == hash(again)) == (True, False, True)
    other = records.parse(DEEP.replace("[]", "[1]"))
    assert (found == other, found == DEEP, found in {again, other}) == (False, False, True)
    assert copy.copy(found) is found
    assert copy.deepcopy([found])[0] is found
    assert repr(found).startswith("JSONText(value=Value(")
    assert repr(found).count("Array(") == 3000
    assert pickle.loads(pickle.dumps(found)) == found
    assert sum(1 for _ in found.walk()) > 6000


def test_records_of_two_calls_are_equal(grammar):
    assert grammar.records().parse("[1]") == grammar.records("json-text").parse("[1]")
    assert grammar.records(captured=["array"]).parse("[1]") != grammar.records().parse("[1]")
    again = abnf2lark.load(JSON, name="json.abnf")
    assert again.records().parse("[1]") == grammar.records().parse("[1]")


@each_case(("abnf_text", "top", "text"), [
    (SUM, "sum", "1+(23-4)-5"), (URI, "uri", "a://u@h/x//y?z"),
    ('m = *( a / b )\na = 1*"x"\nb = "y" / "yz"', "m", "yxxyzx"),
    ('s = "<" *( s / t ) ">"\nt = 1*ALPHA', "s", "<a<b<>>c>"),
])  # fmt: skip
def test_children_are_in_order_and_where_the_abnf_package_has_them(abnf_text, top, text):
    class Rule(abnf.Rule):
        """The rules, as another reader of ABNF has them."""

    for line in abnf_text.splitlines():
        Rule.create(line)
    node = Rule(top).parse_all(text)
    wanted, offset = [], 0

    def visit(node):
        nonlocal offset
        if isinstance(node, abnf.parser.LiteralNode):
            offset += len(node.value)
        elif node.name in names:
            place = len(wanted)
            wanted.append(None)
            begin = offset
            for child in node.children:
                visit(child)
            wanted[place] = (node.name, begin, text[begin:offset])
        else:
            for child in node.children:
                visit(child)

    names = [line.partition(" ")[0] for line in abnf_text.splitlines()]
    records = abnf2lark.load(abnf_text).records(captured=names)
    visit(node)
    found = records.parse(text)
    assert [(one.rule, one.start, one.text) for one in found.walk()] == wanted
    for one in found.walk():
        assert text[one.start : one.end] == str(one) == one.text
        if isinstance(one, abnf2lark.Record):
            assert "".join(map(str, one.parts)) == one.text
            assert [part for part in one.parts if hasattr(part, "rule")] == [*one.children]


def test_operators_are_in_records_and_match_takes_nodes_apart():
    records = abnf2lark.load(SUM).records()
    term, op, total = (records.classes[name] for name in ("term", "op", "sum"))
    told = []
    for node in records.parse("1-(2+33)").walk():
        match node:
            case term(sum=None):
                told.append(f"number {node}")
            case term(inner):
                told.append(f"brackets {inner}")
            case op():
                told.append(f"sign {node}")
            case total(terms):
                told.append(f"sum of {len(terms)}")
    assert told == [
        "sum of 2", "number 1", "sign -", "brackets 2+33", "sum of 2", "number 2", "sign +",
        "number 33",
    ]  # fmt: skip
    found = records.parse("1+2-3")
    assert [str(child) for child in found.children] == ["1", "+", "2", "-", "3"]
    assert [(child.start, child.end) for child in found.op] == [(1, 2), (3, 4)]
    assert found.op == ("+", "-")
    letters = abnf2lark.load('s = *( x y )\nx = "a" / "b"\ny = "!"').records().parse("a!b!")
    assert letters.children == ()


def test_white_space_and_comments_are_left_out_on_request():
    abnf = 'pair = key ws "=" ws value\nkey = word\nvalue = word\nword = 1*ALPHA\n'
    pair = abnf2lark.load(abnf + 'ws = *( " " / note )\nnote = "(" word ")"')
    assert repr(pair.records().parse("a (b)=c")) == (
        "Pair(key=Key(word='a'), ws=(Ws(note=(Note(word='b'),)), Ws('')), value=Value(word='c'))"
    )
    records = pair.records(omit=["ws"])
    found = records.parse("a (b)=c")
    assert repr(found) == "Pair(key=Key(word='a'), value=Value(word='c'))"
    assert found.text == "a (b)=c"
    assert records.replace(found, value="d").text == "a (b)=d"
    assert (
        repr(records.make(key="x", value="y")) == "Pair(key=Key(word='x'), value=Value(word='y'))"
    )
    tree = pair.tree("a (b)=c", omit=["WS"])
    assert [*tree.scan_values(str.isascii)] == ["a", "=", "c"]
    with pytest.raises(abnf2lark.InputError, match="spaces"):
        pair.tree("a=c", omit=["spaces"])


@each_case("text", ["1", "1+2-3", "(1-(2+3))-4"])
def test_records_and_leaves_are_pickled(text):
    records = abnf2lark.load(SUM).records()
    found = records.parse(text)
    for node in found.walk():
        again = pickle.loads(pickle.dumps(node))
        assert again == node
        assert type(again) is type(node)
        assert (again.start, again.end, again.rule) == (node.start, node.end, node.rule)
        assert [*map(repr, again.children)] == [*map(repr, node.children)]
        assert copy.copy(node) is copy.deepcopy(node) is node


def test_records_are_made_of_values_and_changed():
    records = abnf2lark.load(SUM).records()
    assert str(records.make(term=["1", "(2+3)"], op="-")) == "1-(2+3)"
    assert str(records.make("term", sum="1+2")) == "(1+2)"
    found = records.parse("1+(2-3)-4")
    assert str(records.replace(found, op=["-", "+"])) == "1-(2-3)+4"
    assert str(records.replace(found, term="7", op=None)) == "7"
    inner = records.replace(found.term[1].sum, term=["8", "9"])
    outer = records.replace(found.term[1], sum=inner)
    assert str(records.replace(found, term=[found.term[0], outer, "5"])) == "1+(8-9)-5"
    uri = abnf2lark.load(URI).records()
    made = uri.make(scheme="a", authority="u@h", segment=["", "x"], class_="")
    assert str(made) == "a://u@h//x?"
    assert str(uri.replace(made, authority=None, segment=())) == "a:?"
    assert str(uri.replace(uri.parse("a:/x?y"), class_=None)) == "a:/x"


@each_case(("call", "error", "told"), [
    (lambda r: r.make(term="1", op="+"), ValueError, "no text of sum has 1 of term, 1 of op"),
    (lambda r: r.make(term="a"), abnf2lark.NoMatchError, "no term: expected DIGIT or"),
    (lambda r: r.make(x="1"), TypeError, "sum has no field x; it has term, op"),
    (lambda r: r.make("op", x="1"), TypeError, "op has no field x; it has none"),
    (lambda r: r.make("nope"), abnf2lark.InputError, "nope is not a rule of these records"),
    (lambda r: r.make(term=[1]), TypeError, "term must be a str, not int"),
    (lambda r: r.replace("1", term="2"), TypeError, "a record of sum is to be changed"),
])  # fmt: skip
def test_what_cannot_be_made_is_told(call, error, told):
    with pytest.raises(error) as caught:
        call(abnf2lark.load(SUM).records())
    assert told in str(caught.value)


def test_values_that_would_be_read_as_others_are_told():
    records = abnf2lark.load("s = a b\na = 1*ALPHA\nb = *ALPHA").records()
    read = records.parse("xy")
    for values in ({"a": "x", "b": "y"}, {"a": "xy", "b": ""}):
        if (read.a, read.b) == (values["a"], values["b"]):
            assert records.make(**values) == read
        else:
            with pytest.raises(ValueError, match="s cannot have these values: its text would be"):
                records.make(**values)


def test_a_module_of_types_is_written(tmp_path, monkeypatch):
    grammar = abnf2lark.load(
        'sum = term *( op term )\nop = "+" / "-" ; signs\n'
        'term = 1*DIGIT / "(" sum ")" / "Abs" %s"Of" 2( %x61 / %xE9 ) "\\" / "\'\'\'"'
    )
    path = tmp_path / "my_sums.py"
    grammar.emit_types(path)
    monkeypatch.syspath_prepend(tmp_path)
    import my_sums

    class Ops(my_sums.Visitor):
        """Collects operators."""

        def visit_Op(self, node):  # noqa: N802 - as the class is called
            found.append((node.text, node.start))

    found = []
    record = my_sums.parse("ABSOfaé\\-(2+'''+1)")
    Ops().visit(record)
    assert found == [("-", 8), ("+", 11), ("+", 15)]
    assert isinstance(record.children[2].sum, my_sums.Sum)
    assert type(pickle.loads(pickle.dumps(record))) is my_sums.Sum
    assert pickle.loads(pickle.dumps(record)) == record
    assert str(my_sums.RECORDS.replace(record, op="+")) == "ABSOfaé\\+(2+'''+1)"
    with pytest.raises(abnf2lark.NoMatchError, match='is %s"Of" meant'):
        my_sums.parse("absof")
    with pytest.raises(OSError, match="there already"):
        grammar.emit_types(path)
    grammar.emit_types(path, force=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", some_slow(["json", "rfc3986"], "rfc3986"))
def test_modules_of_types_pass_mypy(tmp_path, name):
    api = pytest.importorskip("mypy.api")
    grammar = abnf2lark.load(JSON if name == "json" else "rfc3986")
    grammar.emit_types(tmp_path / "types_of.py")
    (tmp_path / "user.py").write_text(
        "from types_of import *\n"
        f"reveal_type(parse('x').{'value' if name == 'json' else 'scheme'})\n"
    )
    out = api.run(["--strict", "--no-incremental", str(tmp_path / "user.py")])
    assert f'"types_of.{"Value" if name == "json" else "Scheme"}"' in out[0], out
    assert "error" not in out[0], out


def test_a_tree_of_another_kind_is_refused():
    grammar = abnf2lark.load(URI)
    records = grammar.records("uri")
    tree = grammar.tree("a://u@h/x?z", "uri")
    assert str(records.transform(tree)) == "a://u@h/x?z"
    component_tree = grammar.lark("uri", leaves=["authority"]).parse("a://u@h/x?z")
    tree.children = tree.children[:-1]
    for other in (component_tree, grammar.tree("u@h", "authority"), tree):
        with pytest.raises(ValueError, match=r"not one that Grammar\.tree makes of uri"):
            records.transform(other)
