"""Every code: a text that has it, the nearest that has it not, and a source."""

from cases import each_case

from uriparse.text import find_uris
from uriparse.validation import CATALOGUE, Policy, compiled_policy, validate
from uriparse.validation import report as report_module
from uriparse.validation.scheme_checks import check_found_uri

CODES = list(CATALOGUE.values())
assert len(CODES) > 60

# The groups of warnings that the requirements list, and the codes that stand for them here.
GROUPS = {
    1: "non-default-port", 2: "reserved-port", 3: "cross-protocol-smtp",
    4: "encoded-protocol-delimiter", 5: "password-in-uri", 6: "userinfo-not-allowed",
    7: "misformed-relative-reference", 8: "excess-dot-dot", 9: "dots-in-query",
    10: "encoded-dot-segment", 11: "file-drive-letter-host", 12: "mailto-suspicious-escape",
    13: "not-globally-accessible", 14: "gopher-selector-control-char",
    15: "host-too-long dns-label ipv4-lookalike", 16: "port-left-empty port-out-of-range no-server",
    17: "hyphen-line-break suffix-reference-guess no-base default-base-used",
    18: "unsafe-character lower-case-hex upper-case-scheme", 19: "misleading-userinfo",
    20: "encoded-nul backend-special-name unknown-ip-literal-version dialect-host-mismatch",
}  # fmt: skip


def codes_of(text, under):
    if text.startswith("<"):  # a document: what was found in it
        (found,) = find_uris(text)
        prepared = compiled_policy.compiled(Policy.from_toml(under))
        return set(compiled_policy.Judgement(prepared, None, check_found_uri(found)).codes)
    return {found.code for found in validate(text, Policy.from_toml(under)).findings}


@each_case("code", CODES)
def test_it_is_triggered_and_the_nearest_text_is_clean(code):
    assert code.code in codes_of(code.trigger, code.under)
    assert code.code not in codes_of(code.clean, code.under)


@each_case("code", CODES)
def test_it_is_explained(code):
    assert code.sentence
    assert code.sentence[0].islower() or code.sentence.startswith(("RFC", "URI"))
    assert not code.sentence.endswith(".")
    assert code.source


@each_case("codes", GROUPS.values())
def test_every_group_of_warnings_is_there(codes):
    assert set(codes.split()) <= CATALOGUE.keys()


def test_a_refused_text_is_read_once_and_put_into_words_when_asked(monkeypatch):
    done = []

    def counted(module, name):
        made = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *given: done.append(name) or made(*given))

    counted(report_module, "_run_checks")
    counted(compiled_policy, "_made")
    report = validate("http://u:p@127.1:0/%2e%2e/")
    assert not report.accepted
    assert done == ["_run_checks"]
    assert len(report.findings) > 5
    assert report.reasons
    assert str(report.record) == report.text
    assert done == ["_run_checks", *["_made"] * len(report.findings)]
