"""Does a redirect stay where it came from? (RFC 9110 section 10.2.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uriparse.door import as_text
from uriparse.validation.policy import Policy
from uriparse.validation.validating import validate

if TYPE_CHECKING:
    from uriparse.door import Text
    from uriparse.parsing import Reference
    from uriparse.resolution import BaseURI


def is_local_redirect(reference: Text, base: Reference | BaseURI) -> bool:
    """Whether a reference leads into the origin of its base, by every client's reading.

    So do the references of `local-reference` in the grammar of agreement, and destinations of the
    same scheme, host and port. "a/b" is not among them: a client reads "a/:80" as host and port.

    PolicyDefinitionError unless the base is an http or https URI with a host.

    >>> [is_local_redirect(text, "https://h/a") for text in ("/b?c", "//evil.com", "https://h/")]
    [True, False, True]
    """
    text = reference if isinstance(reference, bytes) else as_text(reference, "reference")
    return validate(text, Policy.redirect(base)).accepted
