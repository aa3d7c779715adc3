"""The reader of KoBBQ's templates, on invented templates."""

import ast

import pytest
from layouts import write_table

from curation.records.messages import Severity
from curation.sources import table
from exports.data_files import TEMPLATE_COLUMNS

TEMPLATE = {
    "Category": "Hobby Club",
    "ID": "3",
    "version": "a",
    "Label_annotation": "TM",
    "Stereotype": "정리를 안 함",
    "Stereotype_translated": "Untidiness",
    "Ambiguous_context": "[N1: 도예가와, 목수와] [N2: 등산객이, 사공이] [W1: 창고를] 함께 썼다.",
    "Ambiguous_context_translated": "[N1] and [N2] shared a [W1].",
    "Disambiguating_context": "[N1: 도예가는, 목수는] 치우지 않았다.",
    "Disambiguating_context_translated": "[N1] never swept it.",
    "Names": "N1: [도예가, 목수]; N2: [등산객, 사공]",
    "Names_translated": "N1: [potter, carpenter]; N2: [hiker, rower]",
    "Lexical_diversity": "W1: [창고]",
    "Lexical_diversity_translated": "W1: [shed]",
    "Biased_question": "누가 치우지 않았나?",
    "Biased_question_translated": "Who did not sweep?",
    "Counter-biased_question": "누가 치웠나?",
    "Counter-biased_question_translated": "Who swept?",
    "Biased_question_answer": "[N1]",
    "Biased_question_answer_translated": "The [N1]",
    "Counter-biased_question_answer": "[N2]",
    "Counter-biased_question_answer_translated": "The [N2]",
    "N1_info": "운동인, 야외인",
    "N1_info_translated": "sporty, outdoor",
    "N2_info": "공예인",
    "N2_info_translated": "crafty",
    "N1_amb_post": "와",
    "Target_group": "공예인",
    "Target_group_translated": "crafty",
    "Reference": "https://example.org/hobbies",
    "BBQ_id": "11",
    "BBQ_category": "Hobby",
    "Survey_stats": "{'공예인': 31, '운동인': 4, '고정관념 없음': 0}",
}


def read(folder, *rows):
    path = write_table(folder / "templates.tsv", rows, TEMPLATE_COLUMNS)
    return table.published("kobbq", [path])


def test_counts_of_two_groups_have_the_target_first(tmp_path):
    """Which one that is says the template that carries them; a changed order is noted."""
    for stats, order in [
        ("{'공예인': 80, '운동인': 4, 'no_stereo': 16}", ["공예인", "운동인", "no_stereo"]),
        ("{'운동인': 4, '공예인': 80, 'no_stereo': 16}", ["공예인", "운동인", "no_stereo"]),
        ("{'no_stereo': 16, '운동인': 4, '공예인': 80}", ["공예인", "운동인", "no_stereo"]),
        ("{'운동인': 4, '야외인': 80, 'no_stereo': 16}", ["운동인", "야외인", "no_stereo"]),
        ("{'운동인': 4, '공예인': 8, '야외인': 1}", ["운동인", "공예인", "야외인"]),
        ("{'[운동인': 4, '공예인': 8, 'no_stereo': 1}", ["공예인", "[운동인", "no_stereo"]),
    ]:
        imported = read(tmp_path, {**TEMPLATE, "Survey_stats": stats})
        (count,) = imported.counts
        assert list(count["survey_stats"]) == order
        assert count["survey_stats"] == ast.literal_eval(stats)
        noted = [item for item in imported.findings if item.rule == "source-counts-reordered"]
        turned = list(ast.literal_eval(stats)) != order
        assert [(item.severity, item.row) for item in noted] == [(Severity.INFO, 2)] * turned


def test_counts_that_are_none_are_told(tmp_path):
    for stats in ("[80, 4]", "{'crafty': -1}", "{'crafty': 1.5}", "{1: 2}", "many"):
        imported = read(tmp_path, {**TEMPLATE, "Survey_stats": stats})
        told = [(item.rule, item.column) for item in imported.findings]
        assert (imported.counts, told) == ((), [("source-unreadable-cell", "Survey_stats")])


@pytest.mark.parametrize(
    ("cell", "groups"), [('["공예인", “운동인"]', ("공예인", "운동인")), ("[공예인, 운동인]", None)]
)
def test_a_list_of_groups_without_quotes_is_refused(tmp_path, cell, groups):
    """It is not taken for two groups; quotes of a word processor are quotes."""
    imported = read(tmp_path, {**TEMPLATE, "Target_group": cell})
    assert [item.texts.target_groups for item in imported.variants] == ([groups] if groups else [])
    said = [(item.severity, item.row, item.column) for item in imported.findings]
    assert said == ([] if groups else [(Severity.ERROR, 2, "Target_group")])


def test_single_countries_do_not_count(tmp_path):
    """They are parts of the broad groups that they are offered beside."""
    row = {**TEMPLATE, "Category": "Race_ethnicity_nationality", "N1_info": "베트남인"}
    found = {group.group: group.counts for group in read(tmp_path, row).groups}
    assert (found["베트남인"], found["공예인"]) == (False, True)


def test_a_variant_that_a_row_above_has_is_refused(tmp_path):
    """The refusal says which row that is; the first one is read."""
    imported = read(tmp_path, TEMPLATE, {**TEMPLATE, "Stereotype": "늦음"})
    assert [item.row for item in imported.variants] == [2]
    (said,) = (item for item in imported.findings if item.severity is Severity.ERROR)
    assert (said.row, said.column) == (3, "version")
    assert said.message.startswith("row 2 of templates.tsv is hobby_club-003a")
