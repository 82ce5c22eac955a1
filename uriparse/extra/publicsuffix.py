"""For publicsuffixlist: the registered domain of one URL; for columns see `uriparse.arrow`.

>>> parts = domain_parts("https://www.shop.example.co.uk/a")
>>> parts.registered_domain, parts.subdomain, parts.suffix
('example.co.uk', 'www.shop', 'co.uk')
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from uriparse._base import needed
from uriparse.arrow.hosts import domain_finder
from uriparse.records.references import as_reference

with needed("publicsuffixlist", __name__):
    import publicsuffixlist  # noqa: F401 - whose list `domain_finder` reads

if TYPE_CHECKING:
    from uriparse._compiled.names import RecordGrammar
    from uriparse.arrow.hosts import DomainOf
    from uriparse.parsing import Reference

__all__ = ["DomainParts", "domain_parts"]


class DomainParts(NamedTuple):
    """A host name, divided by the public suffix list.

    registered_domain: the public suffix and the label before it, in lower case.
    subdomain: what is before that; empty if nothing is.
    suffix: the public suffix.
    """

    registered_domain: str
    subdomain: str
    suffix: str


def domain_parts(
    reference: Reference,
    domain_of: DomainOf | None = None,
    *,
    grammar: RecordGrammar | str = "rfc3986",
) -> DomainParts | None:
    """Divide the host of a reference by the public suffix list of the package.

    domain_of: returns the registered domain of a name, in place of that list; see
        `uriparse.arrow.registered_domain`, which has the same answers for columns.

    None without a registered domain: without a host, for addresses, also in the forms that
    clients read as such, for names with triplets, and for a public suffix itself. URISyntaxError
    for an invalid text.

    >>> print(domain_parts("http://127.1/"), domain_parts("http://co.uk/"))
    None None
    """
    host = str(as_reference(reference, grammar).host or "")
    registered = domain_finder(domain_of, grammar)(host)
    if registered is None:
        return None
    subdomain = host.lower().removesuffix(".").removesuffix(registered).removesuffix(".")
    return DomainParts(registered, subdomain, registered.partition(".")[2])
