"""Groups that a survey asked about, and groups that get another name."""

import re
from dataclasses import replace
from pathlib import Path

from curation import import_templates, init_workspace, open_workspace, samples
from curation.files.bank import write_bank
from curation.records.bank import SLOT_TEXT_FIELDS, Bank, Texts
from curation.records.culture import Category, Culture
from curation.records.survey import Option, Question, QuestionKind, Role, Standing, TargetRow
from survey.group_renaming import asked_groups, rename_groups
from survey.outcomes import Renaming


def standing(category: str, group: str) -> TargetRow:
    """The standing of a group."""
    kind = QuestionKind.SELECT_ALL
    return TargetRow(category, "They hum", kind, group, 1, 2, 0, 2, 1.0, Standing.TARGET)


def test_names_of_questions_and_standings_are_given_as_they_were_asked() -> None:
    """By the category's name of now; a name that only looks like a list is one name."""
    culture = Culture(
        culture="X",
        language="en",
        unknown="U",
        categories=(Category(id="Work", sources=("Craft",)), Category(id="Age")),
    )
    options = (
        Option("1", ("Bakers", "Millers"), Role.TARGET),
        Option("2", ("Potters",), Role.NON_TARGET),
        Option("none", (), Role.NONE),
    )
    questions = [
        Question("q-1", QuestionKind.CHOICE, "Craft", "They hum", options),
        Question(
            "q-2", QuestionKind.CHOICE, "Age", "They hum", (Option("1", ("Old",), Role.TARGET),)
        ),
    ]
    targets = [
        standing("Craft", "Dyers, Weavers"),
        standing("Work", "[Smiths"),
        standing("Age", "Young"),
    ]
    renaming = Renaming(culture, frozenset({"Work", "Age"}))
    assert asked_groups("Work", questions, targets, renaming) == {
        *("Bakers", "Millers", "Potters"),
        *("Dyers, Weavers", "Dyers", "Weavers", "[Smiths"),
    }
    assert asked_groups("Age", questions, targets, renaming) == {"Old", "Young"}


def test_people_of_two_attributes_stay_in_their_groups(reference: Path, tmp_path: Path) -> None:
    """BBQ's fillers say race and gender; the sample names the group that has another name now."""
    file = reference / "bbq/as_published/templates/new_templates - Race_x_gender.csv"
    import_templates(init_workspace(tmp_path / "w", "de"), "bbq", [file])
    workspace = open_workspace(tmp_path / "w")
    written = [replace(row, texts=_bare(row.source_texts)) for row in workspace.bank.variants]
    write_bank(workspace.bank_file, Bank(tuple(written)))
    before = _people(tmp_path / "w")
    names = sorted({group for people in before.values() for group in people})
    table = tmp_path / "names.csv"
    rows = [f"{written[0].category},{name},Gruppe {at}\n" for at, name in enumerate(names)]
    table.write_text("category,group,new_name\n" + "".join(rows), encoding="utf-8")
    assert len(rename_groups(open_workspace(tmp_path / "w"), table).renamed) == len(names)
    new = {name: f"Gruppe {at}" for at, name in enumerate(names)}
    assert _people(tmp_path / "w") == {
        sample: (new[one], new[two]) for sample, (one, two) in before.items()
    }
    assert len(names) == 30


def _bare(texts: Texts) -> Texts:
    """Texts of a language without articles."""
    cells = {
        name: re.sub(r"\[(\w+)\|[^\]]*\]", r"[\1]", getattr(texts, name))
        for name in SLOT_TEXT_FIELDS
    }
    return replace(texts, **cells)  # type: ignore[arg-type]  # all of them are texts


def _people(folder: Path) -> dict[str, tuple[str, str]]:
    """The groups of the two people, by sample."""
    found = samples(open_workspace(folder), per_template=40, proper_names=2)
    return {item.sample_id: (item.n1_group, item.n2_group) for item in found}
