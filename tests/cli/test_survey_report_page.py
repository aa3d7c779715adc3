"""The page of `curate survey report` in a real browser, opened from disk."""

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
    yield found
    assert [url for url in found.asked if not url.startswith("data:")] == [address]
    assert found.said == []
    found.context.close()


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


@pytest.mark.parametrize(
    "widths", [FEW, pytest.param(WIDTHS, marks=pytest.mark.nightly)], ids=["few", "all"]
)
def test_axe_finds_nothing(browser, address, widths):
    """On a phone and a desk, and of the page of all questions; at no width is a word broken."""
    for name in (address, address.replace("report.html", "questions.html")):
        found = opened(browser, name)
        for width in FEW:
            found.set_viewport_size({"width": width, "height": 900})
            assert violations(found) == []
        assert broken(found, ".lead", widths) == []
        assert drawn_badly(browser, found, "dark") == []
        found.context.close()
