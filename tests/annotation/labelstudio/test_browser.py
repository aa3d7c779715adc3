"""Labelling pages before a person: a real server, and a browser of 1366 x 768."""

import csv
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pages_in_browser import headless

from curation.annotation.labelstudio.configs import (
    instructions,
    passages_page,
)
from curation.annotation.labelstudio.tasks import with_keys
from curation.annotation.texts import consensus_page, pages
from curation.languages import load
from tests.annotation.labelstudio.browsing import opened, refused, submitted
from tests.annotation.labelstudio.conftest import Label
from tests.annotation.labelstudio.fake import choices, text
from tests.annotation.labelstudio.venv import EMAIL, PASSWORD

pytestmark = [pytest.mark.server, pytest.mark.xdist_group("label-studio")]
MakeDemo = Callable[[str], Path]
TEXTS = pages("ko")  # what annotators of the demo read
SCREEN = {"width": 1366, "height": 768}


@pytest.fixture(scope="module")
def page(label_studio: Label) -> Iterator[Any]:
    """A page of somebody who is logged in."""
    with headless() as browser:
        page = browser.new_page(viewport=SCREEN)
        page.goto(f"{label_studio.url}/user/login/")
        page.fill("input[name=email]", EMAIL)
        page.fill("input[name=password]", PASSWORD)
        page.press("input[name=password]", "Enter")
        page.wait_for_url(re.compile("/(projects|$)"))
        yield page


def next_task(page: Any, number: str) -> None:
    """Wait for the task after the one of a number."""
    page.wait_for_function(
        "number => { const at = document.querySelector('.lsf-current-task__task-id');"
        " return at && at.textContent.trim() !== number }",
        arg=number,
    )


def number_of(page: Any) -> str:
    """The number of the task that is shown."""
    return str(page.locator(".lsf-current-task__task-id").inner_text()).strip()


def rows(folder: Path, kind: str) -> list[dict[str, str]]:
    """Read a normal form."""
    with (folder / "annotations" / f"{kind}.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_a_template_is_classified_by_the_shortest_path(
    label_studio: Label, make_demo: MakeDemo, page: Any
) -> None:
    """A key and Ctrl+Enter; who is not sure says why; a removal asks for its reason."""
    demo = make_demo("demo")
    project = label_studio.json("push", "classify", "-w", demo)["projects"][0]["project"]
    submit = opened(page, label_studio, project, TEXTS.guidelines.classify[0])
    page.get_by_role("button", name="Instructions").click()
    for paragraph in TEXTS.guidelines.classify:
        page.get_by_text(paragraph).first.wait_for()
    page.get_by_role("button", name="Close modal").click()
    page.get_by_text(TEXTS.guidelines.classify[0]).wait_for(state="hidden")
    refused(page, submit, TEXTS.choose_label)
    first = number_of(page)
    page.keyboard.press("1")
    submitted(page, lambda: page.keyboard.press("Control+Enter"))
    next_task(page, first)
    second = number_of(page)
    page.keyboard.press("4")
    refused(page, submit, TEXTS.say_why_unsure)
    page.locator("textarea[name=unsure_reason]").fill("여기서는 <잘> & 모르겠다")
    submitted(page, submit.click)
    next_task(page, second)
    page.keyboard.press("3")
    refused(page, submit, TEXTS.say_why_removed)
    page.locator("textarea[name=removal_reason]").fill("아무도 모른다")
    submitted(page, submit.click)
    assert label_studio.json("pull", "classify", "-w", demo)["findings"] == []
    found = [(row["label"], row["reason"], row["remark"]) for row in rows(demo, "classify")]
    assert found == [
        ("ST", "", ""),
        ("", "", "여기서는 <잘> & 모르겠다"),
        ("SR", "아무도 모른다", ""),
    ]


def test_a_suggestion_is_shown_to_one_and_not_to_who_is_blind(
    label_studio: Label, make_demo: MakeDemo, page: Any
) -> None:
    """One key takes it as a label of one's own; the blind page is as it always was."""
    demo = make_demo("demo")
    found = label_studio.json("classify", "suggest", "-w", demo)["suggestions"]
    names = ("--annotator", "Kim", "--annotator", "Lee")
    view = (*names, "--suggestions", "--blind", "Lee")
    kim, lee = label_studio.json("push", "classify", "-w", demo, *view)["projects"]
    assert (len(kim["suggested"]), lee["suggested"]) == (len(found), [])
    told = load("ko").suggest
    assert told is not None
    chosen = page.locator("input[type=radio]:checked")
    first = found[0]
    submit = opened(page, label_studio, kim["project"], TEXTS.guidelines.classify[0])
    page.get_by_text(told.title).first.wait_for()
    page.get_by_text(first["reason"]).first.wait_for()
    page.get_by_text(told.judge).first.wait_for()
    chosen.first.wait_for(state="attached")
    assert chosen.count() == 1
    submitted(page, submit.click)
    submit = opened(page, label_studio, lee["project"], TEXTS.guidelines.classify[0])
    assert page.get_by_text(told.title).count() == 0
    assert page.get_by_text(first["reason"]).count() == 0
    refused(page, submit, TEXTS.choose_label)
    assert chosen.count() == 0
    page.keyboard.press("2")
    submitted(page, submit.click)
    export = f"/api/projects/{lee['project']}/export?exportType=JSON"
    (done,) = label_studio.ask("GET", export)[0]["annotations"]  # one person was both
    other = {"completed_by": label_studio.user("lee@example.com")}
    label_studio.ask("PATCH", f"/api/annotations/{done['id']}/", other)
    assert label_studio.json("pull", "classify", "-w", demo)["findings"] == []
    labels = {(row["annotator"], row["label"]) for row in rows(demo, "classify")}
    assert labels == {("Kim", first["label"]), ("Lee", "TM")}
    compared = label_studio.json("classify", "collect", "-w", demo)["suggestions"]
    assert [(item["view"], item["labels"], item["agree"]) for item in compared] == [
        *(("shown", 1, 1), ("shown", 1, 1), ("blind", 1, 0), ("blind", 1, 0))
    ]


def with_machine(demo: Path) -> Path:
    """Leave a demo's translation to a machine, which copies the source."""
    bank = demo / "templates_src" / "bank.csv"
    with bank.open(encoding="utf-8", newline="") as stream:
        table = list(csv.DictReader(stream))
    fields = [name.removesuffix("_source") for name in table[0] if name.endswith("_source")]
    fields = [name for name in fields if name in table[0]]
    for row in table:
        for name in fields:
            row[f"{name}_machine"] = re.sub(r"\[(\w+)[^\]]*\]", r"[\1]", row[f"{name}_source"])
            row[name] = ""
        row["names_machine"], row["words_machine"] = row["names_source"], row["words_source"]
    with bank.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(table[0]))
        writer.writeheader()
        writer.writerows(table)
    return demo


def test_a_page_of_translation_is_submitted_as_it_stands_or_edited(
    label_studio: Label, make_demo: MakeDemo, page: Any, tmp_path: Path
) -> None:
    """Without a click besides; an empty box is not, and says so; a lost slot is said at pull."""
    demo = with_machine(make_demo("demo"))
    project = label_studio.json("push", "translate", "-w", demo, "--unlabelled")["projects"][0]
    number = project["project"]
    data = {t["data"]["uid"]: t["data"] for t in exported(label_studio, number)}
    submit = opened(page, label_studio, number, TEXTS.guidelines.translate[0])
    first = number_of(page)
    boxes = page.locator(".curate-text textarea")
    shown = [boxes.nth(at).input_value() for at in range(boxes.count())]
    sent = submitted(page, submit.click)
    assert {item["value"]["text"][0] for item in sent["result"]} == {*shown} - {""}
    next_task(page, first)
    second = number_of(page)
    uid = page.locator(".curate-item > *").nth(0).inner_text().split(" ")[0]
    texts = data[uid]["texts"]
    slots = [at for at, item in enumerate(texts) if "[N1]" in item["target"]]
    plain = next(at for at, item in enumerate(texts) if "[" not in item["target"])
    box = page.locator(f"textarea[name=target_{slots[0]}]")
    page.locator(f"textarea[name=target_{plain}]").fill("할머니가 잘")
    box.fill("")
    refused(page, submit, TEXTS.write_translation)
    box.fill("누군가 \U0001f642 왔다")
    submitted(page, submit.click)
    next_task(page, second)
    pulled = label_studio.json("pull", "translate", "-w", demo)
    [lost] = [item for item in pulled["findings"] if item["rule"] == "translation-slots"]
    assert "[N1]" in lost["message"]
    assert f"{label_studio.url}/projects/{number}/data?task={second.split()[0]}" in lost["hint"]
    found = {row["unit_id"]: row for row in rows(demo, "translate")}
    assert len(found) == len(texts) + len(data["age-001"]["texts"])
    key = texts[plain]["key"]
    assert (found[f"{uid}-{key}"]["target"], found[f"{uid}-{key}"]["unchanged"]) == (
        "할머니가 잘",
        "false",
    )
    assert all(row["unchanged"] == "true" for row in found.values() if row["template_id"] != uid)
    done = label_studio.curate("translate", "collect", "-w", demo, "--labelstudio", "--json")
    assert done.returncode == 1
    [said] = json.loads(done.stdout)["findings"]
    assert f"/data?task={second.split()[0]}" in said["hint"]
    again = label_studio.json("push", "translate", "-w", demo, "--unlabelled", "--update")
    assert [item["page_changed"] for item in again["projects"]] == [False]


def exported(label: Label, project: int) -> Any:
    """Give the tasks of a project."""
    path = f"/api/projects/{project}/export?exportType=JSON&download_all_tasks=1"
    return label.ask("GET", path)


def test_a_context_is_answered_by_a_key(
    label_studio: Label, make_demo: MakeDemo, page: Any
) -> None:
    """The number keys choose an option of the task; without one nothing is submitted."""
    demo = make_demo("demo")
    project = label_studio.json("push", "comprehension", "-w", demo)["projects"][0]["project"]
    submit = opened(page, label_studio, project, TEXTS.guidelines.comprehension[0])
    refused(page, submit, TEXTS.choose_answer)
    page.keyboard.press("2")
    submitted(page, submit.click)
    assert label_studio.json("pull", "comprehension", "-w", demo)["rows"] == 1
    [row] = rows(demo, "comprehension")
    assert row["position"] == "2"


def made_project(label: Label, config: str, told: str, data: dict[str, object]) -> int:
    """Make a project of one task, set up as a push does."""
    settings = {"show_instruction": True, "enable_empty_annotation": True}
    body = {"title": "One task", "label_config": config, "expert_instruction": told, **settings}
    number = int(label.ask("POST", "/api/projects", body)["id"])
    label.ask("POST", f"/api/projects/{number}/import", [{"data": data}])
    return number


def test_a_disagreement_is_decided_by_the_shortest_path(
    label_studio: Label, make_demo: MakeDemo, page: Any
) -> None:
    """A click on a label, and submit; what each said stands beside it; without a label it asks."""
    demo = make_demo("demo")
    project = label_studio.json("push", "classify", "-w", demo)["projects"][0]["project"]
    tasks = label_studio.tasks(project)
    people = {name: label_studio.user(f"{name}@example.com") for name in ("kim", "lee")}
    why = [text("removal_reason", "nobody <says> so & never did")]
    label_studio.annotate(tasks["age-001"], people["kim"], [choices("decision", "ST")])
    label_studio.annotate(tasks["age-001"], people["lee"], [choices("decision", "SR"), *why])
    label_studio.json("pull", "classify", "-w", demo)
    words = consensus_page("ko")
    number = label_studio.json("push", "consensus", "-w", demo)["projects"][0]["project"]
    submit = opened(page, label_studio, number, words.guidelines[0])
    cells = page.locator(".curate-said td")
    assert cells.count() == 2
    assert "nobody <says> so & never did" in cells.nth(1).inner_text()
    refused(page, submit, words.choose)
    page.get_by_text(TEXTS.labels.TM).click()
    submitted(page, submit.click)
    names = demo / "annotations" / "people.csv"
    user = label_studio.user(EMAIL)
    names.write_text(f"user,email,annotator\n{user},,Mina\n", encoding="utf-8")
    pulled = label_studio.json("pull", "consensus", "-w", demo)
    assert (pulled["annotators"], pulled["findings"]) == ({"Mina": 1}, [])
    with (demo / "decisions.csv").open(encoding="utf-8", newline="") as stream:
        [row] = [r for r in csv.DictReader(stream) if r["rule"] == "consensus"]
    assert (row["subject"], row["reason"], row["by"]) == ("age-001", "TM", "Mina")


def test_a_story_is_read_by_the_shortest_path(label_studio: Label, page: Any) -> None:
    """A key, and submit."""
    texts = pages("de")
    options = [{"value": f"{name}. Niemand", "alias": name} for name in "ABC"]
    data = with_keys({"story": "Eine Geschichte.", "question": "Wer?", "options": options})
    told = instructions("passages", texts)
    number = made_project(label_studio, passages_page("de", texts), told, data)
    submit = opened(page, label_studio, number, texts.guidelines.passages[0])
    refused(page, submit, texts.choose_answer)
    page.keyboard.press("1")
    sent = submitted(page, submit.click)
    assert [item["value"] for item in sent["result"]] == [{"choices": ["A"]}]


def test_a_form_of_the_survey_is_submitted_when_all_is_answered(
    label_studio: Label, make_demo: MakeDemo, page: Any, tmp_path: Path
) -> None:
    """A choice for each question, and submit; what lacks an answer is named by its number."""
    demo = make_demo("demo")
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
