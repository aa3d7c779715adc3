"""A group gets another name, wherever the workspace names it, unless something is against it."""

import difflib
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from curation.bank.regroup import Name, names_group, regroup, source_names_group
from curation.checks.catalogue import run
from curation.checks.subject import Subject
from curation.files.atomic import atomic_path
from curation.files.bank import groups_of_table, renamed_groups, write_bank
from curation.files.culture import parse_culture, with_renamed_groups
from curation.files.lock import writing
from curation.files.tables import read_table, read_text, refuse_problems, with_cells, write_csv
from curation.files.workspace import Workspace
from curation.records.bank import Bank, Group
from curation.records.errors import CurateError
from curation.records.findings import Severity
from curation.records.frames import frame
from curation.records.survey import Question, TargetRow, split_groups
from survey.bank import TALLIES, renaming_of
from survey.counts import read_counts
from survey.outcomes import Renaming
from survey.questionnaire import GroupBook, read_questionnaire
from survey.tallies import read_tallies

if TYPE_CHECKING:
    import pandas as pd


def asked_groups(
    category: str,
    questions: Iterable[Question],
    targets: Iterable[TargetRow],
    renaming: Renaming,
) -> frozenset[str]:
    """The names of groups that questions and standings of a category hold.

    Args:
        category: The category, by the name that it has now.
        questions: The questions, in the names that they were asked with.
        targets: The standings of groups, likewise.
        renaming: For categories that had another name then.
    """
    names = {
        group
        for question in questions
        if renaming.category(question.category) == category
        for option in question.options
        for group in option.groups
    }
    for row in targets:
        if renaming.category(row.category) == category:
            names |= {row.group, *_listed(row.group)}
    return frozenset(names)


def _listed(label: str) -> tuple[str, ...]:
    """The groups that a standing may list; none of a name that looks like a list only."""
    try:
        return split_groups(label)
    except ValueError:
        return ()


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


def known(workspace: Workspace, name: Name, asked: frozenset[str] | None = None) -> Known:
    """Look up what is known of the groups of a category.

    Args:
        workspace: The workspace.
        name: A rename in the category.
        asked: The names that surveys asked with, where that is known.

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
        asked=_asked(workspace, name.category) if asked is None else asked,
        former=category.renamed_groups,
    )


def _asked(workspace: Workspace, category: str) -> frozenset[str]:
    """The names that surveys asked with, also where the category was split off another one."""
    questions, renaming = list(_questions(workspace)), renaming_of(workspace)
    found: frozenset[str] = frozenset()
    for name in (category, *workspace.culture.split_from(category)):
        found |= asked_groups(name, questions, workspace.targets, renaming)
    return found


def _questions(workspace: Workspace) -> Iterator[Question]:
    """Yield the questions of all surveys, in the names that they were asked with."""
    folder = workspace.responses_folder
    book = GroupBook(workspace.groups, workspace.culture)
    for tally in read_tallies(folder / TALLIES):
        yield tally.question
    if workspace.questionnaire_file.exists():
        yield from read_questionnaire(workspace.questionnaire_file, book)
    if workspace.published_counts_file.exists():
        for tally in read_counts(workspace.published_counts_file, workspace.culture, book):
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
        raise CurateError(f"'{name.new}' is already its name", place)
    _refuse_name(workspace, name)
    if name.old in found.groups:
        if name.new in found.groups:
            raise CurateError(
                f"'{name.new}' is a group of {name.category} already, and so is '{name.old}'",
                place,
                "a rename cannot merge groups: people who chose one did not choose the other. To "
                "merge them, correct groups.csv and bank.csv, and ask the survey again",
            )
    elif name.new not in found.groups or not _left_over(workspace, name, found, from_source):
        raise _unknown(workspace, name, found)
    _refuse_former(workspace, name, found)
    _refuse_asked_apart(workspace, name, found)


def _left_over(workspace: Workspace, name: Name, found: Known, from_source: bool) -> bool:
    """Say whether a name that groups.csv lists no more stands anywhere still.

    So it is where a rename was broken off, done by hand in part, or misspelt at one place.
    """
    return name.old in found.parents | found.asked or any(
        names_group(bank, name.category, name.old)
        or (from_source and source_names_group(bank, name.category, name.old))
        for bank in (workspace.bank, workspace.deleted)
    )


def _refuse_name(workspace: Workspace, name: Name) -> None:
    """Refuse a name that the rules of `curate check` would find fault with."""
    named = Group(name.category, name.new, fillers="[x]")
    subject = Subject.of(workspace, Bank(), [named])
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
                    "what the survey asked about it counts for that group: remove it there if "
                    "that is "
                    "wrong",
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
            "choose a name that the survey did not ask about; if both are names of one group, "
            "say so "
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
        hint = f"the groups of {name.category} are {', '.join(sorted(found.groups)[:12])}"
        hint += ", ..." if len(found.groups) > 12 else ""
    return CurateError(f"{name.category} has no group '{name.old}'", place, hint)


def _near(name: str, names: Iterable[str]) -> str:
    """Ask whether a name that is spelt alike was meant; one that only looks the same too."""
    forms = {_form(item): item for item in names}
    near = [forms[item] for item in difflib.get_close_matches(_form(name), forms, n=3)]
    return f"did you mean {' or '.join(near)}?" if near else ""


def _form(name: str) -> str:
    return unicodedata.normalize("NFC", " ".join(name.split())).casefold()


@dataclass(frozen=True, slots=True)
class RenamedGroup:
    """What a rename makes of a workspace.

    Attributes:
        category: The group's category.
        old: The name that it had.
        new: The name that it gets.
        groups: Rows of groups.csv that are the group's own.
        parents: Rows of groups.csv whose parent it is.
        cells: Cells of the culture's own columns of the bank in which the name changes.
        filled: Empty cells of those columns that take over the names of the source.
        templates: Templates that change.
        deleted: Deleted templates that change, in deleted.csv.
        former_names: Its former names, those of the settings to come.
        files: Files that change, in the order in which they are put in place.
        source_only: Templates that have texts, and name the group in an empty cell's source alone.
        unwritten: Templates that name it in the source and have no texts yet.
        foreign: Names that come along from the source and are no groups of the category.
    """

    category: str
    old: str
    new: str
    groups: int
    parents: int
    cells: int
    filled: int
    templates: tuple[str, ...]
    deleted: tuple[str, ...]
    former_names: tuple[str, ...]
    files: tuple[str, ...]
    source_only: tuple[str, ...]
    unwritten: tuple[str, ...]
    foreign: tuple[str, ...]


def rename_group(
    workspace: Workspace,
    category: str,
    old: str,
    new: str,
    *,
    from_source: bool = False,
    dry_run: bool = False,
) -> RenamedGroup:
    """Rename a group of a category everywhere in the workspace.

    In groups.csv and in the culture's own group columns of bank.csv and deleted.csv; where a survey
    asked about the old name, culture.yaml keeps it as a former name. All files are written, or
    none.

    Args:
        workspace: The workspace.
        category: The group's category.
        old: The name that it has.
        new: The name that it gets.
        from_source: Whether empty cells take over the groups of the source where these name it.
        dry_run: Whether nothing is written.

    Raises:
        CurateError: If the rename is refused, or a file cannot be read or written.
    """
    name = Name(category.strip(), old.strip(), new.strip())
    with writing(workspace, "curate groups rename", dry_run=dry_run):
        renamer = _Renamer(workspace, from_source=from_source)
        result = renamer.rename(name)
        if not dry_run:
            renamer.write()
    return result


TABLE_COLUMNS = ("category", "group", "new_name")
"""The columns of a table of new names; groups.csv with one more column is such a table."""


@dataclass(frozen=True, slots=True)
class RenamedGroups:
    """What the renames of a table make of a workspace.

    Attributes:
        renamed: What each of them does, in the order in which they were done.
        unchanged: Groups that have their new name already: category and name.
        without_name: How many rows have no new name.
        files: Files that change, in the order in which they are put in place.
    """

    renamed: tuple[RenamedGroup, ...]
    unchanged: tuple[tuple[str, str], ...]
    without_name: int
    files: tuple[str, ...]

    def to_frame(self) -> "pd.DataFrame":
        """A row a rename: the fields of `RenamedGroup`, counts int64, everything else object."""
        counts = dict.fromkeys(("groups", "parents", "cells", "filled"), "int64")
        return frame(self.renamed, RenamedGroup, **counts)


def rename_groups(
    workspace: Workspace,
    table: Path,
    *,
    from_source: bool = False,
    undo: bool = False,
    dry_run: bool = False,
) -> RenamedGroups:
    """Rename groups by a table, each as `rename_group` does: all of them or none.

    All renames of the table are done together: a group may get the former name of another group in
    the table. Two groups that exchange their names are refused.

    Args:
        workspace: The workspace.
        table: A CSV with the columns of `TABLE_COLUMNS`; a row without a new name changes nothing,
            other columns are not read.
        from_source: Whether empty cells take over the groups of the source where these name it.
        undo: Whether the groups get the names back that they had before the same table. Cells
            that were filled from the source stay filled, with the source's names.
        dry_run: Whether nothing is written.

    Raises:
        CurateError: If the table cannot be read, a rename is refused (all that are, are named),
            or a file cannot be read or written.
    """
    rows, without_name = _read_names(table, undo=undo)
    with writing(workspace, "curate groups rename", dry_run=dry_run):
        renamer = _Renamer(workspace, from_source=from_source)
        renamed: list[RenamedGroup] = []
        unchanged: list[tuple[str, str]] = []
        refused: list[_Refused] = []
        for number, name in _in_order(rows, table):
            if renamer.has_already(name):
                unchanged.append((name.category, name.new))
                continue
            try:
                done = renamer.rename(name)
                if done.files:
                    renamed.append(done)
                else:
                    unchanged.append((name.category, name.new))
            except CurateError as error:
                refused.append(_Refused(number, error))
        if refused:
            raise _all_of(refused, len(rows), table)
        files = renamer.files()
        if not dry_run:
            renamer.write()
    shown = tuple(workspace.shown(path) for path in files)
    return RenamedGroups(tuple(renamed), tuple(unchanged), without_name, shown)


_Rows = list[tuple[int, Name]]
_NAMED = 10  # refused renames that an error names


def _read_names(path: Path, *, undo: bool) -> tuple[_Rows, int]:
    """Read a table of new names; how many rows have none."""
    table = read_table(path, required=TABLE_COLUMNS)
    refuse_problems(table)
    found: dict[tuple[str, str], tuple[int, Name]] = {}
    without_name = 0
    for row in table.rows:
        category, old, new = (row[column].strip() for column in TABLE_COLUMNS)
        if not new:
            without_name += 1
            continue
        if undo:
            old, new = new, old
        first, known = found.setdefault((category, old), (row.number, Name(category, old, new)))
        if known.new != new:
            raise table.fault(
                row,
                "group" if not undo else "new_name",
                f"'{old}' of {category} gets a new name here that differs from row {first}",
                "give each group once",
            )
    if not found:
        raise CurateError(f"{path.name} names no group with a new name", str(path), "fill new_name")
    return list(found.values()), without_name


def _in_order(rows: _Rows, path: Path) -> Iterator[tuple[int, Name]]:
    """Yield renames so that a name is given up before another group gets it.

    Raises:
        CurateError: If groups exchange their names.
    """
    left = {(name.category, name.old): (number, name) for number, name in rows}
    while left:
        ready = [
            key
            for key, (_, name) in left.items()
            if name.new == name.old or (name.category, name.new) not in left
        ]
        if not ready:
            number, name = next(iter(left.values()))
            raise CurateError(
                f"'{name.old}' and '{name.new}' of {name.category} exchange their names",
                f"{path}, row {number}",
                "give one of them a third name first, with another table",
            )
        for key in ready:
            yield left.pop(key)


@dataclass(frozen=True, slots=True)
class _Refused:
    """A rename of a table that is refused."""

    row: int
    error: CurateError


def _all_of(refused: Sequence[_Refused], rows: int, table: Path) -> CurateError:
    """One error for all renames that are refused, a line each; what helps several is said once."""
    if len(refused) == 1:
        (row, error) = refused[0].row, refused[0].error
        at = f"{table}, row {row}"
        return CurateError(error.what, f"{at} ({error.where})" if error.where else at, error.hint)
    hints = Counter(item.error.hint for item in refused if item.error.hint)
    lines = [f"{len(refused)} of {rows} renames are refused, and nothing was written:"]
    for item in refused[:_NAMED]:
        error = item.error
        at = f"row {item.row} ({error.where})" if error.where else f"row {item.row}"
        own = f": {error.hint}" if hints[error.hint] == 1 else ""
        lines.append(f"    {at}: {error.what}{own}")
    if len(refused) > _NAMED:
        lines.append(f"    ... and {len(refused) - _NAMED} more")
    shared = [hint for hint, count in hints.items() if count > 1]
    return CurateError(
        "\n".join(lines), str(table), f"\n{' ' * 9}".join(shared or ["correct them"])
    )


_Files = dict[Path, Callable[[Path], object]]
"""By file that changes what writes it to a path, in the order in which they are put in place."""


class _Renamer:
    """Renames groups in the files of a workspace as they are by then, and writes them at once.

    Args:
        workspace: The workspace.
        from_source: Whether empty cells take over the groups of the source.
    """

    def __init__(self, workspace: Workspace, *, from_source: bool) -> None:
        self._from_source = from_source
        self._before = workspace
        self._now = workspace
        self._settings = read_text(workspace.culture_file)
        self._bank = workspace.bank
        self._deleted = workspace.deleted
        there = workspace.groups_file.exists()
        self._table = read_table(workspace.groups_file) if there else None
        self._asked: dict[str, frozenset[str]] = {}
        self._changed: set[Path] = set()

    def _known(self, name: Name) -> Known:
        """What is known of the groups of a category; what was asked does not change."""
        if name.category not in self._asked:
            self._asked[name.category] = known(self._before, name).asked
        return known(self._now, name, self._asked[name.category])

    def has_already(self, name: Name) -> bool:
        """Whether a group has its new name, and nothing is left of the other."""
        if name.old == name.new:
            return any(
                (item.category, item.group) == (name.category, name.new)
                for item in self._now.groups
            )
        if not self._now.culture.has_category(name.category):
            return False
        found = self._known(name)
        there = name.new in found.groups and name.old not in found.groups
        return there and not _left_over(self._now, name, found, self._from_source)

    def rename(self, name: Name) -> RenamedGroup:
        """Rename a group.

        Raises:
            CurateError: If that is refused, or a file cannot be read.
        """
        workspace = self._now
        found = self._known(name)
        refuse(workspace, name, found, from_source=self._from_source)
        groups = {item.group for item in workspace.groups if item.category == name.category}
        there = {*groups, name.new}
        bank = regroup(self._bank, name, there, from_source=self._from_source)
        deleted = regroup(
            self._deleted,
            name,
            there,
            from_source=self._from_source,
            file=workspace.shown(workspace.deleted_file),
        )
        former = _former(name, found)
        files: list[Path] = []
        if former != found.former:
            path = workspace.culture_file
            self._settings = with_renamed_groups(self._settings, path, name.category, former)
            files.append(path)
        rows, parents = 0, 0
        if self._table is not None:
            cells, rows, parents = renamed_groups(self._table, name.category, name.old, name.new)
            if rows or parents:
                self._table = with_cells(self._table, cells)
                files.append(workspace.groups_file)
        if deleted.templates:
            self._deleted = deleted.bank
            files.append(workspace.deleted_file)
        if bank.templates:
            self._bank = bank.bank
            files.append(workspace.bank_file)
        self._changed.update(files)
        self._now = self._as_it_is()
        return RenamedGroup(
            category=name.category,
            old=name.old,
            new=name.new,
            groups=rows,
            parents=parents,
            cells=bank.cells,
            filled=bank.filled,
            templates=bank.templates,
            deleted=deleted.templates,
            former_names=tuple(former.get(name.new, ())),
            files=tuple(workspace.shown(path) for path in files),
            source_only=bank.source_only,
            unwritten=bank.unwritten,
            foreign=bank.foreign,
        )

    def _as_it_is(self) -> Workspace:
        """The workspace as it will be when everything is written."""
        return self._before.with_loaded(
            parse_culture(self._settings, self._before.culture_file),
            self._bank,
            [] if self._table is None else groups_of_table(self._table)[0],
            self._deleted,
        )

    def files(self) -> _Files:
        """What writes each file that changes, in the order in which they are put in place."""
        table, bank, settings, deleted = self._table, self._bank, self._settings, self._deleted
        # First the settings: what was asked stays attached whatever happens after. Last the bank:
        # the check finds a name that groups.csv does not list any more.
        every: _Files = {
            self._before.culture_file: lambda beside: beside.write_text(
                settings, encoding="utf-8", newline=""
            )
        }
        if table is not None:
            rows = [[row[column] for column in table.columns] for row in table.rows]
            every[self._before.groups_file] = lambda beside: write_csv(beside, table.columns, rows)
        every[self._before.deleted_file] = lambda beside: write_bank(beside, deleted)
        every[self._before.bank_file] = lambda beside: write_bank(beside, bank)
        return {path: write for path, write in every.items() if path in self._changed}

    def write(self) -> None:
        """Write all files that change, or none.

        Raises:
            CurateError: If one cannot be written.
        """
        _write(self.files())


def _former(name: Name, found: Known) -> dict[str, tuple[str, ...]]:
    """The category's former names as they are after the rename."""
    former = dict(found.former)
    names = [*former.get(name.new, ()), *former.pop(name.old, ())]
    if name.old in found.asked:
        names.append(name.old)
    left = tuple(dict.fromkeys(item for item in names if item != name.new))
    if left:
        former[name.new] = left
    else:
        former.pop(name.new, None)
    return former


def _write(files: _Files) -> None:
    """Write all files beside their places, and then put them there in their order."""
    with ExitStack() as stack:
        # A stack is left from its end: the file that is put in place first comes last.
        beside = {path: stack.enter_context(atomic_path(path)) for path in reversed(files)}
        for path, write in files.items():
            write(beside[path])
