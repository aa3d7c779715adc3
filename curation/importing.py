"""Import published templates into the bank of a workspace."""

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path

from curation.bank.merge import merge
from curation.files.bank import add_groups
from curation.files.culture import CATEGORIES, AddedCategory
from curation.files.jsonl import stream, update_entries
from curation.files.lock import writing
from curation.files.sources import NO_FILES, expand_paths, keep_sources
from curation.files.workspace import Workspace
from curation.records.bank import Bank, Group
from curation.records.culture import Category, Culture
from curation.records.licences import Licence, terms_of
from curation.records.messages import (
    FINDINGS,
    CurateError,
    Finding,
    Results,
    finding,
    refusal,
    refuse_unknown,
    shortened,
)
from curation.records.survey import QuestionKind
from curation.sources import table
from curation.sources.imported import (
    FORMATS,
    NO_TEMPLATES,
    Imported,
    TemplateFormat,
    holds_templates,
    template_format,
)
from curation.sources.published_samples import layout_of

TABLE = "table"
"""The source of templates whose columns a mapping says."""
_TABLES = (".csv", ".tsv", ".jsonl", ".xlsx")
"""Files that are looked into where none holds templates."""
_LOOKED_AT = 100
"""So many of them."""
_FOR_SAMPLES = (
    "'curate trace' finds the templates that give them, 'curate evaluate prepare --samples' asks "
    "models about them"
)
_HERE = "curation"


def import_templates(
    workspace: Workspace,
    source: str,
    paths: Sequence[Path | str],
    mapping: TemplateFormat | Path | None = None,
) -> Results:
    """Read published templates into the bank, with their groups, categories and counts.

    The files are kept untouched under `templates_src/sources`. Importing again adds only what
    is new.

    Args:
        workspace: The workspace.
        source: The published format, one of `FORMATS`; or `TABLE`.
        paths: Published files, or folders of them.
        mapping: Of a table which columns say what, or the file that says it.

    Returns:
        What was read, and what was new; its table is that of the findings.

        - `source`: The published set.
        - `rows_in`, `rows_read`, `rows_reported`: Rows of its files, those that became variants or
          part of one, and those that a finding names instead.
        - `counts`: How many templates carry counts of a survey.
        - `variants_added`, `variants_known`, `variants_deleted`: How many variants were added, were
          there already, or are not added, for they were deleted here.
        - `categories_added`, `groups_added`: What the workspace did not have.
        - `ids`: New template id by the id in the source, where they differ.
        - `findings`: Findings of reading and merging.

    Raises:
        CurateError: If no template can be read, the workspace cannot be read or written, or its
            languages are not those of the templates.
    """
    refuse_unknown("format", source, (*FORMATS, TABLE))
    if source == TABLE:
        published, files, imported = _of_table(workspace, paths, mapping)
    else:
        published, files = template_format(source), _files(source, paths)
        several = published.languages
        language = language_of(workspace.culture, several, source) if several else ""
        try:
            imported = table.published(source, files, language)
        except CurateError as error:
            if error.code != NO_TEMPLATES:
                raise
            raise _with_what_they_hold(error, source, files) from None
    with writing(workspace, f"curate import {source}"):
        merged = _merged(workspace, imported)
        file = workspace.shown(workspace.bank_file)
        own = [replace(item, file=file) for item in merged.findings]
        own += _deleted(workspace, imported, merged)
        own += _select_all(merged.new_categories, workspace.shown(workspace.categories_file))
        own += _not_counting(merged.new_groups, workspace.shown(workspace.groups_file))
        findings = (*_terms(published.licence, imported.source), *imported.findings, *own)
        if not imported.variants:
            names = ", ".join(path.name for path in files)
            told = ((item.where, item.message) for item in imported.findings)
            where, hint = next(told, ("", "check that the files are the published ones"))
            raise CurateError(f"no template could be read from {names}", where, hint)
        terms = asdict(published.licence)
        folder = workspace.sources_folder
        keep_sources(folder, imported.source, files, terms, published.folders)
        new = [AddedCategory(item.id, item.question) for item in merged.new_categories]
        CATEGORIES.append(workspace.categories_file, new)
        add_groups(workspace.groups_file, merged.new_groups)
        if imported.counts:
            entries = _count_entries(workspace, imported, merged)
            update_entries(workspace.published_counts_file, entries)
        if merged.added:
            workspace.write_bank(workspace.bank_file, merged.bank)
    read = ("source", "rows_in", "rows_read", "rows_reported")
    groups = [{"category": item.category, "group": item.group} for item in merged.new_groups]
    values = {
        **{key: getattr(imported, key) for key in read},
        "counts": len(imported.counts),
        **{f"variants_{key}": merged[key] for key in ("added", "known", "deleted")},
        "categories_added": [item.id for item in merged.new_categories],
        "groups_added": groups,
        "ids": merged.ids,
        "findings": findings,
    }
    return Results(values, FINDINGS)


def _of_table(
    workspace: Workspace, paths: Sequence[Path | str], mapping: TemplateFormat | Path | None
) -> tuple[TemplateFormat, list[Path], Imported]:
    """Read templates of a table by a mapping."""
    if mapping is None:
        raise refusal("curation", "mapping-lacking")
    form = table.read_format(mapping) if isinstance(mapping, Path) else mapping
    where = str(mapping) if isinstance(mapping, Path) else ""
    if not form.written_in or not form.name or form.name in FORMATS:
        key = "mapping-named-as-a-set" if form.name in FORMATS else "mapping-unnamed"
        lacking = "written_in" if form.name else "name"
        raise refusal(_HERE, key, where, form=form.name, lacking=lacking)
    files = expand_paths([Path(path) for path in paths], form.suffixes, form.beside, form.within)
    try:
        return form, files, table.read(files, form, _bank(workspace).variants)
    except CurateError as error:
        if error.code != NO_TEMPLATES:
            raise
        do = "the mapping is of another file: draft one with 'curate import table FILE --draft'"
        raise CurateError(error.what, error.where, do, code=error.code) from error


def _files(source: str, paths: Sequence[Path | str]) -> list[Path]:
    """The files that a reader gets.

    Raises:
        CurateError: If there is none; it says which format has those of a folder.
    """
    own = template_format(source)
    try:
        return expand_paths([Path(path) for path in paths], own.suffixes, own.beside, own.within)
    except CurateError as error:
        if error.code != NO_FILES:
            raise
        raise _with_what_they_hold(error, source, Path(error.where).rglob("*")) from None


def _with_what_they_hold(error: CurateError, source: str, files: Iterable[Path]) -> CurateError:
    """The error of files without templates of a format, with what takes what they hold.

    A folder with templates of the format is named first, then another format, then samples.
    """
    hints: dict[int, str] = {}
    tables = (path for path in sorted(files) if path.suffix.lower() in _TABLES)
    for path in islice(tables, _LOOKED_AT):
        try:
            held = holds_templates(stream(path, "").names)
            layout = "" if held else layout_of(path)
        except CurateError:
            continue
        if held == source:
            hints.setdefault(0, f"name its folder {path.parent}")
        elif held:
            do = f"curate import {held} {shlex.quote(str(path))}"
            hints.setdefault(1, f"{path.name} holds templates of another format: {do}")
        else:
            hints.setdefault(2, f"{path.name} holds samples (layout '{layout}'): {_FOR_SAMPLES}")
    hint = hints[min(hints)] if hints else error.hint
    return CurateError(error.what, error.where, hint, code=error.code)


def language_of(culture: Culture, languages: Sequence[str], source: str) -> str:
    """The language in which a format of several is read: the culture's, or its source language.

    Args:
        culture: The settings.
        languages: Those that the format holds, ISO 639-1 codes.
        source: The published format.

    Raises:
        CurateError: If it holds neither.
    """
    for code in (culture.language, culture.source_language):
        if code in languages:
            return code
    ours = " and ".join(dict.fromkeys((culture.language, culture.source_language)))
    told = {"both": " and ".join(languages), "either": " or ".join(languages)}
    where = "culture.yaml, language and source_language"
    raise refusal("curation", "format-languages", where, source=source, ours=ours, **told)


def _terms(licence: Licence, source: str) -> tuple[Finding, ...]:
    """What is to be said at once of terms that bind whoever passes on what is derived."""
    known = terms_of(licence.name)
    if not licence.name:
        return (finding(_HERE, "source-terms-none", "", source=source),)
    if known is None or not known.share_alike:
        return ()
    return (finding(_HERE, "source-terms-alike", "", source=source, spdx=known.spdx),)


def _select_all(categories: Sequence[Category], file: str) -> list[Finding]:
    """Say which categories come marked as asked about by target selection."""
    names = [item.id for item in categories if item.question is QuestionKind.SELECT_ALL]
    return [finding(_HERE, "import-select-all", file, names=", ".join(names))] if names else []


def _not_counting(groups: Sequence[Group], file: str) -> list[Finding]:
    """Say which groups come marked as options that the uniform share is not divided by."""
    names: dict[str, list[str]] = {}
    for item in groups:
        if not item.counts:
            names.setdefault(item.category, []).append(item.group)
    rule = "import-groups-not-counting"
    return [
        finding(_HERE, rule, file, category=name, count=len(found), names=", ".join(found))
        for name, found in names.items()
    ]


def _bank(workspace: Workspace) -> Bank:
    return workspace.bank if workspace.bank_file.exists() else Bank()


def _merged(workspace: Workspace, imported: Imported) -> Results:
    workspace.groups  # noqa: B018  # rows that cannot be read are refused
    return merge(
        _bank(workspace),
        workspace.book,
        workspace.culture,
        imported.variants_for(workspace.culture.language),
        imported.groups,
        (imported.language, imported.source_language),
        workspace.deleted.variants,
        imported.select_all,
    )


def _deleted(workspace: Workspace, imported: Imported, merged: Results) -> list[Finding]:
    """Say which templates are not imported, for they were deleted here."""
    there = {row.id for row in merged.bank.variants}
    deleted = {row.template_id for row in workspace.deleted.variants if row.id not in there}
    read = (merged.ids.get(str(row.template_id), str(row.template_id)) for row in imported.variants)
    names = [name for name in dict.fromkeys(read) if name in set(map(str, deleted))]
    file = workspace.shown(workspace.deleted_file)
    told = finding(_HERE, "import-deleted", file, count=len(names), names=shortened(names))
    return [told] if names else []


def _count_entries(
    workspace: Workspace, imported: Imported, merged: Results
) -> list[dict[str, object]]:
    """The counts that templates carry, as entries of a survey file."""
    category, ids = workspace.culture.category_of_source, merged.ids
    entries = []
    for item in imported.counts:
        template = ids.get(item["template_id"], item["template_id"])
        entries.append({**item, "category": category(item["category"]), "template_id": template})
    return entries
