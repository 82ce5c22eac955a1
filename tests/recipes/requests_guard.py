"""requests and urllib3: judge each hop, connect to no address that the policy refuses."""

import socket

from requests import Session
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

from uriparse.validation import Policy, check


def guarded_session(policy: Policy) -> Session:
    class Guarded:  # what both kinds of connection do to get a socket
        def _new_conn(self) -> socket.socket:
            found = socket.getaddrinfo(self._dns_host, self.port, type=socket.SOCK_STREAM)
            for address in policy.admit(info[4][0] for info in found):
                return socket.create_connection((str(address), self.port), self.timeout)
            raise OSError(f"no address of {self.host} is permitted")

    class Http(HTTPConnectionPool):
        ConnectionCls = type("GuardedHTTP", (Guarded, HTTPConnection), {})

    class Https(HTTPSConnectionPool):
        ConnectionCls = type("GuardedHTTPS", (Guarded, HTTPSConnection), {})

    class Adapter(HTTPAdapter):
        def send(self, request, **options):  # every hop comes through here
            request.url = check(request.url, policy).url
            return super().send(request, **{**options, "proxies": {}})

    adapter = Adapter()
    adapter.poolmanager.pool_classes_by_scheme = {"http": Http, "https": Https}
    session = Session()
    session.trust_env = False  # no proxies: whoever they connect to, nobody has checked
    session.mount("http://", adapter)
    session.mount("https://", adapter)
    return session
