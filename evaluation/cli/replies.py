"""`curate evaluate replies`: how every reply is read, and by which rule."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from curation.cli.coloured import SectionedCommand
from curation.cli.options import json_option, note_language, workspace_option
from curation.cli.terminal import (
    count_findings,
    finding_dict,
    print_findings,
    print_json,
    table_lines,
)
from curation.files.workspace import Workspace
from curation.languages import Language
from curation.records.findings import Finding, has_errors
from curation.records.wording import plural
from evaluation.cli.options import FILE
from evaluation.folders import prepared_requests
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

if TYPE_CHECKING:
    from evaluation.replies.second import SecondRead

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


@click.command(
    "replies",
    cls=SectionedCommand,
    sections={
        "What is parsed": ("--requests", "--replies", "--mode", "--explain"),
        "Unparsed replies": (
            "--unreadable",
            "--filled",
            "--second-reader",
            "--second-all",
            "--second-out",
            "--provider",
            "--base-url",
            "--api-key-env",
            "--no-temperature",
        ),
        "Files": ("--out",),
    },
)
@workspace_option
@click.option(
    "--requests",
    type=FILE,
    help="File of requests (JSON lines): request_id and choices, and labels if they are not A, "
    "B, C [default: exports/evaluation/requests.jsonl].",
)
@click.option(
    "--replies",
    type=FILE,
    multiple=True,
    required=True,
    help="File of replies (JSON lines); may be given several times.",
)
@click.option(
    "--mode",
    type=click.Choice(["strict", "kobbq", "logprobs"]),
    default="strict",
    show_default=True,
    help="How replies are parsed. strict: by the rules of the toolkit; kobbq: as KoBBQ's "
    "published script does, with its defects; logprobs: by the log-probabilities in the replies "
    "('run --logprobs').",
)
@click.option(
    "--explain",
    is_flag=True,
    help="Show examples for each rule, and where strict and kobbq differ.",
)
@click.option(
    "--out",
    type=FILE,
    help="File to write the parsed replies to (.csv or .jsonl).",
)
@click.option(
    "--unreadable",
    type=FILE,
    metavar="FILE.xlsx",
    help="Write the unparsed replies to a workbook, to be parsed by a person.",
)
@click.option(
    "--filled",
    type=FILE,
    multiple=True,
    metavar="FILE.xlsx",
    help="Workbook of --unreadable, filled in; may be given several times: the last one counts.",
)
@click.option(
    "--second-reader",
    "reader",
    metavar="MODEL",
    help="Ask a model which choice each unparsed reply names. Its choices are saved and compared "
    "with the rules; they change no other result.",
)
@click.option(
    "--second-all",
    is_flag=True,
    help="Ask the second reader about all replies, to measure its agreement with the rules.",
)
@click.option(
    "--second-out",
    type=FILE,
    help="File for the choices of the second reader [default: second_reader.csv beside the "
    "replies].",
)
@click.option(
    "--provider",
    metavar="NAME",
    help="Provider of the second reader, as in 'curate evaluate run'.",
)
@click.option(
    "--base-url",
    metavar="URL",
    help="Address of the second reader's server [default: the provider's, else OPENAI_BASE_URL, "
    "else OpenAI's].",
)
@click.option(
    "--api-key-env",
    metavar="NAME",
    help="Environment variable with its key [default: the provider's, else OPENAI_API_KEY].",
)
@click.option(
    "--no-temperature",
    is_flag=True,
    help="Send no temperature to the second reader [default: 0 is sent]; some reasoning models "
    "accept none.",
)
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    workspace: Workspace,
    requests: Path | None,
    replies: tuple[Path, ...],
    mode: Mode,
    explain: bool,
    out: Path | None,
    unreadable: Path | None,
    filled: tuple[Path, ...],
    as_json: bool,
    **second: Any,
) -> None:
    """Show how replies are parsed: which choice, and by which rule.

    A reply is parsed by its verdict: a line or clause that is wholly a letter, the text of a choice
    or both ('The answer is B'). One that is negated, hedged or taken back, or two of them, make it
    out-of-choice. Out-of-choice replies are excluded from scores, and counted.

    \b
    Example: curate evaluate replies --requests requests.jsonl --replies replies.jsonl --explain
             curate evaluate replies ... --unreadable unread.xlsx
             curate evaluate replies ... --filled unread.xlsx --out readings.csv
             curate evaluate replies ... --second-reader my-model
    """  # noqa: D301  # \b keeps click from wrapping the example
    _refuse_names(out, unreadable)
    if second["reader"] is None and any(
        given for name, given in second.items() if name != "reader"
    ):
        raise click.UsageError(
            "--second-all, --second-out, --provider, --base-url, --api-key-env and "
            "--no-temperature go with --second-reader MODEL"
        )
    if mode == "logprobs" and (explain or unreadable or second["reader"]):
        raise click.UsageError(
            "--explain, --unreadable and --second-reader are about what replies say, and --mode "
            "logprobs reads none of it"
        )
    requests = prepared_requests(workspace, requests)
    own = asked_language(workspace, beside=requests)
    read = parse_replies(requests, replies, mode=mode, filled=filled, language=own)
    sheet = None
    if unreadable is not None:
        sheet = write_unparsed(workspace, read, unreadable)
        if workspace.culture_file.exists():  # replies are read without a workspace too
            note_language(workspace)
    if out is not None:
        read.save(out, workspace)
    seconded = None
    if second["reader"] is not None:
        seconded = _ask_second(workspace, read, own, replies[0].parent, second)
    explained = _Explained(examples(read), difference(read)) if explain else None
    if as_json:
        shown = _as_dict(read, mode, explained, sheet)
        print_json(shown | ({} if seconded is None else {"second_reader": _second_dict(*seconded)}))
    else:
        _show(read, mode, explained)
        if seconded is not None:
            _show_second(*seconded)
        _tell(out, sheet, read.findings)
    if has_errors(read.findings):
        ctx.exit(1)


def _ask_second(
    workspace: Workspace,
    read: ReadReplies,
    own: Language | None,
    folder: Path,
    given: Mapping[str, Any],
) -> "tuple[SecondRead, Path]":
    """Ask the second reader, and write what it says."""
    from evaluation.replies.second import read_second, reader_settings

    reader = reader_settings(
        given["reader"],
        workspace.root,
        provider=given["provider"],
        base_url=given["base_url"] or "",
        key_variable=given["api_key_env"],
        temperature=None if given["no_temperature"] else 0,
    )
    found = read_second(
        workspace,
        read,
        reader,
        own,
        every=given["second_all"],
        note=lambda line: click.echo(f"Note: {line}.", err=True),
    )
    out = given["second_out"] or folder / "second_reader.csv"
    found.save(out, workspace)
    return found, out


def _second_dict(found: "SecondRead", out: Path) -> dict[str, object]:
    return {
        "reader": found.reader,
        "file": str(out),
        "replies": len(found.rows),
        "asked": found.asked,
        "from_store": found.from_store,
        "agreement": found.counts,
        "kappa": found.kappa,
    }


def _show_second(found: "SecondRead", out: Path) -> None:
    counts = found.counts
    kappa = "undefined" if found.kappa is None else f"{found.kappa:.3f}"
    lines = [
        f"Second reader {found.reader}: {len(found.rows):,} {plural('reply', len(found.rows))}, "
        f"{found.asked:,} {plural('question', found.asked)}, {found.from_store:,} from the store.",
        f"  It names a choice, the rules none: {counts['reader_alone']:,}",
        f"  Neither names a choice: {counts['both_none']:,}",
    ]
    if counts["same"] or counts["different"] or counts["rules_alone"]:
        lines += [
            f"  Both name the same choice: {counts['same']:,}",
            f"  They name different choices: {counts['different']:,}",
            f"  The rules name a choice, it none: {counts['rules_alone']:,}",
            f"  Cohen's kappa with the rules: {kappa}",
        ]
    if counts["unclear"]:
        lines.append(f"  Replies of the second reader without a letter: {counts['unclear']:,}")
    lines += [
        f"Wrote {out}. To use its choices in scores:",
        f"  curate evaluate score ... --second-reader {out}",
    ]
    click.echo("\n".join(lines))


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
    click.echo(f"{total:,} {noun}, {unparsed_:,} out-of-choice{share}.")
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
        click.echo("The two modes are not compared: KoBBQ's script parses only three choices.\n")
        return
    click.echo(
        f"{found.otherwise:,} of {found.replies:,} replies are parsed differently by KoBBQ's "
        "script"
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
            f"Wrote {sheet.file}: {sheet.rows:,} {plural('row', sheet.rows)} for a person to "
            "fill in. Then use it with --filled."
        )
        if sheet.left_out:
            click.echo(
                f"{sheet.left_out:,} less frequent replies did not fit: make another "
                "workbook afterwards."
            )
    if findings:
        print_findings(findings, err=True)
        click.echo(count_findings(findings), err=True)
