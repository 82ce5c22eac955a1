"""Regular expression engines, each asked for verdicts on texts; skipped where it is missing."""

import base64
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from engines import pcre2

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Judge:
    """An engine: which expressions it reads, and how it is asked."""

    flavour: str
    verdicts: Callable[[str, list[str]], list[bool]]
    holds_surrogates: bool = False

    def holds(self, text):
        """Whether a text is one to the engine."""
        return self.holds_surrogates or not any("\ud800" <= char <= "\udfff" for char in text)


def _python(expression, texts):
    compiled = re.compile(expression)
    return [compiled.search(text) is not None for text in texts]


def _re2(expression, texts):
    re2 = pytest.importorskip("re2", reason="google-re2 is not installed")
    options = re2.Options()
    options.log_errors = True
    compiled = re2.compile(expression, options)
    return [compiled.search(text) is not None for text in texts]


def _arrow(expression, texts):
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    from pyarrow import compute

    column = pyarrow.array(texts, pyarrow.large_string())
    return compute.match_substring_regex(column, expression).to_pylist()


def _duckdb(expression, texts):
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    with duckdb.connect() as connection:
        query = "select regexp_matches(t, $e) from (select unnest($t::varchar[]) as t)"
        rows = connection.execute(query, {"e": expression, "t": texts}).fetchall()
    return [verdict for (verdict,) in rows]


def _polars(expression, texts):
    polars = pytest.importorskip("polars", reason="polars is not installed")
    return polars.Series(texts, dtype=polars.String).str.contains(expression).to_list()


def _pcre2(*, compiled):
    def verdicts(expression, texts):
        library = pcre2.library()
        if library is None:
            pytest.skip("libpcre2-8 is not installed")
        return pcre2.verdicts(library, expression, texts, compiled=compiled)

    return verdicts


def _driven(program, *arguments, mark=""):
    """Ask a program that reads lines: the expression, then the texts."""

    def verdicts(expression, texts):
        found = shutil.which(program)
        if found is None:
            pytest.skip(f"{program} is not installed")
        lines = [f"={mark}{_framed(expression)}", *map(_framed, texts), ""]
        done = subprocess.run(
            [found, *arguments], input="\n".join(lines).encode(), capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr.decode()
        answers = done.stdout.decode().split()
        assert set(answers) <= {"0", "1"}, f"{program} gives no verdict: {set(answers)}"
        return [answer == "1" for answer in answers]

    return verdicts


def _framed(text):
    return base64.b64encode(text.encode("utf-16-le", "surrogatepass")).decode()


JUDGES = {
    "python": Judge("python", _python, holds_surrogates=True), "re2": Judge("re2", _re2),
    "arrow": Judge("re2", _arrow), "duckdb": Judge("re2", _duckdb),
    "polars": Judge("rust", _polars),
    "java": Judge("java", _driven("java", HERE / "Judge.java"), holds_surrogates=True),
    "node-u": Judge("ecmascript", _driven("node", HERE / "judge.mjs", mark="u "),
                    holds_surrogates=True),
    "node-v": Judge("ecmascript", _driven("node", HERE / "judge.mjs", mark="v "),
                    holds_surrogates=True),
    "pcre2": Judge("pcre2", _pcre2(compiled=False)),
    "pcre2-jit": Judge("pcre2", _pcre2(compiled=True)),
}  # fmt: skip
