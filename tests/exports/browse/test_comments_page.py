"""Comments in a real browser: written, kept, saved as a file, and collected."""

import json

import pytest
from pages_in_browser import browsing, go, until

from curation.cli.main import main
from exports.browse.writing import write_browse
from survey import explain

pytestmark = [pytest.mark.server, pytest.mark.xdist_group("browser")]
EXCLUDED = "age-006"


def write(page, text, proposal=""):
    form = page.locator(".commenting > form")
    form.get_by_label("Comment").fill(text)
    form.get_by_label("Proposal").select_option(proposal)
    form.get_by_role("button", name="Add comment").click()


def save(page, name, folder):
    go(page, "#/comments")
    page.get_by_label("Your name").fill(name)
    with page.expect_download() as started:
        page.get_by_role("button", name="Save as a file").click()
    path = folder / str(started.value.suggested_filename)
    started.value.save_as(path)
    return path


def test_a_proposal_to_keep_a_template_reaches_the_ledger(browser, workspace, tmp_path, capsys):
    """Found among those excluded, proposed, saved, collected; filter and explain keep it."""
    page = browsing(browser, write_browse(workspace).folder)
    page.locator("details.facet summary", has_text="Status:").click()
    page.locator("details.facet[open] .values").get_by_text("excluded", exact=True).click()
    until(page, "location.hash === '#/templates?status=excluded'")
    page.locator(f"[data-item='{EXCLUDED}'] a").click()
    until(page, f"document.querySelector(\"[data-subject='{EXCLUDED}']\") !== null")
    write(page, "Two people\n<b>misread</b> it", "keep")
    until(page, "document.querySelectorAll('.comment').length === 1")
    assert page.locator(".comment").inner_text().startswith("proposal: keep")
    assert page.locator(".comment b").count() == 0
    page.reload()
    until(page, "document.querySelectorAll('.comment').length === 1")
    go(page, "#/question/q-age-cfb6de20")
    write(page, "well known")
    assert page.locator("#top nav").inner_text().endswith("Comments (2)")
    path = save(page, "Min Ji", tmp_path)
    assert path.name == "comments-min-ji.json"
    said = json.loads(path.read_text("utf-8"))
    assert (said["format"], said["by"], len(said["comments"])) == (1, "Min Ji", 2)
    assert page.said == []

    run(capsys, 0, "collect", path, "-w", workspace.root, "--by", "Ara")
    survey = workspace.responses_folder / "responses.csv"
    run(capsys, 0, "filter", "-w", workspace.root, "--survey", survey)
    workspace.refresh()
    outcome = explain(workspace, EXCLUDED).templates[0]
    assert (outcome["status"], outcome["reason"]) == (
        "kept",
        "Two people <b>misread</b> it",
    )
    told = run(capsys, 0, "explain", EXCLUDED, "-w", workspace.root)
    assert "override keep (Two people <b>misread</b> it)  [Ara, " in told
    again = run(capsys, 0, "collect", path, "-w", workspace.root, "--by", "Ara")
    assert "0 decisions added to the ledger" in again


def run(capsys, code, *args):
    """Run a command; gives what it printed."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as left:
        main([str(arg) for arg in args])
    printed = capsys.readouterr()
    assert left.value.code == code, printed.err
    return printed.out
