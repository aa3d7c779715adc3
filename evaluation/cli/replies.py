"""`curate evaluate replies`: how every reply is read, and by which rule."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from curation.cli.options import json_option, note_language, waiting_option
from curation.cli.terminal import (
    count_findings,
    finding_dict,
    print_findings,
    print_json,
    table_lines,
)
from curation.files.workspace import Workspace
from curation.records.findings import Finding, has_errors
from curation.records.wording import plural
from evaluation.cli.options import FILE
from evaluation.language import asked_language
from evaluation.replies.examples import (
    ANSWERS,
    Difference,
    Example,
    UnparsedSheet,
    difference,
    examples,
    write_unparsed,
)
from evaluation.replies.readings import Mode
from evaluation.replies.rows import (
    ROW_COLUMNS,
    ReadReplies,
    parse_replies,
    rule_texts,
)

_REPLY_LENGTH = 60  # characters of a reply that are shown on the terminal


@dataclass(frozen=True, slots=True)
class _Explained:
    """What `--explain` adds.

    Attributes:
        examples: For each rule the replies that came most often.
        difference: The toolkit's reading against KoBBQ's; None where it cannot be compared.
    """

    examples: Mapping[str, Sequence[Example]]
    difference: Difference | None


@click.command("replies")
@waiting_option
@click.option(
    "--requests",
    type=FILE,
    required=True,
    help="What was asked (JSON lines): request_id and choices, and labels where they are not "
    "A, B, C.",
)
@click.option(
    "--replies",
    type=FILE,
    multiple=True,
    required=True,
    help="What models replied (JSON lines); may be given several times.",
)
@click.option(
    "--mode",
    type=click.Choice(["strict", "kobbq"]),
    default="strict",
    show_default=True,
    help="By the toolkit's rules, or as KoBBQ's published script reads, its defects included.",
)
@click.option(
    "--explain",
    is_flag=True,
    help="Show for each rule what it read, and where the two modes differ.",
)
@click.option(
    "--out",
    type=FILE,
    help="Where to write the rows: a .csv or .jsonl file.",
)
@click.option(
    "--unreadable",
    type=FILE,
    metavar="FILE.xlsx",
    help="Write a workbook of the replies that no rule could read, for a person to read them.",
)
@click.option(
    "--filled",
    type=FILE,
    multiple=True,
    metavar="FILE.xlsx",
    help="Such a workbook, filled in; may be given several times, the last one counts.",
)
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    workspace: Workspace,
    requests: Path,
    replies: tuple[Path, ...],
    mode: Mode,
    explain: bool,
    out: Path | None,
    unreadable: Path | None,
    filled: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Show how replies are read: which choice, and by which rule.

    A reply is read when it is one letter, exactly the text of a choice, or states its answer
    ('The answer is B'). Whatever is negated, hedged or names two choices is
    out-of-choice: it is in no score, and counted.

    \b
    Example: curate evaluate replies --requests requests.jsonl --replies replies.jsonl --explain
             curate evaluate replies ... --unreadable unread.xlsx
             curate evaluate replies ... --filled unread.xlsx --out readings.csv
    """  # noqa: D301  # \b keeps click from wrapping the example
    _refuse_names(out, unreadable)
    own = asked_language(workspace, beside=requests)
    read = parse_replies(requests, replies, mode=mode, filled=filled, language=own)
    sheet = None
    if unreadable is not None:
        sheet = write_unparsed(workspace, read, unreadable)
        if workspace.culture_file.exists():  # replies are read without a workspace too
            note_language(workspace)
    if out is not None:
        read.save(out, workspace)
    explained = _Explained(examples(read), difference(read)) if explain else None
    if as_json:
        print_json(_as_dict(read, mode, explained, sheet))
    else:
        _show(read, mode, explained)
        _tell(out, sheet, read.findings)
    if has_errors(read.findings):
        ctx.exit(1)


def _refuse_names(out: Path | None, unreadable: Path | None) -> None:
    if out is not None and out.suffix.lower() not in (".csv", ".jsonl"):
        raise click.UsageError(f"--out: '{out.name}' is neither a .csv nor a .jsonl file")
    if unreadable is not None and unreadable.suffix.lower() != ".xlsx":
        raise click.UsageError(f"--unreadable: '{unreadable.name}' is no .xlsx file")


def _as_dict(
    read: ReadReplies,
    mode: str,
    explained: _Explained | None,
    sheet: UnparsedSheet | None,
) -> dict[str, object]:
    result: dict[str, object] = {
        "rows": [dict(zip(ROW_COLUMNS, row, strict=True)) for row in read.rows()],
        "mode": mode,
        "rules": read.rules(),
        "out_of_choice": int(read.readings.out_of_choice.sum()),
        "failed": dict(read.failed),
        "findings": [finding_dict(item) for item in read.findings],
    }
    if sheet is not None:
        result["unreadable"] = sheet
    if explained is not None:
        result["examples"] = {
            rule: [asdict(item) for item in found] for rule, found in explained.examples.items()
        }
        other = explained.difference
        result["difference"] = None if other is None else asdict(other)
    return result


def _show(read: ReadReplies, mode: Mode, explained: _Explained | None) -> None:
    rules, total = read.rules(), len(read.frame)
    texts = rule_texts(mode)
    rows = [
        [name, text, f"{rules[name]:,}", f"{rules[name] / total:.1%}"]
        for name, text in texts.items()
        if name in rules
    ]
    if total:
        header = ["rule", "", "replies", "share"]
        click.echo("\n".join(table_lines(header, rows, left=2)) + "\n")
    if explained is not None:
        _show_examples(explained.examples, list(texts))
        _show_difference(explained.difference)
    unparsed_ = int(read.readings.out_of_choice.sum())
    share = f" ({unparsed_ / total:.1%})" if total else ""
    noun = "reply" if total == 1 else "replies"
    click.echo(f"{total:,} {noun} read, {unparsed_:,} out-of-choice{share}.")
    for kind, count in read.failed.items():
        click.echo(f"{count:,} {plural('call', count)} failed: {kind}")


def _show_examples(found: Mapping[str, Sequence[Example]], order: Sequence[str]) -> None:
    for rule in sorted(found, key=order.index):
        click.echo(f"{rule}:")
        for item in found[rule]:
            click.echo(f"  {item.count:>9,} x  {item.choice or '-'}  {_shortened(item.reply)}")
    click.echo()


def _show_difference(found: Difference | None) -> None:
    if found is None:
        click.echo("KoBBQ's script reads three choices alone: the two modes are not compared.\n")
        return
    click.echo(
        f"{found.otherwise:,} of {found.replies:,} replies are read otherwise by KoBBQ's script"
        + "".join(f"; {name}: {count:,}" for name, count in found.otherwise_by_model.items())
        + "."
    )
    rows = [[name, *(f"{found.table[name][other]:,}" for other in ANSWERS)] for name in ANSWERS]
    header = ["strict \\ kobbq", *ANSWERS]
    click.echo("\n".join(table_lines(header, rows)))
    for item in found.examples:
        click.echo(
            f"  {item.count:>9,} x  {item.strict} ({item.strict_rule}), kobbq {item.kobbq} "
            f"({item.kobbq_rule}):  {_shortened(item.reply)}"
        )
    click.echo()


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return repr(line if len(line) <= _REPLY_LENGTH else f"{line[: _REPLY_LENGTH - 3]}...")


def _tell(out: Path | None, sheet: UnparsedSheet | None, findings: Sequence[Finding]) -> None:
    if out is not None:
        click.echo(f"Wrote {out}.")
    if sheet is not None:
        click.echo(
            f"Wrote {sheet.file}: {sheet.rows:,} {plural('row', sheet.rows)} to be read by a "
            "person. When it is filled in: --filled."
        )
        if sheet.left_out:
            click.echo(f"{sheet.left_out:,} rarer replies did not fit; make another one after it.")
    if findings:
        print_findings(findings, err=True)
        click.echo(count_findings(findings), err=True)
