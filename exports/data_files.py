"""Files of data: the final bank with the status of every template, and its samples."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from curation.bank.lines import sample_lines
from curation.checks.settings import refuse_placeholders
from curation.files.atomic import atomic_text
from curation.files.bank import bank_columns, bank_rows
from curation.files.lock import writing
from curation.files.manifest import MANIFEST, read_manifest
from curation.files.tables import write_csv
from curation.files.workspace import Workspace
from curation.files.writers import DELIMITERS, FORMATS, cell_writer, write_ready, write_table
from curation.records.bank import SAMPLE_COLUMNS as PUBLISHED_SAMPLES
from curation.records.bank import TEMPLATE_COLUMNS as PUBLISHED_TEMPLATES
from curation.records.messages import CurateError, Progress, refuse_unknown, silent
from curation.records.sample import SAMPLE_COLUMNS
from curation.records.survey import Role
from exports.control import COLUMNS as CONTROL_COLUMNS
from exports.control import CONTROL, NAMES, Control, control_card, control_edition
from exports.edition import SETS, Edition, open_edition
from exports.folders import EXPORT, Exported, refuse_foreign, write_export
from exports.kobbq import published_sample_rows, published_template_rows
from exports.machine import MACHINE, damaged_texts, machine_card, machine_edition
from survey.bank import FinalBank, refuse_unfinished
from survey.counts import NONE_KEY
from survey.outcomes import STATUS_COLUMNS, status_rows

KOBBQ = "kobbq"
EXPORT_FORMATS = (*FORMATS, KOBBQ)
TEXTS = ("own", "machine", "control")
"""What samples are made of: the final bank, the machine's translation alone, or the final bank
with names in place of its groups."""
_KIND = {"machine": MACHINE, "control": CONTROL}
_FILE_OF_SET = {"all": "samples", "test": "test_samples"}
_PUBLISHED_FILE_OF_SET = {"all": "all_samples", "test": "test_samples"}


def samples(
    workspace: Workspace,
    sets: Sequence[str] = ("all",),
    formats: Sequence[str] = ("csv",),
    *,
    seed: int | None = None,
    per_template: int | None = None,
    out: Path | None = None,
    text: str = "own",
    names: int = NAMES,
    left_out: Sequence[str] = (),
    progress: Progress = silent,
) -> Exported:
    """Write the samples of the final bank, by default to `exports/samples`.

    Other texts make no benchmark but something to compare it with. They go to a folder of their
    own, in files of that name, with a card that says so: `exports/machine_translated`, or
    `exports/control`.

    Args:
        workspace: The workspace.
        sets: `all`: every filling; `test`: one drawn for each pair of variants.
        formats: Of `EXPORT_FORMATS`; `kobbq` has the published columns.
        seed: The seed of what is drawn; that of the settings by default.
        per_template: Maximum number of samples of a template; `samples.per_template` by default.
        out: The folder to write to.
        text: Of `TEXTS`.
        names: Of a control set: how many names each of the two people of a template has.
        left_out: Of a control set: ids of templates in which names do not fit.
        progress: Called with the progress of planning, checking and writing.

    Raises:
        CurateError: If a file cannot be read or written, templates cannot be filled, no template
            gives samples, there are more of them than `samples.limit`, or the folder holds samples
            of another kind of text.
    """
    refuse_unknown("kind of text", text, TEXTS)
    for name in sets:
        refuse_unknown("set of samples", name, SETS)
    for form in formats:
        refuse_unknown("format", form, EXPORT_FORMATS)
    settings = workspace.culture.samples.with_bounds(per_template, seed=seed)
    kind = _KIND.get(text)
    folder = out or workspace.exports_folder / (kind or "samples")
    _refuse_mixed(folder, kind)
    with writing(workspace, "curate export samples", to=out):
        control: Control | None = None
        if text == "control":
            control = control_edition(workspace, settings, progress, names=names, left_out=left_out)
            edition = control.edition
        else:
            open_ = machine_edition if text == "machine" else open_edition
            edition = open_(workspace, settings, progress)
        edition.refuse(None if name == "all" else edition.seed for name in sets)
        if kind is None:
            edition.refuse_empty("write")
        prefix = f"{kind}_" if kind else ""

        def write(stage: Path) -> Mapping[str, int]:
            counts, files = {}, {}
            for name in sets:
                for form in formats:
                    of_set = edition.seed if name == "test" else None
                    path = stage / _file(name, form, prefix)
                    count = _write_set(edition, of_set, path, form)
                    counts[f"{prefix}{_FILE_OF_SET[name]}"] = count
                    files[path.relative_to(stage).as_posix()] = count
            if control is not None:
                rows = [tuple(row.values()) for row in control.rows]
                write_table(stage / f"{CONTROL}_templates.csv", "csv", CONTROL_COLUMNS, rows)
            if kind is not None:
                card = machine_card(edition, files)
                if control is not None:
                    card = control_card(control, files)
                with atomic_text(stage / "README.md") as stream:
                    stream.write(card)
            return counts

        shaped: dict[str, object] = {EXPORT: kind, "text": text} if kind else {}
        if control is not None:
            shaped |= {"names": names, "left_out": list(left_out)}
        damaged = damaged_texts(workspace) if text == "machine" else {}
        return write_export(
            edition,
            folder,
            write,
            settings=shaped,
            seed=edition.seed,
            sets=sets,
            noted=[item for found in damaged.values() for item in found],
        )


def _refuse_mixed(folder: Path, kind: str | None) -> None:
    """Refuse to write samples of one kind of text over those of another."""
    if kind is not None:
        refuse_foreign(folder, kind)
        return
    held = read_manifest(folder).settings.get(EXPORT) if (folder / MANIFEST).exists() else None
    if held in _KIND.values():
        what = "a machine-translated baseline" if held == MACHINE else "a control set"
        raise CurateError(
            f"{folder.name} holds {what}", str(folder), "name another folder with --out"
        )


def _file(name: str, form: str, prefix: str) -> Path:
    """The file of a set, in its folder."""
    if form == KOBBQ:
        return Path(KOBBQ) / f"{prefix}{_PUBLISHED_FILE_OF_SET[name]}.tsv"
    return Path(f"{prefix}{_FILE_OF_SET[name]}.{form}")


def _write_set(edition: Edition, seed: int | None, path: Path, form: str) -> int:
    made = edition.samples(seed)
    if form == KOBBQ:
        return write_csv(path, PUBLISHED_SAMPLES, published_sample_rows(made), delimiter="\t")
    if form in DELIMITERS:
        plan, delimiter = edition.plan(seed), DELIMITERS[form]
        lines = sample_lines(plan, cell_writer(delimiter), delimiter)
        write_ready(path, form, SAMPLE_COLUMNS, lines)
        return sum(plan.count().values())
    return write_table(path, form, SAMPLE_COLUMNS, made)


def bank(
    workspace: Workspace, formats: Sequence[str] = ("csv",), *, out: Path | None = None
) -> Exported:
    """Write the final bank and the status of every template, by default to `exports/bank`.

    Args:
        workspace: The workspace.
        formats: Of `EXPORT_FORMATS`; `kobbq` has the published columns.
        out: The folder to write to.

    Raises:
        CurateError: If a file cannot be read or written, or the published columns cannot hold
            a text.
    """
    with writing(workspace, "curate export bank", to=out):
        edition = open_edition(workspace)
        final = edition.final
        refuse_placeholders(workspace, [item.id for item in final.templates])
        refuse_unfinished(final)

        def write(stage: Path) -> Mapping[str, int]:
            for name in formats:
                if name == KOBBQ:
                    path = stage / KOBBQ / "templates.tsv"
                    languages = workspace.language, workspace.source_language
                    rows = published_template_rows(final.bank, *languages, _votes(final))
                    write_csv(path, PUBLISHED_TEMPLATES, rows, delimiter="\t")
                else:
                    columns = bank_columns(final.bank)
                    write_table(stage / f"bank.{name}", name, columns, bank_rows(final.bank))
                    status = status_rows(final.outcomes, final.modified)
                    write_table(stage / f"templates.{name}", name, STATUS_COLUMNS, status)
            return {"variants": len(final.bank.variants), "templates": len(final.templates)}

        return write_export(edition, out or workspace.exports_folder / "bank", write)


def _votes(final: FinalBank) -> Mapping[str, Mapping[str, int]]:
    """The counts of each template's question, as the published column holds them."""
    by_question = {tally.question.id: tally for tally in final.tallies}
    found: dict[str, dict[str, int]] = {}
    for item in final.outcomes:
        tally = by_question.get(item.question.id) if item.question else None
        if tally is not None:
            found[str(item.template.id)] = {
                NONE_KEY if option.role is Role.NONE else option.label: votes
                for option, votes in zip(tally.question.options, tally.votes, strict=True)
            }
    return found
