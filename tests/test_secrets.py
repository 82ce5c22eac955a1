"""No public call shows a password: one canary, in every text that every parameter can take.

Nothing here asks the package what it masks. What comes out is searched for the canary itself.
"""

import traceback
import warnings
from urllib.parse import urlsplit

import pytest
from cases import tables
from parameters import PARAMETERS
from scheme_parameters import SCHEME_PARAMETERS

import uriparse
from uriparse import parse_url, validate
from uriparse.schemes import CURRENT, RFC1738

TABLES = tables(__file__)

CANARY = "Zq7kCANARYv3w"
SCHEMES = sorted(
    {"http", "https", "ws", "wss", "ftp", "sftp", "telnet", "nntp", "news", "gopher", "prospero"}
    | {"wais", "ldap", "file", "sip", "sips", "imap", "postgresql", "x-unknown", "HTTP", "SIP"}
)
# What people put around a password, and where a parser may stop before, in or after it.
AROUND = TABLES["around"]
OPAQUE = [f"{scheme}:u:{{}}@h" for scheme in ("sip", "sips", "SIPS", "x-unknown")]
TEXTS = [
    *(f"{scheme}://{around}" for scheme in SCHEMES for around in AROUND),
    *(f"//{around}" for around in AROUND),
    *OPAQUE,
    *(f"{text}{end}" for text in OPAQUE for end in (":80x", " ", "#", "%", ";a=[")),
    *(f"http://h/?to={scheme}://u:{{}}@h {end}" for scheme in SCHEMES for end in ("", "%", "#")),
]
FEW = [text for text in TEXTS if text.startswith(("http://", "ftp://", "//", "sip:"))]
assert len(TEXTS) > 500


def told(error):
    """Everything that a person sees of an error: its words, its notes, what it came of."""
    seen = []
    while error is not None and error not in seen:
        seen.append(error)
        yield "".join(traceback.format_exception_only(error))
        yield repr(error)
        yield from getattr(error, "__notes__", ())
        for name in ("pointer", "advice"):
            value = getattr(error, name, "")
            yield str(value() if callable(value) else value)
        error = None if error.__suppress_context__ else error.__context__


def has_password(text):
    """Whether the canary is a password to who knows URLs, but not this package."""
    if text.lower().startswith(tuple(each.partition(":")[0].lower() + ":u:" for each in OPAQUE)):
        return True
    try:
        return CANARY in (urlsplit(text).password or "")
    except ValueError:
        return False


def check(call, text, where, *, shows_text=True):
    tainted = text.format(CANARY)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            answer = call(tainted)
            outcome = [repr(answer)] if shows_text and has_password(tainted) else []
        except Exception as error:  # noqa: BLE001 - whatever is raised is searched
            outcome = [*told(error)]
    outcome += [str(warning.message) for warning in warned]
    leaks = [line for line in outcome if CANARY in line]
    assert not leaks, (where, tainted, leaks[0])


@pytest.mark.slow
@pytest.mark.parametrize("registry", [RFC1738, CURRENT], ids=["RFC 1738", "today"])
def test_no_password_is_shown_of_a_url_of_any_scheme(registry):
    for text in TEXTS:
        check(lambda it: parse_url(it, registry=registry), text, "parse_url")
        check(lambda it: parse_url(it, registry=registry, relaxed_host=True), text, "relaxed")


@pytest.mark.slow
def test_no_password_is_shown_of_a_reference():
    for text in TEXTS:
        for call in (uriparse.parse, uriparse.try_parse, uriparse.redact, validate):
            check(call, text, call.__name__)
        check(lambda it: uriparse.parse(it, "URI"), text, "URI")
        check(lambda it: uriparse.parse(it, "IRI", grammar="rfc3987"), text, "IRI")


@pytest.mark.slow
@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.slow)])
def test_no_parameter_of_a_public_function_shows_one(step):
    """Each parameter is tried with every third text, in turn with another third; then with all."""
    for number, parameter in enumerate([*PARAMETERS, *SCHEME_PARAMETERS]):
        name = getattr(parameter.function, "__qualname__", repr(parameter.function))
        if parameter.name == "abnf":
            continue  # an error about a grammar quotes its line
        for text in FEW[number % step :: step]:
            check(parameter.call, text, f"{name}({parameter.name})", shows_text=False)


def test_the_table_holds_every_public_function():
    functions = {parameter.function for parameter in [*PARAMETERS, *SCHEME_PARAMETERS]}
    named = {getattr(function, "__name__", "") for function in functions}
    named |= {getattr(function, "__qualname__", "").partition(".")[0] for function in functions}
    # Nothing of these takes a text: they hold facts, or are errors.
    without = {"implementation", "grammars", "Found", "Severity", "Finding", "Report", "Target"}
    without |= {"BaseURI", "Components", "SchemeDefaults", "Policy"}
    missing = {
        name
        for name in uriparse.__all__
        if callable(value := getattr(uriparse, name))
        and not (isinstance(value, type) and issubclass(value, BaseException))
    }
    assert missing - named - without == set()


def test_the_canary_is_seen_where_nothing_masks_it():
    """What is searched for would be found: the test can fail."""

    def leaky(text):
        raise ValueError(text)

    with pytest.raises(AssertionError):
        check(leaky, "http://u:{}@h", "leaky")
    with pytest.raises(AssertionError):
        check(str, "http://u:{}@h", "leaky")
