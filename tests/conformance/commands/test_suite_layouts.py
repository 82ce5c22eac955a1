"""`uriparse conformance suite --as`: the layouts of others, read back as those would."""

import ast
import json
import re
import shutil
import subprocess

import pytest
from command_runs import running

from uriparse.conformance import suite

run = running("conformance", "suite")


def texts(rule, **options):
    return sorted(suite(rule, **options).texts)


def test_json_schema(run):
    code, out, err = run("--rule=IPv4address", "--method=transition", "--as=jsonschema")
    assert (code, err) == (0, "")
    (group,) = json.loads(out)
    assert group["schema"]["format"] == "ipv4"
    assert {"description", "schema", "tests"} == group.keys()
    rows = {(row.text, row.valid) for row in suite("IPv4address", method="transition")}
    assert {(test["data"], test["valid"]) for test in group["tests"]} == rows
    assert all(test["description"] for test in group["tests"])


@pytest.mark.parametrize(("layout", "rule", "some"), [
    ("libfuzzer", "dec-octet", {b"25", b"1"}),
    pytest.param("afl", "IP-literal", {b"[", b"]", b":", b"::", b".", b"25"},
                 marks=pytest.mark.slow),
])  # fmt: skip
def test_seeds_and_a_dictionary(run, layout, rule, some, tmp_path):
    folder = tmp_path / "corpus"
    options = (f"--rule={rule}", "--method=transition", f"--as={layout}", f"--out={folder}")
    assert run(*options) == (0, "", "")
    seeds = sorted(path.read_bytes().decode() for path in (folder / "seeds").iterdir())
    assert seeds == texts(rule, method="transition")
    words = (folder / "dictionary.txt").read_text("ascii").splitlines()
    # As AFL reads it: a name may stand before, then text in quotes with escapes of two digits.
    assert all(re.fullmatch(r'"(\\x[0-9A-F]{2}|[A-Za-z0-9])+"', word) for word in words)
    found = {ast.literal_eval(f"b{word}") for word in words}
    assert some <= found
    assert run(*options)[0] == 2
    assert "it is there already" in run(*options)[2]
    assert [path.name for path in tmp_path.iterdir()] == ["corpus"]


def test_a_corpus_of_go(run, tmp_path):
    folder = tmp_path / "FuzzScheme"
    options = ("--rule=scheme", "--method=transition", "--characters=all")
    assert run(*options, "--as=go-corpus", f"--out={folder}") == (0, "", "")
    found = [path.read_text("utf-8") for path in folder.iterdir()]
    assert all(re.fullmatch(r'go test fuzz v1\nstring\("[ -~]*"\)\n', text) for text in found)
    read = sorted(ast.literal_eval(text.split("string(")[1][:-2]) for text in found)
    wanted = texts("scheme", method="transition", characters="all")
    assert read == [text for text in wanted if not re.search("[\ud800-\udfff]", text)]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("go") is None, reason="there is no go")
def test_go_reads_its_corpus(run, tmp_path):
    folder = tmp_path / "testdata/fuzz/FuzzText"
    folder.parent.mkdir(parents=True)
    run("--rule=dec-octet", "--method=transition", "--as=go-corpus", f"--out={folder}")
    (tmp_path / "go.mod").write_text("module own\n\ngo 1.18\n")
    (tmp_path / "own_test.go").write_text(
        'package own\n\nimport "testing"\n\nfunc FuzzText(f *testing.F) {\n'
        '\tf.Fuzz(func(t *testing.T, text string) { t.Logf("%x", text) })\n}\n'
    )
    done = subprocess.run(
        ["go", "test", "-v", "-run", "FuzzText"], cwd=tmp_path, capture_output=True, text=True,
        check=False,
        env={"PATH": "/usr/bin:/bin:/usr/local/bin", "HOME": str(tmp_path), "GOFLAGS": "-mod=mod"},
    )  # fmt: skip
    logged = re.findall(r"own_test.go:[0-9]+: ([0-9a-f]*)$", done.stdout, re.MULTILINE)
    assert sorted(bytes.fromhex(one).decode() for one in logged) == texts(
        "dec-octet", method="transition"
    )


@pytest.mark.parametrize(("options", "message"), [
    (("--rule=port", "--as=jsonschema"), "--format jsonschema is for URI, "),
    (("--rule=port", "--as=afl"), "--format afl makes a folder: name it with --out"),
    (("--rule=port", "--as=go-corpus", "--out=-"), "name it with --out"),
    (("--rule=port", "--as=afl", "--out=no/such/place"), "no/such"),
])  # fmt: skip
def test_what_cannot_be_done_is_said(run, options, message):
    code, out, err = run("--method=transition", *options)
    assert code == 2
    assert out == ""
    assert message in err


def test_a_suite_is_explained(run):
    code, out, err = run("--rule=dec-octet", "--explain", "--method=mutants")
    assert (code, err) == (0, "")
    size, guarantee, head, *edits, limits = out.splitlines()
    assert size.endswith("of characters.")
    assert "one edit of the grammar" in guarantee
    assert head == "An edit is one of these, in a rule or in one place that refers to it:"
    assert len(edits) == 8
    assert limits.startswith("Edits of other kinds are not promised to be found: ")
    assert "An edit" not in run("--rule=dec-octet", "--explain", "--method=hsi")[1]
