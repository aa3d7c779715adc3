"""`curate evaluate replies`: replies read in, and how every reply is parsed, by which rule."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from curation.cli import options, terminal
from curation.files.workspace import Workspace
from curation.languages import Language
from curation.records.messages import Finding, counted, shortened
from curation.report.texts import typed, typed_share
from evaluation.cli import options as shared
from evaluation.folders import prepared_requests
from evaluation.prompts import asked_language
from evaluation.replies import rows as library
from evaluation.replies.files import reply_files
from evaluation.replies.readings import Mode

_REPLY_LENGTH = 60  # characters of a reply that are shown on the terminal
_IN, _PARSED = "FILE", "replies that are parsed, without FILE"
_SECOND, _OF_SECOND = "--second-reader MODEL", ("second_all", "provider", "base_url")
_BELONGS = {
    **dict.fromkeys(("models", "allow_incomplete"), (_IN,)),
    **dict.fromkeys(("mode", "explain", "out", "unreadable", "filled"), (_PARSED,)),
    "reader": (_PARSED,),
    **dict.fromkeys(_OF_SECOND, (_SECOND,)),
}
"""With what each option counts."""
_Examples = Mapping[str, Sequence[Mapping[str, Any]]]
_Explained = tuple[_Examples, Mapping[str, Any] | None]
"""What `--explain` adds: for each rule the replies that came most often, and where KoBBQ's script
differs; None where it cannot be compared."""
_NOT_SHOWN = ("failed", "refused")


@options.curate_command("replies")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="[FILE]...")
@options.section("Which replies")
@options.file_option(
    "--requests",
    help="File of requests (JSON lines): request_id and choices, and labels if they are not A, "
    "B, C [default: exports/evaluation/requests.jsonl]. With FILE: of all requests, to check that "
    "none lacks a reply.",
)
@options.path_option(
    "--replies",
    multiple=True,
    help="File or folder of replies (JSON lines); may be given several times. With FILE: the file "
    "to which they are added [default: replies.jsonl beside the requests].",
)
@options.section("With FILE")
@click.option(
    "--model",
    "models",
    metavar="NAME",
    multiple=True,
    help="Name of the model of batches or logs; given again, another name that results of batches "
    "may have for it [default: what they say].",
)
@options.flag_option(
    "--allow-incomplete", help="Add replies even if requests then still have none."
)
@options.section("How they are parsed")
@shared.mode_option
@options.flag_option(
    "--explain",
    help="Show examples for each rule, and where strict and kobbq differ.",
)
@options.file_option(
    "--out",
    help="File to write the parsed replies to (.csv or .jsonl).",
)
@options.section("Unparsed replies")
@options.file_option(
    "--unreadable",
    metavar="FILE.xlsx",
    help="Write the unparsed replies to a workbook, to be parsed by a person.",
)
@options.file_option(
    "--filled",
    multiple=True,
    metavar="FILE.xlsx",
    help="Workbook of --unreadable, filled in; may be given several times: the last one counts.",
)
@click.option(
    "--second-reader",
    "reader",
    metavar="MODEL",
    help="Ask a model which choice each unparsed reply names. Its choices are compared with the "
    "rules and written to second_reader.csv beside the replies; they change no other result.",
)
@options.flag_option(
    "--second-all",
    help="Ask the second reader about all replies, to measure its agreement with the rules.",
)
@click.option(
    "--provider", metavar="NAME", help="Provider of the second reader, as in 'curate evaluate run'."
)
@click.option(
    "--base-url",
    metavar="URL",
    help="Address of the second reader's server [default: the provider's, else OPENAI_BASE_URL, "
    "else OpenAI's].",
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    workspace: Workspace,
    files: tuple[Path, ...],
    requests: Path | None,
    replies: tuple[Path, ...],
    **given: Any,
) -> terminal.Taken:
    """Read replies in from other files, or show how replies are parsed.

    With FILE, what the files hold is added to the file of replies: results of batches that you
    downloaded, logs of lm-eval (samples_*.jsonl, from --log_samples) or Inspect (.eval, .json) from
    the tasks of 'curate export package', and the replies of other parts or machines. Of a folder
    all such files are read, in the order of their names. A file may be read again: no reply is
    added twice. Two different replies of a model to one request are an error. The exit status is 1
    if requests are found to lack a reply.

    Without FILE, it shows which choice each reply is, and by which rule. A reply is parsed by its
    verdict: a line or clause that is wholly a letter, the text of a choice or both ('The answer is
    B'). One that is negated, hedged or taken back, or two of them, make it out-of-choice.
    Out-of-choice replies are excluded from scores, and counted.

    \b
    Example: curate evaluate replies batch_6721_output.jsonl batch_6721_error.jsonl
             curate evaluate replies logs --model my-model
             curate evaluate replies parts --requests requests.jsonl
             curate evaluate replies --replies replies.jsonl --explain
             curate evaluate replies --replies replies.jsonl --unreadable unread.xlsx
             curate evaluate replies --replies replies.jsonl --second-reader my-model
    """  # noqa: D301  # \b keeps click from wrapping the example
    options.refuse_stray(
        ctx, _BELONGS, [_IN if files else _PARSED, *[_SECOND] * bool(given["reader"])]
    )
    if files:
        return _read_in(workspace, files, requests, replies, given)
    return _parse(workspace, requests, replies, **given)


def _read_in(
    workspace: Workspace,
    files: Sequence[Path],
    requests: Path | None,
    replies: Sequence[Path],
    given: Mapping[str, Any],
) -> terminal.Taken:
    """Add what files hold to the file of replies."""
    from evaluation.replies.merging import BATCH, collect, kind_of, reply_and_log_files
    from evaluation.runner.asking import plan_run

    if len(replies) > 1 or any(path.is_dir() for path in replies):
        raise click.UsageError("with FILE, --replies names the one file to which replies are added")
    target = next(iter(replies), None)
    plan = plan_run(workspace, "openai", requests=requests, replies=target)
    files = reply_and_log_files(files)
    kinds = [kind_of(path) for path in files]
    if BATCH in kinds:
        if set(kinds) != {BATCH}:
            raise click.UsageError("read results of batches apart from logs and other replies")
        return _read_batches(plan, files, given["models"])
    if len(given["models"]) > 1:
        raise click.UsageError("--model takes one value for logs and other replies")
    found = collect(
        files,
        plan.replies,
        requests,
        model=next(iter(given["models"]), None),
        allow_incomplete=given["allow_incomplete"],
        workspace=workspace,
    )
    value = {name: it for name, it in found.items() if name not in _NOT_SHOWN}
    return value, found.refused, partial(_show_merged, found)


def _show_merged(found: Any) -> None:

    terminal.print_findings(found.findings, err=True)
    terminal.echo_counts(
        (found.overlap, "Lines that answer a request that another file answers too"),
        (found.doubled, "Duplicate replies, written once"),
        (found.failures_left_out, "Failures left out, as another line has the reply"),
    )
    for model, names in (found.missing or {}).items():
        if names:
            click.echo(
                f"{model}: {len(names):,} of {found.requests:,} requests have no reply "
                f"({found.failed[model]:,} failed): {shortened(names)}",
                err=True,
            )
    if found.refused:
        click.echo(
            "Nothing was written.\n    -> add the missing files, ask again with 'curate evaluate "
            "run', or write the others with --allow-incomplete",
            err=True,
        )
        return
    models = counted(len(found.models), "model")
    said = f"{counted(found.written, 'line')} of {models} in {found.file}."
    if found.missing is None:
        said += " To check that none is missing, name --requests."
    elif not any(found.missing.values()):
        said += f" Complete: all {found.requests:,} requests have a reply of each model."
    click.echo(said)


def _read_batches(plan: Any, files: Sequence[Path], models: Sequence[str]) -> terminal.Taken:
    """Add results of batches to the file of replies."""
    from evaluation import batch

    model, *accepted = models or (None,)
    taken = batch.read(plan, files, model=model, accepted=accepted)
    value = taken.as_dict() | {"findings": taken.problems}
    return value, not taken.complete, partial(_show_taken, taken)


def _show_taken(taken: Any) -> None:

    tally = taken.tally
    failed = sorted(tally.failed.items(), key=lambda item: (-item[1], item[0]))
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in failed)
    lacking = f", {tally.failed.total():,} failed ({kinds})" if kinds else ""
    click.echo(
        f"{counted(taken.results, 'result')} of {taken.model}: "
        f"{tally.answered:,} new, {taken.known:,} known before{lacking}. Replies: "
        f"{taken.replies_file}"
    )
    terminal.echo_counts(
        *shared.incomplete_replies(tally),
        (taken.doubled, "Results left out, as an earlier one has the same custom id"),
    )
    terminal.print_findings(taken.problems, err=True)
    if taken.unknown:
        what = f"{counted(len(taken.unknown), 'result')} left out, of requests that are not in"
        click.echo(f"{what} these batches: {shortened(taken.unknown)}", err=True)
    for name, count in taken.waiting.items():
        click.echo(f"{counted(count, 'request')} wait for the results of {name}", err=True)
    if taken.missing:
        click.echo(
            f"{counted(len(taken.missing), 'request')} left without a reply: "
            f"{shortened(taken.missing)}\n    -> write them again with the same 'curate evaluate "
            "run --batch'; it writes only these",
            err=True,
        )


def _parse(
    workspace: Workspace,
    requests: Path | None,
    replies: Sequence[Path],
    *,
    mode: Mode,
    explain: bool,
    out: Path | None,
    unreadable: Path | None,
    filled: tuple[Path, ...],
    **second: Any,
) -> terminal.Taken:
    """Show how replies are parsed."""
    if not replies:
        raise click.UsageError("name the replies: --replies FILE, or FILE to read some in")
    if out is not None and out.suffix.lower() not in (".csv", ".jsonl"):
        raise click.UsageError(f"--out: '{out.name}' is neither a .csv nor a .jsonl file")
    if unreadable is not None and unreadable.suffix.lower() != ".xlsx":
        raise click.UsageError(f"--unreadable: '{unreadable.name}' is no .xlsx file")
    if mode == "logprobs" and (explain or unreadable or second["reader"]):
        raise click.UsageError(
            "--explain, --unreadable and --second-reader are about what replies say, and --mode "
            "logprobs reads none of it"
        )
    replies, requests = reply_files(replies), prepared_requests(workspace, requests)
    own = asked_language(workspace, beside=requests)
    read = library.parse_replies(requests, replies, mode=mode, filled=filled, language=own)
    sheet = None
    if unreadable is not None:
        sheet = library.write_unparsed(workspace, read, unreadable)
        if workspace.culture_file.exists():  # replies are read without a workspace too
            options.note_language(workspace)
    if out is not None:
        read.save(out, workspace)
    seconded = None
    if second["reader"] is not None:
        seconded = _ask_second(workspace, read, own, replies[0].parent, second)
    explained = (library.examples(read), library.difference(read)) if explain else None

    def show() -> None:
        _show(read, mode, explained)
        if seconded is not None:
            _show_second(seconded)
        _tell(out, sheet, read.findings)

    return partial(_as_dict, read, mode, explained, sheet, seconded), read.findings, show


def _ask_second(
    workspace: Workspace,
    read: library.ReadReplies,
    own: Language | None,
    folder: Path,
    given: Mapping[str, Any],
) -> dict[str, Any]:
    """Ask the second reader, and write what it says."""
    from evaluation.replies.second import read_second
    from evaluation.runner.backend import BackendSettings, served_by

    reader = BackendSettings(
        given["reader"],
        {"temperature": 0},
        base_url=given["base_url"] or "",
        workspace=workspace.root,
    )
    found = read_second(
        workspace,
        read,
        served_by(reader, given["provider"]),
        own,
        every=given["second_all"],
        note=lambda line: click.echo(f"Note: {line}.", err=True),
    )
    out = folder / "second_reader.csv"
    found.save(out, workspace)
    return {"reader": found.reader, "file": str(out), **found.told}


def _show_second(found: Mapping[str, Any]) -> None:
    counts, out = found["agreement"], found["file"]
    kappa = typed(found["kappa"], undefined="undefined")
    lines = [
        f"Second reader {found['reader']}: {counted(found['replies'], 'reply')}, "
        f"{counted(found['asked'], 'question')}, {found['from_store']:,} from the store.",
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
        f"  curate evaluate score ... --filled {out}",
    ]
    click.echo("\n".join(lines))


def _as_dict(
    read: library.ReadReplies,
    mode: str,
    explained: _Explained | None,
    sheet: Mapping[str, Any] | None,
    seconded: Mapping[str, Any] | None,
) -> dict[str, object]:
    result: dict[str, object] = {
        "rows": [dict(zip(library.ROW_COLUMNS, row, strict=True)) for row in read.rows()],
        "mode": mode,
        "rules": read.readings.counts(),
        "out_of_choice": int(read.readings.out_of_choice.sum()),
        "failed": dict(read.failed),
        "findings": read.findings,
    }
    if sheet is not None:
        result["unreadable"] = sheet
    if explained is not None:
        result["examples"], result["difference"] = explained
    if seconded is not None:
        result["second_reader"] = seconded
    return result


def _show(read: library.ReadReplies, mode: Mode, explained: _Explained | None) -> None:
    rules, total = read.readings.counts(), len(read.frame)
    texts = library.rule_texts(mode)
    rows = [
        [name, text, f"{rules[name]:,}", typed_share(rules[name] / total)]
        for name, text in texts.items()
        if name in rules
    ]
    if total:
        header = ["rule", "", "replies", "share"]
        click.echo("\n".join(terminal.table_lines(header, rows, left=2)) + "\n")
    if explained is not None:
        _show_examples(explained[0], list(texts))
        _show_difference(explained[1])
    unparsed_ = int(read.readings.out_of_choice.sum())
    share = f" ({typed_share(unparsed_ / total)})" if total else ""
    click.echo(f"{counted(total, 'reply', 'replies')}, {unparsed_:,} out-of-choice{share}.")
    for kind, count in read.failed.items():
        click.echo(f"{counted(count, 'call')} failed: {kind}")


def _show_examples(found: _Examples, order: Sequence[str]) -> None:
    for rule in sorted(found, key=order.index):
        click.echo(f"{rule}:")
        for item in found[rule]:
            counted = f"{item['count']:>9,} x  {item['choice'] or '-'}"
            click.echo(f"  {counted}  {_shortened(item['reply'])}")
    click.echo()


def _show_difference(found: Mapping[str, Any] | None) -> None:
    if found is None:
        click.echo("The two modes are not compared: KoBBQ's script parses only three choices.\n")
        return
    click.echo(
        f"{found['otherwise']:,} of {found['replies']:,} replies are parsed differently by KoBBQ's "
        "script"
        + "".join(f"; {name}: {count:,}" for name, count in found["otherwise_by_model"].items())
        + "."
    )
    rows = [
        [name, *(f"{found['table'][name][other]:,}" for other in library.ANSWERS)]
        for name in library.ANSWERS
    ]
    header = ["strict \\ kobbq", *library.ANSWERS]
    terminal.echo_table(header, rows)
    for item in found["examples"]:
        both = "{count:>9,} x  {strict} ({strict_rule}), kobbq {kobbq} ({kobbq_rule})"
        click.echo(f"  {both.format(**item)}:  {_shortened(item['reply'])}")
    click.echo()


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return repr(line if len(line) <= _REPLY_LENGTH else f"{line[: _REPLY_LENGTH - 3]}...")


def _tell(out: Path | None, sheet: Mapping[str, Any] | None, findings: Sequence[Finding]) -> None:
    if out is not None:
        click.echo(f"Wrote {out}.")
    if sheet is not None:
        click.echo(
            f"Wrote {sheet['file']}: {counted(sheet['rows'], 'row')} for a person to "
            "fill in. Then use it with --filled."
        )
        if sheet["left_out"]:
            click.echo(
                f"{sheet['left_out']:,} less frequent replies did not fit: make another "
                "workbook afterwards."
            )
    if findings:
        terminal.print_findings(findings, err=True)
        click.echo(terminal.count_findings(findings), err=True)
