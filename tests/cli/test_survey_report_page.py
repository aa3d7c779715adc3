"""The page of `curate survey report` in a real browser, opened from disk."""

from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest
from pages_in_browser import FEW, WIDTHS, broken, drawn_badly, headless, opened, violations

from curation.cli.main import main

pytestmark = pytest.mark.server


@pytest.fixture(scope="module")
def browser():
    """A headless browser of this machine; tests are skipped where there is none."""
    with headless() as found:
        yield found


@pytest.fixture(scope="module")
def address(_filtered, tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    with pytest.raises(SystemExit) as left:
        main(["survey", "report", "-w", str(_filtered), "--out", str(folder)])
    assert left.value.code == 0
    return (folder / "report.html").as_uri()


@pytest.fixture
def page(browser, address):
    found = opened(browser, address)
    found.locator("#choice form").wait_for()
    yield found
    assert [url for url in found.asked if not url.startswith("data:")] == [address]
    assert found.said == []
    found.context.close()


def test_questions_kept_without_doubt_are_folded_away(page, address):
    """They are packed, and unpacked before anybody asks; a search is among all."""
    text = Path(unquote(urlparse(address).path)).read_text("utf-8")
    section, name = page.locator("#comprehension"), "tbody tr:visible th"
    for width in FEW:
        page.set_viewport_size({"width": width, "height": 768})
        assert section.locator(name).count() == 2
    assert "2 of 36 rows are shown." in section.inner_text()
    assert page.inner_text("main").count("not printed") == 1
    section.get_by_text("Show all 36").click()
    assert (
        section.locator(name).count(),
        section.locator("button:visible", has_text="all").count(),
    ) == (36, 0)
    section = page.locator("#choice")
    folded = section.locator("tbody tr:not(:visible) th").first.text_content()
    assert f">{folded}</a></th>" not in text
    shown = section.locator(name).all_inner_texts()
    section.get_by_label("Search").fill(folded)
    assert section.locator(name).all_inner_texts() == [folded]
    page.emulate_media(media="print")
    assert section.locator(name).all_inner_texts() == shown


def test_filters_narrow_the_rows_together(page):
    """By words and by what columns say; a stereotype leads to all that is said of it."""
    form = page.locator("#choice form")
    rows = page.locator("#choice tbody tr:visible th")
    form.get_by_label("Decision").select_option("dropped, borderline")
    assert rows.count() == 2
    form.get_by_label("Category").select_option("Hobby")
    assert form.get_by_role("status").inner_text() == "1 of 23 shown"
    form.get_by_label("Search").fill("nothing has this")
    assert rows.count() == 0
    form.get_by_label("Search").fill("")
    assert rows.locator("a").get_attribute("href") == "questions.html#q-hobby-382045e0"


def test_a_phone_folds_the_table_of_other_thresholds(browser, address):
    """A desk shows it, and paper does: what is folded on the whole page is unfolded for it."""
    for width, is_shown in zip(FEW, (False, True), strict=True):
        found = opened(browser, address, viewport={"width": width, "height": 768})
        found.locator("#choice form").wait_for()
        table = found.locator("#sensitivity table")
        assert table.is_visible() is is_shown
        found.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert table.is_visible()
        found.context.close()


@pytest.mark.parametrize(
    "widths", [FEW, pytest.param(WIDTHS, marks=pytest.mark.nightly)], ids=["few", "all"]
)
def test_axe_finds_nothing(browser, address, widths):
    """On a phone and a desk, and of the page of all questions; at no width is a word broken."""
    for name in (address, address.replace("report.html", "questions.html")):
        found = opened(browser, name)
        if name == address:
            found.locator("#choice form").wait_for()
        for width in FEW:
            found.set_viewport_size({"width": width, "height": 900})
            assert violations(found) == []
        assert broken(found, ".lead", widths) == []
        assert drawn_badly(browser, found, "dark") == []
        found.context.close()
