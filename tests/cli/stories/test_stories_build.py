"""`curate evaluate stories build`."""

import json
from pathlib import Path
from typing import Any

import pytest

from curation.files.manifest import read_manifest, verify_manifest
from tests.cli.stories.conftest import BANK, CULTURE

BUILD = ("evaluate", "stories", "build", "-w")


def test_five_sets_are_made_by_seed(curate: Any, workspace: Path, table: Any) -> None:
    """Two versions of each template, two questions each, in every set."""
    ran = curate(*BUILD, workspace, "--json")
    assert (ran.code, ran.err) == (0, "")
    folder = workspace / "exports" / "stories"
    assert ran.json["counts"] == {
        "rows": 60, "stories": 30, "templates": 3, "edited": 0, "left_out": 0,
    }  # fmt: skip
    assert ran.json["findings"] == []
    rows = table(folder / "stories.csv")
    assert len(rows) == 60
    assert [row["seed"] for row in rows[::12]] == ["1", "2", "3", "4", "5"]
    assert [row["version"] for row in rows[:4]] == ["a", "a", "b", "b"]
    assert [row["question_type"] for row in rows[:2]] == ["bsd", "cnt"]
    for first, second in zip(rows[0::4], rows[2::4], strict=True):
        assert first["filling"] == second["filling"]
        assert first["obfdis_context"] == second["obfdis_context"]
        assert first["amb_context"] != second["amb_context"]
        assert first["biased_answer"] == second["biased_answer"]
    assert len({row["filling"] for row in rows if row["template_id"] == "hobby-001"}) > 1
    assert verify_manifest(folder) == []
    manifest = read_manifest(folder)
    assert manifest.settings["seeds"] == [1, 2, 3, 4, 5]
    assert set(manifest.inputs) == {
        "culture.yaml", "templates_src/bank.csv", "templates_src/groups.csv",
    }  # fmt: skip


def test_a_story_has_its_texts(curate: Any, workspace: Path, table: Any) -> None:
    """The two people become placeholders by order of first mention."""
    assert curate(*BUILD, workspace, "--seeds", "3").code == 0
    rows = table(workspace / "exports" / "stories" / "stories.csv")
    first = next(row for row in rows if row["template_id"] == "pets-001")
    assert first["context"] == (
        f"A dog owner and a cat owner share a {first['amb_context'].split()[9]} for task 1. "
        "One was late again. So the other waited."
    )
    assert json.loads(first["obf2dis"]) == {
        "one": {"one": "dog owner"},
        "other": {"the other": "the cat owner"},
    }
    assert json.loads(first["choices"]) == ["The dog owner", "The cat owner", "Cannot be known"]
    assert (first["answer"], first["biased_answer"]) == ("The dog owner", "The cat owner")
    other = next(row for row in rows if row["template_id"] == "hobby-002")
    assert other["obfdis_context"] == "One sang to the other."


def test_a_set_has_the_fillings_of_the_test_set_of_its_seed(
    curate: Any, workspace: Path, table: Any
) -> None:
    """So that question answering and stories can be compared."""
    assert curate(*BUILD, workspace, "--seeds", "42").code == 0
    assert curate("export", "samples", "-w", workspace, "--set", "test").code == 0
    stories = table(workspace / "exports" / "stories" / "stories.csv")
    samples = table(workspace / "exports" / "samples" / "test_samples.csv")
    assert {row["story_id"] for row in stories} == {
        row["sample_id"].rsplit("-", 2)[0] for row in samples
    }


def test_the_same_workspace_gives_the_same_bytes(curate: Any, workspace: Path) -> None:
    """A second run changes nothing."""
    path = workspace / "exports" / "stories" / "stories.csv"
    assert curate(*BUILD, workspace).code == 0
    before = path.read_bytes()
    assert curate(*BUILD, workspace).code == 0
    assert path.read_bytes() == before


@pytest.mark.parametrize("seeds", ["", "x", "1..", "1,,2", "5..1"])
def test_seeds_that_are_none_are_wrong_usage(curate: Any, workspace: Path, seeds: str) -> None:
    """Exit status 2, and nothing is written."""
    assert curate(*BUILD, workspace, "--seeds", seeds).code == 2
    assert not (workspace / "exports").exists()


def test_a_story_without_its_second_version_is_refused(
    curate: Any, workspace_of: Any, changed: Any
) -> None:
    """Unless it is to be left out, which the manifest says."""
    workspace = workspace_of(changed("hobby-002", "b", None))
    ran = curate(*BUILD, workspace, "--json")
    assert ran.code == 1
    (finding,) = (item for item in ran.json["findings"] if item["severity"] == "error")
    assert finding["rule"] == "story-version-missing"
    assert finding["message"] == (
        "hobby-002a/b: variant b is missing, so the story has no second version"
    )
    assert (finding["file"], finding["row"]) == ("templates_src/bank.csv", 4)
    assert not (workspace / "exports").exists()
    ran = curate(*BUILD, workspace, "--leave-out-faulty", "--json")
    assert ran.code == 0
    assert ran.json["faulty"] == ["hobby-002a/b"]
    assert (ran.json["counts"]["templates"], ran.json["counts"]["left_out"]) == (2, 1)
    assert read_manifest(workspace / "exports" / "stories").settings["left_out"] == ["hobby-002a/b"]


@pytest.mark.parametrize(
    ("column", "text", "rule", "message"),
    [
        (
            "disambiguating_context",
            "The [N1] swept it. The other sat down.",
            "story-person-once",
            "hobby-001b: the contexts mention person N2 only once, so no placeholder is used "
            "for that person",
        ),
        (
            "disambiguating_context",
            "The [N1] swept it. The [N2] sat down, as every climber does.",
            "story-person-left",
            "hobby-001b: 'climber' is still in the disambiguating part",
        ),
        (
            "disambiguating_context",
            "The [N1] swept it. The [N2] sat down on the cavernous floor.",
            "story-filler-inside-word",
            "hobby-001b: 'caver' is inside 'cavernous' in the disambiguating part",
        ),
    ],
)
def test_what_gives_people_away_is_a_finding(
    curate: Any, workspace_of: Any, changed: Any, column: str, text: str, rule: str, message: str
) -> None:
    """Stories are made all the same; each finding has its row."""
    workspace = workspace_of(changed("hobby-001", "b", {column: text}))
    ran = curate(*BUILD, workspace, "--json")
    assert ran.code == 0
    (finding,) = (item for item in ran.json["findings"] if item["rule"] == rule)
    assert (finding["message"], finding["severity"], finding["row"]) == (message, "warning", 3)
    shown = curate(*BUILD, workspace)
    assert f"warning [{rule}]" in shown.out
    assert "Wrote 30 stories of 3 templates in 5 sets" in shown.out


def test_variants_of_unequal_size_are_refused(curate: Any, workspace_of: Any, changed: Any) -> None:
    """No index would fit both versions."""
    workspace = workspace_of(changed("hobby-001", "b", {"words": "W1: [shed]"}))
    ran = curate(*BUILD, workspace)
    assert ran.code == 1
    assert "hobby-001a/b: the variants have 8 and 4 fillings" in ran.err
    assert not (workspace / "exports").exists()


def test_the_published_way_can_be_asked_for(curate: Any, workspace: Path, table: Any) -> None:
    """To compare with BBG's own files."""
    assert curate(*BUILD, workspace, "--seeds", "1", "--as-published").code == 0
    rows = table(workspace / "exports" / "stories" / "stories.csv")
    assert rows[0]["obfdis_context"] == "One swept it. the other sat down."


def test_an_unreadable_text_names_its_row(curate: Any, workspace_of: Any, changed: Any) -> None:
    """As everywhere."""
    workspace = workspace_of(changed("hobby-001", "a", {"disambiguating_context": "[N1"}))
    ran = curate(*BUILD, workspace)
    assert ran.code == 1
    assert "slot N1 is not closed" in ran.err
    assert "hobby-001a" in ran.err


def test_without_a_workspace_there_are_no_stories(curate: Any, tmp_path: Path) -> None:
    """The folder is named."""
    ran = curate(*BUILD, tmp_path)
    assert ran.code == 1
    assert "there is no workspace" in ran.err


def test_a_culture_may_have_placeholders_of_its_own(
    curate: Any, workspace_of: Any, table: Any
) -> None:
    """And a limit of its own to how often they may stand."""
    settings = "stories: {placeholders: [person X, person Y], repeat_limit: 1}\n"
    text = "The [N1] swept it. The [N2] sat down, and person Y slept."
    rows = [
        {**row, "disambiguating_context": text} if row["template_id"] == "hobby-001" else row
        for row in BANK
    ]
    workspace = workspace_of(rows, CULTURE + settings)
    ran = curate(*BUILD, workspace, "--seeds", "1", "--json")
    assert ran.code == 0
    assert {(item["rule"], item["message"].split(": ")[1]) for item in ran.json["findings"]} == {
        (
            "story-placeholder-repeated",
            "'person Y' (other) occurs 2 times in the disambiguating part; the limit is 1",
        )
    }
    rows = table(workspace / "exports" / "stories" / "stories.csv")
    assert rows[0]["obfdis_context"] == "Person X swept it. Person Y sat down, and person Y slept."


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("stories: {placeholders: [one, One]}", "stories.placeholders: both are the same"),
        ("stories: {repeat_limit: 0}", "stories.repeat_limit"),
        ("stories: {pair: [a, b]}", "stories.pair: there is no such setting"),
    ],
)
def test_wrong_settings_are_refused(
    curate: Any, workspace_of: Any, settings: str, message: str
) -> None:
    """As those of every other part."""
    ran = curate(*BUILD, workspace_of(BANK, f"{CULTURE}{settings}\n"))
    assert ran.code == 1
    assert message in ran.err


def test_every_filling_can_be_had(curate: Any, workspace: Path, table: Any) -> None:
    """Each story has all its fillings once, the same in both versions, and no seed draws them."""
    assert curate(*BUILD, workspace, "--fillings", "all").code == 0
    folder = workspace / "exports" / "stories"
    rows = table(folder / "stories.csv")
    assert {row["seed"] for row in rows} == {"0"}
    found = {
        version: [
            int(row["filling"])
            for row in rows
            if (row["template_id"], row["version"]) == ("hobby-001", version)
        ][::2]
        for version in "ab"
    }
    assert found["a"] == found["b"] == list(range(1, len(found["a"]) + 1))
    assert len(found["a"]) > 1
    assert read_manifest(folder).settings["fillings"] == "all"


def test_all_fillings_are_drawn_by_no_seed(curate: Any, workspace: Path) -> None:
    """Both at once are a wrong use."""
    ran = curate(*BUILD, workspace, "--fillings", "all", "--seeds", "1")
    assert (ran.code, "--seeds draws fillings" in ran.err) == (2, True)


def test_too_many_fillings_are_refused(curate: Any, workspace: Path) -> None:
    """The limit of samples holds for stories too, and nothing is written."""
    path = workspace / "culture.yaml"
    path.write_text(f"{path.read_text(encoding='utf-8')}samples: {{limit: 3}}\n", encoding="utf-8")
    ran = curate(*BUILD, workspace, "--fillings", "all")
    assert ran.code == 1
    assert "more than the 3 of samples.limit" in ran.err
    assert not (workspace / "exports" / "stories").exists()
