"""The dataset card, of records alone."""

import re
from types import SimpleNamespace

import pytest
import yaml
from markdown_it import MarkdownIt
from published import RELEASE, SAMPLE, SURVEY, culture, facts

from curation.records.culture import SurveyNotes
from curation.records.survey import Status
from exports.card.citation import licence_address
from exports.card.facts import _translated_from
from exports.card.readme import card, grouped, when

HOSTILE = 'a: # {} & | <b> "q" `x` [l](http://e.org)'


def matter(text):
    found = yaml.safe_load(text.split("---\n")[1])
    assert isinstance(found, dict)
    return found


LICENCES = {
    "": {"license": "unknown"},
    "ours alone": {"license": "other", "license_name": "ours alone"},
    "CC BY-SA 4.0": {"license": "cc-by-sa-4.0"},
    "M\u00eft": {"license": "other", "license_name": "M\u00eft"},
    "MIT": {"license": "mit"},
    "ODC-By-1.0": {"license": "odc-by"},
    "ODbL-1.0": {"license": "odbl"},
    "GPL-3.0-only": {"license": "gpl-3.0"},
}


def test_the_hub_has_names_of_its_own_for_licences():
    """None is taken for another one; an address is given of known ones alone."""
    for licence, written in LICENCES.items():
        text = card(facts(culture=culture({**RELEASE, "licence": licence})))
        found = matter(text)
        assert licence in text.split("---\n")[1] or "other" not in written.values()
        assert {key: value for key, value in found.items() if key.startswith("license")} == written
    assert licence_address("cc by 4.0") == "https://spdx.org/licenses/CC-BY-4.0.html"
    assert licence_address("ours alone") == ""


def test_hostile_texts_do_nothing():
    """Every text of culture.yaml and of the bank is shown as it is written."""
    release = {
        **RELEASE,
        **dict.fromkeys(("title", "description", "contact", "licence"), HOSTILE),
        "authors": [{"name": HOSTILE}, {"family": "김", "given": "서연", "affiliation": HOSTILE}],
        "survey": dict.fromkeys(("company", "population", "payment", "ethics"), HOSTILE),
        **{key: [HOSTILE] for key in ("annotators", "limits", "uses")},
        "paper": {"title": HOSTILE, "venue": HOSTILE, "year": 2026},
    }
    made = facts(
        culture=culture(release, culture=HOSTILE, unknown=HOSTILE),
        example=SAMPLE._replace(context=f"```\n{HOSTILE}\n````"),
        sources=({**facts().sources[0], "title": HOSTILE},),
        names={"Craft": HOSTILE},
    )
    text = card(made)
    found = matter(text)
    assert (found["pretty_name"], found["license_name"]) == (HOSTILE, HOSTILE)
    page = MarkdownIt("commonmark").enable("table").render(text.split("---\n", 2)[2])
    assert "<b>" not in page
    assert 'href="http://e.org"' not in page
    assert page.count("&lt;b&gt;") >= 15
    # Every row of a table has the cells of its header, or it would have lost some.
    for one in re.findall(r"<table>.*?</table>", page, re.DOTALL):
        rows = [row.count("<t") - 1 for row in re.findall(r"<tr>.*?</tr>", one, re.DOTALL)]
        assert len(set(rows)) == 1
    assert page.count("<h2>") == card(facts()).count("\n## ")


@pytest.mark.parametrize("source, told", [("ca", "ca"), ("en", "es")])
def test_a_set_of_several_languages_was_translated_from_that_of_the_workspace(source, told):
    """Else from the first in which it is published; where texts are translated at all."""
    texts = SimpleNamespace(has_body=True)
    template = SimpleNamespace(first=SimpleNamespace(texts=texts))
    member = SimpleNamespace(status=Status.KEPT, template=template)
    workspace = SimpleNamespace(culture=SimpleNamespace(source_language=source, language="ko"))
    assert _translated_from(workspace, "esbbq", [member]) == told
    texts.has_body = False
    assert _translated_from(workspace, "esbbq", [member]) == ""


def test_nobody_stands_out_by_an_attribute():
    """Values that few share are told together, with as many more as that needs."""
    for values, told in (
        ({"a": 5, "b": 9}, {"a": 5, "b": 9}),
        ({"a": 20, "b": 3, "": 2}, {"a": 20, "others": 5}),
        ({"a": 20, "b": 6, "c": 1}, {"a": 20, "others": 7}),
        ({"a": 1}, {"others": 1}),
        ({"a": 7, "": 8}, {"a": 7, "not known": 8}),
        ({"others": 40, "a": 3, "b": 3}, {"others": 46}),
        ({"": 10, "not known": 7}, {"not known": 17}),
    ):
        assert grouped(values) == told


def test_half_a_time_is_told_as_half():
    """The other end is not guessed."""
    day = "2025-01-02"
    known = ((day, day, day), (day, None, f"from {day}"), (None, day, f"until {day}"))
    for began, ended, said in known:
        assert when(SurveyNotes(began=began, ended=ended)) == said
    assert when(SurveyNotes()) == ""


def test_folders_of_a_package_are_named_or_said_to_be_lacking():
    """The tasks that are there are said where a model is scored, too."""
    folders = {"lm_eval": ("tasks", ""), "inspect": ("other tasks", "no prompts")}
    taken = {"Portuguese": 1, "Spanish": 1200}
    gaps = {**facts().gaps, "undecided": list("abcdefghijk"), "taken_over": taken}
    text = card(facts(folders=folders, gaps=gaps))
    assert "they are here in `lm_eval/`." in text
    assert "| `lm_eval/` | tasks |" in text and "| `inspect/`" not in text
    assert "Not in this package: `inspect/`, other tasks: no prompts." in text
    assert "a, b, c, d, e, f, g, h, i, j, ..." in text
    assert "1 text of the language file is taken over from Portuguese and not reviewed." in text
    assert "1,200 texts of the language file are taken over from Spanish and not" in text


def _survey(**changed):
    return {"survey": {**SURVEY, **changed}}


def _gaps(**changed):
    return {"gaps": {**facts().gaps, **changed}}


def _funnel(**changed):
    return {"funnel": {**facts().funnel, **changed}}


def _labels(**changed):
    made = facts().categories
    return {"categories": tuple(row | changed for row in made)}


NO_SOURCE = dict.fromkeys(("sample_removed", "simply_transferred", "target_modified"), 0)
MACHINE = {"texts": 9, "confirmed": 3, "unconfirmed": 2}
CLAIMS = [
    ("The survey has not decided on", {}, _gaps(undecided=())),
    ("because a translation or groups are missing", _gaps(waiting=("x-1",)), {}),
    ("Every retained template was filled", {}, _gaps(waiting=("x-1",))),
    ("by the decision of a person", _gaps(kept_by_person=("x-1",)), {}),
    ("no label: nobody has classified them", _labels(unlabelled=1), {}),
    ("no reference that documents the stereotype", {}, _gaps(documented=1)),
    ("There was no survey.", {"survey": None}, {}),
    ("A survey then decided", {}, {"survey": None}),
    ("tested for comprehension", {}, _gaps(tested=2)),
    ("is borderline: another sample", {}, _survey(near=0)),
    ("1 question kept has fewer than", {}, _survey(few=0)),
    ("Only the counts of the survey are known", _survey(people=None), {}),
    ("The answers do not say it", {}, _survey(people={**SURVEY["people"], "unknown": ()})),
    ("Each source template was classified", {}, _labels(**NO_SOURCE)),
    ("Templates were newly written for", {}, _funnel(written=0)),
    ("All templates were newly written", _funnel(taken=0), {}),
    ("the machine wrote them", {"machine": MACHINE}, {}),
    ("nobody has confirmed 2", {"machine": MACHINE}, {"machine": {**MACHINE, "unconfirmed": 0}}),
    ("so their agreement is not known", {"agreement": None}, {}),
    ("of these the same label", {}, {"agreement": {**facts().agreement, "annotators": 1}}),
    ("the groups are those that the survey found", {"modified": 1}, {}),
    ("| set aside by a person", _funnel(aside=1), {}),
    ("| dropped by a person", _funnel(by_person=1), {}),
    ("because the culture has no such stereotype", {}, {"sources": ()}),
]


@pytest.mark.parametrize(("claim", "true", "false"), CLAIMS)
def test_a_claim_is_made_where_it_is_true_and_nowhere_else(claim, true, false):
    assert claim in card(facts(**true))
    assert claim not in card(facts(**false))
