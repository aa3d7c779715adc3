"""What respondents are asked about themselves, in the language of the public, on every platform."""

import csv
from dataclasses import replace

import pytest

from curation.languages import available, load
from curation.records.culture import Culture
from survey.building.wording import shown_attribute, words_for
from survey.platforms.kit import PLATFORMS, form_platform, write_forms

VALUES = ("female", "male", "other")
LANGUAGES = [
    pytest.param(code, marks=pytest.mark.slow if at % 4 else ())
    for at, code in enumerate(code for code in available() if load(code).survey)
]


def asked(kit, language):
    """A kit that asks for the gender in a language."""
    words = words_for(Culture(culture="Nowhere", language=language, unknown="?"))
    return replace(kit, language=language, attributes=(shown_attribute(words, "gender", VALUES),))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_platform_shows_the_language_and_gives_the_values_back(
    make_survey, tmp_path, language
):
    """No code of the settings is shown; whatever stands in a file, the value is read."""
    kit = asked(make_survey(quotas={}), language)
    labels = dict(kit.attributes[0].values)
    assert not {*labels.values()} & {*VALUES}
    write_forms(tmp_path, kit, PLATFORMS)
    with (tmp_path / "codes.csv").open(encoding="utf-8", newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if row["question_id"] == "gender"]
    assert {row["platform"] for row in rows} == {*PLATFORMS}
    for row in rows:
        assert row["text"] == labels[row["option"]]
        module = form_platform(row["platform"]).module
        sheet = next(item for item in kit.sheets if item.id == row["form"])
        part = module.mapping(kit, sheet).attributes["gender"]
        values = part.values or {value: value for value in VALUES}
        assert values[row["code"]] == row["option"]
        assert values.get(row["text"], row["option"]) == row["option"]
