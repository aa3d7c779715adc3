"""How every reply was read, and the replies that are alike."""

import pytest
from layouts import write_jsonl

from curation.files.workspace import Workspace
from curation.languages import load
from curation.records.messages import CurateError
from evaluation.replies import rows
from evaluation.replies.files import load_replies
from evaluation.replies.readings import digest_of
from evaluation.replies.rows import difference, examples, load_asked, read_replies_to, unparsed

CHOICES = ("the potter", "the baker", "unknown")
TURNED = ("the baker", "unknown", "the potter")
REPLIES = {
    "q1": "A",
    "q2": "the baker",
    "q3": "Both",
    "q4": "Both",
    "q5": "B is wrong",
    "q6": "The answer is B",
    "q7": None,
}


@pytest.fixture(name="folder")
def fixture_folder(tmp_path):
    """Write requests and the replies of two models, one of which lacks some."""
    requests = [{"request_id": name, "choices": CHOICES} for name in REPLIES]
    requests[3] |= {"choices": TURNED, "labels": ["1", "2", "3"]}
    replies = [
        {"request_id": name, "model": model, "reply": reply, "error": "timeout"}
        for model, names in (("m", list(REPLIES)), ("k", ["q1", "q3"]))
        for name, reply in REPLIES.items()
        if name in names
    ]
    replies.append({"request_id": "strange", "model": "k", "reply": "A"})
    write_jsonl(tmp_path / "requests.jsonl", requests)
    write_jsonl(tmp_path / "replies.jsonl", replies)
    return tmp_path


def read(folder, **more):
    asked = load_asked(folder / "requests.jsonl")
    return read_replies_to(load_replies([folder / "replies.jsonl"]), asked, **more)


def test_what_is_missing_is_said(folder):
    """Model by model; failures are counted by kind."""
    found = read(folder)
    assert dict(found.failed) == {"timeout": 1}
    assert [(item.rule, item.message) for item in found.findings] == [
        (
            "evaluate-missing",
            "k: 5 of 7 requests have no reply: q2, q4, q5, q6, q7; "
            "m: 1 of 7 requests have no reply (1 call failed): q7",
        ),
        (
            "evaluate-unknown-request",
            "left out, because no such request was asked: k: 1 reply: strange",
        ),
    ]


def test_of_many_models_some_are_named(folder):
    names = [f"m{at}" for at in range(40)]
    lines = ({"request_id": "q1", "model": name, "reply": "A"} for name in names)
    write_jsonl(folder / "replies.jsonl", lines)
    (said,) = read(folder).findings
    assert said.message.startswith("m0, m1, m2, m3, m4, m5, m6, m7, ...: 6 of 7 requests")


def test_a_person_goes_before_any_rule(folder):
    """Also over a reply that a rule had read, and to say that it names no choice."""
    letters = ("A", "B", "C")
    judged = {
        digest_of("Both", CHOICES, letters): 2,
        digest_of("The answer is B", CHOICES, None): None,
        digest_of("Both", TURNED, letters): 1,
    }
    found = read(folder, judged=judged)
    given = list(found.rows())
    assert given[2] == ("q3", "m", "C", "unknown", "person")
    assert given[5] == ("q6", "m", None, None, "person")
    assert given[7] == ("q3", "k", "C", "unknown", "person")
    counted = {"letter": 2, "text": 1, "unreadable": 1, "negation": 1, "person": 3}
    assert found.readings.counts() == counted
    assert [item.reply for item in unparsed(found)] == ["Both", "B is wrong"]
    assert {item.labels for item in unparsed(found)} == {letters, ("1", "2", "3")}


def test_a_workbook_has_the_most_frequent_replies(folder, monkeypatch):
    """What does not fit is counted."""
    monkeypatch.setattr(rows, "MOST_ROWS", 1)
    made = rows.write_unparsed(Workspace(folder), read(folder), folder / "unread.xlsx")
    assert (made["rows"], made["left_out"]) == (1, 2)


def test_the_difference_between_the_modes_is_counted(folder):
    """In a table of both readings, by model, with examples."""
    found = difference(read(folder))
    assert (found["replies"], found["otherwise"]) == (8, 5)
    assert found["otherwise_by_model"] == {"k": 1, "m": 4}
    assert found["table"] == {
        "A": {"A": 2, "B": 0, "C": 0, "out_of_choice": 0},
        "B": {"A": 0, "B": 1, "C": 0, "out_of_choice": 1},
        "C": {"A": 0, "B": 0, "C": 0, "out_of_choice": 0},
        "out_of_choice": {"A": 0, "B": 4, "C": 0, "out_of_choice": 0},
    }
    first = ("Both", CHOICES, "out_of_choice", "unreadable", "B", "letter", 3)
    assert tuple(found["examples"][0].values()) == first
    assert {item["reply"] for item in found["examples"]} == {
        "Both",
        "B is wrong",
        "The answer is B",
    }
    assert difference(read(folder, mode="kobbq")) == found


def test_examples_are_the_most_frequent_replies_of_a_rule(folder):
    """With the choice that was read of them."""
    found = examples(read(folder), each=1)
    said = {rule: [tuple(item.values()) for item in items] for rule, items in found.items()}
    assert said == {
        "letter": [("A", CHOICES, "A", 2)],
        "negation": [("B is wrong", CHOICES, None, 1)],
        "stated": [("The answer is B", CHOICES, "B", 1)],
        "text": [("the baker", CHOICES, "B", 1)],
        "unreadable": [("Both", CHOICES, None, 3)],
    }


@pytest.mark.parametrize(
    ("text", "what", "where"),
    [
        ("choices: [a, b]\nA: [x?, y] z\n", "not valid YAML: ", "line 2"),
        ("choices: [a, b]\nA: [x]\nA: [y]\n", "the key occurs twice", "line 3"),
    ],
)
def test_a_list_of_replies_that_is_no_yaml_is_refused_at_its_line(tmp_path, text, what, where):
    """Nor is one of two lists of a choice passed over."""
    path = tmp_path / "listed.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CurateError) as refused:
        rows.read_listed(path, load("en"))
    assert what in refused.value.what
    assert refused.value.where.endswith(where)
