"""`curate push`, `curate pull` and `curate annotate`: annotation through Label Studio."""

import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import click

from curation.annotation.labelstudio import serve as serving
from curation.annotation.labelstudio.answers import KINDS, Wanted, kind_of
from curation.annotation.labelstudio.client import KEY_VARIABLE, URL_VARIABLE, WHERE_MADE
from curation.annotation.labelstudio.pull import pull_answers
from curation.annotation.labelstudio.push import adopt_projects, push_tasks
from curation.cli import options, terminal
from curation.files.workspace import Workspace
from curation.records.messages import counted, shortened

_BELONGS = {
    "missing": ("translate",),
    "templates": tuple(kind for kind in KINDS if kind != "passages"),
    **dict.fromkeys(("suggestions", "below"), ("classify",)),
}
_TASKS = {
    "updated": "changed and replaced",
    "changed": "changed since; --update replaces those without annotations",
    "annotated": "changed after they were annotated; --update ID asks about one again",
    "again": "asked about again; the old task stays",
    "strange": "on the server, but no longer to be annotated",
}
_LEFT = {
    "refused": "refused",
    "skipped": "skipped by annotators",
    "older": "replaced by newer ones",
}
_DATA = Path("~/.local/share/curate/label-studio")


@options.curate_command("push")
@click.argument("kind", type=click.Choice(list(KINDS)))
@options.section("Who annotates")
@options.people_option("--annotator", "Make a project for this annotator, not one for all")
@click.option(
    "--overlap",
    type=click.IntRange(0),
    help="Number of tasks that all annotators get; the others are divided among them. It may grow "
    "later [default: all, or as before].",
)
@click.option(
    "--annotations",
    type=click.IntRange(1),
    help="Number of annotations of each task, in one project for all [default: 3; passages 2; "
    "consensus and translate 1; an existing project keeps its number].",
)
@click.option(
    "--reassign",
    nargs=2,
    metavar="FROM TO",
    help="Give the tasks that annotator FROM has not begun to annotator TO. FROM gets no more "
    "tasks.",
)
@options.section("A second round")
@click.option(
    "--below-kappa",
    "below",
    type=click.FloatRange(-1, 1),
    metavar="N",
    help="classify: a second round. Give all annotators, or those named with --annotator, the "
    "templates that they have not labelled of the categories in which Krippendorff's alpha is "
    "below N.",
)
@options.section("Suggested labels")
@options.suggestion_options
@options.section("Tasks that are there already")
@click.option(
    "--update",
    "updated",
    multiple=True,
    is_flag=False,
    flag_value="",
    metavar="[ID]",
    help="Replace tasks that changed, if nobody has annotated them. With ID, ask again about this "
    "task, which changed after it was annotated; the old task stays, with its annotations; may be "
    "given several times.",
)
@options.flag_option(
    "--anew",
    help="Make a new project in place of one that was deleted on the server, with the tasks that "
    "have no answer yet.",
)
@options.section("Which tasks")
@options.templates_option
@options.flag_option("--missing", help="translate: only templates that lack a text.")
@click.pass_context
def push(
    ctx: click.Context,
    /,
    workspace: Workspace,
    kind: str,
    annotators: list[str],
    updated: tuple[str, ...],
    suggestions: bool,
    blind: tuple[str, ...],
    **given: Any,
) -> terminal.Taken:
    """Send tasks to annotators through Label Studio.

    classify: label templates ST, TM or SR. consensus: decide the templates on which annotators
    disagree; the label of each annotator is shown. translate: translate templates. comprehension:
    answer questions about templates, to see whether their texts are understood. passages: read
    continued stories as the evaluator does (see 'curate evaluate stories sheet --reader'); the
    model is not named.

    Set LABEL_STUDIO_URL to the address of the server, and LABEL_STUDIO_API_KEY to your access
    token. Tasks that are already on the server are not sent again: if a push was interrupted, run
    it again. Tasks whose template has changed are listed.

    With --suggestions, annotators who are not blind see the suggested label preselected, with its
    reason. Annotators who have begun without suggestions continue without. Later pushes show
    suggestions to the same people. annotations/suggestions_shown.csv records who saw which
    suggestion.

    \b
    Example: curate push classify --annotator Kim --annotator Lee --annotator Park
             curate push classify --annotator Kim --annotator Lee --suggestions --blind Lee
             curate push consensus
             curate push translate --missing
             curate push comprehension --annotations 5
    """  # noqa: D301  # \b keeps click from wrapping the example
    options.refuse_stray(ctx, _BELONGS, [kind])
    hidden = options.hidden_of(blind, suggestions=suggestions)
    options.note_language(workspace)
    wanted = Wanted(missing=given.pop("missing"), named=given.pop("templates"))
    again = tuple(filter(None, updated))
    done = push_tasks(
        workspace,
        kind,
        annotators=annotators,
        update="" in updated,
        again=frozenset(again),
        hidden=hidden,
        wanted=wanted,
        progress=lambda who, there, all_: terminal.show_progress(f"Sending {who}", there, all_),
        **given,
    )
    failed = any(item["page_changed"] for item in done["projects"])
    return done, failed, partial(_show_pushed, done, again)


def _show_projects(done: Mapping[str, Any]) -> None:
    for item in done["projects"]:
        what, number = "made" if item["created"] else "found", item["project"]
        click.echo(
            f"{item['title']}: project {number} {what}, {item['sent']} of "
            f"{counted(item['tasks'], 'task')} sent: {done['url']}/projects/{number}"
        )
        for key, text in _TASKS.items():
            if uids := item[key]:
                click.echo(f"  {counted(len(uids), 'task')} {text}: {shortened(uids)}")
        if item["suggested"]:
            click.echo(f"  {counted(len(item['suggested']), 'task')} with a suggestion")
        if item["removed"]:
            click.echo(f"  {counted(item['removed'], 'duplicate task')} removed")
        if item["page_changed"]:
            click.echo(
                "  the labelling page on the server is not the current one: it was edited, or is "
                "from an earlier push; --update replaces it"
            )


def _show_pushed(done: Mapping[str, Any], again: Sequence[str]) -> None:
    _show_projects(done)
    if done["moved"]:
        click.echo(
            f"{counted(len(done['moved']), 'open task')} reassigned: {shortened(done['moved'])}"
        )
    options.say_outdated(done["unsuggested"])
    click.echo(
        f"Next: let people annotate. Then fetch their annotations: curate pull {done['kind']}"
    )
    asked = {uid for item in done["projects"] for uid in item["again"]}
    if left := [uid for uid in again if uid not in asked]:
        click.echo(
            f"not asked again: {shortened(left)}: not annotated before, or not changed since"
        )


@options.curate_command("pull")
@click.argument("kind", type=click.Choice(list(KINDS)))
@options.flag_option(
    "--drop-gone",
    help="Take out annotations that were pulled earlier and are not on the server any more "
    "[default: they are kept and listed].",
)
@options.flag_option(
    "--adopt",
    help="Take over the projects of this culture that the server holds, if "
    "annotations/labelstudio.json was lost.",
)
def pull(workspace: Workspace, kind: str, drop_gone: bool, adopt: bool) -> terminal.Taken:
    """Fetch the annotations from Label Studio.

    Valid annotations are written to annotations/: classify.csv, consensus.csv, translate.csv,
    comprehension.csv or stories_readers.csv. Refused annotations are listed. The export of the
    server is kept unchanged in annotations/raw. If an annotation was deleted on the server after a
    pull, it is named and kept. Decisions of consensus are also written to the
    ledger, with the name of the person who made them. annotations/people.csv maps users to
    annotators: correct the names there, and pull again. This file and annotations/raw have e-mail
    addresses: do not publish them.

    \b
    Example: curate pull classify && curate collect annotations/classify.csv
             curate pull classify --drop-gone
    """  # noqa: D301  # \b keeps click from wrapping the example
    if adopt:
        click.echo(f"Taken over: {', '.join(adopt_projects(workspace))}", err=True)
    found = pull_answers(workspace, kind, drop_gone=drop_gone)
    return found, found["findings"], partial(_show_pulled, found)


def _show_pulled(found: Mapping[str, Any]) -> None:
    terminal.print_findings(found["findings"])
    for item in found["projects"]:
        left = "".join(f", {item[name]} {what}" for name, what in _LEFT.items() if item[name])
        click.echo(
            f"{item['title']}: {counted(item['tasks'], 'task')}, "
            f"{counted(item['annotations'], 'annotation')}, {item['taken']} accepted{left}; export "
            f"kept as {item['raw']}"
        )
    for name, count in found["annotators"].items():
        click.echo(f"  {name}: {counted(count, 'answer')}")
    besides = f", {found['kept']} of them not of these projects" if found["kept"] else ""
    click.echo(
        f"Wrote {counted(found['rows'] + found['kept'], 'row')} to {found['file']}{besides}."
    )
    click.echo(f"Next: {kind_of(found['kind']).then.format(file=found['file'])}")


@click.group("annotate")
def annotate() -> None:
    """Annotate on this machine, without a server of your own."""


@annotate.command("serve")
@options.workspace_option
@click.argument("kind", type=click.Choice(list(KINDS)), required=False)
@options.people_option("--annotator", "With KIND: who annotates, without an account")
@click.option(
    "--port",
    type=click.IntRange(1024, 65535),
    help="Port of the server [default: the first free one from 8080].",
)
@options.folder_option(
    "--data-dir",
    default=_DATA,
    help="Folder for accounts, tasks and annotations.",
)
@options.json_option
def serve(
    workspace: Workspace,
    kind: str | None,
    annotators: list[str],
    port: int | None,
    data_dir: Path,
    as_json: bool,
) -> None:
    """Start Label Studio for this machine only; Ctrl-C stops it.

    With KIND (see 'curate push'), it also sends the tasks, and offers a page on which annotators
    click on their names. They need no accounts. Ctrl-C fetches their annotations, as 'curate pull'
    does. If Label Studio is not installed, each annotator gets a workbook.

    Nothing is sent to other machines. Install Label Studio yourself first. If it is not on the
    PATH, set LABEL_STUDIO_BIN to its program.

    \b
    Example: curate annotate serve classify --annotator Mina --annotator Jun
             curate annotate serve --port 8080
    """  # noqa: D301  # \b keeps click from wrapping the example
    if bool(annotators) != (kind is not None):
        raise click.UsageError("a KIND of task and --annotator NAME belong together")
    known = kind_of(kind) if kind else None
    program = serving.find_program(needed=known is None or known.sheets is None)
    if known is not None:
        options.note_language(workspace)
        if program is None and known.sheets is not None:
            _show_sheets(known.sheets(workspace, annotators), as_json=as_json)
            return
    assert program is not None  # noqa: S101  # it is needed
    data = data_dir.expanduser().resolve()
    running, offered = serving.start(program, serving.free_port(port), data), None
    with _interruptible():
        try:
            click.echo("Starting Label Studio; the first start takes a minute or two ...", err=True)
            running.wait_until_up()
            if kind is not None:
                offered = serving.offer_tasks(workspace, kind, annotators, running, data)
            _show_server(running, data_dir, offered, as_json=as_json)
            if running.process.wait():
                raise running.ended()
        except KeyboardInterrupt:
            click.echo("Stopping ...", err=True)
            if offered is not None:
                found = pull_answers(workspace, offered[1]["kind"], server=offered[2])
                if not as_json:
                    _show_pulled(found)
        finally:
            running.stop()


@contextmanager
def _interruptible() -> Iterator[None]:
    """A block that Ctrl-C ends, also where a shell has started the command in the background."""
    numbers = signal.SIGINT, signal.SIGTERM
    previous = [signal.signal(number, signal.default_int_handler) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, previous, strict=True):
            signal.signal(number, handler)


def _show_server(
    running: serving.Running,
    data: Path,
    offered: tuple[str, Mapping[str, Any], Any] | None,
    *,
    as_json: bool,
) -> None:
    if as_json:
        more = {"names": offered[0], "pushed": offered[1]} if offered else {}
        terminal.print_json(
            {"url": running.url, "data": str(data), "log": str(running.log), **more}
        )
        return
    click.echo(f"Label Studio runs at {running.url}, with its data in {data}. Ctrl-C stops it.")
    if offered is not None:
        _show_projects(offered[1])
        click.echo(f"Annotators open {offered[0]} and click on their names.")
        return
    click.echo(f"  first time: create an account at {running.url}/user/signup/")
    click.echo(f"  later:      log in at {running.url}/user/login/")
    click.echo(f"  then make an access token ({WHERE_MADE}), and run in another terminal:")
    click.echo(f"    export {URL_VARIABLE}={running.url} {KEY_VARIABLE}=...")


def _show_sheets(files: Sequence[Path], *, as_json: bool) -> None:
    if as_json:
        terminal.print_json({"sheets": files})
        return
    click.echo("Label Studio is not installed. The same tasks are in workbooks:")
    click.echo("\n".join(f"  {file}" for file in files))
    click.echo("When they are filled in: curate collect FILE...")
