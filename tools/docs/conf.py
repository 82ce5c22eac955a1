"""What Sphinx has to know to make these pages."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

import uriparse  # noqa: E402 - it is found now
from tools.docs import stand_ins  # noqa: E402 - same

stand_ins.install()

project = "uriparse"
author = "The uriparse authors"
release = version = uriparse.__version__
language = "en"

extensions = ["myst_parser", "sphinx.ext.autodoc"]
extensions += [
    f"tools.docs.{name}" for name in ("contents", "docstrings", "figures", "helps", "pictures")
]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
exclude_patterns = ["README.md"]

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
autodoc_class_signature = "mixed"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 80
default_role = "py:obj"  # a name that is documented becomes a link, all else stands as code
trim_doctest_flags = True
add_module_names = False
smartquotes = False  # what stands between quotes is what is written
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = f"uriparse {release}"
html_static_path = ["_static"]
html_css_files = ["pages.css"]
html_js_files = ["pages.js"]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#0b5a8a",
        "color-brand-content": "#0b5a8a",
    },
    "dark_css_variables": {
        "color-brand-primary": "#7cc4f0",
        "color-brand-content": "#7cc4f0",
    },
}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
