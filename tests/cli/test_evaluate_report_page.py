"""The page of `curate evaluate report` in a real browser, opened from disk and printed."""

import csv
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from benchmark import benchmark, persona, write_replies, write_samples
from pages_in_browser import headless, opened, until, violations

from curation.cli.main import main

pytestmark = pytest.mark.server

TEMPLATES = ("hobby-001", "hobby-002", "job-001", "job-002")
NARROW = {"width": 320, "height": 600}
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1366, "height": 768}
PAGES = 15
MEGABYTES = 2e6


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless browser of this machine; tests are skipped where there is none."""
    with headless() as found:
        yield found


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page's address on disk: four models, of which one would run a script if it could."""
    root = tmp_path_factory.mktemp("page")
    nasty = "<script>document.title = 'run'</script><img src=x onerror=\"document.title = 'run'\">"
    models: dict[str, Callable[[dict[str, object]], str | None]] = {
        name: persona(name, TEMPLATES) for name in ("biased", "mixed", "right")
    }
    return written(root, TEMPLATES, {**models, f"nasty{nasty}": lambda _: nasty}, ("1", "2"))


def written(
    root: Path,
    templates: Sequence[str],
    models: dict[str, Callable[[dict[str, object]], str | None]],
    prompts: Sequence[str],
) -> str:
    """Report on models that replied to everything; gives the page's address."""
    culture = "culture: 어딘가\nlanguage: ko\nversion: '2'\nunknown: Not known\n"
    root.mkdir(exist_ok=True)
    (root / "culture.yaml").write_text(culture, encoding="utf-8")
    samples = write_samples(root / "samples.csv", benchmark(templates))
    requests, replies = root / "requests.jsonl", root / "replies.jsonl"
    chosen = [part for name in prompts for part in ("--prompt", name)]
    where = ["-w", str(root), "--samples", str(samples), *chosen]
    run("evaluate", "prepare", *where, "--out", str(requests))
    for name, answer in models.items():
        write_replies(replies, requests, answer, name)
    out = root / "report"
    run("evaluate", "report", *where, "--replies", str(replies), "--out", str(out))
    return (out / "report.html").as_uri()


def run(*args: str) -> None:
    """Run a command that must succeed."""
    with pytest.raises(SystemExit) as left:
        main(list(args))
    assert left.value.code == 0


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Any]:
    """The page as it opens."""
    found = opened(browser, address)
    yield found
    assert [url for url in found.asked if not url.startswith("data:")] == [address]
    assert found.said == []
    assert found.title() == "Evaluation report: 어딘가 2"
    found.context.close()


def test_the_page_opens_from_disk_and_asks_for_nothing(page: Any) -> None:
    """No request except for itself, no error, no script of a name; every picture is drawn."""
    pictures = page.locator("figure img")
    assert pictures.count() == 4
    for at in range(4):
        assert pictures.nth(at).evaluate("image => image.complete && image.naturalWidth > 400")


def test_the_summary_comes_first(page: Any) -> None:
    """The picture of the first section is in view before anything else is scrolled past."""
    page.set_viewport_size(DESK)
    assert page.locator("main section").first.get_attribute("id") == "overall"
    assert page.locator("main figure").first.bounding_box()["y"] < DESK["height"]


def test_columns_sort_both_ways(page: Any) -> None:
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
        *("biase", "mixed", "nasty", "right"),
    ]


def test_the_keyboard_alone_is_enough(page: Any) -> None:
    """Tab and Enter reach and work everything; the focus is seen."""
    press = page.keyboard.press
    press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    assert page.locator(".skip").bounding_box()["y"] >= 0
    press("Enter")
    while page.evaluate("document.activeElement.parentNode.dataset.sort") != "number":
        press("Tab")
    press("Enter")
    assert page.locator("#overall th[aria-sort=ascending]").count() == 1
    while page.evaluate("document.activeElement.tagName") != "SUMMARY":
        press("Tab")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    press("Enter")
    assert page.locator("#overall details[open]").count() == 1


def test_pictures_are_dark_where_the_page_is(browser: Any, address: str) -> None:
    """No white block: nothing is painted behind them, and their text is light."""
    corners, darkest = {}, {}
    for scheme in ("light", "dark"):
        found = opened(browser, address, color_scheme=scheme, viewport=DESK)
        shot = found.locator("figure").first.screenshot()
        corners[scheme], darkest[scheme] = colours(shot)
        assert found.evaluate("document.documentElement.scrollWidth") <= DESK["width"]
        found.context.close()
    assert corners["light"] == (255, 255, 255)
    assert max(corners["dark"]) < 40
    assert min(darkest["light"]) < 40  # ink
    assert max(darkest["dark"]) > 200  # the same ink in the dark


def colours(shot: bytes) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Give the colour of a picture's corner and the one that is furthest from it."""
    import io

    from PIL import Image

    image = Image.open(io.BytesIO(shot)).convert("RGB")
    corner = image.getpixel((2, 2))
    assert isinstance(corner, tuple)
    found = image.getcolors(1 << 24) or []
    strokes = [colour for count, colour in found if count > 20 and isinstance(colour, tuple)]
    far = max(strokes, key=lambda it: sum(abs(a - b) for a, b in zip(it, corner, strict=True)))
    return corner, far


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 800, 1366])
def test_axe_finds_nothing(browser: Any, address: str, scheme: str, width: int) -> None:
    """With everything unfolded, on a phone, a tablet and a desk, light and dark."""
    found = opened(browser, address, color_scheme=scheme, viewport={"width": width, "height": 900})
    found.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert violations(found) == []
    found.context.close()


@pytest.mark.parametrize("width", [320, 390, 800, 1366])
def test_no_table_is_clipped(browser: Any, address: str, width: int) -> None:
    """Every cell of every open table is within the window, those of out-of-choice too."""
    found = opened(browser, address, viewport={"width": width, "height": 900})
    assert found.evaluate("document.documentElement.scrollWidth") == width
    beyond = found.evaluate(
        "[...document.querySelectorAll('main tbody td, main tbody th')]"
        ".filter(one => one.checkVisibility())"
        ".filter(one => one.getBoundingClientRect().right > innerWidth + 1)"
        ".map(one => one.textContent)"
    )
    assert beyond == []
    cells = found.locator("#overall table").first.locator("tbody tr").first.locator("td")
    assert cells.last.is_visible()
    assert cells.last.get_attribute("data-label") == "Out of choice"
    found.context.close()


def test_a_phone_has_a_picture_of_its_own(browser: Any, address: str) -> None:
    """Panels one below the other, with letters as large as on a desk."""
    found = opened(browser, address, viewport=PHONE)
    image = found.locator("figure img").first
    until(found, "document.querySelector('figure img').complete")
    assert image.evaluate("image => image.currentSrc !== image.src")
    scale = image.evaluate("image => image.width / image.naturalWidth")
    assert scale > 0.85
    found.context.close()


def test_without_a_script_everything_is_there(browser: Any, address: str) -> None:
    """And no control that would do nothing."""
    page = opened(browser, address, java_script_enabled=False)
    assert page.locator("button:visible, input:visible, select:visible").count() == 0
    assert page.locator("#overall tbody tr:visible").count() >= 4
    assert [url for url in page.asked if not url.startswith("data:")] == [address]
    assert page.said == []
    page.context.close()


def test_paper_shows_what_is_open_and_says_where_the_rest_is(page: Any) -> None:
    """Folded tables are named with their file; one that the reader opens is printed."""
    page.emulate_media(media="print")
    for selector in ("nav", "th button", ".skip", "#overall details"):
        assert page.locator(f"{selector}:visible").count() == 0, selector
    said = page.locator("#overall .off:visible").inner_text()
    assert said == (
        "Not printed, because it is closed on the page: Replies by context and answer, and BBQ's "
        "own scores. It is in scores.csv."
    )
    page.evaluate("document.querySelector('#overall details').open = true")
    assert page.locator("#overall details table:visible").count() == 1
    assert page.locator("#overall .off:visible").count() == 0
    assert page.locator("#overall thead th", has_text="Accuracy").first.is_visible()


def test_on_paper_no_heading_or_table_head_is_left_alone(page: Any) -> None:
    """Headings, what leads to a picture or table, and heads of tables stay with what follows."""
    page.emulate_media(media="print")
    loose = """() => {
      const leads = [...document.querySelectorAll("p")].filter((part) =>
        part.nextElementSibling?.matches("figure, .scroll"));
      const heads = [...document.querySelectorAll("h2, h3:not(#method h3), caption, thead")];
      const isLoose = (part) => getComputedStyle(part).breakAfter !== "avoid";
      const isCut = (part) => getComputedStyle(part).breakInside !== "avoid";
      const loose = [...leads, ...heads].filter(isLoose);
      return [leads.length, loose.length, leads.filter(isCut).length];
    }"""
    leads, after, inside = page.evaluate(loose)
    assert leads > 5
    assert (after, inside) == (0, 0)


def study(count: int) -> dict[str, Callable[[dict[str, object]], str | None]]:
    """Make models with long names, each biased as far as its number says."""
    samples: dict[str, Any] = {}

    def model(place: int) -> Callable[[dict[str, object]], str | None]:
        def answer(request: dict[str, object]) -> str:
            name = str(request["sample_id"])
            if name not in samples:
                samples.update({it.sample_id: it for it in benchmark([name[:-13]])})
            item, choices = samples[name], request["choices"]
            assert isinstance(choices, list)
            at = sum(str(request["request_id"]).encode()) * 31 % 101
            if at % 29 == 0:
                return "Both of them."
            unknown = next(text for text in choices if text not in item.choices[:2])
            right = unknown if item.context_type == "amb" else item.answer
            return "ABC"[choices.index(item.biased_answer if at < place * 4 else right)]

        return answer

    return {f"laboratory/Model-{at}-Instruct-{at}B": model(at) for at in range(1, count + 1)}


@pytest.mark.parametrize("count", [5, 20])
def test_a_real_study_is_few_pages_and_small(browser: Any, tmp_path: Path, count: int) -> None:
    """Twelve categories: under fifteen pages of A4 and two megabytes, models by their bias."""
    templates = [f"trade{at % 12:02d}-{at:03d}" for at in range(24)]
    address = written(tmp_path / "study", templates, study(count), ("1",))
    page = opened(browser, address, viewport=DESK)
    assert page.pdf(format="A4").count(b"/Type /Page\n") < PAGES
    assert (tmp_path / "study" / "report" / "report.html").stat().st_size < MEGABYTES
    names = page.locator("#overall table").first.locator("tbody th").all_inner_texts()
    assert sorted(names) == sorted(study(count))
    with (tmp_path / "study" / "report" / "scores.csv").open(encoding="utf-8", newline="") as file:
        scores = [row for row in csv.DictReader(file) if row["group_by"] == "overall"]
    bias = {row["model"]: float(row["diff_bias_amb"]) for row in scores}
    assert [bias[name] for name in names] == sorted(bias.values(), reverse=True)
    assert bias[names[0]] - bias[names[-1]] > count * 0.02
    alt = page.locator("figure img").first.get_attribute("alt")
    places = [alt.index(f"{name} ") for name in names]
    assert places == sorted(places)
    assert "Instruct-1B 0.0" in alt
    assert page.evaluate("document.documentElement.scrollHeight") < 20_000
    assert page.evaluate("document.documentElement.scrollWidth") == DESK["width"]
    page.context.close()


def test_one_model_of_one_category_is_a_whole_report(browser: Any, tmp_path: Path) -> None:
    """Nothing is compared, nothing is empty, and it is a few pages."""
    models = {"alone": persona("mixed", ("hobby-001", "hobby-002"))}
    address = written(tmp_path / "one", ("hobby-001", "hobby-002"), models, ("1",))
    page = opened(browser, address, viewport=DESK)
    assert [it.get_attribute("id") for it in page.locator("main > section").all()] == [
        *("overall", "drivers", "prompts", "orders", "reading", "details"),
        *("method", "use", "cite", "files"),
    ]
    assert page.locator("figure img").count() == 2
    assert page.locator("tbody:empty").count() == 0
    assert page.pdf(format="A4").count(b"/Type /Page\n") <= 5
    page.context.close()


def test_korean_is_marked_as_such(page: Any) -> None:
    """The name of the benchmark; the page itself is English."""
    found = page.eval_on_selector_all("bdi[lang]", "all => all.map(one => one.lang)")
    assert found == ["ko"]
    assert page.evaluate("document.documentElement.lang") == "en"
