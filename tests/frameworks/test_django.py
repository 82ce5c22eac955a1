"""Fields of Django and of its REST framework: migrations, forms and serializers, on SQLite."""

import pytest

from uriparse import URI, Policy, UnknownRuleError

pytest.importorskip("django")

from cases import tables
from django import forms
from django.core.exceptions import DisallowedHost, ValidationError
from django.db import connection, migrations, models
from django.db.migrations.state import ProjectState
from django.db.migrations.writer import MigrationWriter
from django.http import HttpResponse
from django.middleware.common import CommonMiddleware
from django.middleware.security import SecurityMiddleware
from django.test import RequestFactory, override_settings

from uriparse.extra.django import LocalRedirectMiddleware, URIField, URIFormField, URIValidator

TABLES = tables(__file__)

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
    assert error.messages[0].startswith('port: "8x" ')
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
    assert text == "uriparse.extra.django.URIValidator('URI-reference')"
    assert imports == {"import uriparse.extra.django"}
    assert validator == URIValidator("uri-reference") != URIValidator()
    assert len({validator, URIValidator("uri-reference")}) == 1
    written = [MigrationWriter.serialize(field)[0] for field in Link._meta.fields[1:]]
    assert written[0] == "uriparse.extra.django.URIField()"
    options = "blank=True, grammar='rfc3987', max_length=9, rule='irelative-ref'"
    assert written[1] == f"uriparse.extra.django.URIField({options})"


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
    assert '"8x"' in form.errors["url"][0]
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

    from uriparse.extra.rest_framework import URISerializerField

    class Plain(serializers.ModelSerializer):
        class Meta:
            model = Link
            fields = ("url", "ref")

    class Judging(Plain):
        url = URISerializerField(policy=Policy.web())

    for kind in (Plain, Judging):
        good = kind(data={"url": "http://h/", "ref": "é"})
        assert good.is_valid()
        assert good.save().url == good.data["url"] == "http://h/"
        bad = kind(data={"url": f"http://u:{SECRET}@h:8x/"})
        assert not bad.is_valid()
        assert bad.errors["url"][0].startswith('port: "8x" ')
        assert bad.errors["url"][0].code == "uri_syntax"
        assert SECRET not in str(bad.errors)
    judged = Judging(data={"url": "mailto:a@b"})
    assert not judged.is_valid()
    assert judged.errors["url"][0].code == "uri_policy"
    assert not Judging(data={"url": "http://h/ "}).is_valid()


@pytest.mark.parametrize(("location", "status"), [
    *(("/a", 302), ("http://testserver/", 302), ("https://login.example.com/", 302)),
    *(("//evil.example", 400), ("https://evil.example/", 400), (r"/\evil.example", 400)),
])  # fmt: skip
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


def answered(location=None, *, kind=None, host="site.example", secure=False, **given):
    """The status and Location of an answer, behind a middleware of Django's that redirects."""

    def handler(_):
        answer = HttpResponse(status=200 if location is None else 302)
        if location is not None:
            answer["Location"] = location
        return answer

    usual = {"ALLOWED_HOSTS": ["site.example", "shop.example:8443", ".wild.example", "%41.example"]}
    with override_settings(**{**usual, **given}):
        inner = handler if kind is None else kind(handler)
        request = RequestFactory().get("/a?b", headers={"host": host}, secure=secure)
        answer = LocalRedirectMiddleware(inner)(request)
    return answer.status_code, answer.get("Location")


@pytest.mark.parametrize(("host", "location"), TABLES["django_may_redirect_to_https"])
def test_django_may_redirect_to_https(host, location):
    found = answered(kind=SecurityMiddleware, host=host, SECURE_SSL_REDIRECT=True)
    assert found == (301, location)


@pytest.mark.parametrize("named", ["tls.example", "tls.example:8443"])
def test_django_may_redirect_to_the_host_that_it_names_for_https(named):
    given = {"SECURE_SSL_REDIRECT": True, "SECURE_SSL_HOST": named}
    assert answered(kind=SecurityMiddleware, **given) == (301, f"https://{named}/a?b")
    assert answered(f"http://{named}/")[0] == 400


@pytest.mark.parametrize("secure", [False, True])
@pytest.mark.parametrize("port", ["", ":8000"])
def test_django_may_prepend_www(secure, port):
    given = {"ALLOWED_HOSTS": ["site.example", "www.site.example"], "secure": secure}
    scheme, host = "https" if secure else "http", f"site.example{port}"
    found = answered(
        kind=CommonMiddleware, APPEND_SLASH=False, host=host, PREPEND_WWW=True, **given
    )
    assert found == (301, f"{scheme}://www.{host}/a?b")
    found = answered(
        kind=CommonMiddleware, APPEND_SLASH=False, host="a.wild.example", PREPEND_WWW=True
    )
    assert found == (301, "http://www.a.wild.example/a?b")
    assert answered("http://www.a.wild.example/", host="a.wild.example")[0] == 400


@pytest.mark.parametrize(("location", "status"), TABLES["django_redirects_nowhere_else"])
def test_django_redirects_nowhere_else(location, status):
    assert answered(location)[0] == status


def test_django_goes_by_its_own_names_and_never_back_to_http():
    assert answered("https://evil.example/", host="evil.example", ALLOWED_HOSTS=["*"])[0] == 302
    assert answered("https://other.example/", ALLOWED_HOSTS=["*", "site.example"])[0] == 400
    names = ["site.example", "other.example"]
    assert answered("https://other.example/", ALLOWED_HOSTS=names)[0] == 302
    assert answered("http://site.example/", secure=True)[0] == 400
    with pytest.raises(DisallowedHost):
        answered("https://evil.example/", host="evil.example")
