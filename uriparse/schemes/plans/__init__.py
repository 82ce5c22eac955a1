"""What a client of a scheme would do with its URL: pure functions, no connection is ever opened.

A URL says where something is and how to reach it, not what may be done with it; and nobody but who
gives the names out can promise that it will lead to the same thing tomorrow (RFC 1738 sections 2
and 6). So plans are for access, and say what would be sent, never what will be found.

One module a kind of plan; `choice` picks the one of a URL's scheme, `access` is what they share.
"""

from uriparse.schemes.plans.access import Command
from uriparse.schemes.plans.choice import Plan, access_plan
from uriparse.schemes.plans.ftp import FtpPlan, ftp_plan, guess_type
from uriparse.schemes.plans.gopher import GopherPlan, gopher_plan
from uriparse.schemes.plans.nntp import NntpPlan, news_plan, nntp_plan
from uriparse.schemes.plans.prospero import ProsperoPlan, prospero_plan
from uriparse.schemes.plans.telnet import TelnetAdvice, telnet_advice
from uriparse.schemes.plans.wais import WaisPlan, wais_plan

__all__ = [
    "Command",
    "FtpPlan",
    "GopherPlan",
    "NntpPlan",
    "Plan",
    "ProsperoPlan",
    "TelnetAdvice",
    "WaisPlan",
    "access_plan",
    "ftp_plan",
    "gopher_plan",
    "guess_type",
    "news_plan",
    "nntp_plan",
    "prospero_plan",
    "telnet_advice",
    "wais_plan",
]
