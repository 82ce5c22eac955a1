"""Fetches each line of standard input by a browser without a window, from an empty page.

    browser.py Chromium|Firefox

Chromium is steered by its remote debugging pipe, Firefox by Marionette, at the one port that the
namespace leaves alone.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from itertools import count
from pathlib import Path

MARIONETTE = 2828
PATIENCE = 5

FETCH = """
const stop = AbortSignal.timeout(%d);
return fetch(%s, {mode: "no-cors", cache: "no-store", credentials: "omit", signal: stop})
  .then((answer) => "done", (error) => String(error.name));
"""

QUIET = {
    "app.normandy.enabled": False, "app.update.disabledForTesting": True,
    "browser.newtabpage.enabled": False, "browser.region.network.url": "",
    "browser.safebrowsing.downloads.enabled": False, "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False, "browser.search.update": False,
    "browser.startup.page": 0, "datareporting.policy.dataSubmissionEnabled": False,
    "dom.security.https_first": False, "extensions.getAddons.cache.enabled": False,
    "extensions.systemAddon.update.enabled": False, "extensions.update.enabled": False,
    "media.gmp-manager.updateEnabled": False, "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False, "network.dns.native_https_query": False,
    "network.http.connection-retry-timeout": 0, "network.http.speculative-parallel-limit": 0,
    "network.stricttransportsecurity.preloadlist": False, "network.trr.mode": 5,
    "services.settings.server": "data:,#remote-settings-dummy/v1",
    "toolkit.telemetry.server": "data:,",
}  # fmt: skip
"""What Firefox would ask its maker by itself, switched off; and its own list of https hosts.

So are HTTPS records, which have names of their own such as `_80._https.host`, and a second
connection for one that takes 250 ms: it may come when the next text is fetched.
"""


FEATURES = [
    *("HttpsUpgrades", "LocalNetworkAccessChecks", "OptimizationHints", "MediaRouter"),
    *("DialMediaRouteProvider", "Translate", "AsyncDns", "NetworkTimeServiceQuerying"),
]
"""The same of Chromium."""


class Chromium:
    def __init__(self, folder):
        (here, self.out), (self.into, there) = os.pipe(), os.pipe()
        flags = [
            "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--remote-debugging-pipe", "--ignore-certificate-errors", "--disable-web-security",
            "--disable-background-networking", "--disable-component-update", "--no-first-run",
            "--disable-sync", "--disable-domain-reliability", "--disable-extensions",
            "--disable-default-apps", "--no-pings", "--disable-quic", "--disable-breakpad",
            f"--disable-features={','.join(FEATURES)}", f"--user-data-dir={folder}",
        ]  # fmt: skip

        def pipes():
            os.dup2(os.dup(here), 3)
            os.dup2(os.dup(there), 4)
            os.set_inheritable(3, True)
            os.set_inheritable(4, True)

        self.process = subprocess.Popen(
            ["chromium", *flags, "about:blank"],
            preexec_fn=pipes,  # noqa: PLW1509 - this process has one thread
            close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(here)
        os.close(there)
        self.numbers, self.received = count(1), b""
        self.version = self.ask("Browser.getVersion")["product"].partition("/")[2]
        made = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = None
        self.session = self.ask("Target.attachToTarget", targetId=made, flatten=True)["sessionId"]

    session = None

    def ask(self, method, **params):
        number = next(self.numbers)
        asked = {"id": number, "method": method, "params": params}
        if self.session:
            asked["sessionId"] = self.session
        os.write(self.out, json.dumps(asked).encode() + b"\0")
        while True:
            while b"\0" not in self.received:
                part = os.read(self.into, 65536)
                if not part:
                    raise EOFError
                self.received += part
            message, _, self.received = self.received.partition(b"\0")
            answer = json.loads(message)
            if answer.get("id") == number:
                return answer.get("result") or answer

    def fetch(self, url):
        script = f"(() => {{ {FETCH % (PATIENCE * 1000, json.dumps(url))} }})()"
        found = self.ask("Runtime.evaluate", expression=script, awaitPromise=True)
        return found.get("result", {}).get("value", "error")


class Firefox:
    def __init__(self, folder):
        lines = [f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in QUIET.items()]
        Path(folder, "user.js").write_text("\n".join(lines), "utf-8")
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", folder],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.socket = self.connect()
        self.stream = self.socket.makefile("rb")
        self.read()  # it says who it is
        self.numbers = count(1)
        found = self.ask("WebDriver:NewSession", acceptInsecureCerts=True)
        self.version = found["capabilities"]["browserVersion"]
        self.ask("WebDriver:SetTimeouts", script=2000 * PATIENCE)
        self.ask("WebDriver:Navigate", url="about:blank")

    def connect(self):
        end = time.monotonic() + 60
        while True:
            try:
                return socket.create_connection(("127.0.0.1", MARIONETTE), timeout=60)
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.2)

    def read(self):
        size = b""
        while (octet := self.stream.read(1)) != b":":
            size += octet
        return json.loads(self.stream.read(int(size)))

    def ask(self, method, **params):
        message = json.dumps([0, next(self.numbers), method, params]).encode()
        self.socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self.read()
        if error:
            raise ValueError(error["message"])
        return result

    def fetch(self, url):
        script = FETCH % (PATIENCE * 1000, json.dumps(url))
        return self.ask("WebDriver:ExecuteScript", script=script, args=[])["value"]


def main():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = {"Chromium": Chromium, "Firefox": Firefox}[sys.argv[1]](folder)
        print(browser.version, flush=True)
        for line in sys.stdin:
            try:
                print(browser.fetch(line.rstrip("\n")) or "done", flush=True)
            except ValueError as error:
                print(type(error).__name__, flush=True)


main()
