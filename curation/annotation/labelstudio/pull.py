"""Fetch annotations: each project for itself, and nothing that was fetched once is lost.

An export is kept before anything is read from it. What an earlier pull took of a project and is not
on the server any more is read from the last export that holds it, named, and kept until somebody
says that it is to go.
"""

import glob
import hashlib
import json
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from curation.annotation.labelstudio import answers as answering
from curation.annotation.labelstudio import store
from curation.annotation.labelstudio.client import Person, Project, Server, connect
from curation.annotation.labelstudio.push import ProjectGoneError, of_culture, recorded
from curation.annotation.labelstudio.tasks import Task
from curation.annotation.translation.units import read_translated
from curation.files.atomic import write_file
from curation.files.codec import now
from curation.files.lock import writing
from curation.files.workspace import Workspace
from curation.records.annotation import person_key
from curation.records.messages import CurateError, Results, finding, refusal, shortened

_LINKS = 3


def pull_project(
    server: Server,
    project: Project,
    kind: answering.TaskKind,
    page: str,
    current: Mapping[str, str],
    sent: Collection[str],
    folder: Path,
    at: str,
) -> answering.Fetched:
    """Fetch a project's export, keep it, and then read it.

    An export that was received before is not kept a second time.

    Args:
        server: The server.
        project: The project.
        kind: The kind of task.
        page: Its page.
        current: By uid, the version of the content now.
        sent: The uids of what was pushed.
        folder: Where received files are kept.
        at: The time, for their names.

    Raises:
        CurateError: If the server fails, a file cannot be written, or the export cannot be read, or
            is not whole.
    """
    users, data = server.users(), server.export(project.id)
    content = hashlib.sha256(data).hexdigest()[:8]
    stem = f"labelstudio-{kind.name}-{project.id}"
    known = sorted(folder.glob(f"{glob.escape(stem)}-*-{content}.json"))
    path = known[0] if known else folder / f"{stem}-{re.sub('[-:]', '', at)}-{content}.json"
    if not path.exists() or path.read_bytes() != data:
        write_file(path, data)
    found = answering.Fetched(
        project, path, users, answering.questions_of(page), current, server.url, kind.decides
    )
    tasks = read_export(data, project)
    found.read(tasks)
    held = [task.get("data") for task in tasks]
    there = {str(item.get("uid")) for item in held if isinstance(item, dict)}
    if missing := [uid for uid in sent if uid not in there]:
        found.say("labelstudio-missing", count=len(missing), uids=shortened(missing))
    return found


def read_export(data: bytes, project: Project) -> list[dict[str, Any]]:
    """Read an export, all of it.

    Raises:
        CurateError: If it is no export, or holds fewer tasks than the project.
    """
    where = f"project {project.id} ('{project.title}')"
    try:
        tasks = json.loads(data)
        if not isinstance(tasks, list) or not all(isinstance(task, dict) for task in tasks):
            raise ValueError
    except (ValueError, RecursionError):
        raise refusal("curation", "export-no-list", where) from None
    if len(tasks) != project.tasks:
        raise refusal("curation", "export-incomplete", where, found=len(tasks), tasks=project.tasks)
    return tasks


def answers_of(
    workspace: Workspace,
    fetched: Sequence[answering.Fetched],
    people: Mapping[int, Person],
    tasks: Mapping[str, Task],
    at: str,
    dropped: Collection[str] | None = None,
) -> answering.Answers:
    """The answers of all projects of a kind, by those who have a name.

    Args:
        workspace: The workspace.
        fetched: What the projects hold.
        people: Who is who.
        tasks: By uid, the tasks as they would be sent now.
        at: The time of this pull.
        dropped: Numbers of projects whose earlier answers are taken out, where what is gone is to
            go; else None.
    """
    numbers = (*(dropped or ()), *(item.project.id for item in fetched))
    sources = frozenset(f"{store.FROM_SERVER}{number}" for number in numbers)
    names = {one.annotator for one in people.values()} if dropped is None else None
    there: set[tuple[str, str, str]] = set()
    found = answering.Answers(workspace, [], sources, tasks, there, names)
    newest: dict[tuple[str, str], answering.ReadAnswer] = {}
    for item in fetched:
        unnamed: Counter[int] = Counter()
        for answer in item.answers:
            name = people[answer.user].annotator
            there.add((answer.source, answer.uid, name))
            known = newest.get((answer.uid, name))
            if not name:
                unnamed[answer.user] += 1
                continue
            if known is not None:
                words = {"uid": answer.uid, "person": name, "link": answer.link}
                found.say("labelstudio-older", way="places", **words)
            if known is None or known.changed_at < answer.changed_at:
                named = replace(answer, person=name, at=at)
                newest[answer.uid, name] = replace(named, refuse=partial(found.refuse, named))
        for user, count in sorted(unnamed.items()):
            found.say("labelstudio-unnamed", user=str(user), count=count)
    return replace(found, given=list(newest.values()))


def pull_answers(
    workspace: Workspace, kind: str, server: Server | None = None, *, drop_gone: bool = False
) -> Results:
    """Fetch the answers of all projects of a kind, and write them in normal form.

    Exports are kept unchanged in `annotations/raw`. Every annotation is read completely or refused.

    Args:
        workspace: The workspace.
        kind: The kind of task.
        server: The server; the one that the environment names by default.
        drop_gone: Whether annotations that were pulled earlier and are not on the server any more
            are taken out; else they are kept and named.

    Returns:
        What it comes to, by key.

        - `kind`: Kind of task.
        - `file`: The normal form.
        - `rows`: Rows there that are from these projects.
        - `kept`: Rows there besides, of workbooks and of projects that are gone.
        - `annotators`: How many answers of each annotator were taken.
        - `projects`: Of each `annotator`, whose project it is or empty for all, its number
          `project`, `title`, its export `raw`, how many `tasks` and `annotations` it has, and how
          many of these were `taken`, `refused`, `skipped`, or `older` than the one that counts.
        - `findings`: What was refused, and what is to be known.
        - `unfinished`: What people skipped, or began and did not submit.

    Raises:
        CurateError: If nothing was pushed, no project can be pulled, or a file cannot be read or
            written. A project that cannot be pulled beside others is a finding.
    """
    # Of two at once the one that fetched first would write last: one waits for the other.
    with writing(workspace, f"curate pull {kind}", lock="pull"):
        return _pulled(workspace, kind, server, drop_gone)


def _pulled(workspace: Workspace, kind: str, server: Server | None, drop_gone: bool) -> Results:
    known, folder = answering.kind_of(kind), workspace.annotations.folder
    state = store.load_state(store.state_file(workspace))
    mine = state.kind(kind)
    if not mine.projects:
        raise refusal(__package__, "pull-nothing", str(state.path), kind=kind)
    server = server or connect()
    at = now(row.at for row in read_translated(workspace).values())
    made, _ = known.tasks(workspace, answering.Wanted(every=True, asked=mine.asked))
    tasks = {task.uid: task for task in made}
    current = {uid: task.hash for uid, task in tasks.items()}
    pulls = store.read_pulls(workspace).get(kind, {})
    plain_page = known.page(workspace)
    with_labels = known.suggested(workspace, (), {})[0] if known.suggested else plain_page
    others = [
        finding(__package__, "labelstudio-other", server.url, title=one.title, kind=kind)
        for one, whose, of, name in of_culture(server, workspace.culture.culture)
        if (whose, of) == (state.workspace, kind) and name not in mine.projects
    ]
    fetched: dict[str, answering.Fetched] = {}
    faults: list[CurateError] = []
    for name, sent in mine.projects.items():
        if sent.is_over:
            continue
        try:
            project = recorded(server, state, kind, name)
            raw, uids = folder / "raw", sent.tasks
            page = with_labels if mine.suggestions.get(name) else plain_page
            item = pull_project(server, project, known, page, current, uids, raw, at)
        except CurateError as fault:
            if drop_gone and not isinstance(fault, ProjectGoneError):
                raise  # nothing is taken out because a server is away
            faults.append(fault)
            continue
        if page.split() != project.setup.config.split():
            link = f"{server.url}/projects/{project.id}/settings/labeling"
            item.say("labelstudio-page", link=link, kind=kind)
        fetched[name] = item
    if faults and not fetched:
        raise faults[0]
    every = [*fetched.values()]
    # Unless it is to go, what was pulled of projects that are not there stays as it is.
    ours = {*pulls, *(str(sent.id) for sent in mine.projects.values())}
    dropped = ours - {str(item.project.id) for item in every} if drop_gone else None
    with writing(workspace, f"curate pull {kind}"):  # the server may have taken its time
        people = _people(workspace, fetched, decides=known.decides)
        answers = answers_of(workspace, every, people, tasks, at, dropped)
        rows, kept_rows, by_annotator = known.save(answers)
        now_seen = {
            str(item.project.id): _seen(item, name, mine.projects[name], people, known, at)
            for name, item in fetched.items()
        }
        kept = {number: one for number, one in pulls.items() if number not in (dropped or ())}
        store.save_pulls(workspace, kind, {**kept, **now_seen})
    for name, item in fetched.items():
        _say_people(item, name, people)
        _say_unfinished(item, now_seen[str(item.project.id)], people)
    lost = "labelstudio-lost"
    values = {
        "kind": kind,
        "file": workspace.shown(known.path(workspace)),
        "rows": rows,
        "kept": kept_rows,
        "annotators": dict(sorted(by_annotator.items())),
        "projects": tuple(
            {
                "annotator": name,
                "project": item.project.id,
                "title": item.project.title,
                "raw": workspace.shown(item.raw),
                **item.counts,
            }
            for name, item in fetched.items()
        ),
        "findings": (
            *(finding(__package__, lost, f.where, why=f.what, todo=f.hint) for f in faults),
            *others,
            *(one for item in every for one in item.findings),
            *answers.findings,
        ),
        "unfinished": tuple(
            {"annotator": who, "task": uid, "state": state}
            for one in now_seen.values()
            for who, tasks in one.open.items()
            for uid, state in tasks.items()
        ),
    }
    return Results(
        values, {"projects": ("annotator", "project", "title", "raw", *answering.COUNTS)}
    )


def _seen(
    item: answering.Fetched,
    name: str,
    sent: store.Sent,
    people: Mapping[int, Person],
    kind: answering.TaskKind,
    at: str,
) -> store.PulledProject:
    """What a pull saw of a project, of people who have a name."""
    given = {(people[answer.user].annotator, answer.uid, answer.hash) for answer in item.answers}
    answered = {(who, uid) for who, uid, version in given if who and version == sent.tasks.get(uid)}
    now_done = {(who, uid) for who, uid, version in given if version == item.current.get(uid)}
    done: dict[str, list[str]] = {}
    for person, uid in sorted(answered):
        done.setdefault(person, []).append(uid)
    each = Counter(uid for _, uid in answered)
    wanted = 1 if name else min(sent.annotations or kind.annotations, len(done))
    left: dict[str, dict[str, str]] = {}
    for (uid, user), (state, _) in item.open.items():
        if (who := people[user].annotator) and (who, uid) not in now_done:
            left.setdefault(who, {})[uid] = state
    return store.PulledProject(
        at=at,
        done=done,
        complete=sum(count >= wanted for count in each.values()),
        numbers=dict(sorted(item.numbers.items())),
        open=dict(sorted(left.items())),
    )


def _say_people(item: answering.Fetched, name: str, people: Mapping[int, Person]) -> None:
    """Name accounts that have a number for a name."""
    users = sorted({answer.user for answer in item.answers})
    names = {user: people[user].annotator for user in users}
    numbered = [one for user, one in names.items() if one == answering.numbered_name(user)]
    if name and numbered:
        words = {"project": str(item.project.id), "name": name, "names": ", ".join(numbered)}
        item.say("labelstudio-no-name", count=len(numbered), **words)


def _say_unfinished(
    item: answering.Fetched, seen: store.PulledProject, people: Mapping[int, Person]
) -> None:
    """Name what people skipped or began, with what they wrote, and where the first tasks are."""
    begun = {(people[user].annotator, uid): said for (uid, user), (_, said) in item.open.items()}
    grouped: dict[tuple[str, str], list[str]] = {}
    for who, tasks in seen.open.items():
        for uid, state in tasks.items():
            grouped.setdefault((who, state), []).append(uid)
    for (who, state), uids in grouped.items():
        links = (f"{item.place}?task={seen.numbers.get(uid)}" for uid in uids[:_LINKS])
        said = [f"{uid}: {text}" for uid in uids if (text := begun.get((who, uid), ""))]
        item.say(
            f"labelstudio-{state}",
            person=who,
            count=len(uids),
            uids=shortened(uids),
            written=f"; in it stands: {shortened(said)}" if said else "",
            links=" ".join(dict.fromkeys(links)),
        )


def _people(
    workspace: Workspace, fetched: Mapping[str, answering.Fetched], *, decides: bool
) -> dict[int, Person]:
    """Bring `people.csv` up to date: each user has a name of their own, else a number.

    Who alone annotated a person's project is that person. Who decides is called as the server knows
    them, for decisions bear the name of a person.
    """
    known = answering.read_people(workspace)
    users = {one.user: one for item in fetched.values() for one in item.users.values()}
    # Who only looked at a task of another's is not to take the name from the one who annotates.
    answered = {name: {one.user for one in item.answers} for name, item in fetched.items()}
    looked = {name: {user for _, user in item.open} for name, item in fetched.items()}
    active = {name: ids or looked[name] for name, ids in answered.items()}
    often = Counter(user for ids in active.values() for user in ids)
    suggested = {
        user: name
        for name, ids in active.items()
        for user in ids
        if name and len(ids) == 1 and often[user] == 1
    }
    seen = {user for ids in (*answered.values(), *looked.values()) for user in ids}
    if decides:
        suggested |= {user: users[user].annotator for user in seen}
    names = {person_key(person.annotator) for person in known.values()}
    people = dict(known)
    for user in sorted(seen - {*known}):
        name = suggested.get(user, "")
        if not name or person_key(name) in names:
            name = answering.numbered_name(user)
        names.add(person_key(name))
        people[user] = replace(users[user], annotator=name)
    if people != known:
        answering.PEOPLE_TABLE.write(
            workspace.annotations.folder / answering.PEOPLE,
            (people[user] for user in sorted(people)),
        )
    return people
