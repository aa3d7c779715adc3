"""The reader of BBG's templates, on invented templates."""

import pytest
from layouts import write_table

from curation.records.bank import PARTICLE_COLUMNS, Label
from curation.records.messages import CurateError
from curation.sources import table

TEMPLATE = {
    "Category": "HobbyClub",
    "Subcategory": "",
    "Template_ID": "7",
    "Version": "b",
    "Ambiguous_context": "[N1: A knitter, A quilter] and [N2] share a [W1].",
    "Disambiguating_context": "[N1] never sweeps it.",
    "Names": "N1: [knitter, quilter]; N2: [climber]",
    "Lexical_diversity": "W1: [shed, barn]",
    "Biased_question": "Who is untidy?",
    "Biased_question_answer": "The [N1]",
    "Counter-biased_question": "Who is tidy?",
    "Counter-biased_question_answer": "The [N2]",
    "Stereotype": "untidiness",
    "Target_group": '["crafty", "artsy"]',
    "N1_info": "crafty, artsy",
    "N2_info": "non-(crafty, artsy)",
    "Reference": "https://example.org/hobbies",
}


def read(folder, *rows):
    return table.published("bbg", [write_table(folder / "templates.csv", rows)])


KOREAN = {
    **{name: cell for name, cell in TEMPLATE.items() if name != "Subcategory"},
    "Label_annotation": "TM",
    "Target_group": "crafty",
    "N1_info": "crafty, artsy",
    "N2_info": "sporty",
    "Survey_stats": "{'crafty': 80, 'sporty': 15, 'no_stereo': 5}",
    "BBQ_category": "N/A",
    "BBQ_id": "N/A",
    "N1_obfdis_adj": "TRUE",
    "N2_obfdis_adj": "",
    "N1_obfdis_post": "",
    "N2_obfdis_post": "은, 이",
    **dict.fromkeys(PARTICLE_COLUMNS, ""),
}


def test_a_korean_file_is_known_by_its_columns(tmp_path):
    """Its templates have labels, groups with commas, counts, and columns that stories follow."""
    rows = ({**KOREAN, "Version": "a"}, KOREAN)
    imported = read(tmp_path, *rows)
    first, _ = imported.variants
    assert (imported.language, imported.source_language) == ("ko", "ko")
    assert (first.label, first.texts.n1_groups) == (Label.TARGET_MODIFIED, ("crafty", "artsy"))
    assert ("N1_obfdis_adj", "TRUE") in first.extra
    assert ("N2_obfdis_post", "은, 이") in first.extra
    (count,) = imported.counts
    assert (count["template_id"], count["survey_stats"]["crafty"]) == ("hobbyclub-007", 80)
    assert imported.findings == ()


def test_of_two_languages_one_is_read(tmp_path):
    """The one that is wanted; without it the error names the files and their languages."""
    paths = []
    for name, row in (("en", TEMPLATE), ("ko", KOREAN)):
        paths.append(write_table(tmp_path / f"{name}.csv", [row]))
    with pytest.raises(
        CurateError, match=r"different languages: en\.csv \(en\) and ko\.csv \(ko\)"
    ):
        table.published("bbg", paths)
    imported = table.published("bbg", paths, "ko")
    assert (imported.language, imported.rows_in, len(imported.variants)) == ("ko", 1, 1)
    assert [(item.rule, item.file) for item in imported.findings] == [
        ("source-file-passed-over", "en.csv")
    ]
    assert table.published("bbg", paths[:1], "ko").language == "en"
