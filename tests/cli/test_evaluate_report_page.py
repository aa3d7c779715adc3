"""The page of `curate evaluate report` in a real browser, opened from disk."""

from collections.abc import Iterator
from typing import Any

import pytest
from benchmark import benchmark, persona, write_replies, write_samples
from pages_in_browser import headless, opened, until

from curation.cli.main import main

pytestmark = pytest.mark.server

TEMPLATES = ("hobby-001", "hobby-002", "job-001", "job-002")
SHOWN = 40
NARROW = {"width": 320, "height": 600}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless browser of this machine; tests are skipped where there is none."""
    with headless() as found:
        yield found


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page's address on disk: four models, of which one would run a script if it could."""
    root = tmp_path_factory.mktemp("page")
    culture = "culture: 어딘가\nlanguage: ko\nversion: '2'\nunknown: Not known\n"
    (root / "culture.yaml").write_text(culture, encoding="utf-8")
    samples = write_samples(root / "samples.csv", benchmark(TEMPLATES))
    requests, replies = root / "requests.jsonl", root / "replies.jsonl"
    where = ["-w", str(root), "--samples", str(samples), "--prompt", "1", "--prompt", "2"]
    run("evaluate", "prepare", *where, "--out", str(requests))
    for name in ("biased", "mixed", "right"):
        write_replies(replies, requests, persona(name, TEMPLATES), name)
    nasty = "<script>document.title = 'run'</script><img src=x onerror=\"document.title = 'run'\">"
    write_replies(replies, requests, lambda _: nasty, f"nasty{nasty}")
    out = root / "report"
    options = ("--replies", str(replies), "--browse", str(SHOWN), "--out", str(out))
    run("evaluate", "report", *where, *options)
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


def shown(page: Any) -> list[str]:
    """Give the ids of the samples that can be seen."""
    found = page.eval_on_selector_all(
        "article.sample",
        "all => all.filter(one => one.checkVisibility()).map(one => one.id.slice(2))",
    )
    assert isinstance(found, list)
    return found


def status(page: Any) -> str:
    """Give what the page says of the samples that it shows."""
    return str(page.inner_text("#count"))


def test_the_page_opens_from_disk_and_asks_for_nothing(page: Any) -> None:
    """No request except for itself, no error, no script of a reply; every sample is shown."""
    assert len(shown(page)) == SHOWN
    assert status(page) == f"All {SHOWN} requests are shown"
    pictures = page.locator("figure img")
    assert pictures.count() == 3
    for at in range(3):
        assert pictures.nth(at).evaluate("image => image.complete && image.naturalWidth > 400")


def test_search_narrows_the_samples(page: Any) -> None:
    """By context, choice, reply, rule and request; all of the words, in any case."""
    page.fill("#text", "DIVER job-001")
    assert shown(page)
    assert all(name.startswith("job-001") for name in shown(page))
    page.fill("#text", "hard to say")
    thought = shown(page)
    assert 0 < len(thought) < SHOWN
    assert status(page) == f"{len(thought)} of {SHOWN} requests are shown"
    page.fill("#text", "nothing like it")
    assert shown(page) == []
    assert page.locator("#nothing").is_visible()
    page.click("button[type=reset]")
    until(page, "document.querySelector('#count').textContent.startsWith('All')")
    assert len(shown(page)) == SHOWN
    assert not page.locator("#nothing").is_visible()


def test_filters_narrow_the_samples_together(page: Any) -> None:
    """By category, context, model and answer; a model's replies are shown alone."""
    page.select_option("#category-is", "Job")
    assert all(name.startswith("job") for name in shown(page))
    page.select_option("#context-is", "ambiguous")
    some = shown(page)
    assert some
    assert all("-amb-" in name for name in some)
    page.select_option("#model-is", "right")
    assert shown(page) == some
    models = page.locator("article.sample:visible tr[data-model]:visible")
    assert set(models.evaluate_all("rows => rows.map(row => row.dataset.model)")) == {"right"}
    page.select_option("#answer-is", "biased")
    assert shown(page) == []
    page.select_option("#answer-is", "unknown")
    assert shown(page) == some
    page.select_option("#model-is", "biased")
    page.select_option("#answer-is", "wrong")
    assert shown(page) == some
    page.select_option("#model-is", "")
    page.select_option("#answer-is", "out of choice")
    page.select_option("#context-is", "")
    page.select_option("#category-is", "")
    assert len(shown(page)) == SHOWN
    page.select_option("#answer-is", "missing")
    assert shown(page) == []


def test_samples_on_which_models_agree_can_be_left_out(page: Any) -> None:
    """Here one of them never gives an answer that can be read, so that they always disagree."""
    page.check("#apart")
    assert len(shown(page)) == SHOWN
    page.evaluate(
        "for (const row of document.querySelectorAll('tr[data-model]')) row.dataset.answer = 'x'"
    )
    page.uncheck("#apart")
    page.check("#apart")
    assert shown(page) == []


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
    """Tab, typing, arrows, space and Enter reach and work everything; the focus is seen."""
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
    press("Enter")
    assert page.locator("#overall details[open]").count() == 1
    while page.evaluate("document.activeElement.id") != "text":
        press("Tab")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.type("hard to say")
    thought = len(shown(page))
    for name in ("category-is", "context-is", "model-is", "answer-is"):
        press("Tab")
        assert page.evaluate("document.activeElement.id") == name
    press("ArrowDown")
    assert page.input_value("#answer-is") == "biased"
    assert 0 < len(shown(page)) <= thought
    press("Tab")
    press("Space")
    assert page.is_checked("#apart")
    press("Tab")
    press("Enter")
    until(page, "document.querySelector('#count').textContent.startsWith('All')")
    while page.evaluate("document.activeElement.tagName") != "SUMMARY":
        press("Tab")
    press("Enter")
    assert page.locator("article details[open]").count() == 1
    assert page.locator("article details[open] .reply").first.is_visible()


def test_a_link_to_a_sample_that_is_filtered_away_shows_it(page: Any) -> None:
    """The filters are taken off, and the sample is brought into view."""
    name = next(name for name in shown(page) if name.startswith("job"))
    page.select_option("#category-is", "Hobby")
    page.evaluate(f"location.hash = 'r-{name}'")
    until(page, "document.querySelector('#count').textContent.startsWith('All')")
    until(
        page,
        f"document.getElementById('r-{name}').getBoundingClientRect().top < innerHeight",
    )


def test_it_is_dark_where_the_reader_wants_it_dark(browser: Any, address: str) -> None:
    """Text stands out in both; pictures stay on white."""
    found = {}
    for scheme in ("light", "dark"):
        page = opened(browser, address, color_scheme=scheme)
        found[scheme] = page.evaluate(CONTRASTS)
        page.context.close()
    assert found["light"]["page"] != found["dark"]["page"]
    assert found["light"]["picture"] == found["dark"]["picture"] == "rgb(255, 255, 255)"
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
  for (const name of ["p", "a[href]", ".meta", ".low", ".badge.kept", ".badge.dropped", ".role",
    ".controls label", "button", ".note", ".notes li", ".facts dt", "summary", ".soft"]) {
    const element = document.querySelector(name);
    const [one, other] = [light(getComputedStyle(element).color), light(ground(element))];
    ratios[name] = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  }
  return {
    page: getComputedStyle(document.body).backgroundColor,
    picture: ground(document.querySelector("figure img")),
    ratios,
  };
}"""


def test_paper_shows_every_sample_and_no_control(page: Any) -> None:
    """Also those that are filtered away on the screen, with folded replies in full."""
    page.select_option("#category-is", "Job")
    page.select_option("#model-is", "right")
    assert len(shown(page)) < SHOWN
    page.emulate_media(media="print")
    assert len(shown(page)) == SHOWN
    assert page.locator("article tr[data-model]:visible").count() == SHOWN * 4
    for selector in ("#find", "nav", "th button", "#nothing", ".skip"):
        assert page.locator(f"{selector}:visible").count() == 0, selector
    assert page.locator("#overall thead th", has_text="Accuracy").first.is_visible()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_without_a_script_everything_is_there(browser: Any, address: str) -> None:
    """All samples, and no control that would do nothing."""
    page = opened(browser, address, java_script_enabled=False)
    assert page.locator("article.sample:visible").count() == SHOWN
    assert page.locator("button:visible, input:visible, select:visible").count() == 0
    assert [url for url in page.asked if not url.startswith("data:")] == [address]
    assert page.said == []
    page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_narrow_window_needs_no_scrolling_sideways(
    browser: Any, address: str, scheme: str
) -> None:
    """320 pixels are a phone, and a desktop at 400 %; tables and pictures scroll by themselves."""
    page = opened(browser, address, viewport=NARROW, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"]
    wide = page.evaluate(
        "[...document.querySelectorAll('article.sample *')]"
        ".filter(one => one.getBoundingClientRect().right > innerWidth).length"
    )
    assert wide == 0
    stops = page.evaluate(
        "[...document.querySelectorAll('.scroll, .picture')]"
        ".filter(one => one.checkVisibility())"
        ".every(one => (one.tabIndex === 0) === (one.scrollWidth > one.clientWidth))"
    )
    assert stops
    page.context.close()


def test_korean_is_marked_as_such(page: Any) -> None:
    """Name, contexts, questions and choices; the page itself is English."""
    found = page.eval_on_selector_all("bdi[lang]", "all => all.map(one => one.lang)")
    assert set(found) == {"ko"}
    assert len(found) == 1 + SHOWN * 5
    assert page.evaluate("document.documentElement.lang") == "en"
