"""Files of data: the final bank with the status of every template, and its samples."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from curation.bank.generate import placed
from curation.bank.planning import refuse_faults, sample_lines
from curation.checks.settings import refuse_placeholders
from curation.checks.subject import LIST_FIELDS
from curation.files.atomic import write_file
from curation.files.bank import bank_columns, bank_rows
from curation.files.lock import writing
from curation.files.manifest import MANIFEST, read_manifest
from curation.files.tables import write_csv
from curation.files.workspace import Workspace
from curation.files.writers import DELIMITERS, cell_writer, write_ready, write_table
from curation.initial import DEMO_LANGUAGE, copy_demo
from curation.languages import LanguageOrCode, load
from curation.records.bank import (
    GROUP_FIELDS,
    NO_SOURCE,
    PARTICLE_COLUMNS,
    SLOT_TEXT_FIELDS,
    Bank,
    SampleId,
    Texts,
    Variant,
    VariantVersion,
)
from curation.records.bank import SAMPLE_COLUMNS as PUBLISHED_SAMPLES
from curation.records.messages import (
    CurateError,
    Finding,
    Progress,
    Results,
    refusal,
    refuse_unknown,
    silent,
)
from curation.records.sample import FILE_OF_SET, SAMPLE_COLUMNS, Sample
from curation.records.settings import overridden
from curation.records.survey import join_groups
from curation.slots.agreement import agreement_for
from curation.slots.fill import generalise, list_forms
from curation.slots.grammar import (
    Filler,
    Slot,
    SlotError,
    declared_lists,
    is_open,
    parse_conditions,
    parse_lists,
    parse_text,
)
from curation.sources.imported import template_format
from exports.baselines import COLUMNS as CONTROL_COLUMNS
from exports.baselines import (
    CONTROL,
    MACHINE,
    NAMES,
    control_card,
    control_edition,
    machine_card,
    machine_edition,
)
from exports.edition import EXPORT_FORMATS, KOBBQ, SETS, TEXTS, Edition, open_edition
from exports.folders import EXPORT, refuse_foreign, write_export
from survey.bank import FinalBank
from survey.counts import survey_stats
from survey.outcomes import STATUS_COLUMNS, status_rows

_KIND = {"machine": MACHINE, "control": CONTROL}


def samples(
    workspace: Workspace,
    sets: Sequence[str] = ("all",),
    formats: Sequence[str] = ("csv",),
    *,
    seed: int | None = None,
    per_template: int | None = None,
    templates: Collection[str] = (),
    out: Path | None = None,
    text: str = "own",
    left_out: Sequence[str] = (),
    roles_open: bool = False,
    progress: Progress = silent,
) -> Results:
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
        templates: Only these templates or categories; all by default.
        out: The folder to write to.
        text: Of `TEXTS`.
        left_out: Of a control set: ids of templates in which names do not fit.
        roles_open: Whether templates of which it is open who the target is are passed over.
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
    kind = _KIND.get(text)
    folder = out or workspace.exports_folder / (kind or "samples")
    _refuse_mixed(folder, kind)
    with writing(workspace, "curate export samples", to=out):
        rows: list[dict[str, str]] = []
        damaged: dict[str, list[Finding]] = {}
        if text == "machine":
            settings = overridden(
                workspace.culture.samples, {"per_template": per_template, "seed": seed}
            )
            edition, damaged = machine_edition(workspace, settings, progress)
        else:
            edition = open_edition(
                workspace, progress, roles_open=roles_open, per_template=per_template, seed=seed
            )
        if text == "control":
            edition, rows = control_edition(edition, left_out=left_out)
        if templates:
            only = workspace.chosen(templates)
            edition = replace(edition, final=edition.final.of(only))
            rows = [row for row in rows if row["template_id"] in only]
        edition.refuse(None if name == "all" else edition.seed for name in sets)
        if kind is None:
            edition.refuse_empty("write")
        prefix = f"{kind}_" if kind else ""

        def write(stage: Path) -> Mapping[str, int]:
            counts, files = {}, {}
            for name in sets:
                for form in formats:
                    of_set = edition.seed if name == "test" else None
                    file = f"{prefix}{FILE_OF_SET[name]}.{form}"
                    if form == KOBBQ:
                        every = "all_" if name == "all" else ""
                        file = f"{KOBBQ}/{prefix}{every}{FILE_OF_SET[name]}.tsv"
                    files[file] = _write_set(edition, of_set, stage / file, form)
                    counts[f"{prefix}{FILE_OF_SET[name]}"] = files[file]
            if text == "control":
                cells = [tuple(row.values()) for row in rows]
                write_table(stage / f"{CONTROL}_templates.csv", "csv", CONTROL_COLUMNS, cells)
                write_file(stage / "README.md", control_card(edition, rows, files))
            elif text == "machine":
                write_file(stage / "README.md", machine_card(edition, damaged, files))
            return counts

        shaped: dict[str, object] = {EXPORT: kind, "text": text} if kind else {}
        shaped |= {"templates": list(templates)} if templates else {}
        if text == "control":
            shaped |= {"names": NAMES, "left_out": list(left_out)}
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
    baselines = {MACHINE: "a machine-translated baseline", CONTROL: "a control set"}
    if what := baselines.get(str(held)):
        raise refusal(__package__, "samples-folder", folder, what=what)


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
) -> Results:
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
        refuse_faults(final.findings)

        def write(stage: Path) -> Mapping[str, int]:
            for name in formats:
                if name == KOBBQ:
                    path = stage / KOBBQ / "templates.tsv"
                    languages = workspace.language, workspace.source_language
                    rows = published_template_rows(final.bank, *languages, _votes(final))
                    write_csv(path, TEMPLATE_COLUMNS, rows, delimiter="\t")
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
    return {
        str(item.template.id): survey_stats(by_question[item.question.id])
        for item in final.outcomes
        if item.question is not None and item.question.id in by_question
    }


def demo(folder: Path | str, language: str = DEMO_LANGUAGE) -> Results:
    """Run all steps with the bundled demo culture: offline, in seconds.

    Args:
        folder: A folder that is new or empty.
        language: The language of its texts: `en`, `es` or `ko`.

    Returns:
        The `workspace`, what its survey has `decided`, all its `samples` and the test set, and its
        final `bank`, as `survey.filter`, `samples` and `bank` give them.

    Raises:
        CurateError: If the folder holds something, or cannot be written to, or there is no demo in
            the language.
    """
    from survey import filtering  # readers of surveys, which exports do without

    copy_demo(Path(folder), language)
    workspace = Workspace(Path(folder))
    decided = filtering.filter(workspace, [workspace.responses_folder / "responses.csv"])
    made = samples(workspace, ["all", "test"], ["csv", "jsonl", "kobbq"])
    found = {"workspace": workspace, "decided": decided, "samples": made}
    return Results(found | {"bank": bank(workspace)})


TEXT_COLUMNS = template_format(KOBBQ).texts
"""Published columns by field of a variant's texts; each has a `_translated` twin."""


def _with_twins(*columns: str) -> tuple[str, ...]:
    return tuple(f"{column}{twin}" for column in columns for twin in ("", "_translated"))


*_TOLD, _TARGET = TEXT_COLUMNS.values()
TEMPLATE_COLUMNS = (
    *("Category", "ID", "version", "Label_annotation"),
    *_with_twins(*_TOLD),
    *PARTICLE_COLUMNS,
    *_with_twins(_TARGET),
    *("Reference", "BBQ_id", "BBQ_category", "Survey_stats"),
)
"""The 38 columns of the templates, in published order."""
_PLACES = {
    "amb": ("ambiguous_context",),
    "dis": ("disambiguating_context",),
    "ans": ("biased_answer", "counter_biased_answer"),
}
"""The texts that the particle columns speak of."""


def published_template_rows(
    bank: Bank,
    language: LanguageOrCode,
    source_language: LanguageOrCode,
    counts: Mapping[str, Mapping[str, int]] | None = None,
) -> Iterator[tuple[str, ...]]:
    """Yield the variants with the columns of the published templates, in bank order.

    Source texts that cannot be read are written as they stand: nothing fills them.

    Args:
        bank: The bank.
        language: Language of the texts, for agreement and particles.
        source_language: Language of the source texts, for agreement.
        counts: Survey counts by template id, votes by option.

    Raises:
        CurateError: If a text cannot be read, a slot has no forms, or the published format
            cannot hold a text: a comma, a bracket or, in a list, a semicolon within a name; or a
            variant has a version.
    """
    for variant in bank.variants:
        _refuse_version(str(variant.id), variant.id.version)
        votes = (counts or {}).get(str(variant.template_id))
        cells = {
            "Category": variant.category,
            "ID": str(variant.template_id.number),
            "version": variant.letter.value,
            "Label_annotation": variant.label.value if variant.label else "",
            "Reference": variant.reference,
            "BBQ_id": variant.source_id or NO_SOURCE,
            "BBQ_category": variant.source_category or NO_SOURCE,
            "Survey_stats": repr(dict(votes)) if votes else "",
        }
        for field, column in TEXT_COLUMNS.items():
            with placed(variant, field):
                cells[column] = _cell(field, variant.texts, language, own=True)
            with placed(variant, f"{field}_source"):
                cells[f"{column}_translated"] = _source_cell(field, variant, source_language)
        with placed(variant, "names"):
            cells.update(_particles(variant, language))
        yield tuple(cells[column] for column in TEMPLATE_COLUMNS)


def published_sample_rows(samples: Iterable[Sample]) -> Iterator[tuple[str, ...]]:
    """Yield samples with the columns of the published samples; the prediction is empty.

    As published, choices are a Python-style list and a numeric source id is a float, `1.0`.

    Raises:
        CurateError: If a sample is of a version of its variant.
    """
    for sample in samples:
        if "." in sample.sample_id:
            _refuse_version(sample.sample_id, SampleId.parse(sample.sample_id).variant.version)
        source = sample.source_id
        yield (
            sample.sample_id,
            sample.label,
            sample.context,
            sample.question,
            repr(list(sample.choices)),
            sample.biased_answer,
            sample.answer,
            f"{int(source)}.0" if source.isascii() and source.isdecimal() else source,
            sample.source_category,
            "",
        )


def _refuse_version(name: str, version: VariantVersion) -> None:
    if version:
        raise refusal(__package__, "published-version", name, name=name, version=version)


def _source_cell(field: str, variant: Variant, language: LanguageOrCode) -> str:
    """Write a source text; as it stands where it cannot be read or its lists are open."""
    texts = variant.source_texts
    with suppress(SlotError):
        if field in GROUP_FIELDS or not is_open(texts):
            return _cell(field, texts, language, own=False)
    return str(getattr(texts, field))


def _cell(field: str, texts: Texts, language: LanguageOrCode, *, own: bool) -> str:
    """Write one field of the texts; `own` when they are in the culture's language."""
    if field in GROUP_FIELDS:
        return join_groups(_held(group, ",") for group in getattr(texts, field))
    cell: str = getattr(texts, field)
    if field in SLOT_TEXT_FIELDS:
        return _slot_text(cell, texts, language, inline=own)
    return _lists(cell, own=own) if field in LIST_FIELDS else cell


def _held(text: str, characters: str) -> str:
    """A text, if the published format can hold it.

    Raises:
        CurateError: If one of the characters, which the format gives a meaning, is in it.
    """
    for character in characters:
        if character in text:
            raise refusal(__package__, "published-character", text=text, character=character)
    return text


def _lists(cell: str, *, own: bool) -> str:
    """Write slot lists without readings, attributes and escapes; as they stand without these."""
    conditions = parse_conditions(cell)
    if conditions and own:
        raise refusal(__package__, "published-condition", condition=conditions[0])
    written = []
    for item in parse_lists(cell).values():
        if item.open:
            raise CurateError(f"the list of slot {item.name} is still to be filled by the survey")
        # Scripts cut the lists of the culture's own language at semicolons.
        fillers = (_held(filler.text, "[],;" if own else "[],") for filler in item.fillers)
        written.append(f"{item.name}: [{', '.join(fillers)}]")
    written += map(str, conditions)
    return "; ".join(written) if any(sign in cell for sign in "\\|{") else cell


def _slot_text(cell: str, texts: Texts, language: LanguageOrCode, *, inline: bool) -> str:
    """Write a text without agreement, named forms and escapes; as it stands where it has none."""
    text = parse_text(cell)

    def needs_forms(slot: Slot) -> bool:
        return slot.forms is None and (inline or not slot.is_bare)

    unlisted = any(map(needs_forms, text.slots))
    if not unlisted and "\\" not in cell:
        return cell
    if unlisted:
        text = list_forms(text, declared_lists(texts), language, needs_forms)
    return "".join(_held(it, "[]") if isinstance(it, str) else _slot(it) for it in text.parts)


def _slot(slot: Slot) -> str:
    if slot.forms is None:
        return f"[{slot.name}]"
    return f"[{slot.name}: {', '.join(_held(form, '[],') for form in slot.forms)}]"


def _particles(variant: Variant, language: LanguageOrCode) -> dict[str, str]:
    """The particle columns: those that were published, else what the forms show."""
    published = dict(variant.extra)
    derived: dict[str, str] = {}
    is_korean = load(language).code.split("-")[0].lower() == "ko"
    if is_korean and not published.keys() >= set(PARTICLE_COLUMNS):
        lists = declared_lists(variant.texts)
        for place, fields in _PLACES.items():
            texts = (parse_text(getattr(variant.texts, field)) for field in fields)
            slots = [slot for text in texts for slot in text.slots]
            for name in ("N1", "N2"):
                fillers = lists[name].fillers if name in lists else ()
                found = (_particle(slot, fillers, language) for slot in slots if slot.name == name)
                derived[f"{name}_{place}_post"] = ", ".join(dict.fromkeys(filter(None, found)))
    return {column: published.get(column, derived.get(column, "")) for column in PARTICLE_COLUMNS}


def _particle(slot: Slot, fillers: Sequence[Filler], language: LanguageOrCode) -> str:
    """Tell what the forms of a slot add to the names, as it is after a consonant."""
    rule = generalise(slot, fillers, language)
    if rule is not None:
        agreement = agreement_for(language) if rule.agreement else None
        return agreement.pair(str(rule.agreement))[0] if agreement else ""
    if slot.forms is None or len(slot.forms) != len(fillers):
        return ""
    pairs = list(zip(slot.forms, fillers, strict=True))
    endings = {form[len(filler.text) :] for form, filler in pairs}
    if len(endings) != 1 or not all(form.startswith(filler.text) for form, filler in pairs):
        return ""
    ending = endings.pop()
    return "" if ending[:1].isspace() else ending
