"""The exceptions of uriparse: subclasses of `URIError` with the details as attributes.

All can be pickled. None shows a password: `args` has only the message, and the module `excerpt`
masks secrets in the text that a message quotes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict, Unpack

if TYPE_CHECKING:
    from collections.abc import Callable

    from uriparse.errors.advice import Advice, Argument

    class SyntaxFacts(TypedDict, total=False):
        """The parameters of `URISyntaxError` after the message."""

        text: str
        offset: int
        component: str | None
        rule: str | None
        expected: tuple[str, ...]
        cause: str | None
        advice: Advice | None
        span: tuple[int, int] | None


__all__ = [
    "ComponentError", "EncodingError", "MissingExtraError", "MissingPackageError", "PatternError",
    "ResolutionError", "SchemeError", "URIError", "URISyntaxError", "URLError",
    "UnknownRuleError",
]  # fmt: skip


class URIError(ValueError):
    """The base class of all errors of uriparse. The message is one line."""

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (type(self), self.args, dict(vars(self)))


def _restored(kind: type[URIError], args: tuple[object, ...], facts: dict[str, object]) -> URIError:
    """Rebuild a pickled error without calling its constructor."""
    error = kind.__new__(kind, *args)
    error.args = args
    vars(error).update(facts)
    return error


class _PlacedError(URIError):
    """An error at an offset of a text."""

    text: str
    offset: int

    def pointer(self) -> str:
        r"""Return two lines: the text around the offset, and a caret under the character there.

        Long text is cut to a window, characters that a terminal cannot show in place are escaped,
        and a possible password is masked (see `uriparse.errors.excerpt`).

        >>> print(URISyntaxError("space", text="http://h/a b", offset=10).pointer())
        http://h/a b
                  ^
        """
        from uriparse.errors import excerpt  # noqa: PLC0415 - only shown errors pay for it

        return excerpt.pointer(self.text, vars(self).get("span", [self.offset])[0])


_OURS = {
    **dict.fromkeys(("pos", "position", "index", "start", "column", "colno"), "offset"),
    **dict.fromkeys(("help", "hint", "suggestion", "advice", "fix"), "remedy"),
    **dict.fromkeys(("msg", "message", "detail", "details"), "reason"),
    **dict.fromkeys(("input", "input_string", "url", "uri", "string", "doc"), "text"),
    "code": "cause",
    "kind": "cause",
    "end": "span",
    "character": "found",
    "field": "component",
}
"""By a name that is tried on an error, what it has."""


class URISyntaxError(_PlacedError):
    """A text that does not match the rule. The message has reason, expectation and remedy.

    Attributes:
        text: the whole text, password included: log the message, not this. In bytes, each byte
            that is not ASCII is replaced by U+FFFD.
        offset: the offset of the first character that is not allowed, in characters from 0: the
            length of the longest prefix that some valid text continues.
        span: where the cause begins and ends, which the caret shows: nearly always the character at
            the offset; the "x" of the port in "http://h:8x/", where the offset is that of the "/"
            ("h:8x" may be followed by "@").
        component: the component that ends there (`"port"`, `"query"`...), or None.
        rule: the ABNF rule that stops matching there, or None.
        expected: ABNF words for what is allowed there: rule names, quoted literals, `"end"`.
        found: the character at `offset`; None at the end of the text.
        cause: the name of the cause (`"space"`, `"bad-triplet"`...) in `uriparse.diagnosis.CAUSES`,
            or None.
        reason, remedy, argument: the parts of the message, as in `Advice`.

    """

    def __init__(  # noqa: PLR0913 - all that an error says
        self,
        message: str,
        *,
        text: str = "",
        offset: int = 0,
        component: str | None = None,
        rule: str | None = None,
        expected: tuple[str, ...] = (),
        cause: str | None = None,
        advice: Advice | None = None,
        span: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(message)
        self.text = text
        self.offset = offset
        self.span = span or (offset, offset + len(text[offset : offset + 1]))
        self.component = component
        self.rule = rule
        self.expected = expected
        self.found = text[offset] if offset < len(text) else None
        self.cause = cause
        self.reason: str
        self.remedy: str | None
        self.argument: Argument | None
        self.reason, self.remedy, self.argument = advice or (message, None, None)

    def summary(self) -> str:
        """Return a message for people who do not know the grammar, such as visitors of a site.

        >>> from uriparse.diagnosis import diagnose
        >>> diagnose("http://h/a b").summary()
        'path: a space is not allowed, at offset 10: write %20'
        """
        self._settle()
        return f"{self.reason}, at offset {self.span[0]}: {self.remedy or 'correct it'}"

    # Working out the reason takes ten times as long as rejecting a text, and most callers only
    # catch the error. So `unexplained` makes one that works it out when it is first looked at.
    if not TYPE_CHECKING:  # type checkers see the attributes of __init__, and no others

        def __getattr__(self, name: str) -> object:
            if "_explain" not in vars(self) or name.startswith("_"):  # notes need no reason
                ours = _OURS.get(name)
                hint = f": use error.{ours}" if ours else ""
                raise AttributeError(
                    f"{type(self).__name__!r} object has no attribute {name!r}{hint}"
                )
            self._settle()
            return getattr(self, name)

        @property
        def args(self) -> tuple[object, ...]:
            """The message alone."""
            self._settle()
            return BaseException.args.__get__(self)

        @args.setter
        def args(self, args: tuple[object, ...]) -> None:
            self._settle()
            BaseException.args.__set__(self, args)

    _explain: tuple[Callable[..., URISyntaxError], tuple[object, ...]]

    def _settle(self) -> None:
        state = self.__dict__
        if "_explain" not in state:
            return
        explain, arguments = state["_explain"]
        explained = explain(*arguments)
        _set_args(self, _args(explained))
        if len(state) == 1:
            self.__dict__ = explained.__dict__
            return
        # What the caller has set meanwhile, such as notes, stays.
        vars(self).update({**vars(explained), **vars(self)})
        vars(self).pop("_explain", None)  # another thread may have been quicker

    def __str__(self) -> str:
        if "_explain" in self.__dict__:
            self._settle()
        return _str(self)

    def __repr__(self) -> str:
        self._settle()
        return super().__repr__()


_new, _str = ValueError.__new__, ValueError.__str__
_args, _set_args = BaseException.args.__get__, BaseException.args.__set__  # type: ignore[attr-defined]  # of a C type


def unexplained(explain: Callable[..., URISyntaxError], *arguments: object) -> URISyntaxError:
    """Return an error that becomes that of `explain(*arguments)` when it is first looked at."""
    error = _new(URISyntaxError)
    error._explain = (explain, arguments)  # noqa: SLF001 - of the same module
    return error


class URLError(_PlacedError):
    """A text that browsers refuse (`uriparse.whatwg`).

    text: the text, password included: log the message, not this.
    failure: the standard's name: "host-missing", "port-out-of-range", "domain-to-ASCII"...
    offset: where in the text, in characters from 0.
    component: "scheme", "host" or "port".
    """

    def __init__(
        self, message: str, *, text: str, failure: str, offset: int, component: str | None
    ) -> None:
        super().__init__(message)
        self.text = text
        self.failure = failure
        self.offset = offset
        self.component = component


class SchemeError(URISyntaxError):
    """A text that may be a URI but does not match the rule of its scheme.

    scheme: the scheme in lower case, or None if the text has none.
    source: the RFC and section of a requirement that the RFC states beside the rule, if the text
        matches the rule and breaks that; otherwise None.

    The other attributes are those of `URISyntaxError`; of a requirement, `span` is the part at
    fault.
    """

    def __init__(
        self,
        message: str,
        *,
        scheme: str | None = None,
        source: str | None = None,
        **facts: Unpack[SyntaxFacts],
    ) -> None:
        super().__init__(message, **facts)
        self.scheme = scheme
        self.source = source


class ComponentError(URIError):
    """Components that do not form a valid URI reference.

    component: the invalid component (`"path"`, `"userinfo"`...).
    rule: the ABNF rule that it does not match.
    value: the component, password included.
    offset: the offset in `value`, in characters from 0, of the first character that is not
        allowed, or the length of `value` if its end is missing.
    """

    def __init__(
        self, message: str, *, component: str, rule: str, value: str | None = None, offset: int = 0
    ) -> None:
        super().__init__(message)
        self.component = component
        self.rule = rule
        self.value = value
        self.offset = offset


def unfit(
    component: str,
    reason: str,
    rule: str | None = None,
    *,
    value: str | None = None,
    offset: int = 0,
) -> ComponentError:
    """Return the error for a component, with whose name the message begins.

    rule: the rule that it does not match; None for the one of its name.
    """
    message = f"{component}: {reason}"
    return ComponentError(
        message, component=component, rule=rule or component, value=value, offset=offset
    )


class ResolutionError(URIError):
    """A reference that cannot be resolved, for instance against a base without a scheme."""


class EncodingError(URIError):
    """A text that cannot be percent-encoded or decoded.

    text: the text.
    offset: the offset of the first invalid character or triplet, in characters from 0.
    """

    def __init__(self, message: str, *, text: str = "", offset: int = 0) -> None:
        super().__init__(message)
        self.text = text
        self.offset = offset


class UnknownRuleError(URIError, LookupError):
    """The name of a rule or grammar is unknown; the message suggests similar names."""


class PatternError(URIError):
    """A rule that cannot be written as a regular expression for an engine.

    rule: the rule.
    flavour: the dialect of regular expressions.
    reason: why it cannot be written, one clause.
    remedy: what to do about it; "" if unknown.
    """

    def __init__(
        self, message: str, *, rule: str, flavour: str, reason: str, remedy: str = ""
    ) -> None:
        super().__init__(message)
        self.rule = rule
        self.flavour = flavour
        self.reason = reason
        self.remedy = remedy


class MissingExtraError(URIError, ImportError):
    """An optional dependency that is missing for a feature.

    >>> str(MissingExtraError("hypothesis", "drawing examples"))
    'drawing examples needs an extra: pip install "uriparse[hypothesis]"'
    """

    def __init__(self, extra: str, feature: str) -> None:
        super().__init__(f'{feature} needs an extra: pip install "uriparse[{extra}]"')
        self.extra = extra


class MissingPackageError(URIError, ImportError):
    """A framework that is missing for the module that supports it.

    distribution: the name to install, if it differs from the package.

    >>> str(MissingPackageError("click", "uriparse.extra.click"))
    'uriparse.extra.click needs click, which is not installed: pip install click'
    """

    def __init__(self, package: str, module: str, distribution: str | None = None) -> None:
        super().__init__(
            f"{module} needs {package}, which is not installed:"
            f" pip install {distribution or package}"
        )
        self.package = package
