"""The page of `curate browse` in a real browser: found, read and steered as a person does."""

import re
from pathlib import Path

import pytest
from csv_rows import read_rows
from pages_in_browser import FEW, WIDTHS, broken, browsing, go, until, violations

from curation.files.workspace import Workspace
from exports import write_browse

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
ANSWERS = {
    "#/": "#main [data-item]",
    f"#/template/{EXCLUDED}?tab=samples": ".standing + p",
    "#/survey": ".figures",
    "#/question/c-age-001": ".standing",
}
"""What the first screen of a view has to show."""
IN_SIGHT = """[...document.querySelectorAll('#main [data-item]')]
.filter(row => row.getBoundingClientRect().bottom <= innerHeight).length"""


@pytest.fixture(scope="module")
def folder(decided, tmp_path_factory):
    """The page of the demo after its survey."""
    return write_browse(Workspace(decided), tmp_path_factory.mktemp("browse") / "page").folder


@pytest.fixture
def page(browser, folder):
    """The page as it opens from disk; it may complain of nothing, and asks for its own files."""
    found = browsing(browser, folder)
    yield found
    assert found.said == []
    assert all(one.startswith((folder.as_uri(), "data:")) for one in found.asked)
    found.context.close()


def settle(page, address):
    """Wait until the page shows what its address says."""
    until(
        page, f"location.hash === {address!r} && curateBrowse.shown().route.address === {address!r}"
    )


def choose(page, name, *values):
    """Choose values of a filter by what stands on the screen."""
    page.locator("details.facet summary", has_text=f"{name}:").click()
    for value in values:
        page.locator("details.facet[open] .values").get_by_text(value, exact=True).click()
    page.keyboard.press("Escape")


def rows(page):
    """The templates or samples of the list, as they stand there."""
    found = page.eval_on_selector_all(
        "#main [data-item]", "rows => rows.map(row => row.dataset.item)"
    )
    assert isinstance(found, list)
    return found


def text(page):
    """What stands in the view."""
    return re.sub(r"\s+", " ", str(page.inner_text("#main")))


def test_an_excluded_template_is_found_and_says_why(page):
    """The filters lead to it; its decisions say by which rule and with which numbers."""
    assert page.title() == "Templates · MareviBBQ"
    assert len(rows(page)) == 40
    assert page.inner_text("div.asks p") == "Stereotypes of Marevia, in Korean."
    first = page.inner_text("tr[data-item=age-001]")
    assert "(They have a sweet tooth)" in first
    assert "(Old people), " in first
    page.evaluate("curateBrowse.templates[1].source_groups = [...'ABCDEFG']")
    page.set_viewport_size({"width": 1366, "height": 768})
    assert page.evaluate(IN_SIGHT) >= 12
    page.evaluate("curateBrowse.go('#/templates?q=age-002')")
    settle(page, "#/templates?q=age-002")
    assert "(in the source: A, B, C, D and 3 more)" in text(page)
    page.evaluate("curateBrowse.go('#/')")
    settle(page, "#/")
    page.click("text=Why were templates excluded?")
    settle(page, "#/templates?status=excluded")
    assert len(rows(page)) == 9
    choose(page, "Excluded by", "Validation (two thirds)")
    settle(page, "#/templates?status=excluded&reason=two_thirds")
    assert rows(page) == [EXCLUDED, "birth_season-006"]
    assert "64 of 96 named the target; more than two thirds needed" in text(page)
    spreads = [found.get_attribute("aria-label") for found in page.locator(".histogram").all()]
    assert spreads[2:] == [
        "Status: kept 30, excluded 9, undecided 1",
        "Samples: from 0 to 192, median 32",
    ]
    assert page.inner_text("#count") == "2 of 40 templates fit"
    with page.expect_download() as saving:
        page.click("[data-download=csv]")
    saved = read_rows(Path(saving.value.path()))
    assert [row["template_id"] for row in saved] == [EXCLUDED, "birth_season-006"]
    assert {(row["status"], row["reason"]) for row in saved} == {("excluded", "two_thirds")}
    page.click(f"text={EXCLUDED}")
    settle(page, f"#/template/{EXCLUDED}")
    assert page.title().startswith(f"{EXCLUDED} ")
    said = (
        "Exactly two thirds of the respondents who named a group named the target group (64 of 96)."
    )
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
    choose(page, "Excluded by", "Validation (two thirds)", "Comprehension")
    settle(page, "#/templates?status=excluded&reason=comprehension")
    choose(page, "Status", "undecided")
    choose(page, "Excluded by", "Comprehension")
    settle(page, "#/templates?status=excluded%7Cundecided")
    assert len(rows(page)) == 10


@pytest.mark.parametrize(
    "widths", [FEW, pytest.param(WIDTHS, marks=pytest.mark.nightly)], ids=["few", "all"]
)
def test_every_view_can_be_used_by_all(browser, folder, widths):
    """Axe finds nothing on a phone; by day and night, at no width is a text broken or covered."""
    size = {"width": 390, "height": 844}
    page = browsing(browser, folder, viewport=size, color_scheme="dark")
    for address in VIEWS:
        go(page, address)
        assert violations(page) == [], address
        assert broken(page, ANSWERS.get(address, ""), widths) == [], address
        page.set_viewport_size(size)
    page.context.close()
