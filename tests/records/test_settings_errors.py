"""Every setting with a wrong value of each usual kind: the message is about that setting."""

import re
from fractions import Fraction
from pathlib import Path

import pytest
from pydantic import BaseModel

from curation.records.culture import Culture, SurveySettings
from curation.records.messages import CurateError
from curation.records.settings import SettingError, overridden, parse_settings

PATH = Path("culture.yaml")
BASE = {"culture": "Nowhere", "language": "ko", "unknown": "?"}


def read(text):
    """Read settings."""
    return parse_settings(text, Culture, PATH)


def refusal(setting, value):
    """The error of one setting, written as YAML, below the keys that lead to it."""
    lines = [f"{key}: '{text}'" for key, text in BASE.items() if key != setting]
    *above, last = setting.split(".")
    lines += [f"{'  ' * depth}{key}:" for depth, key in enumerate(above)]
    lines.append(f"{'  ' * len(above)}{last}: {value}")
    with pytest.raises(CurateError) as caught:
        read("\n".join(lines))
    assert caught.value.where == f"culture.yaml, line {len(lines)}"
    return caught.value


def settings(model=Culture, before=""):
    """Yield every setting that has no settings below it, with its type."""
    for name, field in model.model_fields.items():
        inner = field.annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            yield from settings(inner, f"{before}{name}.")
        else:
            yield before + name, inner


EVERY = dict(settings())


def test_a_value_of_another_kind_is_named_by_its_setting():
    """Of every setting; nothing of Python or of another setting is said."""
    for setting, kind in EVERY.items():
        wrong = ["{strange: [[1]]}", "[[1]]"]
        if kind in (str, int):
            wrong.append("")
        if kind is int:
            wrong += ["many", "1.5", "true", "2026-01-01", "1,000"]
        for value in wrong:
            error = refusal(setting, value)
            assert error.what.startswith(setting), error.what
            assert error.hint
            assert not re.search(
                r"Input should|None|\bvalid|dict|tuple|True", error.what.removeprefix(setting)
            ), error.what
            assert ("language" in setting) or ("language" not in error.what + error.hint)
            if kind is int and value and value[0] not in "[{":
                assert error.what == f"{setting}: '{value}' is not a whole number"


@pytest.mark.parametrize(
    ("setting", "value", "what", "hint"),
    [
        ("release.name", "My Bench!", "not a name for programs", "such as kobbq"),
        ("release.name", "5bench", "not a name for programs", "such as kobbq"),
        ("release.doi", "https://doi.org/10.1/x", "not a DOI", "without an address"),
        ("release.url", "www.example.org", "not an address", "begins with https://"),
        ("release.canary", "short", "not a canary", "16 characters"),
        ("release.date", "01.02.2026", "not a day", "such as 2026-03-31"),
        ("release.date", "2026-02-30", "not a day", "such as 2026-03-31"),
        ("release.date", "2026", "not a day", "such as 2026-03-31"),
        ("release.date", "2026-01-01 10:00:00", "not a day", "such as 2026-03-31"),
        ("language", "Korean", "not a code of a language", "did you mean ko (Korean)?"),
        ("language", "jp", "not a code of a language", "did you mean ja (Japanese)?"),
        ("language", "ko_KR", "not a code of a language", "did you mean ko (Korean)?"),
        ("language", "xq", "not a code of a language", "ISO 639-1"),
        ("language", '""', "empty", "ISO 639-1"),
        ("source_language", "sp", "not a code of a language", "did you mean es (Spanish)?"),
        ("translation.target_language", "EN_GB", "not a code of a language", "DE or EN-GB"),
        ("survey.stereotype_share", "66%", "not a number", "such as 2/3"),
        ("survey.margins", "{gender: {f: half}}", "not a number", "such as 2/3"),
        ("survey.exclude", "attention", "not a list", "such as [one, other]"),
        (
            "survey.exclude",
            "[speedster]",
            "not possible here; it is one of screened_out, attention, fa",
            "did you mean speeder?",
        ),
        ("unknown", "", "it is empty", ""),
        ("samples.once", "maybe", "neither true nor false", "write true or false"),
        (
            "questionnaire.quotas",
            "{Region: {a: 1}}",
            "not a name of an attribute",
            "lower-case letters",
        ),
        ("questionnaire.quotas", "{region: {a: 1/3}}", "add up to 1/3", "such as 1/2"),
        ("stories.placeholders", "[one]", "it is missing", "write it"),
        ("stories.placeholders", "[one, One]", "both are the same", "two different ones"),
        ("categories", "[{id: A/B}]", "cannot be the name of a category", "use letters, digits"),
        ("release.authors", "[{given: x}]", "neither family nor name", "write family"),
        ("release.authors", "[[x]]", "has no keys", "lines below the key"),
    ],
)
def test_the_message_says_what_is_allowed_there(setting, value, what, hint):
    """Each in the words of that setting."""
    error = refusal(setting, value)
    assert error.what.startswith(setting.split(".")[0]) and what in error.what
    assert hint in error.hint
    assert ("language" in setting) or ("language" not in error.what + error.hint)


def test_what_is_set_for_one_run_leaves_the_rest_unset():
    """And is refused by its key where there is none of it, or it cannot be."""
    changed = overridden(SurveySettings(), {"stereotype_share": "1/2", "min_respondents": None})
    assert changed.model_fields_set == {"stereotype_share"}
    assert changed.stereotype_share == Fraction(1, 2)
    for key, value in (("share", "1/2"), ("stereotype_share", "half")):
        with pytest.raises(SettingError, match=f"^{key}: ") as refused:
            overridden(SurveySettings(), {"min_respondents": 3, key: value})
        assert refused.value.setting == key


@pytest.mark.parametrize("code", ["qaa", "en-GB", "zh-Hant"])
def test_a_code_of_a_language_may_have_three_letters_or_a_variety(code):
    """Those of two letters are known, and all others are taken as they are."""
    assert str(read(f"culture: Nowhere\nlanguage: {code}\nunknown: '?'\n").language) == code


def test_values_are_the_texts_that_are_written():
    """A version is no number, a band of age no time of day, and `no` no truth value."""
    text = (
        "culture: 2026-01-01\nlanguage: ko\nunknown: no\nversion: 1.10\n"
        "questionnaire:\n  quotas: {age: {010: 1/2, 12:30: 0.5}}\n"
        "  wording: {attention_options: [no, yes], labels: {no: off}}\nsamples: {once: yes}\n"
    )
    found = read(text)
    assert (found.culture, found.unknown, found.version) == ("2026-01-01", "no", "1.10")
    assert found.questionnaire.quotas == {"age": {"010": Fraction(1, 2), "12:30": Fraction(1, 2)}}
    assert found.questionnaire.wording.attention_options == ("no", "yes")
    assert found.questionnaire.wording.labels == {"no": "off"}
    assert found.samples.once is True


def test_an_author_may_be_a_text():
    """Family and given name are parted by a comma alone."""
    head = "culture: x\nlanguage: ko\nunknown: '?'\n"
    found = read(f"{head}release: {{authors: [Mina Kim, 'Kim, Mina']}}\n").release.authors
    assert [(one.name, one.family, one.given) for one in found] == [
        ("Mina Kim", "", ""),
        ("", "Kim", "Mina"),
    ]


def test_strange_keys_and_broken_files():
    """With the line, and what to write."""
    for text, what, line, hint in [
        ("5: x\n", "5: there is no such setting", 4, "the keys here are culture"),
        ("no: x\n", "no: there is no such setting", 4, "the keys here are culture"),
        ("Language: en\n", "Language: there is no such setting", 4, "did you mean language?"),
        ("unknown_text: x\n", "unknown_text: there is no such setting", 4, "did you mean unknown?"),
        ("seed: 3\n", "seed: there is no such setting", 4, "the keys here are culture"),
        ("\tversion: x\n", "culture.yaml is not valid YAML: found", 4, "with spaces"),
        ("version: 'x' y\n", "culture.yaml is not valid YAML: did not", 4, "in quotes"),
        ("a:\n  b: c\n d: e\n", "culture.yaml is not valid YAML: did not", 6, "indent"),
        ("version: [x\n\nb: c\n", "culture.yaml is not valid YAML: did not", 4, "close what is"),
        ("---\na: b\n", "culture.yaml is not valid YAML: but found another", 4, "close what is"),
        ("version: 'x\n", "culture.yaml is not valid YAML: found", 4, "close what is"),
        ("version: \x07\n", "culture.yaml is not valid YAML: control", 0, "in quotes"),
    ]:
        with pytest.raises(CurateError) as caught:
            read("".join(f"{key}: '{value}'\n" for key, value in BASE.items()) + text)
        assert caught.value.what.startswith(what)
        assert caught.value.where == f"culture.yaml{f', line {line}' if line else ''}"
        assert hint in caught.value.hint


def test_a_lacking_placeholder_is_told_with_its_place():
    """What to write is said, and no page is named that does not list it."""
    with pytest.raises(CurateError) as caught:
        base = "".join(f"{key}: '{value}'\n" for key, value in BASE.items())
        read(base + "questionnaire: {wording: {choice: Whom}}\n")
    assert caught.value.what == "questionnaire.wording.choice: choice lacks {stereotype}"
    assert caught.value.hint == "write {stereotype} where respondents are to read the stereotype"


def test_what_is_nested_too_deeply_is_refused():
    """At every depth that a file can have."""
    start = "\n".join(f"{key}: '{text}'" for key, text in BASE.items())
    for depth in (90, 3_000, 200_000):
        with pytest.raises(CurateError, match=r"release: a list|nesting depth"):
            read(f"{start}\nrelease: {'[' * depth}{']' * depth}\n")


def test_a_title_stands_in_one_line_and_in_its_order():
    """As every name does; nothing is written that turns what stands beside it."""
    for setting in ("culture", "release.title"):
        assert "is not a name" in refusal(setting, '"a\\u202eb"').what
