"""What stands against giving a group another name, for `curate groups rename`."""

import difflib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from curation.checks.base import Subject
from curation.checks.catalogue import run
from curation.cli.final import TALLIES, renaming_of
from curation.io.workspace import Workspace
from curation.model.bank import Bank, Group
from curation.model.errors import CurateError
from curation.model.findings import Severity
from curation.model.survey import Question
from curation.stages.regroup import Name, names_group, source_names_group
from survey.asked import asked_groups
from survey.counts import read_counts
from survey.questionnaire import GroupBook, read_questionnaire
from survey.tallies import read_tallies

COUNTS = "published_counts.json"


@dataclass(frozen=True, slots=True)
class Known:
    """What a workspace knows of the groups of a category.

    Attributes:
        groups: Those that groups.csv lists.
        parents: Those that groups.csv names as parents.
        asked: Those that a survey asked about, by the names that it asked with.
        former: Former names by the name of now, from the settings.
    """

    groups: frozenset[str]
    parents: frozenset[str]
    asked: frozenset[str]
    former: Mapping[str, tuple[str, ...]]


def known(workspace: Workspace, name: Name) -> Known:
    """Look up what is known of the groups of a category.

    Raises:
        CurateError: If there is no such category, or a file cannot be read.
    """
    categories = {item.id: item for item in workspace.culture.categories}
    category = categories.get(name.category)
    if category is None:
        raise CurateError(
            f"there is no category '{name.category}'",
            workspace.shown(workspace.culture_file),
            _near(name.category, categories) or f"categories are {', '.join(categories)}",
        )
    rows = [item for item in workspace.groups if item.category == name.category]
    return Known(
        groups=frozenset(item.group for item in rows),
        parents=frozenset(item.parent for item in rows if item.parent),
        asked=asked_groups(
            name.category, _questions(workspace), workspace.targets, renaming_of(workspace)
        ),
        former=category.renamed_groups,
    )


def _questions(workspace: Workspace) -> Iterator[Question]:
    """Yield the questions of all surveys, in the names that they were asked with."""
    folder = workspace.responses_folder
    book = GroupBook(workspace.groups, workspace.culture)
    for tally in read_tallies(folder / TALLIES):
        yield tally.question
    if workspace.questionnaire_file.exists():
        yield from read_questionnaire(workspace.questionnaire_file, book)
    if (folder / COUNTS).exists():
        for tally in read_counts(folder / COUNTS, workspace.culture, book):
            yield tally.question


def refuse(workspace: Workspace, name: Name, found: Known, *, from_source: bool) -> None:
    """Refuse a rename that is none, or that cannot be right.

    Raises:
        CurateError: Saying why.
    """
    place = workspace.shown(workspace.groups_file)
    if not name.old or not name.new:
        raise CurateError(f"the {'new' if name.old else 'old'} name is empty", place, "write one")
    if name.old == name.new:
        raise CurateError(f"'{name.new}' is the name that it has already", place)
    _refuse_name(workspace, name)
    if name.old in found.groups:
        if name.new in found.groups:
            raise CurateError(
                f"'{name.new}' is a group of {name.category} already, and so is '{name.old}'",
                place,
                "a rename joins no groups: whoever chose one did not choose the other. To join "
                "them, mend groups.csv and bank.csv, and ask the survey again",
            )
    elif name.new not in found.groups or not _left_over(workspace, name, found, from_source):
        raise _unknown(workspace, name, found)
    _refuse_former(workspace, name, found)
    _refuse_asked_apart(workspace, name, found)


def _left_over(workspace: Workspace, name: Name, found: Known, from_source: bool) -> bool:
    """Say whether a name that groups.csv lists no more stands anywhere still.

    So it is where a rename was broken off, done by hand in part, or misspelt at one place.
    """
    return (
        name.old in found.parents | found.asked
        or names_group(workspace.bank, name.category, name.old)
        or (from_source and source_names_group(workspace.bank, name.category, name.old))
    )


def _refuse_name(workspace: Workspace, name: Name) -> None:
    """Refuse a name that the rules of `curate check` would find fault with."""
    subject = Subject(
        culture=workspace.culture,
        bank=Bank(),
        groups=(Group(name.category, name.new, fillers="[x]"),),
        bank_file="",
        groups_file=workspace.shown(workspace.groups_file),
    )
    for finding in run(subject):
        if (finding.file, finding.column) == (subject.groups_file, "group") and (
            finding.severity is not Severity.INFO
        ):
            raise CurateError(
                f"'{name.new}' cannot be the name of a group: {finding.message}",
                finding.file,
                finding.hint,
            )


def _refuse_former(workspace: Workspace, name: Name, found: Known) -> None:
    """Refuse names that the settings say were those of another group."""
    for group, former in found.former.items():
        for which, own in ((name.old, name.new), (name.new, name.old)):
            if which in former and group != own:
                raise CurateError(
                    f"'{which}' is a former name of '{group}'",
                    f"{workspace.shown(workspace.culture_file)}, categories.{name.category}."
                    "renamed_groups",
                    "what the survey asked by it holds of that group: take it out there if that "
                    "is wrong",
                )


def _refuse_asked_apart(workspace: Workspace, name: Name, found: Known) -> None:
    """Refuse to make one of two groups that a survey asked about, each by its name."""
    before, after = found.former.get(name.old, ()), found.former.get(name.new, ())
    if name.new in before or name.old in after or name.new not in found.asked:
        return
    other = next((item for item in (name.old, *before) if item in found.asked), None)
    if other is not None:
        raise CurateError(
            f"the survey asked about '{other}' and about '{name.new}'",
            workspace.shown(workspace.responses_folder),
            "choose a name that it did not ask about; if both are names of one group, say so "
            f"under renamed_groups of {name.category} in culture.yaml",
        )


def _unknown(workspace: Workspace, name: Name, found: Known) -> CurateError:
    """Say that a group is not known, and which may be meant."""
    place = workspace.shown(workspace.groups_file)
    now = next((group for group, former in found.former.items() if name.old in former), "")
    if now:
        return CurateError(
            f"{name.category} has no group '{name.old}'", place, f"it is called '{now}' now"
        )
    others = [item.category for item in workspace.groups if item.group == name.old]
    hint = _near(name.old, found.groups)
    if not hint and others:
        hint = f"it is a group of {' and '.join(dict.fromkeys(others))}"
    if not hint and names_group(workspace.bank, name.category, name.old):
        hint = "templates name it: list it in groups.csv, or give its name there as the new one"
    if not hint and found.groups:
        hint = f"its groups are {', '.join(sorted(found.groups)[:12])}"
        hint += ", ..." if len(found.groups) > 12 else ""
    return CurateError(f"{name.category} has no group '{name.old}'", place, hint)


def _near(name: str, names: Iterable[str]) -> str:
    """Ask whether a name that is spelt alike was meant; one that only looks the same too."""
    forms = {_form(item): item for item in names}
    near = [forms[item] for item in difflib.get_close_matches(_form(name), forms, n=3)]
    return f"did you mean {' or '.join(near)}?" if near else ""


def _form(name: str) -> str:
    return unicodedata.normalize("NFC", " ".join(name.split())).casefold()
