"""Comments in a real browser: written, kept, saved as a file, and collected."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pages_in_browser import headless, opened, until

from curation.cli.main import main
from curation.files.workspace import Workspace
from exports.browse.collecting import collect_comments
from exports.browse.standing import Standing
from exports.browse.writing import write_browse
from survey import explain, filter

pytestmark = [pytest.mark.server, pytest.mark.xdist_group("browser")]
DEMO = Path(__file__).parents[3] / "templates_src" / "demo"
EXCLUDED, KEPT = "age-006", "age-001"
NO_STORAGE = "Object.defineProperty(window, 'localStorage', {get() { throw new Error('no'); }});"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """The demo after its survey, with a page."""
    folder = tmp_path / "demo"
    shutil.copytree(DEMO, folder)
    workspace = Workspace(folder)
    filter(workspace, [folder / "responses" / "responses.csv"])
    write_browse(workspace)
    return workspace


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser for all tests of the module."""
    with headless() as found:
        yield found


def start(browser: Any, workspace: Workspace) -> Any:
    """The page as somebody opens it from disk."""
    path = workspace.exports_folder / "browse" / "index.html"
    page = opened(browser, path.as_uri())
    page.home = path.as_uri()
    until(page, "document.documentElement.dataset.ready === 'yes'")
    return page


def go(page: Any, address: str) -> None:
    """Go to an address of the page."""
    page.evaluate("(address) => { location.hash = address; }", address)
    id_ = address.rsplit("/", 1)[-1]
    where = f"[data-subject='{id_}']" if "/" in address[2:] else ".view[data-view='comments']"
    until(page, f'document.querySelector("{where}") !== null')


def write(page: Any, text: str, proposal: str = "") -> None:
    """Write a comment below what is shown."""
    form = page.locator(".commenting > form")
    form.get_by_label("Comment").fill(text)
    form.get_by_label("Proposal").select_option(proposal)
    form.get_by_role("button", name="Add comment").click()


def save(page: Any, name: str, folder: Path) -> Path:
    """Save all comments as a file under a name."""
    go(page, "#/comments")
    page.get_by_label("Your name").fill(name)
    with page.expect_download() as started:
        page.get_by_role("button", name="Save as a file").click()
    path = folder / str(started.value.suggested_filename)
    started.value.save_as(path)
    return path


def test_a_proposal_to_keep_a_template_reaches_the_ledger(
    browser: Any, workspace: Workspace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Found among those excluded, proposed, saved, collected; filter and explain keep it."""
    page = start(browser, workspace)
    page.get_by_label("Status").select_option("excluded")
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

    run(capsys, 0, "browse", "collect", path, "-w", workspace.root, "--by", "Ara")
    survey = workspace.responses_folder / "responses.csv"
    run(capsys, 0, "filter", "-w", workspace.root, "--survey", survey)
    workspace.refresh()
    outcome = explain(workspace, EXCLUDED).templates[0]
    assert (outcome.status, outcome.reason) == (
        "kept",
        "Two people <b>misread</b> it",
    )
    told = run(capsys, 0, "explain", EXCLUDED, "-w", workspace.root)
    assert "override keep (Two people <b>misread</b> it)  [Ara, " in told
    again = run(capsys, 0, "browse", "collect", path, "-w", workspace.root, "--by", "Ara")
    assert "0 decisions added to the ledger" in again


def run(capsys: pytest.CaptureFixture[str], code: int, *args: object) -> str:
    """Run a command; gives what it printed."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as left:
        main([str(arg) for arg in args])
    printed = capsys.readouterr()
    assert left.value.code == code, printed.err
    return printed.out


def test_comments_are_edited_deleted_and_taken_back(
    browser: Any, workspace: Workspace, tmp_path: Path
) -> None:
    """What is deleted goes from what was collected too; the keyboard reaches the form."""
    page = start(browser, workspace)
    go(page, f"#/template/{KEPT}")
    page.keyboard.press("c")
    until(page, "document.activeElement.tagName === 'TEXTAREA'")
    page.keyboard.type("c j k ?")
    page.get_by_role("button", name="Add comment").click()
    until(page, "document.querySelectorAll('.comment').length === 1")
    assert "c j k ?" in page.locator(".comment").inner_text()
    write(page, "", "")
    assert page.get_by_role("alert").filter(visible=True).inner_text() == (
        "Write a comment or choose a proposal."
    )
    write(page, "second", "exclude")
    first = collect_comments(workspace, [save(page, "Jun", tmp_path)])
    assert [item.standing for item in first.items] == [Standing.REMARK, Standing.OPEN]
    box = page.locator(".comment").filter(has_text="second")
    box.get_by_role("button", name="Edit").click()
    page.locator(".comment textarea").fill("second, and more")
    page.locator(".comment select").first.select_option("")
    page.get_by_role("button", name="Keep the change").click()
    until(page, "document.body.innerText.includes('second, and more')")
    page.locator(".comment").filter(has_text="c j k").get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Undo").click()
    until(page, "document.querySelectorAll('.comment .text').length === 2")
    page.locator(".comment").filter(has_text="c j k").get_by_role("button", name="Delete").click()
    page.reload()
    until(page, "document.querySelectorAll('.comment .text').length === 1")
    found = collect_comments(workspace, [save(page, "Jun", tmp_path)])
    assert [(item.text, item.proposal.value) for item in found.items] == [("second, and more", "")]
    assert (found.merged.replaced, found.merged.deleted) == (1, 1)


def test_a_browser_that_keeps_nothing_says_so(
    browser: Any, workspace: Workspace, tmp_path: Path
) -> None:
    """Comments can be written and saved all the same, until the page is closed."""
    page = start(browser, workspace)
    page.add_init_script(NO_STORAGE)
    page.reload()
    until(page, "document.documentElement.dataset.ready === 'yes'")
    go(page, f"#/template/{KEPT}")
    assert "This browser does not keep your comments." in page.locator(".commenting").inner_text()
    write(page, "kept for now", "exclude")
    go(page, "#/comments")
    assert "This browser does not keep your comments." in page.locator("#main").inner_text()
    path = save(page, "Jun", tmp_path)
    assert [item["text"] for item in json.loads(path.read_text("utf-8"))["comments"]] == [
        "kept for now"
    ]


def test_what_a_browser_kept_and_cannot_be_read_is_put_aside(
    browser: Any, workspace: Workspace
) -> None:
    """It is said and not written over."""
    page = start(browser, workspace)
    place = page.evaluate("`curate-browse-comments-${curateBrowse.index.fingerprint}`")
    page.evaluate("(place) => localStorage.setItem(place, '{half')", place)
    page.reload()
    until(page, "document.documentElement.dataset.ready === 'yes'")
    go(page, "#/comments")
    assert "could not be read" in page.locator("#main").inner_text()
    assert page.evaluate("(place) => localStorage.getItem(`${place}-damaged`)", place) == "{half"


def test_a_name_is_asked_for_before_a_file_is_saved(browser: Any, workspace: Workspace) -> None:
    """Without comments there is nothing to save."""
    page = start(browser, workspace)
    go(page, "#/comments")
    button = page.get_by_role("button", name="Save as a file")
    assert button.is_disabled()
    go(page, f"#/template/{KEPT}")
    write(page, "x" * 20_000)
    go(page, "#/comments")
    button.click()
    assert page.get_by_role("alert").filter(visible=True).inner_text() == "Write your name first."
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_two_windows_do_not_write_over_each_other(browser: Any, workspace: Workspace) -> None:
    """A comment of one is there in the other."""
    page = start(browser, workspace)
    other = page.context.new_page()
    other.goto(f"{page.home}#/template/{KEPT}")
    until(other, f"document.querySelector(\"[data-subject='{KEPT}']\") !== null")
    go(page, f"#/template/{EXCLUDED}")
    write(page, "from one")
    write(other, "from the other")
    until(other, "document.querySelector('#top nav').innerText.includes('Comments (2)')")


def test_what_is_written_and_not_added_yet_is_kept(browser: Any, workspace: Workspace) -> None:
    """When one goes to another template and back, and when another window adds a comment."""
    page = start(browser, workspace)
    go(page, f"#/template/{KEPT}")
    area = page.locator(".commenting > form textarea")
    area.fill("half a thou")
    go(page, f"#/template/{EXCLUDED}")
    assert area.input_value() == ""
    go(page, f"#/template/{KEPT}")
    assert area.input_value() == "half a thou"
    page.locator("h1").click()
    other = page.context.new_page()
    other.goto(page.home)
    until(other, "document.documentElement.dataset.ready === 'yes'")
    go(other, f"#/template/{KEPT}")
    write(other, "from another window")
    until(page, "document.querySelectorAll('.comments li').length === 1")
    assert area.input_value() == "half a thou"
    page.get_by_role("button", name="Edit").click()
    page.locator(".comment textarea").fill("from another window, edited")
    page.locator("h1").click()
    write(other, "and one more")
    until(page, 'document.querySelector("nav a[data-view=comments]").textContent.includes("2")')
    assert page.locator(".comment textarea").input_value() == "from another window, edited"
    page.get_by_role("button", name="Keep the change").click()
    until(page, "document.querySelectorAll('.comments li').length === 2")
    write(page, "half a thought")
    assert area.input_value() == ""
    page.context.close()


def reloaded(page: Any) -> None:
    """Load the page again, as after it was closed."""
    page.reload()
    until(page, "document.documentElement.dataset.ready === 'yes'")


def kept(page: Any) -> dict[str, str]:
    """What the browser keeps for the page, without the names of benchmarks."""
    found = page.evaluate("Object.fromEntries(Object.entries(localStorage))")
    name = page.evaluate("curateBrowse.index.fingerprint")
    return {key.replace(name, "*"): text for key, text in found.items()}


DRAFTS = "curate-browse-drafts-*"


def test_a_draft_is_there_again_after_the_page_was_closed(
    browser: Any, workspace: Workspace
) -> None:
    """With its proposal and text of the template, until it is added; nothing else is stored."""
    page = start(browser, workspace)
    go(page, f"#/template/{KEPT}")
    form = page.locator(".commenting > form")
    form.get_by_label("Comment").fill("half a thought")
    form.get_by_label("Proposal").select_option("modify")
    form.get_by_label("About").select_option("biased_question")
    reloaded(page)
    until(page, f"document.querySelector(\"[data-subject='{KEPT}']\") !== null")
    draft = {"kind": "template", "text": "half a thought", "proposal": "modify"}
    draft["field"] = "biased_question"
    assert {name: json.loads(text) for name, text in kept(page).items()} == {DRAFTS: {KEPT: draft}}
    assert form.get_by_label("Comment").input_value() == "half a thought"
    assert form.get_by_label("Proposal").input_value() == "modify"
    assert form.get_by_label("About").input_value() == "biased_question"
    go(page, "#/comments")
    assert page.locator(".notes:visible li").inner_text().split() == [KEPT, "Discard"]
    go(page, f"#/template/{KEPT}")
    form.get_by_role("button", name="Add comment").click()
    until(page, "document.querySelectorAll('.comment').length === 1")
    assert set(kept(page)) == {"curate-browse-comments-*"}
    reloaded(page)
    assert form.get_by_label("Comment").input_value() == ""
    assert page.locator(".comment .text").inner_text() == "half a thought"
    page.context.close()


def test_the_draft_of_a_change_is_open_again(browser: Any, workspace: Workspace) -> None:
    """Until it is cancelled, kept, or its comment deleted."""
    page = start(browser, workspace)
    go(page, f"#/template/{KEPT}")
    write(page, "first")
    until(page, "document.querySelectorAll('.comment').length === 1")
    page.get_by_role("button", name="Edit").click()
    page.locator(".comment textarea").fill("first, and more")
    reloaded(page)
    until(page, "document.querySelector('.comment textarea') !== null")
    assert page.locator(".comment textarea").input_value() == "first, and more"
    page.get_by_role("button", name="Cancel").click()
    assert page.locator(".comment .text").inner_text() == "first"
    assert DRAFTS not in kept(page)
    page.get_by_role("button", name="Edit").click()
    page.locator(".comment textarea").fill("second")
    page.get_by_role("button", name="Keep the change").click()
    until(page, "document.querySelector('.comment .text')?.textContent === 'second'")
    assert DRAFTS not in kept(page)
    page.context.close()


def test_drafts_of_two_benchmarks_do_not_mix(
    browser: Any, workspace: Workspace, tmp_path: Path
) -> None:
    """Pages from one place share what the browser keeps; a discarded draft is gone."""
    other = Workspace(shutil.copytree(workspace.root, tmp_path / "other"))
    settings = other.root / "culture.yaml"
    text = settings.read_text("utf-8")
    settings.write_text(text.replace("canary: ", "canary: another "), "utf-8")
    write_browse(other)
    page = start(browser, workspace)
    area = page.locator(".commenting > form textarea")
    go(page, f"#/template/{KEPT}")
    area.fill("of the demo")
    page.goto((other.exports_folder / "browse" / "index.html").as_uri())
    until(page, "document.documentElement.dataset.ready === 'yes'")
    go(page, f"#/template/{KEPT}")
    assert area.input_value() == ""
    assert any("of the demo" in text for text in kept(page).values())
    area.fill("of the other")
    go(page, "#/comments")
    page.get_by_role("button", name="Discard").click()
    assert page.locator("#main .notes:visible").count() == 0
    page.goto(page.home)
    until(page, "document.documentElement.dataset.ready === 'yes'")
    go(page, f"#/template/{KEPT}")
    assert area.input_value() == "of the demo"
    assert len(kept(page)) == 1
    page.context.close()


def test_drafts_that_cannot_be_kept_or_read_disturb_nobody(
    browser: Any, workspace: Workspace
) -> None:
    """A damaged store is as an empty one; without a store a draft holds until the page closes."""
    page = start(browser, workspace)
    place = page.evaluate("`curate-browse-drafts-${curateBrowse.index.fingerprint}`")
    for damaged in ("{half", "null", "[1]", '{"age-001": 3}'):
        page.evaluate("([place, text]) => localStorage.setItem(place, text)", [place, damaged])
        reloaded(page)
        go(page, f"#/template/{KEPT}")
        area = page.locator(".commenting > form textarea")
        assert area.input_value() == ""
        go(page, "#/comments")
        assert page.locator("#main .notes:visible").count() == 0
    page.add_init_script(NO_STORAGE)
    reloaded(page)
    go(page, f"#/template/{KEPT}")
    area.fill("for now")
    go(page, "#/comments")
    go(page, f"#/template/{KEPT}")
    assert area.input_value() == "for now"
    assert page.said == []
    page.context.close()


def test_a_change_of_a_comment_that_another_window_deletes_is_kept(
    browser: Any, workspace: Workspace
) -> None:
    """What was written last is wanted: the comment is there again, and is no longer deleted."""
    page = start(browser, workspace)
    go(page, f"#/template/{KEPT}")
    write(page, "first")
    until(page, "document.querySelectorAll('.comment').length === 1")
    page.get_by_role("button", name="Edit").click()
    page.locator(".comment textarea").fill("an hour of work")
    other = page.context.new_page()
    other.goto(f"{page.home}#/template/{KEPT}")
    until(other, "document.querySelector('.comment textarea') !== null")
    other.evaluate(
        "curateBrowse.comments.all().forEach(({id}) => curateBrowse.comments.remove(id))"
    )
    assert json.loads(kept(page)["curate-browse-comments-*"])["comments"] == []
    page.get_by_role("button", name="Keep the change").click()
    until(page, "document.querySelector('.comment .text')?.textContent === 'an hour of work'")
    store = json.loads(kept(page)["curate-browse-comments-*"])
    assert [item["text"] for item in store["comments"]] == ["an hour of work"]
    assert store["deleted"] == []
    page.context.close()


def test_a_draft_for_which_the_browser_has_no_room_is_said(
    browser: Any, workspace: Workspace
) -> None:
    """A store that is nearly full takes a probe and no draft; with room again nothing is said."""
    page = start(browser, workspace)
    go(page, f"#/template/{KEPT}")
    page.evaluate("""() => {
      for (let size = 1 << 22; size > 64; size /= 2)
        try {
          for (let n = 0; ; n += 1) localStorage.setItem(`${size}-${n}`, "x".repeat(size));
        } catch { /* the next smaller piece */ }
    }""")
    assert page.evaluate("curateBrowse.comments.isKept()")
    area = page.locator(".commenting > form textarea")
    said = page.locator(".commenting > form [data-unkept]")
    assert not said.is_visible()
    area.fill("a thought that takes more room than there is " * 5)
    assert said.inner_text().startswith("This browser does not keep this draft.")
    page.evaluate("localStorage.clear()")
    area.fill("a thought")
    assert not said.is_visible()
    assert json.loads(kept(page)[DRAFTS])[KEPT]["text"] == "a thought"
    page.context.close()
