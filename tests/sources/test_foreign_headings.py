"""Headings in languages that the project does not speak: values tell, or a person is asked."""

import json
from typing import NamedTuple

import numpy as np
import pytest
from layouts import write_table

from curation.records.settings import load_yaml
from curation.sources import table
from curation.sources.drafting import is_asked, is_negated, is_sentence, meaning
from curation.sources.published_samples import read_published
from curation.sources.sample_draft import draft_mapping
from curation.sources.sample_mapping import read_mapping
from curation.sources.table_draft import draft_templates

_GROUPS = (("old", "young", "elder", "pupil"), ("crafty", "sporty", "knitter", "rower"))
_ONE, _TWO = "{{NAME1}}", "{{NAME2}}"


class Template(NamedTuple):
    """What every layout says of a template, each under its own heading."""

    category: str
    number: int
    ambiguous: str
    whole: str
    rest: str
    questions: tuple[str, str]
    answers: tuple[str, str]
    target: str
    groups: tuple[str, str]
    names: str


def templates(categories):
    for at, category in enumerate(categories):
        target, other, one, two = _GROUPS[at]
        for number in range(3 * at + 1, 3 * at + 4):
            for who in (_ONE, _TWO):
                ambiguous = f"A day ago {_ONE} and {_TWO} shared shed {number}."
                rest = f"There {who} swept nothing."
                answers = (who, _TWO if who == _ONE else _ONE)
                yield Template(
                    category,
                    number,
                    ambiguous,
                    f"{ambiguous} {rest}",
                    rest,
                    (f"Who left shed {number} untidy?", f"Who left shed {number} tidy?"),
                    answers,
                    target,
                    (target, other),
                    f"NAME1: [{one}]; NAME2: [{two}]",
                )


def in_columns(item):
    texts = (item.ambiguous, item.rest, *item.questions, *item.answers)
    return [(item.category, item.number, *texts, item.target, *item.groups, item.names)]


def in_rows(item):
    return [
        (
            *(item.category, item.number, item.ambiguous, item.whole),
            *(item.questions[at], item.answers[at], word, item.target, *item.groups, item.names),
        )
        for at, word in enumerate(("négative", "non négative"))
    ]


TABLES = {
    "spanish": (
        "categoria plantilla contexto_ambiguo contexto_desambiguado pregunta_negativa "
        "pregunta_no_negativa respuesta_negativa respuesta_no_negativa grupo_objetivo grupo_1 "
        "grupo_2 nombres",
        (),
    ),
    "french": (
        "catégorie gabarit contexte suite question réponse polarité groupe_visé groupe1 groupe2 "
        "prénoms",
        (),
    ),
    "turned round": (
        "kategori şablon belirsiz_bağlam belirgin_bağlam soru_olumsuz soru_olumsuz_değil "
        "yanıt_olumsuz yanıt_olumsuz_değil hedef_grup grup1 grup2 adlar",
        (),
    ),
    "chinese": (
        "类别 编号 模糊语境 明确语境 负面问题 非负面问题 负面答案 非负面答案 "
        "目标群体 群体1 群体2 姓名",
        (),
    ),
    "nobody's": (
        "q w e r t y u i o p1 p2 s",
        (
            *("biased_question", "counter_biased_question", "biased_answer"),
            *("counter_biased_answer", "target_groups", "category"),
        ),
    ),
}
"""The headings, and what a person has to decide besides the language."""


@pytest.mark.parametrize("name", TABLES)
def test_tables_of_templates(tmp_path, name):
    """Every row is read with the target in the right role, or lines are left to a person."""
    headings, wanted = TABLES[name]
    layout = in_rows if name == "french" else in_columns
    cells = (row for item in templates(("Age", "Hobby")) for row in layout(item))
    rows = (dict(zip(headings.split(), row, strict=True)) for row in cells)
    path = write_table(tmp_path / "t.csv", rows)
    found = draft_templates([path])
    undecided = [key.removeprefix("texts.") for key in found.undecided]
    assert undecided == ["written_in", *wanted]
    if len(wanted) > 1:
        return
    mapping = tmp_path / "t.yaml"
    text = found.text.replace("written_in: '?'", "written_in: [en]")
    text = text.replace("category: '?'", f"category: {headings.split()[0]}")
    mapping.write_text(text, encoding="utf-8")
    got = table.read([path], table.read_format(mapping))
    assert got.findings == () or {item.severity.value for item in got.findings} == {"info"}
    letters = [(item.category, item.id.template.number, item.letter) for item in got.variants]
    assert letters == [
        (category, number, letter)
        for category, numbers in (("Age", (1, 2, 3)), ("Hobby", (4, 5, 6)))
        for number in numbers
        for letter in "ba"
    ]
    first = got.variants[0].texts
    assert (first.biased_question, first.biased_answer) == ("Who left shed 1 untidy?", "[N1]")
    assert (first.disambiguating_context, first.names) == (
        *("There [N1] swept nothing.", "N2: [pupil]; N1: [elder]"),
    )


PLAIN = "id category context continuation neg_question nonneg_question neg_answer nonneg_answer"


def plain(item):
    texts = (item.ambiguous, item.rest, *item.questions, *item.answers)
    return dict(zip(PLAIN.split(), (item.number, item.category, *texts), strict=True)) | {
        "names": item.names
    }


def tabled(path, rows):
    """The draft of a table, and what is read where a person writes `none`."""
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    text = draft_templates([path]).text.replace("written_in: '?'", "written_in: [en]")
    path.with_suffix(".yaml").write_text(text.replace("'?'", "none"), encoding="utf-8")
    return load_yaml(text), table.read([path], table.read_format(path.with_suffix(".yaml")))


def test_two_cities_are_not_the_people(tmp_path):
    """Two numbered columns are of people where they are called so, or one names the target."""
    rows = [
        plain(item) | {"city1": ("Rome", "Bonn")[at % 2], "city2": ("Oslo", "Bern")[at % 2]}
        for at, item in enumerate(templates(("Age", "Hobby")))
    ]
    lines, got = tabled(tmp_path / "t.jsonl", rows)
    assert lines["others"] == ["city1", "city2"]
    assert (lines["texts"]["target_groups"], "n1_groups" in lines["texts"]) == ("?", False)
    assert {item.role_open for item in got.variants} == {"the file names no stereotyped group"}


@pytest.mark.parametrize("of_wordings", [False, True])
def test_a_gender_is_a_wording_where_the_same_people_have_both(tmp_path, of_wordings):
    """Else it is said of a person, as the education beside it is."""
    rows = [
        plain(item) | {"target_group": item.target, "education": "low", "gender": gender}
        for at, item in enumerate(templates(("Age", "Hobby")))
        for gender in ("mf" if of_wordings else "mf"[at % 2])
    ]
    lines, got = tabled(tmp_path / "t.jsonl", rows)
    assert ("version" in lines) is of_wordings
    letters = [*map(str, dict.fromkeys(item.id.version for item in got.variants))]
    assert (len(got.variants), letters) == ((24, ["m", "f"]) if of_wordings else (12, [""]))


class Sample(NamedTuple):
    number: int
    category: str
    template: int
    context: str
    question: str
    choices: list[str]
    right: int
    negative: bool
    dis: bool
    target: int
    biased: str
    groups: list[str]
    group: str


def samples(unknown):
    number = 0
    for item in templates(("Age", "Hobby")):
        one, two = (part.split("[")[1].rstrip("]") for part in item.names.split("; "))

        def said(text, one=one, two=two):
            return text.replace(_ONE, one).replace(_TWO, two)

        for dis in (False, True):
            for at in (0, 1):
                number += 1
                turn = number % 3
                choices = [one, two, unknown][turn:] + [one, two, unknown][:turn]
                right = said(item.answers[at]) if dis else unknown
                labels = {one: item.groups[0], two: item.groups[1], unknown: "-"}
                yield Sample(
                    number,
                    item.category,
                    item.number,
                    said(item.whole if dis else item.ambiguous),
                    item.questions[at],
                    choices,
                    choices.index(right),
                    at == 0,
                    dis,
                    choices.index(one),
                    two if at else one,
                    [labels[choice] for choice in choices],
                    item.target,
                )


def spanish(row):
    """Roman numbers."""
    marks = ("I", "II", "III")
    return {
        **{"num": row.number, "categoria": row.category, "plantilla": row.template},
        **{"contexto": row.context, "pregunta": row.question},
        **{f"respuesta_{mark}": text for mark, text in zip(marks, row.choices, strict=True)},
        "correcta": marks[row.right],
        "polaridad": "negativa" if row.negative else "no negativa",
        "tipo": "desambiguado" if row.dis else "ambiguo",
        "objetivo": marks[row.target],
    }


def german(row):
    return {
        **{"kennung": f"x{row.number}", "bereich": row.category, "kontext": row.context},
        **{"frage": row.question, "antworten": row.choices, "loesung": row.right},
        "polaritaet": "negativ" if row.negative else "positiv",
        "art": "lang" if row.dis else "kurz",
        "ziel": row.target,
    }


def turkish(row):
    """The groups of the three answers, of which one is the target's."""
    return {
        **{"no": row.number, "önyargı_türü": row.category, "bağlam": row.context},
        "soru": row.question,
        **{f"seçenek{at}": text for at, text in enumerate(row.choices)},
        "doğru": row.choices[row.right],
        "kutup": "olumsuz" if row.negative else "olumlu",
        "bağlam_türü": "belirgin" if row.dis else "belirsiz",
        **{f"grup{at}": group for at, group in enumerate(row.groups)},
        "hedef_grup": row.group,
    }


def russian(row):
    """Letters that are not Latin, in names of columns and in cells."""
    return {
        **{"номер": row.number, "категория": row.category, "контекст": row.context},
        "вопрос": row.question,
        **{f"ответ_{mark}": text for mark, text in zip("абв", row.choices, strict=True)},
        "правильный": "АБВ"[row.right],
        "полярность": "негативный" if row.negative else "не негативный",
        "условие": "однозначный" if row.dis else "неоднозначный",
        "цель": "АБВ"[row.target],
    }


def finnish(row):
    """Lists of answers as numpy prints them and of groups as text, and what people are besides."""
    return {
        **{"tunnus": row.number, "luokka": row.category, "konteksti": row.context},
        **{"kysymys": row.question, "vastaukset": str(np.array(row.choices)), "oikea": row.right},
        "polaarisuus": "negatiivinen" if row.negative else "ei-negatiivinen",
        **{"ryhmät": str(row.groups), "kohderyhmä": row.group},
        **{"koulutus": ("low", "high")[row.number % 2], "sukupuoli": "mf"[row.number % 2]},
    }


def swedish(row):
    """What a model answered beside the right and the biased answer."""
    return {
        **{"id": row.number, "kategori": row.category, "mall": row.template},
        **{"sammanhang": row.context, "fråga": row.question},
        **{f"svar{at}": text for at, text in enumerate(row.choices)},
        **{"rätt_svar": row.right, "polaritet": "negativ" if row.negative else "icke-negativ"},
        "typ": "entydig" if row.dis else "tvetydig",
        "stereotypt_svar": row.choices.index(row.biased),
        "modellens_svar": row.number * 7 % 3,
    }


def answered(row):
    """What a model answered is called the answer; the right one is gold."""
    return {
        **{"n": row.number, "category": row.category, "context": row.context},
        **{"question": row.question, "choices": row.choices, "answer": row.number % 3},
        **{"gold": row.right, "polarity": "neg" if row.negative else "nonneg"},
        **{"condition": "disambig" if row.dis else "ambig", "target_label": row.target},
    }


def contradicted(row):
    """Groups and a column say that different people are the target."""
    other = next(at for at in range(3) if at != row.target and row.groups[at] != "-")
    named = {"answer_groups": row.groups, "stereotyped_groups": [row.group]}
    return {**answered(row), "answer": row.right, "target_label": other, **named}


def nobodys(row):
    """No name says anything: a role is not guessed by values alone."""
    names = [*"xwvut", "k_a", "k_b", "k_c", *"srqp", "g_a", "g_b", "g_c", "o"]
    values = (*spanish(row).values(), *row.groups, row.groups[row.right])
    return dict(zip(names, values, strict=True))


def of_contexts(row):
    """What both questions of a context have in common does not say which of them is negative."""
    said = {name: cell for name, cell in spanish(row).items() if name != "polaridad"}
    said["stereotype_polarity"] = ("negative", "positive")[row.template % 2]
    return said | {"form": "q1" if row.negative else "q2"}


@pytest.mark.parametrize(
    ("layout", "wanted"),
    [
        *((layout, ()) for layout in (spanish, german, russian, finnish)),
        *((layout, ()) for layout in (swedish, answered)),
        (contradicted, ("target",)),
        (of_contexts, ("polarity",)),
        (turkish, ("category",)),
        (nobodys, ("target", "category")),
    ],
)
def test_files_of_samples(tmp_path, layout, wanted):
    """Every sample says what it said before; who is the target a name says, or a person."""
    rows = list(samples("No one can say"))
    path = tmp_path / "s.jsonl"
    lines = (json.dumps(layout(row), ensure_ascii=False) for row in rows)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = draft_mapping([path])
    assert found.undecided == wanted
    predicted = load_yaml(found.text).get("predictions", {})
    assert predicted.get("columns") == (["modellens_svar"] if layout is swedish else None)
    mapping = tmp_path / "s.yaml"
    category = next(name for name, cell in layout(rows[0]).items() if cell == "Age")
    words = "{column: form, words: {q1: negative, q2: non-negative}}"
    text = found.text.replace("target: '?'", "target: none")
    text = text.replace("polarity: '?'", f"polarity: {words}")
    mapping.write_text(text.replace("category: '?'", f"category: {category}"), encoding="utf-8")
    for item, row in zip(
        read_published(path, mapping=read_mapping(mapping)).rows, rows, strict=True
    ):
        assert (item.category, item.context) == (row.category, row.context)
        assert (item.question, item.answer) == (row.question, row.choices[row.right])
        assert item.question_type == ("bsd" if row.negative else "cnt")
        assert item.context_type == ("dis" if row.dis else "amb")
        assert item.target == ("" if layout is nobodys else row.choices[row.target])


def test_a_question_is_known_by_its_mark_in_any_script():
    """Also by a semicolon in Greek, and before quotation marks and marks of direction."""
    asked = ("Who?\u201d ", "\u05de\u05d9?\u200f", "\u03a0\u03bf\u03b9\u03bf\u03c2;")
    asked += ("\u0548\u055e\u057e\u0567\u0589", "\u0645\u0646\u061f")
    told = ("He left;", "He left.\u200f", "\u053b\u0576\u0589", "\u4ed6\u6765\u4e86\u3002")
    assert [(is_asked(text), is_sentence(text)) for text in asked] == [(True, False)] * 5
    assert [(is_asked(text), is_sentence(text)) for text in told] == [
        (False, text != "He left;") for text in told
    ]


def test_a_word_that_is_turned_round_says_nothing():
    """The other person's column is no target's, whatever language says so."""
    for name in ("no_objetivo", "kein Ziel", "non_target", "hedef_değil", "hedef_olmayan"):
        assert (meaning("target", name), is_negated(name)) == ("", True)
    assert meaning("target", "grupo_objetivo") == "target"
    assert meaning("polarity", "pregunta_no_negativa") == "non-negative"
    assert meaning("context_type", "contexto_sin_ambiguo") == ""
    assert [meaning("target", name) for name in ("目标群体", "非目标群体", "गैर_लक्ष्य")] == [
        "target",
        "",
        "",
    ]
    turned = ("soru_olumsuz_değil", "非负面问题", "question_not_negative", "fråga icke-negativ")
    assert {meaning("polarity", name) for name in turned} == {"non-negative"}
    assert meaning("polarity", "olumsuz değil", whole=True) == "non-negative"
    assert meaning("polarity", "soru olumsuz", whole=True) == ""
    assert [meaning("polarity", name) for name in ("no_question_negative", "not_positive")] == [
        "",
        "",
    ]
