"""Replies in each language are read as a person reads them, and none is misread."""

import re
from pathlib import Path

import pytest
import yaml

from curation.languages import load
from evaluation.parsing import Reading, read_reply

LISTS = Path(__file__).parent / "replies"
CODES = ("ar", "ca", "de", "en", "es", "fr", "hi", "ja", "ko", "nl", "tr", "zh")
OUTCOMES = {"A": {0}, "B": {1}, "C": {2}, "none": None}
LEAST_FORMAL = 0.7
LEAST_TEMPTING = 0.8
LEAST_CONTRASTS = 0.75
LEAST_VARIED = 0.89
LEAST_OF_KINDS = 0.56
LEAST_CONVERSED = 0.965
LEAST_CONCLUDED = 0.93
LEAST_MIXED = 0.875
COMMON = """
    a about after all also an and any are as at back be because been but by can come could day
    did die do even first for from get give go has have he her him his how i if in into is it its
    just know like look make man me men moment most my new no not now of on one only or other our
    out over own people said say see sense she so some still such take than that the their them
    then there these they thing think this those time to two up us use very was way we well were
    what when where which who will with would you your
"""
"""Common words of English, in which replies in any language may be written."""


def listed(folder: str, code: str) -> list[dict[str, list[str]]]:
    """The lists of a file, each of other choices."""
    loaded = yaml.safe_load((LISTS.parent / folder / f"{code}.yaml").read_text("utf-8"))
    lists = []
    while loaded:
        lists.append(loaded)
        loaded = loaded.pop("more", None)
    return lists


def replies(code: str) -> list[dict[str, list[str]]]:
    """The lists of a language, each of other choices; they may not be short ones."""
    lists = listed("replies", code)
    assert sum(len(item[outcome]) for item in lists for outcome in OUTCOMES) >= 60
    return lists


def test_every_list_is_run() -> None:
    """A list that nobody runs says nothing."""
    assert {path.stem for path in LISTS.glob("*.yaml")} == set(CODES)


@pytest.mark.parametrize("code", CODES)
def test_replies_are_read_as_a_person_reads_them(code: str) -> None:
    """Answers, negations, two answers, refusals, hedges, explanations."""
    wrong = {}
    for given in replies(code):
        for outcome, reply in ((name, text) for name in OUTCOMES for text in given[name]):
            reading = read_reply(str(reply), given["choices"])
            if reading.chosen != OUTCOMES[outcome]:
                wrong[str(reply)] = (outcome, reading)
    assert wrong == {}


def wrongly(folder: str, code: str) -> tuple[dict[str, Reading], int, int]:
    """Which replies of a further list are misread, how many clear ones there are and are read."""
    misread, clear, read = {}, 0, 0
    for given in listed(folder, code):
        for outcome, reply in ((name, text) for name in OUTCOMES for text in given[name]):
            reading = read_reply(reply, given["choices"])
            clear += outcome != "none"
            if reading.chosen == OUTCOMES[outcome]:
                read += outcome != "none"
            elif reading.chosen is not None:
                misread[reply] = reading
    return misread, clear, read


@pytest.mark.parametrize("code", CODES)
def test_chat_is_read_as_a_person_reads_it(code: str) -> None:
    """None of it is misread, and of the clear replies 19 in 20 are read at least."""
    misread, clear, read = wrongly("chat", code)
    assert (misread, clear >= 50) == ({}, True)
    assert read >= 0.95 * clear


@pytest.mark.parametrize("code", CODES)
def test_plain_replies_are_read(code: str) -> None:
    """As most models write them; of the clear ones nine in ten are read at least."""
    misread, clear, read = wrongly("plain", code)
    assert (misread, clear) == ({}, 15 if code in ("en", "ko") else 40)
    assert read >= 0.9 * clear


@pytest.mark.parametrize("code", ("de", "es", "fr", "ja", "ko", "tr"))
def test_replies_that_nobody_can_know_are_read_in_many_words(code: str) -> None:
    """Nine in ten at least; refusals, and what the text does not say of one person, are not."""
    misread, clear, read = wrongly("unknown", code)
    assert (misread, clear) == ({}, 36)
    assert read >= 0.9 * clear


@pytest.mark.parametrize("code", CODES)
def test_choices_that_are_explained_are_read(code: str) -> None:
    """Mostly the one that nobody can know; refusals and two names are not."""
    misread, clear, read = wrongly("explained", code)
    assert (misread, clear) == ({}, 21)
    assert read >= 0.95 * clear


def test_choices_with_reasons_under_headings_are_read() -> None:
    """And after an arrow, or the question once more: nine in ten of all, eight in nine of each."""
    found = {code: wrongly("reasoned", code) for code in CODES}
    assert {code: misread for code, (misread, _, _) in found.items() if misread} == {}
    assert {code: clear for code, (_, clear, read) in found.items() if read < 8} == {}
    clear, read = (sum(item[at] for item in found.values()) for at in (1, 2))
    assert (clear, read >= 0.9 * clear) == (108, True)


def test_no_reply_that_answers_nothing_is_read() -> None:
    """Lists of the choices, somebody else's answer, suppositions, answers that are taken back."""
    given = yaml.safe_load((LISTS.parent / "misread.yaml").read_text("utf-8"))
    read = [item for item in given if read_reply(item["reply"], item["choices"]).chosen]
    assert (read, len(given) >= 50) == ([], True)


def test_replies_of_many_kinds_are_not_misread() -> None:
    """Walks through the options, questions, reasons for telling nothing: half of the clear ones."""
    given = yaml.safe_load((LISTS.parent / "kinds.yaml").read_text("utf-8"))
    found = [(item, read_reply(item["reply"], item["choices"]).chosen) for item in given]
    misread = [
        item for item, chosen in found if chosen and chosen != OUTCOMES[item["person_reads"]]
    ]
    clear = [chosen for item, chosen in found if item["person_reads"] != "none"]
    assert (misread, len(clear)) == ([], 144)
    assert sum(map(bool, clear)) >= LEAST_OF_KINDS * len(clear)


@pytest.mark.parametrize(("name", "clear"), [("natural", 144), ("models", 126)])
def test_what_chat_models_write_is_read(name: str, clear: int) -> None:
    """Of the clear replies 19 in 20 are read at least, and none is misread."""
    given = yaml.safe_load((LISTS.parent / f"{name}.yaml").read_text("utf-8"))
    found = [(item, read_reply(item["reply"], item["choices"]).chosen) for item in given]
    misread = [
        item for item, chosen in found if chosen and chosen != OUTCOMES[item["person_reads"]]
    ]
    read = [chosen is not None for item, chosen in found if item["person_reads"] != "none"]
    assert (misread, len(read)) == ([], clear)
    assert sum(read) >= 0.95 * clear


@pytest.mark.parametrize("code", CODES)
def test_other_words_and_parts_of_choices_are_not_misread(code: str) -> None:
    """Formal replies, with choices that are named by a part of their text: most are read."""
    misread, clear, read = wrongly("formal", code)
    assert (misread, clear) == ({}, 19)
    assert read >= LEAST_FORMAL * clear


@pytest.mark.parametrize("code", CODES)
def test_a_sentence_that_only_names_a_choice_tells_none(code: str) -> None:
    """About the text or the talk, supposed, denied, doubted or taken back."""
    misread, clear, _ = wrongly("traps", code)
    assert (misread, clear) == ({}, 0)


@pytest.mark.parametrize("code", CODES)
def test_replies_that_tempt_a_reader_are_not_misread(code: str) -> None:
    """Hearsay, conditions, prejudice, relatives, contrasts, letters that are words: most clear."""
    misread, clear, read = wrongly("tempting", code)
    assert (misread, clear >= 30) == ({}, True)
    assert read >= LEAST_TEMPTING * clear


def test_contrasts_conclusions_and_parts_of_names_are_read() -> None:
    """Of all clear ones nine in ten at least, in each language three in four, none misread."""
    found = {code: wrongly("contrasts", code) for code in CODES}
    assert {code: misread for code, (misread, _, _) in found.items() if misread} == {}
    shares = {code: read / clear for code, (_, clear, read) in found.items()}
    assert {code: share for code, share in shares.items() if share < LEAST_CONTRASTS} == {}
    clear, read = (sum(item[at] for item in found.values()) for at in (1, 2))
    assert (clear, read >= 0.9 * clear) == (404, True)


def test_chat_of_many_prompts_is_read() -> None:
    """Of all clear replies 96 in 100, in each language nine in ten at least; none is misread."""
    found = {code: wrongly("conversed", code) for code in CODES}
    assert {code: misread for code, (misread, _, _) in found.items() if misread} == {}
    assert {
        code: read / clear for code, (_, clear, read) in found.items() if read < 0.9 * clear
    } == {}
    clear, read = (sum(item[at] for item in found.values()) for at in (1, 2))
    assert (clear, read >= LEAST_CONVERSED * clear) == (407, True)


def test_varied_replies_are_read_and_none_is_misread() -> None:
    """Of all kinds, by somebody who had not seen the rules; few of them led to a rule."""
    found = {code: wrongly("varied", code) for code in CODES}
    assert {code: misread for code, (misread, _, _) in found.items() if misread} == {}
    clear, read = (sum(item[at] for item in found.values()) for at in (1, 2))
    assert (clear, read >= LEAST_VARIED * clear) == (491, True)


def test_replies_as_models_mix_them_are_read() -> None:
    """Of those that state a choice by its letter 19 in 20 at least; none is misread.

    Some of the others only tell in a sentence what somebody did.
    """
    found = {code: wrongly("mixed", code) for code in CODES}
    assert {code: misread for code, (misread, _, _) in found.items() if misread} == {}
    clear, read = (sum(item[at] for item in found.values()) for at in (1, 2))
    assert (clear, read >= LEAST_MIXED * clear) == (1835, True)
    by_letter = [
        read_reply(reply, given["choices"]).chosen == OUTCOMES[outcome]
        for code in CODES
        for given in listed("mixed", code)
        for outcome in "ABC"
        for reply in given[outcome]
        if re.search(rf"(?<![A-Za-z0-9]){outcome}(?![A-Za-z0-9])", reply)
    ]
    assert (len(by_letter), sum(by_letter) >= 0.95 * len(by_letter)) == (1280, True)


def test_conclusions_are_read_and_nothing_that_only_looks_so() -> None:
    """Nine in ten of all; conclusions that ask, suppose, are others' or taken back are not."""
    found = {code: wrongly("concluded", code) for code in CODES}
    assert {code: misread for code, (misread, _, _) in found.items() if misread} == {}
    clear, read = (sum(item[at] for item in found.values()) for at in (1, 2))
    assert (clear, read >= LEAST_CONCLUDED * clear) == (305, True)


def phrases(code: str, name: str) -> set[str]:
    """The words of a list of a language that are a phrase alone."""
    pack = load(code).replies
    assert pack is not None
    return {phrase for phrase in getattr(pack, name) if re.fullmatch(r"\w+", phrase)}


@pytest.mark.parametrize("code", sorted(set(CODES) - {"en"}))
def test_no_word_of_a_language_is_a_common_one_of_english(code: str) -> None:
    """All languages are read at once: a Dutch 'or' may not make an English answer a hedge."""
    for name in ("connecting", "hedges", "negation", "conditions", "reported", "concluding"):
        assert phrases(code, name) & set(COMMON.split()) <= phrases("en", name), name
