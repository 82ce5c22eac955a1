"""For Django REST framework: a field of serializers, whose values stay texts.

    class LinkSerializer(ModelSerializer):
        url = URISerializerField()

A `ModelSerializer` holds a field of `uriparse.extra.django` to its rule without that, too, but
strips white space off it first.
"""

# mypy: disallow-subclassing-any=False
# The framework says nothing of its types.

from uriparse._base import needed
from uriparse.extra.django import HeldToRule

with needed("rest_framework", __name__, "djangorestframework"):
    from rest_framework import serializers

__all__ = ["URISerializerField"]


class URISerializerField(HeldToRule, serializers.CharField):
    """A field of a serializer. rule, grammar, policy: as for `uriparse.extra.django.URIValidator`.

    The rest is as for CharField, but that nothing is stripped.
    """

    stripping = "trim_whitespace"
