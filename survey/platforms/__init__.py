"""Platforms: what each is given, how its answers are read, and by what its files are recognised.

A module a platform. One that forms are written for holds what `survey.platforms.kit.Platform`
says; one whose files are recognised what `survey.platforms.recognise.Platform` says.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import cast

from curation.files.atomic import atomic_text
from curation.files.tables import write_csv
from curation.records.progress import watched
from survey.mapping import Mapping, save_mapping
from survey.platforms.kit import ATTENTION, Kit, Platform, Sheet, uncovered

_PLATFORMS = {
    "qualtrics": "survey.platforms.qualtrics",
    "limesurvey": "survey.platforms.limesurvey",
    "workbook": "survey.platforms.workbook",
    "csv": "survey.platforms.panel",
    "google": "survey.platforms.google_forms",
    "xlsform": "survey.platforms.xlsform",
    "surveyjs": "survey.platforms.surveyjs",
    "label_studio": "survey.platforms.label_studio",
}
PLATFORMS = tuple(_PLATFORMS)
"""The platforms that forms can be written for."""

MIXING = frozenset({"limesurvey"})
"""Those whose files ask that each respondent sees the options in an order of their own."""

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


def platform(name: str) -> Platform:
    """Import a platform's module."""
    return cast(Platform, import_module(_PLATFORMS[name]))


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
    written = []
    codes: list[tuple[object, ...]] = []
    for name in names:
        module = platform(name)
        files = module.write(folder / name, kit)
        for sheet in watched(kit.sheets, f"Mappings for {module.TITLE}", kit.progress):
            mapping = module.mapping(kit, sheet)
            wrong = uncovered(sheet, mapping)
            if wrong:
                raise ValueError(f"{name}, {sheet.id}: {'; '.join(wrong)}")
            path = folder / name / f"{sheet.id}.mapping.yaml"
            save_mapping(path, mapping, _heading(module, sheet))
            files.append(path)
            codes.extend(_codes(name, module, kit, sheet, mapping))
        files.append(_readme(folder / name / "README.txt", module, command))
        written.append(Written(name, tuple(files), module.LIMITS))
    write_csv(folder / "codes.csv", CODE_COLUMNS, codes, escaped=True)
    return written


def _heading(module: Platform, sheet: Sheet) -> str:
    return (
        f"# How the answers to form {sheet.id} are read from what {module.TITLE} gives back.\n"
        "# Written by 'curate survey build'; README.txt says how to export them.\n"
    )


def _readme(path: Path, module: Platform, command: str) -> Path:
    lines = [module.TITLE, "=" * len(module.TITLE), "", "How to use these files", ""]
    lines += [
        f"{at}. {step.format(command=command)}" for at, step in enumerate(module.STEPS, start=1)
    ]
    lines += ["", "What they cannot express, and what to do about it", ""]
    lines += [f"- {what}: {do}" for what, do in module.LIMITS]
    with atomic_text(path) as stream:
        stream.write("\n".join(lines) + "\n")
    return path


def _codes(
    name: str, module: Platform, kit: Kit, sheet: Sheet, mapping: Mapping
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
