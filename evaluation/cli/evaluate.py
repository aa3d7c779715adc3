"""`curate evaluate`: models on the benchmark, and its groups of commands."""

import click

from curation.cli.main import LazyGroup

_ASKING, _SCORING = "evaluation.cli.asking", "evaluation.cli.scoring"
_BATCHES = "evaluation.cli.batches"
_COMMANDS = {
    "Ask models": {
        "prepare": (
            f"{_ASKING}:prepare_command",
            "Write requests: samples x prompts x orders.",
        ),
        "run": ("evaluation.cli.run", "Send the requests to a model; save replies."),
        "batch": ("evaluation.cli.evaluate:batch", "Ask through batch files, at half the price."),
        "logs": (f"{_ASKING}:logs_command", "Convert logs of lm-eval or Inspect to replies."),
        "merge": (f"{_ASKING}:merge_command", "Merge files of replies into one."),
    },
    "Parse and score": {
        "replies": ("evaluation.cli.replies", "Show how replies are parsed, and by which rule."),
        "score": (f"{_SCORING}:score_command", "Score replies: accuracy, bias, out-of-choice."),
        "compare": ("evaluation.cli.compare", "Test whether scores differ."),
        "report": (f"{_SCORING}:report_command", "Write a report: page, figures and tables."),
        "view": ("exports.cli.view", "Write a page to look at each reply."),
    },
    "Other measures": {
        "stories": ("evaluation.cli.stories", "Measure bias in stories that models continue."),
        "occupations": (
            "evaluation.cli.occupations",
            "Compare occupations with labour statistics.",
        ),
    },
}
_BATCH = {
    "write": (f"{_BATCHES}:write_command", "Write requests without a reply to batch files."),
    "read": (f"{_BATCHES}:read_command", "Add results to the file of replies."),
}


@click.group("evaluate", lazy=_COMMANDS, cls=LazyGroup)
def command() -> None:
    """Run models on an exported benchmark, and score them.

    The steps: 'prepare' writes requests. 'run' sends them to a model. 'replies' shows how the
    replies are parsed. 'score' computes the scores. 'compare' tests differences. 'report' writes a
    report, and 'view' a page with each reply. 'stories' and 'occupations' have the same steps for
    two other kinds of measures.
    """


@click.group("batch", lazy=_BATCH, cls=LazyGroup)
def batch() -> None:
    """Ask a model through batch files: slower than 'run', at about half the price.

    'write' makes batch files of OpenAI's form. Upload them to the provider, or give them to 'vllm
    run-batch'. 'read' adds the results to the replies. If requests still have no reply, the next
    'write' writes only these.
    """
