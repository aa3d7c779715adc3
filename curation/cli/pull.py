"""`curate pull`: what annotators answered, from a Label Studio server."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from curation.cli.annotation_results import save_answers
from curation.cli.annotation_tasks import KINDS, TaskKind, Wanted
from curation.cli.clock import now
from curation.cli.common import (
    finding_dict,
    json_option,
    plural,
    print_findings,
    print_json,
    workspace_option,
)
from curation.cli.push import STATE
from curation.io.annotations import AnnotationsFolder
from curation.io.labelstudio.client import Server, connect
from curation.io.labelstudio.people import Person, add_people, read_people, write_people
from curation.io.labelstudio.pull import Fetched, fetch, pull_project
from curation.io.labelstudio.push import describe, recorded
from curation.io.labelstudio.state import KindState, State, load_state
from curation.io.workspace import Workspace
from curation.model.errors import CurateError
from curation.model.findings import Finding, has_errors

_PEOPLE = "people.csv"


@dataclass(frozen=True, slots=True)
class Pulled:
    """What a pull has taken and written.

    Attributes:
        projects: What each project held, by the annotator whose project it is.
        people: Who is who.
        file: Where the normal form is.
        rows: Rows there that are from these projects.
        by_annotator: How many answers of each annotator were taken.
        findings: What was refused, and what is to be known.
    """

    projects: Mapping[str, Fetched]
    people: Mapping[int, Person]
    file: Path
    rows: int
    by_annotator: Mapping[str, int]
    findings: tuple[Finding, ...]


@click.command("pull")
@workspace_option
@click.argument("kind", type=click.Choice(list(KINDS)))
@click.option(
    "--requests",
    type=click.Path(dir_okay=False, path_type=Path),
    help="passages: what the evaluator is asked, if 'push' was told so too.",
)
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    workspace: Workspace,
    kind: str,
    requests: Path | None,
    as_json: bool,
) -> None:
    """Fetch what annotators answered in Label Studio.

    Exports are kept as received in annotations/raw; then every annotation is read or refused,
    and what holds is written in normal form: annotations/classify.csv, translate.csv,
    comprehension.csv or stories_readers.csv. annotations/people.csv says which user is which
    annotator: mend the names there and pull again. It holds addresses, so keep it and
    annotations/raw to yourself.

    \b
    Example: curate pull classify && curate classify collect
    """  # noqa: D301  # \b keeps click from wrapping the example
    state = load_state(AnnotationsFolder(workspace.root).folder / STATE)
    if not state.kind(kind).projects:
        raise CurateError(
            f"nothing was pushed to {kind} from this workspace",
            str(state.path),
            f"push first: curate push {kind}",
        )
    if requests is not None and kind != "passages":
        raise click.UsageError("--requests belongs to passages")
    result = run(workspace, connect(), KINDS[kind], state, requests)
    if as_json:
        print_json(as_dict(kind, workspace, result))
    else:
        show(workspace, kind, result)
    if has_errors(result.findings):
        ctx.exit(1)


def run(
    workspace: Workspace,
    server: Server,
    kind: TaskKind,
    state: State,
    requests: Path | None = None,
) -> Pulled:
    """Fetch all projects of a kind, then write what they hold.

    Args:
        workspace: The workspace.
        server: The server.
        kind: The kind.
        state: What was pushed.
        requests: What the evaluator of stories is asked; the usual file by default.

    Raises:
        CurateError: If the server fails, an export is not whole, or a file cannot be written.
    """
    folder, at = AnnotationsFolder(workspace.root), now()
    found, _ = kind.tasks(workspace, Wanted(unlabelled=True, requests=requests))
    tasks = {task.uid: task for task in found}
    current = {uid: task.hash for uid, task in tasks.items()}
    fetched: dict[str, Fetched] = {}
    for name, sent in state.kind(kind.name).projects.items():
        project = recorded(server, sent, describe(state, kind.name, name))
        stem = f"labelstudio-{kind.name}-{project.id}"
        kept = fetch(server, project, folder.folder / "raw", stem, at)
        fetched[name] = pull_project(server, project, kind.spec, current, sent.tasks, kept)
    people = _people(folder.folder / _PEOPLE, state.kind(kind.name), fetched)
    saved = save_answers(kind.name, folder, fetched, people, tasks, at)
    findings = [finding for item in fetched.values() for finding in item.findings]
    return Pulled(
        fetched, people, saved.file, saved.rows, saved.by_annotator, (*findings, *saved.findings)
    )


def _people(path: Path, kind: KindState, fetched: Mapping[str, Fetched]) -> dict[int, Person]:
    """Bring `people.csv` up to date; who alone annotated a person's project is that person."""
    known = read_people(path)
    users = {user.id: user for item in fetched.values() for user in item.users}
    active = {name: {answer.user for answer in item.answers} for name, item in fetched.items()}
    suggested: dict[int, str] = {}
    for name, ids in active.items():
        if name and len(ids) == 1:
            user = next(iter(ids))
            if sum(user in others for others in active.values()) == 1:
                suggested[user] = name
    seen = {user for ids in active.values() for user in ids}
    people = add_people(known, [users[user] for user in sorted(seen)], suggested)
    if people != known:
        write_people(path, people)
    return people


def as_dict(kind: str, workspace: Workspace, result: Pulled) -> dict[str, object]:
    """Give a pull as `--json` prints it; addresses of people stay out."""
    return {
        "kind": kind,
        "file": workspace.shown(result.file),
        "rows": result.rows,
        "annotators": dict(sorted(result.by_annotator.items())),
        "projects": [
            {
                "annotator": name,
                "project": item.project.id,
                "raw": workspace.shown(item.raw),
                **item.counts,
            }
            for name, item in result.projects.items()
        ],
        "findings": [finding_dict(finding) for finding in result.findings],
    }


_LINES: Sequence[tuple[str, Callable[[Mapping[str, int]], int]]] = (
    ("refused", lambda counts: counts["refused"]),
    ("skipped by annotators", lambda counts: counts["skipped"]),
    ("replaced by a newer one", lambda counts: counts["older"]),
)


def show(workspace: Workspace, kind: str, result: Pulled) -> None:
    """Say what was taken, from whom, and what was not."""
    print_findings(result.findings)
    for item in result.projects.values():
        counts = item.counts
        left = [f"{count(counts)} {what}" for what, count in _LINES if count(counts)]
        click.echo(
            f"{item.project.title}: {counts['tasks']} tasks, {counts['annotations']} annotations, "
            f"{counts['taken']} taken{''.join(f', {text}' for text in left)}; "
            f"kept as {workspace.shown(item.raw)}"
        )
    for name, count in sorted(result.by_annotator.items()):
        click.echo(f"  {name}: {count} {plural('answer', count)}")
    click.echo(f"Wrote {result.rows} rows to {workspace.shown(result.file)}.")
    if kind == "translate":
        click.echo("Next: curate translate collect --labelstudio puts the texts into the bank")
    if kind == "classify":
        click.echo("Next: curate classify collect shows how far the annotators agree")
    if kind == "passages":
        click.echo("Next: curate evaluate stories agreement --readings readings.csv")
    if kind == "comprehension":
        click.echo(f"Next: curate filter ... --comprehension {workspace.shown(result.file)}")
