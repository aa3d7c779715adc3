"""Make the pictures of labelling pages that docs/label-studio.md shows.

    PYTHONPATH=.:tests/support python tools/label_studio_pictures.py [--out FOLDER]

A real Label Studio server gets the tasks of the invented templates of the Spanish tutorial, and a
headless Chromium opens them. The words of the pages are English, for readers of the documentation:
the workspace's language file has the English texts for annotators. In an ordinary Spanish workspace
the pages are in Spanish.

The server is the one of the tests (`tests/annotation/labelstudio/venv.py`). Run this again when a
labelling page has changed.
"""

import argparse
import io
import re
import tempfile
from pathlib import Path
from typing import Any

import yaml
from pages_in_browser import headless
from PIL import Image

from curation.annotation.sheets import consensus_page, pages
from tests.annotation.labelstudio.browsing import opened
from tests.annotation.labelstudio.conftest import Label
from tests.annotation.labelstudio.fake import choices, text
from tests.annotation.labelstudio.venv import EMAIL, PASSWORD, prepare, running

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "_static"
ENGLISH = ROOT / "curation" / "languages" / "en"
KINDS = ("classify", "translate", "consensus")
_SCREEN = {"width": 1366, "height": 768}
_WIDTH = 1200
_COLOURS = 96
_TEMPLATE = "age-001"


def name_of(kind: str) -> str:
    """The file of a kind's picture."""
    return f"label-studio-{kind}.png"


def workspace(server: Label, folder: Path) -> Path:
    """Import the templates of the Spanish tutorial."""
    files, made = folder / "files", folder / "es"
    here = ("-w", made)
    run(server, "demo", "--tutorial", files)
    run(server, "init", made, "--language", "es", "--culture", "Example")
    english = yaml.safe_load((ENGLISH / "annotation.yaml").read_text(encoding="utf-8"))
    (made / "languages").mkdir(exist_ok=True)
    texts = yaml.safe_dump({"annotation": english}, allow_unicode=True)
    (made / "languages" / "es.yaml").write_text(texts, encoding="utf-8")
    run(server, "import", "bbq", files / "spanish" / "bbq", *here)
    return made


def run(server: Label, *words: object) -> None:
    """Run a command.

    Raises:
        RuntimeError: If it fails.
    """
    done = server.curate(*words)
    if done.returncode:
        raise RuntimeError(f"curate {words[0]}: {done.stderr}")


def push(server: Label, made: Path, kind: str) -> int:
    """Send a kind's tasks; gives the number of the project."""
    return int(server.json("push", kind, "-w", made)["projects"][0]["project"])


def disagree(server: Label, made: Path, project: int) -> None:
    """Let two annotators label a template differently, and collect that."""
    task = server.tasks(project)[_TEMPLATE]
    for name, label, why in (("mina", "ST", ""), ("jun", "SR", "I have never heard this here.")):
        said = [choices("decision", label), *([text("removal_reason", why)] if why else [])]
        server.annotate(task, server.user(f"{name}@example.com"), said)
    server.json("pull", "classify", "-w", made)
    people = made / "annotations" / "people.csv"
    names = people.read_text(encoding="utf-8")
    for name in ("mina", "jun"):
        names = re.sub(rf"(?m)^(\d+,{name}@example.com),[^,\n]*", rf"\1,{name.capitalize()}", names)
    people.write_text(names, encoding="utf-8")
    server.json("pull", "classify", "-w", made)


def translate(server: Label, made: Path, machine: Path) -> None:
    """Settle the label of the template, and put a machine's translation into the bank."""
    by = ("--by", "Mina", "--reason", "known here")
    run(server, "override", _TEMPLATE, "--as", "ST", *by, "-w", made)
    run(server, "translate", "run", "--engine", machine, "-w", made)


def look(page: Any, path: Path) -> None:
    """Keep what the page shows, as a light file."""
    page.mouse.move(0, 0)
    page.wait_for_timeout(1500)  # fonts, and panels that slide
    with Image.open(io.BytesIO(page.screenshot())) as image:
        height = round(image.height * _WIDTH / image.width)
        small = image.convert("RGB").resize((_WIDTH, height), Image.Resampling.LANCZOS)
        small.quantize(_COLOURS).save(path, optimize=True)


def make(out: Path) -> None:
    """Make every picture."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = prepare()
        with running(folder, Path(name) / "data") as url, headless() as browser:
            server = Label(url, folder)
            page = browser.new_page(viewport=_SCREEN)
            page.goto(f"{url}/user/login/")
            page.fill("input[name=email]", EMAIL)
            page.fill("input[name=password]", PASSWORD)
            page.press("input[name=password]", "Enter")
            page.wait_for_url(re.compile("/(projects|$)"))
            made, texts = workspace(server, Path(name)), pages("en")
            project = push(server, made, "classify")
            opened(page, server, project, texts.guidelines.classify[0])
            page.keyboard.press("1")
            look(page, out / name_of("classify"))
            disagree(server, made, project)
            number = push(server, made, "consensus")
            opened(page, server, number, consensus_page("en").guidelines[0])
            look(page, out / name_of("consensus"))
            translate(server, made, Path(name) / "files" / "spanish" / "machine.csv")
            opened(page, server, push(server, made, "translate"), texts.guidelines.translate[0])
            look(page, out / name_of("translate"))


if __name__ == "__main__":
    options = argparse.ArgumentParser(description="Make the pictures of labelling pages.")
    options.add_argument("--out", type=Path, default=PICTURES)
    make(options.parse_args().out)
