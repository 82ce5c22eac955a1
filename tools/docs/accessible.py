"""What screen readers need, and Sphinx and its theme leave out."""

import re

CHANGES = (
    (r'role="heading"', r'\g<0> aria-level="2"'),
    (r'<aside class="sidebar-drawer"', r'\g<0> aria-label="All pages"'),
    (r'<aside class="toc-drawer[^"]*"', r'\g<0> aria-label="On this page"'),
    (r'<div id="search-results">', r"<h1>Search</h1>\g<0>"),
)
# A long signature: Sphinx makes a list of definitions without terms, within a term.
SIGNATURE = re.compile(r"<dl>((?:\n<dd>.*</dd>)+\n)</dl>")


def accessible(page: str) -> str:
    """Return the HTML of a page with roles and labels, and signatures as lists."""
    for pattern, replacement in CHANGES:
        page = re.sub(pattern, replacement, page)
    return SIGNATURE.sub(listed, page)


def listed(signature: re.Match[str]) -> str:
    """Return the parameters of a signature as a list."""
    lines = signature[1].replace("<dd>", "<li>").replace("</dd>", "</li>")
    return f'<ul class="parameters">{lines}</ul>'
