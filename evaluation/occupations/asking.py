"""Items as requests: what a model reads."""

from collections.abc import Iterable, Iterator

from evaluation.occupations.choices import labels_of
from evaluation.occupations.items import Item
from evaluation.occupations.prompts import Task


def numbered(options: Iterable[str]) -> str:
    """Write options below one another, each with its number in brackets."""
    shown = tuple(options)
    pairs = zip(labels_of(shown), shown, strict=True)
    return "\n".join(f"({label}) {option}" for label, option in pairs)


def requests_of(asked: Iterable[tuple[Item, str]], task: Task) -> Iterator[dict[str, object]]:
    """Yield requests as `requests.jsonl` holds them, by the items' ids.

    Args:
        asked: The items, each with its pronoun, empty for personas.
        task: For the instructions.
    """
    texts = {item.id: item.text for item in task.instructions}
    for item, pronoun in asked:
        content = texts[item.instruction].format(
            sentence=item.sentence, options=numbered(item.options), pronoun=pronoun
        )
        yield {
            "request_id": item.item_id,
            "task": item.task,
            "instruction": item.instruction,
            "messages": [{"role": "user", "content": content}],
            "choices": list(item.options),
            "labels": list(labels_of(item.options)),
        }
