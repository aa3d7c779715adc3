"""Languages that are whole: what English says is said in them, and nothing in English."""

import re
from collections.abc import Mapping
from functools import lru_cache

import click
import pytest

from curation.annotation.groups import added_sheet, edited_sheet, moved_sheet
from curation.annotation.labels import agenda_book, classify_book
from curation.annotation.newtemplates import new_book
from curation.annotation.translation.handed import translation_book, wording_sheet
from curation.cli.main import cli
from curation.files.workbooks import Book
from curation.languages import available, load
from curation.records.bank import Bank
from curation.slots.agreement import agreement_for
from curation.slots.grammar import Filler
from evaluation.parsing.verdicts import read_reply
from evaluation.replies.rows import unparsed_book
from evaluation.stories.building import EDIT, edit_sheet
from evaluation.stories.readers import PASSAGES, passage_sheet

GUILLEMETS = ("\u00ab", "\u00bb")
QUOTES = {"ca": GUILLEMETS, "de": ("\u201e", "\u201c"), "es": GUILLEMETS, "fr": GUILLEMETS}
QUOTES |= {"nl": ("\u2018", "\u2019")}
"""The languages that are whole, with their quotation marks."""
CURLED = ("\u201c", "\u201d")
QUOTES |= {"ar": GUILLEMETS, "hi": CURLED, "ja": ("\u300c", "\u300d"), "tr": CURLED, "zh": CURLED}
LOW = ("\u201e", "\u201d")
QUOTES |= {"bn": CURLED, "fa": GUILLEMETS, "id": CURLED, "it": GUILLEMETS, "pl": LOW, "pt": CURLED}
QUOTES |= {"ru": GUILLEMETS, "sw": CURLED, "ur": CURLED, "vi": CURLED}
TWO_PROMPTS = ("bn", "fa", "id", "it", "pl", "pt", "ru", "sw", "ur", "vi")
"""Those in which models are asked the survey's questions in two ways, not in nine."""
UNCHANGED = ("bn", "fa", "id", "ja", "sw", "vi", "zh")
"""Those of them whose words do not change with a name."""
WITHOUT_PRONOUNS = ("ar", "bn", "fa", "hi", "id", "ja", "sw", "tr", "ur", "vi", "zh")
"""Those without the coreference task, whose sentences have articles and pronouns of gender."""
SAME = {
    "ca": {"Text"},
    "de": {"Text"},
    "fr": {"Question", "Questions"},
    "nl": {"Man", "Stereotype"},
}
"""Words that the language has in common with English."""
PARTS = (
    *("general", "agreement", "replies", "annotation", "received", "survey", "prompts"),
    *("stories", "occupations", "simulate", "suggest", "second_reader"),
)
TEXTS = (
    *("annotation", "survey", "prompts", "stories", "occupations", "simulate", "suggest"),
    "second_reader",
)
"""The parts that say something to somebody."""
WORDS = {"country", "groups", "language", "letters", "pronouns", "same_as", "attention_options"}
"""What is data of the language, and no translation of the English."""
MARKS = "\"'\u201c\u201d\u201e\u201f\u00ab\u00bb\u2018\u2019\u201a\u2039\u203a"
LONGER = 1.6
SHORT = 12
"""A title of a few letters may be so many letters longer."""

codes = pytest.mark.parametrize("code", QUOTES)


@lru_cache(maxsize=32)
def texts_of(code, part):
    """All that a part says, by where it says it; the rules of a workbook are one text."""
    return dict(_texts(getattr(load(code), part).model_dump(exclude_none=True), ""))


def _texts(value, at):
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _texts(item, f"{at}/{key}")
    elif isinstance(value, tuple | list):
        if value and all(isinstance(item, str) for item in value):
            yield at, "\n".join(value)
        else:
            for number, item in enumerate(value):
                yield from _texts(item, f"{at}/{number}")
    elif isinstance(value, str) and not at.endswith("/id"):
        yield at, value


def said(code, part):
    """What a part says, without the word lists of the language; of stories the prompts."""
    texts = texts_of(code, part)
    if part == "stories":
        return {at: text for at, text in texts.items() if at.startswith("/prompts/")}
    return {at: text for at, text in texts.items() if not WORDS.intersection(at.split("/"))}


def english_for(code, part):
    """What English says, without what the language has no need of."""
    without = ("/tasks/coreference/",) if code in WITHOUT_PRONOUNS else ()
    if code in TWO_PROMPTS and part == "simulate":
        without = tuple(f"/prompts/{number}/" for number in range(2, 9))
    return {at: text for at, text in said("en", part).items() if not at.startswith(without)}


BOOKS: Mapping[str, Book] = {
    "classify": classify_book([], "Ana"),
    "agenda": agenda_book([], []),
    "translate": translation_book([], {}, {}, wording_sheet([], [])),
    "new": new_book(["age"], []),
    "groups": Book("groups", (edited_sheet([]), added_sheet(["age"]), moved_sheet(Bank(), str))),
    "unreadable": unparsed_book([]),
    "stories_passages": Book(PASSAGES, (passage_sheet([]),), {}),
    "stories_edit": Book(EDIT, (edit_sheet([], []),), {}),
}


def names_of(kind):
    """The sheets and columns of a kind of workbook."""
    sheets = BOOKS[kind].sheets
    return {sheet.name for sheet in sheets} | {c.name for sheet in sheets for c in sheet.columns}


def rules_of(code, kind):
    """The rules of a kind of workbook."""
    return texts_of(code, "annotation")[f"/workbooks/{kind}/rules"]


@codes
def test_every_part_is_there(code):
    """And can be read."""
    lacking = {part for part in PARTS if getattr(load(code), part) is None}
    assert lacking == ({"agreement"} if code in UNCHANGED else set())


_PLACES = re.compile(r"(?<!\{)\{(\w+)\}")


@codes
def test_what_english_says_is_said(code):
    """Every key, prompt and note, and none more; no text is the English one, or much longer.

    Its places (`{story}`) are those of the English; its quotation marks are those of the language,
    and what is opened is closed. Sheets, pages and forms are laid out for texts of such a length.
    """
    opening, closing = QUOTES[code]
    for part in TEXTS:
        english, own = english_for(code, part), said(code, part)
        assert set(own) == set(english)
        for at, text in english.items():
            mine, where = own[at], f"{part}{at}: {own[at]}"
            assert mine.strip() == mine, where
            if mine.casefold() == text.casefold() and re.sub(r"\{\w+\}|\W", "", text):
                assert mine in SAME.get(code, set()), where
            if part != "annotation":
                assert {*_PLACES.findall(mine)} == {*_PLACES.findall(text)}, where
            assert len(mine) <= max(LONGER * len(text), len(text) + SHORT), where
            plain = re.sub(r"(?<=\w)['\u2019](?=\w)", "", mine)
            assert {mark for mark in MARKS if mark in plain} <= {opening, closing}, where
            assert plain.count(opening) == plain.count(closing), where


@codes
def test_rules_name_sheets_and_columns_as_they_are(code):
    """Those that the English rules name, each as it is written, and none that there is not."""
    opening, closing = QUOTES[code]
    both = ("en", code)
    for kind in BOOKS:
        english, rules, names = rules_of("en", kind), rules_of(code, kind), names_of(kind)
        quoted = {name for name in names if f"'{name}'" in english}
        long = {name for name in names if "_" in name and re.search(rf"\b{name}\b", english)}
        assert [name for name in quoted | long if name not in rules] == []
        for name in quoted:
            assert re.search(rf"{opening}\s?{name}\s?{closing}", rules), name
        words = set(re.findall(r"(?<![\w.])[a-z]+[a-z0-9]*_[a-z_]+(?![\w.])", rules))
        assert words <= names
        notes = getattr(load(code).annotation.workbooks, kind).notes  # type: ignore[union-attr]
        assert {key.split(" / ")[-1] for key in notes} <= names
        place = f"/workbooks/{kind}/notes/"
        noted = [{at for at in texts_of(it, "annotation") if at.startswith(place)} for it in both]
        assert noted[0] == noted[1]


COMMAND = re.compile(
    r"curate((?: [a-z]+)+)((?: --[a-z-]+| (?:[A-Z\u00c0-\u00dc]{4,}|[^\x00-\x7f]+))*)"
)


@codes
def test_commands_in_rules_are_there(code):
    """The same as in English, with options that they have."""
    for kind in BOOKS:
        english, own = (
            {_command(match) for match in COMMAND.finditer(rules_of(name, kind))}
            for name in ("en", code)
        )
        assert own == english, kind


def _command(match):
    command: click.Command = cli
    words: list[str] = []
    for word in match[1].split():
        child = (
            command.get_command(click.Context(command), word)
            if isinstance(command, click.Group)
            else None
        )
        if child is None:
            break
        command, words = child, [*words, word]
    options = tuple(re.findall(r"--[a-z-]+", match[2]))
    assert words, match[0]
    assert {*options} <= {name for item in command.params for name in item.opts}, match[0]
    return " ".join(words), options


@codes
def test_rules_show_how_words_agree_in_the_language(code):
    """Each example in square brackets is one that the language's agreement takes."""
    agreement = agreement_for(code)
    if code in UNCHANGED:
        assert agreement is None
        assert "[N1|" not in str(texts_of(code, "annotation"))
        return
    assert agreement is not None
    for kind in ("translate", "new"):
        rules = rules_of(code, kind)
        shown = re.findall(r"\[N1\|([^\]]+)\]", rules)
        assert len(shown) > 1
        for alternatives in shown:
            agreement.form(Filler("x", features=(("gender", "f"),)), alternatives)
        assert any(item.startswith("-" if code == "tr" else "=") for item in shown)
        assert re.search(r"\{[^}]*(stem|gender): ", rules)


@codes
def test_words_of_gender_tell_one_gender(code):
    """A word that both lists have would tell nothing; each stands once."""
    stories = load(code).stories
    assert stories is not None
    for words in (stories.feminine, stories.masculine):
        assert len(words) == len(set(words)) > 30
        assert all(word == word.lower() for word in words)
    assert not set(stories.feminine) & set(stories.masculine)
    told = {*stories.feminine, *stories.masculine}
    assert not told & {word for item in stories.placeholders or () for word in item.split()}


@codes
def test_the_word_for_none_is_read(code):
    """A model that is told to write it, and does, has chosen the last option."""
    opening, closing = QUOTES[code]
    pattern = re.compile(rf"{opening}\s?([^{closing}{{]+?)\s?{closing}")
    words = {word for text in said(code, "simulate").values() for word in pattern.findall(text)}
    survey = load(code).survey
    assert words and survey is not None and survey.none
    for word in words:
        for reply in (word, f"{word.capitalize()}.", f"{opening}{word}{closing}"):
            choices = ("kaka", "kiki", survey.none)
            reading = read_reply(reply, choices, several=True, none=2, own=load(code))
            assert reading.chosen == frozenset({2}), reply


def test_patterns_of_received_files_can_be_read():
    """They are joined with those of all other languages; each has what tells who somebody is."""
    patterns = ("codebook_sheets", "attention", "attributes", "display_order", "email", "ip")
    people = ("phone", "person", "place", "address", "birth", "account")
    needed = (*people[:-1], "attention", "attributes", "other", "unanswered", "tests")
    known = _received(load("en")).keys()
    for code in available():
        received = _received(load(code))
        assert received.keys() <= known, code
        assert not received or all(map(received.get, needed)), code
        for name in (*patterns, *people):
            for pattern in received.get(name, ()):
                assert re.compile(pattern, re.IGNORECASE).search("") is None, (code, pattern)


def _received(language):
    return {} if language.received is None else language.received.model_dump()


def test_arabic_counts_minutes_without_a_noun_that_the_number_changes():
    """One, two, three and eleven minutes are four forms of the word."""
    survey = load("ar").survey
    assert survey is not None
    assert survey.intro.endswith("{minutes}.")
