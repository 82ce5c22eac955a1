"""Fetches each line of standard input by one Python client, and answers a line when it is done."""

import asyncio
import sys
import warnings

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

    urllib3.PoolManager(cert_reqs="CERT_NONE", retries=False, timeout=5).request("GET", url)


def by_httpx(url):
    import httpx

    httpx.get(url, verify=False, timeout=5)


def by_aiohttp(url):
    import aiohttp

    async def get():
        async with aiohttp.ClientSession() as session, session.get(url, ssl=False) as response:
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


def main():
    name = sys.argv[1]
    found = __import__({"urllib": "urllib.request"}.get(name, name))
    if name == "pycurl":
        version = found.version_info()[1]  # that of libcurl, which reads the URL
    else:
        version = getattr(found, "__version__", None) or getattr(found, "version", None)
    print(version or sys.version.split()[0], flush=True)
    get = globals()[f"by_{name}"]
    for line in sys.stdin:
        try:
            get(line.rstrip("\n"))
            print("done", flush=True)
        except BaseException as error:  # noqa: BLE001 - clients raise all kinds
            print(type(error).__name__, flush=True)


main()
