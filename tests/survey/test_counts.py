"""Reading surveys of which only the counts are published."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from curation.files.counts import update_entries
from curation.records.bank import Group
from curation.records.culture import Culture
from curation.records.errors import CurateError
from curation.records.survey import Option, Question, QuestionKind, Role, Tally, question_id
from survey.counts import read_counts, write_counts
from survey.questionnaire import GroupBook

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
Read = Callable[..., list[Tally]]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Read a file that holds a text, or entries."""

    def read_entries(content: Any) -> list[Tally]:
        path = tmp_path / "counts.json"
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_text(text, encoding="utf-8")
        return read_counts(path, CULTURE, BOOK)

    return read_entries


def entry(votes: object = None, **others: object) -> dict[str, object]:
    """An entry."""
    counts = TWO if votes is None else votes
    return {"category": "Craft", "stereotype": "They hum", "survey_stats": counts, **others}


def test_two_groups_are_a_validation_question(read: Read) -> None:
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


def test_more_groups_are_target_selection(read: Read) -> None:
    """Respondents are the workspace's, for votes do not tell them; what does not count is known."""
    tally = read([entry(), entry(THREE)])[1]
    assert (tally.question.kind, tally.respondents, tally.row) == (QuestionKind.SELECT_ALL, 40, 2)
    assert [(option.role, option.counts) for option in tally.question.options] == [
        (Role.GROUP, True),
        (Role.GROUP, True),
        (Role.GROUP, False),
        (Role.NONE, True),
    ]


def test_votes_for_no_stereotype_may_stand_anywhere(read: Read) -> None:
    """They come last in the tally, wherever the entry holds them."""
    tally = read([entry({"Bakers": 20, "no_stereo": 3, "Potters": 5})])[0]
    assert tally.votes == (20, 5, 3)
    assert [option.role for option in tally.question.options] == ["target", "non_target", "none"]


def test_an_entry_may_say_kind_and_respondents(read: Read) -> None:
    """What is stated goes before what the shape suggests."""
    tally = read([entry(kind="select_all", respondents=25)])[0]
    assert (tally.question.kind, tally.respondents) == (QuestionKind.SELECT_ALL, 25)
    assert read([entry(respondents=28, kind="choice")])[0].respondents == 28


@pytest.mark.parametrize("category", ["Craft", "Trade", "TRADE", "craft"])
def test_a_category_is_spelled_as_the_culture_spells_it(read: Read, category: str) -> None:
    """Merged categories and other capitals find the culture's category, and so its groups."""
    tally = read([entry(THREE, category=category)])[0]
    assert tally.question.category == "Craft"
    assert [option.counts for option in tally.question.options] == [True, True, False, True]


def test_an_option_may_list_groups(read: Read) -> None:
    """A key with a comma is several groups."""
    tally = read([entry({"Bakers, Smiths": 2, "Potters": 1, "no_stereo": 0})])[0]
    assert tally.question.group_sets == {frozenset({"Bakers", "Smiths"}), frozenset({"Potters"})}


def test_an_entry_may_name_its_template(read: Read) -> None:
    """It is the question of that template, and still one of a category and stereotype."""
    (plain,), (named,) = read([entry()]), read([entry(template_id=" craft-003 ")])
    assert (plain.question.templates, named.question.templates) == ((), ("craft-003",))
    assert replace(named, question=replace(named.question, templates=())) == plain
    assert named.question.template_id == ""


def test_nobody_may_have_answered(read: Read) -> None:
    """Zero votes are counts like any others."""
    assert read([entry({"A": 0, "B": 0, "no_stereo": 0})])[0].respondents == 0
    nobody = dict.fromkeys(THREE, 0)
    assert read([entry(nobody, respondents=0)])[0].respondents == 0


def test_everybody_may_have_chosen_a_group(read: Read) -> None:
    """As many votes as respondents are not too many."""
    assert read([entry({**THREE, "Bakers": 40})])[0].votes[0] == 40


IN_ENTRY = {
    "no map": ("text", "the entry is not a map", ""),
    "no category": ({"stereotype": "x", "survey_stats": TWO}, "no category and stereotype", ""),
    "category no text": (entry(category=["Craft"]), "no category and stereotype", ""),
    "odd category": (entry(category="a/b"), "'a/b' cannot be the name of a category", "They hum"),
    "blank stereotype": (entry(stereotype=" "), "no category and stereotype", ""),
    "no votes": (entry({}), "has no survey_stats", "They hum"),
    "votes no map": (entry([1, 2]), "has no survey_stats", "They hum"),
    "negative": (entry({**TWO, "Bakers": -1}), "'Bakers' has -1 votes", "They hum"),
    "float": (entry({**TWO, "Bakers": 20.0}), "'Bakers' has 20.0 votes", "They hum"),
    "bool": (entry({**TWO, "no_stereo": True}), "'no_stereo' has True votes", "They hum"),
    "text": (entry({**TWO, "Bakers": "20"}), "'Bakers' has '20' votes", "They hum"),
    "null": (entry({**TWO, "Bakers": None}), "'Bakers' has None votes", "They hum"),
    "no no_stereo": (entry({"A": 1, "B": 2}), "the votes lack 'no_stereo'", "They hum"),
    "unknown kind": (entry(kind="single"), "'single' is not a kind", "They hum"),
    "one group": (entry({"A": 1, "no_stereo": 2}), "has 1 groups, which no question", "They hum"),
    "one group stated": (
        entry({"A": 1, "no_stereo": 2}, kind="select_all"),
        "has 1 groups, which no question of kind select_all has",
        "They hum",
    ),
    "choice of three": (entry(THREE, kind="choice"), "has 3 groups, which no quest", "They hum"),
    "comprehension": (entry(kind="comprehension"), "which no question of kind compr", "They hum"),
    "votes above respondents": (
        entry({**THREE, "Bakers": 41}),
        "'Bakers' has 41 votes of 40 respondents",
        "They hum",
    ),
    "none above respondents": (
        entry(THREE, respondents=19),
        "'Bakers' has 20 votes of 19 respondents",
        "They hum",
    ),
    "votes other than respondents": (
        entry(respondents=29),
        "28 votes of 29 respondents, who choose one option each",
        "They hum",
    ),
    "respondents no number": (entry(THREE, respondents="40"), "'40' respondents", "They hum"),
    "respondents negative": (entry(THREE, respondents=-1), "-1 respondents", "They hum"),
    "respondents bool": (entry(THREE, respondents=True), "True respondents", "They hum"),
    "same groups": (
        entry({"A, B": 1, "B, A": 2, "no_stereo": 0}),
        "'A, B' and 'B, A' are the same groups",
        "They hum",
    ),
    "nameless group": (entry({"": 1, "B": 2, "no_stereo": 0}), "names no group", "They hum"),
}


@pytest.mark.parametrize(("wrong", "what", "stereotype"), IN_ENTRY.values(), ids=IN_ENTRY)
def test_counts_that_cannot_be_are_refused_with_their_entry(
    read: Read, tmp_path: Path, wrong: object, what: str, stereotype: str
) -> None:
    """The entry is named by its place and, where it has one, its stereotype."""
    with pytest.raises(CurateError) as refused:
        read([entry(stereotype="They sing"), wrong])
    assert what in refused.value.what
    name = f", '{stereotype}'" if stereotype else ""
    assert refused.value.where == f"{tmp_path / 'counts.json'}, entry 2{name}"
    assert refused.value.hint


@pytest.mark.parametrize(
    ("text", "what", "place"),
    [
        ("[", "counts.json is not JSON: Expecting value", ", line 1, column 2"),
        ('[\n{"category" 1}]', "is not JSON: Expecting ':' delimiter", ", line 2, column 13"),
        ("category,votes\n", "counts.json is not JSON", ", line 1, column 1"),
        ('{"category": "Craft"}', "counts.json is not a list of counts", ""),
        ("null", "counts.json is not a list of counts", ""),
        ("", "counts.json is empty", ""),
        ('[{"survey_stats": {"A": 1, "B": 2, "A": 3}}]', "'A' occurs twice in one entry", ""),
        ('[{"category": "a", "category": "b"}]', "'category' occurs twice in one entry", ""),
        ("[" * 100_000, "counts.json cannot be read", ""),
        (f"[{'1' * 5000}]", "counts.json cannot be read", ""),
        ('[{"survey_stats": {"[A": 1, "B": 2, "no_stereo": 0}}]', "no category and", ", entry 1"),
    ],
)
def test_what_is_no_list_of_counts_is_refused(
    read: Read, tmp_path: Path, text: str, what: str, place: str
) -> None:
    """Broken JSON names line and column, and a key that occurs twice is never overwritten."""
    with pytest.raises(CurateError) as refused:
        read(text)
    assert what in refused.value.what
    assert refused.value.where == f"{tmp_path / 'counts.json'}{place}"


def test_a_group_that_begins_as_a_list_and_is_none_is_refused(read: Read) -> None:
    """A bracket opens a JSON list of groups."""
    with pytest.raises(CurateError) as refused:
        read([entry({"[A": 1, "B": 2, "no_stereo": 0})])
    assert refused.value.where.endswith("entry 1, 'They hum'")


def test_counts_of_templates_replace_their_earlier_ones(tmp_path: Path) -> None:
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


@pytest.mark.parametrize("damaged", ["[{", "{}"])
def test_counts_of_templates_are_not_written_over_a_damaged_file(
    tmp_path: Path, damaged: str
) -> None:
    """What cannot be read is not replaced."""
    path = tmp_path / "counts.json"
    path.write_text(damaged)
    with pytest.raises(CurateError):
        update_entries(path, [{"template_id": "a-001"}])
    assert path.read_text() == damaged


def counted(*votes: int, kind: QuestionKind = QuestionKind.CHOICE, **others: Any) -> Tally:
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
    fields: dict[str, Any] = {"stereotype": "They hum", "template_id": "", **others}
    question = Question("my-id", kind, "Craft", options=options, **fields)
    people = max(votes) + 1 if kind is QuestionKind.SELECT_ALL else sum(votes)
    return Tally(question, people, votes, "counts.json")


@pytest.mark.parametrize(
    "tally",
    [
        counted(7, 2, 0),
        counted(7, 2, 5, kind=QuestionKind.SELECT_ALL),
        counted(
            *(1, 30, 2), kind=QuestionKind.COMPREHENSION, stereotype="", template_id="craft-001"
        ),
        counted(0, 0, 0),
        counted(7, 2, 0, templates=("craft-001", "craft-002")),
    ],
)
def test_what_is_written_is_read_back_as_it_was_counted(tally: Tally, tmp_path: Path) -> None:
    """Ids, codes, roles, lists of groups and what counts included."""
    assert write_counts(tmp_path / "counts.json", [tally]) == 1
    assert [
        replace(item, row=None) for item in read_counts(tmp_path / "counts.json", CULTURE, BOOK)
    ] == [tally]


def test_what_is_written_can_be_read_by_readers_of_published_counts(tmp_path: Path) -> None:
    """The keys of published files are there."""
    write_counts(tmp_path / "counts.json", [counted(7, 2, 1)])
    (written,) = json.loads((tmp_path / "counts.json").read_text("utf-8"))
    assert (written["category"], written["stereotype"]) == ("Craft", "They hum")
    assert written["survey_stats"] == {"Bakers": 7, "Potters, (old), Divers": 2, "no_stereo": 1}
    assert written["respondents"] == 10


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"respondents": 11}, "10 votes of 11 respondents"),
        ({"respondents": None}, "None respondents"),
        ({"question_id": ""}, "'question_id' is not text"),
        ({"options": []}, "'options' is not a list of options"),
        ({"templates": "craft-001"}, "'templates' is not a list of ids"),
        ({"kind": "poll"}, "'poll' is not a valid QuestionKind"),
        ({"survey_stats": {"Bakers": 7, "no_stereo": 3}}, "do not have the same names"),
    ],
)
def test_an_edited_entry_of_ours_is_refused(
    change: dict[str, object], what: str, tmp_path: Path
) -> None:
    """Naming the entry."""
    path = tmp_path / "counts.json"
    write_counts(path, [counted(7, 2, 1)])
    entries = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps([entries[0] | change]), encoding="utf-8")
    with pytest.raises(CurateError) as refused:
        read_counts(path, CULTURE, BOOK)
    assert what in refused.value.what
    assert "entry 1, 'They hum'" in refused.value.where
