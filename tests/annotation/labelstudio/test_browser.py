"""Labelling pages before a person: a real server, and a browser of 1366 x 768."""

import csv
import json
import re

import pytest
from pages_in_browser import headless

from curation.annotation.sheets import pages
from tests.annotation.labelstudio.browsing import opened, refused, rows, submitted
from tests.annotation.labelstudio.venv import EMAIL, PASSWORD

pytestmark = [pytest.mark.nightly, pytest.mark.server, pytest.mark.xdist_group("label-studio")]
TEXTS = pages("ko")  # what annotators of the demo read
SCREEN = {"width": 1366, "height": 768}


@pytest.fixture(scope="module")
def page(server):
    """A page of somebody who is logged in."""
    with headless() as browser:
        page = browser.new_page(viewport=SCREEN)
        page.goto(f"{server.url}/user/login/")
        page.fill("input[name=email]", EMAIL)
        page.fill("input[name=password]", PASSWORD)
        page.press("input[name=password]", "Enter")
        page.wait_for_url(re.compile("/(projects|$)"))
        yield page


def next_task(page, number):
    """Wait for the task after the one of a number."""
    page.wait_for_function(
        "number => { const at = document.querySelector('.lsf-current-task__task-id');"
        " return at && at.textContent.trim() !== number }",
        arg=number,
    )


def number_of(page):
    """The number of the task that is shown."""
    return page.locator(".lsf-current-task__task-id").inner_text().strip()


def test_a_template_is_classified_by_the_shortest_path(label_studio, make_demo, page):
    """A key and Ctrl+Enter; who is not sure says why; a removal asks for its reason.

    A remark survives a reload.
    """
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
    remark = page.locator("textarea[name^=remark]")
    with page.expect_response(lambda answer: "/drafts" in answer.url):
        remark.fill("나중에")
        remark.blur()
    page.reload()
    submit.wait_for()
    page.get_by_role("button", name="Close modal").click()
    assert remark.input_value() == "나중에"
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
        ("", "", "여기서는 <잘> & 모르겠다\n나중에"),
        ("SR", "아무도 모른다", ""),
    ]


def with_machine(demo):
    """Leave a demo's translation to a machine, which copies the source, whatever the labels."""
    with (demo / "culture.yaml").open("a", encoding="utf-8") as stream:
        stream.write("translation: {unlabelled: true}\n")
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


def test_a_page_of_translation_is_submitted_as_it_stands_or_edited(label_studio, make_demo, page):
    """Without a click besides; what is written survives a reload; a lost slot is said at pull."""
    demo = with_machine(make_demo("demo"))
    project = label_studio.json("push", "translate", "-w", demo)["projects"][0]
    number = project["project"]
    data = {t["data"]["uid"]: t["data"] for t in exported(label_studio, number)}
    submit = opened(page, label_studio, number, TEXTS.guidelines.translate[0])
    first = number_of(page)
    item = page.locator(".curate-item")
    heights = "each => each.map(one => one.getBoundingClientRect().height)"
    assert max(page.locator(".curate-text").evaluate_all(heights)) < item.evaluate(
        "one => one.clientHeight"
    )
    assert item.evaluate("one => one.scrollTop") == 0
    boxes = page.locator(".curate-text textarea")
    shown = [boxes.nth(at).input_value() for at in range(boxes.count())]
    sent = submitted(page, submit.click)
    assert {item["value"]["text"][0] for item in sent["result"]} - {""} == {*shown} - {""}
    next_task(page, first)
    second = number_of(page)
    uid = page.locator(".curate-item > *").nth(0).inner_text().split(" ")[0]
    texts = data[uid]["texts"]
    slots = [at for at, item in enumerate(texts) if "[N1]" in item["target"]]
    plain = next(at for at, item in enumerate(texts) if "[" not in item["target"])
    boxes.nth(plain).fill("할머니가 잘")
    boxes.nth(slots[0]).fill("누군가 \U0001f642 왔다")
    with page.expect_response(lambda answer: "/drafts" in answer.url):
        boxes.nth(plain).focus()
    page.reload()
    submit.wait_for()
    page.get_by_role("button", name="Close modal").click()
    assert boxes.nth(slots[0]).input_value() == "누군가 \U0001f642 왔다"
    assert boxes.nth(plain).input_value() == "할머니가 잘"
    submitted(page, submit.click)
    next_task(page, second)
    pulled = label_studio.json("pull", "translate", "-w", demo)
    [lost] = [item for item in pulled["findings"] if item["rule"] == "translation-slots"]
    assert "[N1]" in lost["message"]
    assert f"{label_studio.url}/projects/{number}/data?task={second.split()[0]}" in lost["hint"]
    found = {row["unit_id"]: row for row in rows(demo, "translate")}
    assert len(found) == len(texts) + len(data["age-001"]["texts"])
    key = texts[plain]["key"]
    assert found[f"{uid}-{key}"]["target"] == "할머니가 잘"
    done = label_studio.curate("collect", "-w", demo, demo / "annotations/translate.csv", "--json")
    assert done.returncode == 1
    [said] = json.loads(done.stdout)["collected"][0]["findings"]
    assert f"/data?task={second.split()[0]}" in said["hint"]
    again = label_studio.json("push", "translate", "-w", demo, "--update")
    assert [item["page_changed"] for item in again["projects"]] == [False]


def exported(label, project):
    """Give the tasks of a project."""
    path = f"/api/projects/{project}/export?exportType=JSON&download_all_tasks=1"
    return label.ask("GET", path)
