"""WTForms: a field that holds a URI."""

from wtforms import Form, StringField, ValidationError

from uriparse import URI, URISyntaxError


def is_uri(_form, field):
    try:
        URI(field.data or "")
    except URISyntaxError as error:
        raise ValidationError(str(error)) from None


class LinkForm(Form):
    url = StringField(validators=[is_uri])
