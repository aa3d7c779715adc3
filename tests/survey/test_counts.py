"""Reading surveys of which only the counts are published."""

import json
from dataclasses import replace

import pytest

from curation.files.bank import GroupBook
from curation.files.jsonl import update_entries
from curation.records.bank import Group
from curation.records.culture import Culture
from curation.records.messages import CurateError
from curation.records.survey import Option, Question, QuestionKind, Role, Tally, question_id
from survey.counts import read_counts, write_counts

CULTURE = Culture.model_validate(
    {
        "culture": "Nowhere",
        "language": "en",
        "unknown": "Unknown",
        "categories": [{"id": "Craft", "sources": ["Trade"]}],
        "survey": {"respondents": 40},
    }
)
BOOK = GroupBook([Group("Craft", "Bakers"), Group("Craft", "Village bakers", counts=False)])
TWO = {"Bakers": 20, "Potters": 5, "no_stereo": 3}
THREE = {"Bakers": 20, "Potters": 5, "Village bakers": 9, "no_stereo": 3}


@pytest.fixture
def read(tmp_path):
    def read_entries(content):
        path = tmp_path / "counts.json"
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_text(text, encoding="utf-8")
        return read_counts(path, CULTURE, BOOK)

    return read_entries


def entry(votes=None, **others):
    counts = TWO if votes is None else votes
    return {"category": "Craft", "stereotype": "They hum", "survey_stats": counts, **others}


def test_two_groups_are_a_validation_question(read):
    """The first group is the target; everybody chose one option, so the votes are the people."""
    groups = [["Bakers"], ["Potters"]]
    assert read([entry()]) == [
        Tally(
            Question(
                question_id(QuestionKind.CHOICE, "Craft", "They hum", groups),
                QuestionKind.CHOICE,
                "Craft",
                "They hum",
                (
                    Option("1", ("Bakers",), Role.TARGET, text="Bakers"),
                    Option("2", ("Potters",), Role.NON_TARGET, text="Potters"),
                    Option("none", (), Role.NONE),
                ),
            ),
            respondents=28,
            votes=(20, 5, 3),
            source="counts.json",
            row=1,
        )
    ]


def test_letters_in_parts_are_those_of_the_bank(read):
    """As macOS writes them, also escaped; two names that are one then are refused."""
    whole = [entry({"B\u00e4cker": 20, "T\u00f6pfer": 5, "no_stereo": 3})]
    parted = json.dumps(whole).replace("\\u00e4", "a\u0308").replace("\\u00f6", "o\\u0308")
    assert "\u0308" in parted and read(parted) == read(whole)
    with pytest.raises(CurateError, match="'B\u00e4cker' occurs twice"):
        read([entry({"B\u00e4cker": 20, "Ba\u0308cker": 5, "no_stereo": 3})])


def test_an_entry_may_say_kind_and_respondents(read):
    """What is stated goes before what the shape suggests."""
    tally = read([entry(kind="select_all", respondents=25)])[0]
    assert (tally.question.kind, tally.respondents) == (QuestionKind.SELECT_ALL, 25)
    assert read([entry(respondents=28, kind="choice")])[0].respondents == 28
    assert read([entry(dict.fromkeys(TWO, 0), respondents=0)])[0].respondents == 0


@pytest.mark.parametrize("category", ["Craft", "Trade", "TRADE", "craft"])
def test_a_category_is_spelled_as_the_culture_spells_it(read, category):
    """Merged categories and other capitals find the culture's category, and so its groups."""
    tally = read([entry(THREE, category=category)])[0]
    assert tally.question.category == "Craft"
    assert [option.counts for option in tally.question.options] == [True, True, False, True]


def test_an_entry_may_name_its_template(read):
    """It is the question of that template, and still one of a category and stereotype."""
    (plain,), (named,) = read([entry()]), read([entry(template_id=" craft-003 ")])
    assert (plain.question.templates, named.question.templates) == ((), ("craft-003",))
    assert replace(named, question=replace(named.question, templates=())) == plain
    assert named.question.template_id == ""


WRONG = [
    "text",
    {"stereotype": "x", "survey_stats": TWO},
    entry(category=["Craft"]),
    entry(category="a/b"),
    entry(stereotype=" "),
    entry(stereotype=" ", template_id="craft-003"),
    entry({}),
    entry([1, 2]),
    entry({**TWO, "Bakers": -1}),
    entry({**TWO, "Bakers": 20.0}),
    entry({**TWO, "no_stereo": True}),
    entry({**TWO, "Bakers": "20"}),
    entry({**TWO, "Bakers": None}),
    entry({"A": 1, "B": 2}),
    entry(kind="single"),
    entry({"A": 1, "no_stereo": 2}),
    entry({"A": 1, "no_stereo": 2}, kind="select_all"),
    entry(THREE, kind="choice"),
    entry(kind="comprehension"),
    entry({**THREE, "Bakers": 41}),
    entry(THREE, respondents=19),
    entry(respondents=29),
    entry(THREE, respondents="40"),
    entry(THREE, respondents=-1),
    entry(THREE, respondents=True),
    entry({"A, B": 1, "B, A": 2, "no_stereo": 0}),
    entry({"": 1, "B": 2, "no_stereo": 0}),
]
NO_LIST = {
    "[": ", line 1, column 2",
    '[\n{"category" 1}]': ", line 2, column 13",
    "category,votes\n": ", line 1, column 1",
    '{"category": "Craft"}': "",
    "null": "",
    "": "",
    '[{"survey_stats": {"A": 1, "B": 2, "A": 3}}]': "",
    '[{"category": "a", "category": "b"}]': "",
    "[" * 100_000: "",
    f"[{'1' * 5000}]": "",
    '[{"survey_stats": {"[A": 1, "B": 2, "no_stereo": 0}}]': ", entry 1",
}


def test_what_cannot_be_counts_is_refused(read, tmp_path):
    """An entry is named by its place; a key that occurs twice is never overwritten."""
    for wrong in WRONG:
        with pytest.raises(CurateError) as caught:
            read([entry(stereotype="They sing"), wrong])
        assert caught.value.where.startswith(f"{tmp_path / 'counts.json'}, entry 2"), wrong
    for text, place in NO_LIST.items():
        with pytest.raises(CurateError) as caught:
            read(text)
        assert caught.value.where == f"{tmp_path / 'counts.json'}{place}", text[:80]


def test_counts_of_templates_replace_their_earlier_ones(tmp_path):
    """Other templates' counts, and those that name no template, stay as they are."""
    path = tmp_path / "responses" / "counts.json"
    own = [{"stereotype": "by hand", "at": at} for at in (1, 2)]
    update_entries(path, [{"template_id": "a-001", "votes": 1}, {"template_id": "a-002"}])
    path.write_text(json.dumps([*own, *json.loads(path.read_text("utf-8"))]), "utf-8")
    update_entries(path, [{"template_id": "a-003"}, {"template_id": "a-001", "votes": 9}])
    assert json.loads(path.read_text("utf-8")) == [
        *own,
        {"template_id": "a-001", "votes": 9},
        {"template_id": "a-002"},
        {"template_id": "a-003"},
    ]
    update_entries(path, [{"template_id": "a-003", "stereotype": "흥얼"}])
    before = path.read_bytes()
    update_entries(path, [{"template_id": "a-003", "stereotype": "흥얼"}])
    assert path.read_bytes() == before
    assert "흥얼" in before.decode()


def counted(*votes, kind=QuestionKind.CHOICE, **others):
    """Make the counts of a question that was asked by a questionnaire."""
    roles = {
        QuestionKind.CHOICE: (Role.TARGET, Role.NON_TARGET, Role.NONE),
        QuestionKind.SELECT_ALL: (Role.GROUP, Role.GROUP, Role.NONE),
        QuestionKind.COMPREHENSION: (Role.WRONG, Role.CORRECT, Role.WRONG),
    }[kind]
    groups = {Role.TARGET: ("Bakers",), Role.NON_TARGET: ("Potters, (old)", "Divers")}
    of_option = [groups.get(role, ()) for role in roles]
    if kind is QuestionKind.SELECT_ALL:
        of_option = [("Bakers",), ("Village bakers",), ()]
    options = tuple(
        Option(f"x{at}", members, role, counts=at != 1, text=f"text {at}")
        for at, (members, role) in enumerate(zip(of_option, roles, strict=True))
    )
    fields = {"stereotype": "They hum", "template_id": "", **others}
    question = Question("my-id", kind, "Craft", options=options, **fields)
    people = max(votes) + 1 if kind is QuestionKind.SELECT_ALL else sum(votes)
    return Tally(question, people, votes, "counts.json")


def edited(path, change):
    """What is read of counts that we wrote, and somebody changed."""
    write_counts(path, [counted(7, 2, 1)])
    (entry,) = json.loads(path.read_text("utf-8"))
    change(entry)
    path.write_text(json.dumps([entry]), encoding="utf-8")
    return read_counts(path, CULTURE, BOOK)


def test_an_edited_entry_of_ours_is_refused(tmp_path):
    path = tmp_path / "counts.json"
    for change, what in [
        ({"respondents": 11}, "10 votes of 11 respondents"),
        ({"respondents": None}, "the entry names no respondents"),
        ({"question_id": ""}, "id: Input should be a valid string"),
        ({"options": []}, "do not have the same names"),
        ({"options": {}}, "'options' is not a list of options"),
        ({"templates": "craft-001"}, "templates: Input should be a valid tuple"),
        ({"kind": "poll"}, "kind: Input should be 'select_all', 'choice' or 'comprehension'"),
        ({"stereotype": " "}, "the entry names no stereotype"),
        ({"survey_stats": {"Bakers": 7, "no_stereo": 3}}, "do not have the same names"),
    ]:
        with pytest.raises(CurateError) as refused:
            edited(path, lambda entry, change=change: entry.update(change))
        assert what in refused.value.what
        assert refused.value.where.startswith(f"{path}, entry 1")


def test_one_group_in_two_options_of_an_edited_entry_is_the_edit_of_a_person(tmp_path):
    """No groups were merged, so nothing is to be changed in the table of groups."""

    def same(entry):
        entry["options"][1]["groups"] = entry["options"][0]["groups"]

    with pytest.raises(CurateError, match="are the same groups") as refused:
        edited(tmp_path / "counts.json", same)
    assert refused.value.hint == "undo the edit"


def test_an_option_that_lacks_something_is_refused(tmp_path):
    """A text may be empty; everything has to be there."""
    path = tmp_path / "counts.json"
    (tally,) = edited(path, lambda entry: [it.update(text="") for it in entry["options"]])
    assert tally.votes == (7, 2, 1)
    for key in ("code", "role", "groups", "counts", "text"):
        with pytest.raises(CurateError, match=f"not a list of options with .*{key}"):
            edited(path, lambda entry, key=key: entry["options"][0].pop(key))


def test_votes_are_named_by_groups_or_texts_or_codes(tmp_path):
    """By codes where two options have one name; a question on a template has no stereotype."""
    path = tmp_path / "counts.json"
    asked = counted(1, 8, 2, kind=QuestionKind.COMPREHENSION, template_id="t-001", stereotype="")
    same = [replace(option, text="the same") for option in asked.question.options]
    for tally, keys in (
        (counted(7, 2, 1), ["Bakers", "Potters, (old), Divers", "no_stereo"]),
        (asked, ["text 0", "text 1", "text 2"]),
        (replace(asked, question=replace(asked.question, options=tuple(same))), ["x0", "x1", "x2"]),
    ):
        path.unlink(missing_ok=True)
        write_counts(path, [tally])
        (entry,) = json.loads(path.read_text("utf-8"))
        assert list(entry["survey_stats"]) == keys
        assert read_counts(path, CULTURE, BOOK)[0].question.stereotype == tally.question.stereotype
