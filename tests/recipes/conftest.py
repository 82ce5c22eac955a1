"""The recipes are collected where the clients are that they guard."""

from importlib.util import find_spec

collect_ignore = [
    f"{client}_guard.py" for client in ("aiohttp", "httpx", "requests") if find_spec(client) is None
]
