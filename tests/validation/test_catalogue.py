"""Every code: a text that has it, the nearest that has it not, and a source."""

from cases import each_case, tables

from uriparse.text import find_uris
from uriparse.validation import CATALOGUE, Policy, Severity, compiled_policy, validate
from uriparse.validation import report as report_module
from uriparse.validation.scheme_checks import check_found_uri

TABLES = tables(__file__)

CODES = list(CATALOGUE.values())
assert len(CODES) > 60

# The groups of warnings that the requirements list, and the codes that stand for them here.
GROUPS = TABLES["groups"]


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


def test_checks_that_only_warn_wait_until_they_are_asked_for(monkeypatch):
    done, warnings = [], report_module._warnings
    monkeypatch.setattr(
        report_module, "_warnings", lambda *given: done.append(given) or warnings(*given)
    )
    report = validate("http://u:p@127.1:0/%2e%2e/", Policy())
    reasons = report.reasons
    assert [found.code for found in reasons][:2] == ["userinfo", "userinfo-refused"]
    assert not done
    assert [found for found in report.findings if found.severity == "error"] == [*reasons]
    assert report.reasons == reasons
    assert len(done) == 1


@each_case("code", CODES)
def test_reasons_are_the_same_before_and_after_the_findings(code):
    for refuse in ("error", "warning", "info"):
        first, then = (
            validate(code.trigger, Policy.from_toml(code.under).replace(refuse=refuse))
            for _ in range(2)
        )
        wanted = [found for found in then.findings if found.severity.rank >= Severity(refuse).rank]
        assert [one[:8] for one in first.reasons] == [one[:8] for one in wanted]
        assert [one[:8] for one in first.findings] == [one[:8] for one in then.findings]
