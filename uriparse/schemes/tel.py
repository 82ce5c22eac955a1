"""tel URIs (RFC 3966): a telephone number, of the world or of some part of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Self

from uriparse._base.coerce import as_str
from uriparse.grammar.matchers import fullmatch
from uriparse.percent import fold_triplets
from uriparse.schemes.constraints import Constraint, apart, once, ordered, value_of, valued
from uriparse.schemes.current_uri import Parameters, ParametersURI
from uriparse.schemes.encoding import Encoded
from uriparse.schemes.fields import Found, url_field
from uriparse.schemes.url import SchemeCause
from uriparse.schemes.url_parts import Data, Schemes, checked, written_pairs

_SEPARATORS = str.maketrans("", "", "-.()")
"""Written for people, and nothing to a telephone."""


class TelURI(ParametersURI):
    """`tel:number;name=value...`.

    number: as written, with "+" before a global one.
    parameters: pairs of name and value as written, in their order; the value is None without "=".

    A "#" is a key of the telephone here, and begins no fragment.

    >>> from uriparse.schemes import parse_url
    >>> url = parse_url("tel:863-1234;phone-context=+1-914-555")
    >>> url.is_global, url.digits, url.context
    (False, '8631234', '+1-914-555')
    >>> parse_url("tel:+1-201-555-0123;ext=12").extension
    '12'
    """

    COMPLETED: ClassVar[tuple[str, ...]] = ("global-number", "local-number")
    CONSTRAINTS: ClassVar[tuple[Constraint, ...]] = (
        once("RFC 3966 section 3"),
        apart("RFC 3966 section 5.3", "ext", "isub"),
        ordered("RFC 3966 section 3", "ext|isub", "phone-context", sorted_rest=True),
        valued("RFC 3966 section 3", "ext", "extension", "rfc3966", whole=True),
        valued("RFC 3966 section 3", "isub", "isdn-subaddress", "rfc3966", whole=True),
        valued("RFC 3966 section 3", "phone-context", "context", "rfc3966", whole=True),
    )
    number: Encoded = url_field()
    written_parameters: Encoded = url_field(shown=("parameters",))

    @property
    def is_global(self) -> bool:
        """Return whether the number is unique in the world; a local one has a context."""
        return self.number.startswith("+")

    @property
    def digits(self) -> str:
        """The number without what is there for people to read it."""
        return self.number.translate(_SEPARATORS)

    @property
    def context(self) -> Encoded | None:
        """Where a local number is valid: a domain, or the first digits of a global number."""
        return value_of(self, "phone-context")

    @property
    def extension(self) -> Encoded | None:
        """The extension after the number; None without one."""
        return value_of(self, "ext")

    @property
    def isdn_subaddress(self) -> Encoded | None:
        """The ISDN subaddress; None without one."""
        return value_of(self, "isub")

    @classmethod
    def cause(cls, url: str, offset: int) -> SchemeCause | None:
        """Recognize a local number without its context, or with it in another place."""
        if ";phone-context=" in url[:offset].lower():
            return None
        for end in (offset, url.rfind(";", 0, offset)):
            number = f"{url[len('tel:') : end]};phone-context=a"
            if end > 0 and fullmatch("local-number", "rfc3966")(number):
                return SchemeCause("no-context", "context")
        return None

    @classmethod
    def complete(cls, found: Found, url: str) -> None:
        """Split the number and its parameters, which begin with the first ";"."""
        del url
        whole = found.pop("global_number", None) or found.pop("local_number")
        if isinstance(whole, Encoded):
            at, end = whole.start or 0, whole.find(";") if ";" in whole else len(whole)
            found["number"] = Encoded(whole[:end], at)
            found["written_parameters"] = Encoded(whole[end:], at + end if whole[end:] else None)

    @classmethod
    def from_parts(
        cls,
        *,
        number: str,
        parameters: Iterable[tuple[Data, Data | None]] = (),
        registry: Schemes | None = None,
    ) -> Self:
        """Make a URI of a number and its parameters, pairs of name and value.

        number: a global one begins with "+", a local one needs a "phone-context".
        parameters: in their order, in which "ext" or "isub" is first, and "phone-context" next;
            the value is None for one without "=".

        >>> TelURI.from_parts(number="863-1234", parameters=[("phone-context", "+1-914-555")])
        <TelURI 'tel:863-1234;phone-context=+1-914-555'>
        """
        text = written_pairs(cls, ("pname", "pvalue"), parameters)
        expected = {"number": as_str(number, "number"), "written_parameters": text}
        return checked(cls, f"tel:{number}{text}", None, expected, registry)

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URIs share (section 4).

        Visual separators and letter case mean nothing, nor does the order of parameters.
        """
        return subscriber(self.number, self.parameters)


def subscriber(number: str, parameters: Parameters) -> tuple[object, ...]:
    """Return what two forms of a telephone number share, as in URIs of tel and of sms."""
    found = set()
    for name, value in parameters:
        key, text = name.lower(), None if value is None else fold_triplets(value).lower()
        if text and (key == "ext" or (key == "phone-context" and text.startswith("+"))):
            text = text.translate(_SEPARATORS)
        found.add((key, text))
    return number.translate(_SEPARATORS).lower(), frozenset(found)
