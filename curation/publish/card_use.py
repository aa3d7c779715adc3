"""Parts of the card for who uses the data: its tables, how to load them, how to score a model."""

from collections.abc import Iterator

from curation.io.pages.markdown import table
from curation.publish.facts import Configuration, Facts
from curation.publish.front import SPLIT

_KINDS = {
    "text": "text",
    "list": "list of texts",
    "whole number": "whole number",
    "truth value": "true or false",
}


def tables(facts: Facts) -> Iterator[str]:
    """Yield the tables that are published, and what their columns hold."""
    yield "## What is in this folder"
    yield ""
    rows = [
        (f"`{item.name}`", item.title, f"{item.rows:,}", f"`{item.path}`")
        for item in facts.configurations
    ]
    yield from table(("Configuration", "Rows are", "Rows", "File"), rows, texts=(0, 1, 3))
    yield (
        f"Every configuration has one split, `{SPLIT}`: nothing here is for training. An empty "
        "text says that there is nothing to say."
    )
    yield ""
    seen: tuple[str, ...] = ()
    for item in facts.configurations:
        names = tuple(column.name for column in item.columns)
        if names == seen:
            continue
        seen = names
        yield from _columns(item, facts)


def _columns(item: Configuration, facts: Facts) -> Iterator[str]:
    alike = [
        f"`{other.name}`"
        for other in facts.configurations
        if [column.name for column in other.columns] == [column.name for column in item.columns]
    ]
    yield f"**Columns of {' and '.join(alike)}**"
    yield ""
    rows = [
        (_code(column.name), _KINDS[column.kind], column.meaning)
        for column in item.columns
        # Twins repeat what their column says.
        if not column.name.endswith(("_source", "_machine"))
    ]
    yield from table(("Column", "Holds", "Says"), rows, texts=(0, 1, 2))
    twins = sorted({c.name.rpartition("_")[2] for c in item.columns} & {"source", "machine"})
    if len(rows) < len(item.columns):
        told = {
            "source": "`..._source`: the same in the source language",
            "machine": "`..._machine`: the machine translation as it was received",
        }
        yield f"{'; '.join(told[twin] for twin in twins)}."
        yield ""


def _code(text: str) -> str:
    """Write a name as code within a table."""
    return f"`{text.replace('|', '&#124;')}`" if "`" not in text else text.replace("|", "\\|")


def loading(facts: Facts) -> Iterator[str]:
    """Yield how the tables are loaded."""
    first = facts.configurations[0]
    yield "## How to load it"
    yield ""
    yield "With the `datasets` library, by the path of this folder or by its name on the hub:"
    yield ""
    yield "```python"
    yield "from datasets import load_dataset"
    yield ""
    yield f'data = load_dataset("path/to/this/folder", "{first.name}", split="{SPLIT}")'
    yield 'print(data[0]["context"], data[0]["question"], data[0]["choices"])'
    yield "```"
    yield ""
    yield "Without it, for the files are plain Parquet:"
    yield ""
    yield "```python"
    yield "import pandas"
    yield ""
    yield f'data = pandas.read_parquet("path/to/this/folder/{first.path}")'
    yield "```"
    yield ""


def scoring(facts: Facts) -> Iterator[str]:
    """Yield how a model is asked and scored."""
    first = facts.configurations[0]
    yield "## How to score a model"
    yield ""
    yield (
        "With the toolkit that made this folder (`pip install curate-bbq`), in a workspace of the "
        "same language:"
    )
    yield ""
    yield "```bash"
    yield f"curate evaluate prepare --samples path/to/this/folder/{first.path} --out requests.jsonl"
    yield "curate evaluate run --requests requests.jsonl --model MODEL --replies replies.jsonl"
    yield (
        f"curate evaluate score --samples path/to/this/folder/{first.path} "
        "--requests requests.jsonl --replies replies.jsonl --out scores"
    )
    yield "```"
    yield ""
    yield (
        "`curate export lm-eval` and `curate export inspect` write the benchmark as tasks of the "
        "LM Evaluation Harness and of Inspect; a release package has them in `lm_eval/` and "
        "`inspect/`. Scores are KoBBQ's accuracy and diff-bias in ambiguous and in disambiguated "
        "contexts. Each sample is asked in three orders of its choices. A reply from which no "
        "choice can be read is left out of the scores and counted beside them. Report the prompts, "
        "the orders and the share of such replies with every score."
    )
    yield ""
