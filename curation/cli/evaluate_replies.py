"""`curate evaluate replies`: how every reply is read, and by which rule."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import cast

import click

from curation.cli.common import (
    count_findings,
    finding_dict,
    json_option,
    plural,
    print_findings,
    print_json,
    table_lines,
    workspace_option,
)
from curation.cli.sheets import hand_out
from curation.io.jsonl import write_objects
from curation.io.tables import write_csv
from curation.io.workspace import Workspace
from curation.model.errors import CurateError
from curation.model.findings import Finding, has_errors
from evaluation.alike import Example, examples, unread
from evaluation.answers import Mode
from evaluation.asked import Asked, load_asked
from evaluation.filled import read_filled
from evaluation.reading_difference import ANSWERS, Difference, difference
from evaluation.replies import load_replies
from evaluation.reply_rows import ROW_COLUMNS, Filled, ReadReplies, read_replies_to
from evaluation.rule_texts import rule_texts
from evaluation.unreadable import first_rows, unreadable_book

_REPLY_LENGTH = 60  # signs of a reply that are shown on the terminal


@dataclass(frozen=True, slots=True)
class _Explained:
    """What `--explain` adds.

    Attributes:
        examples: For each rule the replies that came most often.
        difference: The toolkit's reading against KoBBQ's; None where it cannot be compared.
    """

    examples: Mapping[str, Sequence[Example]]
    difference: Difference | None


@dataclass(frozen=True, slots=True)
class _Sheet:
    """The workbook that was written: its path, its rows, and requests that are not in it."""

    path: Path
    rows: int
    left_out: int


@click.command("replies")
@workspace_option
@click.option(
    "--requests",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="What was asked (JSON lines): request_id and choices, and labels where they are not "
    "A, B, C.",
)
@click.option(
    "--replies",
    type=click.Path(dir_okay=False, path_type=Path),
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
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where to write the rows: a .csv or .jsonl file.",
)
@click.option(
    "--unreadable",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.xlsx",
    help="Write a workbook of the replies that no rule could read, for a person to read them.",
)
@click.option(
    "--filled",
    type=click.Path(dir_okay=False, path_type=Path),
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
    mode: str,
    explain: bool,
    out: Path | None,
    unreadable: Path | None,
    filled: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Show how replies are read: which choice, and by which rule.

    A reply is read when it is one letter, exactly the text of a choice, or states its answer
    ('The answer is B', '정답은 B입니다'). Whatever is negated, hedged or names two choices is
    out-of-choice: it is in no score, and counted.

    \b
    Example: curate evaluate replies --requests requests.jsonl --replies replies.jsonl --explain
             curate evaluate replies ... --unreadable unread.xlsx
             curate evaluate replies ... --filled unread.xlsx --out readings.csv
    """  # noqa: D301  # \b keeps click from wrapping the example
    _refuse_names(out, unreadable)
    table = load_replies(replies)
    asked = _asked(requests)
    read = read_replies_to(table, asked, cast("Mode", mode), _person(filled))
    findings = (*table.findings, *read.findings)
    sheet = _write_sheet(unreadable, read) if unreadable is not None else None
    if out is not None:
        _write(out, read)
    explained = _Explained(examples(read), difference(read)) if explain else None
    if as_json:
        print_json(_as_dict(read, mode, findings, explained, sheet))
    else:
        _show(read, cast("Mode", mode), explained)
        _tell(out, sheet, findings)
    if has_errors(findings):
        ctx.exit(1)


def _asked(requests: Path) -> Asked:
    """Read what replies are held against; other sources of it belong here."""
    return load_asked(requests)


def _person(filled: Sequence[Path]) -> Filled:
    found: dict[tuple[str, str], int | None] = {}
    for path in filled:
        found.update(read_filled(path))
    return found


def _refuse_names(out: Path | None, unreadable: Path | None) -> None:
    if out is not None and out.suffix.lower() not in (".csv", ".jsonl"):
        raise click.UsageError(f"--out: '{out.name}' is neither a .csv nor a .jsonl file")
    if unreadable is not None and unreadable.suffix.lower() != ".xlsx":
        raise click.UsageError(f"--unreadable: '{unreadable.name}' is no .xlsx file")


def _write(path: Path, read: ReadReplies) -> None:
    if path.suffix.lower() == ".csv":
        write_csv(path, ROW_COLUMNS, read.rows())  # a missing value is an empty cell
    else:
        write_objects(path, (dict(zip(ROW_COLUMNS, row, strict=True)) for row in read.rows()))


def _write_sheet(path: Path, read: ReadReplies) -> _Sheet:
    taken, left_out = first_rows(unread(read))
    if not taken:
        raise CurateError(
            "every reply was read, so that there is nothing for a person to read",
            hint="leave out --unreadable",
        )
    hand_out(path, unreadable_book(taken))
    return _Sheet(path, len(taken), left_out)


def _as_dict(
    read: ReadReplies,
    mode: str,
    findings: Sequence[Finding],
    explained: _Explained | None,
    sheet: _Sheet | None,
) -> dict[str, object]:
    result: dict[str, object] = {
        "rows": [dict(zip(ROW_COLUMNS, row, strict=True)) for row in read.rows()],
        "mode": mode,
        "rules": read.rules(),
        "out_of_choice": int(read.readings.out_of_choice.sum()),
        "failed": dict(read.failed),
        "findings": [finding_dict(item) for item in findings],
    }
    if sheet is not None:
        result["unreadable"] = {
            "file": str(sheet.path),
            "rows": sheet.rows,
            "left_out": sheet.left_out,
        }
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
    unread_ = int(read.readings.out_of_choice.sum())
    share = f" ({unread_ / total:.1%})" if total else ""
    noun = "reply" if total == 1 else "replies"
    click.echo(f"{total:,} {noun} read, {unread_:,} out-of-choice{share}.")
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


def _tell(out: Path | None, sheet: _Sheet | None, findings: Sequence[Finding]) -> None:
    if out is not None:
        click.echo(f"Wrote {out}.")
    if sheet is not None:
        click.echo(
            f"Wrote {sheet.path}: {sheet.rows:,} {plural('row', sheet.rows)} to be read by a "
            "person. When it is filled in: --filled."
        )
        if sheet.left_out:
            click.echo(f"{sheet.left_out:,} rarer replies did not fit; make another one after it.")
    if findings:
        print_findings(findings, err=True)
        click.echo(count_findings(findings), err=True)
