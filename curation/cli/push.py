"""`curate push`: tasks for annotators, to a Label Studio server."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from curation.cli.annotation_tasks import KINDS, TaskKind, Wanted, tasks_of
from curation.cli.common import json_option, plural, print_json, workspace_option
from curation.io.annotations import AnnotationsFolder
from curation.io.labelstudio.client import Server, connect
from curation.io.labelstudio.configs import fields_of
from curation.io.labelstudio.push import Plan, Pushed, Pusher, shortened
from curation.io.labelstudio.state import KindState, State, load_state
from curation.io.labelstudio.tasks import Task, allot
from curation.io.workspace import Workspace
from curation.model.annotation import person_key
from curation.model.errors import CurateError
from evaluation.stories.passages import COUNT

STATE = "labelstudio.json"
"""The record of what was pushed, in `annotations/`."""
_TITLE = 50


@dataclass(frozen=True, slots=True)
class Request:
    """What a push is asked to do; see the command's options."""

    annotators: tuple[str, ...]
    overlap: int | None
    annotations: int | None
    seed: int
    anew: bool
    wanted: Wanted


@click.command("push")
@workspace_option
@click.argument("kind", type=click.Choice(list(KINDS)))
@click.option(
    "--annotator",
    "annotators",
    multiple=True,
    metavar="NAME",
    help="Make a project for this annotator; may be given several times. Without it, one for all.",
)
@click.option(
    "--overlap",
    type=click.IntRange(0),
    help="How many tasks all annotators get in common, the rest being shared out [default: all, "
    "or as before].",
)
@click.option(
    "--annotations",
    type=click.IntRange(1),
    help="In one project for all: annotations wanted of each task [default: 3, passages 2, "
    "translate 1].",
)
@click.option(
    "--seed",
    type=int,
    default=42,
    show_default=True,
    help="Of who gets which task, and of the draw of passages.",
)
@click.option(
    "--update", is_flag=True, help="Replace tasks that changed, where nobody annotated them."
)
@click.option("--anew", is_flag=True, help="Make a project again that was deleted on the server.")
@click.option("--unlabelled", is_flag=True, help="translate: also unclassified templates.")
@click.option("--missing", is_flag=True, help="translate: only texts whose column is empty.")
@click.option(
    "--count", type=click.IntRange(1, 5000), help=f"passages: how many [default: {COUNT}]."
)
@click.option(
    "--requests",
    type=click.Path(dir_okay=False, path_type=Path),
    help="passages: what the evaluator is asked [default: as 'stories ask' writes it].",
)
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    workspace: Workspace,
    kind: str,
    annotators: tuple[str, ...],
    overlap: int | None,
    annotations: int | None,
    seed: int,
    update: bool,
    anew: bool,
    unlabelled: bool,
    missing: bool,
    count: int | None,
    requests: Path | None,
    as_json: bool,
) -> None:
    """Send templates to Label Studio to be classified, translated or understood.

    passages are continued stories, to be read by people as the evaluator reads them (see
    'curate evaluate stories passages'); who continued a story is not told.

    The server is named by the environment: LABEL_STUDIO_URL, and LABEL_STUDIO_API_KEY with
    your access token. What is there already is not sent again, so a push that broke off is
    simply run again. Tasks whose template changed since are listed.

    \b
    Example: curate push classify --annotator Kim --annotator Lee --annotator Park
             curate push translate --unlabelled
             curate push comprehension --annotations 5
    """  # noqa: D301  # \b keeps click from wrapping the example
    _check_usage(annotators, overlap, annotations)
    _check_belongs(kind, "translate", {"--unlabelled": unlabelled, "--missing": missing})
    _check_belongs(kind, "passages", {"--count": count, "--requests": requests})
    names = tuple(" ".join(name.split()) for name in annotators)
    wanted = Wanted(unlabelled, missing, requests, count or COUNT, seed)
    request = Request(names, overlap, annotations, seed, anew, wanted)
    plans, state = prepare(workspace, KINDS[kind], request)
    server = connect()
    done = send(server, state, plans, update=update)
    if as_json:
        print_json({"kind": kind, "url": server.url, "projects": [asdict(item) for item in done]})
    else:
        show(kind, server, done)
    if any(item.page_changed for item in done):
        ctx.exit(1)


def _check_usage(
    annotators: Sequence[str],
    overlap: int | None,
    annotations: int | None,
) -> None:
    names = [person_key(name) for name in annotators]
    if not all(names) or len(set(names)) < len(names):
        raise click.UsageError("--annotator: give each annotator a name of his own")
    if overlap is not None and len(names) < 2:
        raise click.UsageError("--overlap is shared by two --annotator or more")
    if annotations is not None and names:
        raise click.UsageError("--annotations belongs to one project for all, not to --annotator")


def _check_belongs(kind: str, owner: str, options: Mapping[str, object]) -> None:
    given = [name for name, value in options.items() if value]
    if given and kind != owner:
        raise click.UsageError(f"{given[0]} belongs to {owner}")


def prepare(workspace: Workspace, kind: TaskKind, request: Request) -> tuple[list[Plan], State]:
    """Say what is to be where, and write down who gets what before anything is sent.

    Raises:
        CurateError: If the bank or the record of earlier pushes cannot be read.
    """
    tasks = tasks_of(kind, workspace, request.wanted)
    page = kind.page(workspace.culture)
    _check_fields(page, tasks)
    state = load_state(AnnotationsFolder(workspace.root).folder / STATE)
    earlier = state.kind(kind.name)
    if not earlier.projects:
        earlier.allotted, earlier.overlap = {}, None  # what came to nothing binds nobody
    if request.overlap is not None:
        earlier.overlap = request.overlap
    uids = [task.uid for task in tasks]
    annotators = request.annotators or tuple(name for name in earlier.allotted if name)
    earlier.allotted = allot(uids, annotators, earlier.overlap, request.seed, earlier.allotted)
    by_uid = {task.uid: task for task in tasks}
    plans = [
        Plan(
            kind=kind.name,
            annotator=name,
            title=title_of(workspace.culture.culture, kind.name, name),
            page=page,
            annotations=1 if name else request.annotations or kind.annotations,
            tasks=tuple(by_uid[uid] for uid in mine if uid in by_uid),
        )
        for name, mine in earlier.allotted.items()
    ]
    if request.anew:
        _forget(earlier)
    return plans, state


def _check_fields(page: str, tasks: Sequence[Task]) -> None:
    for task in tasks:
        lacking = sorted(fields_of(page) - set(task.shown))
        if lacking:
            raise CurateError(f"the page shows {lacking[0]}, which the task lacks", task.uid)


def _forget(kind: KindState) -> None:
    """Forget projects; those that are still there are found again by their description."""
    kind.projects.clear()


def title_of(culture: str, kind: str, annotator: str) -> str:
    """Give the title of a project; the server wants 3 to 50 signs."""
    tail = f" {kind} {annotator}".rstrip()
    return f"{' '.join(culture.split())[: max(1, _TITLE - len(tail))]}{tail}"[:_TITLE]


def send(server: Server, state: State, plans: Sequence[Plan], *, update: bool) -> list[Pushed]:
    """Send tasks to their projects.

    Raises:
        CurateError: If the server fails; what was sent is written down.
    """
    state.url = server.url
    state.save()
    return [_send_one(server, state, plan, update=update) for plan in plans]


def _send_one(server: Server, state: State, plan: Plan, *, update: bool) -> Pushed:
    if not sys.stderr.isatty():
        return Pusher(server, state).push(plan, update=update)
    label = f"Sending {plan.annotator or plan.kind}"
    with click.progressbar(length=len(plan.tasks), label=label, file=sys.stderr) as bar:

        def progress(count: int, _total: int) -> None:
            bar.update(count - bar.pos)

        return Pusher(server, state, progress).push(plan, update=update)


def show(kind: str, server: Server, done: Sequence[Pushed]) -> None:
    """Say what was sent where."""
    for item in done:
        what = "made" if item.created else "found"
        click.echo(
            f"{item.title}: project {item.project} {what}, {item.sent} of {item.tasks} "
            f"{plural('task', item.tasks)} sent: {server.url}/projects/{item.project}"
        )
        for uids, text in (
            (item.updated, "changed and replaced"),
            (item.changed, "changed since; --update replaces what nobody annotated"),
            (item.annotated, "changed after being annotated; left as annotated"),
            (item.strange, "on the server, but not to be annotated now"),
        ):
            if uids:
                click.echo(f"  {len(uids)} {plural('task', len(uids))} {text}: {shortened(uids)}")
        if item.removed:
            click.echo(f"  {item.removed} doubled {plural('task', item.removed)} taken out")
        if item.page_changed:
            click.echo("  the labelling page was edited on the server; --update puts ours back")
    click.echo(f"Next: let people annotate, then: curate pull {kind}")
