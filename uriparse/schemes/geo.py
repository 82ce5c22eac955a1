"""geo URIs (RFC 5870): a place, in two or three coordinates."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import ClassVar, Final, Self

from uriparse._base.coerce import as_items, as_str, derived, refusal
from uriparse.schemes import constraints
from uriparse.schemes.constraints import Checked, Constraint, value_of
from uriparse.schemes.current_uri import ParametersURI
from uriparse.schemes.encoding import Encoded
from uriparse.schemes.fields import url_field
from uriparse.schemes.url_parts import Data, Schemes, made, written_pairs

WGS84: Final = "wgs84"
"""The coordinate reference system that is meant where none is named."""


def _in_wgs84(name: str, rule: str, limit: int) -> tuple[Constraint, ...]:
    """Restrict a coordinate of WGS-84; other reference systems have rules of their own."""

    def part(url: Checked) -> Encoded | None:
        coordinate: Encoded | None = getattr(url, name)
        return coordinate if (value_of(url, "crs") or WGS84).lower() == WGS84 else None

    return (
        constraints.within("RFC 5870 section 3.4.2", name, part, -limit, limit),
        constraints.fitting("RFC 5870 section 3.3", name, part, rule, "rfc5870"),
    )


class GeoURI(ParametersURI):
    """`geo:coord-a,coord-b,coord-c;crs=...;u=...;name=value...`.

    coord_a, coord_b, coord_c: numbers as written; in WGS-84 latitude and longitude in degrees, and
        altitude in meters. coord_c is None where it is absent.
    parameters: pairs of name and value as written, "crs" and "u" included.
    coordinates: two or three numbers, with all digits that are written.
    crs: the coordinate reference system in lower case; `WGS84` where none is named.
    uncertainty: how far off the place may be, in meters; None where the URI does not say.

    >>> from uriparse.schemes import parse_url
    >>> url = parse_url("geo:48.198634,16.371648;crs=wgs84;u=40")
    >>> url.coordinates, url.crs, url.uncertainty
    ((Decimal('48.198634'), Decimal('16.371648')), 'wgs84', Decimal('40'))
    """

    CONSTRAINTS: ClassVar[tuple[Constraint, ...]] = (
        constraints.once("RFC 5870 section 3.3", "crs", "u"),
        constraints.ordered("RFC 5870 section 3.3", "crs", "u"),
        constraints.valued("RFC 5870 section 3.3", "crs", "crsp", "rfc5870", whole=True),
        constraints.valued("RFC 5870 section 3.3", "u", "uncp", "rfc5870", whole=True),
        *_in_wgs84("coord_a", "latitude", 90),
        *_in_wgs84("coord_b", "longitude", 180),
    )
    coord_a: Encoded = url_field("coord-a")
    coord_b: Encoded = url_field("coord-b")
    coord_c: Encoded | None = url_field("coord-c")
    written_parameters: Encoded = url_field("p", shown=("parameters",))

    coordinates: tuple[Decimal, ...] = derived(
        lambda url: tuple(map(Decimal, filter(None, (url.coord_a, url.coord_b, url.coord_c))))
    )
    crs: str = derived(lambda url: (value_of(url, "crs") or WGS84).lower())
    uncertainty: Decimal | None = derived(
        lambda url: None if (meters := value_of(url, "u")) is None else Decimal(meters)
    )

    @classmethod
    def from_parts(
        cls,
        *,
        coordinates: Iterable[Decimal | int | str],
        parameters: Iterable[tuple[Data, Data | None]] = (),
        fragment: Data | None = None,
        registry: Schemes | None = None,
    ) -> Self:
        """Make a URI of two or three coordinates, and parameters, pairs of name and value.

        coordinates: as in `GeoURI.coordinates`. parameters: "crs" first, and "u", the uncertainty
            in meters, next; the value is None for one without "=".

        >>> GeoURI.from_parts(coordinates=[Decimal("48.2010"), 16, 183], parameters=[("u", "40")])
        <GeoURI 'geo:48.2010,16,183;u=40'>
        """
        numbers = as_items(coordinates, "coordinates", "an iterable of numbers")
        place = [_digits(one) for one in numbers]
        places = [*place[:2], ",".join(place[2:])]
        names = ("coord_a", "coord_b", "coord_c")
        fields = {name: Encoded(one) for name, one in zip(names, places, strict=False) if one}
        parts = Encoded(written_pairs(cls, ("pname", "pvalue"), parameters))
        return made(cls, registry, fragment, {**fields, "written_parameters": parts})

    def identity(self) -> tuple[object, ...]:
        """Return what equal URIs share (section 3.4.4).

        Coordinates are compared as numbers, in WGS-84 those at a pole without their longitude, and
        180 degrees east are 180 west; the order of further parameters means nothing.
        """
        place = list(self.coordinates)
        if self.crs == WGS84:  # `abs` would round to the digits of the context
            if place[1].copy_abs() == _HALF_TURN:
                place[1] = _HALF_TURN
            if place[0].copy_abs() == _POLE:
                place[1] = Decimal(0)
        further = frozenset(
            (name.lower(), None if value is None else value.octets)
            for name, value in self.parameters
            if name.lower() not in {"crs", "u"}
        )
        return (tuple(place), self.crs, self.uncertainty, further)


_POLE, _HALF_TURN = Decimal(90), Decimal(180)


def _digits(number: Decimal | int | str) -> str:
    """Write a number without an exponent; TypeError for another type."""
    if isinstance(number, str):
        return as_str(number, "a number")
    if isinstance(number, bool) or not isinstance(number, int | Decimal):
        raise refusal(number, "a number", "a Decimal, an int, or digits as a str")
    return f"{Decimal(number):f}"
