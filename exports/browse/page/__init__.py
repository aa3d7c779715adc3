"""The page of `curate browse`: what a browser runs, as it is written, without a build step."""

from importlib.resources import files

from curation.report.texts import base_style

INDEX = "index.html"
"""The page itself; everything else lies in the folder `page` beside it."""
_FOLDER = "page"
_BASE = "base.css"
_ENDINGS = (".js", ".css")


def page_files() -> dict[str, bytes]:
    """The files of the page, by their paths in the folder that is written.

    The look that all pages of the toolkit share is one of them, so the page needs nothing outside
    its folder.
    """
    here = files(__package__)
    own = sorted(item.name for item in here.iterdir() if item.name.endswith(_ENDINGS))
    found = {f"{_FOLDER}/{name}": (here / name).read_bytes() for name in own}
    found[f"{_FOLDER}/{_BASE}"] = f"{base_style()}\n".encode()
    return {INDEX: (here / INDEX).read_bytes(), **found}
