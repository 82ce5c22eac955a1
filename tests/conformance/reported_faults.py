"""Parsers with faults that people reported of parsers: written from the reports, and from the RFC.

Nothing of the conformance kit is used. A right parser is an expression made of named pieces; a
faulty one has other pieces, other flags, or something done to the text before. Each row of `FAULTS`
is a fault, where it was reported, what it does, and a text that shows that it does it.
"""

import re

PIECES = {
    "alpha": "A-Za-z", "digit": "0-9", "free": r"\-._~", "sub": "!$&'()*+,;=", "more": "",
    "hex": "[0-9A-Fa-f]", "pct": "%<hex><hex>",
    "scheme": "[<alpha>][<alpha><digit>+.\\-]*", "colon": ":",
    "userinfo": "(?:[<alpha><digit><free><sub>:<in userinfo>]|<pct>)*",
    "name": "(?:[<alpha><digit><free><sub><in host>]|<pct>)*",
    "octet": "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])", "dot": r"\.",
    "IPv4address": "<octet><dot><octet><dot><octet><dot><octet>",
    "IPv4 at the end": "<IPv4address>",
    "h16": "<hex>{1,4}", "ls32": "(?:<h16>:<h16>|<IPv4 at the end>)",
    "groups": "(?:<h16>:){6}<ls32>|::(?:<h16>:){5}<ls32>|(?:<h16>)?::(?:<h16>:){4}<ls32>"
    "|(?:(?:<h16>:){0,1}<h16>)?::(?:<h16>:){3}<ls32>|(?:(?:<h16>:){0,2}<h16>)?::(?:<h16>:){2}<ls32>"
    "|(?:(?:<h16>:){0,3}<h16>)?::<h16>:<ls32>|(?:(?:<h16>:){0,4}<h16>)?::<ls32>"
    "|(?:(?:<h16>:){0,5}<h16>)?::<h16>|(?:(?:<h16>:){0,6}<h16>)?::",
    "IPv6address": "(?:<groups>)", "zone": "",
    "future": "[vV]<hex>+\\.[<alpha><digit><free><sub>:<in future>]+",
    "host": r"(?:\[(?:<IPv6address><zone>|<future>)\]|<name>)", "port": "[0-9]*",
    "authority": "(?:<userinfo>@)?<host>(?::<port>)?",
    "pchar": "(?:[<alpha><digit><free><sub>:@<in path>]|<pct>)",
    "path": "(?://<authority>(?:/<pchar>*)*|/(?:<pchar>+(?:/<pchar>*)*)?|<pchar>+(?:/<pchar>*)*|)",
    "query": "(?:[<alpha><digit><free><sub>:@/?<in query>]|<pct>)*",
    "fragment": "(?:[<alpha><digit><free><sub>:@/?<in fragment>]|<pct in fragment>)*",
    "pct in fragment": "<pct>",
    "URI": r"<scheme><colon><path>(?:\?<query>)?(?:#<fragment>)?",
    "first": "(?:[<alpha><digit><free><sub>@<in first>]|<pct>)+",
    "relative": "(?://<authority>(?:/<pchar>*)*|/(?:<pchar>+(?:/<pchar>*)*)?"
    r"|<first>(?:/<pchar>*)*|)(?:\?<query>)?(?:#<fragment>)?",
    "URI-reference": "(?:<URI>|<relative>)",
}  # fmt: skip


def written(pieces, name):
    return re.sub("<([^<>=!]+)>", lambda found: written(pieces, found[1]), pieces.get(name, ""))


def reads(rule, flags=0, before=None, how=re.fullmatch, around="{}", **changes):
    """Return what says whether a text belongs to a rule, by pieces with some changes.

    An underscore in a name is a space; `before` changes the text that is read.
    """
    pieces = PIECES | {name.replace("_", " "): new for name, new in changes.items()}
    pattern = around.format(f"(?:{written(pieces, rule)})")
    compiled = re.compile(pattern, flags)
    return lambda text: how(compiled, before(text) if before else text) is not None


URI, REFERENCE, V4, V6 = "URI", "URI-reference", "IPv4address", "IPv6address"
ANY = "\x00-\U0010ffff"


def taking(where, characters):
    """Let a component have some characters more."""
    return {f"in {where}": characters}


def number(text):
    """Whether int() reads a port, which it does of more than digits."""
    try:
        int(text or "0")
    except ValueError:
        return False
    return True


def port_by(check):
    """Read a URI whose port is checked apart."""
    whole = re.compile(written(PIECES | {"port": "([^/?#@\\[\\]]*)"}, URI))

    def read(text):
        found = whole.fullmatch(text)
        return found is not None and check(found[1] or "")

    return read


def none_with(pattern, rule=URI):
    """Refuse what belongs to a rule and has something in it."""
    right = reads(rule)
    return lambda text: right(text) and re.search(pattern, text) is None


def any_with(pattern, rule=URI):
    right = reads(rule)
    return lambda text: right(text) or re.search(pattern, text) is not None


VALIDITY = [
    # Ends, controls, spaces.
    ("a line end after the text", "python-validators/validators#89", URI, "http://h/\n",
     reads(URI, how=re.match, around="{}$")),
    ("a line end after an address", "mlocati/ip-lib#116", V4, "1.2.3.4\n",
     reads(V4, how=re.match, around="{}$")),
    ("a line end after an IPv6 address", "mlocati/ip-lib#116", V6, "::1\n",
     reads(V6, how=re.match, around="{}$")),
    ("one line of several", "json-schema-org/JSON-Schema-Test-Suite#955", URI, "a:b\nc",
     reads(URI, re.MULTILINE, how=re.search, around="^{}$")),
    ("a begin of the text", "timothee-haudebourg/iref#12", URI, "a:b c", reads(URI, how=re.match)),
    ("an end of the text", "open-workflow-specification/specification#1169", URI, " a:b",
     reads(URI, how=re.search, around=r"{}\Z")),
    ("spaces of Unicode around", "making/yavi#502", URI, "a:b\u00a0", reads(URI, before=str.strip)),
    ("spaces of ASCII around", "making/yavi#502", URI, " a:b",
     reads(URI, before=lambda text: text.strip(" \t\n\r\f\v"))),
    ("spaces after", "making/yavi#502", URI, "a:b ", reads(URI,
     before=lambda text: text.rstrip(" "))),
    ("controls and spaces around", "ada-url/ada#1225", URI, "\x01a:b",
     reads(URI, before=lambda text: text.strip("".join(map(chr, range(33)))))),
    ("tabs and line ends within", "python/cpython#25595", URI, "a:\tb",
     reads(URI, before=lambda text: re.sub("[\t\r\n]", "", text))),
    ("tabs and line feeds within", "LadybirdBrowser/ladybird#967", URI, "a:\nb",
     reads(URI, before=lambda text: re.sub("[\t\n]", "", text))),
    ("line ends within the host", "oven-sh/bun#34594", URI, "a://h\n/",
     reads(URI, **taking("host", "\t\r\n"))),
    ("carriage returns in a fragment", "garycourt/uri-js#20", URI, "a:#\r",
     reads(URI, **taking("fragment", "\r\n"))),
    ("what follows NUL", "litespeedtech/openlitespeed#434", URI, "a:b\0 c",
     reads(URI, before=lambda text: text.partition("\0")[0])),
    ("NUL in a path", "benoitc/gunicorn#3371", URI, "a:\0", reads(URI, **taking("path", "\0"))),
    ("NUL in brackets", "nodejs/node#39592", URI, "a://[v1.a\0]", reads(URI, **taking("future",
     "\0"))),
    ("DEL in brackets", "guzzle/psr7#831", URI, "a://[v1.a\x7f]",
     reads(URI, **taking("future", "\x7f"))),
    ("controls in a userinfo", "guzzle/psr7#831", URI, "a://u\x01@h",
     reads(URI, **taking("userinfo", "\x01-\x1f"))),
    ("a no-break space", "robinst/autolink-java#14", URI, "a:\u00a0",
     reads(URI, **taking("path", "\u00a0"))),
    ("no-break spaces at the end", "hexchat/hexchat#1673", URI, "a:b\u00a0",
     reads(URI, before=lambda text: text.rstrip("\u00a0"))),
    ("a vertical tab around", "markuplint/markuplint#3793", URI, "a:b\v",
     reads(URI, before=lambda text: text.strip("\v"))),
    ("spaces in a query", "json-schema-org/JSON-Schema-Test-Suite#955", URI, "a:?b c",
     reads(URI, **taking("query", " "))),
    ("spaces in a fragment", "json-schema-org/JSON-Schema-Test-Suite#955", URI, "a:#b c",
     reads(URI, **taking("fragment", " "))),
    ("everything but delimiters (appendix B)", "open-workflow-specification/specification#1169",
     URI,
     "a: ", reads(URI, URI=r"[^:/?#]+:(?://[^/?#]*)?[^?#]*(?:\?[^#]*)?(?:#.*)?")),
    # Signs that no component has.
    ("| in a query", "hapijs/joi#1223", URI, "a:?|", reads(URI, **taking("query", "|"))),
    ("| everywhere", "networknt/json-schema-validator#408", URI, "a:|",
     reads(URI, more="|", **{f"in {where}": "|" for where in ("path", "query", "fragment")})),
    ("braces in a query", "opis/uri#3", URI, "a:?{b}", reads(URI, **taking("query", "{}"))),
    ("braces in a fragment", "opis/uri#3", URI, "a:#{b}", reads(URI, **taking("fragment", "{}"))),
    ("a brace in a path", "json-schema-org/JSON-Schema-Test-Suite#955", URI, "a:}",
     reads(URI, **taking("path", "{}"))),
    ("a quotation mark in a path", "json-schema-org/JSON-Schema-Test-Suite#1082", REFERENCE, 'a/b"',
     reads(REFERENCE, **taking("path", '"'))),
    ("brackets in a path", "json-schema-org/JSON-Schema-Test-Suite#1082", REFERENCE, "/[::1]",
     reads(REFERENCE, **taking("path", r"\[\]"))),
    ("brackets in a query", "hapijs/joi#1461", URI, "a:?b[]", reads(URI, **taking("query",
     r"\[\]"))),
    ("brackets in a fragment", "haskell/network-uri#45", URI, "a:#[b]",
     reads(URI, **taking("fragment", r"\[\]"))),
    ("a backslash in a path", "json-schema-org/JSON-Schema-Test-Suite#1082", URI, "a:/\\",
     reads(URI, **taking("path", r"\\"))),
    ("a backslash for a slash", "jsreport/jsreport#1299", URI, "a:\\\\h/",
     reads(URI, before=lambda text: text.replace("\\", "/"))),
    ("a backslash in an authority", "slevithan/parseuri#1", URI, "a://h\\@b/",
     reads(URI, **taking("userinfo", r"\\"))),
    ("# in a fragment", "timothee-haudebourg/iref#12", URI, "a:##", reads(URI, **taking("fragment",
     "#"))),
    ("letters beyond ASCII in a path", "json-schema-org/JSON-Schema-Test-Suite#955", URI, "a:é",
     reads(URI, **taking("path", "\u0080-\U0010ffff"))),
    ("letters beyond ASCII in a host", "json-schema-org/JSON-Schema-Test-Suite#955", URI, "a://é",
     reads(URI, **taking("host", "\u0080-\U0010ffff"))),
    ("\\w for letters and digits", "godotengine/godot#92237", URI, "a:é", reads(URI, alpha=r"\w")),
    ("\\w in the scheme alone", "godotengine/godot#92237", URI, "a_:b", reads(URI,
     scheme=r"[a-zA-Z]\w*")),
    ("@ in a userinfo", "urllib3/urllib3#815", URI, "a://b@c@h", reads(URI, **taking("userinfo",
     "@"))),
    ("a userinfo up to the first @, then anything", "medialize/URI.js#108", URI, "a://b@c@h",
     reads(URI, **taking("host", "@"))),
    ("a # in a userinfo", "urllib3/urllib3#815", URI, "a://b#c@[::1]",
     reads(URI, **taking("userinfo", "/?#"))),
    # Percent-encoding.
    ("a triplet that ends too soon", "servo/rust-url#452", URI, "a:%2",
     reads(URI, pct="%<hex>{1,2}")),
    ("a percent sign at the end", "lemonlabsuk/scala-uri#1", URI, "a:b%",
     reads(URI, before=lambda text: text.removesuffix("%"))),
    ("a percent sign alone", "mikaelhg/urlbuilder#33", URI, "a:%b", reads(URI, pct="%")),
    ("percent signs in a path", "dcos/cosmos#189", URI, "a:%", reads(URI, **taking("path", "%"))),
    ("percent signs in a query", "adsabs/bumblebee#2055", URI, "a:?%", reads(URI, **taking("query",
     "%"))),
    ("percent signs in a host", "hyperium/http#343", URI, "a://%", reads(URI, **taking("host",
     "%"))),
    ("triplets of any letters", "SeasideSt/Seaside#1157", URI, "a:%ZZ", reads(URI,
     pct="%[0-9A-Za-z]{2}")),
    ("triplets of a number that is not hexadecimal", "SeasideSt/Seaside#1157", URI, "a:%4g",
     reads(URI, pct="%[0-9][0-9A-Za-z]")),
    ("%u and four digits", "uriparser/uriparser#34", URI, "a:%u041E",
     reads(URI, pct="%(?:u<hex>{4}|<hex>{2})")),
    ("no triplets in small letters", "sporkmonger/addressable#589", URI, "a:%2f",
     none_with("%.?[a-f]")),
    ("no triplet of NUL", "boostorg/url#583", URI, "a:%00", none_with("%00")),
    ("no triplets in a fragment", "python-validators/validators#316", URI, "a:#%20",
     reads(URI, pct_in_fragment="(?!)")),
    ("no triplets in a host", "hyperium/http#343", URI, "a://%41", none_with("//[^/?#@]*%")),
    ("triplets with digits of Unicode", "gruns/furl#170", URI, "a:%٣1", reads(URI,
     pct=r"%[\da-fA-F]{2}")),
    # Schemes.
    ("a scheme that begins with a digit", "ben-zen/uri-library#14", URI, "1a:b",
     reads(URI, scheme=r"[A-Za-z0-9][A-Za-z0-9+.\-]*")),
    ("a scheme that begins with any sign", "objectionary/eo#6742", URI, "+foo:bar",
     reads(URI, scheme=r"[A-Za-z0-9+.\-]+")),
    ("a scheme with a comma", "json-schema-org/JSON-Schema-Test-Suite#419", URI, "a,:b",
     reads(URI, scheme="[A-Za-z][A-Za-z0-9+-.]*")),
    ("a scheme of any characters", "garycourt/uri-js#35", URI, "a(b:c", reads(URI,
     scheme="[^:/?#]+")),
    ("a scheme with a triplet", "productdevbook/cizgile#3", URI, "%41:b",
     reads(URI, scheme="(?:[A-Za-z0-9+.\\-]|<pct>)+")),
    ("an empty scheme", "sgodwincs/uriparse-rs#15", URI, "://www.example.com/",
     reads(URI, scheme=r"(?:[A-Za-z][A-Za-z0-9+.\-]*)?")),
    ("no scheme", "python-hyper/rfc3986#30", URI, "http#:/", reads(REFERENCE)),
    ("no digits in schemes", "thephpleague/uri-schemes#13", URI, "s3:b", reads(URI,
     scheme=r"[A-Za-z][A-Za-z+.\-]*")),
    ("no signs in schemes", "NET-A-PORTER/scala-uri#104", URI, "a+b:c", reads(URI,
     scheme="[A-Za-z][A-Za-z0-9]*")),
    ("letters alone in schemes", "nodejs/http-parser#275", URI, "a1:b", reads(URI,
     scheme="[A-Za-z]+")),
    ("small letters alone in schemes", "snoyberg/http-client#42", URI, "A:b",
     reads(URI, scheme=r"[a-z][a-z0-9+.\-]*")),
    ("letters in any case, by Unicode too", "fastify/fast-uri#213", URI, "\u017f:b",
     reads(URI, re.IGNORECASE, alpha="a-z")),
    ("schemes in any case, by Unicode too", "fastify/fast-uri#213", URI, "\u212a:b",
     reads(URI, scheme=r"(?i:[a-z][a-z0-9+.\-]*)")),
    ("hosts in any case, by Unicode too", "fastify/fast-uri#213", URI, "a://\u212a",
     reads(URI, name="(?i:[a-z0-9\\-._~!$&'()*+,;=]|<pct>)*")),
    ("// after each scheme", "pallets-eco/wtforms#885", URI, "a:b", reads(URI, colon=":(?=//)")),
    # Ports.
    ("digits of Unicode in a port", "mozilla/bleach#207", URI, "a://h:٣", reads(URI, port=r"\d*")),
    ("what int() reads as a port", "python/cpython#98273", URI, "a://h:8_0", port_by(number)),
    ("what isdigit() takes for a port", "mcdonc/klangk#3305", URI, "a://h:²",
     port_by(lambda text: not text or text.isdigit())),
    ("what isdecimal() takes for a port", "kirodotdev/KiroCrew#7050", URI, "a://h:３",
     port_by(lambda text: not text or text.isdecimal())),
    ("a sign before a port", "aio-libs/yarl#1817", URI, "a://h:+80", reads(URI, port=r"\+?[0-9]*")),
    ("underscores in a port", "aio-libs/yarl#1745", URI, "a://h:80_80", reads(URI, port="[0-9_]*")),
    ("spaces around a port", "python-hyper/rfc3986#89", URI, "a://h: 80", reads(URI,
     port=" *[0-9]* *")),
    ("a negative port", "mirage/ocaml-uri#175", URI, "a://h:-1", reads(URI, port="-?[0-9]*")),
    ("letters in a port", "JuliaWeb/URIs.jl#45", URI, "a://h:bar", reads(URI, port="[A-Za-z0-9]*")),
    ("letters after digits of a port", "objectionary/eo#6745", URI, "a://h:12x", reads(URI,
     port="(?:[0-9][0-9A-Za-z]*)?")),
    ("any port", "IonicaBizau/parse-path#32", URI, "a://h:(", reads(URI, port="[^/?#@]*")),
    ("no ports above 65535", "thephpleague/uri-parser#15", URI, "a://h:65536",
     port_by(lambda text: re.fullmatch("[0-9]*", text) is not None and int(text or 0) < 65536)),
    ("no empty port", "gleam-lang/stdlib#855", URI, "a://h:", none_with(r"//[^/?#]*:(?:[/?#]|\Z)")),
    ("no port of five digits or more", "thephpleague/uri-parser#15", URI, "a://h:000080",
     reads(URI, port="[0-9]{0,5}")),
    ("two ports", "JuliaWeb/URIs.jl#45", URI, "a://h:1:2", reads(URI, port="[0-9:]*")),
    ("a port, then a host", "guzzle/psr7#831", URI, "a://[::1]:80@b",
     reads(URI, userinfo=r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:\[\]]|<pct>)*")),
    # Addresses.
    ("octets of three digits", "python-hyper/rfc3986#48", V4, "256.1.1.1", reads(V4,
     octet="[0-9]{1,3}")),
    ("any character for a dot", "python-hyper/rfc3986#48", V4, "1a2a3a4", reads(V4, dot=".")),
    ("zeros before an octet", "jgonian/commons-ip-math#15", V4, "1.1.1.086",
     reads(V4, octet="(?:25[0-5]|2[0-4][0-9]|[01]?[0-9]?[0-9])")),
    ("one zero before an octet", "dottxt-ai/outlines#1904", V4, "01.1.1.1",
     reads(V4, octet="(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})")),
    ("digits of Unicode in an octet", "vm0-ai/vm0#18651", V4, "1.2.3.٣", reads(V4,
     octet=r"\d{1,2}")),
    ("octets in hexadecimal", "whatwg/url#502", V4, "0x7f.1.1.1",
     reads(V4, octet="(?:0x[0-9a-f]{1,2}|25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])")),
    ("five octets", "whatwg/url#502", V4, "1.2.3.4.5", reads(V4, around=r"{}(?:\.[0-9]+)?")),
    ("three octets", "firasdib/Regex101#2689", V4, "1.2.3",
     reads(V4, IPv4address="<octet>(?:<dot><octet>){0,3}")),
    ("a dot after an address", "whatwg/url#502", V4, "1.2.3.4.", reads(V4, around=r"{}\.?")),
    ("no octets 100, 110, 120 and so on", "uriparser/uriparser#146", V6, "::1.1.1.100",
     reads(V6, octet="(?:25[0-5]|2[0-4][0-9]|1[0-9][1-9]|[1-9]?[0-9])")),
    ("no addresses of three digits at the end of IPv6", "uriparser/uriparser#146", V6,
     "::1.1.1.200",
     none_with(r"\.[12][0-9]0\Z", V6)),
    ("zeros before an octet within IPv6", "apache/httpcomponents-core#568", V6, "::ffff:001.2.3.4",
     reads(V6, octet="(?:25[0-5]|2[0-4][0-9]|[01]?[0-9]?[0-9])")),
    (":: twice", "ip-num/ip-num#75", V6, "::123::234",
     any_with("\\A(?:[0-9a-f]{0,4}:){2,6}[0-9a-f]{0,4}\\Z", V6)),
    (":: for no group", "krisprice/ipnet#50", V6, "1:2:3:4:5:6::7:8",
     any_with(r"\A(?=.*::)(?!.*::.*::)(?:[0-9a-f]{1,4}::?){7}[0-9a-f]{1,4}\Z", V6)),
    (":: after eight groups", "whitequark/ipaddr.js#205", V6, "1:2:3:4:5:6:7:8::",
     reads(V6, around="{}(?:::)?")),
    (":: before eight groups", "uriparser/uriparser#146", V6, "::1:2:3:4:5:6:7:8", reads(V6,
     around="(?:::)?{}")),
    ("groups of five digits", "whitequark/ipaddr.js#205", V6, "00000::1", reads(V6, h16="<hex>+")),
    ("a colon before", "uriparser/uriparser#146", V6, ":1::1", reads(V6, around=":?{}")),
    ("a colon after", "randombit/botan#5534", V6, "::1:", reads(V6, around="{}:?")),
    ("six groups, :: and IPv4", "uriparser/uriparser#146", V6, "1:1:1:1:1:1::1.1.1.1",
     any_with(r"\A(?:[0-9a-f]{1,4}:){6}:1.1.1.1\Z", V6)),
    ("no :: after seven groups", "lemonlabsuk/scala-uri#195", V6, "1:2:3:4:5:6:7::",
     none_with(r"\A(?:[0-9A-Fa-f]+:){7}:\Z", V6)),
    ("no single group before :: and five", "json-schema-org/JSON-Schema-Test-Suite#1103", V6,
     "1::2:3:4:5:6",
     none_with(r"\A[0-9A-Fa-f]+::(?:[0-9A-Fa-f]+:){3}", V6)),
    ("nine groups", "krisprice/ipnet#50", V6, "1:2:3:4:5:6:7:8:9",
     any_with(r"\A(?:[0-9a-f]{1,4}:){8,15}[0-9a-f]{1,4}\Z", V6)),
    ("anything in brackets", "lambdaisland/uri#27", URI, "a://[fe80::4ecc:6aff::00aa]", reads(URI,
     IPv6address="[0-9A-Fa-f:.]*")),
    ("anything but brackets in brackets", "guzzle/psr7#831", URI, "a://[x]", reads(URI,
     IPv6address=r"[^\[\]]*")),
    ("digits beyond f", "rhboot/shim#753", V6, "::g", reads(V6, hex="[0-9A-Za-z]")),
    ("a zone after %25", "boostorg/url#771", URI, "a://[fe80::1%25eth0]", reads(URI,
     zone="(?:%25[0-9a-z]+)?")),
    ("a zone after %", "garycourt/uri-js#22", URI, "a://[fe80::1%eth0]", reads(URI,
     zone="(?:%[0-9a-z]+)?")),
    ("an empty zone", "fastify/fast-uri#213", URI, "a://[fe80::1%25]", reads(URI, zone="(?:%25)?")),
    ("a zone after -", "whatwg/url#392", URI, "a://[fe80::1-eth1]", reads(URI,
     zone="(?:-[0-9a-z]+)?")),
    ("triplets in brackets", "python/cpython#137146", URI, "a://[v1.%41]", reads(URI,
     **taking("future", "%"))),
    ("an address of the future with V in small letters alone", "uriparser/uriparser#146", URI,
     "a://[VF.a]",
     none_with(r"\[V")),
    ("no addresses of the future", "lambdaisland/uri#27", URI, "a://[v1.a]", reads(URI,
     future="(?!)")),
    ("an address without brackets", "beaugunderson/ip-address#21", URI, "a://::1", reads(URI,
     **taking("host", ":"))),
    # Hosts.
    ("no underscore in a host", "SAML-Toolkits/python3-saml#53", URI, "a://b_c",
     none_with("//[^/?#@]*_")),
    ("no dot after a host", "rapid7/rex-socket#66", URI, "a://h./",
     none_with(r"//[^/?#]*\.(?:[:/?#]|\Z)")),
    ("no empty label in a host", "meziantou/Meziantou.Framework#2430", URI, "a://b..c",
     none_with(r"//[^/?#]*\.\.")),
    ("no hyphen at the end of a label", "google/guava#2530", URI, "a://b-.c",
     none_with(r"//[^/?#]*-\.")),
    ("no empty host", "php-fig/fig-standards#584", URI, "a:///b", none_with(r"//(?:[/?#]|\Z)")),
    ("no host of delimiters", "php-fig/fig-standards#584", URI, "a://!$&",
     none_with("//[^/?#@]*[!$&'()*+,;=]")),
    ("no empty host before a port", "thephpleague/uri#136", URI, "a://:/b", none_with("//:")),
    ("no empty userinfo", "objectionary/eo#7073", URI, "a://@h", none_with("//@")),
    # Paths, queries and fragments.
    ("a colon in the first segment", "json-schema-org/JSON-Schema-Test-Suite#1079", REFERENCE,
     "1:b",
     reads(REFERENCE, **taking("first", ":"))),
    ("a colon in a first segment that begins with a dot", "jsonrainbow/json-schema#360", REFERENCE,
     ".a:b",
     any_with(r"\A\.[^/?# ]*:", REFERENCE)),
    ("no ./ before a colon", "Soostone/uri-bytestring#4", REFERENCE, "./this:that",
     none_with(r"\A\./[^/]*:", REFERENCE)),
    ("no colon in a relative path", "dekobon/big-code-analysis#798", REFERENCE, "a/b:c",
     none_with(r"\A[^:/]*/.*:", REFERENCE)),
    ("no path above the root", "omar-polo/gmid#12", URI, "a://h/../",
     none_with(r"//[^/?#]*/\.\.(?:/|\Z)")),
    ("no two slashes in a path", "lemonlabsuk/scala-uri#304", URI, "a://h//b",
     none_with("[^:/]//")),
    ("no empty fragment", "networknt/json-schema-validator#412", URI, "a:#", none_with(r"#\Z")),
    ("no empty query", "gleam-lang/stdlib#854", URI, "a:?", none_with(r"\?(?:#|\Z)")),
    ("no second ? in a query", "python-validators/validators#403", URI, "a:?b?",
     none_with(r"\A[^#]*\?[^#]*\?")),
    ("no ? in a fragment", "rwf2/Rocket#584", URI, "a:#?", none_with(r"#.*\?")),
    ("no ! in a query", "python-validators/validators#403", URI, "a:?!", none_with(r"\?[^#]*!")),
    ("no && in a query", "python-validators/validators#403", URI, "a:?b&&c",
     none_with(r"\?[^#]*&&")),
    ("no + in a query", "guzzle/psr7#831", URI, "a:?b+c", none_with(r"\?[^#]*\+")),
    ("no @ in a path", "derek-watson/jsUri#33", URI, "a://h/b@c", none_with("//[^/?#]*/[^?#]*@")),
    ("no :// in a query", "godotengine/godot#92237", URI, "a:?b=c://d", none_with(r"\?.*://")),
    ("no '", "json-schema-org/JSON-Schema-Test-Suite#1082", URI, "a:'", none_with("'")),
    ("no path without a slash", "open-workflow-specification/specification#1169", URI, "a:b",
     none_with(r"\A[^:]*:[^/?#]")),
    ("no fragment without a path", "medialize/URI.js#273", URI, "a://h#b",
     none_with(r"//[^/?#]*#")),
    ("no query without a path", "medialize/URI.js#273", URI, "a://h?b", none_with(r"//[^/?#]*\?")),
    ("no user without a password", "oven-sh/bun#33616", URI, "a://u@h", none_with("//[^/?#:]*@")),
    # Others, reported of parsers that the ones above are not from.
    ("U+FFFD in a host", "python-validators/validators#105", URI, "a://\ufffd",
     reads(URI, **taking("host", "\ufffd"))),
    ("brackets at the end of a host", "insightindustry/validator-collection#59", URI, "a://h]]/b",
     reads(URI, name=PIECES["name"] + r"\]*")),
    ("a bracket for a host", "python-hyper/rfc3986#90", URI, "B://]",
     reads(URI, host=PIECES["host"][:-1] + r"|\])")),
    ("no - at the begin of a query", "python-validators/validators#296", URI, "a:?-b",
     none_with(r"\?-")),
    ("two ports with a hyphen", "sourcemeta/core#2253", URI, "a://h:80-90",
     reads(URI, port="(?:[0-9]+-)?[0-9]*")),
    ("no empty user with an empty password", "rikkimax/alphaPhobos#7", URI, "smb://:@h/",
     none_with("//:@")),
    ("no triplets of ä", "microsoft/sarif-sdk#1120", URI, "a:%C3%A4", none_with("%C3%A")),
    ("a percent sign before @", "yetanalytics/xapi-schema#6", URI, "mailto:user%@example.com",
     reads(URI, pchar=PIECES["pchar"][:-1] + "|%(?=@))")),
    ("no scheme before a number", "python-hyper/rfc3986#18", URI, "h:8080/b",
     none_with(r"\A[^:/?#]*:[0-9]+(?:/|\Z)")),
]  # fmt: skip
"""Fault, report, rule, a text on which it shows, the faulty reader."""
