"""`curate translate run`: by machine what is not translated yet."""

import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import click

from curation.cli.common import (
    count_findings,
    finding_dict,
    json_option,
    plural,
    print_findings,
    print_json,
    workspace_option,
)
from curation.cli.translate_work import (
    Standing,
    Work,
    cost_text,
    memory_file,
    prepare_work,
    selection_options,
    standing,
    units_of,
)
from curation.io.bank import write_bank
from curation.io.translation.memory import Memory
from curation.io.translation.runner import Item, Outcome, send
from curation.io.workspace import Workspace
from curation.model.errors import CurateError
from curation.model.findings import Finding, Severity
from curation.slots.protection import Flag, bare
from curation.stages.translate.apply import apply_machine

_MEANING = {
    Flag.UNREADABLE: "its brackets are no slots",
    Flag.EMPTY: "nothing came back",
    Flag.MARKUP: "tags or entities are left in it",
    Flag.SLOTS: "it has not the slots of the source",
    Flag.SPACING: "a space beside a slot was lost or added",
    Flag.MOVED: "a slot was moved to the front",
    Flag.SAME: "it equals the source",
}


@dataclass
class TranslationRun:
    """What a run has done.

    `rounds` has an outcome for each time that texts were sent, the second for those whose slots
    came back damaged; `declined` says that more was not sent for its cost.
    """

    work: Work
    found: Standing
    rounds: list[Outcome] = field(default_factory=list)
    known: int = 0
    cells: int = 0
    declined: bool = False

    @property
    def problem(self) -> CurateError | None:
        """Why not everything was sent and answered; None when it was."""
        for outcome in self.rounds:
            if outcome.stopped is not None:
                return CurateError(outcome.stopped.what, "", outcome.stopped.hint)
        for outcome in self.rounds:
            if outcome.unanswered and outcome.reason is not None:
                lost = outcome.unanswered_characters
                return CurateError(
                    f"{outcome.reason.what}: {outcome.unanswered} texts have no reply",
                    f"{lost:,} characters that may have been billed",
                    outcome.reason.hint,
                )
        refused = sum(len(outcome.refused) for outcome in self.rounds)
        if refused:
            return CurateError(
                f"the engine does not take {refused} {plural('text', refused)}",
                "",
                "translate by hand what 'curate translate status' lists as waiting",
            )
        return None

    @property
    def billed(self) -> int:
        """The characters that the engine says it has billed."""
        return sum(outcome.billed for outcome in self.rounds)


@click.command("run")
@workspace_option
@selection_options
@click.option("--yes", is_flag=True, help="Do not ask before a budget or a quota is exceeded.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    workspace: Workspace,
    engine: str | None,
    file: Path | None,
    unlabelled: bool,
    missing: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Translate by machine what is not translated yet.

    Slots travel as tags and are verified when they come back; what has suffered is sent once
    more, and then flagged for a person. Each reply is kept in .curate/translation.sqlite as
    soon as it is there, so a run that ends early goes on where it stopped. Machine text goes
    into the bank's _machine columns; nobody's own text is touched.

    DeepL's key is read from DEEPL_AUTH_KEY, its address from DEEPL_SERVER_URL. For a server
    that speaks OpenAI's protocol they are OPENAI_API_KEY and OPENAI_BASE_URL.

    \b
    Example: curate translate run
             curate translate run --engine pseudo --unlabelled
    """  # noqa: D301  # \b keeps click from wrapping the example
    work = prepare_work(workspace, engine, file, unlabelled=unlabelled, missing=missing)
    run = run_translation(workspace, work, yes=yes)
    findings = [*work.findings, *flagged(workspace, run)]
    if as_json:
        print_json(as_dict(run, findings))
    else:
        _show(run, findings)
    if run.problem is not None:
        raise run.problem
    if run.declined:
        ctx.exit(1)


def run_translation(workspace: Workspace, work: Work, *, yes: bool) -> TranslationRun:
    """Send what is missing and write the machine columns.

    Raises:
        CurateError: If a key is missing or refused, another run is under way, the budget is not
            enough and nobody can be asked, or a file cannot be written.
    """
    with Memory(memory_file(workspace)) as memory:
        memory.hold()
        _say_unanswered(memory)
        run = TranslationRun(work, standing(work, memory))
        run.known = len(run.found.settled)
        try:
            _send_all(run, memory, yes=yes)
        except (CurateError, KeyboardInterrupt):
            # What was paid for is written, whatever ends the run.
            run.found = standing(work, memory)
            _save(workspace, run)
            raise
    _save(workspace, run)
    return run


def _send_all(run: TranslationRun, memory: Memory, *, yes: bool) -> None:
    work = run.work
    for turn in range(2):
        refused = {wire for outcome in run.rounds for wire in outcome.refused}
        items = [
            Item(question.wire, question.context, question.characters)
            for question in run.found.questions
            if question.wire not in refused
        ]
        if not items:
            return
        characters = sum(item.characters for item in items)
        if not turn:
            click.echo(f"To send: {cost_text(characters, work)}.", err=True)
        if not _may_spend(work, characters, memory, yes=yes):
            run.declined = True
            return
        if not turn:
            work.service.prepare()
        progress = _Progress(len(items))
        outcome = send(items, work.service, memory, work.culture.translation.workers, progress.add)
        progress.clear()
        run.rounds.append(outcome)
        run.found = standing(work, memory)
        if outcome.stopped or outcome.unanswered:
            return


def _say_unanswered(memory: Memory) -> None:
    texts, characters = memory.unanswered()
    if texts:
        click.echo(
            f"Note: an earlier run ended before the reply to {texts} {plural('text', texts)}; "
            f"{characters:,} characters may have been billed for them, and will be again.",
            err=True,
        )
        memory.forget_all_sent()


def _may_spend(work: Work, characters: int, memory: Memory, *, yes: bool) -> bool:
    """Ask before a budget or the account's quota is exceeded."""
    if work.service.is_free:
        return True
    reasons = []
    usage = work.service.usage()
    if usage is not None and usage.limit is not None:
        left = max(0, usage.limit - usage.used)
        if characters > left:
            reasons.append(f"the account has {left:,} characters left")
    budget = work.culture.translation.budget
    spent = memory.billed(work.service.name)
    if budget is not None and spent + characters > budget:
        reasons.append(f"the budget is {budget:,} characters, {spent:,} of them billed so far")
    if not reasons or yes:
        return True
    said = f"{characters:,} characters are to be sent, and {' and '.join(reasons)}"
    if not sys.stdin.isatty():
        raise CurateError(said, "translation.budget", "go on with --yes, or raise the budget")
    return click.confirm(f"{said[:1].upper()}{said[1:]}. Go on?", err=True)


def _save(workspace: Workspace, run: TranslationRun) -> None:
    """Write the machine columns into the bank as it is now: people may have saved it meanwhile."""
    fresh = Workspace(workspace.root)
    units, _ = units_of(fresh, fresh.bank, run.work.choice)
    bank, run.cells = apply_machine(fresh.bank, units, run.found.settled)
    if run.cells:
        write_bank(fresh.bank_file, bank)


def flagged(workspace: Workspace, run: TranslationRun) -> list[Finding]:
    """Give a finding for each text that a person has to look at."""
    rows = {variant.id: variant.row for variant in workspace.bank.variants}
    findings = []
    for unit in run.work.units:
        settled = run.found.settled.get(bare(unit.parsed))
        for flag in settled.flags if settled else ():
            place = unit.places[0]
            findings.append(
                Finding(
                    f"translation-{flag.value}",
                    Severity.WARNING,
                    workspace.shown(workspace.bank_file),
                    rows.get(place.variant) or None,
                    f"{place.field}_machine",
                    f"{unit.template}: the machine's text is to be looked at: {_MEANING[flag]}",
                    "the translator's sheet leaves it open: 'curate translate sheet'",
                )
            )
    return findings


def as_dict(run: TranslationRun, findings: list[Finding]) -> dict[str, object]:
    """Give a run as `--json` prints it."""
    problem = run.problem
    flags = Counter(flag.value for settled in run.found.settled.values() for flag in settled.flags)
    return {
        "engine": run.work.service.name,
        "texts": len(run.work.units),
        "distinct": len(run.work.wanted),
        "known": run.known,
        "requests": sum(outcome.requests for outcome in run.rounds),
        "answered": sum(outcome.answered for outcome in run.rounds),
        "sent_again": run.rounds[1].answered if len(run.rounds) > 1 else 0,
        "billed": run.billed,
        "unanswered": sum(outcome.unanswered for outcome in run.rounds),
        "waiting": len(run.work.wanted) - len(run.found.settled),
        "flagged": dict(sorted(flags.items())),
        "cells": run.cells,
        "problem": None
        if problem is None
        else {"what": problem.what, "where": problem.where, "hint": problem.hint},
        "findings": [finding_dict(item) for item in findings],
    }


def _show(run: TranslationRun, findings: list[Finding]) -> None:
    if findings:
        print_findings(findings)
        click.echo(count_findings(findings))
    answered = sum(outcome.answered for outcome in run.rounds)
    click.echo(
        f"{len(run.work.wanted)} distinct texts: {run.known} known, {answered} answered now, "
        f"{len(run.work.wanted) - len(run.found.settled)} waiting."
    )
    if not run.work.service.is_free:
        click.echo(f"Billed: {cost_text(run.billed, run.work)}.")
    if len(run.rounds) > 1:
        again = run.rounds[1].answered
        click.echo(f"{again} {plural('text', again)} sent a second time, for their slots.")
    click.echo(f"Machine text written to {run.cells} {plural('cell', run.cells)} of the bank.")


class _Progress:
    """A line on a terminal that says how far a run is; nothing where there is none."""

    def __init__(self, total: int) -> None:
        self._total, self._done = total, 0
        self._shown = sys.stderr.isatty()

    def add(self, count: int) -> None:
        self._done += count
        if self._shown:
            click.echo(f"\r{self._done} of {self._total} texts", nl=False, err=True)

    def clear(self) -> None:
        if self._shown:
            click.echo("\r\033[K", nl=False, err=True)
