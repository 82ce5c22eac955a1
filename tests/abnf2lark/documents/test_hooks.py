"""The hooks of pre-commit and the steps of the action, on a repository with three faulty drafts."""

import json
import os
import re
import shlex
import sys
from pathlib import Path

import pytest
from cases import documents
from command_runs import run_program
from paths import ROOT

HOOKS = ROOT / ".pre-commit-hooks.yaml"
ACTION = ROOT / ".github/actions/abnf2lark-check/action.yml"
DRAFTS = documents(__file__)
FAULTS = {
    "draft-a-list.md": [(10, "example")],
    "drafts/draft-b-date.xml": [(2, "undefined")],
    "draft-c-name.txt": [(3, "left-out"), (4, "undefined")],
}


@pytest.fixture
def repository(tmp_path):
    for name, text in DRAFTS.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def table(text):
    """Read the items of a list in YAML that have one level of plain values."""
    return [
        dict(re.findall(r"^[- ] (\w+): (.*)$", item, re.MULTILINE))
        for item in re.split(r"^(?=- )", text, flags=re.MULTILINE)
        if item.startswith("- ")
    ]


def errors(out):
    found = re.findall(r"^([^:\n ]+):(\d+):\d+: ([\w-]+): ", out, re.MULTILINE)
    return {
        name: [(int(line), code) for file, line, code in found if file == name]
        for name in dict.fromkeys(file for file, _, _ in found)
    }


@pytest.mark.usefixtures("repository")
def test_the_hooks_find_what_is_wrong_in_each_draft(abnf2lark):
    hooks = {hook["id"]: hook for hook in table(HOOKS.read_text(encoding="utf-8"))}
    assert hooks.pop("uriparse-broken")["entry"] == "uriparse find --broken"
    assert set(hooks) == {"abnf2lark-lint", "abnf2lark-check", "abnf2lark-format"}
    found = {}
    for name, hook in hooks.items():
        assert hook["language"] == "python"
        files = [file for file in DRAFTS if re.search(hook["files"], file)]
        program, *arguments = shlex.split(hook["entry"])
        assert program == "abnf2lark"
        done = abnf2lark(*arguments, *files)
        assert done.code == 1
        found[name] = errors(done.out)
    assert found == {
        "abnf2lark-lint": {"grammar/own.abnf": [(1, "undefined")]},
        "abnf2lark-check": FAULTS,
        "abnf2lark-format": {},  # which writes the file anew
    }
    assert Path("grammar/own.abnf").read_text() == "a = b\n"


@pytest.mark.slow
def test_the_steps_of_the_action_find_the_same(repository):
    text = ACTION.read_text(encoding="utf-8")
    inputs = dict(
        re.findall(r"^  (\w+):\n    description: .*\n    default: (.*)$", text, re.MULTILINE)
    )
    inputs = {name: value.strip('"') for name, value in inputs.items()}
    inputs["files"] += " drafts/draft-*.xml *.txt"
    steps = re.findall(r"^      run: (.*)$", text, re.MULTILINE)
    install, write, show = steps
    assert "$GITHUB_ACTION_PATH/../../.." in install
    assert (ACTION.parent / "../../../pyproject.toml").resolve() == ROOT / "pyproject.toml"
    environment = {
        **os.environ,
        **{name.upper(): value for name, value in inputs.items()},
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    for name in ("FILES", "ARGUMENTS", "SARIF"):
        assert f"{name}: ${{{{ inputs.{name.lower()} }}}}" in text

    def run(step):
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step]
        return run_program(*command, cwd=repository, env=environment, check=False)

    written = run(write)
    assert written.returncode == 0, written.stderr
    log = json.loads((repository / "abnf2lark.sarif").read_text())
    (results,) = [run["results"] for run in log["runs"]]
    places = [
        (one["locations"][0]["physicalLocation"], one["ruleId"], one["level"]) for one in results
    ]
    shown = run(show)
    assert shown.returncode == 1
    assert errors(shown.stdout) == FAULTS
    assert {
        (place["artifactLocation"]["uri"], place["region"]["startLine"], code)
        for place, code, level in places
        if level == "error"
    } == {(name, line, code) for name, found in FAULTS.items() for line, code in found}
    environment["FILES"] = "missing.md"
    assert run(write).returncode == 1  # which is not taken for findings
