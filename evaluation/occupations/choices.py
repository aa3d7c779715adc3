"""Replies as choices: which option of its item each reply names."""

from collections.abc import Sequence

import numpy as np

from curation.languages import Language, calling_unknown
from evaluation.occupations.records import Item
from evaluation.occupations.scores import Picks
from evaluation.replies.attendance import Attendance, attendance, positions
from evaluation.replies.files import ReplyTable
from evaluation.replies.readings import MISSING, read_many
from evaluation.requests import count_epochs, epoch_id


def labels_of(options: Sequence[str]) -> tuple[str, ...]:
    """What the options are called where they are shown: their numbers from 1."""
    return tuple(str(at) for at in range(1, len(options) + 1))


def read_choices(
    items: Sequence[Item], replies: ReplyTable, own: Language | None = None
) -> tuple[Picks, tuple[Attendance, ...]]:
    """Read replies by number, by text, or by both; by the rules for replies of any kind.

    Replies to no item are left out and reported; so are failed calls, as missing.

    Args:
        items: The items, whose ids are the requests'; in later epochs with `-e2` and so on.
        replies: The replies.
        own: The language whose own words replies are read with too.

    Returns:
        What models chose, and how each of them replied.
    """
    names = [item.item_id for item in items]
    there = positions(replies, names) >= 0
    epochs = count_epochs(replies.frame["request_id"][~there].tolist())
    asked = [epoch_id(name, epoch) for epoch in range(1, epochs + 1) for name in names]
    at = positions(replies, asked)
    there = at >= 0
    epoch, item = np.divmod(at[there], len(items))
    lists: dict[tuple[str, ...], int] = {}
    list_of = np.array([lists.setdefault(entry.options, len(lists)) for entry in items], np.int64)
    read = read_many(
        replies.frame["reply"][there],
        list_of[item],
        list(lists),
        [labels_of(options) for options in lists],
        own=calling_unknown(own, sorted({entry.unknown for entry in items})),
    )
    rules = np.full(len(at), "", object)
    rules[there] = ["" if name == MISSING else name for name in np.array(read.names)[read.rules]]
    given = ~read.missing
    model = replies.frame["model"].cat.set_categories(replies.models).cat.codes.to_numpy()
    picks = Picks(
        models=tuple(replies.models),
        model=model[there][given].astype(np.int64),
        item=item[given],
        option=read.positions[given].astype(np.int64),
        epoch=epoch[given],
    )
    return picks, attendance(replies, asked, at, rules.tolist())
