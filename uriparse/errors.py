"""The exceptions of uriparse: one family under `URIError`, each holding its facts as attributes.

Every one can be pickled. None shows a password: `args` holds the message alone, never the text,
and the text in a message is excerpted by `uriparse.excerpt`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import TypedDict, Unpack

    class SyntaxFacts(TypedDict, total=False):
        """What a `URISyntaxError` is made of beside its message."""

        text: str
        offset: int
        component: str | None
        rule: str | None
        expected: tuple[str, ...]
        cause: str | None
        advice: Advice | None


class URIError(ValueError):
    """Anything that uriparse refuses. The message is one line."""

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (type(self), self.args, dict(vars(self)))


def _restored(kind: type[URIError], args: tuple[object, ...], facts: dict[str, object]) -> URIError:
    """Rebuild a pickled error without running its constructor again."""
    error = kind.__new__(kind, *args)
    error.args = args
    vars(error).update(facts)
    return error


class Argument(NamedTuple):
    """An argument that makes a function take what it has refused.

    effect: what it does, one clause: `"read it as an IRI"`.
    name: of the parameter: `"grammar"`.
    value: what to give for it: `"rfc3987"`.
    """

    effect: str
    name: str
    value: str | bool


class Advice(NamedTuple):
    """What is wrong with a text and what to do about it, in the parts of a message.

    reason: what is wrong, one clause with its subject before it.
    remedy: what to do about it, one clause; None where nothing can be told.
    argument: the argument that would do instead; None where none would.
    """

    reason: str
    remedy: str | None = None
    argument: Argument | None = None


class URISyntaxError(URIError):
    """A text that the rule does not derive. The message is reason, expectation and remedy.

    Attributes:
        text: the whole text as given, password included: log the message, not this. Of bytes,
            those that are not ASCII stand as U+FFFD.
        offset: in characters from 0: the length of the longest prefix of `text` that some valid
            text continues, so the character there is the first one that cannot stand.
        component: the component that ends there (`"port"`, `"query"`...), or None.
        rule: the ABNF rule that stops there, or None.
        expected: ABNF words for what could have followed: rule names, quoted literals, `"end"`.
        found: the character at `offset`; None at the end of the text.
        cause: name of a special cause (`"space"`, `"bad-triplet"`...), or None; each is
            explained in `uriparse.diagnosis.CAUSES`.
        reason, remedy, argument: the parts of the message, as in `Advice`.

    """

    def __init__(
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
    ) -> None:
        super().__init__(message)
        self.text = text
        self.offset = offset
        self.component = component
        self.rule = rule
        self.expected = expected
        self.found = text[offset] if offset < len(text) else None
        self.cause = cause
        self.reason, self.remedy, self.argument = advice or Advice(message)

    def pointer(self) -> str:
        r"""Two lines: the text around the offset, and a caret under the offending character.

        Long text is cut to a window, what a terminal could not show in place is escaped, and
        what may be a password is masked (see `uriparse.excerpt`).

        >>> print(URISyntaxError("space", text="http://h/a b", offset=10).pointer())
        http://h/a b
                  ^
        """
        from uriparse import excerpt  # noqa: PLC0415 - only shown errors pay for it

        return excerpt.pointer(self.text, self.offset)


class SchemeError(URISyntaxError):
    """A text that is a URI, but not one of its scheme.

    Attributes:
        scheme: the scheme in lower case, or None where the text has none.

    Otherwise as `URISyntaxError`.
    """

    def __init__(
        self, message: str, *, scheme: str | None = None, **facts: Unpack[SyntaxFacts]
    ) -> None:
        super().__init__(message, **facts)
        self.scheme = scheme


class ComponentError(URIError):
    """Parts that make no URI reference.

    Attributes:
        component: the part at fault (`"path"`, `"userinfo"`...).
        rule: the ABNF rule that it breaks.
        value: the part as given, password included.
        offset: in characters from 0 within `value`: the first one that cannot stand there, or
            the length of the value if it lacks something at its end.

    """

    def __init__(
        self, message: str, *, component: str, rule: str, value: str | None = None, offset: int = 0
    ) -> None:
        super().__init__(message)
        self.component = component
        self.rule = rule
        self.value = value
        self.offset = offset


class ResolutionError(URIError):
    """A reference that cannot be resolved, for instance against a base without a scheme."""


class EncodingError(URIError):
    """Text that cannot be percent-encoded or decoded.

    Attributes:
        text: the text as given.
        offset: in characters from 0: where the fault begins.

    """

    def __init__(self, message: str, *, text: str = "", offset: int = 0) -> None:
        super().__init__(message)
        self.text = text
        self.offset = offset


class UnknownRuleError(URIError, LookupError):
    """A rule or grammar name that does not exist; the message names near misses."""


class PatternError(URIError):
    """A rule that an engine has no regular expression for. The message is reason and remedy.

    Attributes:
        rule: the rule.
        flavour: the dialect of expressions.
        reason: what stands in the way, one clause.
        remedy: what to do about it; "" where nothing can be told.

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
    """A feature that needs an optional dependency.

    >>> str(MissingExtraError("test", "drawing examples"))
    'drawing examples needs an extra: pip install "uriparse[test]"'
    """

    def __init__(self, extra: str, feature: str) -> None:
        super().__init__(f'{feature} needs an extra: pip install "uriparse[{extra}]"')
        self.extra = extra


class MissingPackageError(URIError, ImportError):
    """A module for a framework, imported where the framework is not installed.

    distribution: what is installed for the package; by default its own name.

    >>> str(MissingPackageError("click", "uriparse.click"))
    'uriparse.click is for those who use click, which is not installed: pip install click'
    """

    def __init__(self, package: str, module: str, distribution: str | None = None) -> None:
        super().__init__(
            f"{module} is for those who use {package}, which is not installed:"
            f" pip install {distribution or package}"
        )
        self.package = package
