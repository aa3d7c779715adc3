"""The commands that README and documentation show are run, and print what is shown."""

import difflib

import pytest
from doc_pages import ROOT, blocks, matches, pages, run_page

PAGES = pages()


def told(ran):
    lines = difflib.unified_diff(
        ran.command.shown, ran.printed, "page", "printed", n=1, lineterm=""
    )
    return "\n".join([ran.where, *lines])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_do_what_the_page_shows(page, tmp_path, warm):
    """In an empty folder, in order: same output, same exit status ('make docs-output' updates)."""
    ran = run_page(page, tmp_path, warm)
    assert ran
    failed = [item for item in ran if item.status != item.wanted_status]
    assert [(item.where, item.status, item.printed) for item in failed] == []
    consoles = [item for item in ran if item.block.language == "console"]
    wrong = [told(item) for item in consoles if not matches(item.command.shown, item.printed)]
    assert wrong == []


def test_what_is_not_run_says_why():
    """In README and cookbook every block of commands is run, or is one that says why it is not."""
    silent = [
        f"{page}, line {block.line}"
        for page in ("README.md", "docs/cookbook.md")
        for block in blocks(ROOT / page)
        if block.language in ("bash", "console")
        and not block.is_run
        and len(block.marks.get("not run", "")) < 10
    ]
    assert silent == []
