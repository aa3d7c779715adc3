"""`curate translate estimate`: what a translation would cost."""

from pathlib import Path

import click

from curation.cli.common import (
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
    price_of,
    selection_options,
    standing,
)
from curation.io.translation.memory import Memory
from curation.io.workspace import Workspace


@click.command("estimate")
@workspace_option
@selection_options
@json_option
def command(
    workspace: Workspace,
    engine: str | None,
    file: Path | None,
    unlabelled: bool,
    missing: bool,
    as_json: bool,
) -> None:
    """Say what a translation would cost.

    Equal texts are counted once, and those that the translation memory holds not at all.
    Characters are those of the source text; slots and context are free. A text whose slots
    come back damaged is sent a second time, which the estimate cannot know. No key is needed.

    \b
    Example: curate translate estimate
             curate translate estimate --unlabelled --json
    """  # noqa: D301  # \b keeps click from wrapping the example
    work = prepare_work(workspace, engine, file, unlabelled=unlabelled, missing=missing)
    with Memory(memory_file(workspace), read_only=True) as memory:
        found = standing(work, memory)
        spent = memory.billed(work.service.name)
    if as_json:
        print_json(as_dict(work, found, spent))
    else:
        _show(work, found, spent)


def as_dict(work: Work, found: Standing, spent: int) -> dict[str, object]:
    """Give an estimate as `--json` prints it."""
    settings = work.culture.translation
    price = None if work.service.is_free else price_of(found.characters, settings)
    return {
        "engine": work.service.name,
        "templates": len({unit.template for unit in work.units}),
        "texts": len(work.units),
        "distinct": len(work.wanted),
        "known": len(found.settled),
        "to_send": len(found.questions),
        "characters": found.characters,
        "price": None if price is None else round(float(price), 4),
        "currency": settings.currency,
        "billed_so_far": spent,
        "budget": settings.budget,
        "findings": [finding_dict(item) for item in work.findings],
    }


def _show(work: Work, found: Standing, spent: int) -> None:
    if work.findings:
        print_findings(work.findings)
    templates = len({unit.template for unit in work.units})
    click.echo(
        f"{len(work.units)} {plural('text', len(work.units))} of {templates} "
        f"{plural('template', templates)}, {len(work.wanted)} distinct; "
        f"{len(found.settled)} known."
    )
    click.echo(
        f"To send to {work.service.name}: {len(found.questions)} "
        f"{plural('text', len(found.questions))}, {cost_text(found.characters, work)}."
    )
    budget = work.culture.translation.budget
    if budget is not None and not work.service.is_free:
        click.echo(f"Budget: {budget:,} characters, {spent:,} of them billed so far.")
    if not work.units:
        click.echo(
            "Nothing is to be translated: templates have to be labelled ST or TM; "
            "--unlabelled takes those that nobody has classified."
        )
