"""The page of `curate browse` in a real browser: found, read and steered as a person does."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pages_in_browser import headless, opened, until, violations

from curation.files.workspace import Workspace
from exports.browse import write_browse
from survey import filter

DEMO = Path(__file__).parents[3] / "templates_src" / "demo"
pytestmark = [pytest.mark.server, pytest.mark.xdist_group("browse_page")]

EXCLUDED = "age-006"  # two thirds of those who named a group named its target, and no more
SAMPLE = "age-001a-001-amb-bsd"
VIEWS = (
    "#/",
    "#/templates?q=nothing+like+it",
    "#/template/age-001",
    "#/template/age-001?tab=decisions",
    "#/template/age-001?tab=samples",
    f"#/template/{EXCLUDED}?tab=samples",
    f"#/sample/{SAMPLE}",
    "#/template/none",
    "#/survey",
    "#/survey?stereotype_share=3%2F4&near=1",
    "#/question/q-home_region-c4888bc5",
    "#/question/c-age-001",
    "#/comments",
)
READY = "document.documentElement.dataset.ready === 'yes'"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless browser of this machine; tests are skipped where there is none."""
    with headless() as found:
        yield found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the demo after its survey."""
    root = tmp_path_factory.mktemp("browse") / "demo"
    shutil.copytree(DEMO, root)
    filter(Workspace(root), [root / "responses" / "responses.csv"])
    return write_browse(Workspace(root)).folder


@pytest.fixture
def page(browser: Any, folder: Path) -> Iterator[Any]:
    """The page as it opens from disk; it may complain of nothing, and asks for its own files."""
    found = opened(browser, (folder / "index.html").as_uri())
    until(found, READY)
    yield found
    assert found.said == []
    assert all(one.startswith((folder.as_uri(), "data:")) for one in found.asked)
    found.context.close()


def go(page: Any, address: str) -> None:
    """Go to an address of the page, and wait until it is shown."""
    page.evaluate(
        "async hash => { history.replaceState(null, '', hash); await curateBrowse.show(); }",
        address,
    )


def settle(page: Any, address: str) -> None:
    """Wait until the page shows what its address says."""
    until(
        page, f"location.hash === {address!r} && curateBrowse.shown().route.address === {address!r}"
    )


def rows(page: Any) -> list[str]:
    """The templates or samples of the list, as they stand there."""
    found = page.eval_on_selector_all(
        "#main [data-item]", "rows => rows.map(row => row.dataset.item)"
    )
    assert isinstance(found, list)
    return found


def text(page: Any) -> str:
    """What stands in the view."""
    return re.sub(r"\s+", " ", str(page.inner_text("#main")))


def test_an_excluded_template_is_found_and_says_why(page: Any) -> None:
    """The filters lead to it; its decisions say by which rule and with which numbers."""
    assert page.title() == "Templates · MareviBBQ"
    assert len(rows(page)) == 40
    page.select_option("[data-filter=status]", "excluded")
    settle(page, "#/templates?status=excluded")
    assert len(rows(page)) == 9
    page.select_option("[data-filter=reason]", "two_thirds")
    settle(page, "#/templates?status=excluded&reason=two_thirds")
    assert rows(page) == [EXCLUDED, "birth_season-006"]
    assert "64 of 96 named the target; more than two thirds needed" in text(page)
    assert page.inner_text("#count") == "2 of 40 templates fit"
    page.click(f"text={EXCLUDED}")
    settle(page, f"#/template/{EXCLUDED}")
    assert page.title().startswith(f"{EXCLUDED} ")
    said = "64 of 96 respondents who named a group named the target group, a share of 0.667."
    assert said in text(page)
    page.click("text=Labels and decisions")
    settle(page, f"#/template/{EXCLUDED}?tab=decisions")
    decision = page.locator(".decision", has_text="Two thirds")
    assert "exclude" in decision.inner_text()
    assert "0.568 to 0.753" in decision.inner_text()
    picture = decision.locator("svg").get_attribute("aria-label")
    assert picture == "Share 0.667, threshold 0.667, 95 % interval 0.568 to 0.753"
    page.click("nav.crumbs >> text=Templates")
    settle(page, "#/templates?status=excluded&reason=two_thirds")
    assert rows(page) == [EXCLUDED, "birth_season-006"]


@pytest.mark.nightly
def test_the_keyboard_leads_through(page: Any) -> None:
    """From the search to a row, into it, through its neighbours, and up again."""
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "search"
    page.keyboard.type("jk?u")  # letters in a field are letters
    settle(page, "#/templates?q=jk%3Fu")
    page.fill("#search", "")
    settle(page, "#/templates")
    page.evaluate("document.activeElement.blur()")
    for key in ("j", "j", "j", "k"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.textContent") == "age-002"
    page.keyboard.press("Enter")
    settle(page, "#/template/age-002")
    page.keyboard.press("j")
    settle(page, "#/template/age-003")
    page.keyboard.press("k")
    settle(page, "#/template/age-002")
    page.keyboard.press("u")
    settle(page, "#/templates")
    page.keyboard.press("?")
    assert page.locator("dialog[open]").count() == 1
    assert violations(page) == []
    page.uncheck("#single-keys")
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") != "search"


@pytest.mark.parametrize(
    ("scheme", "width"),
    [("light", 1366), pytest.param("dark", 390, marks=pytest.mark.nightly)],
)
def test_every_view_can_be_used_by_all(browser: Any, folder: Path, scheme: str, width: int) -> None:
    """No view has a fault that axe finds, on a phone or a large screen; none is wider than it."""
    size = {"width": width, "height": 844}
    page = opened(browser, (folder / "index.html").as_uri(), viewport=size, color_scheme=scheme)
    until(page, READY)
    for address in VIEWS:
        go(page, address)
        assert violations(page) == [], address
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address
    page.context.close()
