"""Which tokens say a label: the candidates of a choice by the highest logit."""

from collections import Counter
from collections.abc import Sequence
from typing import Any


def label_tokens(tokenizer: Any, labels: Sequence[str]) -> list[list[int]]:
    """Give for each label the tokens that begin a reply with it: `A`, and ` A` with its blank.

    Which of both a model writes hangs on how its prompt ends, so that both count, and the higher
    one is the label's. Only tokens that are the whole label are taken: of one that is several
    tokens the first may begin anything.

    Args:
        tokenizer: Of the `transformers` library.
        labels: The labels.

    Raises:
        ValueError: If a label has no token of its own.
    """
    forms = [_forms(tokenizer, label) for label in labels]
    counts = Counter(token for tokens in forms for token in tokens)
    own = [sorted(token for token in tokens if counts[token] == 1) for tokens in forms]
    for label, tokens in zip(labels, own, strict=True):
        if not tokens:
            raise ValueError(f"the label '{label}' has no token of its own in this model")
    return own


def _forms(tokenizer: Any, label: str) -> set[int]:
    vocabulary = tokenizer.get_vocab()
    # Where a text always begins with a blank, none is cut into a token without one.
    found = {vocabulary[label]} if label in vocabulary else set()
    for text in (label, f" {label}"):
        tokens = list(tokenizer(text, add_special_tokens=False)["input_ids"])
        if len(tokens) == 1:
            found.add(tokens[0])
    return found - {tokenizer.unk_token_id}
