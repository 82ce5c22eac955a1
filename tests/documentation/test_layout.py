"""The map of the code names files that exist; that of the C kernel has all of its files."""

import re

from paths import ROOT

PAGE = (ROOT / "tools/docs/reference/layout.md").read_text("utf-8")
KERNEL = ROOT / "uriparse/_native"
LAYERS = [
    re.findall(r"`(\w+\.[ch])`", row)
    for row in re.findall(r"^\| \w+ \|(.*?\.c`) \|", PAGE, re.MULTILINE)
]


def test_every_path_of_the_page_exists():
    paths = re.findall(r"`((?:uriparse|tools|tests|grammar)/[\w./]+)`", PAGE)
    assert len(paths) > 20
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_every_file_of_the_kernel_is_in_one_layer():
    files = {path.name for path in KERNEL.iterdir() if path.suffix in {".c", ".h"}}
    assert len(LAYERS) == 5
    assert sorted(name for layer in LAYERS for name in layer) == sorted(files)


def test_a_layer_includes_none_that_is_below_it_and_three_know_no_python():
    known = set()
    for number, layer in enumerate(LAYERS):
        known |= set(layer)
        for name in layer:
            text = (KERNEL / name).read_text("utf-8")
            assert set(re.findall(r'#include "(\w+\.h)"', text)) <= known, name
            assert number > 2 or "<Python.h>" not in text, name
