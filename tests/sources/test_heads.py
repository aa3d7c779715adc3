"""Published files, byte for byte: what a reader must accept, and what each row says by itself."""

import ast
import csv
import json
import re
from collections import Counter

import pytest

from curation.sources.published_samples import read_published

COLUMNS = {
    "bharatbbq": ("Option1", "Option2", "Option3", "Label", "Context_type", "Question_polarity"),
    "gg-bbq": ("choice_0", "choice_1", "choice_2", "label", "context_type", "question_type"),
}
"""By set its columns of the answers, the right one, the kind of context and of question."""
USUAL = ("ans0", "ans1", "ans2", "label", "context_condition", "question_polarity")
FOUND = {
    "bbq": (10478, 8478, 4),
    "bharatbbq": (13491, 13419, 72),
    "cbbq": (1453, 0, 104),
    "esbbq": (9904, 9644, 0),
    "gg-bbq": (22, 18, 4),
    "mbbq": (3440, 1707, 1720),
    "pakbbq": (88, 50, 22),
}
"""By set the rows of its files, those whose target is told by a group that is called as a
stereotyped one, or by `Target`, and those whose role is open: what contradicts itself, and MBBQ's
control sets. Other roles are told by words for a gender, by templates or by spellings."""


def rows_of(path):
    """The rows of a file."""
    text = path.read_text(encoding="utf-8-sig")
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in text.splitlines()]
    return [*csv.DictReader(text.splitlines(keepends=True))]


def plain(text):
    return re.sub(r"[\W_]+", "", text.casefold())


def told(row, answers):
    """The answer of the one person whose group, or name, is a stereotyped one; else empty."""
    if "Target" in row:
        return answers[int(row["Target"]) - 1]
    info = row.get("answer_info") or row.get("choice_info")
    info = ast.literal_eval(info) if isinstance(info, str) else info
    if info is None and "answer_info.ans0" in row:
        info = {at: ast.literal_eval(row[f"answer_info.ans{at}"]) for at in range(3)}
    groups = row.get("stereotyped_groups") or row.get("known_stereotyped_groups")
    groups = ast.literal_eval(groups) if groups else row.get("additional_metadata", {})
    groups = groups["stereotyped_groups"] if isinstance(groups, dict) and groups else groups
    wanted = {*map(plain, groups)}
    are = [not wanted.isdisjoint(map(plain, names)) for names in (info or {}).values()]
    return answers[are.index(True)] if sum(are) == 1 else ""


@pytest.mark.parametrize("name", FOUND)
def test_every_row_of_published_files_is_read_as_it_says(name, reference):
    """Right answer, kind of context and question, and the target where groups say it."""
    *answers_of, right, context, question = COLUMNS.get(name, USUAL)
    folders = (reference / name, reference / "heads" / name)
    files = [path for folder in folders for path in sorted(folder.rglob("*.*"))]
    found = Counter()
    for path in files:
        text = str(path.relative_to(reference)).lower()
        if path.suffix not in (".csv", ".jsonl") or "template" in text or "prediction" in text:
            continue
        if name == "gg-bbq" and path.suffix == ".csv":
            continue
        items = [*read_published(path).rows]
        assert len({item.sample_id for item in items}) == len(items)
        for item, row in zip(items, rows_of(path), strict=True):
            answers = [row[column] for column in answers_of]
            assert list(item.choices) == answers
            assert item.answer == answers[int(row[right]) - (name == "bharatbbq")]
            assert item.context_type == ("amb" if row[context].startswith("amb") else "dis")
            assert item.question_type == ("bsd" if row[question][:3] == "neg" else "cnt")
            target = told(row, answers)
            assert not item.target or item.target == (target or item.target)
            found += Counter(rows=1, told=bool(target and item.target), open=not item.biased_answer)
    assert (found["rows"], found["told"], found["open"]) == FOUND[name]
