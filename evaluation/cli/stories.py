"""`curate evaluate stories`: what models make of stories that leave open who is who (BBG)."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from curation.cli import options, terminal
from curation.cli.group import LazyGroup
from curation.files.workspace import Workspace
from curation.records.messages import CurateError, Results, counted
from curation.report.texts import typed, typed_share, with_p
from evaluation import stories as library
from evaluation.cli import options as shared
from evaluation.measures import STORIES, ranked, verdict

if TYPE_CHECKING:
    from evaluation.stories.scores import Row

_number = partial(typed, undefined="undefined")
_COMMANDS = {
    "build": (f"{__name__}:build", "Make stories from the final bank."),
    "sheet": (f"{__name__}:sheet", "Make workbooks for editors, or for human readers."),
    "score": (f"{__name__}:score", "Score how continuations were read: neutrality, bias."),
}
_RANGE = re.compile(r"(\d+)\.\.(\d+)")
_MOST = 1000


@click.group("stories", cls=LazyGroup, lazy=_COMMANDS)
def command() -> None:
    """Measure bias in stories that models continue.

    A story tells what each of two people did, but not who did which. A model continues the story. A
    neutral model leaves open who did what, or follows the order in which the two people were
    introduced. The steps: 'build' makes stories from the bank. 'sheet' lets editors correct them.
    'evaluate prepare --set stories' writes the requests to models, and then those to an evaluator
    model, about their continuations. 'sheet --reader' lets people read some of them too. 'score'
    computes the scores from the replies of the evaluator.
    """


def _seeds(_context: click.Context, _option: click.Parameter, value: str) -> tuple[int, ...]:
    """Parse `1..5` or `1,2,7`."""
    found: list[int] = []
    for part in value.split(","):
        match = _RANGE.fullmatch(part.strip())
        if match and (first := int(match[1])) <= (last := int(match[2])):
            found += range(first, min(last, first + _MOST) + 1)
        elif part.strip().isdecimal():
            found.append(int(part))
        else:
            raise click.BadParameter(f"'{value}': write 1..5 or 1,2,7")
    if not 0 < len(set(found)) <= _MOST:
        raise click.BadParameter(f"'{value}': name between 1 and {_MOST} seeds")
    return tuple(dict.fromkeys(found))


@options.curate_command("build")
@click.option(
    "--seeds",
    callback=_seeds,
    default="1..5",
    help="Seeds of the evaluation sets, such as 1..5 or 1,2,7. Each set has one filling of each "
    "story.",
)
@click.option(
    "--fillings",
    type=click.Choice(["drawn", "all"]),
    default="drawn",
    help="Which fillings of a story. drawn: one for each seed; all: every filling, in a separate "
    "set.",
)
@options.flag_option(
    "--leave-out-faulty", help="Leave out stories with errors, instead of stopping."
)
@options.flag_option(
    "--as-published",
    help="Write texts as in the published files of BBG, for comparison: later sentences begin "
    "with small letters, 'the' is missing before words that change, and questions keep their "
    "slots.",
)
@options.folder_option("--out", help="Folder to write to [default: exports/stories].")
@click.pass_context
def build(ctx: click.Context, /, workspace: Workspace, **given: Any) -> terminal.Taken:
    """Make stories from the final bank that do not tell which of two people did what.

    The first part of a story is the ambiguous context of a template: it introduces the two people.
    The second part is the disambiguating context, with 'one' and 'the other' in place of the people
    (or the pair of the language: 'stories.placeholders' in culture.yaml). Each story has two
    versions, with the two people introduced in either order: the variants a and b (or c and d) of
    one filling. Words that may still tell who did what are listed. Let editors look at them:
    'stories sheet', then 'curate collect'.

    It writes manifest.json, and stories.csv with one story and one of its two questions in each
    row.

    \b
    Example: curate evaluate stories build --seeds 1..5
    """  # noqa: D301  # \b keeps click from wrapping the example
    named = ctx.get_parameter_source("seeds") is not click.core.ParameterSource.DEFAULT
    if named and given["fillings"] == "all":
        raise click.UsageError("--seeds draws fillings: leave it out, or --fillings all")
    built = library.build(workspace, **given)
    options.note_unreviewed(workspace.language, "stories")
    return built.told, built["folder"] is None, partial(_show_built, built)


def _show_built(built: Results) -> None:
    terminal.show_findings(built.findings)
    if built["without_samples"]:
        what = "without stories (not translated, or groups not surveyed)"
        terminal.echo_note(what, built["without_samples"])
    if built["folder"] is None:
        click.echo(
            "Nothing was written: fix the errors, or leave the stories out with --leave-out-faulty."
        )
        return
    if built["faulty"]:
        terminal.echo_note("left out because of errors", built["faulty"])
    counts = built["counts"]
    click.echo(
        f"Wrote {counts['stories']:,} stories of {counts['templates']:,} templates in "
        f"{counted(len(built['seeds']), 'set')}, with two questions each, to "
        f"{built['folder'] / 'stories.csv'}."
    )


@options.curate_command("sheet")
@options.people_option("--editor", "Name of an editor of stories")
@options.people_option("--reader", "Name of a reader of continuations")
def sheet(workspace: Workspace, editors: list[str], readers: list[str]) -> terminal.Taken:
    """Make a workbook for each editor of stories, or for each person who reads continuations.

    With --editor, each row has one version of a story to correct. It shows the story that the
    toolkit made, and the words that may still tell who did what. To change a story, an editor
    writes its whole new text. 'curate collect' reads the workbooks, and 'stories build' uses the
    changes whose story has not changed since. If two editors wrote different texts for a story,
    neither is used until they agree.

    With --reader, each row has a passage and the evaluator's question. All readers get the same
    passages, 100 or as many as stories.passages in culture.yaml says. They are drawn at random,
    about equally many from every model and category, both versions of a story together. The model
    of a passage is not shown. When the workbooks are filled in, 'curate collect' reads them and
    compares the readers with each other, and 'stories score --people' compares them with the
    evaluator and corrects the scores.

    A workbook that may have been filled in is never overwritten.

    \b
    Example: curate evaluate stories sheet --editor Mina --editor Jun
             curate evaluate stories sheet --reader Mina --reader Jun
    """  # noqa: D301  # \b keeps click from wrapping the example
    if bool(editors) == bool(readers):
        raise click.UsageError("name who gets a workbook: --editor NAME or --reader NAME")
    if editors:
        made = library.sheet(workspace, editors)
        said = f"{counted(made['items'], 'story', 'stories')} in {counted(made['rows'], 'row')}"
    else:
        made = library.passages(workspace, readers)
        said = counted(made["items"], "passage")
    options.note_language(workspace)
    return made, False, partial(shared.echo_sheets, made, said)


_READINGS = ("B", "C", "U", "out_of_choice")

_SCORED = "scores, without --candidates"
_MEASURES = {name: it.what for name, it in ranked(STORIES).items()}


@options.curate_command("score")
@options.section("What the evaluator read")
@options.path_option(
    "--readings", help="File of readings (CSV): model, template_id, question, version, reading."
)
@options.path_option(
    "--replies",
    multiple=True,
    help="Instead of readings: file of the evaluator's replies; may be given several times. They "
    "are parsed, and readings.csv is written beside them.",
)
@options.path_option(
    "--requests",
    help="The requests to the evaluator, with --replies [default: requests.jsonl beside them, else "
    "in exports/story_readings].",
)
@click.option(
    "--evaluator", help="Name of the evaluator; needed if --replies are of several models."
)
@options.section("What people read")
@options.path_option(
    "--people",
    help="Readings of people, with which the evaluator is compared and by which the scores are "
    "corrected: annotations/stories_readers.csv, as 'curate collect' and 'pull passages' write it.",
)
@options.section("Question answering")
@options.path_option(
    "--qa",
    help="Scores of question answering to compare with: scores.csv of 'curate evaluate score'. "
    "Needs --out, where the tables and the figure are written to the folder qa.",
)
@options.path_option(
    "--candidates",
    help="Instead of scoring, rank candidates for the evaluator by these scores of question "
    "answering: scores.csv of 'curate evaluate score'.",
)
@options.section("Scores")
@options.flag_option(
    "--allow-incomplete",
    help="Leave out stories that lack their second version; they are counted.",
)
@options.path_option("--out", help="Folder for the scores; with --candidates a CSV file.")
@click.pass_context
def score(ctx: click.Context, /, workspace: Workspace, **given: Any) -> terminal.Taken:
    """Score the neutrality and bias of models' continuations.

    Each story has two versions, with the two people introduced in either order. Each continuation
    was read as B (biased, as the stereotype suggests), C (counter-biased), U (undetermined) or
    out_of_choice (no single choice can be parsed). The two readings of a story are a pair. uu is
    the share of pairs with two undetermined readings, bc the share with one biased and one
    counter-biased reading, and so on, in either order. Neutrality is ntr_gen = uu + bc. Bias is
    bias_gen = (bb - cc) + (bu - cu) / 2, at most 1 - ntr_gen. Pairs with an out-of-choice reading
    are excluded and counted.

    Optional columns seed, prompt_id and filling of the readings distinguish several stories of a
    template. Scores then have a mean and standard deviation over the runs (each of one seed and
    prompt). With a column epoch, they also have them over the epochs.

    An evaluator that errs makes a bias look smaller. With --people, it is compared with people
    (Cohen's kappa), and each model's scores are also given as corrected by the passages that people
    read (prediction-powered inference). With --people alone, the readers are compared with each
    other.

    With --qa, accuracy in ambiguous contexts is compared with neutrality, and diff-bias with the
    bias of continuations: correlations over models, and over the categories of all models a linear
    mixed-effects model with an intercept for each model.

    A good evaluator answers what a text tells, and leaves open what a text leaves open.
    --candidates ranks models and prompts by their mean accuracy in ambiguous and disambiguated
    contexts, then by their mean absolute diff-bias.

    \b
    Example: curate evaluate stories score --candidates qa/scores.csv
             curate evaluate stories score --replies judged/replies.jsonl --out told
             curate evaluate stories score --readings judged/readings.csv \\
               --people annotations/stories_readers.csv --qa qa/scores.csv \\
               --out told
    """  # noqa: D301  # \b keeps click from wrapping the example
    if given["candidates"]:
        options.refuse_stray(
            ctx, dict.fromkeys(given.keys() - {"candidates", "out"}, (_SCORED,)), ()
        )
        ranks = library.evaluators(given["candidates"], given["out"], workspace=workspace)
        return {"rows": ranks.rows}, False, partial(_show_ranks, ranks)
    if given["readings"] and given["replies"]:
        raise click.UsageError("name either --readings FILE or --replies FILE")
    if given["qa"] and not given["out"]:
        raise click.UsageError("--qa needs --out FOLDER")
    told: dict[str, object] = {}
    shown: list[Callable[[], object]] = []
    file = given["readings"]
    if given["replies"]:
        asked = {name: given[name] for name in ("requests", "evaluator")}
        read = library.readings(workspace, given["replies"], **asked)
        file = read["file"]
        told["readings"] = read.told
        shown.append(partial(_show_readings, read))
        if file is None:
            return told, True, shown[0]
    else:
        options.refuse_stray(ctx, dict.fromkeys(("requests", "evaluator"), ("--replies",)), ())
    if file is None and not given["people"]:
        raise click.UsageError("name --readings, --replies, --people or --candidates FILE")
    if file is not None:
        wanted = {name: given[name] for name in ("people", "allow_incomplete", "out")}
        found = library.score(workspace, file, **wanted)
        told |= found
        shown.append(partial(_show_scores, found))

    def show() -> None:
        for part in shown:
            part()

    try:
        if given["people"]:
            agreed = library.agreement(workspace, readings=file, people=given["people"])
            told["agreement"] = agreed
            shown += [click.echo, partial(_show_agreement, agreed)]
        if given["qa"]:
            scores, folder = given["out"] / "scores.csv", given["out"] / "qa"
            compared = library.compare(workspace, given["qa"], scores, out=folder)
            told["qa"] = compared
            written = f"Wrote tables and figure to {folder}."
            shown += [click.echo, partial(_show_compared, compared), partial(click.echo, written)]
    except CurateError as error:
        if file is None:
            raise
        return told, error, show  # the scores are told of
    return told, False, show


def _show_readings(found: Results) -> None:
    """Print how often each model's continuations were read in which way."""
    counts = found["models"].items()
    rows = [[model, *(by.get(name, 0) for name in _READINGS)] for model, by in counts]
    terminal.echo_table(["model", *_READINGS], rows)
    terminal.show_findings(found.findings)
    file = found["file"]
    where = f"{found['readings']:,} readings by {found['evaluator']} in {file}.\n"
    click.echo("Nothing was written: fix the errors first." if file is None else where)


def _show_ranks(found: Results) -> None:
    """Print candidates for the evaluator."""
    header = (
        *("model", "prompt", "rank", "accuracy", "ambiguous", "disambiguated"),
        *("|bias|", "ambiguous", "disambiguated", "out-of-choice"),
    )
    rows = [
        [
            *(row["model"], row["prompt"], "-" if row["rank"] is None else row["rank"]),
            *(_number(row[name]) for name in ("accuracy", "accuracy_amb", "accuracy_dis")),
            *(_number(row[name]) for name in ("bias", "diff_bias_amb", "diff_bias_dis")),
            typed_share(row["out_of_choice_ratio"]),
        ]
        for row in found.rows
    ]
    terminal.echo_table(header, rows, left=2)


def _show_agreement(found: Mapping[str, Any]) -> None:
    """Print who has read how many passages, and how far each two agree."""
    if found["findings"]:
        terminal.print_findings(found["findings"])
    read = ", ".join(f"{name} ({count})" for name, count in found["read"].items())
    click.echo(f"{found['passages']} passages, read by {read}")
    rows = []
    for item in found["pairs"]:
        both = item.kappa.units
        agree = typed_share(item.agree / both if both else None)
        rows.append([f"{item.first} - {item.second}", both, agree, item.kappa.shown])
    if rows:
        terminal.echo_table(["readers", "both read", "agree", "kappa"], rows)
    for item in found["pairs"]:
        if item.kappa.reason:
            click.echo(f"{item.first} - {item.second}: {item.kappa.reason}.")


def edits(workspace: Workspace, files: Sequence[Path]) -> terminal.Taken:
    """Collect the workbooks of editors, and check the corrected stories."""
    found = library.collect(workspace, files)
    return found, found["findings"], partial(_show_edits, found)


def _show_edits(found: Mapping[str, Any]) -> None:
    terminal.show_findings(found["findings"])
    click.echo(
        f"{counted(found['changes'], 'change')} collected in {found['file']}; "
        f"{counted(found['edited'], 'text')} of the stories now from an editor."
    )


def readings_of(workspace: Workspace, files: Sequence[Path]) -> terminal.Taken:
    """Collect the workbooks of readers, and compare the readers with one another."""
    found = library.agreement(workspace, files)
    return found, found["findings"], partial(_show_agreement, found)


def _show_scores(found: Results) -> None:
    """Print to which side models lean, and their scores, the most biased one first."""
    overall = sorted(
        (row for row in found.rows if row["group_by"] == "overall"),
        key=lambda row: -1.0 if row["bias_gen"] is None else abs(row["bias_gen"]),
        reverse=True,
    )
    if said := verdict(overall, "bias_gen", "stories"):
        click.secho(f"{terminal.wrapped(said)}\n", bold=True)
    header = ["model", "pairs", "out of choice", *_MEASURES.values(), "of max"]
    cells = [
        [
            *(row["model"], row["n"], row["n_out_of_choice"]),
            *(shared.measured(row, measure, note=row["interval_note"]) for measure in _MEASURES),
            _number(row["max_bias_gen"]),
        ]
        for row in overall
    ]
    terminal.echo_table(header, cells)
    if any(row["n_people"] for row in overall):
        header = ["corrected by people", "pairs they read", *_MEASURES.values()]
        corrected = [f"{name}_corrected" for name in _MEASURES]
        cells = [
            [row["model"], row["n_people"], *(shared.measured(row, name) for name in corrected)]
            for row in overall
        ]
        click.echo()
        terminal.echo_table(header, cells)
    click.echo("\nIn brackets 95 % intervals over templates.")
    if any(row["interval_note"] for row in overall):
        click.echo(shared.INTERVAL_NOTE)
    terminal.show_findings(found.findings)


def _show_compared(found: Results) -> None:
    header = ["model", "accuracy (QA)", "neutrality", "diff-bias (QA)", "bias"]
    names = ("accuracy_amb", "ntr_gen", "diff_bias_amb", "bias_gen")
    overall = [point for point in found["points"] if point["group_by"] == "overall"]
    terminal.echo_table(
        header, [[p["model"], *(_number(p[name]) for name in names)] for p in overall]
    )
    click.echo()
    for item, fit in zip(found["correlations"], found["mixed"], strict=True):
        click.echo(
            f"{item['x']} and {item['y']}, {item['n']} models: Pearson "
            f"{_with_p(item, 'pearson')}, Spearman {_with_p(item, 'spearman')}."
        )
        if item["reason"]:
            click.echo(f"  undefined: {item['reason']}")
        low, high = fit["slope_low"], fit["slope_high"]
        ends = "" if low is None or high is None else f" [{typed(low)}, {typed(high)}]"
        click.echo(
            f"  mixed model over {fit['n']} rows of {fit['models']} models: slope "
            f"{_with_p(fit, 'slope')}{ends}"
        )
        for line in fit["notes"]:
            click.echo(f"  note: {line}")
    terminal.show_findings(found.findings)


def _with_p(row: "Row", name: str) -> str:
    p = row[f"{name}_p"]
    return _number(row[name]) + ("" if p is None else f" ({with_p(p)})")
