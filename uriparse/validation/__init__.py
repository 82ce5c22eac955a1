"""Validate a URI against a policy: syntax, warnings of the RFCs, agreement among clients.

`policy` has what a caller allows, `settings` the checks of a policy's settings, `finding_catalogue`
every code of a finding; the modules of checks report hits; `report` makes findings of them and has
the public functions; `special` classifies addresses and names.
"""

from uriparse.validation.client_table import CLIENTS, ClientRules
from uriparse.validation.finding_catalogue import CATALOGUE, Code
from uriparse.validation.findings import Finding, Layer, Severity
from uriparse.validation.policy import Policy
from uriparse.validation.report import (
    PolicyError,
    Report,
    Target,
    check,
    is_local_redirect,
    validate,
)
from uriparse.validation.settings import PolicyDefinitionError

__all__ = [
    "CATALOGUE", "CLIENTS", "ClientRules", "Code", "Finding", "Layer", "Policy",
    "PolicyDefinitionError", "PolicyError", "Report", "Severity", "Target", "check",
    "is_local_redirect", "validate",
]  # fmt: skip
