"""httpx: judge each hop, connect to an address that the policy permits."""

import socket
from ssl import SSLContext

import httpx

from uriparse.validation import Policy, check


class GuardedTransport(httpx.HTTPTransport):
    def __init__(self, policy: Policy, *, verify: SSLContext | bool) -> None:
        super().__init__(verify=verify, trust_env=False)
        self.policy = policy

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        target = check(str(request.url), self.policy)
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
        permitted = self.policy.admit(info[4][0] for info in found)
        if not permitted:
            raise httpx.ConnectError(f"no address of {target.host} is permitted")
        pinned = httpx.Request(  # another one, for redirects and cookies go by the name
            request.method,
            request.url.copy_with(host=str(permitted[0])),
            headers=request.headers,  # Host is among them
            stream=request.stream,
            extensions={**request.extensions, "sni_hostname": target.host},
        )
        return super().handle_request(pinned)


def guarded_client(policy: Policy, *, verify: SSLContext | bool = True) -> httpx.Client:
    transport = GuardedTransport(policy, verify=verify)
    return httpx.Client(transport=transport, trust_env=False, follow_redirects=True)
