"""Pages in a real headless browser of this machine."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

WIDTHS = (390, 800, 960, 1100, 1366, 1920)
"""From a phone to a large screen."""
_BROKEN = """() => {
  const parts = "th, td, h1, h2, h3, dt, dd, label, button, summary, a";
  const isSeen = (element) => element.checkVisibility({ visibilityProperty: true });
  const found = new Set();
  for (const element of document.querySelectorAll(parts)) {
    if (!isSeen(element) || element.closest("[aria-hidden=true], .away, svg")) continue;
    const beyond = element.scrollWidth - element.clientWidth;
    if (element.matches("td") && beyond > 2) {
      found.add(`${element.textContent.slice(0, 40)} is ${beyond} px beyond its cell`);
    }
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.parentElement.closest(parts) !== element || !isSeen(node.parentElement)) continue;
      if (node.parentElement.closest(".away")) continue;
      for (const match of node.data.matchAll(/(?<!\\S)[\\p{L}\\p{N}_]{2,24}(?!\\S)/gu)) {
        const range = document.createRange();
        range.setStart(node, match.index);
        range.setEnd(node, match.index + match[0].length);
        const lines = new Set([...range.getClientRects()].map((part) => Math.round(part.top)));
        if (lines.size > 1) found.add(`${match[0]} in ${element.textContent.slice(0, 40)}`);
      }
    }
  }
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) found.add(`the page is ${wide} px too wide`);
  return [...found];
}"""
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


def violations(page: Any) -> list[str]:
    """What axe finds wrong on a page for people who use it without sight, mouse or colours."""
    module = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed"
    )
    # Style sheets are not fetched again: the policy of pages allows no connection.
    found = module.Axe().run(page, options={"preload": False}).response["violations"]
    return [f"{item['id']}: {node['html']}" for item in found for node in item["nodes"]]


def broken(page: Any, widths: Sequence[int] = WIDTHS) -> list[str]:
    """Words of headings, cells and controls that stand in two lines, at any of these widths.

    And by how much the page is wider than its window, and what a cell holds wider than the cell.
    """
    found = []
    for width in widths:
        page.set_viewport_size({"width": width, "height": 768})
        found += [f"{width} px: {item}" for item in page.evaluate(_BROKEN)]
    return found
