"""aiohttp: judge each hop, open no socket to an address that the policy refuses."""

import socket

from aiohttp import ClientSession, TCPConnector

from uriparse.validation import Policy, check


def guarded_session(policy: Policy) -> ClientSession:
    def open_socket(info):
        family, kind, protocol, _, address = info
        if not policy.permits(address[0]):
            raise OSError(f"{address[0]} is not permitted")
        return socket.socket(family, kind, protocol)

    async def judge(request, send):  # every hop comes through here
        check(str(request.url), policy)
        return await send(request)

    return ClientSession(connector=TCPConnector(socket_factory=open_socket), middlewares=[judge])
