"""What the published KoBBQ templates and survey counts must give, figure by figure."""

import json
import shutil
from collections import Counter

import pytest
from click.testing import CliRunner

import survey
from curation.cli.main import cli
from curation.files.bank import GroupBook, read_bank, read_groups
from curation.files.codec import DECISIONS, TARGETS
from curation.files.workspace import Workspace
from curation.records.culture import SurveySettings
from survey.certainty import no_stereotype_shares, sensitivity
from survey.counts import read_tallies

RACE = "Race_ethnicity_nationality"
COUNTRIES = (
    "베트남인 태국인 네팔인 스리랑카인 우즈베키스탄인 러시아인 미국인 캐나다인 브라질인 멕시코인 "
    "호주인 뉴질랜드인 프랑스인 영국인 이집트인 이란인 남아프리카공화국인 나이지리아인"
)
"""The single countries, which stand beside the 19 broad groups that count."""


def curate(*args):
    """Run a command and give what it prints as JSON."""
    ran = CliRunner().invoke(cli, [str(arg) for arg in (*args, "--json")])
    assert ran.exit_code == 0, ran.output
    found = json.loads(ran.stdout)
    assert isinstance(found, dict)
    return found


@pytest.fixture(scope="module")
def imported(reference, tmp_path_factory):
    """A workspace with the published templates, as the import leaves it."""
    folder = tmp_path_factory.mktemp("kobbq") / "workspace"
    curate("init", folder)
    done = curate("import", "kobbq", reference / "kobbq" / "templates.tsv", "-w", folder)
    assert (done["rows_in"], done["rows_read"], done["rows_reported"]) == (346, 346, 0)
    (kinds,) = [item for item in done["findings"] if item["rule"] == "import-select-all"]
    assert kinds["message"].startswith(f"Domestic_area_of_origin, {RACE}: respondents choose all")
    (marked,) = [item for item in done["findings"] if item["rule"] == "import-groups-not-counting"]
    assert marked["message"].startswith(f"{RACE}: 18 groups may be chosen but do not count")
    groups, findings = read_groups(folder / "templates_src" / "groups.csv")
    assert findings == []
    assert {item.group for item in groups if not item.counts} == set(COUNTRIES.split())
    return folder


@pytest.fixture(scope="module")
def filtered(reference, imported, tmp_path_factory):
    """Filter a copy of the workspace by survey files, each set of files once."""
    known = {}

    def run(*names):
        if names not in known:
            folder = tmp_path_factory.mktemp("filtered") / "workspace"
            shutil.copytree(imported, folder)
            own = folder / "responses" / "published_counts.json"
            files = {"published": reference / "kobbq" / "survey_result.json", "templates": own}
            surveys = [part for name in names for part in ("--survey", files[name])]
            known[names] = folder, curate("filter", "-w", folder, *surveys)
        return known[names]

    return run


def test_the_published_counts_decide_154_templates_and_drop_none(filtered):
    """Fourteen templates have a question that the file does not hold: they stay undecided."""
    _, found = filtered("published")
    assert found["templates"] == {"kept": 154, "dropped": 0, "undecided": 14, "removed": 0}
    assert found["modified"] == []
    reasons = Counter(item["reason"] for item in found["undecided"])
    assert reasons == {
        "its stereotype was asked about other groups": 12,
        "no answers about its stereotype were read": 2,
    }
    hints = {item["hint"] for item in found["findings"] if item["rule"] == "survey-undecided"}
    assert len(hints) == 1
    assert hints.pop().endswith("as one more --survey responses/published_counts.json")


def test_the_published_questions_fall_by_the_published_rules(filtered):
    """One of 34 has no non-target; of 120 nine fall by two thirds and five by no stereotype."""
    folder, found = filtered("published")
    assert found["questions"] == {
        "select_all": {"asked": 34, "dropped": {"target_selection": 1}},
        "choice": {"asked": 120, "dropped": {"two_thirds": 9, "no_stereotype": 5}},
        "comprehension": {"asked": 0, "dropped": {}},
    }
    dropped = [item for item in DECISIONS.read(folder / "decisions.csv") if item.outcome == "drop"]
    assert len({item.subject for item in dropped}) == len(dropped) == 15
    assert Counter((item.rule.value, item.reason) for item in dropped) == {
        ("target_selection", "no_non_target"): 1,
        ("two_thirds", "below"): 3,
        ("two_thirds", "majority_non_target"): 6,
        ("no_stereotype", "above"): 5,
    }


def test_the_parts_that_fall_are_said_of_questions_and_templates(filtered):
    """9 of 120 are 7.5 %, 1 of 34 is 2.9 %, 5 of all 154 are 3.2 %."""
    _, found = filtered("published")
    shares = {
        (row["kind"], row["rule"]): (row["dropped"], row["questions"], row["share"])
        for row in found["drops"]
    }
    assert shares == {
        ("select_all", "target_selection"): (1, 34, 0.029412),
        ("select_all", "no_stereotype"): (0, 34, 0),
        ("choice", "two_thirds"): (9, 120, 0.075),
        ("choice", "no_stereotype"): (5, 120, 0.041667),
        ("", "no_stereotype"): (5, 154, 0.032468),
    }
    assert all(row["alone"] == row["dropped"] for row in found["drops"])
    # 14 of the 168 are linked to no question of this file.
    templates = {row["kind"]: row["templates"] for row in found["drops"]}
    assert templates == {"select_all": 31, "choice": 123, "": 154}
    assert not any(row["templates_dropped"] for row in found["drops"])
    means = {row["kind"]: row["mean"] for row in found["no_stereotype"]}
    assert means == {"": 0.163571, "choice": 0.1565, "select_all": 0.188529}


def test_what_surveys_drawn_from_the_published_counts_decide(filtered):
    """About 96 % of decisions are the same; people named 1.9 groups, and chance keeps 3 %."""
    folder, _ = filtered("published")
    report = survey.report(Workspace(folder), dry_run=True).report
    validation, selection = report.stability
    assert (validation["questions"], selection["questions"]) == (120, 34)
    assert validation["same"] == pytest.approx(0.983, abs=0.005)
    assert selection["same"] == pytest.approx(0.9575, abs=0.01)
    assert (selection["targets"], selection["non_targets"]) == (180, 161)
    assert selection["targets_again"] == pytest.approx(0.931, abs=0.01)
    assert selection["non_targets_again"] == pytest.approx(0.898, abs=0.01)
    assert (selection["per_person"], selection["untestable"]) == (pytest.approx(1.888, abs=1e-3), 9)
    assert selection["chance"] == pytest.approx(0.031, abs=0.01)
    # The mark of borderline decisions is left to rules that it tells apart.
    near = [row for row in report.questions if any(item.near for item in row.decisions)]
    assert (len(near), len(report.borderline)) == (35, 14)
    race = [row for row in report.questions if row.category == RACE]
    named = sum(group.votes for row in race for group in row.groups if group.counts)
    people = sum(row.respondents - (row.none or 0) for row in race)
    assert named / people == pytest.approx(2.973, abs=1e-3)  # 2.81 over all questions on race


def test_no_stereotype_and_the_other_equal_share_of_the_published_survey(filtered):
    """About 18.8 % where all groups could be chosen; shares of votes turn what people's keep."""
    folder, _ = filtered("published")
    tallies = read_tallies(folder / "responses" / "tallies.csv", Workspace(folder).book)
    settings = SurveySettings()
    rows = {(row.category, row.kind): row for row in no_stereotype_shares(tallies, settings)}
    assert rows["", "select_all"].mean == pytest.approx(0.188529, abs=1e-6)
    assert (rows["", ""].mean, rows["", "choice"].mean) == (0.163571, 0.1565)
    assert (rows["", "choice"].above, rows["", "select_all"].above) == (5, 0)
    templates = list(Workspace(folder).bank.templates())
    moved = sensitivity(tallies, templates, settings)
    shared = {row.value: row for row in moved if row.setting == "equal_share"}
    assert (shared["respondents"].questions, len(shared["respondents"].turned)) == (139, 0)
    # Five fall that people's shares keep, and the one that these drop is kept.
    assert (shared["votes"].questions, len(shared["votes"].turned)) == (139 - 5 + 1, 6)


def test_with_the_counts_of_the_templates_all_168_are_kept(filtered):
    """Questions that both files hold agree, and the others are decided by the second."""
    for names in [("published", "templates"), ("templates",)]:
        _, found = filtered(*names)
        assert found["templates"] == {"kept": 168, "dropped": 0, "undecided": 0, "removed": 0}
        assert found["modified"] == []


def published_sides(folder):
    """Target and non-target groups that the templates of each surveyed stereotype name."""
    bank, _ = read_bank(folder / "templates_src" / "bank.csv")
    sides = {}
    for variant in bank.variants:
        texts = variant.texts
        target = frozenset(texts.target_groups)
        people = {frozenset(texts.n1_groups), frozenset(texts.n2_groups)}
        key = variant.category, texts.stereotype
        found = sides.setdefault(key, (set(), set()))
        found[0].add(target)
        found[1].update(people - {target})
    return sides


def test_published_targets_are_targets_and_non_targets_non_targets(imported, filtered):
    """By the rule every published group stands where it was published, single countries too.

    Outside race the non-targets are the same except for one at exactly half of the uniform share.
    """
    folder, _ = filtered("published")
    selected = [
        row
        for row in TARGETS.read(folder / "responses" / "targets.csv")
        if row.kind == "select_all"
    ]
    by_rule = {}
    for row in selected:
        roles = by_rule.setdefault((row.category, row.stereotype), {})
        roles.setdefault(row.role.value, set()).add(row.group)
    published = {
        key: tuple({group for option in side for group in option} for side in sides)
        for key, sides in published_sides(imported).items()
    }
    compared = set(by_rule) & set(published)
    assert Counter(category for category, _ in compared) == {
        RACE: 9,
        "Domestic_area_of_origin": 21,
        "SES": 1,
    }
    differing = []
    for key in compared:
        targets, non_targets = published[key]
        assert targets <= by_rule[key]["target"], key
        assert non_targets <= by_rule[key]["non_target"], key
        if key[0] != RACE and non_targets != by_rule[key]["non_target"]:
            differing.append((key[1], by_rule[key]["non_target"] - non_targets))
    assert [stereotype for stereotype, _ in differing] == ["신뢰성이 낮음"]
    (odd,) = differing[0][1]
    row = next(row for row in selected if (row.stereotype, row.group) == ("신뢰성이 낮음", odd))
    assert (row.votes, row.equal_share) == (4, 8.0)


def test_nineteen_broad_groups_count(imported, filtered):
    """The single countries are not in the divisor of race, though they may be chosen."""
    folder, _ = filtered("published")
    rows = [
        row for row in TARGETS.read(folder / "responses" / "targets.csv") if row.category == RACE
    ]
    assert {row.options for row in rows} == {19}
    countries = set(COUNTRIES.split())
    assert {row.group for row in rows} & countries == countries
    assert any(row.group in countries and row.role == "target" for row in rows)
    groups, _ = read_groups(imported / "templates_src" / "groups.csv")
    book = GroupBook(groups)
    assert not any(book.counts(RACE, [country]) for country in countries)


def test_shares_of_votes_would_not_give_what_was_published(reference, imported):
    """The other reading of the paper's sentence disagrees with most of race; a dry run says so."""
    survey = reference / "kobbq" / "survey_result.json"
    before = sorted(item.name for item in imported.iterdir())
    found = curate(
        *("filter", "-w", imported, "--survey", survey, "--equal-share", "votes", "--dry-run")
    )
    race = [name for name in found["modified"] if name.startswith("race")]
    fallen = [item for item in found["dropped"] if item["template_id"].startswith("race")]
    assert len(race) + len(fallen) >= 5
    assert sorted(item.name for item in imported.iterdir()) == before
