"""Labels that were given in another tool, read from what it exports.

A table with a row an answer, and the JSON of Label Studio, doccano and Argilla, become rows of one
kind: what stands beside an answer and what it says, by name. `exported.yaml` lists the names. Every
answer is read whole or refused with its place.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZipFile

from curation.annotation.labels import annotation_of, page_answer
from curation.annotation.labelstudio.answers import numbered_name, read_people
from curation.annotation.labelstudio.tasks import RESERVED, UNSURE
from curation.annotation.sheets import Given, pages
from curation.files.tables import (
    ZIP_FAULTS,
    read_bytes,
    read_table,
    read_text,
    refuse_problems,
)
from curation.files.workbooks.spec import KEY
from curation.files.workspace import Workspace
from curation.records.annotation import CLASSIFY_LABELS, Annotation, person_key
from curation.records.bank import Label
from curation.records.messages import (
    CurateError,
    Finding,
    finding,
    given_name,
    own_yaml,
    refusal,
    shortened,
)
from curation.report.texts import resource

_KEY = f"{KEY}_1"
"""A column of a sheet of ours that was saved as a table, without the looks of its answers."""
SUFFIXES = (".csv", ".tsv", ".json", ".jsonl", ".zip")
"""How files end that other tools export; workbooks are read by their keys."""
_NOBODY = frozenset({"all", "unknown"})
"""What doccano calls a file that is no annotator's."""

_SUBMITTED = "submitted"
"""The state of an answer of Argilla that counts."""
_AGAIN = "export it again"

Record = Mapping[str, Any]


def read_exported(
    workspace: Workspace, paths: Iterable[Path], templates: Iterable[str], at: str
) -> tuple[list[Annotation], list[Finding]]:
    """Read the labels that files of other tools hold.

    Args:
        workspace: The workspace.
        paths: The files: `SUFFIXES` lists how they may end; a zip holds such files.
        templates: The ids of the templates that are classified.
        at: When they are read.

    Returns:
        The annotations, one of each annotator and template, and what is wrong: with an error
        nothing is to be taken.

    Raises:
        CurateError: If it is none of these files, or names no template, annotator or label.
    """
    known, labels = {*templates}, _labels(workspace)
    people = {
        user: one.annotator
        for number, one in read_people(workspace).items()
        for user in (str(number), person_key(one.email))
    }
    found: dict[tuple[str, str], Annotation] = {}
    findings: list[Finding] = []

    def say(path: Path, key: str = "annotation-export", **words: str) -> None:
        findings.append(finding(__package__, key, path.name, **words))

    def refusing(path: Path, place: str) -> Callable[[str, str], None]:
        return lambda _, why: say(path, place=place, problem=why)

    for path in paths:
        data = read_bytes(path)
        source, count = workspace.shown(workspace.annotations.raw(path.name, data)), len(found)
        for where, row in _answers(path, data):
            said = {name: _first(row, names) for name, names in _names().items()}
            _refuse_lacking(path, where, row, said)
            who = said["annotator"]
            unnamed = numbered_name(int(who)) if who.isdecimal() else who
            said["annotator"] = people.get(person_key(who), unnamed)
            answer, is_ours = said["label"], row.keys() >= {*RESERVED}
            is_unsure = person_key(answer) == UNSURE
            said["label"] = labels.get(person_key(answer), answer)
            if is_ours and "decision" in row:
                said |= _of_page(row, UNSURE if is_unsure else said["label"])
            if is_unsure:
                said |= {"remark": said["remark"] or answer, "label": ""}
            if not (said["label"] or said["remark"] or said["reason"]):
                continue  # it was shown, and not answered
            given = Given(
                said["template_id"],
                given_name(said["annotator"], f"{path}, {where}"),
                said,
                source,
                at,
                refusing(path, where),
                _text(row.get("hash")) if is_ours else "",
            )
            if given.uid not in known:
                given.refuse("template_id", f"'{given.uid}' is no template that is classified")
                continue
            if (item := annotation_of(given, needs_reason=False)) is None:
                continue
            first = found.setdefault((item.template_id, person_key(item.annotator)), item)
            if replace(first, source_file="") != replace(item, source_file=""):
                why = f"{item.annotator} has answered {item.template_id} in another way too"
                given.refuse("label", why)
        if len(found) == count and not findings:
            raise CurateError(f"{path.name} holds no new label", str(path), _AGAIN)
    removed = (item for item in found.values() if item.label is Label.SAMPLE_REMOVED)
    if without := sorted({item.template_id for item in removed if not item.reason}):
        say(path, "annotation-export-reason", ids=shortened(without))
    return [*found.values()], findings


@cache
def _names() -> dict[str, list[str]]:
    found: dict[str, list[str]] = own_yaml(resource(__package__, "exported.yaml"))
    return found


def _labels(workspace: Workspace) -> dict[str, Label]:
    """The labels by what they may be called: their letters, their names, and those of the pages."""
    shown = pages(workspace.language).labels
    return {
        person_key(word): label
        for label in CLASSIFY_LABELS
        for name in (label.name.replace("_", " "), label.name.replace("_", "-"))
        for word in (label.value, name, getattr(shown, label.value))
    }


def _refuse_lacking(path: Path, where: str, row: Record, said: Mapping[str, str]) -> None:
    """Refuse a file that does not name template, annotator and label of an answer."""
    for name in ("template_id", "annotator", "label"):
        there = any(key in row for key in _names()[name])
        if not there or (name != "label" and not said[name]):
            words = {"what": name.removesuffix("_id"), "names": shortened([*map(str, row)])}
            raise refusal(__package__, "export-lacking", str(path), at=where, column=name, **words)


def _of_page(row: Record, decision: str) -> dict[str, str]:
    """What an annotator answered on a page of ours, of which another tool has written a table."""
    return page_answer(lambda name: decision if name == "decision" else _text(row.get(name)))


def _first(row: Record, names: Sequence[str]) -> str:
    return next(filter(None, (_text(row.get(name)) for name in names)), "")


def _text(value: object) -> str:
    """What a question was answered with, as text; several pieces as lines."""
    if isinstance(value, dict):
        value = next(iter(value.values()), None)
    if isinstance(value, list):
        return "\n".join(filter(None, map(_text, value)))
    text = "" if value is None else str(value).strip()
    return _text(json.loads(text)) if text.startswith('{"choices"') else text


def _answers(path: Path, data: bytes) -> Iterator[tuple[str, Record]]:
    """The answers of a file, each with its place, and names in small letters."""
    if path.suffix.lower() != ".zip":
        yield from _of_file(path, owned=False)
        return
    try:
        with ZipFile(BytesIO(data)) as parts, TemporaryDirectory() as folder:
            for name in parts.namelist():
                if Path(name).suffix.lower() in SUFFIXES[:-1]:
                    yield from _of_file(Path(parts.extract(name, folder)), owned=True)
    except (*ZIP_FAULTS, ValueError) as error:
        raise CurateError(f"{path.name} is damaged", str(path), _AGAIN) from error


def _of_file(path: Path, *, owned: bool) -> Iterator[tuple[str, Record]]:
    """The answers of one file; of doccano, which names it after the annotator and no one in it."""
    owner = {} if path.stem in _NOBODY else {"annotator": path.stem}
    for place, record in _records(path):
        mine = owner if owned or "Comments" in record else {}
        try:
            rows = [*_spread(record)]
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            what = f"{place} is not as Label Studio or Argilla export it: {error!r}"
            raise CurateError(what, str(path), _AGAIN) from None
        for row in rows:
            yield f"{path.name}, {place}", mine | {name.casefold(): row[name] for name in row}


def _records(path: Path) -> Iterator[tuple[str, Record]]:
    """The records of a file, each with its place."""
    if (suffix := path.suffix.lower()) in (".csv", ".tsv"):
        table = read_table(path, delimiter="\t" if suffix == ".tsv" else ",")
        refuse_problems(table)
        if _KEY in table.columns:
            raise refusal("curation", "workbook-lone-sheet", path)
        yield from ((f"row {row.number}", row.cells) for row in table.rows)
        return
    text = read_text(path)
    try:
        lines = text.split("\n") if suffix == ".jsonl" else [text]
        parsed = [json.loads(line) for line in lines if line.strip()]
        records = parsed[0] if len(parsed) == 1 and isinstance(parsed[0], list) else parsed
        if not all(isinstance(item, dict) for item in records):
            raise ValueError("it is no list of records")
    except (ValueError, RecursionError) as error:
        raise CurateError(f"{path.name} cannot be read: {error}", str(path), _AGAIN) from None
    yield from ((f"record {number}", item) for number, item in enumerate(records, start=1))


def _spread(record: Record) -> Iterator[Record]:
    """The answers of a record, each with what stands beside it."""
    beside = {
        **record,
        **(record["metadata"] if isinstance(record.get("metadata"), dict) else {}),
        **(record["data"] if isinstance(record.get("data"), dict) else {}),
    }
    responses = record.get("responses")
    flat = [name.removesuffix(".users") for name in record if name.endswith(".users")]
    if isinstance(record.get("annotations"), list):  # Label Studio
        for item in record["annotations"]:
            who = item.get("completed_by")
            if not item.get("was_cancelled"):
                said = {part["from_name"]: part["value"] for part in item.get("result", ())}
                yield {**beside, "annotator": who["id"] if isinstance(who, dict) else who, **said}
    elif isinstance(responses, list):  # Argilla 1
        for item in responses:
            if item.get("status", _SUBMITTED) == _SUBMITTED:
                yield {**beside, "annotator": item["user_id"], **(item.get("values") or {})}
    elif isinstance(responses, dict) or flat:  # Argilla 2
        given = dict(responses) if isinstance(responses, dict) else {}
        for name in flat:
            people, values = (record[key] or () for key in (f"{name}.users", name))
            states = record.get(f"{name}.status") or [_SUBMITTED] * len(people)
            given[name.removesuffix(".responses")] = [
                {"user_id": user, "value": value, "status": state}
                for user, value, state in zip(people, values, states, strict=True)
            ]
        users: dict[str, dict[str, object]] = {}
        for asked, items in given.items():
            for item in items:
                if item.get("status", _SUBMITTED) == _SUBMITTED:
                    users.setdefault(item["user_id"], {})[asked] = item["value"]
        for user, answers in users.items():
            yield {**beside, "annotator": user, **answers}
    else:
        yield beside
