"""For Django: a validator, a field of forms and a field of models, whose values stay texts.

>>> from django.core.exceptions import ValidationError
>>> try:
...     URIValidator()("http://h/a b")
... except ValidationError as error:
...     error.code, error.params["offset"]
('uri_syntax', 10)

What a message says of a fault shows no password. Forms keep white space, which no rule derives,
rather than strip it. For serializers see `uriparse.extra.rest_framework`.
"""

# mypy: disallow-subclassing-any=False
# Django says nothing of its types.

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Any

from uriparse._base import needed
from uriparse._base.coerce import Text
from uriparse.errors import URISyntaxError
from uriparse.extra.asgi import HIGHEST, LOWEST, REFUSED, site_of, stays
from uriparse.grammar import rule_name
from uriparse.parsing import is_valid, parse
from uriparse.validation import Policy, PolicyError, validate

with needed("django", __name__):
    from django import forms
    from django.conf import settings
    from django.core.exceptions import ValidationError
    from django.db import models
    from django.http import HttpResponseBadRequest
    from django.utils.deconstruct import deconstructible

__all__ = ["LocalRedirectMiddleware", "URIField", "URIFormField", "URIValidator"]

LENGTH = 2000
"""Characters that a field of models holds if nothing else is said."""


@deconstructible
@dataclass(unsafe_hash=True)
class URIValidator:
    """Hold values to a rule, and to a policy.

    rule, grammar: as for `parse`; UnknownRuleError for an unknown rule.
    policy: None for no policy. Migrations cannot write one: pass it to fields of forms and
        serializers.

    The code of a ValidationError is "uri_syntax" or "uri_policy", and its `params` hold the
    `offset` of the fault in characters from 0, and the `message`.
    """

    rule: str = "URI"
    _: KW_ONLY
    grammar: str = "rfc3986"
    policy: Policy | None = None

    def __post_init__(self) -> None:
        self.rule = rule_name(self.rule, self.grammar)

    def __call__(self, value: Text) -> None:
        """Raise ValidationError for a refused value, TypeError for one that is not a text."""
        try:
            record = parse(value, self.rule, grammar=self.grammar)
        except URISyntaxError as error:
            code, offset, message = "uri_syntax", error.span[0], error.summary()
        else:
            report = None if self.policy is None else validate(record, self.policy)
            if report is None or report.accepted:
                return
            code, offset, message = "uri_policy", report.reasons[0].offset, str(PolicyError(report))
        # After the handler: inside it, the syntax error, which has the text, would be the context.
        raise ValidationError(
            "%(message)s", code=code, params={"message": message, "offset": offset}
        )


class HeldToRule:
    """What a field of forms and one of serializers have in common: they strip nothing.

    stripping: the option that would have white space stripped.
    """

    stripping: str
    validators: list[URIValidator]

    def __init__(
        self,
        *,
        rule: str = "URI",
        grammar: str = "rfc3986",
        policy: Policy | None = None,
        **options: Any,
    ) -> None:
        super().__init__(**{self.stripping: False} | options)
        self.validators.append(URIValidator(rule, grammar=grammar, policy=policy))


class URIFormField(HeldToRule, forms.CharField):
    """A field of a form. rule, grammar, policy: as for `URIValidator`.

    The rest is as for CharField, but that nothing is stripped.
    """

    stripping = "strip"


class URIField(models.CharField):
    """A field of a model. rule, grammar: as for `URIValidator`; the rest as for CharField.

    As with every field of Django, values are validated when a model is cleaned, as forms
    and the admin do, and not when it is saved.
    """

    description = "A URI, or what another rule derives (up to %(max_length)s)"

    def __init__(
        self, *arguments: Any, rule: str = "URI", grammar: str = "rfc3986", **options: Any
    ) -> None:
        # CharField asks for the validators already.
        self.rule = rule_name(rule, grammar)
        self.grammar = grammar
        super().__init__(*arguments, **{"max_length": LENGTH} | options)

    @property
    def default_validators(self) -> list[URIValidator]:
        """The validator of the values."""
        return [URIValidator(self.rule, grammar=self.grammar)]

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        """Return the arguments of the field, for migrations."""
        name, path, arguments, options = super().deconstruct()
        if options.get("max_length") == LENGTH:
            del options["max_length"]
        if self.rule != "URI":
            options["rule"] = self.rule
        if self.grammar != "rfc3986":
            options["grammar"] = self.grammar
        return name, path, arguments, options

    def formfield(self, **options: Any) -> "forms.Field | None":
        """Make the field of a form."""
        usual = {"form_class": URIFormField, "rule": self.rule, "grammar": self.grammar}
        return super().formfield(**usual | options)


class LocalRedirectMiddleware:
    """Middleware that answers 400 instead of a redirect which leads to another site.

    The site is what the request names (`get_host`), and the names in ALLOWED_HOSTS that are not
    patterns; with PREPEND_WWW also "www." before the request's, and SECURE_SSL_HOST. The setting
    URIPARSE_REDIRECTS may hold the policy for redirects to other sites, as
    `Policy(hosts=["login.example"])`. See `uriparse.extra.asgi.LocalRedirects`.
    """

    def __init__(self, get_response: Callable[[Any], Any]) -> None:
        self._get_response = get_response

    def __call__(self, request: Any) -> Any:
        """Pass a request on, and check the redirect that answers it."""
        response = self._get_response(request)
        if not LOWEST <= response.status_code <= HIGHEST or not response.has_header("Location"):
            return response
        location, allow = response["Location"], getattr(settings, "URIPARSE_REDIRECTS", None)
        sites = [self._own(site_of(request.scheme, request.get_host()))]
        if settings.SECURE_SSL_HOST:
            sites.append(site_of("https", settings.SECURE_SSL_HOST))
        if any(stays(location, site, allow) for site in sites):
            return response
        return HttpResponseBadRequest(REFUSED, content_type="text/plain")

    @staticmethod
    def _own(site: Policy | None) -> Policy | None:
        """Return the site of a request with its other names: no pattern of ALLOWED_HOSTS is one."""
        if site is None:
            return None
        listed = [name for name in settings.ALLOWED_HOSTS if is_valid(name, "host")]
        names = [name for name in listed if name and name[0] != "." and {*"*%"}.isdisjoint(name)]
        prepended = [f"www.{name}" for name in site.hosts if settings.PREPEND_WWW]
        return site.replace(hosts=[*site.hosts, *names, *prepended])
