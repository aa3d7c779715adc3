"""New workspaces: empty, of the demo or the tutorial; and files for their languages."""

import json
import os
import re
import uuid
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from shutil import copytree
from typing import Any

from curation.checks.settings import language_part_wrong
from curation.files.atomic import HELD, staged_folder, write_file
from curation.files.bank import write_bank, write_groups
from curation.files.culture import language_of_file, own_language
from curation.files.lock import locked, writing, writing_results
from curation.files.workspace import Workspace
from curation.languages import Language, available, load
from curation.languages.writing import needed, new_text
from curation.languages.written import PARTS, sections
from curation.records.bank import Bank
from curation.records.culture import UNWRITTEN, Culture
from curation.records.messages import CurateError, Finding, Severity, refusal
from curation.records.settings import WrongValue, check_code, parse_settings
from curation.report.texts import resource

_LINE = re.compile(r", line (\d+)$")


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
) -> dict[str, Any]:
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

    Returns:
        What `to_write` gives.
    """
    with writing(workspace, "curate language"):
        code = _checked(code or workspace.culture.language, "CODE")
        language = own_language(workspace.root, code)
        if language.text and (like is None or any(map(language.written, PARTS))):
            raise refusal("curation", "language-there", str(language.file), language=language)
        relative = _relative(language, like) if like is not None else None
        found = to_write(language)
        if found["file"] is not None:
            text = new_text(language, relative)
            write_file(found["file"], text)
            found = to_write(language, replace(language, text=text))
        workspace.refresh()
    return found


def _checked(code: str, where: str) -> str:
    try:
        return check_code(code)
    except WrongValue as error:
        raise CurateError(error.what, where, error.hint) from error


def _relative(language: Language, code: str) -> Language:
    """The related language of a code, as the toolkit has it.

    Raises:
        CurateError: If it has no text that the language lacks.
    """
    lacking = [part.name for part in language.missing_parts if part.name != "language"]
    able = [name for name in available() if any(map(load(name).has_file_of, lacking))]
    folder = load(code).folder
    if folder is None or folder.name not in able:
        key = "like-other" if able else "like-none"
        raise refusal("curation", key, "--like", like=code, language=language, able=able)
    return load(folder.name)


def to_write(language: Language, begun: Language | None = None) -> dict[str, Any]:
    """What a language lacks, and the file that it is to be written in.

    Args:
        language: The language.
        begun: The same with what is taken over from a related one.

    Returns:
        The `file`, None where nothing is missing; and its `parts` in the order of writing, each
        with its name (`part`), what it is `needed_for`, how many `texts` it must have, and how many
        lines of it are `taken` over from a related language, to be reviewed.
    """
    rows = []
    for part in language.missing_parts:
        own = begun.written(part.name) if begun is not None else None
        told = {"part": part.name, "needed_for": part.needed_for, "texts": len(needed(part.name))}
        rows.append({**told, "taken": own.unreviewed if own is not None else 0})
    return {"file": language.file if rows else None, "parts": rows}


def check_language(file: Path) -> dict[str, Any]:
    """Look at the file of a language: all that is wrong with it, and what is open.

    Args:
        file: The file, called by the language's code.

    Raises:
        CurateError: If it cannot be read, its name is no code, or another file is for the same
            language.

    Returns:
        The `file`, the code of its `language`, the `findings` with lines as rows, and how far its
        `parts` are, each with its name (`part`), its `status` (`written`; `open`, where a text that
        it must have is not; `wrong`, where it has an error; `empty`, where nothing is written of
        it; `ours`, where the toolkit's is used), the texts that it must have and has not (`open`),
        other places without a text (`left`), what it is `needed_for`, how many texts it must have
        (`required`), and how many lines are taken over and `unreviewed`.
    """
    language = language_of_file(file)
    findings: list[Finding] = []
    parts: list[dict[str, Any]] = []
    found = {"file": file, "language": language.code, "parts": parts, "findings": findings}
    try:
        sections(language.text, file)
    except CurateError as error:
        findings.append(_finding(error, file))
        return found
    for part in PARTS.values():
        own, must = language.written(part.name), needed(part.name)
        open_, left, taken = (own.open, own.left, own.unreviewed) if own else ((), (), 0)
        if own is None:
            status = "ours" if language.has_file_of(part.name) else "empty"
            open_ = must if status == "empty" else ()
        elif own.errors:
            status = "wrong"
            findings += [_finding(error, file) for error in own.errors]
        else:
            status = "open" if own.value is None else "written"
        done_without = status == "ours" or (status == "empty" and not part.everywhere)
        told = {"part": part.name, "status": status, "open": open_, "left": left}
        required = 0 if done_without else len(must)
        last = {"needed_for": part.needed_for, "required": required, "unreviewed": taken}
        parts.append({**told, **last})
    return found


def _finding(error: CurateError, file: Path) -> Finding:
    line = _LINE.search(error.where)
    key, _, message = error.what.partition(": ")
    if " " in key or not message:
        key, message = "", error.what  # it is about the file
    row = int(line[1]) if line else None
    return Finding(language_part_wrong.id, Severity.ERROR, file.name, row, key, message, error.hint)


_WORKSPACE_PARTS = ("culture.yaml", "README.md", "templates_src", "responses")
DEMO_LANGUAGE = "ko"
"""The language of the demo's own files; in another one some of them are others."""


def copy_demo(folder: Path, language: str = DEMO_LANGUAGE) -> None:
    """Copy the demo workspace, as its people wrote it, to a folder that is new or empty.

    Args:
        folder: The folder.
        language: The language of its texts. Templates, questions and answers are the same in each.

    Raises:
        CurateError: If the folder holds something, or cannot be written to, or there is no demo in
            the language.
    """
    others = _packaged("demo_languages")
    known = sorted([DEMO_LANGUAGE, *(it.name for it in others.iterdir() if it.is_dir())])
    if language not in known:
        told = {"language": language, "known": known}
        raise refusal("curation", "demo-language-unknown", "--language", **told)
    over = None if language == DEMO_LANGUAGE else others / language
    _copy(folder, _packaged("demo"), _WORKSPACE_PARTS, over)


def copy_tutorial(folder: Path) -> list[str]:
    """Copy the files that the tutorial begins with to a folder that is new or empty.

    Returns:
        Their names.

    Raises:
        CurateError: If the folder holds something, or cannot be written to.
    """
    _copy(folder, _packaged("tutorial"))
    return sorted(path.name for path in folder.iterdir())


def _packaged(name: str) -> Path:
    """A folder of `templates_src`: in the package, or where an editable install has it."""
    packaged = Path(__file__).parent / "templates_src" / name
    return packaged if packaged.is_dir() else Path(__file__).parents[1] / "templates_src" / name


def _copy(folder: Path, source: Path, parts: Sequence[str] = (), over: Path | None = None) -> None:
    """Copy a folder, or some parts of it, with what lies over it, all or nothing."""
    every = [path for path in source.iterdir() if path.name != "__pycache__"]
    wanted = [source / own for own in parts] or every
    wanted += [] if over is None else over.iterdir()
    with writing_results(folder, "curate demo"):
        there = folder.iterdir() if folder.is_dir() else [folder] * folder.exists()
        if any(path.name != HELD for path in there):
            raise refusal("curation", "demo-folder-full", folder, folder=folder)
        with staged_folder(folder) as stage:
            for part in wanted:
                if part.is_dir():
                    copytree(part, stage / part.name, dirs_exist_ok=True)
                else:
                    (stage / part.name).write_bytes(part.read_bytes())


_IGNORE = ".curate/\nannotations/people.csv\nannotations/raw/\n"


def init_workspace(
    folder: Path | str, language: str = "ko", culture: str | None = None
) -> Workspace:
    """Make a new workspace: its settings, an empty bank, empty groups, and its folders.

    If the language is not complete in the toolkit, a language file with all open texts is written.

    Args:
        folder: The folder, which may exist but must hold no workspace yet. Files of a bank that
            it has are kept.
        language: ISO 639-1 code of the culture's language.
        culture: Name of the culture; the folder's name by default.

    Raises:
        CurateError: If there is a workspace, the language is none, or files cannot be written.
    """
    workspace = Workspace(Path(folder))
    if workspace.culture_file.exists():
        raise refusal("curation", "workspace-there", workspace.culture_file)
    root = workspace.root
    name = culture or Path(os.path.realpath(root)).name or "culture"
    general = load(_checked(language, "--language")).general
    text = f"{resource('curation', 'new_culture.yaml.txt')}\n".format(
        culture=json.dumps(name, ensure_ascii=False),
        language=language,  # a JSON text is a YAML one
        unknown=(general and general.unknown) or UNWRITTEN,
        canary=uuid.uuid4(),
    )
    # What is wrong is refused before any writing.
    parse_settings(text, Culture, workspace.culture_file)
    try:
        for part in (workspace.sources_folder, workspace.responses_folder, root / "annotations"):
            part.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refusal("curation", "folder-refused", root, root=root, why=error.strerror) from error
    with locked(root, "curate init", workspace):
        if not workspace.bank_file.exists():
            write_bank(workspace.bank_file, Bank())
        if not workspace.groups_file.exists():
            write_groups(workspace.groups_file, [])
        if not (root / ".gitignore").exists():
            write_file(root / ".gitignore", _IGNORE)
        write_file(workspace.culture_file, text)
    workspace.refresh()
    if not workspace.language.text and to_write(workspace.language)["file"] is not None:
        new_language_file(workspace)
    return workspace
