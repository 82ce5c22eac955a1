"""Schemes of machines and stores: ssh, sftp, git, git+ssh, s3, gs, and databases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from uriparse._base.coerce import derived
from uriparse.components.normal_form import normal_host
from uriparse.components.servers import significant
from uriparse.grammar import matcher
from uriparse.percent import fold_triplets
from uriparse.schemes.current_uri import AuthorityURI
from uriparse.schemes.encoding import Encoded, Pairs, URIHost, pairs_of
from uriparse.schemes.fields import url_field
from uriparse.schemes.from_abnf import GrammarURI

__all__ = [
    "S3URI", "DatabaseURL", "GitSshURL", "GitURL", "GsURI", "MongodbSrvURL", "MongodbURL",
    "MysqlURL", "PostgresqlURL", "RedisURL", "Server", "SftpURI", "SshURI",
]  # fmt: skip


class GitURL(GrammarURI, AuthorityURI):
    """`git://host:port/path`, port 9418 by default.

    >>> from uriparse.schemes import CURRENT, parse_url
    >>> url = parse_url("git://host.xz/path/to/repo.git", registry=CURRENT)
    >>> url.host, url.path, url.effective_port
    ('host.xz', '/path/to/repo.git', 9418)
    """

    path: Encoded = url_field("path-abempty")


class SshURI(GitURL):
    """`ssh://user;parameters@host:port/path`, port 22 by default.

    user, password: None where absent. parameters: such as "fingerprint=...", as written; None
    without ";". path: begins with "/" or is empty.

    >>> from uriparse.schemes import CURRENT, parse_url
    >>> url = parse_url("ssh://user;fingerprint=ssh-dss-c1-b1-30@h.example", registry=CURRENT)
    >>> url.user, url.parameters, url.host, url.effective_port
    ('user', 'fingerprint=ssh-dss-c1-b1-30', 'h.example', 22)
    """

    user: Encoded | None = url_field("user", first=True)
    password: Encoded | None = url_field("password", first=True)
    parameters: Encoded | None = url_field("c-params", first=True)


class SftpURI(SshURI):
    """`sftp://user@host:port/path`: a file, or a directory where the path ends with "/"."""


class GitSshURL(SshURI):
    """`git+ssh://user@host:port/path`: a repository, over ssh."""


class S3URI(GrammarURI):
    """`s3://bucket/key`.

    bucket: 3 to 63 small letters, digits, "-" and ".". key: None without "/".

    >>> from uriparse.schemes import CURRENT, parse_url
    >>> url = parse_url("s3://my-bucket/a%20b/c.txt", registry=CURRENT)
    >>> url.bucket, url.key.decoded
    ('my-bucket', 'a b/c.txt')
    """

    bucket: Encoded = url_field("bucket", "gs-bucket")
    key: Encoded | None = url_field("object")

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URIs share: every octet of a key counts, dots and case too."""
        return (self.bucket, None if self.key is None else self.key.octets)


class GsURI(S3URI):
    """`gs://bucket/key`; bucket: also with "_", and longer."""


class Server(NamedTuple):
    """One of a list of hosts: the host, `""` where it is left out, and the port as written."""

    host: URIHost
    port: Encoded | None


class DatabaseURL(GrammarURI):
    """The syntax of databases: `scheme://user:password@host1:port1,host2:port2/database?parameters`.

    user, password: None where absent. hosts: as written; None without any. database: None without
    "/". parameters: as written; None without "?".
    servers: the hosts with their ports, in their order.
    effective_ports: the port of each server: the one that is written, or else the scheme's own.
    options: pairs of name and value of the parameters, as written; the value is None without "=".

    >>> from uriparse.schemes import CURRENT, parse_url
    >>> url = parse_url("postgresql://me:pw@h1:5433,[::1]/db?target=any", registry=CURRENT)
    >>> url, url.servers
    (<PostgresqlURL 'postgresql://me:***@h1:5433,[::1]/db?target=any'>, \
(Server(host='h1', port='5433'), Server(host='[::1]', port=None)))
    >>> url.effective_ports, url.database, url.options
    ((5433, 5432), 'db', (('target', 'any'),))
    """

    user: Encoded | None = url_field("user")
    password: Encoded | None = url_field("password")
    hosts: Encoded | None = url_field("hosts", "one-host", "srv-host")
    database: Encoded | None = url_field("database")
    parameters: Encoded | None = url_field("parameters")
    servers: tuple[Server, ...] = derived(lambda url: tuple(_servers(url.hosts or Encoded(""))))
    effective_ports: tuple[int | None, ...] = derived(
        lambda url: tuple(
            int(significant(server.port)) if server.port else url.default_port
            for server in url.servers
        )
    )
    options: Pairs = derived(lambda url: pairs_of(url.parameters, "&"))

    def identity(self) -> tuple[object, ...]:
        """Return what equivalent URLs share: data and servers, and all else as written."""
        octets = (
            None if each is None else each.octets
            for each in (self.user, self.password, self.database)
        )
        hosts = (normal_host(server.host) for server in self.servers)
        servers = tuple(zip(hosts, self.effective_ports, strict=True)) or (("", self.default_port),)
        return (*octets, servers, fold_triplets(self.parameters or ""))


def _servers(written: Encoded) -> Iterator[Server]:
    """Split a list of hosts as its rule does: an address in brackets may hold "," and ":"."""
    start, at = written.start or 0, -1
    while at < len(written) > 0:
        found = matcher("hostspec", "databases").match(written, at + 1)
        assert found is not None  # noqa: S101 - the rule of the list has matched
        at = found.end()
        group = "port" if found["lone_port"] is None else "lone_port"
        host = URIHost(found["server"] or "", start + found.start())
        port = found[group]
        yield Server(host, None if port is None else Encoded(port, start + found.start(group)))


class PostgresqlURL(DatabaseURL):
    """`postgresql://...`, port 5432 by default; "postgres" means the same."""


class MysqlURL(DatabaseURL):
    """`mysql://...`, port 3306 by default; a host is always there."""


class MongodbURL(DatabaseURL):
    """`mongodb://...`, port 27017 by default; a host is always there."""


class MongodbSrvURL(DatabaseURL):
    """`mongodb+srv://host/...`: the host, whose SRV records name the servers; without a port."""


class RedisURL(DatabaseURL):
    """`redis://user:password@host:port/number`, over TLS `rediss`; port 6379, one host at most."""
