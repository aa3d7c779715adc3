"""Codes, types and rows of LimeSurvey."""

from survey.platforms import limesurvey


def test_attribute_codes(make_survey):
    """Attributes that would have one code, or a question's, are told apart."""
    for names, codes in [
        (("age_band", "ageband"), ["ageband", "agebandx2"]),
        (("att", "q001"), ["attx1", "q001x2"]),
        (("a" * 30,), ["a" * 17]),
    ]:
        kit = make_survey(quotas={name: {"x": 1} for name in names})
        parts = limesurvey.mapping(kit, kit.sheets[0]).attributes.values()
        assert [part.column for part in parts] == codes
