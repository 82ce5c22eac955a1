"""The clients of the trial: how each is started, for one text or for all."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZipFile

DRIVERS = Path(__file__).with_name("drivers")
NODE_PACKAGES = os.environ.get("WIRE_NODE", "")
"""A folder in whose node_modules the packages for Node are."""

JARS = os.environ.get("WIRE_JARS", "")
"""A class path with the packages for Java."""

SYSTEM_PYTHON = "/usr/bin/python3"
"""That of the system's packages, such as those for libsoup."""

TEXT = "TEXT"

PLACE = "PLACE"
"""Where a client that writes a file writes it."""


@dataclass(frozen=True)
class Client:
    """A client.

    Attributes:
        name: as the pages call it.
        command: starts it; with TEXT among its arguments for one text, else it reads lines.
        needs: programs, packages of Python ("py:...") and of Node ("npm:...") without which it
            is left out.
        version: the arguments that print its version, for those that take one text.
        makers: domains of its maker's, which it asks for things of its own.

    """

    name: str
    command: tuple[str, ...]
    needs: tuple[str, ...]
    version: tuple[str, ...] = ("--version",)
    makers: tuple[str, ...] = ()

    @property
    def is_program(self):
        return TEXT in self.command

    def is_here(self):
        return all(map(is_here, self.needs))


def is_here(need):
    kind, colon, name = need.partition(":")
    if not colon:
        return shutil.which(need) is not None
    if kind == "py":
        return find_spec(name) is not None
    if kind == "jar":
        jars = [path for path in JARS.split(os.pathsep) if path.endswith(".jar")]
        return any(name in ZipFile(path).namelist() for path in jars)
    if kind == "npm":
        return bool(NODE_PACKAGES) and (Path(NODE_PACKAGES) / "node_modules" / name).is_dir()
    loads = {
        "perl": ["perl", f"-M{name}", "-e", "1"],
        "hs": ["ghc-pkg", "latest", name],
        "gi": [SYSTEM_PYTHON, "-c", f"from gi.repository import {name}"],
    }[kind]
    quiet = subprocess.DEVNULL
    return is_here(loads[0]) and not subprocess.run(loads, stderr=quiet, check=False).returncode


def program(name, *arguments, version="--version"):
    return Client(name, (name, *arguments), (name,), (version,))


def python(name, package=None):
    needs = () if package is None else (f"py:{package}",)
    return Client(name, (sys.executable, str(DRIVERS / "fetch.py"), name), needs)


def node(name, package=None):
    needs = ("node",) if package is None else ("node", f"npm:{package}")
    label = {"fetch": "Node fetch", "http.get": "Node http"}.get(name, name)
    return Client(label, ("node", str(DRIVERS / "fetch.mjs"), name), needs)


def java(name, driver, package):
    return Client(name, ("java", "-cp", JARS, str(DRIVERS / driver)), ("java", f"jar:{package}"))


def browser(name, program, makers):
    command = sys.executable, str(DRIVERS / "browser.py"), name
    return Client(name, command, (program,), makers=makers)


CLIENTS = [
    program("curl", "-gsk", "-m5", "-o", "/dev/null", "--url", TEXT),
    program("wget", "-q", "-t1", "-T5", "--no-config", "--no-check-certificate", "-O/dev/null",
            TEXT),
    Client("aria2",
           (*("aria2c", "-q", "--no-conf", "--check-certificate=false", "--async-dns=false"),
            *("-t5", "-m1", "-d", PLACE, "-o", "fetched", "--allow-overwrite=true", TEXT)),
           ("aria2c",)),
    program("lynx", "-dump", "-nolist", "-nopause", "-connect_timeout=5", TEXT),
    program("links", "-dump", "-ssl.certificates", "0", TEXT, version="-version"),
    program("elinks", "-dump", "1", "-no-connect", "1", TEXT),
    program("axel", "-q", "-n1", "-T5", "-k", "-o", PLACE, TEXT),
    program("w3m", "-dump", "-o", "ssl_verify_server=0", TEXT, version="-version"),
    python("urllib"),
    *(python(name, name) for name in ("requests", "urllib3", "httpx", "aiohttp", "pycurl",
                                      "tornado")),
    python("httpx2", "httpx2"), python("treq", "treq"),
    Client("Qt", (sys.executable, str(DRIVERS / "fetch.py"), "qt"), ("py:PyQt5",)),
    Client("libsoup", (SYSTEM_PYTHON, str(DRIVERS / "fetch.py"), "soup"), ("gi:Soup",)),
    *(node(name) for name in ("fetch", "http.get")),
    *(node(name, name) for name in ("axios", "got", "undici", "needle", "superagent",
                                    "node-fetch")),
    Client("LWP", ("perl", str(DRIVERS / "fetch.pl"), "LWP"), ("perl:LWP::UserAgent",)),
    Client("HTTP::Tiny", ("perl", str(DRIVERS / "fetch.pl"), "Tiny"), ("perl:HTTP::Tiny",)),
    Client("Ruby Net::HTTP", ("ruby", str(DRIVERS / "fetch.rb")), ("ruby",)),
    Client("PHP streams", ("php", str(DRIVERS / "fetch.php"), "streams"), ("php",)),
    Client("PHP curl", ("php", str(DRIVERS / "fetch.php"), "curl"), ("php",)),
    Client("Go net/http", ("go", "run", str(DRIVERS / "fetch.go")), ("go",)),
    Client("Java HttpClient", ("java", str(DRIVERS / "Fetch.java"), "HttpClient"), ("java",)),
    Client("Java URL", ("java", str(DRIVERS / "Fetch.java"), "URL"), ("java",)),
    java("OkHttp", "FetchOkHttp.java", "okhttp3/OkHttp.class"),
    java("Apache HttpClient", "FetchApache.java",
         "org/apache/hc/client5/http/impl/classic/HttpClients.class"),
    Client("http-client", ("runghc", str(DRIVERS / "fetch.hs")), ("hs:http-client-tls",)),
    browser("Chromium", "chromium", ("google.com", "googleapis.com", "gstatic.com")),
    browser("Firefox", "firefox-esr", ("mozilla.com", "mozilla.org", "mozilla.net", "firefox.com")),
    Client("Tcl http", ("tclsh", str(DRIVERS / "fetch.tcl")), ("tclsh",)),
    Client("LuaSocket", ("lua5.3", str(DRIVERS / "fetch.lua")), ("lua5.3",)),
    Client("Erlang httpc", ("escript", str(DRIVERS / "fetch.erl")), ("escript",)),
]  # fmt: skip


@cache
def known():
    """The clients that are here, by name."""
    return {client.name: client for client in CLIENTS if client.is_here()}
