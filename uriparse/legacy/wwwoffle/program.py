"""How the program itself reads a URL, from version 2.7 on, with what it loses.

A step goes wherever the functions of the program go, so that the names of the cache files are the
program's: `uriparse.legacy.wwwoffle.canonical` says what that costs. Strings end at the first NUL,
numbers are those of `strtoul` and `sscanf`, and what the program reads after the end of a string
is taken for NUL.
"""

from uriparse.grammar import charset
from uriparse.legacy.octets import Octets
from uriparse.legacy.wwwoffle import encodings
from uriparse.legacy.wwwoffle.by_document import DEFAULT_PORTS, WwwoffleParts
from uriparse.legacy.wwwoffle.encodings import Version, decode_in_c, lower

_ALPHA = charset("ALPHA")
_DIGIT = charset("DIGIT")
_IN_HOST = _ALPHA | _DIGIT | frozenset(":-.[]")
_SPACE = " \t\n\v\f\r"
_DIGITS = "0123456789abcdef"
_IPV4_NUMBERS = 4
_LONG = 1 << 64
_INT = (1 << 32) - 1


def split_parts(octets: Octets, localhost: Octets, version: Version) -> WwwoffleParts:
    """Split a URL into its parts as written; `localhost` is the host of one that names none."""
    octets = octets.partition("\0")[0]
    if version == "2.9":
        octets = octets.partition("#")[0]
    protocol, start, colon, slash = _protocol(octets)
    parts = WwwoffleParts(protocol, localhost, "/")
    at = octets.find("@")
    if at > start and not 0 <= slash < at:
        end = at
        if colon > at:
            end = octets.find("@", at + 1)
            if not colon < end < slash:
                end, colon = at, -1
        parts.username = octets[start : colon if colon >= 0 else end]
        parts.password = octets[colon + 1 : end] if colon >= 0 else None
        start = end + 1
    elif at == start:
        start += 1
    before, question, arguments = octets[start:].partition("?")
    parts.arguments = arguments if question else None
    path = before
    if version != "2.9":
        before, semicolon, params = before.partition(";")
        parts.params = params if semicolon else None
        # A "/" of the params ends the host as well, and so begins the path, a second time.
        path = before if "/" in before else path
    if slash := path.find("/") + 1:
        parts.path = path[slash - 1 :]
    host = before.partition("/")[0]
    parts.is_local = before.startswith("/") or (version == "2.9" and not host)
    parts.host = localhost if parts.is_local else host
    if version == "2.8" and not (kept := _kept(parts.host)):
        parts.host, parts.is_local = localhost, True
    elif version == "2.8":
        parts.host = kept
    return parts


def _protocol(octets: Octets) -> tuple[Octets, int, int, int]:
    """Find the protocol, what follows it, and the colon and slash that count from there on."""
    colon, slash, at = (octets.find(mark) for mark in ":/@")
    if slash != 0 and colon >= 0:
        if slash == colon + 1:
            start = slash + 1 + octets.startswith("/", slash + 1)
            return octets[:colon], start, octets.find(":", start), octets.find("/", start)
        if (
            octets[colon + 1 : colon + 2] not in _DIGIT
            and not 0 <= slash < colon
            and (at < 0 or 0 <= slash < at)
        ):
            return octets[:colon], colon + 1, octets.find(":", colon + 1), slash
    return "http", 0, colon, slash


def _kept(host: Octets) -> Octets:
    """Return what the program keeps of a host: all before the first character that it rejects."""
    return host[: next((at for at, one in enumerate(host) if one not in _IN_HOST), None)]


def canonize(parts: WwwoffleParts, localhost: Octets, version: Version) -> None:
    """Rewrite the parts into their canonical form, in the program's order."""
    parts.protocol = lower(parts.protocol or "")
    if version == "2.9" and not parts.password:
        parts.password = None
    for name in ("username", "password"):
        if (part := getattr(parts, name)) is not None:
            setattr(parts, name, encodings.encode_password(decode_in_c(part).encode("latin-1")))
    default = DEFAULT_PORTS.get(parts.protocol)
    if version == "2.9":
        parts.host = _canonical_host(lower(_kept(decode_in_c(parts.host))))
    elif default is None or parts.protocol == "https":  # which those versions do not speak
        default = DEFAULT_PORTS["http"]
    name, port = _split_port(parts.host)
    if port is not None and str(_number(port)[0]) == default:
        parts.host, port = name, None
    if version != "2.9":
        local, local_port = _split_port(localhost)
        if (parts.protocol, name, parts.is_local) == ("http", local, False) and (
            _number(port or "80")[0] == _number(local_port or "80")[0]
        ):
            parts.host = localhost
        parts.host = _canonical_host(lower(parts.host))
    path = _without_dots(decode_in_c(parts.path))
    parts.path = path.translate(encodings.PATH_TABLES[version])
    parts.params = encodings.recode_in_c(parts.params or "") or None
    arguments = encodings.recode_in_c(parts.arguments or "")
    parts.arguments = (_unescaped(arguments) if version == "2.8" else arguments) or None


def _unescaped(arguments: Octets) -> Octets:
    first, *rest = arguments.split("&")
    return "&".join([first, *(r[4:] if lower(r[:4]) == "amp;" else r for r in rest)])


def _without_dots(path: Octets) -> Octets:
    """Remove dot segments; a final "." takes its slash along, and ".." after "//" stays."""
    *segments, last = path[1:].split("/")
    kept: list[Octets] = []
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if last == "." or (last == ".." and not kept):
        return "/".join(["", *kept]) or "/"
    if last == ".." and kept[-1]:
        kept[-1] = last = ""
        return "/".join(["", *kept])
    return "/".join(["", *kept, last])


def _split_port(host: Octets) -> tuple[Octets, Octets | None]:
    """Split at the first ":", after the brackets if the host begins with one."""
    end = host.find("]") + 1 or len(host)
    start = end if host.startswith("[") else host.find(":")
    if start >= 0 and host.startswith(":", start):
        return host[:start], host[start + 1 :]
    return host, None


def _number(octets: Octets, base: int = 10) -> tuple[int, int]:
    """Read a number as `strtoul`, cut to 32 bits, and return it with the offset of its end.

    base: 0 for the one that its prefix names. The end of what is not a number is 0.
    """
    start = len(octets) - len(octets.lstrip(_SPACE))
    sign = octets[start : start + 1]
    start += sign in {"+", "-"}
    prefix = lower(octets[start : start + 3])
    if base in {0, 16} and prefix.startswith("0x") and prefix[2:] and prefix[2] in _DIGITS:
        base, start = 16, start + 2
    base = base or (8 if prefix.startswith("0") else 10)
    digits = octets[start:]
    digits = digits[: len(digits) - len(digits.lstrip(_DIGITS[:base] + _DIGITS[10:base].upper()))]
    if not digits:
        return 0, 0
    value = int(digits.lstrip("0")[:23] or "0", base)  # of more, the program knows no digits
    cut = _INT if value >= _LONG else (-value if sign == "-" else value) & _INT
    return cut, start + len(digits)


def _numbers_with_dots(text: Octets) -> list[int]:
    """Return the numbers with which a text begins, "." between them, at most four."""
    numbers, dot = list[int](), "."
    while dot == "." and len(numbers) < _IPV4_NUMBERS:
        value, end = _number(text)
        numbers += [value] if end else []
        text, dot = text[end + 1 :], text[end : end + 1] if end else ""
    return numbers


def _canonical_host(host: Octets) -> Octets:
    """Write addresses out: with two ":" or a bracket it is IPv6, without letters IPv4."""
    if host.startswith("[") or host.count(":") > 1:
        words, port = _words(host)
        name = f"[{':'.join(f'{word & 0xFFFF:x}' for word in words)}]"
    elif not _ALPHA.isdisjoint(host):
        return host
    else:
        decimal = _number(host, 0)[0]
        numbers = [decimal >> shift for shift in (24, 16, 8, 0)]
        if "." in host:
            numbers = [*_numbers_with_dots(host), 0, 0, 0, 0][:4]
        name = ".".join(str(number & 0xFF) for number in numbers)
        port = _number(host.partition(":")[2], 0)[0]
    return f"{name}:{port & 0xFFFF}" if port else name


def _words(host: Octets) -> tuple[list[int], int]:
    """Read an IPv6 address from its start and, over that, from its end; and its port."""
    words, first, last, port = [0] * 8, 0, 8, 0
    groups = host.removeprefix("[").replace("]", ":").split(":")
    for number, group in enumerate(groups, 1):
        read = _group(group, len(words) - first)
        words[first : first + len(read)] = read
        first += len(read)
        if not group or (not read and len(group) == 1 and number < len(groups)):
            break
    at = len(host) - 1
    if host.startswith("["):
        end = max(host.rfind("]"), 0)
        if host.startswith(":", end + 1):
            port = _number(host[end + 2 :], 0)[0]
        at = end - 1
    while at < 0 or not host.startswith(":", at):
        at = max(host.rfind(":", 0, at + 1), min(at, 0))
        read = _group(host[at + 1 :].partition(":")[0], last)
        words[last - len(read) : last] = read
        last -= len(read)
        at -= 1
        if not read or at <= 0:
            break
    words[first:last] = [0] * (last - first)
    return words, port


def _group(text: Octets, places: int) -> list[int]:
    """Read two words from an address with dots, one from hexadecimal digits, as there is place."""
    numbers = _numbers_with_dots(text) if places > 1 else []
    if len(numbers) == _IPV4_NUMBERS:
        return [numbers[0] * 256 + numbers[1], numbers[2] * 256 + numbers[3]]
    value, end = _number(text, 16)
    return [value] if end and places else []
