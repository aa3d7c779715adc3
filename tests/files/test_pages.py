"""What self-contained pages share."""

import base64
import hashlib
import re

from curation.files.pages import base_style, content_policy


def test_the_policy_names_style_and_script_by_their_hashes() -> None:
    """And admits nothing else but pictures within the page."""
    policy = content_policy("body {}", "let a = 1;")
    for tag, text in (("style", "body {}"), ("script", "let a = 1;")):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'; ")
    assert "img-src data:" in policy
    assert "unsafe" not in policy


def test_the_style_fetches_nothing_and_knows_dark_and_paper() -> None:
    """No address, no import; each variable that is used has a value."""
    style = base_style()
    assert "url(" not in style
    assert "@import" not in style
    assert "prefers-color-scheme: dark" in style
    assert "@media print" in style
    named = set(re.findall(r"var\((--[a-z-]+)\)", style))
    assert named <= set(re.findall(r"(--[a-z-]+):", style))
