"""What the published KoBBQ templates and survey counts must give, figure by figure."""

import json
import shutil
from collections import Counter

import pytest
from click.testing import CliRunner

from curation.cli.main import cli
from curation.files.bank import GroupBook, read_bank, read_groups
from curation.files.codec import DECISIONS, TARGETS

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
