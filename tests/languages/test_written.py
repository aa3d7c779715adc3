"""The file of a workspace for its language: what is written holds, what is open is named."""

import re
from pathlib import Path

import pytest

from curation.files.culture import own_language
from curation.languages import Language, is_rtl, load, missing, reply_words
from curation.languages.language import model_of
from curation.languages.writing import needed, new_text
from curation.languages.written import PARTS, unreviewed_lines
from curation.records.messages import CurateError, own_yaml


@pytest.fixture
def pack(tmp_path):
    return Pack(tmp_path)


class Pack:
    def __init__(self, root):
        self.root, self.file = root, root / "languages" / "ka.yaml"
        self.file.parent.mkdir()

    def __call__(self, text, code="ka"):
        self.file.write_text(text, encoding="utf-8")
        return own_language(self.root, code)


REPLIES = """
replies:
  articles: [o, a]
  answers: [resposta]
  copulas: [e]
  leads: [escolho]
  negations: [nunca]
  hedges: [talvez]
"""


@pytest.mark.parametrize(
    ("code", "said", "rtl"),
    [
        *(("he", "", 1), ("ar-EG", "", 1), ("he", "direction: ltr", 0), ("pnb", "", 1)),
        *(("ku-Arab", "", 1), ("ff-adlm", "", 1), ("ug-Cyrl-CN", "", 0), ("ks-1994", "", 1)),
        *(("ka", "direction: rtl", 1), ("uz-Arab", "direction: ltr", 0)),
    ],
)
def test_an_own_file_need_not_say_which_way_it_is_read(code, said, rtl):
    """It is known of many languages; what the file says goes before that."""
    text = f"language:\n  name: Ours\n  {said}\n"
    assert is_rtl(Language(code, None, Path("own.yaml"), text)) is bool(rtl)


def test_a_section_stands_in_place_of_ours_and_an_empty_one_does_not(pack):
    """What the toolkit has stays where the file says nothing."""
    own = pack("language: {name: Our Swedish, none_of: '{groups} not'}\nsurvey:\n  title:\n")
    assert own.general.name == "Our Swedish"
    assert own.general.contractions == ()
    spanish = Language("es", load("es").folder, own.file, own.text)
    assert (spanish.survey, spanish.received) == (load("es").survey, load("es").received)
    assert spanish.written("survey") is None


def test_a_language_is_the_same_when_its_file_says_the_same(pack):
    """What is kept for a language is kept by what its file says, and a code with it."""
    one = pack(REPLIES)
    same, other = pack(REPLIES), pack(REPLIES.replace("talvez", "quem sabe"))
    assert (one, hash(one), str(one)) == (same, hash(same), "ka")
    assert one != other
    assert load(one) is one
    assert load("ka") == load("ka") != one


def test_replies_are_read_with_the_words_of_a_workspace(pack):
    """Beside English ones, and in place of ours of that language, where there are any."""
    english = reply_words(load("en"))
    assert [words.answers for words in reply_words(pack(REPLIES))][1:] == [("resposta",)]
    assert reply_words(pack("# nothing yet")) == english
    spanish = Language("es", load("es").folder, pack(REPLIES).file, REPLIES)
    assert [words.answers for words in reply_words(spanish)][1:] == [("resposta",)]


@pytest.mark.parametrize(
    ("text", "part", "open_", "left"),
    [
        (
            REPLIES.replace("[talvez]", "").replace("[nunca]", ""),
            "replies",
            ("replies.negations", "replies.hedges"),
            (),
        ),
        (REPLIES.replace("[o, a]", "[]"), "replies", (), ()),
        (
            'prompts:\n  prompts:\n  - id: "1"\n    layout:\n    unknown: "?"\n',
            "prompts",
            ("prompts.prompts.1.layout",),
            (),
        ),
        (
            'prompts:\n  prompts:\n  - {id: "1", layout: , unknown: ""}\n'
            '  - {id: "2", layout: "{context}{question}{a}{b}{c}", unknown: "?"}\n',
            "prompts",
            (),
            ("prompts.prompts.1.layout", "prompts.prompts.1.unknown"),
        ),
        (
            "annotation:\n  workbooks:\n    new: {title: Novo, rules: [a]}\n"
            "    groups: {title: Grupos, rules: }\n",
            "annotation",
            ("annotation.workbooks.groups.rules",),
            (),
        ),
        (
            "annotation: {workbooks: {new: {title: Novo, rules: [a]}, translate: {}}}",
            "annotation",
            ("annotation.workbooks.translate.title", "annotation.workbooks.translate.rules"),
            (),
        ),
        (
            'occupations:\n  language: pt\n  country: Portugal\n  unknown: "?"\n  tasks:\n'
            "    a: {groups: {f: [x], m: }, survey: {title: T}, instructions: [{id: 1, text: }]}\n"
            "    b: {pronouns: {f: , m: }}\n",
            "occupations",
            (
                *(f"occupations.tasks.a.{key}" for key in ("instructions", "survey.intro")),
                *(f"occupations.tasks.a.survey.{key}" for key in ("instructions", "question")),
            ),
            None,
        ),
    ],
)
def test_a_part_is_open_until_its_texts_are_written(pack, text, part, open_, left):
    """Items and parts of a part of which nothing is written are left out."""
    own = pack(text)
    written = own.written(part)
    assert written.errors == ()
    assert (getattr(own, part) is None) is bool(open_)
    if left is not None:
        assert (written.open, written.left) == (open_, left)
    else:
        assert {key.rpartition(".1.")[0] or key for key in written.open} == set(open_)


@pytest.mark.parametrize(
    ("text", "what", "line", "hint"),
    [
        ("surveys:\n  title: x", "surveys: there is no such setting", 1, "did you mean survey?"),
        ("replies:\n  hedgs: [x]", "replies.hedgs: there is no such", 2, "did you mean hedges?"),
        ("replies:\n  hedges: x", "replies.hedges: 'x' is not a list", 2, "write a list"),
        ("replies: [", "ka.yaml is not valid YAML", 2, ""),
        (
            "survey:\n  title:\n  attention_options: [Dimineața, Seara]\n  attention_answer: Sara",
            "survey.attention_answer: the attention check has the options Dimineața, Seara and",
            4,
            "give two or more different options",
        ),
        (
            "survey:\n  attention_options: [Seara, Seara]\n  attention_answer: Seara",
            "survey.attention_options: the attention check has the options Seara, Seara and",
            2,
            "give two or more different options",
        ),
        ("- a", "ka.yaml holds no texts", 0, "key: value"),
    ],
)
def test_what_is_wrong_is_told_by_file_line_and_key(pack, text, what, line, hint):
    """As it is of the toolkit's own files."""
    with pytest.raises(CurateError) as refused:
        own = pack(text)
        assert own.replies or own.survey  # a part is read when it is asked for
    assert what in refused.value.what
    assert refused.value.where == f"{pack.file}" + (f", line {line}" if line else "")
    assert hint in refused.value.hint


def test_a_text_that_is_wrong_is_told_although_others_are_open(pack):
    """A mistake is not hidden by what nobody has written yet."""
    with pytest.raises(CurateError, match="choice lacks") as refused:
        pack("survey:\n  title:\n  choice: Quem?\n").survey  # noqa: B018
    assert refused.value.where == f"{pack.file}, line 3"


def test_a_broken_phrase_is_told_although_others_are_open(pack):
    """By the line of its list, with what is wrong in it."""
    own = pack(REPLIES.replace("[talvez]", "").replace("[e]", '["[a|b"]'))
    written = own.written("replies")
    assert [error.where for error in written.errors] == [f"{pack.file}, line 5"]
    assert "has a bracket without the other one" in written.errors[0].what


def test_the_error_of_a_part_that_is_missing_names_file_and_texts(pack):
    """What is open is named; of a part that is not begun, where it is written."""
    begun, none = pack(REPLIES.replace("[talvez]", "")), pack("# nothing")
    lacking = CurateError("there are no words", "culture.yaml", "do without")
    error = missing("replies", begun, lacking)
    assert error.what == "there are no words: in the section replies 1 text is open, replies.hedges"
    assert error.where == str(pack.file)
    error = missing("replies", none, lacking)
    assert f"write the section replies of {pack.file}" in error.hint
    pack.file.unlink()
    error = missing("replies", own_language(pack.root, "ka"), lacking)
    assert "'curate language' writes it" in error.hint


def test_a_region_has_the_file_of_its_language_and_two_files_are_refused(pack):
    """Whatever their capitals and endings."""
    assert pack(REPLIES, "ka-GE").replies == pack(REPLIES).replies
    (pack.file.parent / "ka.yml").write_text("# another")
    with pytest.raises(CurateError, match=r"two files are for the language 'ka': ka.yaml and"):
        own_language(pack.root, "ka")


@pytest.mark.parametrize("value", ["", " ''", "\n    a:\n"])
@pytest.mark.parametrize("others", ["  title:\n", "  title: Pesquisa\n", ""])
def test_a_misspelt_key_is_told_before_it_has_a_text(pack, others, value):
    """Where nothing else is written too: whoever fills it in later would write for nothing."""
    own = pack(f"survey:\n{others}  tanks:{value}\n")
    written = own.written("survey")
    (error,) = written.errors
    assert error.what == "survey.tanks: there is no such setting"
    assert error.hint == "did you mean thanks?"
    assert error.where.endswith(f"line {2 + len(others.splitlines())}")


OWN = {name: set[str]() for name in PARTS} | {
    "language": {
        *("name", "deepl", "contractions", "elisions", "capitals", "abbreviations"),
        *("between_sentences", "spaces", "suffixes"),
    },
    "replies": {"published"},
    "agreement": {*model_of("agreement").model_fields},
    "stories": {
        *("features", "cases", "prefixes", "describing", "attributive", "descriptive"),
        *("impersonal", "plural", "closing", "honorifics", "articles", "possessives"),
        *("beginnings", "endings", "whole_words", "abbreviations"),
    },
    "control": {"articles", "nouns"},
}
"""What a language has of itself: names, and rules by which texts are changed."""


@pytest.mark.parametrize("code", ["ar", "fr", "ko", "pt", "zh"])
def test_the_texts_of_a_relative_are_taken_over_and_its_rules_are_not(pack, code):
    """Each text has a mark; names of the language and rules that change texts are to be written."""
    relative, pack.file = load(code), pack.file.with_name("qaa.yaml")
    own = pack(new_text(pack("# nothing", "qaa"), relative), "qaa")
    read = own_yaml(own.text)
    for name in PARTS:
        theirs = own_yaml(relative.source_of(name) or "{}")
        ours = read[name]
        written = own.written(name)
        assert written is None or written.errors == ()
        assert bool({*theirs} - OWN[name]) is bool(written and written.unreviewed), name
        for key, value in theirs.items():
            if key == "language":
                assert ours[key] == "qaa"
            elif key in OWN[name]:
                assert ours.get(key) is None, (name, key)
            else:
                assert holds(ours[key], value), (name, key)
    texts = len(
        [line for line in own.text.splitlines() if line.endswith(f"# {code}: not reviewed")]
    )
    assert unreviewed_lines(own.text) == {code: texts}
    assert own.general is None


def holds(ours, theirs):
    """Whether all that is taken over is there; other places may be open beside it."""
    if isinstance(theirs, dict):
        return all(holds(ours[key], value) for key, value in theirs.items())
    if isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(holds, ours, theirs))
    return bool(ours == theirs)


def test_required_places_are_few_and_marked(pack):
    """What a part must have is marked in the file; what may be missing says so."""
    text = new_text(pack("# nothing", "qaa"))
    _, *parts = re.split(r"^# ---- (?=\w)", text, flags=re.MULTILINE)
    marked = {part.split()[0]: part.count("(required)") for part in parts}
    assert sum(marked.values()) < 50
    assert {*marked} == {*PARTS}
    # The list, and two texts of the first way to ask; the English of both ways stands beside.
    (prompts,) = (part for part in parts if part.startswith("prompts "))
    assert (marked["prompts"], prompts.count("# English: ")) == (3, 8)
    for part in parts:
        name = part.split()[0]
        own = re.findall(r"\(required\)\n(?:  #.*\n)*  (\w+):", part)
        assert {f"{name}.{key}" for key in own} == {*needed(name)}
