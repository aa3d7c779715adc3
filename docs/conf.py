"""How Sphinx builds the documentation: `sphinx-build -W --keep-going -b html docs OUT`."""

import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent)]

from curation.report.texts import base_style  # noqa: E402  # found by the path above

project = "curate"
author = "The curate developers"
project_copyright = author
html_title = "curate"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "curate_docs"]
autodoc_typehints = "signature"
autodoc_class_signature = "separated"  # results are made by functions, not by readers
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build", "_ext"]
language = "en"

myst_enable_extensions = ["deflist", "dollarmath"]
myst_fence_as_directive = ["math"]  # as GitHub writes it
html_math_renderer = "mathml"  # ours
smartquotes = False  # options begin with two hyphens
default_role = "code"  # docstrings have Markdown's backticks
myst_heading_anchors = 4

# The page must work where there is no network: the theme brings its own style and script,
# browsers typeset the formulas, and nothing is fetched.
html_theme = "furo"
_LOOKS = [
    dict(re.findall(r"--([a-z]+): (#[0-9a-f]+)", part)) for part in base_style().split("@media")
]
html_theme_options = {  # the colours of the pages of the toolkit
    f"{name}_css_variables": {
        **{part: look[part] for part in ("target", "other", "none")},
        **{f"color-brand-{part}": look["link"] for part in ("primary", "content")},
    }
    for name, look in zip(("light", "dark"), _LOOKS, strict=False)
}
html_static_path = ["_static"]
html_css_files = ["curate.css"]
html_copy_source = False
html_show_search_summary = False  # it would fetch pages, which a page on disk may not
html_show_sourcelink = False
html_show_copyright = False
pygments_style = "friendly"
# The same sources give the same pages: no "last updated".
html_last_updated_fmt = None
