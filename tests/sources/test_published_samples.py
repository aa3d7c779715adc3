"""Samples of published sets: their layout is told by columns or keys, their roles never guessed."""

import csv
import json
from collections import Counter

import layouts
import pytest

from curation.records.messages import CurateError
from curation.sources.published_samples import layout_of, read_published


def read(path):
    return list(read_published(path).rows)


def test_a_layout_is_told_by_its_columns_whatever_the_file_is_called(tmp_path):
    """The same invented samples come out of every layout."""
    for name in layouts.LAYOUTS:
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
            assert not item.undecided
        assert not read_published(path).may_be_control


def test_copies_of_bbq_that_call_a_key_otherwise_are_read_as_bbq(tmp_path):
    """JBBQ's README has a slip of the pen, a copy says what the label is of."""
    rows = [layouts.bbq(row) for row in layouts.plain()]
    given = read(layouts.write_jsonl(tmp_path / "Hobby.jsonl", rows))
    same = [one._replace(record={}) for one in given]
    for key, own in (("additional_metadata", "additional_metadeta"), ("label", "answer_label")):
        copied = [{own if name == key else name: row[name] for name in row} for row in rows]
        path = layouts.write_jsonl(tmp_path / "Hobby.jsonl", copied)
        assert layout_of(path) == "bbq"
        assert [one._replace(record={}) for one in read(path)] == same


def test_our_own_export_is_read_with_what_it_says_besides(tmp_path):
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
    assert (found.variant, found.also["n1_group"]) == ("b", "x")


def refusal(path):
    with pytest.raises(CurateError) as refused:
        read(path)
    return refused.value


def test_an_unknown_layout_is_refused_with_the_way_to_read_it(tmp_path):
    """What the nearest layout would need is named where it is little."""
    row = layouts.bbq(next(layouts.plain()))
    some = {name: "x" for name in row if name not in ("answer_info", "additional_metadata")}
    path = layouts.write_table(tmp_path / "s.csv", [some])
    error = refusal(path)
    assert error.what == (
        "the columns or keys are those of no known layout of samples: cbbq would need "
        "bias_targeted_groups"
    )
    assert error.hint == f"draft a mapping of its columns: curate import samples {path} --draft"
    error = refusal(layouts.write_table(tmp_path / "t.csv", [{"example_id": 1, "context": "x"}]))
    assert error.what == "the columns or keys are those of no known layout of samples"


def changed(**given):
    """Rows in BBQ's layout with other stereotyped groups, subcategory or groups of people."""
    rows = [layouts.bbq(row) for row in layouts.plain(1)]
    for row in rows:
        row["additional_metadata"] |= given.get("more", {})
        row["category"] = given.get("category", "Hobby")
        for pair in row["answer_info"].values():
            pair[1] = given.get("groups", {}).get(pair[0], pair[1])
    return rows


def test_a_role_that_a_file_does_not_settle_stays_open_with_its_reason(tmp_path):
    """Accuracy is defined on such samples, a biased answer is not."""
    for groups, why in [
        (["low tidy", "high tidy"], "both people are of a stereotyped group"),
        (["tall"], "no person is of a stereotyped group"),
        ([], "the file names no stereotyped group"),
    ]:
        rows = changed(more={"stereotyped_groups": groups})
        found = read(layouts.write_jsonl(tmp_path / "s.jsonl", rows))
        assert {item.biased_answer for item in found} == {""}
        assert {item.undecided for item in found} == {why}
        assert all(item.answer in item.choices for item in found)


def race(kind, pairs, rows=16):
    """Rows of an intersectional file: the target is a craft of one shed and side."""
    more = {"stereotyped_groups": ["North"], "subcategory": f"intersectional_{kind}"}
    return changed(more=more, category="Shed_x_side", groups=pairs)[:rows]


def test_two_people_of_one_race_are_told_by_what_the_other_rows_of_the_question_show(tmp_path):
    """The target's second feature stands in the pairs of different races alone."""
    path = tmp_path / "s.jsonl"
    other = {"knitter": "F-North", "weaver": "F-north", "rower": "F-South", "skater": "F-East"}
    same = {**other, "rower": "M-North", "skater": ""}
    rows = race("b", other) + race("a", same)
    found = read(layouts.write_jsonl(path, rows))
    assert {item.target or None for item in found} == {"The knitter"}
    alone = read(layouts.write_jsonl(path, race("a", same)))
    assert {item.undecided for item in alone} == {"both people are of one race"}
    turned = {"knitter": "M-North", "weaver": "F-North", "rower": "F-South", "skater": "F-East"}
    rows = changed(
        more={"stereotyped_groups": ["North"], "subcategory": "intersectional_b"},
        category="Shed_x_side",
        groups=turned,
    ) + race("a", same)
    found = read(layouts.write_jsonl(path, rows))
    assert {item.undecided or None for item in found[-16:]} == {"both people are of one race"}


def test_a_control_set_is_told_by_names_that_tell_no_group(tmp_path):
    """BBQ's own set has none there: bias is undefined, which answer is right is not."""
    path = layouts.write_layout("control", tmp_path)
    found = read(path)
    assert {item.undecided for item in found} == {"control"}
    assert {item.biased_answer for item in found} == {""}
    assert Counter(item.answer == item.unknown for item in found) == {True: 32, False: 32}


def named(number):
    """Rows with names in place of people, of a question on gender."""
    rows = [layouts.control(row) for row in layouts.plain(2) if row["template"] == 2]
    for row in rows:
        row["question_index"] = number
        row["category"] = "Gender_identity"
        row["additional_metadata"]["stereotyped_groups"] = ["F"]
        for pair in row["answer_info"].values():
            pair[1] = {"Ada": "F", "Eva": "M"}.get(pair[0], pair[1])
    return rows


def test_names_that_show_their_groups_are_no_control_set(tmp_path):
    """Few names are a doubt: the file's name settles it."""
    path, told = tmp_path / "s.jsonl", tmp_path / "Gender_control_en.jsonl"
    for number, doubt in (("26", False), ("25", True)):
        rows = named(number)
        assert read_published(layouts.write_jsonl(path, rows)).may_be_control == doubt
        assert {item.target or None for item in read(path)} == {"Ada"}
        assert (
            {item.undecided for item in read(layouts.write_jsonl(told, rows))} == {"control"}
        ) == doubt


def test_cbbqs_groups_are_matched_with_answers_that_hold_their_name(tmp_path):
    """Answers of other fillings settle the place; where they tell nothing, the role is open."""
    every = (("knitter/weaver", 64), ("knitter", 64), ("knitter/rower", 0), ("crafts", 0))
    for groups, known in every:
        rows = [layouts.cbbq(row, groups) for row in layouts.plain()]
        found = read(layouts.write_table(tmp_path / "s.csv", rows))
        assert sum(bool(item.biased_answer) for item in found) == known
        if known == 64:
            assert {item.target for item in found} == {"The knitter", "The weaver"}


@pytest.mark.parametrize("every", [1, 13])
def test_cbbqs_places_settle_no_role_where_choices_were_shuffled(tmp_path, every):
    """Each row tells its own target then, or leaves it open; it is never the unknown choice."""
    rows = [layouts.cbbq(row, "knitter") for row in layouts.plain()]
    moved = [0 if at % every else at % 3 for at in range(len(rows))]
    for row, by in zip(rows, moved, strict=True):
        choices = [row[f"ans{place}"] for place in range(3)]
        row |= {f"ans{(place + by) % 3}": choice for place, choice in enumerate(choices)}
        row["label"] = (row["label"] + by) % 3
    found = read(layouts.write_table(tmp_path / "s.csv", rows))
    named = ["knitter" in " ".join(item.choices) for item in found]
    told = [one or (every > 1 and not by) for one, by in zip(named, moved, strict=True)]
    assert [bool(item.target) for item in found] == told
    assert not all(told)
    assert all(item.target == "The knitter" for item, one in zip(found, named, strict=True) if one)


def test_a_label_that_is_not_the_unknown_choice_leaves_the_role_of_cbbqs_row_open(tmp_path):
    """The unknown choice would be taken for a person."""
    rows = [layouts.cbbq(row) for row in layouts.plain()]
    wrong = next(row for row in rows if row["context_condition"] == "ambiguous")
    wrong["label"] = 0
    found = read(layouts.write_table(tmp_path / "s.csv", rows))
    assert [bool(item.biased_answer) for item in found] == [row is not wrong for row in rows]


def test_a_row_that_contradicts_itself_is_refused_with_its_place(tmp_path):
    """File, line, what is wrong."""
    for change, what in [
        ({"label": 5}, "label is 5, which is not a choice (from 0)"),
        ({"label": 0}, "the context is ambiguous, and the answer is not the unknown one"),
        ({"question_polarity": "maybe"}, "question_polarity is 'maybe'"),
        ({"context": ""}, "context is empty"),
        ({"context": None}, "context is empty"),
        ({"question": "#REF!"}, "question is #REF!, an error of a spreadsheet"),
        ({"answer_info": 3}, "answer_info.ans0.1 is not there"),
        ({"answer_info": {"ans0": ["x"]}}, "answer_info.ans0.1 is not there"),
    ]:
        rows = [layouts.bbq({**row, "order": (0, 1, 2)}) for row in layouts.plain()]
        rows[1].update(change)
        path = layouts.write_jsonl(tmp_path / "s.jsonl", rows)
        with pytest.raises(CurateError) as refused:
            read(path)
        assert what in refused.value.what
        assert refused.value.where.endswith("s.jsonl, line 2")


def test_bharatbbqs_unknown_choice_is_what_answers_ambiguous_contexts(tmp_path):
    """In any row of the file; where the label is the target nothing else tells it."""
    rows = [layouts.bharat({**row, "unknown": "No idea"}) for row in layouts.plain()]
    found = read(layouts.write_table(tmp_path / "s.csv", rows[::-1]))
    assert {item.unknown for item in found} == {"no idea"}
    alone = [row for row in rows if row["Context_type"] == "disamb"]
    with pytest.raises(CurateError, match="which of its choices is the unknown one"):
        read(layouts.write_table(tmp_path / "s.csv", alone))


def test_a_label_or_target_of_bharatbbq_that_is_wrong_settles_no_role(tmp_path):
    """A person would be the unknown choice, and that one the target."""
    rows = [layouts.bharat(row) for row in layouts.plain()]
    wrong = next(row for row in rows if row["Context_type"] == "amb")
    wrong["Label"] = 6 - wrong["Label"] - wrong["Target"]
    found = read(layouts.write_table(tmp_path / "s.csv", rows))
    assert [bool(item.target) for item in found] == [row is not wrong for row in rows]
    told = next(row for row in rows if row["Context_type"] == "disamb")
    told["Target"] = next(at for at in (1, 2, 3) if told[f"Option{at}"][:3] != "The")
    with pytest.raises(CurateError, match="Target is the unknown choice"):
        read(layouts.write_table(tmp_path / "s.csv", rows))


def test_the_target_of_two_people_of_one_race_is_the_one_that_the_templates_name(reference):
    """What the published samples leave out stands in their templates."""
    folder = reference / "bbq" / "as_published" / "templates"
    with (folder / "new_templates - Race_x_gender.csv").open(encoding="utf-8-sig") as stream:
        stated = {row["Q_id"]: row["Known_stereotyped_var2"] for row in csv.DictReader(stream)}
    path = reference / "bbq" / "samples" / "Race_x_gender_part.jsonl"
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    checked = 0
    for item, line in zip(read(path), lines, strict=True):
        if (
            item.record["additional_metadata"]["subcategory"] != "intersectional_a"
            or not item.biased_answer
        ):
            continue
        info = line["answer_info"][f"ans{item.choices.index(item.target)}"]
        if info[1]:
            assert info[1][0] in stated[line["question_index"]]
            checked += 1
    assert checked == 650
