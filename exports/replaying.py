"""Write the recipe of a benchmark, and make the benchmark again from a recipe."""

import hashlib
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

from curation import DATA_FORMAT, __version__
from curation.files.atomic import staged_folder, write_file
from curation.files.manifest import MANIFEST, read_manifest
from curation.files.sources import read_hashes, read_terms
from curation.files.tables import read_text, write_csv
from curation.files.workspace import Workspace
from curation.importing import import_templates
from curation.records.messages import (
    CurateError,
    Finding,
    Progress,
    Results,
    Severity,
    has_errors,
    silent,
)
from curation.sources.imported import FORMATS
from exports import data_files
from exports.edition import SETS, Edition, digest, open_edition
from exports.recipe_file import (
    RECIPE,
    Cells,
    Made,
    Recipe,
    edited,
    edits_of,
    found_by_hash,
    read_cells,
    read_recipe,
    write_files,
    write_recipe,
)
from exports.releases import workspace_files, write_workspace
from exports.verification import compare_decisions
from survey.bank import FILTERED

_HINT = (
    "use the version of the toolkit that wrote the recipe; if that differs too, the recipe was "
    "changed: ask whoever published it"
)


def export_recipe(
    workspace: Workspace, *, out: Path | None = None, progress: Progress = silent
) -> tuple[Path, Recipe]:
    """Write the recipe of a workspace, by default to `exports/recipe.yaml`.

    It is run once before it is written: a recipe that makes other samples is refused. Templates of
    which it is open who the target is are in it, and give no samples.

    Args:
        workspace: The workspace.
        out: The file to write to.
        progress: Called with the progress of planning and writing.

    Raises:
        CurateError: If a file cannot be read or written, a published file is not there, templates
            cannot be filled, or the recipe does not make the same samples again.
    """
    target = out or workspace.exports_folder / RECIPE
    edition = open_edition(workspace, progress, keeps=True, roles_open=True)
    edition.refuse((None, edition.seed))
    edition.refuse_empty("make again")
    digests = edition.digest()
    with TemporaryDirectory(prefix="curate-") as name:
        passed, base = Workspace(Path(name) / "passed"), Workspace(Path(name) / "base")
        retained = {str(item.id) for item in edition.final.templates}
        write_workspace(workspace, passed.root, retained, read_terms(workspace.sources_folder))
        tables = (passed.bank_file, passed.groups_file)
        files = {
            name: read_text(path)
            for name, path in sorted(workspace_files(passed).items(), reverse=True)
            if path not in tables
        }
        _import(base, files, workspace.sources_folder)
        recipe = Recipe(
            benchmark=f"{workspace.culture.release.title or workspace.culture.culture} "
            f"{workspace.culture.version}",
            tool_version=__version__,
            data_format=DATA_FORMAT,
            survey=_answers(workspace),
            templates=edits_of(read_cells(base.bank_file)[1], *read_cells(passed.bank_file)),
            groups=edits_of(read_cells(base.groups_file)[1], *read_cells(passed.groups_file)),
            files=files,
            made=_made(edition, read_cells(passed.bank_file)[1]),
            samples_sha256=digests.samples_sha256,
            test_samples_sha256=digests.test_samples_sha256,
        )
        first = Path(name) / RECIPE
        write_recipe(first, recipe)
        again = Path(name) / "again"
        _, _, found = replay(first, workspace.sources_folder, again, progress=progress)
        if has_errors(found):
            what = f"the workspace contradicts itself: {found[0].message}"
            hint = "run 'curate filter' with the survey's files again; 'curate check' finds more"
            raise CurateError(what, found[0].where, hint)
        write_file(target, read_text(first))
    return target, recipe


def _answers(workspace: Workspace) -> dict[str, str]:
    """The files of answers that the last filter counted, with their hashes.

    Where none was run, those of the recipe that the workspace was made from.
    """
    folder = workspace.exports_folder / FILTERED
    if not (folder / MANIFEST).exists():
        recipe = workspace.exports_folder / RECIPE
        return read_recipe(recipe).survey if recipe.exists() else {}
    passed = {*workspace_files(workspace)}
    inputs = read_manifest(folder).inputs
    return {name: inputs[name].sha256 for name in sorted(inputs) if name not in passed}


def _import(workspace: Workspace, files: Mapping[str, str], sources: Path) -> None:
    """Import the published files of a recipe into a workspace that has its files alone."""
    write_files(workspace, files)
    hashes = read_hashes(workspace.sources_folder)
    wanted = {name: (item[1], item[2]) for name, item in hashes.items() if item[0] in FORMATS}
    found = found_by_hash(sources, wanted)
    with TemporaryDirectory(prefix="curate-") as folder:
        # Under the name that they were published by, which a reader may look at.
        published: dict[str, list[Path]] = {}
        for name, path in found.items():
            there = Path(folder) / name
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, there)
            published.setdefault(hashes[name][0], []).append(there)
        for source, paths in published.items():
            import_templates(workspace, source, paths)
            workspace.refresh()
    write_files(workspace, files)  # an import adds to the settings what people took out
    workspace.refresh()


def replay(
    path: Path, sources: Path | None, out: Path, *, progress: Progress = silent
) -> tuple[Recipe, Results, list[Finding]]:
    """Make a workspace and its samples from a recipe, and compare every step with it.

    Gives the recipe, the samples and the test set, and each step whose result is not as it says.

    Args:
        path: The recipe.
        sources: A folder with the published files that it names, under whatever names.
        out: The folder of the workspace, new or empty; samples go to `exports/samples` in it.
        progress: Called with the progress of planning and writing.

    Raises:
        CurateError: If the recipe or a published file cannot be read, a published file is not the
            one that was imported, the folder holds something, or it cannot be written to.
    """
    recipe = read_recipe(path)
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise CurateError(f"{out.name} is not empty", str(out), "name a new folder with --out")
    with staged_folder(out) as stage, _placed(stage, path):
        made = Workspace(stage)
        _import(made, recipe.files, sources or path.parent)
        for file, edits in ((made.bank_file, recipe.templates), (made.groups_file, recipe.groups)):
            rows = edited(read_cells(file)[1], edits)
            write_csv(file, edits.columns, ([*row.values()] for row in rows))
        made.refresh()
        exported = data_files.samples(made, SETS, ["csv"], roles_open=True, progress=progress)
        edition = open_edition(made, progress=progress, keeps=True, roles_open=True)
        findings = list(_differences(recipe, edition))
        shutil.copyfile(path, made.exports_folder / RECIPE)  # whose answers were counted
        shutil.rmtree(made.curate_folder, ignore_errors=True)  # its lock
    folder = Workspace(out).exports_folder / "samples"
    return recipe, Results({**exported, "folder": folder}), findings


@contextmanager
def _placed(stage: Path, recipe: Path) -> Iterator[None]:
    """Say of a fault in a file that a recipe holds that it is in the recipe."""
    try:
        yield
    except CurateError as error:
        where = error.where.replace(f"{stage}/", f"{recipe}, ")
        raise CurateError(error.what, where, error.hint, code=error.code) from error


def _made(edition: Edition, rows: Mapping[str, Cells]) -> dict[str, Made]:
    """What each retained template is, and what it gives."""
    texts: dict[str, list[str]] = {}
    for row in rows.values():
        texts.setdefault(row["template_id"], []).append("\x1f".join(row.values()))
    by_template = groupby(edition.samples(), lambda item: item[1])
    samples = {name: digest(group) for name, group in by_template}
    made = {}
    for name in (str(item.id) for item in edition.final.templates):
        of_rows = hashlib.sha256("\x1e".join(texts[name]).encode()).hexdigest()
        count, of_samples = samples.get(name) or digest(())
        made[name] = Made(rows=of_rows, samples=count, sha256=of_samples)
    return made


def _differences(recipe: Recipe, edition: Edition) -> Iterator[Finding]:
    """Yield what a recipe has made otherwise than it says, step by step."""
    workspace = edition.workspace
    made = _made(edition, read_cells(workspace.bank_file)[1])
    for name in {**recipe.made, **made}:
        was, now = recipe.made.get(name), made.get(name)
        if was is None or now is None:
            step, what = "decisions", "is retained now" if was is None else "is not retained now"
        elif was.rows != now.rows:
            step, what = "templates", "its texts, label or groups are others"
        elif was != now:
            many = f"{now.samples:,} samples, the recipe says {was.samples:,}"
            step, what = "samples", many if was.samples != now.samples else "other samples"
        else:
            continue
        text, place = f"{name}: {what}", f"made.{name}"
        yield Finding(f"replay-{step}", Severity.ERROR, RECIPE, None, place, text, _HINT)
    for item in compare_decisions(workspace):
        is_wrong = item.severity is Severity.ERROR
        yield replace(item, rule="replay-decisions", hint=_HINT) if is_wrong else item
    digests = edition.digest()
    for what, stated, found in (
        ("all samples", recipe.samples_sha256, digests.samples_sha256),
        ("the test set", recipe.test_samples_sha256, digests.test_samples_sha256),
    ):
        if stated != found:
            text = f"the hash of {what} is {found}, the recipe says {stated}"
            yield Finding("replay-samples", Severity.ERROR, RECIPE, None, "samples", text, _HINT)
