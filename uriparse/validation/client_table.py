"""Which clients need which rules of the agreement: made by tests/wire/witnesses.py.

Measured on the wire, with the versions that stand here.
"""

from typing import Final, NamedTuple

# ruff: noqa: E501 - a row is a line


class ClientRules(NamedTuple):
    """What a client does otherwise than RFC 3986.

    version: that was measured.
    codes: of the layer "agreement", without whose rules it goes elsewhere or sends another
        request target.
    path_triplets: triplets in a path that it does not send as they are; octets below 80.
    query_triplets: the same in a query.
    """

    version: str
    codes: tuple[str, ...]
    path_triplets: str
    query_triplets: str


_CODES: Final = """
a-label empty-port encoded-host fragment-without-path host-delimiter ipv6-over-tls ipv6-spelling
label-hyphen long-name numeric-host query-without-path request-apostrophe request-dot-segment
request-empty-parameter request-empty-query request-empty-segment request-final-semicolon
request-not-utf8 scheme-case userinfo
"""

MEASURED: Final = tuple(_CODES.split())
"""The codes that were measured; triplets have sets of their own."""

# A line for each client, in the order of the attributes, after its name.
_ROWS: Final = """
curl|7.88.1|encoded-host ipv6-spelling numeric-host request-dot-segment||
wget|1.21.3|encoded-host numeric-host request-dot-segment||
aria2|1.36.0|numeric-host port-range||
lynx|2.9.0dev.12|empty-port encoded-host host-delimiter numeric-host query-without-path request-dot-segment userinfo||
links|2.28|fragment-without-path numeric-host request-dot-segment||
elinks|0.13.2|fragment-without-path numeric-host query-without-path request-dot-segment||
axel|2.17.11|fragment-without-path host-delimiter numeric-host query-without-path||
w3m|0.5.3|host-delimiter numeric-host port-range||
urllib|3.11.7|encoded-host host-delimiter numeric-host userinfo||
requests|2.34.2|encoded-host numeric-host request-dot-segment request-empty-query request-triplet|%2D%2E%30%31%32%33%34%35%36%37%38%39%41%42%43%44%45%46%47%48%49%4A%4B%4C%4D%4E%4F%50%51%52%53%54%55%56%57%58%59%5A%5F%61%62%63%64%65%66%67%68%69%6A%6B%6C%6D%6E%6F%70%71%72%73%74%75%76%77%78%79%7A%7E%0a%0b%0c%0d%0e%0f%1a%1b%1c%1d%1e%1f%2a%2b%2c%2d%2e%2f%3a%3b%3c%3d%3e%3f%4a%4b%4c%4d%4e%4f%5a%5b%5c%5d%5e%5f%6a%6b%6c%6d%6e%6f%7a%7b%7c%7d%7e%7f|%2D%2E%30%31%32%33%34%35%36%37%38%39%41%42%43%44%45%46%47%48%49%4A%4B%4C%4D%4E%4F%50%51%52%53%54%55%56%57%58%59%5A%5F%61%62%63%64%65%66%67%68%69%6A%6B%6C%6D%6E%6F%70%71%72%73%74%75%76%77%78%79%7A%7E%0a%0b%0c%0d%0e%0f%1a%1b%1c%1d%1e%1f%2a%2b%2c%2d%2e%2f%3a%3b%3c%3d%3e%3f%4a%4b%4c%4d%4e%4f%5a%5b%5c%5d%5e%5f%6a%6b%6c%6d%6e%6f%7a%7b%7c%7d%7e%7f
urllib3|2.8.0|encoded-host host-delimiter numeric-host request-dot-segment request-triplet|%0a%0b%0c%0d%0e%0f%1a%1b%1c%1d%1e%1f%2a%2b%2c%2d%2e%2f%3a%3b%3c%3d%3e%3f%4a%4b%4c%4d%4e%4f%5a%5b%5c%5d%5e%5f%6a%6b%6c%6d%6e%6f%7a%7b%7c%7d%7e%7f|%0a%0b%0c%0d%0e%0f%1a%1b%1c%1d%1e%1f%2a%2b%2c%2d%2e%2f%3a%3b%3c%3d%3e%3f%4a%4b%4c%4d%4e%4f%5a%5b%5c%5d%5e%5f%6a%6b%6c%6d%6e%6f%7a%7b%7c%7d%7e%7f
httpx|0.28.1|host-delimiter numeric-host request-dot-segment||
aiohttp|3.14.5|host-delimiter ipv6-spelling numeric-host request-dot-segment request-empty-query request-triplet|%21%24%26%27%28%29%2A%2C%2D%2E%30%31%32%33%34%35%36%37%38%39%3A%3B%3D%40%41%42%43%44%45%46%47%48%49%4A%4B%4C%4D%4E%4F%50%51%52%53%54%55%56%57%58%59%5A%5F%61%62%63%64%65%66%67%68%69%6A%6B%6C%6D%6E%6F%70%71%72%73%74%75%76%77%78%79%7A%7E%0a%0b%0c%0d%0e%0f%1a%1b%1c%1d%1e%1f%2a%2b%2c%2d%2e%2f%3a%3b%3c%3d%3e%3f%4a%4b%4c%4d%4e%4f%5a%5b%5c%5d%5e%5f%6a%6b%6c%6d%6e%6f%7a%7b%7c%7d%7e%7f|%21%24%27%28%29%2A%2C%2D%2E%2F%30%31%32%33%34%35%36%37%38%39%3A%3F%40%41%42%43%44%45%46%47%48%49%4A%4B%4C%4D%4E%4F%50%51%52%53%54%55%56%57%58%59%5A%5F%61%62%63%64%65%66%67%68%69%6A%6B%6C%6D%6E%6F%70%71%72%73%74%75%76%77%78%79%7A%7E%0a%0b%0c%0d%0e%0f%1a%1b%1c%1d%1e%1f%2a%2b%2c%2d%2e%2f%3a%3b%3c%3d%3e%3f%4a%4b%4c%4d%4e%4f%5a%5b%5c%5d%5e%5f%6a%6b%6c%6d%6e%6f%7a%7b%7c%7d%7e%7f
pycurl|8.23.0|encoded-host ipv6-spelling numeric-host request-dot-segment request-empty-query request-triplet|%0a%0b%0c%0d%0e%0f%1a%1b%1c%1d%1e%1f%2a%2b%2c%2d%2e%2f%3a%3b%3c%3d%3e%3f%4a%4b%4c%4d%4e%4f%5a%5b%5c%5d%5e%5f%6a%6b%6c%6d%6e%6f%7a%7b%7c%7d%7e%7f|
tornado|6.6.1|empty-port host-delimiter numeric-host request-empty-query||
Node fetch|20.20.2|encoded-host ipv6-spelling numeric-host request-apostrophe request-dot-segment request-empty-query||
Node http|20.20.2|encoded-host ipv6-spelling numeric-host request-apostrophe request-dot-segment request-empty-query||
axios|1.21.1|encoded-host ipv6-spelling numeric-host request-apostrophe request-dot-segment request-empty-query||
got|14.6.6|encoded-host ipv6-spelling numeric-host request-apostrophe request-dot-segment request-empty-query||
undici|7.30.2|encoded-host ipv6-spelling numeric-host request-apostrophe request-dot-segment request-empty-query||
needle|3.5.0|encoded-host host-delimiter ipv6-over-tls long-name numeric-host request-apostrophe scheme-case||
superagent|10.4.2|encoded-host ipv6-spelling numeric-host request-apostrophe request-dot-segment request-empty-query scheme-case||
node-fetch|3.3.2|encoded-host ipv6-spelling numeric-host request-apostrophe request-dot-segment request-empty-query||
LWP|6.68|empty-port encoded-host host-delimiter numeric-host||
HTTP::Tiny|0.080|host-delimiter numeric-host||
Ruby Net::HTTP|3.1.2|host-delimiter numeric-host request-apostrophe||
PHP streams|8.2.36|numeric-host||
PHP curl|8.2.36|encoded-host ipv6-spelling numeric-host request-dot-segment||
Go net/http|go1.19.8|encoded-host port-range query-without-path request-empty-segment||
Java HttpClient|17.0.15|numeric-host query-without-path request-empty-query request-empty-segment||
Java URL|17.0.15|numeric-host port-range query-without-path request-empty-segment||
Tcl http|2.9.8|host-delimiter numeric-host port-range query-without-path request-empty-segment||
LuaSocket|3.0.0|fragment-without-path host-delimiter numeric-host query-without-path request-empty-segment||
Erlang httpc|8.2.2|encoded-host numeric-host query-without-path request-dot-segment request-empty-query request-empty-segment request-triplet|%2D%2E%30%31%32%33%34%35%36%37%38%39%41%42%43%44%45%46%47%48%49%4A%4B%4C%4D%4E%4F%50%51%52%53%54%55%56%57%58%59%5A%5F%61%62%63%64%65%66%67%68%69%6A%6B%6C%6D%6E%6F%70%71%72%73%74%75%76%77%78%79%7A%7E%0a%0b%0c%0d%0e%0f%1a%1b%1c%1d%1e%1f%2a%2b%2c%2d%2e%2f%3a%3b%3c%3d%3e%3f%4a%4b%4c%4d%4e%4f%5a%5b%5c%5d%5e%5f%6a%6b%6c%6d%6e%6f%7a%7b%7c%7d%7e%7f|%2D%2E%30%31%32%33%34%35%36%37%38%39%41%42%43%44%45%46%47%48%49%4A%4B%4C%4D%4E%4F%50%51%52%53%54%55%56%57%58%59%5A%5F%61%62%63%64%65%66%67%68%69%6A%6B%6C%6D%6E%6F%70%71%72%73%74%75%76%77%78%79%7A%7E%0a%0b%0c%0d%0e%0f%1a%1b%1c%1d%1e%1f%2a%2b%2c%2d%2e%2f%3a%3b%3c%3d%3e%3f%4a%4b%4c%4d%4e%4f%5a%5b%5c%5d%5e%5f%6a%6b%6c%6d%6e%6f%7a%7b%7c%7d%7e%7f
httpx2|2.16.2|host-delimiter numeric-host request-dot-segment||
Qt|5.15.14|a-label encoded-host host-delimiter numeric-host request-dot-segment request-empty-segment request-triplet|%2D%2E%30%31%32%33%34%35%36%37%38%39%41%42%43%44%45%46%47%48%49%4A%4B%4C%4D%4E%4F%50%51%52%53%54%55%56%57%58%59%5A%5F%61%62%63%64%65%66%67%68%69%6A%6B%6C%6D%6E%6F%70%71%72%73%74%75%76%77%78%79%7A%7E%0a%0b%0c%0d%0e%0f%1a%1b%1c%1d%1e%1f%2a%2b%2c%2d%2e%2f%3a%3b%3c%3d%3e%3f%4a%4b%4c%4d%4e%4f%5a%5b%5c%5d%5e%5f%6a%6b%6c%6d%6e%6f%7a%7b%7c%7d%7e%7f|%2D%2E%30%31%32%33%34%35%36%37%38%39%41%42%43%44%45%46%47%48%49%4A%4B%4C%4D%4E%4F%50%51%52%53%54%55%56%57%58%59%5A%5F%61%62%63%64%65%66%67%68%69%6A%6B%6C%6D%6E%6F%70%71%72%73%74%75%76%77%78%79%7A%7E%0a%0b%0c%0d%0e%0f%1a%1b%1c%1d%1e%1f%2a%2b%2c%2d%2e%2f%3a%3b%3c%3d%3e%3f%4a%4b%4c%4d%4e%4f%5a%5b%5c%5d%5e%5f%6a%6b%6c%6d%6e%6f%7a%7b%7c%7d%7e%7f
libsoup|2.74.3|encoded-host request-dot-segment request-triplet|%2D%2E%30%31%32%33%34%35%36%37%38%39%41%42%43%44%45%46%47%48%49%4A%4B%4C%4D%4E%4F%50%51%52%53%54%55%56%57%58%59%5A%5F%61%62%63%64%65%66%67%68%69%6A%6B%6C%6D%6E%6F%70%71%72%73%74%75%76%77%78%79%7A%7E%2d%2e%4a%4b%4c%4d%4e%4f%5a%5f%6a%6b%6c%6d%6e%6f%7a%7e|%2D%2E%30%31%32%33%34%35%36%37%38%39%41%42%43%44%45%46%47%48%49%4A%4B%4C%4D%4E%4F%50%51%52%53%54%55%56%57%58%59%5A%5F%61%62%63%64%65%66%67%68%69%6A%6B%6C%6D%6E%6F%70%71%72%73%74%75%76%77%78%79%7A%7E%2d%2e%4a%4b%4c%4d%4e%4f%5a%5f%6a%6b%6c%6d%6e%6f%7a%7e
OkHttp|5.5.0|encoded-host ipv6-spelling label-hyphen numeric-host request-apostrophe request-dot-segment||
Apache HttpClient|5.2.1|numeric-host||
treq|26.7.0|numeric-host query-without-path request-empty-query request-empty-segment request-final-semicolon||
http-client|0.7.13.1|host-delimiter numeric-host query-without-path request-empty-segment||
Chromium|156.0.8078.79|encoded-host ipv6-spelling numeric-host request-apostrophe request-dot-segment request-empty-query||
Firefox|153.7.0|encoded-host ipv6-spelling numeric-host request-apostrophe request-dot-segment request-empty-query||
"""

CLIENTS: Final = {
    name: ClientRules(version, tuple(codes.split()), path, query)
    for name, version, codes, path, query in (row.split("|") for row in _ROWS.split("\n")[1:-1])
}
"""The clients that were measured, by the names that a policy takes."""
