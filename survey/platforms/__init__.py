"""Platforms: what each is given, how its answers are read, and by what its files are recognised.

What a platform is called, how its form is used and by what its files are recognised is in its
`NAME.yaml`, as `survey.platforms.recognise.Platform` says; what needs more is in a module of its
name. One that forms are written for holds what `survey.platforms.kit.FormWriter` says.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

from curation.files.atomic import atomic_text
from curation.files.tables import Row, read_table, write_csv
from curation.records.messages import watched
from survey.mapping import Mapping, save_mapping
from survey.platforms.kit import ATTENTION, FormWriter, Kit, Sheet, uncovered

if TYPE_CHECKING:
    from survey.platforms.recognise import Platform

_STEMS = {"csv": "panel", "google": "google_forms"}
PLATFORMS = (
    *("qualtrics", "limesurvey", "workbook", "csv", "google", "xlsform", "surveyjs"),
    "label_studio",
)
"""The platforms that forms can be written for."""

MIXING = frozenset({"limesurvey"})
"""Those whose files ask that each respondent sees the options in an order of their own."""

CODES = "codes.csv"
CODE_COLUMNS = ("platform", "form", "column", "code", "question_id", "option", "position", "text")
"""The columns of `codes.csv`; `position` is where the option is written in the form."""


@dataclass(frozen=True, slots=True)
class Written:
    """What was written for one platform.

    Attributes:
        name: The platform.
        files: The files, in order.
        limits: What they cannot express, each with what to do about it.
    """

    name: str
    files: tuple[Path, ...]
    limits: tuple[tuple[str, str], ...]


def platform(name: str) -> FormWriter:
    """Import a platform's module."""
    return cast(FormWriter, import_module(f"survey.platforms.{_STEMS.get(name, name)}"))


def write_forms(
    folder: Path, kit: Kit, names: Sequence[str], *, command: str = "curate filter --survey FILE"
) -> list[Written]:
    """Write the forms for some platforms, each in a folder of its own, and `codes.csv` beside.

    Args:
        folder: The folder `responses/forms`.
        kit: The survey.
        names: The platforms.
        command: What reads the answers, as the files say it.

    Raises:
        CurateError: If something cannot be written.
    """
    from survey.platforms.recognise import platform_of

    written = []
    codes: list[tuple[object, ...]] = []
    for name in names:
        module, told = platform(name), platform_of(_STEMS.get(name, name))
        files = module.write(folder / name, kit)
        for sheet in watched(kit.sheets, f"Mappings for {told.title}", kit.progress):
            mapping = module.mapping(kit, sheet)
            wrong = uncovered(sheet, mapping)
            if wrong:
                raise ValueError(f"{name}, {sheet.id}: {'; '.join(wrong)}")
            path = folder / name / f"{sheet.id}.mapping.yaml"
            heading = (
                f"# How the answers to form {sheet.id} are read from what {told.title} gives back."
                "\n# Written by 'curate survey build'; README.txt says how to export them.\n"
            )
            save_mapping(path, mapping, heading)
            files.append(path)
            codes.extend(_codes(name, module, kit, sheet, mapping))
        files.append(_readme(folder / name / "README.txt", told, command))
        written.append(Written(name, tuple(files), tuple(told.limits.items())))
    kept = _kept_codes(folder / CODES, kit, names)
    write_csv(folder / CODES, CODE_COLUMNS, [*codes, *kept], escaped=True)
    return written


def _kept_codes(path: Path, kit: Kit, names: Sequence[str]) -> list[list[str]]:
    """The codes of platforms that are not written now, whose forms ask and show the same."""
    if not path.exists():
        return []
    asked = {
        (sheet.id, item.question.id, item.question.options[at].code, str(place))
        for sheet in kit.sheets
        for item in sheet.items
        for place, at in enumerate(item.order, start=1)
    }
    rows: dict[str, list[Row]] = {}
    for row in read_table(path, required=CODE_COLUMNS, escaped=True).rows:
        rows.setdefault(row["platform"], []).append(row)
    kept: list[list[str]] = []
    for name, mine in rows.items():
        shown = {(row["form"], row["question_id"], row["option"], row["position"]) for row in mine}
        if name not in names and asked <= shown:
            kept += [[row[column] for column in CODE_COLUMNS] for row in mine]
    return kept


def _readme(path: Path, told: "Platform", command: str) -> Path:
    lines = [told.title, "=" * len(told.title), "", "How to use these files", ""]
    steps = enumerate(told.steps, start=1)
    lines += [f"{at}. {step.format(command=command)}" for at, step in steps]
    lines += ["", "What they cannot express, and what to do about it", ""]
    lines += [f"- {what}: {do}" for what, do in told.limits.items()]
    with atomic_text(path) as stream:
        stream.write("\n".join(lines) + "\n")
    return path


def _codes(
    name: str, module: FormWriter, kit: Kit, sheet: Sheet, mapping: Mapping
) -> Iterator[tuple[object, ...]]:
    """Yield what stands for every option of a form, then for the respondents' attributes."""
    parts = {part.id: part for part in mapping.questions}
    for item in sheet.items:
        question, part = item.question, parts[item.question.id]
        options = {option.code: at for at, option in enumerate(question.options)}
        for code, option in part.options.items():
            at = options[option]
            column = part.column or (part.columns or "").replace("{code}", code)
            text = question.options[at].text
            place = item.order.index(at) + 1
            yield name, sheet.id, column, code, question.id, option, place, text
    labels = {attribute.name: dict(attribute.values) for attribute in kit.attributes}
    coded = module.coded(kit)
    for attribute in kit.attributes:
        column = mapping.attributes[attribute.name].column
        for place, (code, value) in enumerate(coded[attribute.name].items(), start=1):
            shown = labels[attribute.name][value]
            yield name, sheet.id, column, code, attribute.name, value, place, shown
    for check in mapping.attention:
        passed = kit.check.options[kit.check.answer]
        yield (
            *(name, sheet.id, check.column, check.expect[0], ATTENTION),
            *("passed", kit.check.answer + 1, passed),
        )
