"""May this URI be used? Syntax, what the RFCs warn of, agreement among clients, and a policy.

`validating` is the door, `policy` what a caller allows, `rulings` what follows from that,
`catalogue` all that can be found; `agreement` and the modules of signs look, `judging` weighs,
`special` knows addresses and names.
"""

from uriparse.validation.catalogue import CATALOGUE, Code
from uriparse.validation.findings import Finding, Layer, Severity
from uriparse.validation.policy import Policy
from uriparse.validation.report import PolicyError, Report, Target
from uriparse.validation.settings import PolicyDefinitionError
from uriparse.validation.validating import check, is_local_redirect, validate

__all__ = [
    "CATALOGUE",
    "Code",
    "Finding",
    "Layer",
    "Policy",
    "PolicyDefinitionError",
    "PolicyError",
    "Report",
    "Severity",
    "Target",
    "check",
    "is_local_redirect",
    "validate",
]
