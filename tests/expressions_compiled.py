"""Print the regular expressions that our modules compile: a list of file, line, expression.

Run as a program, before anything of ours is imported. Only this way are the expressions seen that
are put together from parts; that each place in the sources has been reached is the test's part.
"""

import contextlib
import importlib
import io
import json
import pkgutil
import re
import sys

FOUND = set()
_compile = re._compile


def _watched(pattern, flags):
    frame = sys._getframe(1)
    while frame and frame.f_code.co_filename == re.__file__:
        frame = frame.f_back
    name = frame.f_code.co_filename if frame else ""
    if isinstance(pattern, str | bytes):
        text = pattern if isinstance(pattern, str) else pattern.decode("latin-1")
        FOUND.add((name, frame.f_lineno if frame else 0, text))
    return _compile(pattern, flags)


def main():
    re._compile = _watched
    import abnf2lark
    import uriparse as u

    for package in (u, abnf2lark):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__"):
                with contextlib.suppress(ImportError):  # what needs libraries of others
                    importlib.import_module(module.name)
    from uriparse import cli
    from uriparse.grammar import bytes_matcher
    from uriparse.resolution.base import html_base
    from uriparse.schemes import CURRENT, parse_url, scheme_from_abnf
    from uriparse.text import redact_text

    for grammar in ("rfc3986", "rfc3987"):
        list(u.find_uris("see http://h/", grammar=grammar))
    for element in ("base href=a", "template", "title"):
        html_base(f"<{element}>")
    bytes_matcher("host")
    redact_text("at http://u:p@h/?%2574oken=t")
    u.normalize("http://H/%7e/%c3%a9")
    u.uri_to_iri("http://H/%c3%a9")
    assert u.validate("http://h.example/a b").findings[0].remedy
    own = scheme_from_abnf("z", 'z = "z:" a\na = *ALPHA', rule="z", fields={"a": "a"})
    parse_url("z:b", registry=CURRENT.with_scheme(own))
    with contextlib.suppress(u.URIError):
        u.unquote("%zz")
    for text in ("http://h/", "http://h/" + "a" * 1000 + " "):
        with contextlib.suppress(ValueError):
            u.parse_tree(text)
    with contextlib.redirect_stderr(io.StringIO()), contextlib.suppress(SystemExit):
        cli.main(["validate", "--schema", "x"])
    json.dump(sorted(FOUND), sys.stdout)


if __name__ == "__main__":
    main()
