"""The picture of one item, which the README shows, and those of labelling pages."""

import re

from curate_docs import pictures
from doc_pages import ROOT
from draw_item import PICTURE, draw


def test_the_picture_is_what_the_demo_gives():
    """The committed file is what the script draws from the demo today."""
    assert PICTURE.read_text(encoding="utf-8") == draw(), "run python tools/draw_item.py"


def test_the_readme_shows_the_page_as_the_reader_s_screen_is():
    """Its two files are those that the pictures of the documentation are made as."""
    shown = re.findall(r'(?:srcset|src)="([^"]+)"', (ROOT / "README.md").read_text("utf-8"))
    wanted = [path.name for path in pictures.files("browse-template", ROOT)]
    assert sorted(shown) == sorted(f"docs/_static/{name}" for name in wanted)
    assert all((ROOT / file).read_bytes()[8:12] == b"WEBP" for file in shown)
