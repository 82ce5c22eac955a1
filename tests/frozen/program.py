"""Use each feature once, and print what it returned: what is frozen is to print the same."""

import abnf2lark
import uriparse
from uriparse import whatwg
from uriparse.cli import main
from uriparse.grammar.expressions import pattern
from uriparse.legacy import wwwoffle

RECURSIVE = 'a = 1*( "x" / b )\nb = "(" a ")"'

print(uriparse.implementation)
print(uriparse.parse("http://h:8042/a?b#c").host)
print(ascii(uriparse.parse("http://\u00e9/", "IRI", grammar="rfc3987").host))
print(uriparse.is_valid("255", "dec-octet"), len(uriparse.rules()), uriparse.grammars())
print(uriparse.parse_tree("http://h/"))
print(uriparse.parse_tree("http://h/", detail="full"))
print(repr(uriparse.parse_url("ftp://u@h/a;type=a")))
print(uriparse.resolve("http://a/b", "../c"), uriparse.normalize("HTTP://h/%7e"))
print([finding.code for finding in uriparse.validate("http://0x7f.1/").reasons])
print([str(found.uri) for found in uriparse.find_uris("see http://a.b/c.")])
print(uriparse.iri_to_uri("http://\u00e9.example/\u00e9"))
print(whatwg.parse("HTTPS:\\\\example.com\\a b"), wwwoffle.canonicalize("http://h/%7e"))
print(pattern("URI", flavour="re2"))
print(abnf2lark.load(RECURSIVE).tree("x(x)"))
print(abnf2lark.load("rfc3986").matches("http://h/", "URI"))
try:
    uriparse.parse("http://h:80x/")
except uriparse.URISyntaxError as error:
    print(error)
main(["parse", "--json", "http://h/"])
