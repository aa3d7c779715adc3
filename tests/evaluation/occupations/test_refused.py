"""Files that hold something else are refused, with the place of what is wrong."""

from functools import partial
from pathlib import Path

import pytest
import yaml

from curation.records.messages import CurateError, own_yaml
from evaluation.occupations.scores import read_items, read_ratios
from evaluation.occupations.tasks import Columns, make_ratios, read_prompts
from evaluation.reporting.words import read_occupations

TABLE = own_yaml((Path(__file__).parent / "refused.yaml").read_text(encoding="utf-8"))
READERS = {
    "items": read_items,
    "ratios": read_ratios,
    "scores": read_occupations,
    "statistics": partial(make_ratios, group="female", columns=Columns()),
}


@pytest.mark.parametrize("name", READERS)
def test_a_row_is_refused_with_row_and_column(tmp_path, name):
    path = tmp_path / f"{name}.csv"
    good = TABLE[name]["good"]
    for row, column in TABLE[name]["rows"]:
        path.write_text(f"{good}{row}\n", encoding="utf-8")
        with pytest.raises(CurateError) as refused:
            READERS[name](path)
        assert refused.value.where == f"{path}, row 3, column {column}", row


def test_prompts_that_cannot_be_filled_in_are_refused(tmp_path):
    """With the part of the task; what is whole is read, with ids that may be numbers."""
    path = tmp_path / "prompts.yaml"
    task = {
        "groups": {"w": ["a woman in {country}"], "m": ["a man in {country}"]},
        "instructions": [{"id": 1, "text": "{sentence} {options}"}],
        "survey": {"title": "t", "intro": "i", "instructions": "n", "question": "{stereotype}?"},
    }

    def read(changes):
        changed = {name: value for name, value in {**task, **changes}.items() if value is not None}
        content = {
            "language": "xx",
            "country": "there",
            "unknown": "?",
            "tasks": {"craft": changed},
        }
        path.write_text(yaml.safe_dump(content), encoding="utf-8")
        return read_prompts(path)

    assert read({}).task("craft").instructions[0].id == "1"
    with pytest.raises(CurateError, match="there are no prompts for coreference"):
        read({}).task("coreference")
    for changes, part in TABLE["prompts"]:
        with pytest.raises(CurateError) as refused:
            read(changes)
        assert refused.value.what.startswith("tasks.craft")
        assert part in refused.value.what, (changes, refused.value.what)
        assert refused.value.where.startswith(f"{path}, line ")
