"""The site is built without a warning, and works where there is no network."""

import html
import re
import shutil
import subprocess
import sys
from urllib.parse import unquote

import pytest
from curate_docs import pictures
from doc_pages import ROOT
from pages_in_browser import headless, opened, pale

pytest.importorskip("furo", reason="the extra 'docs' is not installed")

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("site")]


SPHINX = """
import sys, furo
from sphinx.builders import Builder
from sphinx.cmd.build import main
whole, write = furo._compute_navigation_tree, Builder.write_documents
shown = ("index", "tutorial")
furo._compute_navigation_tree = lambda page: whole(page) if page["pagename"] in shown else ""
pages = sys.argv[1].split()
Builder.write_documents = lambda self, all: write(self, {*all} & {*pages} if pages else all)
sys.exit(main(["-W", "--keep-going", "-q", "-b", "html", "docs", "html"]))
"""
"""The theme works out the same side bar for each page anew, which takes a quarter of the time."""
PAGES = (
    *("index", "tutorial", "annotation", "method"),
    *("reference/commands/index", "reference/files", "reference/findings"),
)
"""What tests look at."""


def built(place, *pages):
    """Build the site from a copy of the sources; all are read, and pages written, by default all.

    No browser is on its path: pictures take half of the time, and have a test of their own.
    """
    shutil.copytree(
        ROOT / "docs", place / "docs", ignore=shutil.ignore_patterns("reference", "_build")
    )
    done = subprocess.run(
        [sys.executable, "-c", SPHINX, " ".join(pages)],
        cwd=place,
        env={"PATH": str(place), "PYTHONPATH": str(ROOT), "HOME": str(place)},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return place / "html"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A site of the pages that are looked at; writing all takes half of the time."""
    return built(tmp_path_factory.mktemp("site"), *PAGES)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The whole site."""
    return built(tmp_path_factory.mktemp("whole"))


def test_every_page_is_in_the_tree_of_contents(site):
    """A reader of the first page reaches every guide by the side bar."""
    shown = (site / "index.html").read_text(encoding="utf-8")
    written = {path.stem for path in (ROOT / "docs").glob("*.md")}
    missing = {name for name in written if f'href="{name}.html"' not in shown}
    assert missing - {"index"} == set()


def test_code_is_linked(site):
    """A command in a guide leads to its page, a rule to its place in the catalogue."""
    guide = (site / "annotation.html").read_text(encoding="utf-8")
    assert re.search(r'href="reference/commands/status.html"[^>]*><code', guide)
    assert 'href="reference/findings.html#removed-text"' in guide
    assert 'id="removed-text"' in (site / "reference" / "findings.html").read_text("utf-8")


@pytest.mark.nightly
def test_nothing_is_fetched(whole):
    """No page names a script, style or picture of another server."""
    foreign = {
        f"{path.relative_to(whole)}: {found}"
        for path in whole.rglob("*.html")
        for found in re.findall(
            r'<(?:script|link|img|iframe)[^>]*(?:src|href)="(?:https?:)?//[^"]*"',
            path.read_text(encoding="utf-8"),
        )
    }
    assert foreign == set()


@pytest.mark.nightly
def test_every_link_within_the_site_leads_somewhere(whole):
    """Pages that are made of the code too: each file, and each place on it."""
    pages = {path: path.read_text(encoding="utf-8") for path in whole.rglob("*.html")}
    places = {path: set(re.findall(r'\bid="([^"]*)"', text)) for path, text in pages.items()}
    broken = set()
    for path, text in pages.items():
        for link in re.findall(r'<(?:a|img|link|script)\b[^>]*?(?:href|src)="([^"]*)"', text):
            name, _, place = html.unescape(link).partition("#")
            if re.match(r"[a-z]+:", name) or name.startswith("_static"):
                continue
            target = (path.parent / unquote(name.partition("?")[0])).resolve() if name else path
            if not target.exists() or (place and unquote(place) not in places.get(target, {place})):
                broken.add(f"{path.relative_to(whole)}: {link}")
    assert broken == set()


def test_options_and_formulas_are_written_as_they_are(site):
    """Two hyphens stay two; formulas are set by the browser, and none is left as it was typed."""
    text = {path: path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    dashes = {str(path) for path, page in text.items() if re.search(r"[\s(>]–[a-z]", page)}
    assert dashes == set()
    method = text[site / "method.html"]
    assert method.count("<math") > 60
    assert re.findall(r"\\[a-z]+\b|\$", method.partition("<article")[2]) == []


def test_every_picture_has_its_place_and_two_colours():
    """A picture that is made is shown on a page, and says what it shows."""
    text = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").rglob("*.md"))
    placed = pictures.MARK.findall(text)
    assert {*placed} == {item.name for item in pictures.PICTURES}
    shown = pictures.placed("<!-- docs: picture: survey-form -->", "up", there=True)
    for scheme in ("light", "dark"):
        assert f"{{image}} up/survey-form-{scheme}.webp" in shown
        assert f":class: picture only-{scheme}" in shown
    assert shown.count(":alt: A form of the survey as a workbook") == 2
    assert pictures.placed("<!-- docs: picture: survey-form -->", "up", there=False)[:4] == "<!--"
    with pytest.raises(KeyError):
        pictures.placed("<!-- docs: picture: nothing -->", "up", there=True)


@pytest.mark.nightly
@pytest.mark.server
def test_all_pictures_can_be_made(tmp_path):
    """Each in both colours, of what the commands and pages show now."""
    assert pictures.make(tmp_path / "pictures")
    wanted = {
        path.name for item in pictures.PICTURES for path in pictures.files(item.name, tmp_path)
    }
    made = {path.name: path for path in (tmp_path / "pictures").glob("*.webp")}
    assert set(made) == wanted
    assert min(path.stat().st_size for path in made.values()) > 2_000


@pytest.mark.server
def test_pages_open_without_a_network(site):
    """In a browser that is offline pages open from disk, can be read, and fetch nothing."""
    with headless() as browser:
        page = opened(browser, (site / "index.html").as_uri(), offline=True)
        for name in ("index", "tutorial", "reference/commands/index", "reference/files"):
            page.goto((site / f"{name}.html").as_uri())
            assert page.locator("h1").count() == 1
            assert_fits(page)
            assert pale(page) == []
        page.goto((site / "search.html").as_uri() + "?q=comprehension")
        page.wait_for_selector("#search-results li a")
        page.goto((site / "search.html").as_uri() + "?q=raked")
        page.wait_for_selector(".search-sections a")
        lines = page.locator(".search-sections p").all_inner_texts()
        assert len(lines) > 1
        assert all("raked" in line for line in lines)
        page.locator(".search-sections a", has_text=re.compile("^Weights$")).click()
        assert page.url.endswith("method.html#weights")
    assert [url for url in page.asked if not url.startswith(("file:", "data:"))] == []
    assert page.said == []


_NARROW = 46 * 16
"""The width in pixels up to which aligned text moves sideways, as the style has it."""


def assert_fits(page):
    """See that a page is no wider than a window, and that no example is wider than its column.

    On a telephone aligned text moves sideways.
    """
    for width in (1280, 800, 360):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        examples = (
            "article pre" if width > _NARROW else "article div:not(.aligned) > .highlight pre"
        )
        wide = page.locator(examples).evaluate_all(
            "all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.innerText)"
        )
        assert wide == []
