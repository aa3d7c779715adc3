"""Translation on a Label Studio server: the page, its tasks, and the texts that come back."""

from dataclasses import dataclass

from curation.annotation.labelstudio.answers import Answers, Given, Saved, save_results
from curation.annotation.labelstudio.configs import CHECKS, translate_page
from curation.annotation.labelstudio.kinds import TEXT, Field, TaskKind, Wanted
from curation.annotation.labelstudio.tasks import NOTHING, Task, digest
from curation.annotation.texts import pages
from curation.annotation.translation.rows import is_to_write, unit_uid
from curation.annotation.translation.units import (
    Unit,
    Variants,
    choice_of,
    machine_text,
    units_of,
)
from curation.files.workspace import Workspace
from curation.records.findings import Finding


@dataclass(frozen=True, slots=True)
class Translation:
    """One translator's text; fields are the columns of `translate.csv`.

    Attributes:
        unit_id: The text: template, kind, and a hash of the source text.
        template_id: The template.
        kind: `text`, `plain` or `filler`.
        annotator: Who translated.
        source: The source text.
        target: The translation.
        rating: Of the machine's, 1 to 5; empty where none was given.
        entities_adapted: Whether that was ticked, `true` or `false`.
        slots_kept: The same.
        remark: Anything else.
        source_file: The project.
        row_hash: Of what the translator saw.
        collected_at: When it was read first, UTC, ISO 8601.
        unchanged: Whether it is the machine's text as it stood on the page, `true` or `false`;
            empty where it was pulled before this was known. Who submits it unchanged confirms it.
    """

    unit_id: str
    template_id: str
    kind: str
    annotator: str
    source: str
    target: str
    rating: str
    entities_adapted: str
    slots_kept: str
    remark: str
    source_file: str
    row_hash: str
    collected_at: str
    unchanged: str = ""


def _page(workspace: Workspace) -> str:
    source, language = workspace.source_language, workspace.language
    return translate_page(source, language, pages(language))


def _tasks(workspace: Workspace, wanted: Wanted) -> tuple[list[Task], list[Finding]]:
    unlabelled = wanted.unlabelled or wanted.every
    choice = choice_of(workspace, unlabelled=unlabelled, missing=wanted.missing)
    units, findings = units_of(workspace, choice)
    variants = {variant.id: variant for variant in workspace.bank.variants}
    # A bare slot that was pushed once is still known: it comes back with the others.
    sent = [unit for unit in units if wanted.every or is_to_write(unit)]
    return [_task(unit, variants) for unit in sent], findings


def _task(unit: Unit, variants: Variants) -> Task:
    machine = machine_text(unit, variants)
    where = dict.fromkeys(f"{place.field} {place.slot}".strip() for place in unit.places)
    version = f" .{unit.version}" if unit.version else ""
    cells = {
        "heading": f"{unit.template}{version} · {unit.category} · {', '.join(where)}",
        "template_id": str(unit.template),
        "kind": unit.kind.value,
        "source_text": unit.text,
        "context": unit.context or NOTHING,
        "fillers": "; ".join(f"[{slot}]: {text}" for slot, text in unit.fillers) or NOTHING,
        "mt": machine,
    }
    return Task(unit_uid(unit), cells, digest({"source": unit.text, "mt": machine}))


def _save(answers: Answers) -> Saved:
    path = answers.folder.folder / "translate.csv"
    found = [item for item in (_translation(one, answers) for one in answers.known()) if item]
    return save_results(path, Translation, found, "annotator")


def _translation(item: Given, answers: Answers) -> Translation | None:
    target = item.text("target")
    if not target:
        answers.refuse(item, "it has no translation")
        return None
    checks = item.answer.values.get("checks", ())
    return Translation(
        unit_id=item.answer.uid,
        template_id=item.field("template_id"),
        kind=item.field("kind"),
        annotator=item.annotator,
        source=item.field("source_text"),
        target=target,
        rating="".join(item.answer.values.get("rating", ())),
        entities_adapted="true" if "entities_adapted" in checks else "false",
        slots_kept="true" if "slots_kept" in checks else "false",
        remark=item.text("remark"),
        source_file=item.source,
        row_hash=item.field("hash"),
        collected_at=item.at,
        unchanged="true" if target == item.field("mt").strip() else "false",
    )


KIND = TaskKind(
    name="translate",
    annotations=1,
    spec={
        "target": TEXT,
        "rating": Field("rating", frozenset("12345")),
        "checks": Field("choices", frozenset(CHECKS), several=True),
        "remark": TEXT,
    },
    page=_page,
    tasks=_tasks,
    save=_save,
    empty="label templates ST or TM first, or push with --unlabelled",
    then="curate translate collect --labelstudio puts the texts into the bank",
)
"""Machine translations are edited."""
