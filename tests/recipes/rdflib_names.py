"""rdflib: names that are IRIs, and nothing that only looks like one."""

from rdflib import URIRef

from uriparse import parse, resolve


def name(text: str, base: str | None = None) -> URIRef:
    """Make a name of an IRI, or of a reference to be resolved; URISyntaxError for neither."""
    rule = "IRI" if base is None else "IRI-reference"
    reference = parse(text, rule, grammar="rfc3987")
    if base is not None:
        reference = resolve(parse(base, "IRI", grammar="rfc3987"), reference)
    return URIRef(str(reference))
