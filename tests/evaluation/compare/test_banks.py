"""Banks of several cultures beside each other: rules by hand, published sets by another count."""

import ast
import json
import shutil
from functools import cache

import pandas as pd
import pytest

from curation import init_workspace
from curation.files.outcomes import TemplateOutcome
from curation.files.workspace import Workspace
from curation.importing import import_templates
from curation.initial import copy_demo
from curation.records.bank import Label, Template, TemplateId, Texts, Variant, VariantId
from curation.records.messages import CurateError
from curation.records.survey import Decision, Outcome, Rule, Stage, Status
from evaluation.compare import Given, banks
from evaluation.compare.standings import Standing, of_source, page_of, standing, tables_of
from evaluation.qa.samples import Source
from exports import demo
from survey import filter

KEEP, DROP = Outcome.KEEP, Outcome.DROP


def outcome(status, label=None, *decided):
    """A template with its status; the last decision decided."""
    variant = Variant(VariantId.parse("age-001a"), "Age", texts=Texts(), label=label)
    found = tuple(
        Decision("age-001", Stage.SURVEY, rule, of, reason=reason) for rule, of, reason in decided
    )
    template = Template(TemplateId("age", 1), (variant,))
    return TemplateOutcome(template, status, None, found, decisive=found[-1] if found else None)


@pytest.mark.parametrize(
    ("item", "wanted"),
    [
        (outcome(Status.KEPT, Label.SIMPLY_TRANSFERRED, (Rule.TWO_THIRDS, KEEP, "")), "holds"),
        (outcome(Status.KEPT, Label.NEWLY_CREATED, (Rule.TWO_THIRDS, KEEP, "")), "holds"),
        (outcome(Status.KEPT, Label.TARGET_MODIFIED), "target modified"),
        (outcome(Status.UNDECIDED, Label.TARGET_MODIFIED), "target modified"),
        (outcome(Status.KEPT, None, (Rule.OVERRIDE, KEEP, "")), "kept by a person"),
        (outcome(Status.UNDECIDED, None), "not surveyed"),
        (outcome(Status.REMOVED, Label.SAMPLE_REMOVED), "left out"),
        (outcome(Status.SET_ASIDE), "left out"),
        (outcome(Status.DROPPED, None, (Rule.OVERRIDE, DROP, "")), "left out"),
        (outcome(Status.DROPPED, None, (Rule.TWO_THIRDS, DROP, "below")), "not known"),
        (outcome(Status.DROPPED, None, (Rule.NO_STEREOTYPE, DROP, "")), "not known"),
        (outcome(Status.DROPPED, None, (Rule.TARGET_SELECTION, DROP, "no_target")), "not known"),
        (outcome(Status.DROPPED, None, (Rule.TWO_THIRDS, DROP, "majority_non_target")), "turned"),
        (outcome(Status.DROPPED, None, (Rule.COMPREHENSION, DROP, "")), "not understood"),
        (outcome(Status.DROPPED, None, (Rule.MIN_RESPONDENTS, DROP, "")), "not understood"),
    ],
)
def test_a_template_stands_as_label_and_survey_say(item, wanted):
    """In use or not, and why not; without samples only what would be in use is not ready."""
    assert standing(item) == wanted
    used = item.status in (Status.KEPT, Status.UNDECIDED)
    assert standing(item, is_ready=False) == ("not ready" if used else wanted)


def side(name, **standings):
    """Templates by source; several standings of one source are joined by commas."""
    return {
        Source("bbq", "age", number[1:]): [
            {"source": "bbq", "source_category": name, "source_id": number[1:], "standing": text}
            for text in told.split(",")
        ]
        for number, told in standings.items()
    }


def test_sources_are_counted_by_their_standing_in_both_sets():
    """Of those that both have; a category is called what the first set calls it."""
    sides = {
        "ko": side("Age", _1="holds", _2="turned", _3="holds", _4="holds,not known"),
        "es": side("age", _1="holds", _2="holds", _3="holds", _5="holds"),
        "in": side("AGE", _4="left out", _5="holds"),
    }
    tables = tables_of(sides)
    assert [tuple(row.values()) for row in tables["counts"][1]] == [
        ("ko", "es", "holds", "holds", 2),
        ("ko", "es", "turned", "holds", 1),
        ("ko", "in", "several", "left out", 1),
    ]
    assert [tuple(row.values())[1:] for row in tables["standings"][1]] == [
        ("Age", "1", "holds", "holds", "absent"),
        ("Age", "2", "turned", "holds", "absent"),
        ("Age", "3", "holds", "holds", "absent"),
        ("Age", "4", "several", "absent", "left out"),
        ("age", "5", "absent", "holds", "holds"),
    ]
    said = "5 templates of the source are in two banks or more. 3 of them have the same standing"
    assert said in page_of({**tables, "banks": ((), ())}, list(sides), (), ())
    assert of_source(()) == Standing.ABSENT
    alone = {"us": side("Age", _9="holds")}
    assert tables_of({**sides, **alone})["counts"] == tables["counts"]
    with pytest.raises(CurateError, match="ko and us share no template"):
        tables_of({"ko": sides["ko"], **alone})


def test_what_is_no_pair_of_banks_is_refused(tmp_path):
    """Two of one name, a folder without a workspace."""
    for given, words in (
        ([Given("ko", tmp_path)] * 2, "two sets are named ko"),
        ([Given("ko", tmp_path), Given("es", tmp_path)], "ko: there is no workspace"),
    ):
        with pytest.raises(CurateError, match=words):
            banks(given)


def test_numbers_of_the_survey_stand_beside_each_template(tmp_path):
    """84 of 102 who named a group, 18 of 120 who named none; a bank without a survey says so."""
    decided = demo(tmp_path / "one").workspace.root
    copy_demo(tmp_path / "two")
    made = banks([Given("one", decided), Given("two", tmp_path / "two")])
    frame = made.to_frame("banks").set_index(["set", "template_id"])
    row = frame.loc[("one", "age-001")]
    assert row["source"] == "demo-en"
    assert (row["share"], row["no_stereotype"], row["respondents"]) == (0.823529, 0.15, 120)
    assert frame.loc[("two", "age-001")]["standing"] == "not surveyed"
    assert frame["share"].loc["two"].isna().all()
    own = frame[frame["source"].str.startswith("own: ")].loc["one"]
    assert set(own["label"]) == {"NC"}
    assert made.notes == (
        f"one: {len(own)} templates come from no other set",
        f"two: {len(own)} templates come from no other set",
        "two: no survey has decided on its templates",
    )
    made.save(tmp_path / "out")
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert "0.82, 0.15" in page


@pytest.fixture(scope="module")
def published(tmp_path_factory, reference):
    """The banks of the published sets; KoBBQ's decided by its published votes."""
    folder = tmp_path_factory.mktemp("banks")
    made = {}
    for name, language, form, files in (
        ("ko", "ko", "kobbq", "kobbq/templates.tsv"),
        ("es", "es", "esbbq", "esbbq/templates"),
        ("ca", "ca", "esbbq", "esbbq/templates"),
        ("in", "en", "bharatbbq", "bharatbbq/templates"),
        ("us", "en", "bbq", "bbq/templates"),
        ("zh", "zh", "cbbq", "cbbq"),
    ):
        workspace = init_workspace(folder / name, language, name)
        import_templates(workspace, form, [reference / files])
        made[name] = workspace.root
    filter(Workspace(made["ko"]), [reference / "kobbq" / "survey_result.json"])
    return made


def _key(category, number):
    return category.casefold().replace("_", "").replace(" ", ""), int(float(number))


@cache
def korean(reference):
    """KoBBQ's standings from its published files alone.

    Every published template was kept; those whose counts the published survey file holds are
    decided, with the label TM where targets were modified.
    """
    frame = pd.read_csv(
        reference / "kobbq" / "templates.tsv", sep="\t", dtype=str, keep_default_na=False
    )
    votes = json.loads((reference / "kobbq" / "survey_result.json").read_text(encoding="utf-8"))
    there = {(row["category"], row["stereotype"], frozenset(row["survey_stats"])) for row in votes}
    found = {}
    for row in frame[frame["BBQ_id"].str.isdigit()].to_dict("records"):
        options = frozenset(ast.literal_eval(row["Survey_stats"]))
        decided = (row["Category"], row["Stereotype"], options) in there
        is_modified = row["Label_annotation"] == "TM"
        found[_key(row["BBQ_category"], row["BBQ_id"])] = (
            "target modified" if is_modified else "holds" if decided else "not surveyed"
        )
    return found


@cache
def spanish(reference):
    found = {}
    for path in (reference / "esbbq" / "templates").glob("[A-Z]*.xlsx"):
        frame = pd.read_excel(path, dtype=str, keep_default_na=False, engine="calamine")
        for row in frame[frame["bbq_template_id"].str.strip().str.isdigit()].to_dict("records"):
            label = {"m": "target modified"}.get(row["label"].strip(), "not surveyed")
            found[_key(row["bbq_category"], row["bbq_template_id"])] = label
    return found


def test_published_banks_stand_as_their_files_say(published, reference, tmp_path):
    """KoBBQ, EsBBQ, CaBBQ, BharatBBQ and BBQ, by BBQ's numbers, against a count of the files."""
    made = banks([Given(name, published[name]) for name in ("ko", "es", "ca", "in", "us")])
    frame = made.to_frame("standings")
    frame = frame[frame["source"] == "bbq"]
    keys = [_key(*pair) for pair in zip(frame["source_category"], frame["source_id"], strict=True)]
    for name, wanted in (
        ("ko", korean(reference)),
        ("es", spanish(reference)),
        ("ca", spanish(reference)),
    ):
        found = dict(zip(keys, frame[name], strict=True))
        assert {key: text for key, text in found.items() if text != "absent"} == {
            key: wanted[key] for key in keys if key in wanted
        }
    counts = made.to_frame("counts").query("set_2 == 'es'")
    both = korean(reference).keys() & spanish(reference).keys()
    assert counts["sources"].sum() == len(both)
    ages = frame[frame["source_category"] == "Age"]
    assert (ages["us"] != "absent").sum() == (ages["in"] != "absent").sum() == 25
    made.save(tmp_path / "out")
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"banks.csv", "counts.csv", "standings.csv", "banks.svg", "index.html"} <= names
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert f"{len(made.tables['standings'][1])} templates of the source" in page


def test_a_set_with_numbers_of_its_own_is_not_paired(published):
    """CBBQ's templates are not derived from BBQ's."""
    with pytest.raises(CurateError, match="ko and zh share no template") as refused:
        banks([Given(name, published[name]) for name in ("ko", "zh")])
    assert "22 of cbbq" in refused.value.where


def test_a_person_writes_which_of_bbqs_templates_one_is_like(published, tmp_path):
    """Beside KoBBQ's and EsBBQ's, CBBQ's first is then compared; without, it is said."""
    given = [Given(name, published[name]) for name in ("ko", "es", "zh")]
    assert any(note.startswith("zh: no other set has its") for note in banks(given).notes)
    own = tmp_path / "zh"
    shutil.copytree(published["zh"], own)
    path = own / "templates_src" / "bank.csv"
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    is_first = frame["template_id"] == frame["template_id"][0]
    frame["bbq_category"] = is_first.map({True: "Age", False: ""})
    frame["bbq_id"] = is_first.map({True: "1", False: ""})
    frame.to_csv(path, index=False)
    made = banks([*given[:2], Given("zh", own)])
    rows = made.to_frame("standings").query("zh != 'absent'")
    assert rows[["source", "source_category", "source_id", "ko", "zh"]].to_numpy().tolist() == [
        ["bbq", "Age", "1", "holds", "not surveyed"]
    ]
