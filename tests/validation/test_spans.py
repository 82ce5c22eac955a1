"""What each finding points at: marked in the texts below, which all have something before it."""

import pytest
from cases import each_case, tables

from uriparse.validation import CATALOGUE, Policy, validate

TABLES = tables(__file__)

WEB = Policy.web().replace(fragment=False, hosts=["a.com", ".b.com"], ports=["default"])
POLICIES = {
    "syntax": Policy.syntax(),
    "of 1994": Policy.syntax().replace(severity={"unsafe-character": "info"}),
    "iri": Policy.syntax().replace(grammar="rfc3987"),
    "relative": Policy.syntax().replace(relative=True),
    "based": Policy.syntax().replace(relative=True, base="http://a/b/c/d;p?q"),
    "guessed": Policy.from_dict({"preset": "syntax", "relative": True,
                                 "base": {"uri": "http://a/", "source": "default"}}),
    "outbound": Policy.outbound(), "outbound iri": Policy.outbound().replace(grammar="rfc3987"),
    "reference": Policy.outbound().replace(rule="URI-reference"),
    "redirect": Policy.redirect("https://good.com/"),
    "request": Policy.outbound().replace(agreement="request"), "web": WEB,
    "listed": WEB.replace(uris=["http://a.com/cb"]),
    "short": WEB.replace(max_length=12, max_segments=2, max_parameters=2),
}  # fmt: skip

MARKED = {
    "syntax": [("syntax", "http://h/aa« »b"), ("host-underscore", "http://aa«_»b_c.com/"),
               ("ipv6-host", "http://u@«[2001:db8::1]»:80/"),
               ("bad-a-label", "http://u@«b.xn--a.com»/"),
               ("bad-a-label", "http://u@«xn--" + "a" * 252 + ".com»/"),
               ("uncommon-port", "http://h:«6667»/"), ("non-default-port", "http://h:«0443»/"),
               ("reserved-port", "telnet://h:«80»/"), ("cross-protocol-smtp", "gopher://h:«25»/0x"),
               ("password-in-uri", "ftp://user:«p:q»@h/"),
               ("userinfo-not-allowed", "http://«us:er»@h/"),
               ("misleading-userinfo", "ftp://«a.b»:p@h/"),
               ("misleading-userinfo", "ftp://«a%2Fb»:p@h/"),
               ("file-drive-letter-host", "file://«D:»/x"),
               ("host-too-long", "http://u@«" + "a." * 128 + "»/"),
               ("dns-label", "http://u@«b.-a.com»/"), ("dns-label", "http://u@«b.1.»/"),
               ("ipv4-lookalike", "http://u@«0x7f.1»/"), ("port-left-empty", "ftp://h:«»/"),
               ("port-out-of-range", "http://h:«65536»/"), ("no-server", "http://u@«»/x"),
               ("no-server", "http:«»x"), ("no-server", "ftp:«»/x"),
               ("unknown-ip-literal-version", "http://u@«[v7.x]»/"),
               ("dialect-host-mismatch", "ftp://«host:21»?x@evil.d/"),
               ("escaped-html", "http://h/?a&nonsense;«&amp;»b=2&amp;"),
               ("encoded-protocol-delimiter", "telnet://a«%0D»%0Ab@h/", 2),
               ("encoded-protocol-delimiter", "gopher://h/0a«%0D»b"),
               ("encoded-protocol-delimiter", "gopher://h/7a%09b«%0A»c"),
               ("gopher-selector-control-char", "gopher://h/0«a%0Db»"),
               ("encoded-dot-segment", "http://h/a%2E/«%2e%2E»/x%41/%2e", 2),
               ("encoded-traversal", "http://h/a%2F%2e/x%2F«.%2E»%2fx"),
               ("encoded-traversal", "http://h/«..»%2fx"),
               ("encoded-nul", "http://u%41@h/a«%00»b%00", 2),
               ("encoded-line-break", "http://h/?a«%0A»b%0d", 2),
               ("double-encoding", "http://h/#%25g«%25»2e"),
               ("overlong-utf8", "http://h/%C3%A9%C0«%AF»"),
               ("overlong-utf8", "http://h/%E0«%9F»%BF%E0%A0%80"),
               ("bidi-control", "http://h/a%E2%80«%AE»x%D8%9C", 2),
               ("backend-special-name", "http://h/con-/«aux.txt»/a.nul/NUL", 2),
               ("scheme-requirement", "geo:1,2;crs=x;«u=a»;b"),
               ("scheme-requirement", "tel:+1;b;«a»"),
               ("mailto-suspicious-escape", "mailto:us%20er«%ab»c@h"),
               ("mailto-suspicious-escape", "mailto:us%7Fer«%1F»c@h"),
               ("not-globally-accessible", "«nntp»://h/g"),
               ("lower-case-hex", "http://h/%C3«%c3»%3b", 2), ("upper-case-scheme", "«hTTP»://h/"),
               ("excess-dot-dot", "http://h/a/./../«..»/../g"),
               ("excess-dot-dot", "http://h/a//../../«..»/g"),
               ("dots-in-query", "http://h/g?y.z/x/«..»/x"), ("dots-in-query", "http://h/g?«.»/x")],
    "of 1994": [("unsafe-character", "http://h/a«~»u~", 2)],
    "iri": [("mixed-scripts", "http://u@a.«pаypal».com/"),
            ("bidi-control", "http://h/a#é«\u200e»x\u200e", 2)],
    "relative": [("no-base", "«»g"), ("suffix-reference-guess", "«Www.example.com/a»?b")],
    "based": [("misformed-relative-reference", "«HTTP»:g"), ("excess-dot-dot", "../.././«..»/g")],
    "guessed": [("default-base-used", "«»g?h")],
    "outbound": [("malformed", "http://h/a«\\»b"), ("scheme-other", "«ftp»://h/a"),
                 ("scheme-case", "«HTTPs»://h/a"), ("missing-authority", "http:«»/a"),
                 ("empty-host", "http://u@«»/a"), ("userinfo", "http://«u:p»@h/"),
                 ("encoded-host", "http://u@127«%2e»0%2e0%2e1/"),
                 ("host-delimiter", "http://u@a«;»b!.com/"),
                 ("numeric-host", "http://u@0177.0.0.«0x1»./"), ("host-dots", "http://u@h.com.«»/"),
                 ("host-dots", "http://u@«».h.com/"), ("host-dots", "http://u@h.«».com/"),
                 ("label-hyphen", "http://u@a.«xn--evil-».com/"),
                 ("label-hyphen", "http://u@a-b.«-c».com/"),
                 ("long-name", "http://u@a.«" + "a" * 64 + "».com/"),
                 ("long-name", "http://u@«" + "a." * 126 + "com»/"),
                 ("a-label", "http://u@xn--tda.«XN--u-ccb».com/"),
                 ("a-label", "http://«xn--gp7c»/"), ("future-address", "http://u@«[v1.a]»/"),
                 ("ipv6-spelling", "http://u@«[FE80::1]»/"),
                 ("ipv6-spelling", "http://u@«[2001:db8:0::1]»/"),
                 ("ipv6-over-tls", "https://«[2620:fe::fe]»:8443/"), ("empty-port", "http://h:«»/"),
                 ("port-range", "http://h:«65616»/"), ("query-without-path", "http://h«?»a/b#c"),
                 ("fragment-without-path", "http://u@h:80«#»a/b"),
                 ("bad-port-refused", "http://u@h.com:«6000»/"),
                 ("address-refused", "http://u@«127.0.0.1»/"),
                 ("name-refused", "http://u@«a.localhost»/")],
    "outbound iri": [("not-ascii", "http://h/a«é»ü")],
    "reference": [("no-scheme", "«»//h/a"), ("relative-refused", "«»a")],
    "redirect": [("nonlocal-reference", "«//evil.com?a»")],
    "request": [("request-empty-segment", "http://h/b«//»a//", 2),
                ("request-dot-segment", "http://h/a.b/«%2E%2e»/b/.", 2),
                ("request-triplet", "http://h/a%20«%7E»u%7e", 2),
                ("request-triplet", "http://h/?b%20«%7E»u"),
                ("request-apostrophe", "http://h/it«'»s", 1),
                ("request-apostrophe", "http://h/?it«'»s'", 2),
                ("request-empty-query", "http://h/a«?»#b"),
                ("request-empty-parameter", "http://h/a&&b?c&«»&=d&e=", 2),
                ("request-empty-parameter", "http://h/?«=d»&e&", 2),
                ("request-invisible", "http://h/%E2%82%AC«%E2%80%AE»%C2%AD/b", 2),
                ("request-invisible", "http://h/?«%F3%A0%80%81»#%C2%AD"),
                ("request-not-utf8", "http://h/%C3%A9«%C3»/%A9", 2),
                ("request-not-utf8", "http://h/?a=«%ED»%A0%80", 3),
                ("request-final-semicolon", "http://h/a;b«;»?c")],
    "web": [("scheme-refused", "«ftp»://a.com/"), ("host-refused", "http://u@«b.com»/"),
            ("host-refused", "«»http:/a"), ("port-refused", "http://a.com:«81»/"),
            ("port-refused", "foo://a.com«»/"), ("userinfo-refused", "http://«u:p»@a.com/"),
            ("fragment-refused", "http://a.com/«#a»")],
    "listed": [("uri-refused", "«http://a.com/cb/»")],
    "short": [("too-long", "http://a.com«/a»"), ("too-many-segments", "http://a.com«/a//b»?c"),
              ("too-many-parameters", "http://a.com/?«a&b&»")],
}  # fmt: skip
CASES = [(name, *case) for name, cases in MARKED.items() for case in cases]


def test_every_code_of_a_text_is_marked_somewhere():
    of_documents = {"hyphen-line-break"}
    assert {code for _, code, *_ in CASES} == CATALOGUE.keys() - of_documents


@each_case(("policy", "code", "marked", "times"), [(*c, 1)[:4] for c in CASES])
def test_a_finding_points_at_what_is_meant(policy, code, marked, times):
    before, here, _ = marked.replace("»", "«").split("«")
    text = marked.replace("«", "").replace("»", "")
    found = {one.code: one for one in validate(text, POLICIES[policy]).findings}[code]
    assert found.span == (len(before), len(before) + len(here))
    assert found.times == times


@pytest.mark.parametrize(("policy", "code", "text"), TABLES["what_is_near_to_it_is_no_finding"])
def test_what_is_near_to_it_is_no_finding(policy, code, text):
    assert code not in {one.code for one in validate(text, POLICIES[policy]).findings}
