"""Resolution by RFC 2396: its table, a second implementation that follows its text, and laws."""

import random
import re

import pytest
from cases import each_case, tables, vectors
from conformance.program_mutants import recompose, split
from hypothesis import example, given
from hypothesis import strategies as st

import uriparse
from uriparse.conformance import suite
from uriparse.errors import ResolutionError, URISyntaxError
from uriparse.legacy import rfc2396
from uriparse.schemes import RFC1738

TABLES = tables(__file__)

ROWS = [row for name in ("resolution", "resolution_extra") for row in vectors(name)]
COLUMNS = {
    "rfc2396_retain": {"excess": "retain"}, "rfc2396_remove": {"excess": "remove"},
    "rfc2396_avoid": {"excess": "avoid"}, "rfc2396_loophole": {"loophole": "compatible"},
}  # fmt: skip
CASES = [(row, column) for row in ROWS for column in COLUMNS if column in row]
assert len(ROWS) == 85
assert CASES

DEPARTURES = {
    ("resolution_extra-01", "rfc2396_retain"): "http://a/g",
    ("resolution_extra-01", "rfc2396_remove"): "http://a/g",
    ("resolution_extra-01", "rfc2396_loophole"): "http://a/g",
    ("resolution_extra-02", "rfc2396_retain"): "http://a/../g",
    ("resolution_extra-02", "rfc2396_remove"): "http://a/g",
    ("resolution_extra-02", "rfc2396_loophole"): "http://a/../g",
    ("resolution_extra-03", "rfc2396_retain"): "http://a/?y",
    ("resolution_extra-03", "rfc2396_remove"): "http://a/?y",
    ("resolution_extra-03", "rfc2396_loophole"): "http://a/?y",
    ("resolution_extra-15", "rfc2396_retain"): "a:/.//c",
    ("resolution_extra-15", "rfc2396_remove"): "a:/.//c",
    ("resolution_extra-15", "rfc2396_loophole"): "a:/.//c",
    ("resolution_extra-17", "rfc2396_remove"): "a:/.//c",
}
"""What comes out where the letter of the RFC names something else; all other rows are the same."""

BASE = "http://a/b/c/d;p?q"
SEGMENTS = ["", ".", "..", "g", "h;x=1", "...", ".g", "g.", "%2e"]
LONG = pytest.mark.parametrize("count", [3_000, pytest.param(150_000, marks=pytest.mark.oracle)])
PIECES = ["/", ":", "@", "A", "0", "80", ":80", ":21", ":443", "[", "]", "?", "#"]


def text_or_none(base, reference, **options):
    try:
        return str(rfc2396.resolve(base, reference, **options))
    except ResolutionError:
        return None


@each_case(("row", "column"), CASES)
def test_the_table(row, column):
    options = COLUMNS[column]
    literal = text_or_none(row["base"], row["ref"], literal=True, **options)
    assert literal == row[column]
    expected = DEPARTURES.get((row["id"], column), row[column])
    assert text_or_none(row["base"], row["ref"], **options) == expected


# The RFC's text, line by line: its patterns on strings; expression and recomposition as in 3986.


def step_6(base_path, path):
    buffer = base_path[: base_path.rfind("/") + 1]  # a
    buffer += path  # b
    while found := re.search(r"(?:^|(?<=/))\./", buffer):  # c
        buffer = buffer[: found.start()] + buffer[found.end() :]
    buffer = re.sub(r"(?:^|(?<=/))\.\Z", "", buffer)  # d
    while (at := leftmost(r"(?:^|(?<=/))(?=([^/]*)/\.\./)", buffer)) is not None:  # e
        buffer = buffer[: at.start()] + buffer[at.start() + len(at[1]) + len("/../") :]
    at = leftmost(r"(?:^|(?<=/))(?=([^/]*)/\.\.\Z)", buffer)  # f
    return buffer if at is None else buffer[: at.start()]


def leftmost(pattern, buffer):
    """The first match whose segment is a complete one and not ".."."""
    for found in re.finditer(pattern, buffer):
        if found[1] != ".." and (found[1] or found.start()):
            return found
    return None


def by_the_text(base, reference):
    scheme, authority, path, query, fragment = split(reference)  # 1
    base_scheme, base_authority, base_path, _, _ = split(base)
    if not path and scheme is None and authority is None and query is None:  # 2
        return "(current document)" + ("" if fragment is None else "#" + fragment)
    if scheme is not None:  # 3
        return reference
    if authority is None:  # 4
        authority = base_authority
        if not path.startswith("/"):  # 5
            path = step_6(base_path, path)  # 6
    return recompose(base_scheme, authority, path, query, fragment)  # 7


def pairs(count):
    """Bases and references at random, about half of the bases with an authority."""
    source = random.Random(2396)
    for _ in range(count):
        authority = source.choice(["//a", "//a", "//", "", ""])
        root = "/" if authority else source.choice(["/", ""])
        base = (
            "http:" + authority + root + "/".join(source.choices(SEGMENTS, k=source.randrange(6)))
        )
        reference = "/".join(source.choices(SEGMENTS, k=source.randrange(1, 8)))
        yield base + source.choice(["", "?q"]), reference + source.choice(["", "?y/../x", "#s/./x"])


@LONG
def test_the_stack_and_the_patterns_agree(count):
    for base, reference in pairs(count):
        assert str(rfc2396.resolve(base, reference, literal=True)) == by_the_text(base, reference)


def test_the_stack_and_the_patterns_agree_on_all_short_paths():
    paths = [""]
    for _ in range(5):
        paths += [f"{path}/{end}" for path in paths for end in ("", ".", "..", "g")]
        paths = sorted(set(paths) | {".", "..", "g"})[:4_000]
    for path in paths:
        assert rfc2396.simplify(path).retained() == step_6("", path)


@LONG
def test_removing_the_excess_is_rfc_3986(count):
    source = random.Random(3986)
    for _ in range(count):
        base = "http://a/" + "/".join(source.choices(SEGMENTS, k=source.randrange(6)))
        first = source.choice(SEGMENTS[1:])
        reference = "/".join([first, *source.choices(SEGMENTS, k=source.randrange(7))])
        reference += source.choice(["", "?y/../x", "#s"])
        expected = str(uriparse.resolve(base, reference))
        assert str(rfc2396.resolve(base, reference, excess="remove")) == expected


def test_step_2_is_the_current_document_and_not_the_base():
    assert rfc2396.resolve(BASE, "") == rfc2396.CurrentDocument(None)
    assert rfc2396.resolve(BASE, "#s") == rfc2396.CurrentDocument("s")
    assert rfc2396.resolve(BASE, "#") == rfc2396.CurrentDocument("")
    assert str(rfc2396.resolve(BASE, "#")) == "(current document)#"


@pytest.mark.parametrize(("reference", "retained", "removed"), TABLES["excess"])
def test_excess(reference, retained, removed):
    kept = rfc2396.resolve(BASE, reference)
    assert str(kept) == retained
    assert kept.notes == (rfc2396.Note.EXCESS_DOT_DOT,)
    assert str(rfc2396.resolve(BASE, reference, excess="remove")) == removed
    with pytest.raises(ResolutionError) as caught:
        rfc2396.resolve(BASE, reference, excess="avoid")
    assert str(caught.value) == (
        'step 6g: the path begins with ".." beyond its root, and excess="avoid" forbids that'
    )


@pytest.mark.parametrize(("base", "reference", "compatible"), TABLES["the_loophole"])
def test_the_loophole(base, reference, compatible):
    strict = rfc2396.resolve(base, reference)
    assert str(strict) == reference
    assert strict.notes == (rfc2396.Note.MISFORMED,)
    resolved = rfc2396.resolve(base, reference, loophole="compatible")
    assert str(resolved) == compatible
    assert resolved.notes == (rfc2396.Note.MISFORMED,)
    with pytest.raises(ResolutionError) as caught:
        rfc2396.resolve(base, reference, loophole="validating")
    assert str(caught.value) == (
        "misformed-relative-reference: the reference has the scheme of its base before a"
        " relative path"
    )


@each_case("loophole", ["strict", "compatible", "validating"])
@each_case(
    ("base", "reference"),
    [("mailto:a@b", "mailto:c"), (BASE, "g:h"), (BASE, "http://x/a/../g"), (BASE, "ftp:g")],
)
def test_absolute_references_are_untouched_in_every_mode(base, reference, loophole):
    target = rfc2396.resolve(base, reference, loophole=loophole)
    assert str(target) == reference
    assert target.notes == ()


def test_hierarchical_schemes_are_those_of_the_registry():  # L-012
    assert {name for name in RFC1738 if RFC1738[name].hierarchical} == rfc2396.HIERARCHICAL_SCHEMES


def test_the_loophole_can_be_opened_to_other_schemes():
    opened = {"x"}
    assert (
        str(rfc2396.resolve("x://a/b", "x:g", loophole="compatible", hierarchical=opened))
        == "x://a/g"
    )


def test_a_base_without_path():
    assert rfc2396.resolve("http://a", "g").notes == (rfc2396.Note.EMPTY_BASE_PATH,)
    literal = rfc2396.resolve("http://a", "g", literal=True)
    assert str(literal) == "http://ag"
    assert literal.notes == (rfc2396.Note.EMPTY_BASE_PATH,)


def test_a_path_never_becomes_an_authority():
    assert rfc2396.resolve("a:/b", ".//c").notes == (rfc2396.Note.GUARDED_PATH,)
    assert rfc2396.resolve("a:/b", ".//c", literal=True).notes == ()


def test_dots_in_a_query_are_kept_and_noted():
    target = rfc2396.resolve(BASE, "g?y/../x")
    assert str(target) == "http://a/b/c/g?y/../x"
    assert target.notes == (rfc2396.Note.DOTS_IN_QUERY,)
    assert rfc2396.resolve(BASE, "g?y").notes == ()


@pytest.mark.parametrize("reference", ["g?", "g#", "g?#"])
def test_empty_components_stay(reference):
    assert str(rfc2396.resolve(BASE, reference)) == "http://a/b/c/" + reference


@given(st.sampled_from([BASE, "http://a", "a:/b", "urn:a/b", "x:"]), st.text("/.?#:a"))
def test_a_target_is_read_back_as_it_was_made(base, reference):
    target = rfc2396.resolve(base, reference)
    if isinstance(target, rfc2396.AbsoluteTarget):
        again = rfc2396.split_reference(str(target))
        assert again == (
            target.scheme, target.authority, target.path, target.query, target.fragment,
        )  # fmt: skip
        assert "q" not in str(target).replace(reference, "")  # the base's query is unused


@given(st.text() | st.text("/.?#:a"))
def test_every_text_splits_as_in_appendix_b(text):
    assert rfc2396.split_reference(text) == split(text)
    assert rfc2396.join_reference(rfc2396.split_reference(text)) == text


def test_no_base_no_target():
    with pytest.raises(ResolutionError, match="the base has no scheme, so it is relative itself"):
        rfc2396.resolve("//a/b", "g")


@pytest.mark.parametrize("mode", ["excess", "loophole"])
def test_an_unknown_mode_is_an_error(mode):
    with pytest.raises(ValueError, match=f'{mode} .*not "maybe"'):
        rfc2396.resolve(BASE, "g", **{mode: "maybe"})


@each_case(("a", "b", "same"), TABLES["equivalence"])
def test_equivalence(a, b, same):
    assert rfc2396.equivalent(a, b) is same
    assert rfc2396.equivalent(b, a) is same


@given(
    st.sampled_from(["http://", "FTP:", "FTP://h", "x:", "https://U@H:443"]),
    st.lists(st.sampled_from(PIECES)).map("".join),
)
@example("telnet://u:p@h.d", ":23:23:23/")
def test_normal_forms_are_their_own(start, rest):
    normal = rfc2396.normal_form(start + rest)
    assert rfc2396.normal_form(normal) == normal


@pytest.mark.parametrize(("uri", "normal"), TABLES["a_port_stands_after_one_colon"])
def test_a_port_stands_after_one_colon(uri, normal):
    assert rfc2396.normal_form(uri) == normal


def test_relative_references_are_not_compared():
    with pytest.raises(ResolutionError, match="must be resolved before it is compared"):
        rfc2396.equivalent("g", "g")


# The typed record of the grammar, judged by the expressions of the RFC's appendix B and its prose.

APPENDIX_B = re.compile(r"(?:([^:/?#]+):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?")
NAME = r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)*[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.?"
SERVER = re.compile(rf"(?:([^@]*)@)?({NAME}|\d+\.\d+\.\d+\.\d+)(?::(\d*))?")
OF_1998 = [*suite("URI-reference", grammar="rfc2396")]
assert sum(row.valid for row in OF_1998) > 300


def test_valid_references_have_the_parts_of_the_rfc():
    for row in OF_1998:
        if not row.valid:
            continue
        found = rfc2396.parse_reference(row.text)
        scheme, authority, path, query, fragment = APPENDIX_B.fullmatch(row.text).groups()
        assert (found.scheme, found.fragment) == (scheme, fragment)
        if scheme is not None and authority is None and not path.startswith("/"):
            opaque = row.text[len(scheme) + 1 :].partition("#")[0]
            assert found == (scheme, opaque, None, None, None, None, "", (), None, fragment)
            continue
        assert found.opaque_part is None
        assert (found.authority, found.path, found.query) == (authority, path, query)
        server = SERVER.fullmatch(authority or "")
        login = server.groups() if server else (None, "" if authority == "" else None, None)
        assert (found.userinfo, found.host, found.port) == login, row.text
        written = "/".join(";".join(segment) for segment in found.segments)
        assert written == path.removeprefix("/")


def test_other_references_are_refused_where_they_stop():
    refused = [row for row in OF_1998 if not row.valid][::7]
    assert len(refused) > 100
    for row in refused:
        with pytest.raises(URISyntaxError) as caught:
            rfc2396.parse_reference(row.text)
        assert caught.value.offset == row.offset


def test_the_split_of_appendix_b_validates_nothing():
    assert rfc2396.split_reference("http://[/ <>")[1:3] == ("[", "/ <>")
    with pytest.raises(URISyntaxError):
        rfc2396.parse_reference("http://[/ <>")
