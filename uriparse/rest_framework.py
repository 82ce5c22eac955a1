"""For Django REST framework: a field of serializers, whose values stay texts.

    class LinkSerializer(ModelSerializer):
        url = URIField()

A `ModelSerializer` holds a field of `uriparse.django` to its rule without that, too, but strips
white space off it first.
"""

# mypy: disallow-subclassing-any=False
# The framework says nothing of its types.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uriparse.django import URIValidator
from uriparse.errors import MissingPackageError

try:
    from rest_framework import serializers
except ImportError:
    raise MissingPackageError("rest_framework", __name__, "djangorestframework") from None

if TYPE_CHECKING:
    from uriparse.validation import Policy

__all__ = ["URIField"]


class URIField(serializers.CharField):
    """A field of a serializer. rule, grammar, policy: as for `uriparse.django.URIValidator`.

    The rest is as for CharField, but that nothing is stripped.
    """

    def __init__(
        self,
        *,
        rule: str = "URI",
        grammar: str = "rfc3986",
        policy: Policy | None = None,
        **options: Any,
    ) -> None:
        super().__init__(**{"trim_whitespace": False} | options)
        self.validators.append(URIValidator(rule, grammar=grammar, policy=policy))
