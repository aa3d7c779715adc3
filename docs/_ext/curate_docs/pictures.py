"""Pictures of what the toolkit makes: pages, reports, workbooks and a terminal, light and dark.

    python docs/_ext/curate_docs/pictures.py FOLDER [NAME ...]

The demo culture goes the whole way in a temporary folder, and a headless Chromium looks at what
comes out. The build of the documentation makes them, where there are playwright and a browser, and
leaves them out where there are none. A page says where one belongs by a remark that other readers
do not see: `<!-- docs: picture: NAME -->`. Only `browse-template` is committed, in `docs/_static`,
for the README.
"""

import hashlib
import html
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
SCHEMES = ("light", "dark")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MARK = re.compile(r"^<!-- docs: picture: ([a-z-]+) -->$", re.MULTILINE)
_PACKAGES = ("curation", "survey", "evaluation", "exports", "templates_src")
_EPOCH = "1767225600"
"""The time that the demo's decisions are signed with: 2026-01-01, UTC."""
_MAIN = "from curation.cli.main import main; main()"
_MODELS = ("oracle", "uniform", "always-biased", "always-first")


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture.

    Attributes:
        name: Its file without ending, and its name in remarks.
        shows: What it shows, for those who cannot see it, and as its caption.
        source: What it is a picture of: a page (`.html`), workbook (`.xlsx`) or text (`.md`) of
            the demo's workspace, or a command as it is typed.
        place: Of a page: what follows `#`. Of a workbook: the sheet.
        at: A selector of what stands at the top; empty for the beginning.
        click: A selector of what is clicked first; empty for nothing.
        size: Width and height in pixels.
    """

    name: str
    shows: str
    source: str
    place: str = ""
    at: str = ""
    click: str = ""
    size: tuple[int, int] = (960, 640)


PICTURES = (
    Picture(
        "terminal-filter",
        "`curate filter` on a terminal: what was decided, and how many templates are retained.",
        "curate filter --survey responses/responses.csv",
    ),
    Picture(
        "terminal-status",
        "`curate status` on a terminal: where every template stands, and what comes next.",
        "curate status",
    ),
    Picture(
        "workbook-classify",
        "The workbook of an annotator: a row a template, and cells to choose a label in.",
        "annotations/sheets/classify-Mina.xlsx",
        place="1",
    ),
    Picture(
        "workbook-groups",
        "The workbook of groups: their names, the group above each, and whether they count.",
        "annotations/sheets/groups.xlsx",
        place="1",
    ),
    Picture(
        "workbook-translate",
        "The workbook of a translator: the English text beside the text to revise.",
        "annotations/sheets/translate.xlsx",
        place="1",
    ),
    Picture(
        "survey-form",
        "A form of the survey as a workbook: a column a question, and a row for each respondent.",
        "responses/forms/workbook/forms.xlsx",
        place="1",
    ),
    Picture(
        "survey-report",
        "The survey's report: how many were asked, what was decided, and how sure that is.",
        "exports/survey/report.html",
    ),
    Picture(
        "survey-report-phone",
        "The same report on a phone.",
        "exports/survey/report.html",
        size=(390, 700),
    ),
    Picture(
        "evaluation-report",
        "The evaluation's report: how biased each model is, and how sure that is.",
        "exports/evaluation/report/report.html",
    ),
    Picture(
        "dataset-card",
        "The dataset card: what the benchmark is, what it is not for, and how it is loaded.",
        "exports/hub/README.md",
    ),
    Picture(
        "browse-templates",
        "The page of `curate browse`: all templates, with filters above them.",
        "exports/browse/index.html",
        place="/templates",
    ),
    Picture(
        "browse-template",
        "One template in the page: its standing, and its texts in both languages side by side.",
        "exports/browse/index.html",
        place="/template/age-001",
        size=(960, 900),
    ),
    Picture(
        "browse-phone",
        "The same template on a phone.",
        "exports/browse/index.html",
        place="/template/age-001",
        size=(390, 700),
    ),
    Picture(
        "browse-models",
        "The models in the page: their scores, and a map of templates by model in colours.",
        "exports/browse/index.html",
        place="/models",
        size=(960, 900),
    ),
    Picture(
        "browse-survey",
        "The survey in the page: its questions, and a slider for each threshold.",
        "exports/browse/index.html",
        place="/survey",
        size=(960, 900),
    ),
)
"""Every picture, in the order in which they are made."""


def named(name: str) -> Picture:
    """Give a picture by its name.

    Raises:
        KeyError: If there is none.
    """
    return {item.name: item for item in PICTURES}[name]


def files(name: str, folder: Path) -> list[Path]:
    """The files of a picture, light and dark."""
    return [folder / f"{name}-{scheme}.webp" for scheme in SCHEMES]


def make(folder: Path) -> bool:
    """Make all pictures unless they are there and nothing has changed that they show.

    Args:
        folder: Where they are kept, with a file that says of what code they are.

    Returns:
        Whether there are pictures: not without playwright, or without a browser.
    """
    state, made = _state(), folder / "made.txt"
    if made.is_file() and made.read_text(encoding="utf-8") == state:
        return True
    if browser() is None:
        return False
    shutil.rmtree(folder, ignore_errors=True)
    done = subprocess.run(  # noqa: S603  # our own program
        [sys.executable, __file__, str(folder)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"pictures: {done.stderr[-2000:]}")
    made.write_text(state, encoding="utf-8")
    return True


def browser() -> str | None:
    """The browser of this machine; None where it or playwright is missing."""
    try:
        import playwright  # noqa: F401  # whether it is there
    except ImportError:
        return None
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def placed(text: str, folder: str, *, there: bool) -> str:
    """A page with its pictures where its remarks want them.

    Args:
        text: The page.
        folder: The path of the pictures from the page.
        there: Whether they could be made; else the remarks stay what they are.

    Raises:
        KeyError: If a remark names a picture that there is not.
    """

    def figure(mark: re.Match[str]) -> str:
        picture = named(mark[1])
        alt = picture.shows.replace("`", "")
        # A terminal is as large as what it shows; enlarged, its letters would be blurred.
        width = [] if picture.source.startswith("curate ") else [f":width: {picture.size[0]}px"]
        lines = []
        for scheme in SCHEMES:
            lines += [f"```{{image}} {folder}/{picture.name}-{scheme}.webp", f":alt: {alt}"]
            lines += [f":class: picture only-{scheme}", *width, "```", ""]
        return "\n".join([*lines, "```{rst-class} caption", "```", "", picture.shows])

    return MARK.sub(figure, text) if there else text


def _state() -> str:
    """A hash of everything that the pictures are of."""
    found = hashlib.sha256(Path(__file__).read_bytes())
    for package in _PACKAGES:
        for path in sorted((ROOT / package).rglob("*")):
            parts = path.relative_to(ROOT).parts
            if path.is_file() and parts[:2] != ("exports", "demo") and path.suffix != ".pyc":
                found.update(path.read_bytes())
    return found.hexdigest()


def _commands() -> Iterator[list[str]]:
    """What is run in the demo's workspace, before anything is looked at."""
    yield from (["survey", "report"], ["evaluate", "prepare"])
    for model in _MODELS:
        yield [
            "evaluate",
            "run",
            "--backend",
            model,
            "--model",
            model,
            "--replies",
            "replies.jsonl",
        ]
    yield ["evaluate", "report", "--replies", "replies.jsonl"]
    yield ["classify", "sheet", "--annotator", "Mina", "--annotator", "Jun"]
    yield from ([name, "sheet"] for name in ("translate", "new", "groups"))
    yield ["browse", "--replies", "replies.jsonl"]
    yield ["export", "package", "--only", "hub"]


def _run(words: Sequence[str]) -> None:
    """Run a command in this process.

    Raises:
        RuntimeError: If it fails.
    """
    from click.testing import CliRunner

    from curation.cli.group import cli

    done = CliRunner().invoke(cli, list(words), prog_name="curate")
    if done.exit_code:
        raise RuntimeError(f"curate {' '.join(words)}: {done.output} {done.exception!r}")


def _printed(command: str) -> str:
    """What a command prints on a terminal, which a pipe would not show: in colour, in lines."""
    import pty

    ours, theirs = pty.openpty()
    with subprocess.Popen(  # noqa: S603  # our own command
        [sys.executable, "-c", _MAIN, *command.split()[1:]],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
    ):
        os.close(theirs)
        parts = []
        try:
            while part := os.read(ours, 4096):
                parts.append(part)
        except OSError:  # so Linux says that the other side is closed
            pass
        os.close(ours)
    return b"".join(parts).decode().replace("\r\n", "\n")


def _draw(folder: Path, chosen: Sequence[Picture]) -> None:
    """Go the whole way, and look at what comes out."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        os.environ |= {"SOURCE_DATE_EPOCH": _EPOCH, "COLUMNS": "80", "TZ": "UTC"}
        os.environ.pop("NO_COLOR", None)
        os.chdir(name)
        _run(["demo", "demo"])
        os.chdir("demo")
        shown = {
            item.source: _printed(item.source)
            for item in chosen
            if item.source.startswith("curate ")
        }
        for words in _commands():
            _run(words)
        _run(["survey", "build", "--format", "workbook", "--replace"])
        chromium = playwright.chromium.launch(executable_path=browser(), args=["--no-sandbox"])
        for item in chosen:
            page = Path(name) / f"{item.name}.html"
            if item.source in shown:
                page.write_text(_terminal(item.source, shown[item.source]), encoding="utf-8")
            elif item.source.endswith(".xlsx"):
                page.write_text(_workbook(Path(item.source), item.place), encoding="utf-8")
            elif item.source.endswith(".md"):
                page.write_text(_card(Path(item.source)), encoding="utf-8")
            else:
                page = Path(item.source).resolve()
            _look(chromium, page, item, files(item.name, folder))
        chromium.close()


def _look(chromium: Any, page: Path, item: Picture, paths: Sequence[Path]) -> None:
    """Open a page and keep what is seen, light and dark."""
    from PIL import Image

    width, height = item.size
    context = chromium.new_context(
        viewport={"width": width, "height": height},
        color_scheme=SCHEMES[0],
        reduced_motion="reduce",
    )
    tab = context.new_page()
    place = f"#{item.place}" if page.suffix == ".html" and item.source.endswith(".html") else ""
    tab.goto(page.as_uri() + (place if place != "#" else ""))
    tab.wait_for_timeout(300)  # what a script draws
    if item.click:
        tab.locator(item.click).first.click()
    if item.at:
        tab.locator(item.at).first.evaluate("item => item.scrollIntoView()")
    drawn = tab.locator("#picture")
    for scheme, path in zip(SCHEMES, paths, strict=True):
        tab.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        seen = drawn.screenshot() if drawn.count() else tab.screenshot()
        with Image.open(io.BytesIO(seen)) as image:
            image.convert("RGB").quantize(128).convert("RGB").save(path, lossless=True, method=6)
    context.close()


_BASE = """\
<!doctype html><html lang="en"><meta charset="utf-8"><style>
:root { color-scheme: light dark; --ground: #fff; --ink: #1f2328; --soft: #eef1f4;
  --line: #c5ccd3; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #16191d; --ink: #e6edf3; --soft: #242a31; --line: #444c56; }
}
body { margin: 0; background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; }
"""


def _terminal(command: str, printed: str) -> str:
    """What a command prints, in a window of a terminal."""
    from rich.console import Console
    from rich.terminal_theme import DEFAULT_TERMINAL_THEME
    from rich.text import Text

    console = Console(record=True, file=io.StringIO(), width=84, force_terminal=True)
    lines = Text.from_ansi(printed.rstrip("\n"))
    console.print(lines, soft_wrap=True)
    body = console.export_html(
        theme=DEFAULT_TERMINAL_THEME, inline_styles=True, code_format="{code}"
    )
    body = re.sub(r"(?<=[; \"])color: #000000;? ?", "", body)
    typed = f'<span class="typed">$ {html.escape(command)}</span>'
    return f"""{_BASE}
#picture {{ display: inline-block; padding: 14px 18px; background: var(--soft); }}
pre {{ margin: 0;
  font: 14px/1.45 ui-monospace, "DejaVu Sans Mono", "Noto Sans Mono CJK KR", monospace; }}
.typed {{ font-weight: 700; }}
@media (prefers-color-scheme: dark) {{ pre span[style*="color"] {{ filter: brightness(2.2); }} }}
</style><title>terminal</title><div id="picture"><pre>{typed}
{body}</pre></div>"""


_ROOM = 200  # letters of the columns that are drawn: more are squeezed until they are cut


def _workbook(path: Path, sheet: str) -> str:
    """The first rows of a sheet, as a spreadsheet shows them."""
    from openpyxl import load_workbook
    from openpyxl.utils import get_column_letter

    book = load_workbook(path)
    page = book.worksheets[int(sheet)]
    columns = [
        number
        for number in range(1, min(page.max_column, 14) + 1)
        if not page.column_dimensions[get_column_letter(number)].hidden
    ][:8]
    rows = [
        number for number in range(1, page.max_row + 1) if not page.row_dimensions[number].hidden
    ][:9]
    sizes = [page.column_dimensions[get_column_letter(number)].width or 12 for number in columns]
    columns = [it for at, it in enumerate(columns) if not at or sum(sizes[: at + 1]) < _ROOM]
    head = "".join(f"<th>{get_column_letter(number)}</th>" for number in columns)
    body = ""
    for row in rows:
        cells = "".join(_cell(page.cell(row, column)) for column in columns)
        body += f"<tr><th>{row}</th>{cells}</tr>"
    widths = "".join(f'<col style="width:{8 * it:.0f}px">' for it in sizes[: len(columns)])
    tabs = "".join(
        f"<span{' class=on' if at == int(sheet) else ''}>{html.escape(item.title)}</span>"
        for at, item in enumerate(book.worksheets)
        if item.sheet_state == "visible"
    )
    return f"""{_BASE}
#picture {{ width: 960px; height: 560px; overflow: hidden; display: flex; flex-direction: column; }}
.sheet {{ flex: 1; overflow: hidden; }}
table {{ border-collapse: collapse; table-layout: fixed; font-size: 13px; }}
th, td {{ border: 1px solid var(--line); padding: 3px 6px; vertical-align: top; }}
td {{ overflow: hidden; text-align: start; overflow-wrap: anywhere; }}
td > div {{ max-height: 11em; overflow: hidden; }}
th {{ background: var(--soft); font-weight: 400; }}
.tabs {{ border-top: 1px solid var(--line); background: var(--soft); padding: 5px 8px; }}
.tabs span {{ padding: 5px 14px; }} .tabs .on {{ background: var(--ground); font-weight: 600; }}
</style><title>workbook</title><div id="picture"><div class="sheet">
<table><colgroup><col style="width:34px">{widths}</colgroup><tr><th></th>{head}</tr>{body}</table>
</div><div class="tabs">{tabs}</div></div>"""


def _cell(cell: Any) -> str:
    fill = cell.fill.fgColor.rgb if cell.fill.fill_type == "solid" else None
    style = ""
    if isinstance(fill, str):
        style = f"background:#{fill[-6:]};color:#1f2328"
    if cell.font.bold:
        style += ";font-weight:700"
    text = "" if cell.value is None else html.escape(str(cell.value))
    return f'<td style="{style}"><div>{text}</div></td>'


def _card(path: Path) -> str:
    """A text with Markdown, as a hub shows it."""
    from markdown_it import MarkdownIt

    text = path.read_text(encoding="utf-8")
    if text.startswith("---"):
        text = text.split("\n---\n", 1)[1]
    body = MarkdownIt("commonmark").enable("table").render(text)
    return f"""{_BASE}
main {{ max-width: 860px; margin: 20px auto; padding: 0 20px; }}
table {{ border-collapse: collapse; }} td, th {{ border: 1px solid var(--line); padding: 3px 9px; }}
pre {{ background: var(--soft); padding: 8px 12px; }} img {{ max-width: 100%; }}
</style><title>card</title><base href="{path.resolve().parent.as_uri()}/"><main>{body}</main>"""


if __name__ == "__main__":
    target = Path(sys.argv[1]).resolve()
    target.mkdir(parents=True, exist_ok=True)
    _draw(target, [named(name) for name in sys.argv[2:]] or PICTURES)
