"""Resolution and normalization by the RFC's words, and edits of those functions by their syntax.

Nothing of uriparse is used. A program's source is edited in one place (a condition turned round, a
part left out, a value exchanged) and run; one that does not end is stopped after many steps.
"""

import ast
import copy
import inspect
import re
import textwrap

UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"


def split(text):
    """Take a reference apart by the expression of appendix B."""
    found = re.fullmatch(
        r"(?s)(?:([^:/?#]+):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", text
    )
    return found.groups()


def resolve(base, reference, *, strict=True):
    """Resolve as section 5.2.2 says, word by word."""
    base_scheme, base_authority, base_path, base_query, _ = split(base)
    scheme, authority, path, query, fragment = split(reference)
    if not strict and scheme == base_scheme:
        scheme = None
    if scheme is not None:
        path = remove_dot_segments(path)
    else:
        if authority is not None:
            path = remove_dot_segments(path)
        else:
            if path == "":
                path = base_path
                if query is None:
                    query = base_query
            elif path.startswith("/"):
                path = remove_dot_segments(path)
            else:
                path = merge(base_authority, base_path, path)
                path = remove_dot_segments(path)
            authority = base_authority
        scheme = base_scheme
    return recompose(scheme, authority, path, query, fragment)


def merge(authority, base_path, path):
    if authority is not None and base_path == "":
        return "/" + path
    return base_path[: base_path.rfind("/") + 1] + path


def remove_dot_segments(path):
    output = ""
    while path:
        tick()
        if path.startswith("../"):
            path = path[3:]
        elif path.startswith("./") or path.startswith("/./"):  # noqa: PIE810 - two edits
            path = path[2:]
        elif path == "/.":
            path = "/"
        elif path.startswith("/../"):
            path = path[3:]
            output = output[: max(output.rfind("/"), 0)]
        elif path == "/..":
            path = "/"
            output = output[: max(output.rfind("/"), 0)]
        elif path in (".", ".."):
            path = ""
        else:
            end = path.find("/", 1)
            end = len(path) if end < 0 else end
            output += path[:end]
            path = path[end:]
    return output


def recompose(scheme, authority, path, query, fragment):
    found = ""
    if scheme is not None:
        found += scheme + ":"
    if authority is not None:
        found += "//" + authority
    found += path
    if query is not None:
        found += "?" + query
    if fragment is not None:
        found += "#" + fragment
    return found


def take_apart(text):
    """Take a URI apart from its ends, without expressions."""
    rest, number, fragment = text.partition("#")
    if not number:
        fragment = None
    rest, question, query = rest.partition("?")
    if not question:
        query = None
    scheme, _, rest = rest.partition(":")
    userinfo = None
    host = None
    port = None
    path = rest
    if rest.startswith("//"):
        authority, slash, path = rest[2:].partition("/")
        path = slash + path
        before, at, server = authority.rpartition("@")
        if at:
            userinfo = before
        host, colon, port = server.rpartition(":")
        if not colon or "]" in port:
            host = server
            port = None
    return (scheme, userinfo, host, port, path, query, fragment)


def normalize(text):
    scheme, authority, path, query, fragment = split(text)
    scheme = scheme.lower()
    if authority is not None:
        userinfo, at, rest = authority.rpartition("@")
        found = re.fullmatch(r"(\[.*\]|[^:]*)(?::([0-9]*))?", rest)
        host, port = found[1], found[2]
        host = triplets(host, lower=True)
        if port == {"http": "80", "https": "443", "ftp": "21"}.get(scheme):
            port = None
        authority = (triplets(userinfo) + at) + host + ((":" + port) if port else "")
    path = remove_dot_segments(triplets(path))
    if path == "" and authority is not None and scheme in ("http", "https", "ftp"):
        path = "/"
    query = triplets(query) if query is not None else None
    fragment = triplets(fragment) if fragment is not None else None
    return recompose(scheme, authority, path, query, fragment)


def triplets(text, *, lower=False):
    found = ""
    at = 0
    while at < len(text):
        tick()
        if text[at] == "%":
            char = chr(int(text[at + 1 : at + 3], 16))
            if char in UNRESERVED:
                found += char.lower() if lower else char
            else:
                found += text[at : at + 3].upper()
            at += 3
        else:
            found += text[at].lower() if lower else text[at]
            at += 1
    return found


def tick():
    """Count a step; `run` puts in its place what stops a program that does not end."""


class EndlessError(Exception):
    """A program has run for too long."""


STEPS = 2_000


def counter():
    left = STEPS

    def tick():
        nonlocal left
        left -= 1
        if left < 0:
            raise EndlessError

    return tick


PARTS = {
    "resolve": (resolve, merge, remove_dot_segments, recompose),
    "normalize": (normalize, triplets),
    "take_apart": (take_apart,),
}
REST = (split, resolve, merge, remove_dot_segments, recompose, normalize, triplets, take_apart)


def run(name, tree=None):
    """Return a function, with an edited tree of one of its parts in place of its own."""
    scope = {"re": re, "UNRESERVED": UNRESERVED}
    for part in REST:
        exec(compile(source(part), "<program>", "exec"), scope)
    if tree is not None:
        exec(compile(tree, "<edited>", "exec"), scope)

    def outcome(*given, **options):
        scope["tick"] = counter()
        try:
            return scope[name](*given, **options)
        except (EndlessError, LookupError, TypeError, ValueError, AttributeError) as error:
            return type(error)  # one that fails is wrong

    return outcome


def source(function):
    return ast.parse(textwrap.dedent(inspect.getsource(function)))


def mutants(name):
    """Yield every program with one edit: what it is, and what runs it."""
    for part in PARTS[name]:
        tree = source(part)
        for number, node in enumerate(ast.walk(tree)):
            for what, edit in edits(node):
                made = copy.deepcopy(tree)
                other = next(one for n, one in enumerate(ast.walk(made)) if n == number)
                edit(other)
                yield (
                    f"{part.__name__}: {what} at {ast.unparse(node)[:60]}",
                    run(name, ast.fix_missing_locations(made)),
                )


def edits(node):
    match node:
        case ast.If() | ast.IfExp():
            yield "the condition is turned round", negated
            if isinstance(node, ast.If):
                yield "the condition always holds", lambda n: setattr(n, "test", ast.Constant(True))
                yield "the condition never holds", lambda n: setattr(n, "test", ast.Constant(False))
        case ast.BoolOp():
            for place in range(len(node.values)):
                yield "a condition less", lambda n, place=place: without(n, place)
        case ast.Compare(ops=[kind, *_]) if type(kind) in (ast.Is, ast.IsNot):
            yield "empty as absent", emptied
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            for other in (value - 1, value + 1):
                yield f"{other}", lambda n, other=other: setattr(n, "value", other)
        case ast.Constant(value=str(value)) if "\n" not in value and len(value) < 8:
            yield "another text", lambda n: setattr(n, "value", n.value[:-1] if n.value else "/")
        case ast.Assign(targets=[ast.Name()]) | ast.AugAssign():
            yield "left out", left_out
        case ast.Call(func=ast.Attribute(attr=("lower" | "upper") as name)):
            yield f"no {name}", lambda n: setattr(n.func, "attr", "strip")
        case ast.Call(func=ast.Attribute(attr=("partition" | "rpartition") as name)):
            other = "rpartition" if name == "partition" else "partition"
            yield other, lambda n: setattr(n.func, "attr", other)
        case ast.Call(func=ast.Attribute(attr="rfind")):
            yield "find", lambda n: setattr(n.func, "attr", "find")
        case ast.Call(func=ast.Name(id=("remove_dot_segments" | "triplets"))):
            yield "not called", not_called


def without(node, place):
    """Leave out one operand; the other stands twice, since there must be two."""
    node.values[place] = node.values[place - 1]


def negated(node):
    node.test = ast.UnaryOp(ast.Not(), node.test)


def emptied(node):
    """Read `x is None` as `not x`."""
    is_none = isinstance(node.ops[0], ast.Is)
    node.ops = [ast.Eq() if is_none else ast.NotEq()]
    node.left = ast.Call(ast.Name("bool", ast.Load()), [node.left], [])
    node.comparators = [ast.Constant(False)]


def not_called(node):
    node.func = ast.Name("str", ast.Load())
    node.keywords.clear()


def left_out(node):
    """Let an assignment assign what is there."""
    if isinstance(node, ast.AugAssign):
        node.value = ast.Constant("") if not isinstance(node.value, ast.Constant) else node.value
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, int):
            node.value = ast.Constant(0)
    elif isinstance(node.targets[0], ast.Name):
        name = node.targets[0].id
        same = ast.parse(f"locals().get({name!r}, '')", mode="eval").body
        node.value = same
