"""`curate status`."""

import shutil

import pytest
from csv_rows import edit_rows

from tests.annotation.labelstudio.fake import text


def status(curate, folder):
    """Give what the command prints; it never fails, and says nothing beside."""
    ran = curate("status", "-w", folder, "--json")
    assert (ran.code, ran.err) == (0, "")
    return ran.json


def owed(found):
    return [(item["what"], item["who"], item["count"]) for item in found["owed"]]


def only(found, what):
    """Give the one thing of a kind that is owed."""
    [item] = [item for item in found["owed"] if item["what"] == what]
    return item


def edit(folder, change):
    edit_rows(folder / "templates_src" / "bank.csv", change)


def as_imported(row):
    """Leave of a row of the demo what an import gives: the texts of the source."""
    if row["label"] == "NC":
        return {}
    own = [name.removesuffix("_source") for name in row if name.endswith("_source")]
    return {"label": "", **dict.fromkeys(own, "")}


@pytest.fixture
def imported(demo):
    """The demo culture when nothing was classified, translated or asked yet."""
    edit(demo, as_imported)
    shutil.rmtree(demo / "responses")
    return demo


def test_texts_of_one_template_are_counted_as_its_own(curate, imported):
    """A translator was handed those of others too."""
    edit(imported, lambda row: {"label": "ST"} if row["template_id"] < "age-003" else {})
    assert curate("translate", "sheet", "--translator", "Mina", "-w", imported).code == 0
    both = only(status(curate, imported), "texts")
    (one, other) = (
        only(curate("status", "-w", imported, "--template", name, "--json").json, "texts")
        for name in both["items"]
    )
    assert (both["items"], one["items"]) == (["age-001", "age-002"], ["age-001"])
    assert one["text"] == f"{one['count']} texts to translate, of 1 template"
    assert one["count"] < both["count"] <= one["count"] + other["count"]


def test_pulled_texts_are_owed_until_they_are_in_the_bank(curate, imported, server):
    """What waits on the page, what differs, what cannot be taken, and what is to be collected."""
    edit(imported, lambda row: {"label": "ST"} if row["template_id"] == "age-003" else {})
    people = imported / "annotations" / "people.csv"
    people.parent.mkdir()
    people.write_text("user,email,annotator\n1,,Kim\n2,,Lee\n", encoding="utf-8")
    assert curate("push", "translate", "-w", imported, "--annotations", "2").code == 0
    [page] = (task["data"] for task in server.tasks[1].values())
    found = status(curate, imported)
    item = only(found, "texts")
    assert (page["uid"], item["items"]) == ("age-003", ["age-003"])
    sources = [item["source"] for item in page["texts"]]
    assert (item["who"], item["count"]) == ("translators of project 1", len(sources))
    boxes = {source: f"target_{at}" for at, source in enumerate(sources)}
    plain = [source for source in sources if "[" not in source]
    slots = next(source for source in sources if "[N1]" in source)
    for user, given in (
        (1, {plain[0]: "가", plain[1]: "다", slots: "[N9]"}),
        (2, {plain[0]: "나", plain[1]: "다"}),
    ):
        result = [text(boxes[source], target) for source, target in given.items()]
        server.annotate(1, page["uid"], user, result)
    assert curate("pull", "translate", "-w", imported).code == 0
    found = status(curate, imported)
    assert only(found, "texts")["count"] == len(sources) - 3
    assert len(only(found, "collect")["items"]) == 1
    differ = only(found, "disagreement")
    assert (differ["who"], len(differ["items"])) == ("Kim, Lee", 1)
    assert differ["items"] != only(found, "collect")["items"]
    assert only(found, "correct")["count"] == 1
    table = imported / "annotations" / "translate.csv"
    assert curate("collect", "-w", imported, table, "--by", "Kim").code == 1
    found = status(curate, imported)
    assert {item["what"] for item in found["owed"]} >= {"texts", "correct"}
    assert not {item["what"] for item in found["owed"]} & {"collect", "disagreement"}


def test_samples_of_chosen_templates_are_told_until_all_are_exported(curate, demo):
    """The finding stands with the folder, and the whole set is the next export."""
    assert "samples-part" not in {item["rule"] for item in status(curate, demo)["findings"]}
    for chosen, parts in ((("--template", "age"), 1), ((), 0)):
        assert curate("export", "samples", "-w", demo, *chosen).code == 0
        found = status(curate, demo)
        told = [item for item in found["findings"] if item["rule"] == "samples-part"]
        assert len(told) == parts
        assert all("age" in item["message"] for item in told)
