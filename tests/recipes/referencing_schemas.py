"""referencing, and jsonschema by it: references resolved before urljoin comes to see them.

urljoin resolves for the schemes it knows alone (python-jsonschema/jsonschema#1195).
"""

from collections.abc import Iterable, Mapping

from referencing import Registry
from referencing.jsonschema import DRAFT202012

from uriparse import resolve


def absolute(schema: object, base: str) -> object:
    """Give a schema whose "$id" and "$ref" are URIs. What is plain data in it must hold neither."""
    if isinstance(schema, list):
        return [absolute(part, base) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    if isinstance(schema.get("$id"), str):
        base = str(resolve(base, schema["$id"]))
    changed = {name: absolute(part, base) for name, part in schema.items()}
    if isinstance(schema.get("$id"), str):
        changed["$id"] = base
    if isinstance(schema.get("$ref"), str):
        changed["$ref"] = str(resolve(base, schema["$ref"]))
    return changed


def registry(schemas: Mapping[str, object]) -> Registry:
    """Register schemas by the URIs that they were retrieved from."""
    resources: Iterable = (
        (uri, DRAFT202012.create_resource(absolute(schema, uri))) for uri, schema in schemas.items()
    )
    return Registry().with_resources(resources)
