"""Fetches each line of standard input by one Python client, and answers a line when it is done."""

import asyncio
import os
import sys
import warnings
from functools import partial

warnings.simplefilter("ignore")


def by_urllib(url):
    import ssl
    import urllib.request

    urllib.request.urlopen(url, timeout=5, context=ssl._create_unverified_context()).read()


def by_requests(url):
    import requests

    requests.get(url, timeout=5, verify=False)


def by_urllib3(url):
    import urllib3

    pool = urllib3.PoolManager
    if proxy := os.environ.get("http_proxy"):
        pool = partial(urllib3.ProxyManager, proxy)
    pool(cert_reqs="CERT_NONE", retries=False, timeout=5).request("GET", url)


def by_httpx(url):
    import httpx

    httpx.get(url, verify=False, timeout=5)


def by_aiohttp(url):
    import aiohttp

    async def get():
        session = aiohttp.ClientSession(trust_env=True)
        async with session, session.get(url, ssl=False) as response:
            await response.read()

    asyncio.run(asyncio.wait_for(get(), 5))


def by_pycurl(url):
    import pycurl

    handle = pycurl.Curl()
    for option, value in (
        (pycurl.URL, url),
        (pycurl.SSL_VERIFYPEER, 0),
        (pycurl.SSL_VERIFYHOST, 0),
        (pycurl.TIMEOUT, 5),
        (pycurl.WRITEFUNCTION, lambda _: None),
    ):
        handle.setopt(option, value)
    handle.perform()
    handle.close()


def by_tornado(url):
    from tornado.httpclient import AsyncHTTPClient

    async def get():
        await AsyncHTTPClient(force_instance=True).fetch(url, validate_cert=False)

    asyncio.run(asyncio.wait_for(get(), 5))


def by_httpx2(url):
    import httpx2

    httpx2.get(url, verify=False, timeout=5)


def by_treq(url, kept=[]):  # noqa: B006 - the reactor runs once, in a thread of its own
    import threading

    import treq
    from twisted.internet import reactor, ssl
    from twisted.internet.threads import blockingCallFromThread
    from twisted.web.client import Agent, BrowserLikePolicyForHTTPS
    from twisted.web.iweb import IPolicyForHTTPS
    from zope.interface import implementer

    @implementer(IPolicyForHTTPS)
    class Anyone(BrowserLikePolicyForHTTPS):
        def creatorForNetloc(self, hostname, port):  # noqa: ARG002, N802 - its own
            return ssl.optionsForClientTLS(
                hostname.decode(), extraCertificateOptions={"verify": False}
            )

    if not kept:
        kept.append(threading.Thread(target=reactor.run, args=(False,), daemon=True))
        kept[0].start()

    def get():
        agent = Agent(reactor, BrowserLikePolicyForHTTPS(), connectTimeout=5)
        return treq.get(url, agent=agent, timeout=5).addCallback(treq.content)

    blockingCallFromThread(reactor, get)


def by_qt(url, kept=[]):  # noqa: B006 - kept from text to text
    """By QNetworkAccessManager of PyQt5."""
    from PyQt5.QtCore import QCoreApplication, QEventLoop, QTimer, QUrl
    from PyQt5.QtNetwork import QNetworkAccessManager, QNetworkRequest

    if not kept:
        kept += [QCoreApplication([]), QNetworkAccessManager()]
    reply = kept[1].get(QNetworkRequest(QUrl(url)))
    loop = QEventLoop()
    reply.ignoreSslErrors()
    reply.finished.connect(loop.quit)
    QTimer.singleShot(5000, loop.quit)
    if not reply.isFinished():
        loop.exec()
    reply.abort()


def by_soup(url, kept=[]):  # noqa: B006 - same
    """By libsoup 2."""
    import gi

    gi.require_version("Soup", "2.4")
    from gi.repository import Soup

    if not kept:
        kept.append(Soup.Session(ssl_strict=False, timeout=5))
    message = Soup.Message.new("GET", url)
    if message is None:
        raise ValueError
    kept[0].send_message(message)


def version_of(name):
    if name == "pycurl":
        import pycurl

        return pycurl.version_info()[1]  # that of libcurl, which reads the URL
    if name == "qt":
        from PyQt5.QtCore import QT_VERSION_STR

        return QT_VERSION_STR
    if name == "soup":
        import gi

        gi.require_version("Soup", "2.4")
        from gi.repository import Soup

        return f"{Soup.get_major_version()}.{Soup.get_minor_version()}.{Soup.get_micro_version()}"
    found = __import__({"urllib": "urllib.request"}.get(name, name))
    return getattr(found, "__version__", None) or getattr(found, "version", None)


def main():
    name = sys.argv[1]
    print(version_of(name) or sys.version.split()[0], flush=True)
    get = globals()[f"by_{name}"]
    for line in sys.stdin:
        try:
            get(line.rstrip("\n"))
            print("done", flush=True)
        except BaseException as error:  # noqa: BLE001 - clients raise all kinds
            print(type(error).__name__, flush=True)


main()
