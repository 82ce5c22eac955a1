"""Runs clients over texts inside a namespace, and notes what each looked up and connected to.

    python tests/wire/running.py TEXTS.json OUT.json CLIENT...

starts itself in a namespace of its own. TEXTS has a list of strings. OUT gets, by client, the
version and for each text the names, the connections and what the client said.
"""

import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from wire.clients import PLACE, TEXT, known  # noqa: E402
from wire.namespace import PORT, namespace, run_in  # noqa: E402
from wire.recorder import PROXY, Recorder, address_of  # noqa: E402

PATIENCE = 15
"""Seconds that a text may take; a driver that takes longer is started anew."""

QUIET = {
    "TERM": "dumb", "LANG": "C.UTF-8", "GOFLAGS": "-mod=mod", "GO111MODULE": "off",
    "GOCACHE": "/tmp/wire-go-cache",
}  # fmt: skip

AT_PROXY = {
    **dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"),
                    "http://{}:{}".format(*PROXY)),
    "NODE_USE_ENV_PROXY": "1",
    "JAVA_TOOL_OPTIONS": " ".join(
        f"-D{scheme}.proxyHost={PROXY[0]} -D{scheme}.proxyPort={PROXY[1]}"
        for scheme in ("http", "https")
    ),
}  # fmt: skip
"""By which clients are told to take the recorder's proxy."""

WORKERS = int(os.environ.get("WIRE_WORKERS", "1"))
"""How many namespaces a client is run in side by side, each with its share of the texts.

A text needs little of the processor, and waits for five processes and threads to take turns.
"""


class Driver:
    """A client that reads texts from its standard input, and answers a line for each."""

    def __init__(self, client, environment):
        self.client, self.environment = client, environment
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            self.client.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env=self.environment, bufsize=0,
            start_new_session=True,  # so that a browser ends with its driver
        )  # fmt: skip
        self.version = self.line(120)

    def line(self, patience):
        ready, _, _ = select.select([self.process.stdout], [], [], patience)
        return self.process.stdout.readline().decode("utf-8", "replace").strip() if ready else None

    def fetch(self, text):
        try:
            self.process.stdin.write(text.encode() + b"\n")
            said = self.line(PATIENCE)
        except OSError:
            said = None
        if not said:
            self.stop()
            self.start()
        return said or "stuck"

    def stop(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


class Program:
    """A client that is started for each text."""

    def __init__(self, client, environment):
        self.client, self.environment = client, environment
        done = self.run((client.command[0], *client.version))
        found = re.search(r"\d+(?:\.\w+)+", done.stdout.decode("utf-8", "replace"))
        self.version = found[0] if found else "?"

    def run(self, command):
        return subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env=self.environment, timeout=PATIENCE, check=False,
        )  # fmt: skip

    def fetch(self, text):
        own = {TEXT: text, PLACE: f"{self.environment['HOME']}/place"}
        command = [own.get(part, part) for part in self.client.command]
        try:
            return f"exit {self.run(command).returncode}"
        except subprocess.TimeoutExpired:
            return "stuck"

    def stop(self):
        pass


class Makers:
    """What a client asks its makers for, of its own accord.

    A connection is to them if it goes to the address of a name of theirs that was looked up.
    """

    def __init__(self, domains):
        self.domains = domains
        self.addresses = set()

    def has(self, name):
        return any(f".{name}".endswith(f".{domain}") for domain in self.domains)

    def note(self, names):
        """Note which names were looked up, theirs among them."""
        self.addresses |= {address_of(name) for name in names if self.has(name)}

    def left_out(self, names, connections):
        """Return names and connections without theirs."""
        self.note(names)
        return (
            [name for name in names if not self.has(name)],
            [one for one in connections if one["address"] not in self.addresses],
        )


def inside(texts_file, out_file, pem, is_proxied, names):
    """Run the clients here, in the namespace; what they keep at home goes beside the texts."""
    texts = json.loads(Path(texts_file).read_text("utf-8"))
    import trustme  # where clients are run, and not where their table alone is read

    recorder = Recorder(PORT, trustme.CA.from_pem(*(part.encode() for part in json.loads(pem))))
    environment = {**os.environ, **QUIET, "HOME": str(Path(texts_file).parent)}
    for name in list(environment):
        if name.lower().endswith("_proxy"):
            del environment[name]
    if json.loads(is_proxied):
        environment |= AT_PROXY
    found = {}
    for name in names:
        client = known()[name]
        driver = (Program if client.is_program else Driver)(client, environment)
        rows, makers = [], Makers(client.makers)
        for text in texts:
            makers.note(recorder.names)  # of what it has done since the last text
            recorder.clear()
            said = driver.fetch(text)
            recorder.settle()
            rows.append([*makers.left_out(recorder.names, recorder.connections), said])
        driver.stop()
        found[name] = {"version": driver.version, "rows": rows}
        Path(out_file).write_text(json.dumps(found), "utf-8")


def run(texts, names, folder, *, is_proxied=False):
    """Run clients over texts in namespaces; return what `inside` has noted.

    is_proxied: whether they are told to take the recorder's proxy.
    """
    shares = [texts[start::WORKERS] for start in range(max(1, min(WORKERS, len(texts))))]
    folders = [Path(folder) / str(number) for number in range(len(shares))]
    with ThreadPoolExecutor() as workers:
        each = shares, repeat(names), folders, repeat(is_proxied)
        done = list(workers.map(run_share, *each))
    found = {}
    for name in names:
        rows = [None] * len(texts)
        for start, one in enumerate(done):
            rows[start::WORKERS] = one[name]["rows"]
        found[name] = {"version": done[0][name]["version"], "rows": rows}
    return found


def run_share(texts, names, folder, is_proxied):
    """Run clients over texts in one namespace."""
    folder.mkdir()
    import trustme

    authority = trustme.CA()
    pem = [authority.cert_pem.bytes().decode(), authority.private_key_pem.bytes().decode()]
    texts_file, out_file = folder / "texts.json", folder / "out.json"
    texts_file.write_text(json.dumps(texts), "utf-8")
    with namespace(authority.cert_pem.bytes()) as made:
        here = [sys.executable, __file__, "--inside", str(texts_file), str(out_file)]
        told = [json.dumps(pem), json.dumps(is_proxied), *names]
        run_in(made, [*here, *told], check=True, stdout=subprocess.DEVNULL)
    found = json.loads(out_file.read_text("utf-8"))
    shutil.rmtree(folder, ignore_errors=True)
    return found


def main():
    if sys.argv[1] == "--inside":
        inside(*sys.argv[2:6], sys.argv[6:])
        return
    texts_file, out_file, *names = sys.argv[1:]
    texts = json.loads(Path(texts_file).read_text("utf-8"))
    found = run(texts, names or [*known()], Path(out_file).parent)
    Path(out_file).write_text(json.dumps(found), "utf-8")


if __name__ == "__main__":
    main()
