"""marshmallow: a field that is a record."""

from marshmallow import Schema, ValidationError, fields

from uriparse import URI, URISyntaxError


class URIField(fields.Field):
    def _serialize(self, value, *_args, **_options):
        return None if value is None else str(value)

    def _deserialize(self, value, *_args, **_options):
        try:
            return URI(value)
        except (URISyntaxError, TypeError) as error:
            raise ValidationError(str(error)) from None


class LinkSchema(Schema):
    url = URIField(required=True)
