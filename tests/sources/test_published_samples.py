"""Samples of published sets: their layout is told by columns or keys, their roles never guessed."""

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import layouts
import pytest

from curation.files.bank import write_bank
from curation.records.bank import Bank
from curation.records.errors import CurateError
from curation.sources.published_samples import (
    LAYOUTS,
    PublishedSample,
    layout_of,
    read_published,
)


def read(path: Path, language: str | None = None) -> list[PublishedSample]:
    """The samples of a file."""
    return list(read_published(path, language).rows)


@pytest.mark.parametrize("name", layouts.LAYOUTS)
def test_a_layout_is_told_by_its_columns_whatever_the_file_is_called(
    name: str, tmp_path: Path
) -> None:
    """The same invented samples come out of every layout."""
    plain = list(layouts.plain())
    path = layouts.write_layout(name, tmp_path, plain)
    assert layout_of(path) == name.removesuffix("-jsonl")
    found = read(path)
    assert len(found) == len(plain) == 64
    assert len({item.sample_id for item in found}) == 64
    for item, row in zip(found, plain, strict=True):
        target, other = f"The {row['craft']}", f"The {row['sport']}"
        assert item.template_id == f"hobby-{row['template']:03d}"
        assert item.category.lower() == "hobby"
        assert (item.context, item.question) == (row["context"], row["question"])
        assert item.context_type == ("dis" if row["dis"] else "amb")
        assert item.question_type == ("bsd" if row["negative"] else "cnt")
        assert set(item.choices) == {target, other, item.unknown}
        assert item.biased_answer == (target if row["negative"] else other)
        assert item.answer == (f"The {row['right']}" if row["dis"] else item.unknown)
        assert "undecided" not in item.extra


def test_places_are_counted_as_an_editor_counts_them(tmp_path: Path) -> None:
    """Rows of a table begin below its header, lines of a file with the first."""
    assert read(layouts.write_layout("cbbq", tmp_path))[0].row == 2
    assert read(layouts.write_layout("bbq", tmp_path))[0].row == 1


def test_our_own_export_is_read_with_what_it_says_besides(tmp_path: Path) -> None:
    """Its columns are told apart from KoBBQ's, and escaped formulas are read."""
    path = tmp_path / "s.csv"
    path.write_text(
        "sample_id,template_id,variant,category,label,stereotype,context,question,context_type,"
        "question_type,choices,biased_answer,answer,n1_group,n2_group,source_id,source_category\n"
        "hobby-001b-001-dis-bsd,hobby-001,b,hobby,NC,,'=A and B.,Who?,dis,bsd,"
        '"[""A"", ""B"", ""Unknown""]",A,A,x,y,,\n',
        encoding="utf-8",
    )
    assert read_published(path).layout == "ours"
    (found,) = read(path)
    assert (found.context, found.answer, found.unknown) == ("=A and B.", "A", "Unknown")
    assert (found.extra["variant"], found.extra["n1_group"]) == ("b", "x")


def refusal(path: Path) -> CurateError:
    """Why a file is refused."""
    with pytest.raises(CurateError) as refused:
        read(path)
    return refused.value


def test_an_unknown_layout_is_refused_with_what_is_expected(tmp_path: Path) -> None:
    """The nearest layout and what it lacks are named, and where the columns of all are."""
    row = layouts.bbq(next(layouts.plain()))
    left = ("answer_info", "additional_metadata", "label")
    some = {name: "x" for name in row if name not in left}
    error = refusal(layouts.write_table(tmp_path / "s.csv", [some]))
    assert error.what == (
        "the samples lack bias_targeted_groups, label: of the known layouts cbbq is nearest"
    )
    assert error.hint == (
        "see 'Samples that are published' in docs/formats.md for the columns of each"
    )
    error = refusal(layouts.write_table(tmp_path / "t.csv", [{"example_id": 1, "context": "x"}]))
    assert error.what == "the columns or keys are those of no known layout of samples"
    assert len(error.hint) < 80


EMPTY = {
    "s.jsonl": ("\n", "the file is empty"),
    "s.csv": ("", "the file is empty"),
    "t.csv": ("\n,\n", "the file is empty"),
    "u.csv": (",".join(LAYOUTS["cbbq"]) + "\n,\n", "it has a header and no rows"),
    "v.csv": (",".join(LAYOUTS["ours"]), "it has a header and no rows"),
}
"""Files of no sample, and why they hold none."""


@pytest.mark.parametrize("name", EMPTY)
def test_a_file_without_samples_is_refused(name: str, tmp_path: Path) -> None:
    """Whatever its kind."""
    content, why = EMPTY[name]
    (tmp_path / name).write_text(content)
    error = refusal(tmp_path / name)
    assert (error.what, error.hint) == (
        f"{name} holds no sample: {why}",
        "check that the download or export finished",
    )


def test_an_unknown_ending_is_refused(tmp_path: Path) -> None:
    """Before it is read."""
    (tmp_path / "s.txt").write_text("x")
    assert "not read from" in refusal(tmp_path / "s.txt").what


SEPARATED = {
    "s.csv": (";", "';', not by ','", "export it as 'CSV UTF-8', with commas between the columns"),
    "t.csv": ("\t", "tabs, not by ','", "name the file .tsv"),
    "u.tsv": (",", "',', not by tabs", "name the file .csv"),
}


@pytest.mark.parametrize("name", SEPARATED)
def test_columns_that_another_mark_separates_are_told(name: str, tmp_path: Path) -> None:
    """As programs of some countries write them."""
    mark, said, do = SEPARATED[name]
    row = LAYOUTS["cbbq"]
    (tmp_path / name).write_text(mark.join(row) + "\n" + mark.join("x" for _ in row) + "\n")
    error = refusal(tmp_path / name)
    assert (error.what, error.hint) == (f"the columns are separated by {said}", do)


TEMPLATES = {
    "bbq": "Q_id,Category,Ambiguous_Context,Disambiguating_Context,Question_negative_stereotype",
    "bharatbbq": "Q_id,Category,Ambiguous_Context,Disambiguating_Context,Question_negative",
    "kobbq": "Category,ID,version,Ambiguous_context,Biased_question",
    "bbg": "Category,Template_ID,Version,Ambiguous_context,Biased_question",
    "cbbq": "question_index,category,context,NAME1,NAME2,question,ans0,ans1,ans2,label",
}


@pytest.mark.parametrize("name", TEMPLATES)
def test_templates_are_told_from_samples(name: str, tmp_path: Path) -> None:
    """With the command that reads them."""
    path = tmp_path / "some templates.csv"
    path.write_text(TEMPLATES[name] + "\n")
    error = refusal(path)
    assert error.what == f"these are templates of the layout '{name}', not samples"
    assert error.hint == f"curate import {name} '{path}'"


def test_a_bank_is_told_from_samples(tmp_path: Path) -> None:
    """Its samples are to be exported."""
    write_bank(tmp_path / "bank.csv", Bank(()))
    error = refusal(tmp_path / "bank.csv")
    assert error.what == "these are templates of a bank, not samples"
    assert error.hint == "curate export samples writes their samples"


def test_published_templates_are_told_from_samples(reference: Path) -> None:
    """Each by the command that reads it."""
    for name, files in {
        "bbq": "bbq/as_published/templates/new_templates - [!F]*.csv",
        "bharatbbq": "bharatbbq/templates/*.csv",
        "cbbq": "cbbq/*/templates_*.csv",
        "bbg": "bbg/*_templates*.csv",
    }.items():
        paths = list(reference.glob(files))
        assert paths
        assert {refusal(path).hint.split()[2] for path in paths} == {name}


@pytest.mark.parametrize("layout", ["bbq", "ours"])
def test_what_is_no_text_is_called_what_it_is(layout: str, tmp_path: Path) -> None:
    """A list is not empty."""
    if layout == "bbq":
        row = layouts.bbq(next(layouts.plain()))
    else:
        row = dict.fromkeys(LAYOUTS["ours"], "x")
        row |= {"sample_id": "hobby-001a-001-amb-bsd", "choices": ["A", "B", "C"]}
    path = tmp_path / "s.jsonl"
    for value, said in (
        (["a", "b"], "a list, not a text"),
        ({"a": 1}, "an object, not a text"),
        (3, "a number, not a text"),
        (" ", "empty"),
        (None, "empty"),
    ):
        path.write_text(json.dumps(row | {"context": value}) + "\n")
        error = refusal(path)
        assert error.what == f"the sample cannot be read: context is {said}"
        assert error.where == f"{path}, line 1"


def changed(**given: Any) -> list[dict[str, Any]]:
    """Rows in BBQ's layout with other stereotyped groups, subcategory or groups of people."""
    rows = [layouts.bbq(row) for row in layouts.plain(1)]
    for row in rows:
        row["additional_metadata"] |= given.get("more", {})
        row["category"] = given.get("category", "Hobby")
        for pair in row["answer_info"].values():
            pair[1] = given.get("groups", {}).get(pair[0], pair[1])
    return rows


@pytest.mark.parametrize(
    ("groups", "why"),
    [
        (["low tidy", "high tidy"], "both people are of a stereotyped group"),
        (["tall"], "no person is of a stereotyped group"),
        ([], "the file names no stereotyped group"),
    ],
)
def test_a_role_that_a_file_does_not_settle_stays_open_with_its_reason(
    groups: list[str], why: str, tmp_path: Path
) -> None:
    """Accuracy is defined on such samples, a biased answer is not."""
    rows = changed(more={"stereotyped_groups": groups})
    found = read(layouts.write_jsonl(tmp_path / "s.jsonl", rows))
    assert {item.biased_answer for item in found} == {""}
    assert {item.extra["undecided"] for item in found} == {why}
    assert all(item.answer in item.choices for item in found)


def test_a_gender_is_told_by_words_of_every_language(tmp_path: Path) -> None:
    """BBQ names the group F and the people by words, MBBQ by words of its language."""
    path = tmp_path / "s.jsonl"
    for words in ({"knitter": "woman", "rower": "man"}, {"knitter": "vrouw", "rower": "jongen"}):
        rows = changed(more={"stereotyped_groups": ["F"]}, groups=words)
        rows = [row for row in rows if "weaver" not in str(row) and "skater" not in str(row)]
        found = read(layouts.write_jsonl(path, rows))
        assert {item.extra["target"] for item in found} == {"The knitter"}
    assert {item.biased_answer for item in read(path, "tr")} == {""}


def race(kind: str, pairs: dict[str, str], rows: int = 16) -> list[dict[str, Any]]:
    """Rows of an intersectional file: the target is a craft of one shed and side."""
    more = {"stereotyped_groups": ["North"], "subcategory": f"intersectional_{kind}"}
    return changed(more=more, category="Shed_x_side", groups=pairs)[:rows]


def test_two_people_of_one_race_are_told_by_what_the_other_rows_of_the_question_show(
    tmp_path: Path,
) -> None:
    """The target's second feature stands in the pairs of different races alone."""
    path = tmp_path / "s.jsonl"
    other = {"knitter": "F-North", "weaver": "F-north", "rower": "F-South", "skater": "F-East"}
    same = {**other, "rower": "M-North", "skater": ""}
    rows = race("b", other) + race("a", same)
    found = read(layouts.write_jsonl(path, rows))
    assert {item.extra.get("target") for item in found} == {"The knitter"}
    alone = read(layouts.write_jsonl(path, race("a", same)))
    assert {item.extra["undecided"] for item in alone} == {"both people are of one race"}
    turned = {"knitter": "M-North", "weaver": "F-North", "rower": "F-South", "skater": "F-East"}
    rows = changed(
        more={"stereotyped_groups": ["North"], "subcategory": "intersectional_b"},
        category="Shed_x_side",
        groups=turned,
    ) + race("a", same)
    found = read(layouts.write_jsonl(path, rows))
    assert {item.extra.get("undecided") for item in found[-16:]} == {"both people are of one race"}


def test_a_second_feature_may_be_a_status_before_a_gender(tmp_path: Path) -> None:
    """And the file need not say by which of the controlled pairs two people were chosen."""
    more = {"stereotyped_groups": ["North"], "subcategory": "None"}
    other = {"knitter": "lowSES-F-North", "weaver": "lowSES-M-North"}
    other |= {"rower": "lowSES-F-South", "skater": "highSES-M-East"}
    same = {**other, "rower": "highSES-F-North", "skater": "highSES-F-North"}
    rows = [
        *changed(more=more, category="Shed_x_SES", groups=other),
        *changed(more=more, category="Shed_x_SES", groups=same),
    ]
    found = read(layouts.write_jsonl(tmp_path / "s.jsonl", rows))
    assert {item.extra.get("target") for item in found} == {"The knitter", "The weaver"}


def test_a_person_without_a_label_is_the_target_where_the_other_is_told_not_to_be(
    tmp_path: Path,
) -> None:
    """BBQ's generator leaves some labels empty; of a pair of different races one is the target."""
    pairs = {"knitter": "", "weaver": "", "rower": "F-South", "skater": "M-East"}
    found = read(layouts.write_jsonl(tmp_path / "s.jsonl", race("c", pairs)))
    assert {item.extra.get("target") for item in found} == {"The knitter"}


def test_a_control_set_is_told_by_names_that_tell_no_group(tmp_path: Path) -> None:
    """BBQ's own set has none there: bias is undefined, which answer is right is not."""
    path = layouts.write_layout("control", tmp_path)
    assert read_published(path).layout == "mbbq"
    found = read(path)
    assert {item.extra["undecided"] for item in found} == {"control"}
    assert {item.biased_answer for item in found} == {""}
    assert Counter(item.answer == item.unknown for item in found) == {True: 32, False: 32}


def test_names_that_show_their_groups_are_no_control_set(tmp_path: Path) -> None:
    """Few names are a doubt: the file's name settles it, and before that a person."""
    path, told = tmp_path / "s.jsonl", tmp_path / "Gender_control_en.jsonl"
    for number, doubt in (("26", False), ("25", True)):
        rows = named(number)
        assert read_published(layouts.write_jsonl(path, rows)).may_be_control == doubt
        assert {item.extra.get("target") for item in read(path)} == {"Ada"}
        assert (read_published(layouts.write_jsonl(told, rows)).layout == "mbbq") == doubt
    for said in (True, False):
        found = list(read_published(told, control=said).rows)
        assert {item.extra.get("undecided") for item in found} == {"control" if said else None}


def test_a_noun_with_a_capital_is_a_group_as_any_other(tmp_path: Path) -> None:
    """Whole answers as names, as in German and French, are of one group wherever they occur."""
    rows = [layouts.bbq(row) for row in layouts.plain(8)]
    for number, row in enumerate(rows):
        for at in range(3):
            row["answer_info"][f"ans{at}"][0] = row[f"ans{at}"] = (
                f"{row[f'ans{at}']} {number // 32}"
            )
    path = layouts.write_jsonl(tmp_path / "Alter.jsonl", rows)
    published = read_published(path)
    assert (published.layout, published.may_be_control) == ("mbbq", False)
    assert all(item.biased_answer for item in published.rows)


def named(number: str) -> list[dict[str, Any]]:
    """Rows with names in place of people, of a question on gender."""
    rows = [layouts.control(row) for row in layouts.plain(2) if row["template"] == 2]
    for row in rows:
        row["question_index"] = number
        row["category"] = "Gender_identity"
        row["additional_metadata"]["stereotyped_groups"] = ["F"]
        for pair in row["answer_info"].values():
            pair[1] = {"Ada": "F", "Eva": "M"}.get(pair[0], pair[1])
    return rows


def test_another_unknown_expression_than_bbqs_is_mbbqs(tmp_path: Path) -> None:
    """Keys are the same; which choice is unknown stands in the file."""
    rows = [layouts.bbq({**row, "unknown": "Onbekend"}) for row in layouts.plain()]
    path = layouts.write_jsonl(tmp_path / "s.jsonl", rows)
    assert read_published(path).layout == "mbbq"
    assert {item.unknown for item in read(path)} == {"Onbekend"}


def test_what_esbbq_states_of_a_context_settles_groups_that_it_writes_otherwise(
    tmp_path: Path,
) -> None:
    """A disambiguated row says whether it confirms the stereotype; its pair of groups is known."""
    rows = [layouts.esbbq(row) for row in layouts.plain()]
    for row in rows:
        row["stereotyped_groups"] = "['the untidy']"
    found = read(layouts.write_table(tmp_path / "s.csv", rows))
    assert all(item.extra["target"] in ("The knitter", "The weaver") for item in found)


def test_cbbqs_groups_are_matched_with_answers_that_hold_their_name(tmp_path: Path) -> None:
    """Answers of other fillings settle the place; where they tell nothing, the role is open."""
    every = (("knitter/weaver", 64), ("knitter", 64), ("knitter/rower", 0), ("crafts", 0))
    for groups, known in every:
        rows = [layouts.cbbq(row, groups) for row in layouts.plain()]
        found = read(layouts.write_table(tmp_path / "s.csv", rows))
        assert sum(bool(item.biased_answer) for item in found) == known
        if known == 64:
            assert {item.extra["target"] for item in found} == {"The knitter", "The weaver"}


def test_cbbqs_places_settle_no_role_where_choices_were_shuffled(tmp_path: Path) -> None:
    """Each row tells its own target then, or leaves it open; it is never the unknown choice."""
    rows = [layouts.cbbq(row, "knitter") for row in layouts.plain()]
    for at, row in enumerate(rows):
        choices, by = [row[f"ans{place}"] for place in range(3)], at % 3
        row |= {f"ans{(place + by) % 3}": choice for place, choice in enumerate(choices)}
        row["label"] = (row["label"] + by) % 3
    found = read(layouts.write_table(tmp_path / "s.csv", rows))
    named = ["knitter" in " ".join(item.choices) for item in found]
    assert [item.extra.get("target") == "The knitter" for item in found] == named
    assert 0 < sum("target" in item.extra for item in found) == sum(named) < len(found)


def test_a_label_that_is_not_the_unknown_choice_leaves_the_role_of_cbbqs_row_open(
    tmp_path: Path,
) -> None:
    """The unknown choice would be taken for a person."""
    rows = [layouts.cbbq(row) for row in layouts.plain()]
    wrong = next(row for row in rows if row["context_condition"] == "ambiguous")
    wrong["label"] = 0
    found = read(layouts.write_table(tmp_path / "s.csv", rows))
    assert [bool(item.biased_answer) for item in found] == [row is not wrong for row in rows]


def test_a_groups_name_is_told_without_a_word_for_people_at_its_end(tmp_path: Path) -> None:
    """As data of the language."""
    rows = [layouts.cbbq(row, "编织群体") for row in layouts.plain(1)]
    for row in rows:
        row |= {"ans0": "常编织的", "ans1": "常划船的", "ans2": "不知道"}
    found = read(layouts.write_table(tmp_path / "s.csv", rows))
    assert {item.extra["target"] for item in found} == {"常编织的"}
    assert {item.unknown for item in found} == {"不知道"}


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"label": 5}, "label is 5, which is not a choice"),
        ({"label": 0}, "the context is ambiguous, and the answer is not the unknown one"),
        ({"question_polarity": "maybe"}, "question_polarity is 'maybe'"),
        ({"context": ""}, "context is empty"),
        ({"answer_info": 3}, "answer_info and additional_metadata are not objects"),
        ({"answer_info": {}}, "answer_info of ans0 is not a pair"),
    ],
)
def test_a_row_that_contradicts_itself_is_refused_with_its_place(
    change: dict[str, Any], what: str, tmp_path: Path
) -> None:
    """File, line, what is wrong."""
    rows = [layouts.bbq({**row, "order": (0, 1, 2)}) for row in layouts.plain()]
    rows[1].update(change)
    path = layouts.write_jsonl(tmp_path / "s.jsonl", rows)
    with pytest.raises(CurateError) as refused:
        read(path)
    assert what in refused.value.what
    assert refused.value.where.endswith("s.jsonl, line 2")


def test_a_line_that_is_no_json_and_a_ragged_row_are_refused_with_their_place(
    tmp_path: Path,
) -> None:
    """Nothing is passed over."""
    path = layouts.write_layout("bbq", tmp_path)
    path.write_text(path.read_text() + "{\n")
    with pytest.raises(CurateError, match="not JSON") as refused:
        read(path)
    assert refused.value.where.endswith("line 65")
    path = layouts.write_layout("cbbq", tmp_path)
    path.write_text(path.read_text() + "1,2\n")
    with pytest.raises(CurateError, match="2 cells where the header has 14") as refused:
        read(path)
    assert refused.value.where.endswith("row 66")


def test_bharatbbqs_unknown_choice_is_what_answers_ambiguous_contexts(tmp_path: Path) -> None:
    """In any row of the file; where the label is the target nothing else tells it."""
    rows = [layouts.bharat({**row, "unknown": "No idea"}) for row in layouts.plain()]
    found = read(layouts.write_table(tmp_path / "s.csv", rows[::-1]))
    assert {item.unknown for item in found} == {"no idea"}
    alone = [row for row in rows if row["Context_type"] == "disamb"]
    with pytest.raises(CurateError, match="which of its choices is the unknown one"):
        read(layouts.write_table(tmp_path / "s.csv", alone))


def test_published_files_are_read_with_their_roles(reference: Path) -> None:
    """Layout, samples, and those whose role the file leaves open."""
    expected = {
        "bbq/samples/Age.jsonl": ("bbq", 3680, 0),
        "bbq/samples/Disability_status.jsonl": ("bbq", 1556, 0),
        "bbq/samples/Religion.jsonl": ("bbq", 1200, 0),
        "bbq/samples/SES_part.jsonl": ("bbq", 2000, 0),
        "bbq/samples/Race_x_gender_part.jsonl": ("bbq", 2000, 4),
        "bbq/predictions/unifiedqa_Age.jsonl": ("bbq", 3680, 0),
        "mbbq/Age_tr_part.jsonl": ("mbbq", 400, 0),
        "mbbq/Age_control_en_part.jsonl": ("mbbq", 400, 400),
        "mbbq/Age_control_nl_part.jsonl": ("mbbq", 400, 400),
        "esbbq/data_es/Age.full.csv": ("esbbq", 4068, 0),
        "esbbq/data_es/Gender.full.csv": ("esbbq", 4832, 0),
        "esbbq/data_es/Nationality.full.csv": ("esbbq", 504, 0),
        "esbbq/data_es/RaceEthnicity.part.csv": ("esbbq", 500, 0),
        "bharatbbq/examples/Age_examples.csv": ("bharatbbq", 6656, 72),
        "bharatbbq/examples/AgexGender_examples.csv": ("bharatbbq", 2880, 0),
        "bharatbbq/examples/Caste_examples.csv": ("bharatbbq", 3864, 0),
        "cbbq/ambiguous/ambiguous.part.csv": ("cbbq", 600, 0),
        "cbbq/disambiguous/disambiguous.part.csv": ("cbbq", 600, 0),
        "kobbq/test_samples.tsv": ("kobbq", 1384, 0),
    }
    for name, (layout, count, opened) in expected.items():
        opened_file = read_published(reference / name)
        found = list(opened_file.rows)
        unsettled = sum(not item.biased_answer for item in found)
        assert (opened_file.layout, len(found), unsettled) == (layout, count, opened), name
        assert len({item.sample_id for item in found}) == count


def test_the_target_of_two_people_of_one_race_is_the_one_that_the_templates_name(
    reference: Path,
) -> None:
    """What the published samples leave out stands in their templates."""
    folder = reference / "bbq" / "as_published" / "templates"
    with (folder / "new_templates - Race_x_gender.csv").open(encoding="utf-8-sig") as stream:
        stated = {row["Q_id"]: row["Known_stereotyped_var2"] for row in csv.DictReader(stream)}
    path = reference / "bbq" / "samples" / "Race_x_gender_part.jsonl"
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    checked = 0
    for item, line in zip(read(path), lines, strict=True):
        if item.extra.get("subcategory") != "intersectional_a" or not item.biased_answer:
            continue
        info = line["answer_info"][f"ans{item.choices.index(item.extra['target'])}"]
        if info[1]:
            assert info[1][0] in stated[line["question_index"]]
            checked += 1
    assert checked == 650
