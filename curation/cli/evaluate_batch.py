"""`curate evaluate batch`: requests that a provider answers within a day."""

import click

from curation.cli.main import LazyGroup

_COMMANDS: dict[str, tuple[str, str]] = {
    "write": ("curation.cli.evaluate_batch_write", "Write requests without a reply as batches."),
    "read": ("curation.cli.evaluate_batch_read", "Read the results into the file of replies."),
}


@click.group(
    "batch",
    cls=LazyGroup,
    lazy=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
def command() -> None:
    """Ask a model through batch files: slower than 'run', at about half the price.

    'write' makes the files, you upload them to OpenAI or Anthropic or give them to
    'vllm run-batch', and 'read' takes the results. What then has no reply yet the next 'write'
    writes again, and nothing else.
    """
