"""Fields of Django and of its REST framework: migrations, forms and serializers, on SQLite."""

import pytest

from uriparse import URI, Policy, UnknownRuleError

pytest.importorskip("django")

from django import forms
from django.core.exceptions import ValidationError
from django.db import connection, migrations, models
from django.db.migrations.state import ProjectState
from django.db.migrations.writer import MigrationWriter
from django.http import HttpResponse
from django.test import RequestFactory, override_settings

from uriparse.django import LocalRedirectMiddleware, URIField, URIFormField, URIValidator

SECRET = "pa55word"


class Link(models.Model):
    """A URI, and a reference to it."""

    url = URIField()
    ref = URIField(rule="irelative-ref", grammar="rfc3987", max_length=9, blank=True)

    class Meta:
        """Of no app that is installed."""

        app_label = "links"

    def __str__(self):
        return self.url


class LinkForm(forms.ModelForm):
    """A form made of the model."""

    class Meta:
        """All fields."""

        model = Link
        fields = ("url", "ref")


@pytest.fixture
def table():
    """The table as a migration makes it."""
    fields = [(field.name, field.clone()) for field in Link._meta.fields]
    made = migrations.CreateModel("Link", fields)
    state = ProjectState()
    made.state_forwards("links", state)
    with connection.schema_editor() as editor:
        made.database_forwards("links", editor, ProjectState(), state)
    yield
    with connection.schema_editor() as editor:
        editor.delete_model(Link)


def refused(check, *values):
    with pytest.raises(ValidationError) as caught:
        check(*values)
    assert SECRET not in str(caught.value)
    return caught.value


def test_a_validator_tells_the_place_and_no_password():
    error = refused(URIValidator(), f"http://u:{SECRET}@h:8x/")
    assert error.messages[0].startswith('port: "8x" is not a valid port')
    assert (error.code, error.params["offset"]) == ("uri_syntax", 21)
    error = refused(URIValidator(policy=Policy.web()), f"http://u:{SECRET}@h/")
    assert error.messages == ["userinfo-refused: the policy refuses userinfo"]
    assert (error.code, error.params["offset"]) == ("uri_policy", 7)
    assert refused(URIValidator(), "http://h/%(x)s").params["offset"] == 10
    URIValidator("uri-reference")("")
    with pytest.raises(UnknownRuleError):
        URIValidator("nonsense")


def test_validators_and_fields_are_written_into_migrations():
    validator = URIValidator("URI-reference")
    text, imports = MigrationWriter.serialize(validator)
    assert text == "uriparse.django.URIValidator('URI-reference')"
    assert imports == {"import uriparse.django"}
    assert validator == URIValidator("uri-reference") != URIValidator()
    assert len({validator, URIValidator("uri-reference")}) == 1
    written = [MigrationWriter.serialize(field)[0] for field in Link._meta.fields[1:]]
    assert written[0] == "uriparse.django.URIField()"
    options = "blank=True, grammar='rfc3987', max_length=9, rule='irelative-ref'"
    assert written[1] == f"uriparse.django.URIField({options})"


@pytest.mark.usefixtures("table")
def test_models_keep_texts():
    Link.objects.create(url=URI("http://h/%7Ea"), ref="../é")
    link = Link.objects.get(url=URI("http://h/%7Ea"))
    assert (type(link.url), link.url, link.ref) == (str, "http://h/%7Ea", "../é")
    link.full_clean()
    link.url = f"http://u:{SECRET}@h:8x/"
    assert refused(link.full_clean).error_dict["url"][0].params["offset"] == 21


@pytest.mark.usefixtures("table")
def test_forms_hold_values_to_the_rule():
    form = LinkForm({"url": "http://h/", "ref": ""})
    assert form.save().pk
    form = LinkForm({"url": f"http://u:{SECRET}@h:8x/", "ref": "a:b"})
    assert set(form.errors) == {"url", "ref"}
    assert "not a valid port" in form.errors["url"][0]
    assert "offset 2" in form.errors["url"][0]
    assert type(form.fields["url"]) is URIFormField
    # The value stands in the input for the one who wrote it, and in no error.
    assert SECRET not in str(form.errors)


def test_nothing_is_stripped():
    field = URIFormField(policy=Policy.web())
    assert field.clean("http://h/") == "http://h/"
    assert refused(field.clean, "http://h/ ").error_list[0].params["offset"] == 9
    assert refused(field.clean, f"http://u:{SECRET}@h/").error_list[0].code == "uri_policy"


@pytest.mark.usefixtures("table")
def test_serializers_hold_values_to_the_rule():
    pytest.importorskip("rest_framework")
    from rest_framework import serializers

    from uriparse.rest_framework import URIField as SerializerField

    class Plain(serializers.ModelSerializer):
        class Meta:
            model = Link
            fields = ("url", "ref")

    class Judging(Plain):
        url = SerializerField(policy=Policy.web())

    for kind in (Plain, Judging):
        good = kind(data={"url": "http://h/", "ref": "é"})
        assert good.is_valid()
        assert good.save().url == good.data["url"] == "http://h/"
        bad = kind(data={"url": f"http://u:{SECRET}@h:8x/"})
        assert not bad.is_valid()
        assert bad.errors["url"][0].startswith('port: "8x" is not a valid port')
        assert bad.errors["url"][0].code == "uri_syntax"
        assert SECRET not in str(bad.errors)
    judged = Judging(data={"url": "mailto:a@b"})
    assert not judged.is_valid()
    assert judged.errors["url"][0].code == "uri_policy"
    assert not Judging(data={"url": "http://h/ "}).is_valid()


@pytest.mark.parametrize(
    ("location", "status"),
    [
        *(("/a", 302), ("http://testserver/", 302), ("https://login.example.com/", 302)),
        *(("//evil.example", 400), ("https://evil.example/", 400), (r"/\evil.example", 400)),
    ],
)
def test_redirects_stay_on_the_site(location, status):
    def handler(request):
        answer = HttpResponse(status=302)
        answer["Location"] = request.GET["next"]
        return answer

    allow = Policy(schemes=["https"], hosts=["login.example.com"])
    with override_settings(ALLOWED_HOSTS=["testserver"], URIPARSE_REDIRECTS=allow):
        request = RequestFactory().get("/login", {"next": location})
        answer = LocalRedirectMiddleware(handler)(request)
        plain = LocalRedirectMiddleware(lambda _: HttpResponse("a"))(request)
    assert answer.status_code == status
    assert answer.has_header("Location") == (status == 302)
    assert plain.status_code == 200
