"""The page of `curate survey report` in a real browser, opened from disk."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pages_in_browser import headless, opened

from curation.cli.main import main

pytestmark = pytest.mark.server


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
