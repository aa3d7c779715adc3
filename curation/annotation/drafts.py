"""Drafts of new templates by a model, which people judge without knowing who wrote which.

What rules refuse of a draft is what went wrong where a model was tried for it (Jin et al. 2024): a
scene that is general where it should be of the culture, a counter-biased context in which the
person of the stereotype acts as it says, and a question that the context does not answer. A rule
cannot read a scene: the model quotes the words that it relies on, and the quotations are checked.
The same faults stand among the answers of the people who judge.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from curation.annotation import newtemplates
from curation.annotation.agreement import Statistic, krippendorff_alpha, percent_agreement
from curation.annotation.engines.engine import Listener, Outcome, problem_of
from curation.annotation.engines.openai_engine import QuestionService, json_in
from curation.annotation.labels import shown
from curation.annotation.sheets import Given, collect_rows, columns, hand_out_each
from curation.annotation.suggestions import TOLD, suggestion_store
from curation.files.codec import Codec
from curation.files.lock import writing
from curation.files.tables import read_table, refuse_problems, write_csv
from curation.files.workbooks import OpenBook, Sheet, SheetRow
from curation.files.workspace import Workspace
from curation.intervals import interval
from curation.languages import name_and_code
from curation.records.bank import SLOT_TEXT_FIELDS, Bank, Template, Variant, target_slot
from curation.records.messages import (
    CellError,
    CurateError,
    Severity,
    finding,
    refusal,
    shortened,
)
from curation.report.texts import resource

DRAFTS = "drafts"
"""The kind of the workbook, and its sheet."""
PEOPLE = "people"
"""The writer of a template that no model wrote."""
ACCEPT = "accept"
"""What is said of a template that is good as it is."""
_COLUMNS = tuple(column.name for column in columns("new"))
_TABLE = ("key", "writer", "refused", "template_id", *_COLUMNS)
_GIVEN = ("category", "stereotype", "names", "reference")
_WRITTEN = SLOT_TEXT_FIELDS[:4]
_QUOTES = ("biased_quote", "counter_biased_quote", "local_quote")
_SHOWN = ("category", *TOLD)
_MOST = 600
_PERSON = re.compile(r"\[(N[12])\b")
_SLOT = re.compile(r"\[[^\]]*\]")
_COMMAND = "curate new sheet"
_PROMPT = resource(__package__, "draft.txt")

Row = Mapping[str, str]
"""A row of the table of drafts, by column."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one person says of one template; fields are the columns of `judgements.csv`.

    Attributes:
        key: The row of `drafts.csv`.
        annotator: Who judged.
        judgement: `accept`, or what is wrong: `general`, `biased`, `no_answer`, `other`.
        remark: Other remarks.
        source_file: The returned file in `annotations/raw`.
        collected_at: When it was first read, UTC, ISO 8601.
    """

    key: str
    annotator: str
    judgement: str
    remark: str = ""
    source_file: str = ""
    collected_at: str = ""


JUDGEMENTS = Codec(
    Judgement,
    "one annotator judges a template once",
    key=("key", "annotator"),
    order=("annotator", "key"),
    words={"judgement": columns("judged")[0].choices},
)
"""The table `judgements.csv`."""


class DraftService(QuestionService):
    """A model that is asked for drafts."""

    purpose: ClassVar[str] = "draft"
    without: ClassVar[str] = ""


def hand_out_drafts(
    workspace: Workspace,
    file: Path,
    annotators: Sequence[str],
    model: str = "",
    listener: Listener | None = None,
) -> dict[str, Any]:
    """Make a workbook for each annotator, in which templates of people and of a model are judged.

    Nothing in it says who wrote which; that stands in `annotations/drafts.csv`, with the drafts
    that are refused. No reply is paid for twice, so an interrupted run can be run again.

    Args:
        workspace: The workspace.
        file: A table with columns of the sheet of new templates. A row with its texts is shown as
            it is; of one without, a model writes the contexts and the questions.
        annotators: Who judges.
        model: The model; none is asked without it.
        listener: Who is told while a model is asked; nobody by default.

    Returns:
        How many `templates` each workbook holds; the `sheets`; how many a model `drafted`; how many
        of them are `refused`, by reason; how many replies were `known`, and the `requests`.

    Raises:
        CurateError: If a row cannot be used, the budget does not suffice, a key or a reply is
            missing, or a workbook is in the way.
    """
    tell = listener or Listener()
    with writing(workspace, _COMMAND, lock="suggestions"):
        rows = _given_rows(workspace, file)
        asked = {at: row for at, row in rows.items() if not any(row[name] for name in _WRITTEN)}
        if asked and not model:
            raise refusal(__package__, "drafts-untexted", f"{file}, row {next(iter(asked))}")
        if model and not asked:
            raise refusal(__package__, "drafts-texted", file)
        own = {at: row | {"writer": PEOPLE} for at, row in rows.items() if at not in asked}
        # Before anything is paid for.
        for at, row in zip(own, _checked(workspace, [*own.values()]), strict=True):
            if why := row["refused"]:
                raise refusal("curation", "draft-row-refused", f"{file}, row {at}", why=why)
        outcome, replies, known = _replies(workspace, asked, model, tell)
        drafts = [_drafted(asked[at], replies[at], model) for at in asked]
        found = _checked(workspace, [*own.values(), *drafts])
        here = {row["key"]: row for row in found if not row["refused"]}
        with writing(workspace, _COMMAND) as fresh:
            before = {row["key"]: row for row in read_drafts(fresh)}
            new = {row["key"]: before.get(row["key"], {}) | row for row in found}
            _write(fresh, (before | new).values())

        def make() -> tuple[int, Sheet]:
            return len(here), _sheet(workspace, here)

        role = "annotator"
        made = hand_out_each(workspace, annotators, "judge", DRAFTS, role, make, _COMMAND)
    refused = Counter(row["refused"] for row in found if row["refused"])
    return {
        "templates": made["items"],
        "sheets": made["sheets"],
        "drafted": len(drafts),
        "refused": dict(sorted(refused.items())),
        "known": known,
        "requests": outcome.requests,
    }


def _given_rows(workspace: Workspace, file: Path) -> dict[int, dict[str, str]]:
    """The rows of a table of stereotypes, by number."""
    table = read_table(file, required=_GIVEN)
    refuse_problems(table)
    if strange := [name for name in table.columns if name not in _COLUMNS]:
        words = {"names": shortened(strange), "known": ", ".join(_COLUMNS)}
        raise refusal(__package__, "drafts-strange", f"{file}, row 1", **words)
    if not table.rows:
        raise refusal(__package__, "drafts-none", file)
    categories = [item.id for item in workspace.culture.categories]
    rows: dict[int, dict[str, str]] = {}
    for one in table.rows:
        where = f"{file}, row {one.number}"
        row = dict.fromkeys(_COLUMNS, "") | {name: one[name].strip() for name in table.columns}
        lacking = [name for name in _GIVEN if not row[name]] + [
            *newtemplates.groups_owed(row, asks_all=False)
        ]
        if lacking:
            raise CurateError("nothing stands here", f"{where}, {lacking[0]}")
        if row["category"] not in categories:
            words = {"category": row["category"], "known": shortened(categories)}
            raise refusal(__package__, "drafts-category", f"{where}, column category", **words)
        if row in rows.values():
            raise CurateError("it is an earlier row again", where, "leave it out")
        try:
            target = target_slot(newtemplates.texts_of(row))
        except CellError as error:
            raise CurateError(error.what, f"{where}, column {error.column}", error.hint) from None
        if not target:
            raise refusal(__package__, "drafts-target", where)
        rows[one.number] = row
    return rows


def _question(workspace: Workspace, row: Row) -> str:
    """What a model is asked for a row."""
    target = target_slot(newtemplates.texts_of(row))
    return _PROMPT.format(
        language=name_and_code(workspace.language),
        culture=workspace.culture.culture,
        target=row["target_groups"],
        stereotype=row["stereotype"],
        names=row["names"],
        words=f"; other words that may change: {row['words']}" if row["words"] else "",
        one=target,
        other=_other(target),
    )


def _other(person: str) -> str:
    return "N2" if person == "N1" else "N1"


def _replies(
    workspace: Workspace, asked: Mapping[int, Row], model: str, listener: Listener
) -> tuple[Outcome, dict[int, str], int]:
    """What a model replies, by row; what is not known yet is asked."""
    if not asked:
        return Outcome(), {}, 0
    settings = workspace.culture.translation
    price = settings.price if model == settings.model else None
    service = DraftService(settings.model_copy(update={"model": model, "price": price}))
    questions = {str(at): _question(workspace, row) for at, row in asked.items()}
    with suggestion_store(workspace) as memory:
        known = len(service.replies(memory, questions))
        outcome = service.ask(memory, service.open(memory, questions), listener)
        if problem := problem_of(outcome, "question", ""):
            raise problem
        replies = service.replies(memory, questions)
    return outcome, {at: replies[str(at)] for at in asked}, known


def _drafted(row: Row, reply: str, model: str) -> dict[str, str]:
    """A row with what a model wrote, and why it is refused."""
    draft = dict(row) | {"writer": f"{DraftService.name}:{model}"}
    said, names = json_in(reply), (*_WRITTEN, *_QUOTES)
    parts = {name: text.strip() for name in names if isinstance(text := said.get(name), str)}
    if len(parts) < len(names):
        return draft | {"refused": "unreadable"}
    one = target_slot(newtemplates.texts_of(row))
    answers = {"biased_answer": f"[{_other(one)}]", "counter_biased_answer": f"[{one}]"}
    texts = {name: parts[name] for name in _WRITTEN}
    return draft | texts | answers | {"refused": fault_of_draft(parts, one)}


def fault_of_draft(parts: Row, target: str) -> str:
    """Why a draft cannot be shown, as far as its quotations tell; empty where nothing is wrong.

    Args:
        parts: Its contexts, its questions and its quotations, by name.
        target: The person that the stereotype is about, `N1` or `N2`.
    """
    before, after = parts["ambiguous_context"], parts["disambiguating_context"]
    if any(len(parts[name]) > _MOST for name in _WRITTEN):
        return "long"
    people = {"biased_quote": _other(target), "counter_biased_quote": target}
    named = {name: {*_PERSON.findall(parts[name])} for name in people}
    for name, who in named.items():
        if len(who) != 1 or parts[name] not in after or parts[name] in before:
            return "no_answer"
    if any(named[name] != {person} for name, person in people.items()):
        return "biased"
    asked = parts["biased_question"] + parts["counter_biased_question"]
    if {*_PERSON.findall(before)} != {"N1", "N2"} or _PERSON.search(asked):
        return "no_answer"
    local = parts["local_quote"]
    if local not in before or not any(map(str.isalpha, _SLOT.sub("", local))):
        return "general"
    return ""


def _checked(workspace: Workspace, rows: Sequence[Row]) -> list[dict[str, str]]:
    """Rows with their keys, and with why they are refused: a rule, or texts that are there."""
    found: list[dict[str, str]] = []
    every: list[Variant] = []
    numbers, scenes = newtemplates.numbers_taken(workspace), set[tuple[str, ...]]()
    for at, given in enumerate(rows):
        row = {"refused": "", **given}
        hashed = json.dumps([row["writer"], *(row[name] for name in _COLUMNS)])
        found.append(row | {"key": hashlib.sha256(hashed.encode()).hexdigest()[:8]})
        scene = tuple(" ".join(row[name].split()).casefold() for name in _WRITTEN)
        if not row["refused"] and scene in scenes:
            found[at]["refused"] = "doubled"
        if found[at]["refused"]:
            continue
        scenes.add(scene)
        try:
            if newtemplates.in_bank(workspace, row) is None:
                far = newtemplates.FAR + at
                every += newtemplates.make_pair(workspace, row, every, numbers, far)
        except CellError as error:
            found[at]["refused"] = error.what
    for at, said in newtemplates.broken_rules(workspace, every):
        if said.severity is Severity.ERROR:
            found[at]["refused"] = found[at]["refused"] or said.rule
    return found


def read_drafts(workspace: Workspace) -> list[dict[str, str]]:
    """The templates that were to be judged, and who wrote them; none before any were handed out.

    Raises:
        CurateError: If the table cannot be read.
    """
    path = workspace.annotations.drafts
    if not path.exists():
        return []
    table = read_table(path, required=_TABLE)
    refuse_problems(table)
    return [{name: row[name] for name in _TABLE} for row in table.rows]


def _write(workspace: Workspace, rows: Iterable[Row]) -> None:
    cells = sorted([row.get(name, "") for name in _TABLE] for row in rows)
    write_csv(workspace.annotations.drafts, _TABLE, cells)


def _sheet(workspace: Workspace, rows: Mapping[str, Row]) -> Sheet:
    """The sheet: in the order of the keys, which are hashes and say nothing of the writer."""
    cells, numbers = {}, newtemplates.numbers_taken(workspace)
    for key, row in rows.items():
        pair = newtemplates.make_pair(workspace, row, (), numbers, 0)
        cells[key] = shown(Template(pair[0].template_id, pair))
    return judged_sheet(
        SheetRow(key, {name: cells[key][name] for name in _SHOWN}) for key in sorted(rows)
    )


def judged_sheet(rows: Iterable[SheetRow]) -> Sheet:
    """The sheet in which people judge drafts."""
    told = tuple(column for column in columns("template") if column.name in _SHOWN)
    return Sheet(DRAFTS, (*told[:4], *columns("judged"), *told[4:]), tuple(rows))


def _judgement(given: Given) -> Judgement | None:
    if not given.text("judgement"):
        return None
    said = given.text("judgement"), given.text("remark")
    return Judgement(given.uid, given.person, *said, given.source, given.at)


def collect_judgements(
    workspace: Workspace, files: Sequence[Path], *, at_least: int = 2, dry_run: bool = False
) -> dict[str, Any]:
    """Collect what people say of drafts, and put the templates that all accept into the bank.

    A judgement replaces an earlier one of its annotator and template; where there is none now, the
    earlier one stays and is named.

    Args:
        workspace: The workspace.
        files: The workbooks.
        at_least: The least number of annotators who accept a template that is taken.
        dry_run: Whether nothing is written.

    Returns:
        The templates that were `added`, with `template_id` and `stereotype`; the `acceptance`, as
        the function of this name gives it; and the `findings`.

    Raises:
        Refusal: If a workbook has an error: nothing is written but a marked copy of it.
        CurateError: If a file cannot be read or written.
    """
    with writing(workspace, "curate collect", dry_run=dry_run):
        drafts = read_drafts(workspace)
        rows = {row["key"]: row for row in drafts if not row["refused"]}

        def sheet_of(book: OpenBook) -> Sheet:
            handed = book.hashes.get(DRAFTS, {})
            return _sheet(workspace, {key: row for key, row in rows.items() if key in handed})

        path = workspace.annotations.judgements
        joined, findings, *_ = collect_rows(
            workspace, files, DRAFTS, JUDGEMENTS, path, sheet_of, _judgement, dry_run=dry_run
        )
        given = _ratings(joined)
        taken = [
            row
            for key, row in rows.items()
            if len(given.get(key, {})) >= at_least and {*given[key].values()} == {ACCEPT}
            # What was added once may have been changed or taken out since.
            if not row["template_id"]
        ]
        numbers, added = newtemplates.numbers_taken(workspace), list[Variant]()
        for row in taken:
            first = newtemplates.in_bank(workspace, row)
            if first is None:
                first, other = newtemplates.make_pair(workspace, row, added, numbers, 0)
                added += first, other
            row["template_id"] = str(first.template_id)
        in_use = workspace.bank.template_names - workspace.not_used
        late = [
            name
            for key, row in rows.items()
            if {*given.get(key, {}).values()} - {ACCEPT}
            if (name := workspace.renamed.get(row["template_id"], row["template_id"])) in in_use
        ]
        if late:
            where, ids = workspace.shown(path), shortened(late)
            findings.append(finding(__package__, "drafts-late", where, count=len(late), ids=ids))
        if taken and not dry_run:
            bank = Bank((*workspace.bank.variants, *added))
            workspace.write_bank(workspace.bank_file, bank)
            _write(workspace, drafts)
    return {
        "added": [
            {"template_id": str(one.template_id), "stereotype": one.texts.stereotype}
            for one in added[::2]
        ],
        "acceptance": acceptance(workspace, joined),
        "findings": tuple(findings),
    }


def _ratings(judgements: Iterable[Judgement]) -> dict[str, dict[str, str]]:
    """By template what each annotator said of it."""
    found: dict[str, dict[str, str]] = {}
    for item in judgements:
        found.setdefault(item.key, {})[item.annotator] = item.judgement
    return found


def acceptance(
    workspace: Workspace, judgements: Sequence[Judgement] | None = None
) -> tuple[dict[str, Any], ...]:
    """How many templates of people and of each model were accepted, and how far people agree.

    Args:
        workspace: The workspace.
        judgements: What people say; what was collected by default.

    Returns:
        By `writer`: how many templates are `written`; how many of them are `refused`, by reason;
        how many are `judged`; how many of these are `accepted` by all who judged them; the mean
        `share` of judges who accept a template, with its interval over templates; the `faults` that
        the others named; and of whether a template is accepted the `percent` of pairs of judges who
        agree, and `alpha`. Nothing before any were handed out.

    Raises:
        CurateError: If a table cannot be read.
    """
    rows = read_drafts(workspace)
    if judgements is None:
        judgements = JUDGEMENTS.read(workspace.annotations.judgements)
    said, found = _ratings(judgements), []
    for writer in sorted({row["writer"] for row in rows}, key=lambda name: (name != PEOPLE, name)):
        mine = [row for row in rows if row["writer"] == writer]
        refused = Counter(row["refused"] for row in mine if row["refused"])
        given = [said[row["key"]] for row in mine if row["key"] in said]
        every = [answer for one in given for answer in one.values()]
        plain = {
            str(at): {who: str(answer == ACCEPT) for who, answer in one.items()}
            for at, one in enumerate(given)
        }
        shares = [[*one.values()].count(ACCEPT) / len(one) for one in given]
        found.append(
            {
                "writer": writer,
                "written": len(mine),
                "refused": dict(sorted(refused.items())),
                "judged": len(given),
                "accepted": shares.count(1.0),
                "share": _mean(shares),
                "faults": dict(sorted(Counter(x for x in every if x != ACCEPT).items())),
                "percent": percent_agreement(plain),
                "alpha": krippendorff_alpha(plain),
            }
        )
    return tuple(found)


def _mean(shares: Sequence[float]) -> Statistic:
    """The mean of templates, with its interval as `curation.intervals.interval` has it."""
    if len(shares) < 2:
        reason = "no interval for one template" if shares else "no template was judged"
        return Statistic(shares[0] if shares else None, len(shares), reason)
    values = np.array(shares)
    mean = float(values.mean())
    low, high = interval(mean, (values - mean) / len(values), len(values), (0.0, 1.0))
    return Statistic(mean, len(shares), "", float(low), float(high))
