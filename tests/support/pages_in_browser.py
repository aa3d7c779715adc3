"""Pages in a real headless browser of this machine."""

import base64
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

WIDTHS = (360, 390, 800, 960, 1100, 1366, 1920, 2560)
"""From a phone to a large screen."""
FEW = (390, 1366)
"""What the gate looks at: a phone by day, a desk in the dark."""
_LOOK = Path(__file__).with_name("look.js").read_text("utf-8")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@contextmanager
def headless() -> Iterator[Any]:
    """Run a browser; the test is skipped where there is none."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip(f"no browser: none of {', '.join(BROWSERS)} is on the path")
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield found
        found.close()


def opened(browser: Any, address: str, **options: Any) -> Any:
    """Open a page; what it asks the network for, and what it complains of, is kept."""
    page = browser.new_context(**options).new_page()
    page.asked, page.said = [], []
    page.on("request", lambda request: page.asked.append(request.url))
    page.on("console", lambda message: page.said.append(message.text))
    page.on("pageerror", lambda error: page.said.append(str(error)))
    page.goto(address)
    return page


def until(page: Any, expression: str) -> None:
    """Wait until something holds; the page's policy forbids what playwright waits with."""
    for _ in range(1200):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(50)
    raise AssertionError(expression)


def browsing(browser: Any, folder: Path, address: str = "", **options: Any) -> Any:
    """Open the page of `curate browse` that lies in a folder, at an address of its own."""
    page = opened(browser, f"{(folder / 'index.html').as_uri()}{address}", **options)
    until(page, "document.documentElement.dataset.ready === 'yes'")
    return page


def go(page: Any, address: str) -> None:
    """Go to an address of such a page, and wait until it is shown."""
    page.evaluate(
        "async hash => { history.replaceState(null, '', hash); await curateBrowse.show(); }",
        address,
    )


def violations(page: Any, *, contrast: bool = False) -> list[str]:
    """What axe finds wrong on a page for people who use it without sight, mouse or colours.

    Contrasts take twenty times as long as all the rest, and `broken` compares them, by day and
    night and at every width. A page that it does not look at asks for them here.
    """
    module = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed"
    )
    options = {
        "preload": False,  # style sheets again: the policy of pages allows no connection
        "resultTypes": ["violations"],
        "rules": {"color-contrast": {"enabled": contrast}},
    }
    if not page.evaluate("typeof axe === 'object'"):  # half a megabyte, once a page
        page.evaluate(module.Axe().axe_script)
    found = page.evaluate("how => axe.run(how).then(found => found.violations)", options)
    return [f"{item['id']}: {node['html']}" for item in found for node in item["nodes"]]


def pale(page: Any) -> list[str]:
    """Texts of a page that are too pale for what they stand on, by day and by night."""
    found = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found += [f"{scheme}: {item}" for item in page.evaluate(f"() => [...{_LOOK}.pale()]")]
    page.emulate_media(color_scheme="null")
    return found


def broken(page: Any, answer: str = "", widths: Sequence[int] = FEW) -> list[str]:
    """What is wrong with the look of a page at any of these widths, as `look.js` says.

    Words in two lines, cells of less than eight letters or narrower than what they hold, texts over
    each other or too pale, a page wider than its window, and an answer below the first screen.
    Every second width is shown in the dark.
    """
    found = []
    for width, scheme in zip(widths, cycle(("light", "dark")), strict=False):
        page.set_viewport_size({"width": width, "height": 768})
        page.emulate_media(color_scheme=scheme)
        page.evaluate("scrollTo(0, 0)")
        said = page.evaluate(f"it => {_LOOK}.page(it)", answer)
        found += [f"{width} px, {scheme}: {item}" for item in said]
    page.emulate_media(color_scheme="null")
    return found


def drawn_badly(browser: Any, page: Any, scheme: str) -> list[str]:
    """What is wrong with the pictures of a page, on a desk and on a phone."""
    drawn = []
    every = "image => [image.src, image.parentElement.querySelector('source')?.srcset]"
    for image in page.locator("img[src^='data:image/svg']").all():
        for address in filter(None, image.evaluate(every)):
            svg = base64.b64decode(address.partition("base64,")[2]).decode()
            drawn.append((image.get_attribute("data-name"), svg))
    return bad_pictures(browser, drawn, scheme)


def bad_pictures(browser: Any, drawn: Sequence[tuple[str, str]], scheme: str) -> list[str]:
    """Texts of pictures, each a name and an SVG, that cannot be read.

    They are cut, lie over each other or over a mark, or are too pale.
    """
    page = browser.new_context(color_scheme=scheme).new_page()
    found = []
    for name, svg in drawn:
        page.set_content(svg[svg.index("<svg") :])
        found += [f"{name}: {item}" for item in page.evaluate(f"() => {_LOOK}.picture()")]
    page.context.close()
    return found
