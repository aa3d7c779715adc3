"""`curate trace`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Curate = Callable[..., Any]

HEADER = (
    "sample_id,label_annotation,context,question,choices,biased_answer,answer,bbq_id,bbq_category"
)
ROWS = {
    "craft-001a-001-amb-bsd": ("Ann and Bob came in.", "Who hums?", "Ann", "Bob"),
    "craft-002a-001-amb-bsd": ("Ann and Tom sat down.", "Who sings?", "Ann", "Tom"),
    "craft-002a-001-amb-cnt": ("Ann and Bob sat down.", "Who is loud?", "Ann", "Bob"),
    "craft-009a-001-amb-cnt": ("It rains again today.", "Where is it?", "Here", "There"),
}


def file(folder: Path, *names: str) -> Path:
    """Samples in KoBBQ's layout."""
    lines = [HEADER.replace(",", "\t")]
    for name in names:
        context, question, *people = ROWS[name]
        choices = json.dumps([*people, "Nobody knows"])
        cells = (name, "ST", context, question, choices, people[1], "Nobody knows", "1", "Craft")
        lines.append("\t".join(cells))
    path = folder / "samples.tsv"
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return path


def test_samples_that_are_ours_are_found(curate: Curate, workspace: Path, tmp_path: Path) -> None:
    """Status 0, and each with its template, variant and filling."""
    path = file(tmp_path, "craft-001a-001-amb-bsd")
    ran = curate("trace", path, "-w", workspace)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "1 sample of samples.tsv (layout kobbq):",
        "  found           1  in 1 template of the bank",
        "  missing         0",
        "To see every row with its filling: --json, or curation.trace(...).to_frame() in Python.",
    ]
    assert curate("trace", path, "-w", workspace, "--json").json == {
        "file": str(path),
        "layout": "kobbq",
        "rows": 1,
        "found": 1,
        "exact": 1,
        "other_answer": 0,
        "other_biased_answer": 0,
        "missing": [],
        "traced": [
            {
                "row": 2,
                "sample_id": "craft-001a-001-amb-bsd",
                "template_id": "craft-001",
                "variant": "a",
                "index": 1,
                "our_id": "craft-001a-001-amb-bsd",
                "context_type": "amb",
                "question_type": "bsd",
                "fillers": {"N1": "Ann", "N2": "Bob"},
                "free": [],
                "wording": "own",
                "exact": True,
                "differs": [],
                "same_answer": True,
                "same_biased_answer": True,
                "others": [],
            }
        ],
        "untraced": [],
    }


def test_samples_that_none_gives_are_findings(
    curate: Curate, workspace: Path, tmp_path: Path
) -> None:
    """Status 1; by nearest template on a terminal, one by one in JSON."""
    path = file(tmp_path, *ROWS)
    ran = curate("trace", path, "-w", workspace)
    assert ran.code == 1
    assert ran.out.splitlines() == [
        "4 samples of samples.tsv (layout kobbq):",
        "  found           1  in 1 template of the bank",
        "  missing         3",
        "",
        "nearest template  differs in the first row  rows  first row",
        "----------------  ------------------------  ----  ---------",
        "craft-002a        context: Tom / [N2]          2          3",
        "none is similar                                1          5",
        "To see every row with its filling: --json, or curation.trace(...).to_frame() in Python.",
    ]
    found = curate("trace", path, "-w", workspace, "--json")
    assert found.code == 1
    assert (found.json["rows"], found.json["found"]) == (4, 1)
    assert found.json["missing"] == [
        {
            "row": 3,
            "sample_id": "craft-002a-001-amb-bsd",
            "context": "Ann and Tom sat down.",
            "question": "Who sings?",
            "template_id": "craft-002",
            "variant": "a",
            "differs": [
                {"where": "context", "kind": "words", "theirs": "Tom", "ours": "[N2]"},
                {"where": "choices", "kind": "words", "theirs": "Tom", "ours": "[N2]"},
            ],
        },
        {
            "row": 4,
            "sample_id": "craft-002a-001-amb-cnt",
            "context": "Ann and Bob sat down.",
            "question": "Who is loud?",
            "template_id": "craft-002",
            "variant": "a",
            "differs": [
                {"where": "question", "kind": "words", "theirs": "is loud", "ours": "sings"}
            ],
        },
        {
            "row": 5,
            "sample_id": "craft-009a-001-amb-cnt",
            "context": "It rains again today.",
            "question": "Where is it?",
            "template_id": "",
            "variant": "",
            "differs": [],
        },
    ]


def test_a_file_none_of_which_is_like_a_template_is_asked_about(
    curate: Curate, workspace: Path, tmp_path: Path
) -> None:
    """Its language may be another; where some row is like one it is not."""
    ran = curate("trace", file(tmp_path, "craft-009a-001-amb-cnt"), "-w", workspace)
    assert (ran.code, ran.err.splitlines()) == (
        1,
        [
            "Note: no row is similar to a template. Is the file in the language of the",
            "      workspace (en)?",
        ],
    )
    assert curate("trace", file(tmp_path, *ROWS), "-w", workspace).err == ""


def test_an_export_traces_to_itself(curate: Curate, filtered: Path) -> None:
    """Groups that the survey put in are those that are looked for."""
    curate("export", "samples", "-w", filtered)
    found = curate(
        "trace", filtered / "exports" / "samples" / "samples.csv", "-w", filtered, "--json"
    )
    assert found.code == 0
    assert (found.json["rows"], found.json["found"], found.json["exact"]) == (2112, 2112, 2112)
    assert all(item["our_id"] == item["sample_id"] for item in found.json["traced"])


def test_what_was_not_compared_is_named(curate: Curate, demo: Path, tmp_path: Path) -> None:
    """Before the survey four templates wait for their groups."""
    ran = curate("trace", file(tmp_path, "craft-001a-001-amb-bsd"), "-w", demo)
    assert ran.code == 1
    assert ran.err.splitlines()[-3:] == [
        "Note: 8 variants cannot be filled, so nothing was compared with them:",
        "      home_region-002a, home_region-002b, home_region-003a, home_region-003b,",
        "      home_region-004a, home_region-004b, home_region-006a, home_region-006b",
    ]


def test_a_file_that_is_not_there_is_said(curate: Curate, workspace: Path) -> None:
    """In one line what, in one what to do."""
    ran = curate("trace", "nowhere.csv", "-w", workspace)
    assert ran.code == 1
    assert "no file nowhere.csv" in ran.err
