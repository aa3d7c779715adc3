"""Reading the settings, and adding categories to them."""

from fractions import Fraction

import pytest

from curation.files.culture import add_categories, load_culture
from curation.records.culture import Category
from curation.records.messages import CurateError

BASE = '# who we are\nculture: Testland  # a name\nlanguage: ko\nunknown: "모름"\n'


def write(tmp_path, text):
    path = tmp_path / "culture.yaml"
    path.write_bytes(text.encode())
    return path


def test_settings_that_are_not_written_have_their_defaults(tmp_path):
    """Four lines are a workspace; the thresholds are those of the published method, exactly."""
    culture = load_culture(write(tmp_path, BASE))
    assert (culture.culture, culture.language, culture.source_language) == ("Testland", "ko", "en")
    assert culture.unknown == "모름"
    assert culture.categories == ()
    assert culture.survey.stereotype_share == Fraction(2, 3)
    assert culture.survey.target_multiple == 2
    assert culture.survey.non_target_multiple == Fraction(1, 2)
    assert culture.survey.no_stereotype_limit == Fraction(1, 2)
    assert culture.survey.comprehension_share == Fraction(1, 2)
    assert culture.samples.seed == 42


WITHOUT_LINE = (
    ("language: ko\nunknown: x\n", "culture: "),
    (BASE.replace("ko", "Korean"), "language: "),
    (f"{BASE}sureys: 3\n", "sureys: "),
    (f"{BASE}survey:\n  stereotype_share: most\n", "survey.stereotype_share: "),
    (f"{BASE}survey:\n  stereotype_share: 1/0\n", "survey.stereotype_share: "),
    (f"{BASE}survey:\n  stereotype_share: true\n", "survey.stereotype_share: "),
    (f"{BASE}survey:\n  stereotype_share: 1.5\n", "survey.stereotype_share: "),
    (f"{BASE}survey:\n  target_multiple: 1/2\n", "survey.non_target_multiple: "),
    (f"{BASE}survey:\n  min_respondents: 0\n", "survey.min_respondents: "),
    (f"{BASE}survey:\n  no_stereotype_limit: -0.1\n", "survey.no_stereotype_limit: "),
    (f"{BASE}survey:\n  target_multiple: 0\n", "survey.target_multiple: "),
    (f"{BASE}categories: [{{id: A, question: comprehension}}]\n", "categories.A.question: "),
    (f"{BASE}samples:\n  seed: lucky\n", "samples.seed: "),
    (f"{BASE}categories:\n  - id: a/b\n", "categories.a/b: "),
    (f"{BASE}categories: [{{id: Age}}, {{id: age}}]\n", "the file: category age occurs twice"),
    (f"{BASE}categories: [{{id: A, sources: [X]}}, {{id: B, sources: [x]}}]\n", "the file: "),
    (f"{BASE}categories: &a [*a, *a]\n", ""),  # made to hang its reader
    ("- a\n- b\n", ""),
)


def test_a_wrong_setting_is_named_by_its_key(tmp_path):
    """The error begins with the key, and says where the file is and what to do."""
    for text, key in WITHOUT_LINE:
        path = write(tmp_path, text)
        with pytest.raises(CurateError) as refused:
            load_culture(path)
        assert refused.value.what.startswith(key)
        assert refused.value.where.split(", line ")[0] == str(path)
        assert refused.value.hint


WRONG = [
    ("categories: [{id: A}, {id: J, question: select-all}]", 5, "categories.J.question: 'select-"),
    ("survey:\n  # by\n  equal_share: people", 7, "survey.equal_share: 'people' is not possible"),
    ("survey:\n  exclude: [attention, speedster]", 6, "survey.exclude.item 2: 'speedster' is not"),
    ("survey:\n  stereotypeshare: 1", 6, "survey.stereotypeshare: there is no such setting"),
    ("stereotype_share: 2/3", 5, "stereotype_share: there is no such setting"),
    ("samples:\n  colour: red", 6, "samples.colour: there is no such setting"),
    ("questionnaire:\n  seconds: {choise: 3}", 6, "questionnaire.seconds.choise: there is no such"),
    ("categories: [{name: x}]", 5, "categories.item 1.id: it is missing"),
    ("version: [0.2]", 5, "version: a list is not text"),
    ("samples: 3", 5, "samples: '3' has no keys"),
    ("survey:\n  no_stereotype_limit: 2", 6, "survey.no_stereotype_limit: '2' is too large"),
    ("survey:\n  min_respondents: few", 6, "survey.min_respondents: 'few' is not a whole number"),
    ("categories: Age", 5, "categories: 'Age' is not a list"),
    ("translation: {formality: polite}", 5, "translation.formality: 'polite' is not possible"),
]


def test_what_is_wrong_is_said_with_its_line(tmp_path):
    """By words that stand in the file."""
    for text, line, what in WRONG:
        path = write(tmp_path, f"{BASE}{text}\n")
        with pytest.raises(CurateError) as refused:
            load_culture(path)
        assert refused.value.what.startswith(what)
        assert refused.value.where == f"{path}, line {line}"
        assert refused.value.hint


def test_a_key_that_stands_twice_is_refused(tmp_path):
    """YAML would take the last one and drop the first, with all that stands under it."""
    path = write(tmp_path, f"{BASE}survey:\n  respondents: 3\nsurvey:\n  min_respondents: 3\n")
    with pytest.raises(CurateError, match="survey: the key occurs twice, in line 5") as refused:
        load_culture(path)
    assert refused.value.where == f"{path}, line 7"


def test_several_wrong_settings_are_counted(tmp_path):
    """The first is told, and how many more there are."""
    path = write(tmp_path, f"{BASE}one: 1\ntwo: 2\n")
    with pytest.raises(CurateError, match=r"one: .* \(and 1 more\)"):
        load_culture(path)


def test_a_folder_without_settings_is_no_workspace(tmp_path):
    """A missing file is said as a missing workspace, with how to make one."""
    with pytest.raises(CurateError, match="there is no workspace in") as refused:
        load_culture(tmp_path / "culture.yaml")
    assert "curate init" in refused.value.hint


NEW = (Category(id="Origin", sources=("Nationality", "yes")), Category(id="No"))
ADDED = "{id: Origin, sources: [Nationality, 'yes']}", "{id: 'No'}"

CASES = {
    "block list with comments": (
        f"{BASE}categories:\n  # the first\n  - id: Age  # old\n    sources: [Age]\n"
        "  # after the list\n\n# about the survey\nsurvey:\n  stereotype_share: 2/3\n",
        f"{BASE}categories:\n  # the first\n  - id: Age  # old\n    sources: [Age]\n"
        f"  - {ADDED[0]}\n  - {ADDED[1]}\n"
        "  # after the list\n\n# about the survey\nsurvey:\n  stereotype_share: 2/3\n",
    ),
    "block list at the margin": (
        f"{BASE}categories:\n- id: Age\nversion: '1'\n",
        f"{BASE}categories:\n- id: Age\n- {ADDED[0]}\n- {ADDED[1]}\nversion: '1'\n",
    ),
    "block list deep in": (
        f"{BASE}categories:\n      - id: Age\n",
        f"{BASE}categories:\n      - id: Age\n      - {ADDED[0]}\n      - {ADDED[1]}\n",
    ),
    "no last line end": (
        f"{BASE}categories:\n  - id: Age",
        f"{BASE}categories:\n  - id: Age\n  - {ADDED[0]}\n  - {ADDED[1]}",
    ),
    "flow list": (
        f"{BASE}categories: [{{id: Age, sources: [A, B]}}, {{id: 나이}}]  # ours\nversion: '1'\n",
        f"{BASE}categories:\n  - {{id: Age, sources: [A, B]}}\n  - {{id: 나이}}\n"
        f"  - {ADDED[0]}\n  - {ADDED[1]}  # ours\nversion: '1'\n",
    ),
    "empty list": (
        f"{BASE}categories: []\nversion: '1'\n",
        f"{BASE}categories:\n  - {ADDED[0]}\n  - {ADDED[1]}\nversion: '1'\n",
    ),
    "no key": (
        f"{BASE}version: '1'\n# the end\n",
        f"{BASE}version: '1'\n# the end\ncategories:\n  - {ADDED[0]}\n  - {ADDED[1]}\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), CASES.values(), ids=CASES.keys())
def test_categories_are_added_and_all_else_is_kept(tmp_path, before, after):
    """New categories come last in the list; comments, order and quotes stay as they were."""
    path = write(tmp_path, before)
    old = load_culture(path)
    add_categories(path, NEW)
    assert path.read_bytes().decode() == after
    assert load_culture(path).categories == (*old.categories, *NEW)


def test_adding_nothing_touches_nothing(tmp_path):
    """Without categories the file is not even read."""
    add_categories(tmp_path / "culture.yaml", [])
    assert not any(tmp_path.iterdir())


def test_categories_that_are_no_list_are_refused(tmp_path):
    """The place is named and the file stays as it was."""
    text = f"{BASE}categories: Age\n"
    path = write(tmp_path, text)
    with pytest.raises(CurateError, match="categories: is not a list") as refused:
        add_categories(path, NEW)
    assert refused.value.where == f"{path}, line 5"
    assert path.read_text("utf-8") == text


def test_a_category_that_is_there_is_not_added_again(tmp_path):
    """What would make the settings unreadable is refused, and the file stays as it was."""
    text = f"{BASE}categories: [{{id: Age}}]\n"
    path = write(tmp_path, text)
    with pytest.raises(CurateError, match=r"cannot add the categories age to culture\.yaml"):
        add_categories(path, [Category(id="age")])
    assert path.read_text("utf-8") == text
