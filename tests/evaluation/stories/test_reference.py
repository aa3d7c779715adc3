"""BBG's published evaluation set comes out of its templates for the same fillings."""

import ast
import csv
import re
from collections import Counter
from dataclasses import dataclass

import pytest

from curation.bank.generate import expand, prepare
from curation.records.bank import Bank
from curation.records.culture import StorySettings
from curation.sources import table
from evaluation.stories.asking import (
    StoryDesign,
    continuation_prompts,
    continuation_requests,
    read_stories,
)
from evaluation.stories.placeholders import story_language
from evaluation.stories.records import Story, story_pairs, story_rows

FIELDS = ("context", "amb_context", "dis_context", "obfdis_context", "question", "choices")
FIELDS += ("answer", "biased_answer", "obf2dis")
UNKNOWN = {"en": "Cannot be determined", "ko": "주어진 정보만으로는 답을 알 수 없음"}
UNFILLED = {
    "en": {
        *("raceethnicity-008-a-053-bsd", "raceethnicity-008-b-053-bsd"),
        *("religion-002-a-022-cnt", "religion-002-b-022-cnt"),
    },
    "ko": {"physical_appearance-015-a-007-bsd", "physical_appearance-015-b-007-bsd"},
}
"""By language the rows whose published question still holds a slot."""
ARTICLE_TAKEN = ("disabilitystatus-001", "genderidentity-013", "raceethnicity-001")
"""Templates in whose published stories 'the' is missing before a word that changes."""


@dataclass(frozen=True)
class Row:
    """A published row, and the one that the toolkit makes of the same filling."""

    published: dict[str, str]
    made: Story

    def differences(self):
        theirs = {**self.published, "answer": self.published["dis_answer"]}
        return [name for name in FIELDS if not same(name, theirs[name], getattr(self.made, name))]


def same(field, published, made):
    """Compare a field: texts by their words, choices as a set, the map as a map."""
    if field == "choices":
        assert isinstance(made, tuple)
        return sorted(map(words, ast.literal_eval(published))) == sorted(map(words, made))
    if field == "obf2dis":
        return bool(ast.literal_eval(published) == ast.literal_eval(str(made)))
    return words(published) == words(str(made))


def words(text):
    return " ".join(text.split())


FILES = {
    "en": ("EnBBG_templates.csv", "EnBBG_evaluation_set_1.csv"),
    "ko": ("KoBBG_templates_part.csv", "KoBBG_evaluation_set_1_part.csv"),
}
"""Templates and evaluation set by language."""


def rows(reference, *, published, code="en"):
    """Give every published row with the one that is made of its filling."""
    templates_file, rows_file = (reference / "bbg" / name for name in FILES[code])
    templates = list(Bank(table.published("bbg", [templates_file]).variants).templates())
    language = story_language(code, StorySettings())
    pairs = story_pairs(templates, language, {}, published=published)
    versions = {str(item.variant.id): item for pair in pairs for item in pair.versions}
    with rows_file.open(encoding="utf-8-sig", newline="") as stream:
        for row in csv.DictReader(stream):
            category, number, letter, index, question = row["id"].split("-")
            version = versions[f"{category}-{number}{letter}"]
            filling = prepare(version.variant, code)
            samples = list(expand(filling, UNKNOWN[code], {}, [int(index)]))
            at = filling.indices(int(index))
            for story in story_rows(version, samples, filling.order, at, 1):
                if story.question_type == question:
                    yield Row(row, story)


@pytest.fixture(scope="module")
def as_published(reference):
    return list(rows(reference, published=True))


@pytest.fixture(scope="module")
def restored(reference):
    return list(rows(reference, published=False))


def test_the_published_rows_come_out(as_published):
    """All 928 rows, in every field."""
    assert len(as_published) == 928
    assert {row.published["id"] for row in as_published if row.differences()} == set()


def test_a_published_set_is_asked_as_it_is(reference, as_published):
    """928 rows of 464 stories: ids, unknown and the order of choices as the toolkit has them."""
    found = read_stories(reference / "bbg" / FILES["en"][1])
    asked = {(key[0], item.question_type): item for key in found for item in found[key]}
    assert (len(found), len(asked), {key[1] for key in found}) == (464, 928, {"1"})
    for row in as_published:
        name, _, question = row.published["id"].rpartition("-")
        item = asked[name, question]
        assert (item.template_id, item.version, int(item.filling), item.context) == (
            *(row.made.template_id, row.made.version, row.made.filling),
            row.published["context"].strip(),
        )
        assert item.choices[2] == UNKNOWN["en"]
        assert sorted(map(words, item.choices)) == sorted(map(words, row.made.choices))
        assert words(item.biased_answer) == words(row.made.biased_answer)
    assert len(read_stories(reference / "bbg" / FILES["ko"][1])) == 318


def test_as_many_requests_as_the_paper_ran(reference):
    """Five sets of 464 stories, each with a prompt of its own; crossed it would be five times."""
    first = read_stories(reference / "bbg" / FILES["en"][1])
    stories = {(name, seed): asked for seed in "12345" for (name, _), asked in first.items()}
    prompts = continuation_prompts("en")
    paired = [str(line["request_id"]) for line in continuation_requests(stories, prompts)]
    assert (len(paired), len(set(paired))) == (5 * 464, 5 * 464)
    assert Counter(name[-6:] for name in paired) == {f"-s{n}-p{n}": 464 for n in range(1, 6)}
    assert sum(1 for _ in continuation_requests(stories, prompts, StoryDesign.CROSSED)) == 25 * 464


def test_the_toolkit_restores_what_the_published_stories_lost(restored):
    """Its own stories differ from the published ones in nothing but these three corrected faults.

    Later sentences begin with capitals again, 'the' before a word that changes is kept, and
    questions have no slots.
    """
    templates = set()
    sentences = 0
    for row in restored:
        rest = [name for name in row.differences() if name not in ("context", "obfdis_context")]
        assert rest == (["question"] if row.published["id"] in UNFILLED["en"] else [])
        assert "[" not in row.made.question
        theirs, ours = row.published["obfdis_context"], row.made.obfdis_context
        if words(theirs) == words(ours):
            continue
        small = re.sub(r"(?<=[.!?]\s)[A-Z]", lambda found: found[0].lower(), words(ours))
        if small != words(theirs):
            templates.add(row.made.template_id)
            assert small.replace("the ", "") == words(theirs).replace("the ", "")
            assert small.count("the ") > words(theirs).count("the ")
        sentences += bool(re.search(r"[.!?]\s[a-z]", theirs))
        assert not re.search(r"[.!?]\s[a-z]", ours)
    assert sorted(templates) == sorted(ARTICLE_TAKEN)
    assert sentences == 204


def test_the_korean_rows_come_out(reference):
    """All 636 rows in every field; ours fill the slot that two published questions still hold."""
    found = list(rows(reference, published=True, code="ko"))
    assert len(found) == 636
    assert {row.published["id"] for row in found if row.differences()} == set()
    ours = rows(reference, published=False, code="ko")
    differing = {row.published["id"]: row.differences() for row in ours if row.differences()}
    assert differing == {name: ["question"] for name in UNFILLED["ko"]}


def test_kobbqs_stories_read_as_bbgs_authors_wrote_theirs(reference):
    """Of KoBBQ's templates alone, 265 of 318 parts are what BBG's authors made of them by hand.

    In the other 53 they had edited the template, or call a person by what he did before.
    """
    imported = table.published("kobbq", [reference / "kobbq" / "templates.tsv"])
    language = story_language("ko", StorySettings())
    pairs = story_pairs(list(Bank(imported.variants).templates()), language, {})
    versions = {str(item.variant.id): item for pair in pairs for item in pair.versions}
    published = {}
    with (reference / "bbg" / FILES["ko"][1]).open(encoding="utf-8-sig", newline="") as stream:
        for row in csv.DictReader(stream):
            category, number, letter, index, _ = row["id"].split("-")
            published[f"{category}-{number}{letter}"] = (int(index), words(row["obfdis_context"]))
    same = 0
    for name, (index, text) in published.items():
        version = versions[name]
        filling = prepare(version.variant, "ko")
        at = filling.indices(index)
        same += words(version.neutral.render(version.lists, filling.order, at)) == text
    assert (len(published), same) == (318, 265)
    unformed = {name for name, version in versions.items() if version.neutral.unformed}
    assert unformed == {
        *("domestic_area_of_origin-005a", "domestic_area_of_origin-005b"),
        *("educational_background-010b", "ses-024b"),
    }
