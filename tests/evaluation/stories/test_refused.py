"""Files that hold something else are refused, with the place of what is wrong."""

from functools import partial
from pathlib import Path

import pytest

from curation.records.messages import CurateError, own_yaml
from evaluation.measures import read_scores
from evaluation.stories.asking import (
    continuation_prompts,
    read_continuation_requests,
    read_pairs,
    read_reading_requests,
)
from evaluation.stories.building import OVERRIDE_TABLE
from evaluation.stories.readers import PERSON_TABLE, draw_passages

TABLE = own_yaml((Path(__file__).parent / "refused.yaml").read_text(encoding="utf-8"))
KEYS = ("model", "group_by", "group")
READERS = {
    "readings": read_pairs,
    "scores": partial(read_scores, keys=KEYS, columns=["accuracy_amb"], wanted=["overall"]),
    "continuations": read_continuation_requests,
    "requests for readings": read_reading_requests,
    "passages": partial(draw_passages, count=1, seed=1),
    "people": PERSON_TABLE.read,
    "overrides": OVERRIDE_TABLE.read,
    "prompts": partial(continuation_prompts, "en"),
}


@pytest.mark.parametrize("name", TABLE)
def test_what_cannot_be_read_is_refused_with_its_place(tmp_path, name):
    """Every row of the table."""
    path = tmp_path / name
    for lines, where in TABLE[name]:
        text = "\n".join(lines) + "\n"
        text = text.replace("mA,", "m,age-001,bsd,")
        header = "model,template_id,question,version,reading"
        path.write_text(f"{header}{text[1:]}" if text.startswith("h") else text, encoding="utf-8")
        with pytest.raises(CurateError) as caught:
            READERS[name](path)
        assert caught.value.where.endswith(where), (lines, str(caught.value))


def test_cells_that_hold_no_reading_are_counted(tmp_path):
    path = tmp_path / "readings.csv"
    path.write_text("model,template_id,question,version,reading\n" + "m,age-001,bsd,a,D\n" * 2)
    with pytest.raises(CurateError, match="'D' is not a reading, and 1 more cell"):
        read_pairs(path)
