"""What self-contained pages share: their look, and a policy under which nothing else runs."""

import base64
import hashlib
from importlib.resources import files


def base_style() -> str:
    """Give the style that all pages have: light and dark, on paper, without a mouse."""
    return resource(__package__, "base.css")


def resource(package: str, name: str) -> str:
    """Read a text that stands beside the code of a page."""
    return (files(package) / name).read_text(encoding="utf-8").strip()


def content_policy(style: str, script: str) -> str:
    """Give the content security policy of a page: nothing but its own style and script.

    They are named by their hashes, so that not even a fault in escaping would let a text of the
    workspace run.
    """
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
