"""The page of `curate evaluate report` in a real browser, opened from disk and printed."""

import csv
from itertools import product
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest
from benchmark import benchmark, persona, write_replies, write_samples
from pages_in_browser import FEW, WIDTHS, broken, drawn_badly, headless, opened, violations

from curation.cli.main import main
from curation.report.page import Block, Cell, Field, Page, Section, View, html

pytestmark = pytest.mark.server

TEMPLATES = ("hobby-001", "hobby-002", "job-001", "job-002")


@pytest.fixture(scope="module")
def browser():
    """A headless browser of this machine; tests are skipped where there is none."""
    with headless() as found:
        yield found


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The page's address on disk: four models, of which one would run a script if it could."""
    root = tmp_path_factory.mktemp("page")
    nasty = "<script>document.title = 'run'</script><img src=x onerror=\"document.title = 'run'\">"
    culture = "culture: 어딘가\nlanguage: ko\nversion: '2'\nunknown: Not known\n"
    (root / "culture.yaml").write_text(culture, encoding="utf-8")
    samples = write_samples(root / "samples.csv", benchmark(TEMPLATES))
    requests, replies = root / "requests.jsonl", root / "replies.jsonl"
    where = ["-w", str(root), "--samples", str(samples)]
    run("evaluate", "prepare", *where, "--prompt", "1", "--prompt", "2", "--out", str(requests))
    where += ["--requests", str(requests)]
    for name in ("biased", "mixed", "right"):
        write_replies(replies, requests, persona(name, TEMPLATES), name)
    write_replies(replies, requests, lambda _: nasty, f"nasty{nasty}")
    out = root / "report"
    shown = ["--format", "csv,tex", "--out", str(out)]
    run("evaluate", "report", *where, "--replies", str(replies), *shown)
    return (out / "report.html").as_uri()


def run(*args):
    with pytest.raises(SystemExit) as left:
        main(list(args))
    assert left.value.code == 0


@pytest.fixture
def page(browser, address):
    found = opened(browser, address)
    yield found
    assert [url for url in found.asked if not url.startswith("data:")] == [address]
    assert found.said == []
    assert found.title() == "Evaluation report: 어딘가 2"
    found.context.close()


def test_the_page_opens_from_disk_and_asks_for_nothing(page):
    """No request except for itself, no error, no script of a name; every picture is drawn."""
    pictures = page.locator("figure img")
    assert pictures.count() == 4
    for at in range(4):
        assert pictures.nth(at).evaluate("image => image.complete && image.naturalWidth > 400")


def test_columns_sort_both_ways(page):
    """By number or by the language's order, undefined last, which the header says."""
    table = page.locator("#overall table").first
    header = table.locator("th[data-sort]", has_text="Accuracy").first
    header.locator("button").click()
    assert header.get_attribute("aria-sort") == "ascending"
    names = table.locator("tbody th").all_inner_texts()
    assert names[:3] == ["biased", "mixed", "right"]
    assert names[3].startswith("nasty<script>")
    header.locator("button").click()
    assert header.get_attribute("aria-sort") == "descending"
    names = table.locator("tbody th").all_inner_texts()
    assert names[:3] == ["right", "mixed", "biased"]
    assert names[3].startswith("nasty")
    model = table.locator("th[data-sort]", has_text="Model")
    model.locator("button").click()
    assert header.get_attribute("aria-sort") == "none"
    assert [name[:5] for name in table.locator("tbody th").all_inner_texts()] == [
        *("biase", "mixed", "nasty", "right")
    ]


def test_each_table_and_figure_is_saved_by_one_click(page, address):
    """A table as `--format` writes it, or filtered or sorted; a picture, also alone on paper.

    Paper has no bar: it would lie over the first line of each page.
    """
    beside = Path(unquote(urlparse(address).path)).with_name("shown")

    def saved(part, name):
        with page.expect_download() as saving:
            part.get_by_role("button", name=f"{name}:").first.click()
        text = Path(saving.value.path()).read_text("utf-8")
        return saving.value.suggested_filename, text.splitlines()

    # Ten in all at most: Chromium holds back what a page saves beyond ten within a second.
    for section, button in product(("#overall", "#orders"), ("CSV", "LaTeX")):
        name, lines = saved(page.locator(section), button)
        assert lines == (beside / name).read_text("utf-8").splitlines()
    part = page.locator("#prompts")
    name, lines = saved(part, "CSV")
    assert [name, lines] == ["prompts.csv", (beside / name).read_text("utf-8").splitlines()]
    right = next(row for row in csv.DictReader(lines) if row["Model"] == "right")
    assert right["Ambiguous: accuracy"] == "1.000"
    assert right["Ambiguous: diff-bias"] == "0.000"
    name, lines = saved(part, "Markdown")
    assert name == "prompts.md"
    assert lines[1] == "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    name, lines = saved(part, "LaTeX")
    assert [name, *lines[:2]] == ["prompts.tex", r"\begin{tabular}{lrrrrrrrr}", r"\toprule"]
    assert next(line for line in lines if line.startswith("right")).endswith(r" \\")
    name, lines = saved(page, "SVG")
    assert [name, lines[0][:5]] == ["bias.svg", "<?xml"]
    page.evaluate("window.print = () => {}")
    page.get_by_role("button", name="PDF:").first.click()
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.documentElement).borderTopWidth") == "0px"
    assert page.locator("figure img:visible").count() == 1
    assert page.locator("h1:visible, table:visible").count() == 0


def test_of_many_rows_both_ends_are_shown_first(browser, tmp_path):
    """In any order, and on paper, with a note; all are a click away, and all are saved.

    They are folded before the script has run, so that nothing jumps, and not at all without one.
    """
    rows = tuple((Cell(f"m{at}"), Cell(str(at))) for at in range(1, 15))
    view = View("t", "T", (Field("M"), Field("V", "number")), rows, has_ends=True)
    made = Page("R", "T", "", "", "0", (), (Section("s", "S", (Block(view=view),)),))
    (tmp_path / "page.html").write_text(html(made), "utf-8")
    (tmp_path / "early.html").write_text(html(made).partition("<script>")[0], "utf-8")
    for has_script, shown in ((True, 12), (False, 14)):
        early = (tmp_path / "early.html").as_uri()
        found = opened(browser, early, java_script_enabled=has_script)
        assert found.locator("tbody tr:visible").count() == shown
        found.context.close()
    found = opened(browser, (tmp_path / "page.html").as_uri())
    names = found.locator("tbody tr:visible th")
    assert names.all_inner_texts() == [f"m{at}" for at in (*range(1, 7), *range(9, 15))]
    found.locator("th.n button").click()
    found.locator("th.n button").click()
    assert names.all_inner_texts() == [f"m{at}" for at in (*range(14, 8, -1), *range(6, 0, -1))]
    found.locator("tbody tr").nth(1).evaluate("row => { row.hidden = true; }")
    with found.expect_download() as saving:
        found.get_by_role("button", name="CSV:").click()
    lines = Path(saving.value.path()).read_text("utf-8").splitlines()
    assert lines == ["M,V", "m14,14", *(f"m{at},{at}" for at in range(12, 0, -1))]
    found.locator("tbody tr").nth(1).evaluate("row => { row.hidden = false; }")
    note, button = "The first and last 6 of 14 rows are shown.", found.get_by_text("Show all 14")
    assert note in found.locator("caption").inner_text()
    found.emulate_media(media="print")
    assert (names.count(), button.is_visible()) == (12, False)
    assert note in found.locator("caption").inner_text()
    found.emulate_media(media="screen")
    button.click()
    assert names.count() == 14
    assert found.locator("caption").inner_text() == "T"
    found.context.close()


@pytest.mark.parametrize(
    ("scheme", "width", "widths"),
    [
        ("light", 1366, FEW),
        *(pytest.param("dark", width, WIDTHS, marks=pytest.mark.nightly) for width in (390, 800)),
    ],
)
def test_axe_finds_nothing(browser, address, scheme, width, widths):
    """With everything unfolded; at no width is a word broken."""
    found = opened(browser, address, color_scheme=scheme, viewport={"width": width, "height": 900})
    found.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert violations(found) == []
    assert broken(found, ".lead", widths) == []
    for shown in ("light", "dark"):
        assert drawn_badly(browser, found, shown) == []
    found.context.close()
