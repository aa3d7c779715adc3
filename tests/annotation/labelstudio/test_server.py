"""Push and pull against a real Label Studio server."""

import re

import pytest
from pages_in_browser import headless

from curation.annotation.agreement import krippendorff_alpha
from curation.annotation.sheets import pages
from tests.annotation.labelstudio.browsing import opened, removed, rows
from tests.annotation.labelstudio.fake import choices, text
from tests.annotation.labelstudio.venv import PASSWORD

pytestmark = [pytest.mark.nightly, pytest.mark.server, pytest.mark.xdist_group("label-studio")]
TEXTS = pages("ko")  # what annotators of the demo read
NAMES = ("Kim", "Lee", "Park")


def labels_of(uids):
    """Say what each of three annotators says of each template."""
    found = {name: {} for name in NAMES}
    for at, uid in enumerate(uids):
        found["Kim"][uid] = ("ST", "ST", "TM", "SR")[at % 4]
        found["Lee"][uid] = ("ST", "TM", "TM", "SR", "ST")[at % 5]
        found["Park"][uid] = ("ST", "TM", "ST", "SR", "SR", "SR", "TM")[at % 7]
    return found


def result_of(label):
    more = [text("removal_reason", "not known")] if label == "SR" else []
    return [choices("decision", label), *more]


def test_three_annotators_agree_as_they_labelled(label_studio, make_demo):
    """Two annotate by the API, one by the page in a browser for one task; the numbers are equal."""
    demo = make_demo("demo")
    bank = demo / "templates_src" / "bank.csv"
    lines = bank.read_text(encoding="utf-8").splitlines(keepends=True)
    bank.write_text("".join(it for it in lines if it.startswith(("template_id", "age-"))), "utf-8")
    pushed = label_studio.json("push", "classify", "-w", demo)["projects"][0]
    assert pushed["sent"] == 7
    tasks = label_studio.tasks(pushed["project"])
    labels = labels_of(sorted(tasks))
    people = {name: label_studio.user(f"{name.lower()}@example.com") for name in NAMES[:2]}
    first = min(tasks, key=lambda uid: tasks[uid])
    labels["Park"][first] = "SR"
    invited = label_studio.ask("GET", "/api/invite")["invite_url"]
    with headless() as browser:
        annotate_in_browser(browser.new_page(), label_studio, invited, pushed["project"])
    people["Park"] = label_studio.user("park@example.com")
    for name, mine in labels.items():
        for uid, given in mine.items():
            if (name, uid) != ("Park", first):
                label_studio.annotate(tasks[uid], people[name], result_of(given))
    names = demo / "annotations" / "people.csv"
    lines = [f"{user},,{name}\n" for name, user in people.items()]
    names.write_text("user,email,annotator\n" + "".join(lines), encoding="utf-8")
    pulled = label_studio.json("pull", "classify", "-w", demo)
    assert pulled["annotators"] == {"Kim": 7, "Lee": 7, "Park": 7}
    assert pulled["findings"] == []
    [by_page] = [r for r in rows(demo) if (r["annotator"], r["template_id"]) == ("Park", first)]
    assert (by_page["label"], by_page["reason"]) == ("SR", "nobody says so & <b>never</b> 🙂")
    done = label_studio.json("collect", "-w", demo, demo / "annotations/classify.csv")
    [found] = done["collected"]
    differ = {uid for uid in tasks if len({mine[uid] for mine in labels.values()}) > 1}
    assert ({*found["disagreements"]}, found["incomplete"], found["templates"]) == (differ, [], 7)
    ratings = {uid: {name: mine[uid] for name, mine in labels.items()} for uid in tasks}
    alpha = krippendorff_alpha(ratings).value
    assert found["agreement"]["alpha"]["value"] == pytest.approx(alpha, abs=1e-6)


def annotate_in_browser(page, label, invited, project):
    """Sign up by the invitation, and annotate the first task: a reason is asked for."""
    page.goto(f"{label.url}{invited}")
    page.fill("input[name=email]", "park@example.com")
    page.fill("input[name=password]", PASSWORD)
    page.press("input[name=password]", "Enter")
    page.wait_for_url(re.compile("/(projects|$)"))
    submit = opened(page, label, project, TEXTS.guidelines.classify[0])
    assert "[N1: a college student, an office newcomer]" in page.inner_text("body")
    removed(page, submit, TEXTS, "nobody says so & <b>never</b> 🙂")


def test_a_token_of_either_kind_opens_the_door(label_studio, make_demo):
    """A wrong one does not; what is said holds neither the token nor a page of HTML."""
    demo = make_demo("demo")
    personal = label_studio.ask("POST", "/api/token/")["token"]
    done = label_studio.curate("push", "classify", "-w", demo, LABEL_STUDIO_API_KEY=personal)
    assert (done.returncode, personal in done.stdout + done.stderr) == (0, False)
    assert label_studio.json("push", "classify", "-w", demo)["projects"][0]["sent"] == 0
    for wrong in ("0" * 40, personal[:-4] + "AAAA"):
        done = label_studio.curate("push", "classify", "-w", demo, LABEL_STUDIO_API_KEY=wrong)
        assert done.returncode == 1
        assert "the token is wrong, revoked or expired (401)" in done.stderr
        assert wrong not in done.stderr
        assert len(done.stderr) < 500
    wrong_base = f"{label_studio.url}/elsewhere"
    done = label_studio.curate("push", "classify", "-w", demo, LABEL_STUDIO_URL=wrong_base)
    assert (done.returncode, len(done.stderr) < 500) == (1, True)
    files = [path for path in demo.rglob("*") if path.is_file()]
    assert not any(personal.encode() in path.read_bytes() for path in files)


def test_what_somebody_has_begun_stays_theirs(label_studio, make_demo):
    """A draft is as good as an annotation when open tasks go to another annotator."""
    demo = make_demo("demo")
    who = [word for name in NAMES[:2] for word in ("--annotator", name)]
    pushed = label_studio.json("push", "classify", "-w", demo, *who)["projects"]
    kim = next(one["project"] for one in pushed if one["annotator"] == "Kim")
    tasks = label_studio.tasks(kim)
    begun = min(tasks)
    draft = {"result": result_of("SR"), "lead_time": 1}
    label_studio.ask("POST", f"/api/tasks/{tasks[begun]}/drafts?project={kim}", draft)
    moved = label_studio.json("push", "classify", "-w", demo, "--reassign", "Kim", "Ann")["moved"]
    assert begun not in moved and set(label_studio.tasks(kim)) == {begun}
