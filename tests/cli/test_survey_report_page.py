"""The page of `curate survey report` in a real browser, opened from disk."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pages_in_browser import headless, opened, until

from curation.cli.main import main

pytestmark = pytest.mark.server

QUESTIONS = 66
NARROW = {"width": 320, "height": 600}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless browser of this machine; tests are skipped where there is none."""
    with headless() as found:
        yield found


@pytest.fixture(scope="module")
def address(_filtered: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page's address on disk."""
    folder = tmp_path_factory.mktemp("page")
    with pytest.raises(SystemExit) as left:
        main(["survey", "report", "-w", str(_filtered), "--out", str(folder)])
    assert left.value.code == 0
    return (folder / "report.html").as_uri()


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Any]:
    """The page as it opens."""
    found = opened(browser, address)
    yield found
    assert found.asked == [address]
    assert found.said == []
    found.context.close()


def shown(page: Any) -> list[str]:
    """Give the ids of the rows that can be seen."""
    found = page.eval_on_selector_all(
        "table.cards tr[data-decision]",
        "rows => rows.filter(row => row.checkVisibility()).map(row => row.id.slice(4))",
    )
    assert isinstance(found, list)
    return found


def status(page: Any) -> str:
    """Give what the page says of the rows that it shows."""
    return str(page.inner_text("#count"))


def test_the_page_opens_from_disk_and_asks_for_nothing(page: Any) -> None:
    """No request except for itself, no error; every question is shown."""
    assert page.title() == "Survey report: Marevia 1.0"
    assert len(shown(page)) == QUESTIONS
    assert status(page) == f"All {QUESTIONS} questions are shown"
    assert page.evaluate("performance.getEntriesByType('resource').length") == 0


def test_search_narrows_the_rows(page: Any) -> None:
    """By stereotype, group, question and template; all of the words, in any case."""
    page.fill("#text", "우산을")
    assert shown(page) == ["q-age-6df96e0c", "c-age-003"]
    assert status(page) == f"2 of {QUESTIONS} questions are shown"
    page.fill("#text", "HOBBY-005")
    assert shown(page) == ["q-hobby-382045e0", "c-hobby-005"]
    page.fill("#text", "구름언덕 빠르다 q-")
    assert shown(page) == ["q-home_region-c4888bc5"]
    page.fill("#text", "nothing like it")
    assert shown(page) == []
    assert page.locator(".nothing:visible").count() == 3
    page.click("button[type=reset]")
    until(page, "document.querySelector('#count').textContent.startsWith('All')")
    assert len(shown(page)) == QUESTIONS


def test_filters_narrow_the_rows_together(page: Any) -> None:
    """By category, by decision, and near a threshold only."""
    page.select_option("#decision", "dropped")
    assert len(shown(page)) == 5
    page.select_option("#category", "Hobby")
    assert shown(page) == ["q-hobby-382045e0", "c-hobby-008"]
    page.select_option("#decision", "")
    page.check("#near")
    assert shown(page) == [
        *("q-hobby-cb18b1fc", "q-hobby-382045e0", "q-hobby-629f4373", "c-hobby-008"),
    ]
    page.select_option("#category", "")
    # Target selection has no such mark.
    assert status(page).startswith("11 of")


def test_columns_sort_both_ways(page: Any) -> None:
    """By number or by the language's order, which the header says."""
    table = page.locator("#validation table")
    share = table.locator("th", has_text="Named the target")
    share.locator("button").click()
    assert share.get_attribute("aria-sort") == "ascending"
    values = table.locator("tbody td:nth-child(3)").evaluate_all(
        "cells => cells.map(cell => Number(cell.dataset.v))"
    )
    assert values == sorted(values)
    assert shown(page)[0] == "q-birth_season-89d16e2b"
    share.locator("button").click()
    assert share.get_attribute("aria-sort") == "descending"
    assert shown(page)[0] == "q-occupation-a978e5cd"
    stereotype = table.locator("th", has_text="Stereotype").first
    stereotype.locator("button").click()
    assert share.get_attribute("aria-sort") == "none"
    names = table.locator("tbody th").evaluate_all("cells => cells.map(cell => cell.dataset.v)")
    assert names == sorted(names)
    page.click("button[type=reset]")
    until(page, "!document.querySelector('[aria-sort=ascending]')")
    assert shown(page)[0] == "q-age-cfb6de20"


def test_the_keyboard_alone_is_enough(page: Any) -> None:
    """Tab, typing, arrows, space and Enter reach and work everything; the focus is seen."""
    press = page.keyboard.press
    press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    assert page.locator(".skip").bounding_box()["y"] >= 0
    press("Enter")
    while page.evaluate("document.activeElement.id") != "text":
        press("Tab")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.type("hobby")
    press("Tab")
    press("Tab")
    assert page.evaluate("document.activeElement.id") == "decision"
    press("ArrowDown")
    press("ArrowDown")
    assert page.input_value("#decision") == "dropped"
    assert shown(page) == ["q-hobby-382045e0", "c-hobby-008"]
    press("Tab")
    press("Space")
    assert page.is_checked("#near")
    press("Tab")
    press("Enter")
    until(page, "document.querySelector('#count').textContent.startsWith('All')")
    while page.evaluate("document.activeElement.parentNode.dataset.sort") != "number":
        press("Tab")
    press("Enter")
    assert shown(page)[0] == "q-birth_season-89d16e2b"
    while page.evaluate("document.activeElement.tagName") != "SUMMARY":
        press("Tab")
    press("Enter")
    assert page.locator("details.more[open]").count() == 1


def test_a_link_to_a_row_that_is_filtered_away_shows_it(page: Any) -> None:
    """The filters are taken off, and the row is brought into view."""
    page.select_option("#category", "Age")
    page.locator("#respondents a", has_text="q-hobby-382045e0").first.click()
    until(page, "document.querySelector('#count').textContent.startsWith('All')")
    until(
        page,
        "document.getElementById('row-q-hobby-382045e0').getBoundingClientRect().top < innerHeight",
    )


def test_it_is_dark_where_the_reader_wants_it_dark(browser: Any, address: str) -> None:
    """Text stands out in both; bars and badges have colours of their own."""
    found = {}
    for scheme in ("light", "dark"):
        page = opened(browser, address, color_scheme=scheme)
        found[scheme] = page.evaluate(CONTRASTS)
        page.context.close()
    assert found["light"]["page"] != found["dark"]["page"]
    for scheme, values in found.items():
        for name, ratio in values["ratios"].items():
            assert ratio >= 4.5, (scheme, name, ratio)


CONTRASTS = """() => {
  const canvas = document.createElement("canvas").getContext("2d");
  const rgb = (colour) => {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
  };
  const light = (colour) => {
    const [r, g, b] = rgb(colour);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (colour !== "rgba(0, 0, 0, 0)") return colour;
    }
    return "white";
  };
  const ratios = {};
  for (const name of ["p", "a[href]", ".meta", ".why", ".badge.kept", ".badge.dropped",
    ".badge.near", ".key", ".controls label", "button", ".made", ".soft", "summary"]) {
    const element = document.querySelector(name);
    const [one, other] = [light(getComputedStyle(element).color), light(ground(element))];
    ratios[name] = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  }
  return { page: getComputedStyle(document.body).backgroundColor, ratios };
}"""


def test_paper_shows_every_row_and_no_control(page: Any) -> None:
    """Also those that are filtered away on the screen; headers are words, not buttons."""
    page.select_option("#category", "Age")
    assert len(shown(page)) < QUESTIONS
    page.emulate_media(media="print")
    assert len(shown(page)) == QUESTIONS
    for selector in ("#find", "nav", "details.more", "th button", ".nothing", ".skip"):
        assert page.locator(f"{selector}:visible").count() == 0, selector
    assert page.locator("#validation thead th", has_text="Named the target").is_visible()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details.sec:not([open])").count() == 0


def test_without_a_script_everything_is_there(browser: Any, address: str) -> None:
    """All rows, and no control that would do nothing."""
    page = opened(browser, address, java_script_enabled=False)
    assert page.locator("table.cards tr[data-decision]:visible").count() == QUESTIONS
    assert page.locator("button:visible, input:visible, select:visible").count() == 0
    assert (page.asked, page.said) == ([address], [])
    page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_narrow_window_needs_no_scrolling_sideways(
    browser: Any, address: str, scheme: str
) -> None:
    """320 pixels are a phone, and a desktop at 400 %; wide tables scroll by themselves."""
    page = opened(browser, address, viewport=NARROW, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"]
    header = page.locator("#validation thead button", has_text="Named the target")
    assert header.is_visible()
    wide = page.evaluate(
        "[...document.querySelectorAll('table.cards tr[data-decision]')]"
        ".filter(row => row.getBoundingClientRect().right > innerWidth).length"
    )
    assert wide == 0
    page.context.close()


def test_a_page_that_reads_from_right_to_left_stays_in_order(browser: Any, address: str) -> None:
    """Margins and alignments follow the direction; nothing leaves the window."""
    page = opened(browser, address)
    page.evaluate("document.documentElement.dir = 'rtl'")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(
        "document.querySelector('#validation thead th').getBoundingClientRect().right"
        " > document.querySelector('#validation thead th:last-child').getBoundingClientRect().right"
    )
    page.context.close()
