"""Samples in layouts that no one here knows: a mapping is drafted, completed and followed."""

import json
from typing import Any

import layouts
import pandas as pd
import pytest
from click.testing import CliRunner

from curation.cli.import_ import command
from curation.files.jsonl import stream
from curation.records.messages import CurateError
from curation.sources.published_samples import read_published
from curation.sources.sample_draft import draft_mapping
from curation.sources.sample_mapping import place_of, read_mapping, split_question

Row = dict[str, Any]


def of_bbq(row):
    return layouts.bbq(row)


def flat(row):
    made = dict(pd.json_normalize(of_bbq(row)).iloc[0])
    return {name: str(value) for name, value in made.items()}


def without(*names, **renamed):
    def made(row):
        found = {renamed.get(name, name): value for name, value in of_bbq(row).items()}
        return {name: value for name, value in found.items() if name not in names}

    return made


def elfsong(row):
    """The right answer and the target are numbers of answers."""
    made = without(label="answer_label")(row)
    return made | {"target_label": places(row)[0]}


def places(row):
    choices, _ = layouts.shown(row)
    return choices.index(f"The {row['craft']}"), choices.index(row["unknown"])


def listed(row):
    """Answers as a list, and nothing of people: as multiple-choice collections have it."""
    choices, label = layouts.shown(row)
    return {
        "context": row["context"],
        "question": row["question"],
        "choices": choices,
        "gold_index": label,
        "category": "Hobby",
    }


def helm(row):
    choices, label = layouts.shown(row)
    references = [
        {"output": {"text": text}, "tags": ["correct"] if at == label else []}
        for at, text in enumerate(choices)
    ]
    return {"context": row["context"], "question": row["question"], "references": references}


def letters(row):
    """Columns A to C, a letter, a text for the biased answer, in a language that is not known."""
    choices, label = layouts.shown(row, "Ez dakigu")
    target, other = f"The {row['craft']}", f"The {row['sport']}"
    return {
        "row_id": row["id"],
        "passage": row["context"],
        "query": row["question"],
        **{f"option_{mark}": text for mark, text in zip("abc", choices, strict=True)},
        "correct_answer": "ABC"[label],
        "kind": "disambiguated" if row["dis"] else "ambiguous",
        "polarity": "negative" if row["negative"] else "non-negative",
        "biased_option": "abc"[choices.index(target if row["negative"] else other)],
    }


def nested(row):
    """Answers as a list of objects, which say what each of them is."""
    choices, label = layouts.shown(row)
    target, unknown = places(row)
    roles = {target: "stereotyped", unknown: "unknown"}
    options = [
        {"id": "ABC"[at], "text": text, "role": roles.get(at, "other")}
        for at, text in enumerate(choices)
    ]
    told = {"scenario": row["template"], "valence": ["nonneg", "neg"][row["negative"]]}
    told["clarity"] = "specified" if row["dis"] else "under-specified"
    text = {"passage": row["context"], "query": row["question"], "options": options}
    return {"meta": told | {"uid": f"x{row['id']}"}, "prompt": text, "gold": "ABC"[label]}


def spanish(row):
    """Headings and words in another language, answers counted from 1."""
    choices, label = layouts.shown(row)
    return {
        "num": row["id"],
        "plantilla": row["template"],
        "contexto": row["context"],
        "pregunta": row["question"],
        "polaridad": "negativa" if row["negative"] else "no negativa",
        "tipo_contexto": "desambiguado" if row["dis"] else "ambiguo",
        **{f"opcion{at}": text for at, text in enumerate(choices, start=1)},
        "respuesta_correcta": label + 1,
        "grupo_objetivo": places(row)[0] + 1,
    }


def kinds(row):
    """Kinds of questions and contexts as yes and no."""
    return {"is_negative": row["negative"], "ambiguous": not row["dis"]}


def by_role(row):
    """Each answer under the name of what it is, the right one by that name."""
    target, other = f"The {row['craft']}", f"The {row['sport']}"
    texts = {"stereotyped": target, "anti_stereotyped": other, "unknown": row["unknown"]}
    right = f"The {row['right']}" if row["dis"] else row["unknown"]
    name = next(name for name, text in texts.items() if text == right)
    asked = {"uid": f"s{row['id']}", "topic": "Hobby", "text": row["context"]}
    return asked | {"question": row["question"], "answers": texts, "correct": name} | kinds(row)


def both_contexts(row):
    """Both contexts in every row, of which another column says which it is about."""
    first = f"{row['context'].partition('. ')[0].rstrip('.')}."
    made = elfsong(row) | {"ambiguous_context": first}
    del made["context"]
    whole = row["context"] if row["dis"] else f"{first} Nobody looked."
    return made | {"disambiguated_context": whole}


def marked(row):
    """A list says of each answer whether it is right."""
    choices, label = layouts.shown(row)
    marks = [int(at == label) for at in range(3)]
    made = {"example_id": row["id"], "passage": row["context"], "question": row["question"]}
    made |= {"mc_targets": {"choices": choices, "labels": marks}, "neg_question": row["negative"]}
    return made | {"target_location": places(row)[0]}


def flagged(row):
    """Answers as objects with flags."""
    choices, label = layouts.shown(row)
    told = [
        {"text": text, "is_correct": at == label, "is_target": at == places(row)[0]}
        for at, text in enumerate(choices)
    ]
    made = {"id": row["id"], "scenario": row["context"], "ask": row["question"], "options": told}
    return made | kinds(row)


def logged(row):
    """A log of Inspect: the context is the first message too."""
    made = elfsong(row)
    told = {"input": f"{made.pop('context')}\n\n{made.pop('question')}"}
    told |= {"target": "ABC"[made.pop("answer_label")], "metadata": made}
    told["choices"] = [made.pop(f"ans{at}") for at in range(3)]
    return told | {"messages": [{"content": row["context"]}, {"content": "ANSWER: A"}]}


def whole(row):
    """Context, question and the lettered answers in one text, as EuroEval has it."""
    choices, label = layouts.shown(row)
    told = "\n".join(f"{mark}. {text}" for mark, text in zip("abc", choices, strict=True))
    made = {"text": f"{row['context']}\n{row['question']}\nChoices:\n{told}"}
    return made | {"label": "abc"[label], "target_label": "abc"[places(row)[0]]} | kinds(row)


def in_columns(row):
    """Answers in columns called by what they are, of which one follows the question."""
    target, other = f"The {row['craft']}", f"The {row['sport']}"
    biased, unbiased = (target, other) if row["negative"] else (other, target)
    made = {"ID": row["id"], "Context": row["context"], "Question": row["question"]}
    made |= {"Stereotyped_Answer": biased, "Non_Stereotyped_Answer": unbiased}
    right = f"The {row['right']}" if row["dis"] else "Ez dakigu"
    return made | {"Unknown_Answer": "Ez dakigu", "Correct_Answer": right} | kinds(row)


def extended(row):
    """A short text that each context begins with, and answers in brackets as Python writes them."""
    made = elfsong(row)
    choices = tuple(made.pop(f"ans{at}") for at in range(3))
    told = {"context": "It was so.", "more_context": made.pop("context")}
    return made | told | {"options": str(choices)}


def scored(row):
    """The answers as keys of an object, as BIG-bench has them, and one text for the rest."""
    choices, label = layouts.shown(row)
    scores = {text: int(at == label) for at, text in enumerate(choices)}
    return {
        "id": row["id"],
        "task": "Read the text and say who is meant by its last sentence.",
        "input": f"{row['context']} {row['question']}",
        "target_scores": scores,
    }


def write(path, rows):
    """Write rows, in the kind of file that the name says."""
    if path.suffix == ".json":
        path.write_text(json.dumps(rows), encoding="utf-8")
    elif path.suffix == ".parquet":
        pd.DataFrame(rows).to_parquet(path)
    elif path.suffix == ".xlsx":
        pd.DataFrame(rows).to_excel(path, index=False)
    elif path.suffix == ".jsonl":
        layouts.write_jsonl(path, list(map(dict, rows)))
    else:
        layouts.write_table(path, list(map(dict, rows)))
    return path


ROLES = ("bsd", "cnt")
CASES = {
    "flat.csv": (flat, ()),
    "no_ids.jsonl": (without("example_id"), ()),
    "no_template.jsonl": (without("question_index", "category"), ()),
    "no_polarity.jsonl": (without("question_polarity"), ("polarity",)),
    "no_context.jsonl": (without("context_condition"), ()),
    "elfsong.jsonl": (elfsong, ()),
    "walledai.parquet": (listed, ("polarity", "target")),
    "helm.jsonl": (helm, ("polarity", "target")),
    "letters.csv": (letters, ()),
    "kobbq.jsonl": (layouts.kobbq, ()),
    "nested.json": (nested, ("target", "category")),
    "spanish.csv": (spanish, ()),
    "roles.jsonl": (by_role, ("category",)),
    "both.csv": (both_contexts, ()),
    "marked.jsonl": (marked, ()),
    "flagged.parquet": (flagged, ()),
    "whole.jsonl": (whole, ()),
    "columns.csv": (in_columns, ()),
    "logged.jsonl": (logged, ()),
    "scored.json": (scored, ("polarity", "target")),
}
"""By file what makes its rows, and the keys that a person has to decide."""


def drafted(path, said=None):
    """Draft a mapping, with what a person writes in place of each `?`."""
    found = draft_mapping([path])
    text = found.text
    for key in found.undecided:
        text = text.replace(f"{key}: '?'", f"{key}: {(said or {}).get(key, 'none')}")
    mapping = path.with_suffix(".yaml")
    mapping.write_text(text, encoding="utf-8")
    return found.undecided, mapping


def read(path, mapping):
    return list(read_published(path, mapping=read_mapping(mapping)).rows)


@pytest.mark.parametrize("name", CASES)
def test_any_layout_is_read_with_a_drafted_mapping(tmp_path, name):
    """A person decides two lines at most, and every sample says what it said before."""
    convert, wanted = CASES[name]
    plain = list(layouts.plain())
    path = write(tmp_path / name, [convert(row) for row in plain])
    undecided, mapping = drafted(path)
    assert undecided == wanted
    found = read(path, mapping)
    assert len({item.sample_id for item in found}) == len(found) == len(plain)
    for item, row in zip(found, plain, strict=True):
        target, other = f"The {row['craft']}", f"The {row['sport']}"
        assert (item.context, item.question) == (row["context"], row["question"])
        assert {*item.choices} == {target, other, item.unknown}
        assert item.answer == (f"The {row['right']}" if row["dis"] else item.unknown)
        assert item.context_type == ("dis" if row["dis"] else "amb")
        asked = ["cnt", "bsd"][row["negative"]]
        assert item.question_type == ("" if "polarity" in wanted else asked)
        known = wanted in ((), ("category",))
        assert item.target == (target if known else "")
        assert item.biased_answer == ((target if row["negative"] else other) if known else "")


def test_of_two_texts_of_a_context_a_person_says_that_both_are_read(tmp_path):
    """Nothing tells whether the longer one stands alone."""
    plain = [*layouts.plain()]
    path = write(tmp_path / "s.csv", map(extended, plain))
    undecided, mapping = drafted(path, {"context": "context + more_context"})
    assert undecided == ("context",)
    wanted = [f"It was so. {row['context']}" for row in plain]
    assert [item.context for item in read(path, mapping)] == wanted


def rows_of_answers():
    for row in layouts.plain():
        choices, label = layouts.shown(row)
        target, _ = places(row)
        for at, text in enumerate(choices):
            told = {"sample": f"q{row['id']}", "context": row["context"], "order": str(at)}
            told |= {"question": row["question"], "text": text, "correct": str(int(at == label))}
            yield told | {"is_target": str(at == target)} | kinds(row)


def test_three_rows_of_answers_are_one_sample(tmp_path):
    """Where they stand together; else the file is refused, and drafted with a question."""
    rows = [*rows_of_answers()]
    undecided, mapping = drafted(path := write(tmp_path / "s.csv", rows))
    plain = [*layouts.plain()]
    assert (undecided, 3 * len(plain)) == ((), len(rows))
    for at, (item, row) in enumerate(zip(read(path, mapping), plain, strict=True)):
        assert (item.row, list(item.choices)) == (3 * at + 2, layouts.shown(row)[0])
        assert (item.target, item.context) == (f"The {row['craft']}", row["context"])
        assert item.answer == item.choices[layouts.shown(row)[1]]
        assert item.question_type == ["cnt", "bsd"][row["negative"]]
    write(path, [rows[0], *rows[2:], rows[1]])
    with pytest.raises(CurateError, match="2 rows together have its sample; a sample has three"):
        read(path, mapping)
    assert draft_mapping([path]).undecided == ("choices",)


@pytest.mark.parametrize(
    "forms",
    [
        ("{}_en", "{}_sw"),
        ("en.{}", "sw.{}"),
        ("{} - EN", "{} - SW"),
        ("{}English", "{}Swahili"),
        ("{}", "{}_translated"),
        ("translated {}", "{}"),
    ],
    ids=str,
)
def test_of_texts_in_two_languages_a_person_chooses(tmp_path, forms):
    """The draft has those of one; context and question in two are refused."""
    texts = ("context", "question", "ans0", "ans1", "ans2")
    rows = []
    for row in layouts.plain():
        made = elfsong(row)
        named = {
            form.format(name): f"{'1 ' * at}{made[name]}"
            for name in texts
            for at, form in enumerate(forms)
        }
        rows.append({name: text for name, text in made.items() if name not in texts} | named)
    path = write(tmp_path / "s.jsonl", rows)
    own, other = (form.format("context") for form in forms)
    undecided, mapping = drafted(path, {"context": own})
    assert undecided == ("context",)
    assert {item.context[0] + item.question[0] for item in read(path, mapping)} == {"AW"}
    if forms[0].strip("{}_.") == "en":
        mapping.write_text(mapping.read_text("utf-8").replace(own, other), "utf-8")
        with pytest.raises(CurateError, match="texts are in en and sw"):
            read(path, mapping)


def test_what_a_file_says_of_the_right_answer_is_not_the_stereotype(tmp_path):
    """A yes or no is no number of an answer, and `correct: stereotyped` no direction."""
    text = draft_mapping([write(tmp_path / "r.jsonl", map(by_role, layouts.plain()))]).text
    assert "\nstereotype:" not in text
    rows = [marked(row) for row in layouts.plain()]
    rows[1]["mc_targets"]["labels"] = 3
    assert "answer" in draft_mapping([write(tmp_path / "m.jsonl", rows)]).undecided
    for row in rows:
        del row["mc_targets"]["labels"]
        row["neg_question"] = int(row["neg_question"])
    found = draft_mapping([write(tmp_path / "m.jsonl", rows)])
    assert "answer" in found.undecided


def test_the_first_sheet_with_columns_is_read_and_none_may_be_there_twice(tmp_path):
    """Whole numbers have no decimals, rows their numbers; of two columns the last would be read."""
    path = tmp_path / "s.xlsx"
    with pd.ExcelWriter(path) as book:
        pd.DataFrame(["hello"]).to_excel(book, sheet_name="Notes", index=False, header=False)
        rows = [["id", "on"], [1, True], [None, None], [2.5, " a "]]
        pd.DataFrame(rows).to_excel(book, sheet_name="Data", index=False, header=False)
    found = [(2, {"id": "1", "on": "true"}), (4, {"id": "2.5", "on": " a "})]
    assert [*stream(path, "").rows] == found
    layouts.write_table(path.with_suffix(".csv"), [{"id": "1", "on": "x"}])
    text = path.with_suffix(".csv").read_text("utf-8").replace("id", "on")
    path.with_suffix(".csv").write_text(text, "utf-8")
    with pytest.raises(CurateError, match="column 'on' occurs twice in the header"):
        stream(path.with_suffix(".csv"), "")


def test_a_row_that_occurs_twice_is_refused_by_the_draft(tmp_path):
    """Its number tells, and not the place of the row."""
    rows = [spanish(row) for row in layouts.plain()]
    found = draft_mapping([write(tmp_path / "s.csv", [*rows, rows[0]])])
    assert "\nid: [num]\n" in found.text
    assert "occurs twice, first in 2" in found.text


def test_what_a_person_writes_is_read(tmp_path):
    """The words of questions tell which are negative, a column of groups who is the target."""
    path = write(tmp_path / "s.jsonl", [without("question_polarity")(r) for r in layouts.plain()])
    polarity = (
        '{column: question, words: {"Who is untidy?": negative, "Who is tidy?": non-negative}}'
    )
    _, mapping = drafted(path, {"polarity": polarity})
    found = read(path, mapping)
    assert {item.question_type for item in found} == {*ROLES}
    assert all(item.target in ("The knitter", "The weaver") for item in found)


def test_a_line_that_is_not_decided_is_refused(tmp_path):
    path = write(tmp_path / "s.jsonl", [listed(row) for row in layouts.plain()])
    (tmp_path / "s.yaml").write_text(draft_mapping([path]).text, encoding="utf-8")
    with pytest.raises(CurateError, match="'polarity' is not decided"):
        read(path, tmp_path / "s.yaml")


BAD = {
    "another file": ({}, {"passage": "context"}, "names the column 'context'"),
    "labels from 1": ({"kind: from 0": "kind: from 1"}, {}, "label is 0, which is not a choice"),
    "swapped polarity": ({"{neg: negative": "{neg: non-negative"}, {}, "'neg' is said to be"),
    "two targets": (
        {"\ntarget: ": "\nbiased_answer: {column: label, kind: from 0}\ntarget: "},
        {},
        "target and biased_answer are both named",
    ),
    "a word of another set": ({}, {"question_polarity": None}, "which is not one of neg, nonneg"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_mapping_that_does_not_fit_is_refused(tmp_path, name):
    """One line: what is wrong."""
    changes, renamed, message = BAD[name]
    rows = [elfsong(row) for row in layouts.plain()]
    for row in rows:
        row["label"] = row.pop("answer_label")
    path = write(tmp_path / "s.jsonl", rows)
    _, mapping = drafted(path)
    text = mapping.read_text(encoding="utf-8")
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    mapping.write_text(text, encoding="utf-8")
    for new_name, old_name in renamed.items():
        for row in rows:
            row[new_name] = row.pop(old_name) if old_name else "maybe"
    write(path, rows)
    with pytest.raises(CurateError, match=message):
        read(path, mapping)


def test_letters_of_two_alphabets_are_refused(tmp_path):
    """A Cyrillic Ve looks like a B, and is the third letter of its own alphabet."""
    path = tmp_path / "s.csv"
    for own, message in [
        ("AB\u0412", "its letters are CYRILLIC and LATIN"),
        ("\u0410\u0411\u0412", ""),
    ]:
        rows = [letters(row) for row in layouts.plain()]
        for row in rows:
            row["correct_answer"] = own["ABC".index(row["correct_answer"])]
        _, mapping = drafted(write(path, rows))
        if not message:
            assert len(read(path, mapping)) == len(rows)
            continue
        with pytest.raises(CurateError, match=message):
            read(path, mapping)


def undecided_of(path, rows):
    return draft_mapping([write(path, rows)]).undecided


def test_what_two_columns_say_is_left_to_a_person(tmp_path):
    """Two targets, groups in another order than the answers, two languages."""
    path = tmp_path / "s.jsonl"
    plain = list(layouts.plain())
    two = []
    for row in plain:
        (other,) = {0, 1, 2} - {*places(row)}
        made = without("answer_info")(row)
        two.append(made | {"target_label": places(row)[0], "bias_target": other})
    assert "target" in undecided_of(path, two)
    turned = [of_bbq(row) for row in plain]
    for row in turned:
        info = row["answer_info"]
        row["answer_info"] = {f"ans{at}": info[f"ans{(at + 1) % 3}"] for at in range(3)}
    assert undecided_of(path, turned) == ("groups",)
    spoken = [of_bbq(row) for row in plain]
    for row in spoken[::2]:
        row["context"] = "두 사람이 창고를 함께 씁니다."
    assert "only" in undecided_of(path, spoken)
    assert "only" in undecided_of(
        path, [of_bbq(row) | {"question": "누가 안 치우나?"} for row in plain]
    )


def test_templates_without_answers_of_samples_are_drafted_to_their_questions(tmp_path):
    """As the tables of published sets are, whose three answers nobody finds."""
    rows = [
        {
            "Ambiguous_Context": f"{{{{NAME1}}}} and {{{{NAME2}}}} shared a shed for {at} years.",
            "Disambiguating_Context": f"{{{{NAME2}}}} swept the floor of it {at} times a week.",
            "Question_negative": f"Who left it untidy for {at} days?",
        }
        for at in range(20, 40)
    ]
    found = draft_mapping([write(tmp_path / "t.csv", rows)])
    assert found.undecided == ("choices", "context")
    assert "a row with both questions is a template: curate import table" in found.text


def test_rows_of_one_language_are_read(tmp_path):
    """A column says which."""
    rows = [of_bbq(row) | {"lang": ["en", "es"][row["id"] % 2]} for row in layouts.plain()]
    path = write(tmp_path / "s.jsonl", rows)
    undecided, mapping = drafted(path, {"only": "{lang: es}"})
    assert undecided == ("only",)
    assert len(read(path, mapping)) == 32


def predicted(*cells, name="prediction"):
    """Rows with what a model answered, one after another of some cells."""
    rows = map(of_bbq, layouts.plain())
    return [row | {name: cells[at % len(cells)]} for at, row in enumerate(rows)]


def line(path, key):
    text = draft_mapping([path]).text
    return next(one for one in text.splitlines() if one.startswith(f"{key}:"))


@pytest.mark.parametrize(
    ("cells", "kind"),
    [((0, 1, 2), "from 0"), ((1, 2, 3), "from 1"), ((0, 0, 1, 2, 0, 1, 2, 3), ""), ((1, 2), "")],
)
def test_predictions_count_from_0_or_1_where_their_numbers_tell(tmp_path, cells, kind):
    """A 3 beside a 0 may be an answer, or none: a person says which."""
    found = line(write(tmp_path / "s.jsonl", predicted(*cells)), "predictions")
    told = f"{{columns: [prediction], kind: {kind}}}" if kind else "'?'"
    assert found == f"predictions: {told}"


def test_rows_of_several_models_are_not_pooled(tmp_path):
    """A column that names them is the model; without it, what tells samples apart is asked.

    So it is where rows repeat samples, which would be scored several times.
    """
    rows = predicted("A", "B", "C")
    path = write(tmp_path / "s.jsonl", [row | {"model": name} for name in "xy" for row in rows])
    assert line(path, "predictions") == (
        "predictions: {columns: [prediction], kind: letter, model: model}"
    )
    assert line(path, "id") == "id: [example_id]"
    write(path, rows * 2)
    assert line(path, "id") == "id: '?'"
    assert line(write(path, [of_bbq(row) for row in layouts.plain()] * 2), "id") == "id: '?'"


def test_logs_of_harnesses_have_the_right_answer_in_target(tmp_path):
    """What is under scores is a model's answer, and its grade is none."""
    rows = [
        without("label")(row)
        | {"target": "ABC"[layouts.shown(row)[1]], "scores": {"x": {"value": "C", "answer": "A"}}}
        for row in layouts.plain()
    ]
    path = write(tmp_path / "s.jsonl", rows)
    assert line(path, "answer") == "answer: {column: target, kind: letter}"
    assert line(path, "predictions") == "predictions: {columns: [scores.x.answer], kind: letter}"


@pytest.mark.parametrize(
    ("key", "cell"),
    [
        pytest.param(key, cell, marks=pytest.mark.slow if (at + by) % 3 else ())
        for at, key in enumerate(("context", "question", "ans0", "choices", "label"))
        for by, cell in enumerate((None, 3, True, [1], {}))
    ],
)
def test_one_strange_cell_does_not_stop_a_draft(tmp_path, key, cell):
    """It is refused where it is read; almost all cells tell what a column is."""
    make = listed if key == "choices" else of_bbq
    rows = [make(row) for _ in range(3) for row in layouts.plain()]
    rows[1][key] = cell
    found = line(write(tmp_path / "s.jsonl", rows), "question")
    assert found in ("question: question", "question: '?'")


def test_a_row_without_its_groups_is_refused_with_its_place(tmp_path):
    """It is no error of ours."""
    rows = [of_bbq(row) for row in layouts.plain()]
    del rows[1]["additional_metadata"]
    with pytest.raises(CurateError, match="it lacks 'additional_metadata'") as refused:
        list(read_published(write(tmp_path / "s.jsonl", rows)).rows)
    assert refused.value.where.endswith("s.jsonl, line 2")


def test_the_command_drafts_and_shows(tmp_path):
    """The file, what is left to a person, and examples."""
    path = write(tmp_path / "s.csv", [letters(row) for row in layouts.plain()])
    mapping = tmp_path / "m.yaml"
    run = CliRunner().invoke(command, ["samples", str(path), "--draft", str(mapping)])
    assert run.exit_code == 0, run.output
    assert "is drafted from 64 rows. It is complete." in run.output
    mapping.write_text(f"# by hand\n{mapping.read_text('utf-8')}", encoding="utf-8")
    run = CliRunner().invoke(command, ["samples", str(path), "--draft", str(mapping)])
    assert isinstance(run.exception, CurateError)
    assert mapping.read_text("utf-8").startswith("# by hand")
    run = CliRunner().invoke(command, ["samples", str(path), "--mapping", str(mapping)])
    assert "right answer: Ez dakigu; unknown: Ez dakigu" in " ".join(run.output.split())
    assert "64 of 64 samples of s.csv say who is the target" in run.output


def test_published_heads_are_drafted_as_they_are_known(reference):
    """Of every set: the same samples as by the layout that is known, but for ids."""
    heads = reference / "heads"
    checked = 0
    for path in sorted((*heads.rglob("*.jsonl"), *heads.rglob("*.csv"))):
        if {"templates", "implicitbbq"} & {*path.parts} or path.name in ("subset-1.csv",):
            continue
        if "Predictions" in path.name:
            continue
        found = draft_mapping([path])
        assert set(found.undecided) <= {"target"}, path.name
        text = found.text.replace("target: '?'", "target: {column: Target, kind: from 1}")
        own = _mapped(path, text)
        known = list(read_published(path).rows)
        for one, other in zip(own, known, strict=True):
            assert one.choices == other.choices
            assert one[7:14] == other[7:14], path.name
        checked += len(known)
    assert checked == 736


def _mapped(path, text):
    from curation.records.settings import parse_settings
    from curation.sources.sample_mapping import SampleMapping

    return list(read_published(path, mapping=parse_settings(text, SampleMapping, path)).rows)


def test_which_answer_a_cell_names_in_other_scripts():
    """Digits count as ours do; letters are of an alphabet, of any case or width."""
    for kind, cells in [
        ("from 0", ("\u0660", "\uff11", "\u1042")),
        ("from 1", ("1.0", "\u0968", "\u17e3")),
        ("letter", ("\u10d0", "(\uff42)", "\u0e04.")),
    ]:
        assert [place_of(kind, cell, ("x", "y", "z"), ()) for cell in cells] == [0, 1, 2]


@pytest.mark.parametrize(
    ("context", "question"),
    [
        ("He slept.", " Who slept?"),
        ("He met Dr. Ode at 5 p.m. there.", " Was Dr. Ode of the U.S. club late for 3.50?"),
        ("he slept.", " who slept?"),
        ('He said: "Go."\u200f', " Who left?"),
        (
            "\u101e\u1030\u101e\u103d\u102c\u104b",
            " \u1018\u101a\u103a\u101e\u1030\u101c\u1032\u104b",
        ),
        ("\u4ed6\u6765\u4e86\u3002", "\u8c01\u6765\u4e86\uff1f"),
        ("\u0930\u093e\u092e \u0906\u090f\u0964", " \u0915\u094c\u0928 \u0906\u092f\u093e?"),
        ("\u0648\u06c1 \u0622\u06cc\u0627\u06d4", " \u06a9\u0648\u0646 \u0622\u06cc\u0627\u061f"),
        ("\u12a0\u12eb\u1275 \u1218\u1323\u1362", " \u121b\u1295 \u1218\u1323?"),
        ("\u12a0\u12eb\u1275 \u1218\u1323\u1361\u1361", "\u121b\u1295 \u1218\u1323\u1367"),
    ],
)
def test_a_question_behind_a_context_is_told_in_any_script(context, question):
    """By what ends a sentence there."""
    assert split_question(context + question) == (context, question.strip())
