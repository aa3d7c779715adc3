"""Label Studio as a lead starts it: one server, names in place of accounts, pages in a browser."""

import json
import re
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path

import httpx
import pytest
from pages_in_browser import headless

from curation.annotation.sheets import pages
from tests.annotation.labelstudio.browsing import opened, refused, removed, rows, submitted
from tests.annotation.labelstudio.conftest import DEMO, label_of
from tests.annotation.labelstudio.fake import choices

pytestmark = [pytest.mark.server, pytest.mark.xdist_group("label-studio")]
TEXTS = pages("ko")  # what annotators of the demo read
SCREEN = {"width": 1366, "height": 768}


@contextmanager
def serving(folder, demo, data, *names):
    """What `annotate serve` says as it runs, and the process; it has ended at the end."""
    label = label_of("", folder)
    program = "from curation.cli.main import main; main()"
    words = [word for name in names for word in ("--annotator", name)]
    command = [sys.executable, "-c", program, "annotate", "serve", "classify", "-w", demo]
    with subprocess.Popen(
        [*map(str, [*command, "--data-dir", data, "--json"]), *words],
        env=label.environment(
            LABEL_STUDIO_URL="",
            LABEL_STUDIO_API_KEY="",
            LABEL_STUDIO_BIN=str(folder / "venv" / "bin" / "label-studio"),
        ),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            lines = takewhile(lambda line: line not in ("}\n", ""), process.stdout)
            yield json.loads("".join(lines) + "}"), process
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(120)
            except subprocess.TimeoutExpired:
                process.kill()
                raise


@pytest.fixture(scope="module")
def served(environment, tmp_path_factory):
    """A server on fresh data, with tasks of the demo for two names; ended by the last test."""
    demo = Path(shutil.copytree(DEMO, tmp_path_factory.mktemp("served") / "demo"))
    data = shutil.copytree(environment / "fresh", demo.parent / "data")
    with serving(environment, demo, data, "\ubbf8\ub098", "Jun") as (said, process):
        yield label_of(said["url"], environment), demo, said, process


@pytest.fixture(scope="module")
def page(served):
    """A page of the first who has clicked on her name."""
    with headless() as browser:
        page = browser.new_page(viewport=SCREEN)
        page.goto(served[2]["names"])
        page.get_by_role("link", name="\ubbf8\ub098").click()
        yield page


def labels(demo):
    """Who says what of which template, and why."""
    return {(row["annotator"], row["label"], row["reason"]) for row in rows(demo)}


def annotate(said, name):
    """Annotate a task as somebody who follows the link of a name."""
    with httpx.Client(trust_env=False, timeout=60) as browser:
        there = browser.get(f"{said['names']}{name}")
        project = int(there.headers["Location"].split("/projects/")[1].split("/")[0])
        assert browser.get(f"{said['url']}/api/current-user/whoami").json()["first_name"] == name
        found = browser.get(f"{said['url']}/api/tasks?project={project}").json()
        answer = browser.post(
            f"{said['url']}/api/tasks/{found['tasks'][0]['id']}/annotations/",
            json={"result": [choices("decision", "TM")]},
            headers={"X-CSRFToken": browser.cookies["csrftoken"]},
        )
        assert answer.status_code == 201


def test_a_form_of_the_survey_is_submitted_when_all_is_answered(served, page):
    """A choice for each question, and submit; what lacks an answer is named by its number."""
    label_studio, demo, _, _ = served
    label_studio.json("survey", "build", "-w", demo, "--format", "label_studio", "--replace")
    config = next((demo / "responses").rglob("f01.xml"))
    task = json.loads(config.with_name("f01.tasks.json").read_text(encoding="utf-8"))[0]
    body = {"title": "Form", "label_config": config.read_text(encoding="utf-8")}
    number = int(label_studio.ask("POST", "/api/projects", body)["id"])
    label_studio.ask("POST", f"/api/projects/{number}/import", [task])
    page.goto(f"{label_studio.url}/projects/{number}/data?labeling=1")
    submit = page.get_by_role("button", name="Submit current annotation")
    submit.wait_for(timeout=60_000)
    rows_shown = page.locator(".survey-question")
    questions = page.locator(".lsf-choices")
    count = questions.count()
    assert rows_shown.count() == count
    refused(page, submit, "1. ")
    bar = submit.bounding_box()
    for at in range(count):
        rows_shown.nth(at).scroll_into_view_if_needed()
        row = rows_shown.nth(at).bounding_box()
        assert row["height"] < bar["y"] / 2  # a question is seen with all of its options
        assert row["x"] + row["width"] <= SCREEN["width"]
        questions.nth(at).locator("input").first.click()
    sent = submitted(page, submit.click)
    asked = re.findall('<Choices name="(.*?)"', config.read_text(encoding="utf-8"))
    assert {item["from_name"] for item in sent["result"]} == set(asked)
    assert len(asked) == count


def test_names_take_the_place_of_accounts(served, page):
    """Whoever follows the link of a name annotates under it; all is pulled when the server ends."""
    _, demo, said, process = served
    submit = opened(
        page, served[0], said["pushed"]["projects"][0]["project"], TEXTS.guidelines.classify[0]
    )
    reason = "nobody says so & <b>never</b> \U0001f642"
    removed(page, submit, TEXTS, reason)
    annotate(said, "Jun")
    process.send_signal(signal.SIGINT)
    assert process.wait(120) == 0
    assert labels(demo) == {("\ubbf8\ub098", "SR", reason), ("Jun", "TM", "")}
    assert (demo.parent / "data" / "curate-accounts.json").stat().st_mode & 0o77 == 0


@pytest.mark.nightly
def test_a_name_is_known_the_second_time(environment, tmp_path):
    """The first time of all makes the database."""
    demo = Path(shutil.copytree(DEMO, tmp_path / "demo"))
    for names in (("\ubbf8\ub098", "Jun"), ("Jun",)):
        with serving(environment, demo, tmp_path / "data", *names) as (said, _):
            for name in names:
                annotate(said, name)
        assert labels(demo) == {("\ubbf8\ub098", "TM", ""), ("Jun", "TM", "")}
