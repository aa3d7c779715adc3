"""A recipe: what is in it, and that it makes the same benchmark again, or says what differs."""

import shutil
from pathlib import Path

import pytest
import yaml

from curation import init_workspace
from curation.files.workspace import Workspace
from curation.importing import import_templates
from curation.records.messages import CurateError
from exports import demo, diff, export_recipe, replay, samples
from exports.differences import KINDS, STEPS
from exports.recipe_file import Edits, edited, edits_of
from survey import filter
from survey.explaining import override

TUTORIAL = Path(__file__).parents[2] / "templates_src" / "tutorial"
BASE = {
    name: {"template_id": name[:-1], "variant": name[-1], "source": "bbq", "source_id": at}
    | {"stereotype": stereotype}
    for name, at, stereotype in (
        ("age-001a", "1", "slow"),
        ("age-001b", "1", "slow"),
        ("age-002a", "2", "loud"),
        ("age-003a", "3", "kind"),
    )
}
"""Imported rows by id."""
COLUMNS = ("template_id", "variant", "label", "source", "source_id", "stereotype")


def rows(**changed):
    """The imported rows with a label, and some of them changed or taken out."""
    every = {name.replace("-", "_"): name for name in BASE}
    found = {}
    for key, name in every.items():
        cells = changed.get(key, {})
        if cells is not None:
            found[name] = {"label": "", **BASE[name], **cells}
    return found


MOVED = {"template_id": "faith-001"}
NEW = {"template_id": "age-009", "variant": "a", "label": "NC", "source": "", "source_id": ""}


@pytest.mark.parametrize(
    ("made", "wanted"),
    [
        (rows(), {}),
        (rows(age_002a=None), {"left_out": ("age-002a",)}),
        (rows(age_001a={"label": "TM"}), {"changed": {"age-001a": {"label": "TM"}}}),
        (rows(age_003a={"stereotype": ""}), {"changed": {"age-003a": {"stereotype": ""}}}),
        (
            {**rows(age_003a=None), "age-009a": {**NEW, "stereotype": "wise"}},
            {
                "left_out": ("age-003a",),
                "new": (
                    {"template_id": "age-009", "variant": "a", "label": "NC", "stereotype": "wise"},
                ),
            },
        ),
        # A template that got another id is still the imported one.
        (
            {**rows(age_003a=None), "faith-001a": {**rows()["age-003a"], **MOVED}},
            {"changed": {"faith-001a": {**MOVED, "imported as": "age-003a"}}},
        ),
        # Another template under an imported id is a new one.
        (
            rows(age_002a={"source": "mine"}),
            {
                "left_out": ("age-002a",),
                "new": ({**BASE["age-002a"], "source": "mine"},),
                "order": ("age-001a", "age-001b", "age-002a", "age-003a"),
            },
        ),
        (
            dict(reversed(rows().items())),
            {"order": ("age-003a", "age-002a", "age-001b", "age-001a")},
        ),
    ],
)
def test_what_people_made_of_a_table_is_told_and_made_again(made, wanted):
    """Cells, rows left out, new rows and their order; whatever is told gives the same table."""
    found = edits_of(BASE, COLUMNS, made)
    assert found == Edits(columns=COLUMNS, **wanted)
    again = edited(BASE, found)
    assert [list(row) for row in again] == [list(COLUMNS)] * len(made)
    assert again == [{name: row.get(name, "") for name in COLUMNS} for row in made.values()]


def test_rows_that_no_import_gives_are_named():
    """So that nothing is made of half a recipe."""
    for edits in (
        Edits(columns=COLUMNS, left_out=("age-007a",)),
        Edits(columns=COLUMNS, changed={"age-007a": {"label": "TM"}}),
        Edits(columns=COLUMNS, order=(*BASE, "age-007a")),
    ):
        with pytest.raises(CurateError, match="do not give age-007a"):
            edited(BASE, edits)


def adapted(folder, language="ko"):
    """An adaptation of two files of BBQ: labels, one translated template, one left out."""
    workspace = init_workspace(folder, language, "Nowhere")
    import_templates(workspace, "bbq", [TUTORIAL / "bbq"])
    workspace.refresh()
    text = workspace.bank_file.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in text if not line.startswith("region-002")]
    workspace.bank_file.write_text("".join(kept), encoding="utf-8")
    return Workspace(folder)


@pytest.fixture
def english(tmp_path):
    """Imported templates whose texts need no translation, one of them dropped by a person."""
    workspace = adapted(tmp_path / "en", "en")
    override(workspace, ["age-001"], keep=False, by="Mina", reason="not here")
    return Workspace(workspace.root)


def same(first, second, *names):
    """Whether files of two workspaces are equal to the byte."""
    wanted = names or ("exports/samples/samples.csv", "exports/samples/test_samples.csv")
    return all(
        (first.root / name).read_bytes() == (second.root / name).read_bytes() for name in wanted
    )


def test_a_file_with_one_byte_changed_is_refused_by_name(english, tmp_path):
    """Nothing is written then, and so where a file is not there."""
    path, _ = export_recipe(english)
    there = tmp_path / "there"
    shutil.copytree(TUTORIAL / "bbq", there)
    data = bytearray((there / "Region.csv").read_bytes())
    data[-2] ^= 1
    (there / "Region.csv").write_bytes(data)
    for _ in range(2):
        with pytest.raises(CurateError, match=r"the SHA-256 of bbq/Region\.csv"):
            replay(path, there, tmp_path / "again")
        (there / "Region.csv").unlink(missing_ok=True)
    assert not (tmp_path / "again").exists()


def change(path, keys, value):
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    inner = data
    for key in keys[:-1]:
        inner = inner[key]
    inner[keys[-1]] = value(inner[keys[-1]]) if callable(value) else value
    path.write_text(yaml.safe_dump(data, allow_unicode=True, sort_keys=False), encoding="utf-8")


def test_bad_recipes_are_refused(tmp_path):
    """A file that no workspace has, one of a later version, a folder that holds something."""
    path, _ = export_recipe(demo(tmp_path / "demo").workspace, out=tmp_path / "recipe.yaml")
    for keys, value, words in (
        (["files"], lambda files: {**files, "../out.csv": "x\n"}, "which no workspace has"),
        (["data_format"], 99, "data format 99"),
        (["templates"], "none", "templates"),
        (["files", "culture.yaml"], "culture: [", r"(?s)YAML.*changed.yaml, culture.yaml, line"),
    ):
        copy = tmp_path / "changed.yaml"
        shutil.copy(path, copy)
        change(copy, keys, value)
        with pytest.raises(CurateError, match=words):
            replay(copy, None, tmp_path / "again")
    with pytest.raises(CurateError, match="demo is not empty"):
        replay(path, None, tmp_path / "demo")


def test_a_workspace_that_contradicts_itself_has_no_recipe(tmp_path):
    """Its votes were changed after the decisions."""
    made = demo(tmp_path / "demo")
    assert (made.samples.counts["samples"], made.samples.counts["test_samples"]) == (2112, 264)
    assert made.bank.folder == tmp_path / "demo" / "exports" / "bank"
    workspace = made.workspace
    tallies = workspace.tallies_file
    text = tallies.read_text(encoding="utf-8")
    tallies.write_text(text.replace(",84,120,", ",10,120,", 1), encoding="utf-8")
    with pytest.raises(CurateError, match="the workspace contradicts itself: q-age-cfb6de20"):
        export_recipe(Workspace(workspace.root), out=tmp_path / "recipe.yaml")
    assert not (tmp_path / "recipe.yaml").exists()


def test_a_template_whose_target_is_open_is_in_a_recipe_and_gives_no_samples(reference, tmp_path):
    """As BharatBBQ's of which the pairing contradicts the groups; samples alone are refused."""
    first = init_workspace(tmp_path / "in", "en", "India")
    source = reference / "bharatbbq" / "templates"
    import_templates(first, "bharatbbq", [source])
    first = Workspace(first.root)
    with pytest.raises(CurateError, match="it is open who the target of age-009a is"):
        samples(first)
    path, recipe = export_recipe(first)
    is_open = {str(item.template_id) for item in first.bank.variants if item.role_open}
    assert is_open and {name for name, made in recipe.made.items() if not made.samples} == is_open
    _, _, found = replay(path, source, tmp_path / "again")
    assert found == []
    assert {item.name for item in (tmp_path / "again").iterdir()} == {
        *("culture.yaml", "exports", "templates_src")
    }
    # Settings that say nothing on either side do not differ.
    plain = init_workspace(tmp_path / "plain", "en", "India")
    changed = diff(first.root, plain.root).settings
    assert all((row["before"] or "") != (row["after"] or "") for row in changed)


def steps(found):
    """The keys of all rows of a part that differ."""
    rows = {
        name: [it["id"] for kind in KINDS for it in (found[name] or {kind: ()})[kind]]
        for name in STEPS
    }
    return {name: keys for name, keys in rows.items() if keys}


def test_two_recipes_are_compared_by_what_people_changed(tmp_path):
    """Two adaptations of the same files: a label, a template left out, a decision."""
    first, second = adapted(tmp_path / "one", "en"), adapted(tmp_path / "two", "en")
    text = second.bank_file.read_text(encoding="utf-8")
    second.bank_file.write_text(
        text.replace("age-002,a,,Age,,", "age-002,a,,Age,ST,"), encoding="utf-8"
    )
    override(Workspace(second.root), ["age-001"], keep=False, by="Mina", reason="not here")
    paths = [export_recipe(Workspace(item.root))[0] for item in (first, second)]
    found = diff(*paths)
    ids = [[row["id"] for row in found.templates[kind]] for kind in KINDS]
    assert ids == [["age-002a"], [], []]
    assert steps(found) == {"decisions": ["age-001: override"]}
    assert found.not_compared == ["samples", "test"]
    assert diff(paths[0], first.root).same
    # With a workspace its steps are compared, as a recipe does not hold what was imported.
    found = diff(paths[0], second.root)
    assert steps(found) == {"decisions": ["age-001: override"]}
    assert found.not_compared == ["templates", "samples", "test", "groups"]


def test_the_published_korean_benchmark_is_made_again(reference, tmp_path):
    """269 templates, of which no text is in the recipe: every table to the byte."""
    first = init_workspace(tmp_path / "ko", "ko", "Korea")
    source = reference / "kobbq" / "templates.tsv"
    import_templates(first, "kobbq", [source])
    first.refresh()
    filter(first, [reference / "kobbq" / "survey_result.json"])
    first = Workspace(first.root)
    made = samples(first, ["all", "test"])
    path, recipe = export_recipe(first)
    for edits in (recipe.templates, recipe.groups):
        assert edits == Edits(columns=edits.columns)
    assert sum(item.samples for item in recipe.made.values()) == made.counts["samples"]
    text = path.read_text(encoding="utf-8")
    assert not any(variant.texts.ambiguous_context in text for variant in first.bank.variants)
    _, _, found = replay(path, reference / "kobbq", tmp_path / "again")
    again = Workspace(tmp_path / "again")
    assert found == []
    assert same(first, again)
    assert same(first, again, "templates_src/bank.csv", "templates_src/groups.csv")
