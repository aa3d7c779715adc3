"""Labels that other tools export: the same answers from each of their formats."""

import json
import zipfile

import pytest
from ods import spoil

import curation
from curation.annotation.exported import read_exported
from curation.records.messages import CurateError

IDS = ("age-001", "age-002")
MINA = ("Mina", "age-001", "ST", "", ()), ("Mina", "age-002", "SR", "not known", ())
JUN = ("Jun", "age-001", "TM", "", ("old men", "widows")), ("Jun", "age-002", None, "unsure", ())


def _of_label_studio(user, *answers):
    result = [
        {"from_name": name, "type": kind, "value": {kind: [text]}} for name, kind, text in answers
    ]
    return {"completed_by": user, "was_cancelled": False, "result": result}


LABEL_STUDIO = [
    {
        "id": 7,
        "data": {"template_id": "age-001"},
        "annotations": [
            _of_label_studio(1, ("decision", "choices", "ST")),
            _of_label_studio(
                2,
                ("decision", "choices", "TM"),
                ("proposed_targets", "text", "old men\u1364widows"),
            ),
        ],
    },
    {
        "id": 8,
        "data": {"template_id": "age-002"},
        "annotations": [
            _of_label_studio(1, ("decision", "choices", "SR"), ("reason", "text", "not known")),
            _of_label_studio(2, ("decision", "choices", "unsure")),
            {"completed_by": 3, "was_cancelled": True, "result": []},
        ],
    },
]
MIN = [
    {"uid": "age-001", "decision": "ST", "annotator": 1, "lead_time": 2.5},
    {"uid": "age-001", "decision": "TM", "proposed_targets": "old men\u1363widows", "annotator": 2},
    {"uid": "age-002", "decision": {"choices": ["SR"]}, "reason": ["not known"], "annotator": 1},
    {"uid": "age-002", "decision": "unsure", "annotator": 2},
]
DOCCANO = {
    "Mina.jsonl": [
        {"id": 4, "text": "x", "label": ["simply-transferred"], "template_id": "age-001"},
        {"id": 5, "text": "y", "label": ["SR"], "reason": "not known", "template_id": "age-002"},
    ],
    "Jun.jsonl": [
        {"id": 4, "label": ["TM"], "proposed_targets": "old men\nwidows", "template_id": "age-001"},
        {"id": 5, "label": ["unsure"], "template_id": "age-002", "Comments": []},
    ],
}
ARGILLA = [
    {
        "id": "r1",
        "metadata": {"template_id": "age-001"},
        "responses": {
            "label": [
                {"user_id": "Mina", "value": "st"},
                {"user_id": "Jun", "value": "TM"},
                {"user_id": "Ann", "value": "TM", "status": "discarded"},
                {"user_id": "Zoe", "status": "discarded"},
            ],
            "proposed_targets": [{"user_id": "Jun", "value": "old men, widows"}],
        },
    },
    {
        "metadata": {"template_id": "age-002"},
        "label.responses": ["SR", "unsure", "ST"],
        "label.responses.users": ["Mina", "Jun", "Ann"],
        "label.responses.status": ["submitted", "submitted", "draft"],
        "reason.responses": ["not known"],
        "reason.responses.users": ["Mina"],
    },
]
ARGILLA_1 = [
    {
        "metadata": {"template_id": name},
        "responses": [
            {"user_id": who, "values": {key: {"value": text} for key, text in said.items()}}
            for who, said in answers.items()
        ],
    }
    for name, answers in {
        "age-001": {
            "Mina": {"label": "ST"},
            "Jun": {"label": "TM", "proposed_targets": "old men、widows"},
        },
        "age-002": {"Mina": {"label": "SR", "reason": "not known"}, "Jun": {"label": "unsure"}},
    }.items()
]
TABLE = """Template,Annotator,Label,Reason,Proposed_targets
age-001,Mina,ST,,
age-002,Mina,sample removed,not known,
age-001,Jun,TM,,"[""old men"", ""widows""]"
age-002,Jun,unsure,,
"""


@pytest.fixture
def workspace(tmp_path):
    """A workspace in which two users of a server have names."""
    curation.init_workspace(tmp_path / "w", "en")
    folder = tmp_path / "w" / "annotations"
    folder.mkdir(exist_ok=True)
    text = "user,email,annotator,same_as\n1,a@x,Mina,\n2,b@x,Jun,\n"
    (folder / "people.csv").write_text(text, encoding="utf-8")
    return curation.open_workspace(tmp_path / "w")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("plain.csv", TABLE),
        ("plain.tsv", TABLE.replace(",", "\t").replace('men""\t', 'men"",')),
        ("tabs.csv", TABLE.replace(",", "\t").replace('men""\t', 'men"",').replace("Jun", "B@x")),
        ("studio.json", LABEL_STUDIO),
        ("min.json", MIN),
        ("doccano.zip", DOCCANO),
        ("argilla.json", ARGILLA),
        ("argilla.jsonl", ARGILLA_1),
    ],
)
def test_every_export_gives_the_same_labels(workspace, tmp_path, name, content):
    """Whatever tool exported them, two annotators gave the same labels, reasons and groups."""
    path = tmp_path / name
    if isinstance(content, dict):
        with zipfile.ZipFile(path, "w") as parts:
            for file, records in content.items():
                parts.writestr(file, "\n".join(map(json.dumps, records)))
    elif name.endswith("jsonl") and isinstance(content, list):
        path.write_text("\n".join(map(json.dumps, content)), encoding="utf-8")
    else:
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_text(text, encoding="utf-8")
    found, findings = read_exported(workspace, [path], IDS, "now")
    assert sorted(
        (one.annotator, one.template_id, one.label, one.reason or one.remark, one.proposed_targets)
        for one in found
    ) == sorted((*MINA, *JUN), key=lambda one: one[:2])
    assert findings == []


def test_a_damaged_archive_is_refused(workspace, tmp_path):
    with zipfile.ZipFile(tmp_path / "1.zip", "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr("Mina.jsonl", "{}")
    spoil(tmp_path / "1.zip")
    with pytest.raises(CurateError, match=r"1\.zip is damaged"):
        read_exported(workspace, [tmp_path / "1.zip"], IDS, "now")


HEAD = "template,annotator,label"


def read(workspace, text):
    """What is read of a table, or of a line of JSON."""
    path = workspace.root / ("one.jsonl" if text.startswith("{") else "plain.csv")
    path.write_text(text, encoding="utf-8")
    return read_exported(workspace, [path], IDS, "now")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{HEAD}\nage-009,A,ST\n", "'age-009' is no template"),
        (f"{HEAD}\nage-001,A,XX\n", "'XX' is no label"),
        (f"{HEAD}\nage-001,A,ST\nage-001,a,TM\n", "in another way too"),
        (f"{HEAD},proposed_targets\nage-001,A,TM,[x\n", "'[x' is not a list of groups"),
        (f"{HEAD}\nage-001,A,SR\n", "SR without a reason: age-001"),
    ],
)
def test_what_cannot_be_taken_is_named(workspace, text, said):
    """A row that names no template or label, or contradicts another one, is a finding."""
    assert said in read(workspace, text)[1][0].message


@pytest.mark.parametrize(
    ("text", "label", "reason", "remark", "seen"),
    [
        ("uid,hash,check,annotator,label\nage-001,7,x,A,ST\nage-002,8,y,A,\n", "ST", "", "", "7"),
        ("uid,hash,annotator,decision\nage-001,7,A,ST\n", "ST", "", "", ""),
        ("template,hash,annotator,label\nage-001,7,A,ST\n", "ST", "", "", ""),
        ('{"template": "age-001", "annotator": "A", "label": "ST"}', "ST", "", "", ""),
        ("uid,annotator,decision,reason\nage-001,A,SR,not known\n", "SR", "not known", "", ""),
        ("uid,annotator,decision,why,comment\nage-001,A,TM,old,new\n", "TM", "old", "new", ""),
        ("uid,annotator,decision\nage-001,A,Unsure\n", None, "", "Unsure", ""),
        ("uid,hash,annotator,decision,why\nage-001,7,A,ST,old\n", "ST", "old", "", ""),
        ("uid,annotator,decision,why\nage-001,A,,who knows\n", None, "", "who knows", ""),
        ('{"uid": "age-001", "user": "A", "label": "ST", "why": "e\u0301"}', "ST", "é", "", ""),
    ],
)
def test_one_answer_is_read_by_whatever_names_it_has(workspace, text, label, reason, remark, seen):
    """Of a row of our page, which has a check, it is known what the annotator saw."""
    (found,), findings = read(workspace, text)
    assert (found.template_id, found.label, found.row_hash) == ("age-001", label, seen)
    assert (found.reason, found.remark, findings) == (reason, remark, [])


@pytest.mark.parametrize(
    ("decision", "label", "reason", "remark", "proposed"),
    [
        ("ST", "ST", "why", "more", ()),
        ("TM", "TM", "why", "more", ("old",)),
        ("SR", "SR", "gone", "more", ()),
        ("unsure", None, "why", "who?\nmore", ()),
    ],
)
def test_boxes_of_another_choice_do_not_count(workspace, decision, label, reason, remark, proposed):
    """Of a page of ours its export says what a pull says."""
    typed = {"reason": "why", "removal_reason": "gone", "unsure_reason": "who?", "remark": "more"}
    typed |= {"decision": decision, "proposed_targets": "old"}
    record = {"uid": "age-001", "hash": "abc", "check": "x", "annotator": "A", **typed}
    (found,), _ = read(workspace, json.dumps(record))
    assert (found.label, found.reason, found.remark) == (label, reason, remark)
    assert found.proposed_targets == proposed


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{HEAD}\n,A,ST\n", "row 2 does not say the template"),
        (f"{HEAD}\nage-001,,ST\n", "row 2 does not say the annotator"),
        ("template,annotator\nage-001,A\n", "row 2 does not say the label"),
        ("template,label\nage-001,ST\n", "does not say the annotator"),
        ("annotator,label\nA,ST\n", "does not say the template"),
        ("template_id,annotator,label,key_1\nage-001,A,ST,age-001\n", "only one sheet"),
        ("template_id,label,annotator\nage-001,ST\n", "the row has 2 cells"),
        (
            '{"template_id": "age-001", "label.responses": ["ST", "TM"], '
            '"label.responses.users": ["A"]}',
            "record 1 is not as Label Studio or Argilla",
        ),
    ],
)
def test_a_row_that_lacks_a_name_is_refused_with_its_place(workspace, text, said):
    """Nothing is taken for it from the rows above, nor guessed."""
    with pytest.raises(CurateError, match=said):
        read(workspace, text)
