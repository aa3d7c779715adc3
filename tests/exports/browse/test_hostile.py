"""Texts that would break a page or run in it, wherever a workspace holds texts of people."""

import pytest
from csv_rows import edit_rows
from pages_in_browser import broken, browsing, go, until

from curation.files.annotations import CLASSIFY_TABLE, AnnotationsFolder
from curation.files.workspace import Workspace
from curation.records.annotation import Annotation
from curation.records.bank import Label
from exports import write_browse
from survey import filter, override

pytestmark = [pytest.mark.server, pytest.mark.xdist_group("browse_page")]

MARKUP = """</script><img src=x onerror="said()"> 'a' & "b" 100% #1 {n} $&"""
LONG = "\u0647\u0630\u0627 " * 40 + "x" * 20_000
"""From right to left, and a word that ends nowhere."""
VIEWS = (
    "#/",
    "#/template/age-001",
    "#/template/age-001?tab=decisions",
    "#/template/age-002",
    "#/sample/age-001a-001-amb-bsd",
    "#/survey",
    "#/template/%3Cimg%20src=x%3E",
)


@pytest.fixture
def page(browser, workspace):
    """The page of the demo, some of whose texts are markup, or names of JavaScript's own."""
    root = workspace.root
    settings = root / "culture.yaml"
    quoted = MARKUP.replace("'", "''")
    settings.write_text(
        settings.read_text("utf-8").replace("name: 나이", f"name: '{quoted}'"), "utf-8"
    )
    first = {"note": f"{MARKUP} {LONG}", "reference": f"javascript:said() {MARKUP}"}

    def change(row):
        if (row["template_id"], row["variant"]) != ("age-001", "a"):
            return {}
        return {**first, "ambiguous_context": row["ambiguous_context"] + LONG}

    edit_rows(root / "templates_src" / "bank.csv", change)
    said = Annotation("age-001", "Mina", Label.TARGET_MODIFIED, "", ("A",), (MARKUP,))
    CLASSIFY_TABLE.write(AnnotationsFolder(root).classify, [said])
    filter(Workspace(root), [root / "responses" / "responses.csv"])
    for name, keep, reason in (("age-001", True, MARKUP), ("age-002", False, "constructor")):
        override(Workspace(root), [name], keep=keep, reason=reason, by=MARKUP)
    made = browsing(browser, write_browse(Workspace(root)).folder)
    yield made
    made.context.close()


def test_texts_of_people_are_shown_as_they_are_written_and_do_nothing(page):
    """Markup in names, notes and reasons is text; a reason may be any word. None breaks a view."""
    shown = []
    for address in VIEWS:
        go(page, address)
        shown.append(page.inner_text("#main"))
        assert broken(page) == [], address
        assert page.locator("img").count() == 0
        assert page.locator("a[href^='javascript']").count() == 0
    assert page.said == []
    assert "constructor" in shown[3]
    assert f"targets A, non-targets {MARKUP}" in shown[2]
    assert all(MARKUP in shown[at] for at in (1, 2, 4, 5))
    page.evaluate("curateBrowse.go('#/templates?category=Age')")
    until(page, "document.querySelectorAll('#main [data-item]').length === 8")
