"""Reading the settings, and the categories that were added to them."""

import pytest

from curation.files.culture import load_culture
from curation.files.workspace import Workspace
from curation.initial import init_workspace
from curation.records.messages import CurateError

BASE = '# who we are\nculture: Testland  # a name\nlanguage: ko\nunknown: "모름"\n'


def write(tmp_path, text):
    path = tmp_path / "culture.yaml"
    path.write_bytes(text.encode())
    return path


WITHOUT_LINE = (
    ("language: ko\nunknown: x\n", "culture: "),
    (f"{BASE}sureys: 3\n", "sureys: "),
    (f"{BASE}survey:\n  stereotype_share: 1/0\n", "survey.stereotype_share: "),
    (f"{BASE}survey:\n  stereotype_share: true\n", "survey.stereotype_share: "),
    (f"{BASE}survey:\n  stereotype_share: 1.5\n", "survey.stereotype_share: "),
    (f"{BASE}survey:\n  target_multiple: 1/2\n", "survey.non_target_multiple: "),
    (f"{BASE}survey:\n  min_respondents: 0\n", "survey.min_respondents: "),
    (f"{BASE}survey:\n  no_stereotype_limit: -0.1\n", "survey.no_stereotype_limit: "),
    (f"{BASE}survey:\n  target_multiple: 0\n", "survey.target_multiple: "),
    (f"{BASE}categories: [{{id: A, question: comprehension}}]\n", "categories.A.question: "),
    (f"{BASE}categories:\n  - id: a/b\n", "categories.a/b: "),
    (f"{BASE}categories: [{{id: Age}}, {{id: age}}]\n", "the file: category age occurs twice"),
    (f"{BASE}categories: [{{id: A, sources: [X]}}, {{id: B, sources: [x]}}]\n", "the file: "),
    (f"{BASE}categories: &a [*a, *a]\n", ""),  # made to hang its reader
    ("- a\n- b\n", ""),
)


WRONG = [
    ("categories: [{id: A}, {id: J, question: select-all}]", 5, "categories.J.question: 'select-"),
    ("survey:\n  # by\n  equal_share: people", 7, "survey.equal_share: 'people' is not possible"),
    ("survey:\n  stereotypeshare: 1", 6, "survey.stereotypeshare: there is no such setting"),
    ("stereotype_share: 2/3", 5, "stereotype_share: there is no such setting"),
    ("samples:\n  colour: red", 6, "samples.colour: there is no such setting"),
    ("questionnaire:\n  seconds: {choise: 3}", 6, "questionnaire.seconds.choise: there is no such"),
    ("categories: [{name: x}]", 5, "categories.item 1.id: it is missing"),
    ("samples: 3", 5, "samples: '3' has no keys"),
    ("survey:\n  no_stereotype_limit: 2", 6, "survey.no_stereotype_limit: '2' is too large"),
    ("categories: Age", 5, "categories: 'Age' is not a list"),
    ("categories: [{id: A, split_from: B}]", None, "the file: category A: split_from names no"),
    ("translation: {formality: polite}", 5, "translation.formality: 'polite' is not possible"),
]


def test_what_is_wrong_is_said_with_its_line(tmp_path):
    """By words that stand in the file; the error begins with the key."""
    for text, line, what in (*WRONG, *((text, "any", key) for text, key in WITHOUT_LINE)):
        path = write(tmp_path, text if line == "any" else f"{BASE}{text}\n")
        with pytest.raises(CurateError) as refused:
            load_culture(path)
        assert refused.value.what.startswith(what)
        place, _, at = refused.value.where.partition(", line ")
        assert (place, refused.value.hint != "") == (str(path), True)
        assert line == "any" or at == str(line or "")


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


def test_settings_are_added_below_those_of_a_new_workspace(tmp_path):
    """Its last line is whole, also where a program adds the next one."""
    made = init_workspace(tmp_path / "new", "ko")
    with made.culture_file.open("a", encoding="utf-8") as stream:
        stream.write("translation: {unlabelled: true}\n")
    assert load_culture(made.culture_file).translation.unlabelled


def test_a_folder_without_settings_is_no_workspace(tmp_path):
    """A missing file is said as a missing workspace, with how to make one."""
    with pytest.raises(CurateError, match="there is no workspace in") as refused:
        load_culture(tmp_path / "culture.yaml")
    assert "curate init" in refused.value.hint


WITH_ADDED = {
    "an import's own": ("", ["Age,,", "Faith,select_all,"], ["Age choice", "Faith select_all"]),
    "what is written of it": (
        "[{id: Faith, name: Creed}, {id: Age, question: choice}]",
        ["Faith,select_all,", "Age,select_all,"],
        ["Faith select_all", "Age choice"],
    ),
    "merged since": ("[{id: Home, sources: [R\u09df]}]", ["R\u09df,select_all,"], ["Home choice"]),
    "in other letters": ("[{id: age}]", ["Age,select_all,"], ["age choice"]),
    "in letters that NFC takes apart": (
        "[{id: \u09df, question: select_all}]",
        ["\u09df,choice,", "Sect,,\u09df"],
        ["\u09af\u09bc select_all", "Sect select_all"],
    ),
    "split off": (
        "[{id: Age}]",
        ["Faith,select_all,", "Sect,,Faith", "Cult,choice,Faith", "Old,,Age"],
        ["Age choice", "Faith select_all", "Sect select_all", "Cult choice", "Old choice"],
    ),
}
"""By name: the categories of culture.yaml, rows of categories.csv, and what is known by both."""


@pytest.mark.parametrize(("written", "rows", "known"), WITH_ADDED.values(), ids=WITH_ADDED)
def test_what_is_written_goes_before_what_was_added(tmp_path, written, rows, known):
    """A person's words win; what nobody wrote of a category is as the toolkit found it."""
    write(tmp_path, f"{BASE}categories: {written or '[]'}\n")
    workspace = Workspace(tmp_path)
    workspace.categories_file.parent.mkdir()
    lines = "\n".join(["category,question,split_from", *rows, ""])
    workspace.categories_file.write_text(lines, "utf-8")
    found = [f"{item.id} {item.question.value}" for item in workspace.culture.categories]
    assert found == known


@pytest.mark.parametrize(
    ("row", "where"),
    {"??,,": "category", "Age,some,": "question", "Old,,Faith": "split_from"}.items(),
)
def test_a_wrong_row_of_an_added_category_is_named(tmp_path, row, where):
    """No category without a name, no other kind of question, no split off nothing."""
    write(tmp_path, BASE)
    workspace = Workspace(tmp_path)
    workspace.categories_file.parent.mkdir()
    workspace.categories_file.write_text(f"category,question,split_from\n{row}\n", "utf-8")
    with pytest.raises(CurateError) as refused:
        workspace.culture  # noqa: B018
    assert refused.value.where.endswith(f"column {where}")
    assert ("it holds select_all, choice" in refused.value.what) is (where == "question")
    assert "comprehension" not in refused.value.what
