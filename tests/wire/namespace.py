"""A network namespace from which nothing leaves: whatever is connected to is this machine.

Inside, every address is local, every TCP connection ends at one port, where a recorder listens,
and names are looked up at 127.0.0.1. There is no interface but loopback, and no route beyond it.
"""

import json
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from itertools import count
from pathlib import Path

PORT = 9
"""Where the recorder listens: all connections are redirected to this port."""

NAMESPACES = Path("/etc/netns")
"""Where `ip netns exec` looks for files that stand in for those of /etc."""


NUMBERS = count()
"""Of the namespaces of this process."""


class NoNamespaceError(Exception):
    """The machine, or the user, cannot make a network namespace; nothing is run then."""


STEERED = 2828
"""The one port of this machine that is not redirected: by it Firefox is told what to fetch."""

SETUP = f"""
set -e
ip link set lo up
ip route add local default dev lo
ip -6 route add local ::/0 dev lo
iptables -t nat -A OUTPUT -p tcp -d 127.0.0.1 --dport {STEERED} -j ACCEPT
iptables -t nat -A OUTPUT -p tcp -j REDIRECT --to-ports {PORT}
ip6tables -t nat -A OUTPUT -p tcp -j REDIRECT --to-ports {PORT}
"""


@contextmanager
def namespace(trusted):
    """Make a namespace, and take it down; yield its name. NoNamespaceError if that is impossible.

    trusted: the bytes of a file of certificates, which takes the place of the machine's.
    """
    name = f"uriparse-wire-{os.getpid()}-{next(NUMBERS)}"
    if sys.platform != "linux" or shutil.which("ip") is None or shutil.which("iptables") is None:
        raise NoNamespaceError("there is no ip netns, or no iptables")
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True, check=False)
    if made.returncode:
        raise NoNamespaceError(made.stderr.strip())
    files = NAMESPACES / name
    try:
        (files / "ssl/certs").mkdir(parents=True)
        (files / "ssl/certs/ca-certificates.crt").write_bytes(trusted)
        (files / "ssl/cert.pem").write_bytes(trusted)
        (files / "resolv.conf").write_text("nameserver 127.0.0.1\noptions timeout:2 attempts:1\n")
        (files / "hosts").write_text("")
        # No mDNS: its module asks for "local" when a name ends so, whoever the client is.
        (files / "nsswitch.conf").write_text("hosts: files dns\n")
        done = run_in(name, ["bash", "-c", SETUP], capture_output=True, text=True, check=False)
        if done.returncode:
            raise NoNamespaceError(done.stderr.strip())
        if not is_closed(name):
            raise NoNamespaceError("the namespace has an interface beside loopback")
        yield name
    finally:
        subprocess.run(["ip", "netns", "del", name], check=False)
        shutil.rmtree(files, ignore_errors=True)


def run_in(name, command, **options):
    """Run a command inside."""
    options.setdefault("stdin", subprocess.DEVNULL)  # that of a test may be its way to be told
    return subprocess.run(["ip", "netns", "exec", name, *command], **options)  # noqa: PLW1510


def is_closed(name):
    """Whether loopback is the only interface, so that no packet can leave."""
    done = run_in(name, ["ip", "-j", "link"], capture_output=True, text=True, check=True)
    return [link["ifname"] for link in json.loads(done.stdout)] == ["lo"]
