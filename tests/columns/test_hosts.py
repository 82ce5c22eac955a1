"""Hosts and registered domains of columns, and the functions that engines of SQL have alike."""

import random
import sys

import pytest
from cases import tables

from uriparse import try_parse
from uriparse.arrow import host, registered_domain
from uriparse.errors import MissingExtraError, URISyntaxError

TABLES = tables(__file__)

pytestmark = pytest.mark.filterwarnings("ignore:uriparse has no C kernel:RuntimeWarning")
pa = pytest.importorskip("pyarrow")

TEXTS = TABLES["texts"]
HOSTS = [
    None if t is None or (r := try_parse(t)) is None or r.host is None else str(r.host)
    for t in TEXTS
]
DOMAINS = [
    *("example.co.uk", "example.com", "example.com", None, None, None, None, None, None, None),
    *(None, None, None, None),
]
LIST = {"com": 1, "uk": 1, "co.uk": 1}
ASKED = []


def domain_of(name):
    """Find the registered domain by a list of three."""
    ASKED.append(name)
    labels = name.split(".")
    for at in range(1, len(labels)):
        if ".".join(labels[at:]) in LIST:
            return ".".join(labels[at - 1 :])
    return None


def test_hosts_are_those_of_single_texts():
    made = pa.array(host(pa.array(TEXTS)))
    assert made.type == pa.string()
    assert made.to_pylist() == HOSTS
    iris = pa.array(host(pa.array(["//é/"]), "IRI-reference", grammar="rfc3987"))
    assert iris.to_pylist() == ["é"]
    with pytest.raises(ValueError, match="port"):
        host(pa.array(TEXTS), "port")


def test_addresses_in_the_forms_of_clients_have_no_registered_domain():
    hosts = (
        "123.123.123.123. 1.2.3.4. 1.2 0x7f.1 017.0.0.1 256.256.256.256 1 a.1 a.0x 1.com 0xg.com"
    )
    column = pa.array([f"http://{host}:80/" for host in hosts.split()])
    made = pa.array(registered_domain(column, lambda name: ".".join(name.split(".")[-2:])))
    assert made.to_pylist() == [None] * 9 + ["1.com", "0xg.com"]


def test_registered_domains_are_asked_for_once():
    ASKED.clear()
    column = pa.chunked_array([TEXTS, TEXTS])
    assert pa.chunked_array(registered_domain(column, domain_of)).to_pylist() == DOMAINS * 2
    assert len(ASKED) == len(set(ASKED)) == 6
    assert not [name for name in ASKED if name != name.lower() or name.endswith(".")]
    with pytest.raises(ValueError, match='grammar must be "rfc3986" or "rfc3987"'):
        registered_domain(column, domain_of, grammar="rfc1738")


SUFFIXES = [
    "com", "net", "example", "uk", "co.uk", "ck", "www.ck", "kobe.jp", "city.kobe.jp", "jp",
    "blogspot.com", "github.io", "compute.amazonaws.com",
]  # fmt: skip


@pytest.mark.parametrize("name", TABLES["the_host_of_one_url_is_divided_as_the_package_does"])
def test_the_host_of_one_url_is_divided_as_the_package_does(name):
    package = pytest.importorskip("publicsuffixlist").PublicSuffixList()
    from uriparse.extra.publicsuffix import domain_parts

    parts, plain = domain_parts(f"http://{name}:80/a.b"), name.lower().removesuffix(".")
    if name.endswith(".1") or name == "1.2.3.4" or package.privateparts(plain) is None:
        assert parts is None
        return
    *before, whole = package.privateparts(plain)
    assert parts == (whole, ".".join(before), package.publicsuffix(plain))
    assert domain_parts(f"//{name}", lambda _: None) is None


def test_a_host_that_is_divided_is_of_a_valid_text():
    module = pytest.importorskip("uriparse.extra.publicsuffix")
    with pytest.raises(URISyntaxError):
        module.domain_parts("http://a b/")
    assert module.domain_parts("mailto:a@b.com") is module.domain_parts("//%61.com") is None
    assert module.domain_parts("//A.É.com", grammar="rfc3987") == ("é.com", "a", "com")


LABELS = "a", "www", "B", "city", "kobe", "1", "x-1", "co"
ENDS = "", "", "", ".", "..", ".1", ".0x", ".0xg", ".12", ".1a", ".unknown", ".%41", "."


@pytest.mark.parametrize("seed", range(4))
def test_the_kernel_reads_the_list_as_its_package_does(seed):
    package = pytest.importorskip("publicsuffixlist").PublicSuffixList()
    chance = random.Random(seed)
    hosts = [
        "".join(f"{chance.choice(LABELS)}." for _ in range(chance.randrange(4)))
        + chance.choice(SUFFIXES)
        + chance.choice(ENDS)
        for _ in range(2000)
    ]
    hosts += [
        f".{hosts[0]}",
        hosts[1].upper(),
        "a" * 300 + ".b.com",
        "a..com",
        "",
        ".",
        "[::1]",
        None,
    ]
    column = pa.array([host if host is None else f"//{host}/" for host in hosts])
    found = pa.array(registered_domain(column)).to_pylist()
    assert found == pa.array(registered_domain(column, package.privatesuffix)).to_pylist()
    assert len({*found}) > 100
    iris = pa.array(registered_domain(pa.array(["//a.É.com", "//É"]), grammar="rfc3987"))
    assert iris.to_pylist() == ["é.com", None]


def test_the_list_of_the_package_is_the_default(monkeypatch):
    from pkgutil import resolve_name

    packaged = resolve_name("uriparse.arrow.hosts:_packaged")
    packaged.cache_clear()
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "publicsuffixlist", None)
        with pytest.raises(MissingExtraError, match=r"uriparse\[publicsuffix\]"):
            registered_domain(pa.array(TEXTS))
    pytest.importorskip("publicsuffixlist")
    assert pa.array(registered_domain(pa.array(TEXTS))).to_pylist() == DOMAINS


@pytest.mark.parametrize(("engine", "context"), [
    ("duckdb", "connect"), ("datafusion", "SessionContext"), ("daft", ""),
])  # fmt: skip
def test_what_is_registered_is_judged_by_a_policy_and_a_grammar(engine, context):
    module = pytest.importorskip(engine)
    register = pytest.importorskip(f"uriparse.extra.{engine}").register
    given = [getattr(module, context)()] if context else []
    with pytest.raises(TypeError, match=r"^policy must be a Policy, such as Policy\.web\("):
        register(*given, policy="outbound")
    with pytest.raises(ValueError, match='grammar must be "rfc3986" or "rfc3987"'):
        register(*given, grammar="rfc1738")


def test_what_is_no_context_is_told():
    pytest.importorskip("datafusion")
    from uriparse.extra.datafusion import register

    with pytest.raises(TypeError, match="context must be a context, such as datafusion"):
        register("db")


def test_polars_finds_registered_domains():
    pl = pytest.importorskip("polars")
    import uriparse.extra.polars  # noqa: F401 - registers the namespace

    frame = pl.DataFrame({"url": TEXTS})
    made = frame.select(pl.col("url").uri.registered_domain(domain_of))["url"]
    assert made.to_list() == frame["url"].uri.registered_domain(domain_of).to_list() == DOMAINS
