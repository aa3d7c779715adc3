"""One population, answered through every form that is written, is the same answers."""

import re
from dataclasses import replace

import numpy as np
import pytest

from curation.records.culture import Culture, SurveySettings
from survey.answers import count_answers, join_answers, write_answers
from survey.mapping import load_mapping
from survey.platforms.kit import write_forms
from survey.quality import checked, rake
from survey.readers.inspection import inspect_file
from survey.readers.normalise import read_survey
from survey.readers.opening import open_file
from survey.reporting.data import Report
from survey.rules import decide
from tests.survey.platforms.exports import EXPORTS, normal_form, people

QUOTAS = {"region": {"east": "1/3", "west": "2/3"}}


@pytest.fixture
def kit(make_survey):
    return make_survey(respondents_per_question=20)


def read(name, kit, folder):
    """Build the form, let everybody answer, and read the files by the mappings beside it."""
    platform, write = EXPORTS[name]
    write_forms(folder, kit, [platform])
    files = [
        (path, load_mapping(folder / platform / mapping))
        for path, mapping in write(folder, kit, people(kit))
    ]
    return joined(kit, files)


def joined(kit, files):
    """Read and join files; give what nobody reads too."""
    questions = [item.question for item in kit.sheets[0].items]
    found = [
        read_survey(open_file(path, mapping.read), mapping, questions) for path, mapping in files
    ]
    assert not any(received.excluded for received in found)
    unread = [title for received in found for title in received.unread]
    answers = join_answers([received.answers for received in found])
    # Where nobody is named, row 2 is the first person of a form.
    rows = [re.fullmatch(r"(.+)-row-([0-9]+)", name) for name in answers.respondents]
    named = [f"{row[1]}-{int(row[2]) - 1}" for row in rows if row]
    return replace(answers, respondents=tuple(named) or answers.respondents), unread


def responses(answers, folder):
    write_answers(answers, folder / "responses.csv", folder / "respondents.csv")
    return (folder / "responses.csv").read_bytes()


def decisions(answers):
    tallies, _ = count_answers(answers)
    return [decision for tally in tallies for decision in decide(tally, SurveySettings())]


def test_every_form_gives_the_same_answers(kit, tmp_path):
    """Byte for byte, what was left blank included; attributes by the values that quotas know.

    Every rule decides the same, with every number; no value is one that the plan does not have,
    and weights to one margin are each person's own.
    """
    culture = Culture.model_validate(
        {"culture": "X", "language": "en", "unknown": "?", "questionnaire": {"quotas": QUOTAS}}
    )
    every = people(kit)
    known = {
        person.id: (person.form, person.region, "passed" if person.passed else "failed")
        for person in every
    }
    passed = [person.region for person in every if person.passed]
    first = []
    weights = {}
    for name in EXPORTS:
        (folder := tmp_path / name).mkdir()
        answers, unread = read(name, kit, folder)
        shown = name != "limesurvey"  # it mixes the options and does not say how
        assert responses(answers, folder) == normal_form(kit, every, positions=shown), name
        assert unread == []
        told = (answers.attributes[part] for part in ("form", "region", "attention"))
        assert dict(zip(answers.respondents, zip(*told, strict=True), strict=True)) == known, name
        settings = SurveySettings()
        part = Report(culture, settings, None, (), checked(answers, settings)).respondents
        assert [tuple(cell.values()) for cell in part["cells"]] == [
            (("east",), 0.333333, passed.count("east")),
            (("west",), 0.666667, passed.count("west")),
        ], name
        raked = rake(answers.attributes, {"region": {"east": 0.5, "west": 0.5}})
        mine = dict(zip(answers.respondents, raked.tolist(), strict=True))
        first, weights = first or decisions(answers), weights or mine
        assert decisions(answers) == first, name
        assert mine == pytest.approx(weights), name
    assert len(first) == 7
    assert len(set(np.round(list(weights.values()), 6))) == 2


@pytest.mark.parametrize("name", EXPORTS)
def test_a_draft_says_what_was_written_with_the_form(name, kit, tmp_path):
    """`inspect` names the mapping that reads the file, and drafts the same in effect."""
    expected, _ = read(name, kit, tmp_path)
    platform, write = EXPORTS[name]
    questions = [item.question for item in kit.sheets[0].items]
    files = []
    for path, mapping in write(tmp_path, kit, people(kit)):
        found = inspect_file(open_file(path), questions, tmp_path)
        if name != "workbook" or mapping == "f01.mapping.yaml":
            assert found.built.paths == (tmp_path / platform / mapping,)
            assert found.problem is None
            assert found.draft.open == []
            assert found.notes == ()
            assert not [seen for seen in found.columns if seen.role == "left_over"]
            files.append((path, found.draft.mapping))
    if name == "workbook":
        return  # its second sheet is inspected with --sheet
    answers, _ = joined(kit, files)
    assert responses(answers, tmp_path) == responses(expected, tmp_path)
    assert answers.attributes == expected.attributes
