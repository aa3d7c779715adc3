"""The file of a workspace for its language: written with every text to fill in, and checked."""

import re
from dataclasses import dataclass, replace
from pathlib import Path

from curation.checks.languages import language_part_wrong
from curation.files.atomic import atomic_text
from curation.files.lock import writing
from curation.files.packs import language_of_file, own_language
from curation.files.workspace import Workspace
from curation.languages import Language, available, load
from curation.languages.parts import PARTS
from curation.languages.writing import missing_parts, new_text
from curation.languages.written import needed, sections
from curation.records.codes import check_code
from curation.records.errors import CurateError
from curation.records.findings import Finding, Severity
from curation.records.wrong_values import WrongValue

_LINE = re.compile(r", line (\d+)$")


@dataclass(frozen=True, slots=True)
class PartToWrite:
    """A part of a language that is to be written.

    Attributes:
        part: Its name.
        needed_for: What cannot be done, or is done otherwise, without it.
        texts: How many texts it must have.
        taken: Lines of it that are taken over from a related language, to be reviewed.
    """

    part: str
    needed_for: str
    texts: int
    taken: int = 0


@dataclass(frozen=True, slots=True)
class NewLanguageFile:
    """A file in which a group writes its language.

    Attributes:
        file: The file; None where nothing is missing, so that none was written.
        parts: What is to be written, in the order of writing.
    """

    file: Path | None
    parts: tuple[PartToWrite, ...]


def file_of(workspace: Workspace, language: str | None = None) -> Path | None:
    """The file of a language in a workspace; None where there is none.

    Args:
        workspace: The workspace.
        language: The code of the language, by default the culture's; or a file itself.

    Raises:
        CurateError: If two files are for the language.
    """
    if language and Path(language).suffix:
        return Path(language)
    found = own_language(workspace.root, language or workspace.culture.language)
    return found.file if found.text else None


def new_language_file(
    workspace: Workspace, code: str | None = None, like: str | None = None
) -> NewLanguageFile:
    """Write a file with a place for every text that a language lacks, the English beside each.

    What the toolkit has of the language is not asked for.

    Args:
        workspace: The workspace.
        code: The code of the language; by default the culture's.
        like: The code of a related language, whose texts stand in the places, marked line by line
            as not reviewed. A file in which nothing is written yet is then replaced.

    Raises:
        CurateError: If there is a file for the language, the toolkit has no texts of the related
            one, or the file cannot be written.
    """
    with writing(workspace, "curate language"):
        try:
            check_code(code or workspace.culture.language)
        except WrongValue as error:
            raise CurateError(error.what, "CODE", error.hint) from error
        language = own_language(workspace.root, code or workspace.culture.language)
        if language.text and (like is None or any(map(language.written, PARTS))):
            raise CurateError(
                f"there is a file for '{language}' already",
                str(language.file),
                "write on in it; 'curate language' says what is open",
            )
        relative = _relative(language, like) if like is not None else None
        found = to_write(language)
        if found.file is not None:
            text = new_text(language, relative)
            with atomic_text(found.file) as stream:
                stream.write(text)
            found = to_write(language, replace(language, text=text))
        workspace.refresh()
    return found


def _relative(language: Language, code: str) -> Language:
    """The related language of a code, as the toolkit has it.

    Raises:
        CurateError: If it has no text that the language lacks.
    """
    lacking = [part.name for part in missing_parts(language) if part.name != "language"]
    able = [name for name in available() if any(map(load(name).has_file_of, lacking))]
    folder = load(code).folder
    if folder is None or folder.name not in able:
        raise CurateError(
            f"the toolkit has no texts of '{code}' that '{language}' lacks",
            "--like",
            f"name one of {', '.join(able)}" if able else "write the file without it",
        )
    return load(folder.name)


def to_write(language: Language, begun: Language | None = None) -> NewLanguageFile:
    """What a language lacks, and the file that it is to be written in.

    Args:
        language: The language.
        begun: The same with what is taken over from a related one.
    """
    rows = []
    for part in missing_parts(language):
        own = begun.written(part.name) if begun is not None else None
        taken = own.unreviewed if own is not None else 0
        rows.append(PartToWrite(part.name, part.needed_for, len(needed(part.name)), taken))
    return NewLanguageFile(language.file if rows else None, tuple(rows))


@dataclass(frozen=True, slots=True)
class PartChecked:
    """How far a part of a language is.

    Attributes:
        part: Its name.
        status: `written`; `open`, where a text that it must have is not; `wrong`, where it has an
            error; `empty`, where nothing is written of it; `ours`, where the toolkit's is used.
        open: The texts that it must have and has not.
        left: Other places without a text.
        needed_for: What cannot be done, or is done otherwise, without it.
        required: How many texts it must have.
        unreviewed: Lines that are taken over from a related language, and not reviewed.
    """

    part: str
    status: str
    open: tuple[str, ...]
    left: tuple[str, ...]
    needed_for: str
    required: int
    unreviewed: int = 0


@dataclass(frozen=True, slots=True)
class LanguageChecked:
    """What is wrong with the file of a language, and what is open.

    Attributes:
        file: The file.
        language: The code of the language.
        parts: How far each part is.
        findings: What is wrong, with lines as rows.
    """

    file: Path
    language: str
    parts: tuple[PartChecked, ...]
    findings: tuple[Finding, ...]


def check_language(file: Path) -> LanguageChecked:
    """Look at the file of a language: all that is wrong with it, and what is open.

    Args:
        file: The file, called by the language's code.

    Raises:
        CurateError: If it cannot be read, its name is no code, or another file is for the same
            language.
    """
    language = language_of_file(file)
    findings: list[Finding] = []
    parts: list[PartChecked] = []
    try:
        sections(language.text, file)
    except CurateError as error:
        return LanguageChecked(file, language.code, (), (_finding(error, file),))
    for part in PARTS.values():
        own = language.written(part.name)
        open_, left = (own.open, own.left) if own is not None else ((), ())
        if own is None:
            status = "ours" if language.has_file_of(part.name) else "empty"
            open_ = needed(part.name) if status == "empty" else ()
        elif own.errors:
            status = "wrong"
            findings += [_finding(error, file) for error in own.errors]
        else:
            status = "open" if own.value is None else "written"
        taken = own.unreviewed if own is not None else 0
        done_without = status == "ours" or (status == "empty" and not part.everywhere)
        must = 0 if done_without else len(needed(part.name))
        parts.append(PartChecked(part.name, status, open_, left, part.needed_for, must, taken))
    return LanguageChecked(file, language.code, tuple(parts), tuple(findings))


def _finding(error: CurateError, file: Path) -> Finding:
    line = _LINE.search(error.where)
    key, _, message = error.what.partition(": ")
    if " " in key:
        key, message = "", error.what  # it is about the file
    return Finding(
        language_part_wrong.id,
        Severity.ERROR,
        file.name,
        int(line[1]) if line else None,
        key if message else "",
        message or error.what,
        error.hint,
    )
