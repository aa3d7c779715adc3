"""The page of `curate browse` in a real browser: found, read and steered as a person does."""

import csv
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from pages_in_browser import headless, opened, until, violations

from curation.files.workspace import Workspace
from curation.records.annotation import ANNOTATION_COLUMNS
from exports.browse import page as browse_page
from exports.browse import write_browse
from exports.browse.serving import PageServer
from survey import filter

DEMO = Path(__file__).parents[3] / "templates_src" / "demo"
pytestmark = [pytest.mark.server, pytest.mark.xdist_group("browse_page")]

PHONE = {"width": 390, "height": 844}
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
KEY = re.compile(r"""\bsay(?:Nodes)?\(\s*"([\w.-]+)\"""")
READY = "document.documentElement.dataset.ready === 'yes'"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless browser of this machine; tests are skipped where there is none."""
    with headless() as found:
        yield found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the demo after its survey, two of whose templates have labels of annotators."""
    root = tmp_path_factory.mktemp("browse") / "demo"
    shutil.copytree(DEMO, root)
    filter(Workspace(root), [root / "responses" / "responses.csv"])
    (root / "annotations").mkdir(exist_ok=True)
    with (root / "annotations" / "classify.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, ANNOTATION_COLUMNS, lineterminator="\n")
        table.writeheader()
        for name, label, remark in (("민지", "ST", ""), ("준호", "TM", "<b>other</b> groups")):
            given = {"template_id": "age-001", "annotator": name, "label": label}
            table.writerow(given | {"remark": remark, "collected_at": "2026-01-01T00:00:00Z"})
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


def test_each_filter_finds_what_it_says(page: Any) -> None:
    """Category, label, group, borderline, and the words of either language, alone and together."""
    for query, expected in (
        ("category=Hobby", 8),
        ("label=SR", 4),
        ("status=undecided", 1),
        ("near=1", 10),
        ("q=sweet+tooth", 2),
        ("q=%EB%8B%A8%EA%B2%83%EC%9D%84", 2),
        ("q=SWEET+age-002", 1),
        ("category=Hobby&status=excluded", 3),
    ):
        go(page, f"#/templates?{query}")
        assert len(rows(page)) == expected, query
    go(page, "#/templates?group=%EB%85%B8%EC%9D%B8")
    groups = page.eval_on_selector_all(
        "#main tbody tr", "rows => rows.map(row => row.cells[4].innerText)"
    )
    assert groups
    assert all("노인" in one for one in groups)


def test_the_address_alone_gives_the_list(browser: Any, folder: Path) -> None:
    """A link that is sent shows the same filters, order and rows."""
    address = f"{(folder / 'index.html').as_uri()}#/templates?category=Age&sort=-samples"
    page = opened(browser, address)
    until(page, READY)
    assert rows(page)[:2] == ["age-001", "age-003"]
    assert page.input_value("[data-filter=category]") == "Age"
    assert page.input_value("[data-filter=sort]") == "-samples"
    assert page.get_attribute("th:has-text('Samples')", "aria-sort") == "descending"
    page.click("[data-clear]")
    settle(page, "#/templates")
    assert page.input_value("[data-filter=category]") == ""
    page.go_back()
    settle(page, "#/templates?category=Age&sort=-samples")
    assert page.input_value("[data-filter=category]") == "Age"
    assert page.said == []
    page.context.close()


def test_what_is_written_is_searched_without_losing_the_field(page: Any) -> None:
    """The list follows each letter, the field keeps the cursor, and no step back is made."""
    steps = page.evaluate("history.length")
    page.locator("#search").press_sequentially("umbrella")
    settle(page, "#/templates?q=umbrella")
    assert rows(page) == ["age-003"]
    assert page.evaluate("document.activeElement.id") == "search"
    assert page.evaluate("history.length") == steps
    assert page.inner_text("#said") == "1 of 40 templates fits"


def test_a_sample_is_found_by_its_id(page: Any) -> None:
    """The search knows ids of samples; the sample says how it was filled and why it is in."""
    page.fill("#search", SAMPLE.upper())
    until(page, "document.querySelector('.jump a') !== null")
    page.click(".jump a")
    settle(page, f"#/sample/{SAMPLE}")
    assert page.title() == f"Sample {SAMPLE} · MareviBBQ"
    choices = page.locator(".choices li").all_inner_texts()
    assert choices == ["대학생", "할머니 biased answer", "알 수 없음 correct answer"]
    shown = text(page)
    assert "N1 대학생 N2 할머니 W1 생일잔치" in shown
    assert "84 of 102 respondents who named a group named the target group" in shown
    page.keyboard.press("u")
    settle(page, "#/template/age-001?tab=samples")


def test_samples_are_paged_and_filtered(page: Any) -> None:
    """Fifty at a time; by variant, context and question."""
    go(page, "#/template/age-001?tab=samples")
    assert len(rows(page)) == 50
    assert page.inner_text(".count") == "1 to 50 of 192"
    page.click("nav.pager a[rel=next]")
    settle(page, "#/template/age-001?tab=samples&page=2")
    assert rows(page)[0] == "age-001b-001-dis-bsd"
    go(page, "#/template/age-001?tab=samples&page=99")
    assert page.inner_text(".count") == "151 to 192 of 192"
    go(page, "#/template/age-001?tab=samples&page=2")
    page.select_option("[data-samples=context]", "dis")
    settle(page, "#/template/age-001?tab=samples&context=dis")
    page.select_option("[data-samples=variant]", "d")
    settle(page, "#/template/age-001?tab=samples&variant=d&context=dis")
    assert page.inner_text(".count") == "1 to 24 of 24"
    assert all(re.fullmatch(r"age-001d-\d{3}-dis-(bsd|cnt)", one) for one in rows(page))


def test_a_template_shows_both_languages_and_its_slots(page: Any) -> None:
    """Filled first; as written with each slot marked; its groups say who is the target."""
    go(page, "#/template/age-001?variant=b")
    shown = text(page)
    assert "They have a sweet tooth" in shown
    assert "At a birthday party, a college student and a grandmother sat side by side" in shown
    slots = page.locator("table.texts mark.slot").all_inner_texts()
    assert "[N1: 할머니 한 분과, 할아버지 한 분과]" in slots
    assert "[W1|a/an]" in slots
    table = re.sub(r"\s+", " ", page.inner_text("table.slots"))
    assert "N1 노인 target 할머니 할아버지 grandmother grandfather" in table
    assert page.get_attribute("table.texts td .text >> nth=0", "lang") == "ko"
    assert page.get_attribute("table.texts td .text >> nth=1", "lang") == "en"


def test_every_sentence_of_the_page_has_its_words(page: Any) -> None:
    """What the scripts say by name stands in `words.js`."""
    scripts = Path(browse_page.__file__).parent.glob("*.js")
    asked = {key for path in scripts for key in KEY.findall(path.read_text(encoding="utf-8"))}
    assert len(asked) > 100
    missing = page.evaluate(
        """keys => keys.filter(key => {
          try { return !curateBrowse.say(key, {n: 2}); } catch { return true; }
        })""",
        sorted(asked),
    )
    assert missing == []


def test_no_text_becomes_markup(page: Any) -> None:
    """No script of the page writes HTML or runs a text, so none of the data can."""
    for path in Path(browse_page.__file__).parent.glob("*.js"):
        script = path.read_text(encoding="utf-8")
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
            assert word not in script, f"{word} in {path.name}"
        assert not re.search(r"new Function|\.srcdoc|createContextualFragment", script), path.name
    go(page, "#/template/age-001?tab=decisions")
    assert page.locator("main b").count() == 0  # though a remark has one
    assert "<b>other</b>" in text(page)


def test_labels_stand_with_who_gave_them(page: Any) -> None:
    """Each annotator's label and remark; that they did not agree is said."""
    go(page, "#/template/age-001?tab=decisions")
    shown = text(page)
    assert "민지 ST: simply transferred" in shown
    assert "준호 TM: target modified" in shown
    assert "<b>other</b> groups" in shown
    assert "The annotators have not agreed on a label." in shown
    go(page, "#/template/age-002?tab=decisions")
    assert "No annotator's label is on file." in text(page)


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


@pytest.mark.parametrize(("scheme", "width"), [("light", 1366), ("dark", PHONE["width"])])
def test_every_view_can_be_used_by_all(browser: Any, folder: Path, scheme: str, width: int) -> None:
    """No view has a fault that axe finds, on a phone or a large screen; none is wider than it."""
    size = {"width": width, "height": PHONE["height"]}
    page = opened(browser, (folder / "index.html").as_uri(), viewport=size, color_scheme=scheme)
    until(page, READY)
    for address in VIEWS:
        go(page, address)
        assert violations(page) == [], address
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address
    page.context.close()


def test_nothing_but_the_page_is_asked_of_the_server(browser: Any, folder: Path) -> None:
    """Served to this machine, the page works the same, and its policy lets nothing else in."""
    with PageServer(folder, 0) as server:
        thread = Thread(target=server.serve, daemon=True)
        thread.start()
        page = opened(browser, server.address)
        until(page, READY)
        go(page, f"#/sample/{SAMPLE}")
        assert f"Sample {SAMPLE}" in text(page)
        assert page.said == []
        assert all(one.startswith((server.address, "data:")) for one in page.asked)
        page.context.close()
        server.stop()
        thread.join()


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("template-0", None, "The file data/template-0.js is missing."),
        ("template-0", 'curateBrowse.receive("template-0","', "is damaged."),
        ("template-0", 'curateBrowse.receive("template-0","AAAA");', "is damaged."),
        ("samples-0-0", None, "The file data/samples-0-0.js is missing."),
        ("search", None, "The file data/search.js is missing."),
    ],
)
def test_a_chunk_that_is_missing_or_damaged_is_named(
    browser: Any, folder: Path, tmp_path: Path, name: str, content: str | None, said: str
) -> None:
    """In one sentence; the rest of the page goes on."""
    copy = shutil.copytree(folder, tmp_path / "copy")
    chunk = copy / "data" / f"{name}.js"
    if content is None:
        chunk.unlink()
    else:
        chunk.write_text(content, encoding="ascii")
    page = opened(browser, (copy / "index.html").as_uri())
    until(page, READY)
    go(page, "#/templates?q=tooth" if name == "search" else f"#/sample/{SAMPLE}")
    fault = page.inner_text(".fault:not([hidden])")
    assert said in fault
    assert "curate browse" in fault
    shutil.copy(folder / "data" / f"{name}.js", chunk)
    page.click("text=Try again")
    until(page, "document.querySelector('.fault:not([hidden])') === null")
    page.context.close()


def test_a_page_without_its_index_says_so(browser: Any, folder: Path, tmp_path: Path) -> None:
    """Nothing is shown then but what is missing, and what to do."""
    copy = shutil.copytree(folder, tmp_path / "copy")
    (copy / "data" / "index.js").unlink()
    page = opened(browser, (copy / "index.html").as_uri())
    until(page, "document.querySelector('.fault[role=alert]') !== null")
    assert "The file data/index.js is missing." in text(page)
    page.context.close()


def test_a_browser_that_is_too_old_is_told(browser: Any, folder: Path) -> None:
    """Without the means to unpack the data the page says what it needs."""
    context = browser.new_context()
    context.add_init_script("delete globalThis.DecompressionStream")
    page = context.new_page()
    page.goto((folder / "index.html").as_uri())
    until(page, "document.querySelector('.fault[role=alert]') !== null")
    assert "Please use one from 2023 or later" in text(page)
    context.close()


def test_without_scripts_the_page_says_what_it_needs(browser: Any, folder: Path) -> None:
    """A sentence stands there instead of nothing."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((folder / "index.html").as_uri())
    assert "This page needs JavaScript." in page.inner_text("#main")
    context.close()


def test_a_template_is_printed_without_what_is_for_the_screen(page: Any) -> None:
    """Fields, tabs and links to neighbours are not on paper; the texts are."""
    go(page, "#/template/age-001")
    page.emulate_media(media="print")
    for part in ("nav.tabs", "nav.leaf", "#top button"):
        assert not page.is_visible(part), part
    assert page.is_visible("table.texts >> nth=0")
    assert page.locator('[data-part="comments"]').count() == 1
    assert not page.is_visible('[data-part="comments"]')  # nobody has commented
    go(page, "#/")
    assert not page.is_visible("form.controls")
