"""Tasks: their content's hash, and who gets which."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.annotation.labelstudio.answers import Wanted, kind_of
from curation.annotation.labelstudio.tasks import (
    NOTHING,
    RESERVED,
    Task,
    allot,
    is_untouched,
)
from curation.files.workspace import Workspace
from curation.records.messages import CurateError
from tests.annotation.labelstudio.fake import fields_of

DEMO = Path(__file__).parents[3] / "templates_src" / "demo"
UIDS = [f"age-{at:03d}" for at in range(100)]
NAMES = ["Kim", "Lee", "Park"]


def test_an_edit_on_the_server_is_seen():
    """Whichever field it touches."""
    data = Task("u", {"a": "x", "options": [{"value": "1"}]}).data
    assert is_untouched(data)
    assert is_untouched(dict(reversed(data.items())))
    for changed in ({"a": "z"}, {"uid": "v"}, {"hash": "0"}, {"new": 1}, {"check": ""}):
        assert not is_untouched({**data, **changed})


@pytest.mark.parametrize("kind", ["classify", "translate", "comprehension"])
def test_a_task_has_all_that_its_page_shows(kind):
    """And none of the fields by which tasks are told apart."""
    page = kind_of(kind).page(Workspace(DEMO))
    tasks, _ = kind_of(kind).tasks(Workspace(DEMO), Wanted(every=True))
    assert tasks
    for task in tasks:
        assert fields_of(page) <= {*task.shown} and not {*task.shown} & {*RESERVED}


def test_a_page_shows_both_variants_as_respondents_read_them():
    """In each the two people are named, in the order of that variant."""
    tasks, _ = kind_of("classify").tasks(Workspace(DEMO), Wanted())
    for task in (one for one in tasks if one.shown["example"] != NOTHING):
        a, b = str(task.shown["example"]).splitlines()
        assert (a[:3], b[:3]) == ("a: ", "b: ") and a[3:] != b[3:] and "[" not in a + b


@given(overlap=st.integers(0, 120), seed=st.integers(0, 5))
def test_an_overlap_is_common_and_the_rest_is_shared_out(overlap, seed):
    """Every task has an annotator, the shares differ by one at most, the draw is seeded."""
    found = allot(UIDS, NAMES, overlap, seed, {})
    common = set.intersection(*(set(mine) for mine in found.values()))
    assert len(common) == min(overlap, 100)
    assert sorted({uid for mine in found.values() for uid in mine}) == UIDS
    assert sum(len(mine) for mine in found.values()) == 100 + 2 * len(common)
    sizes = [len(mine) for mine in found.values()]
    assert max(sizes) - min(sizes) <= 1
    assert found == allot(UIDS, NAMES, overlap, seed, {})


def test_what_was_allotted_stays():
    """New tasks are shared out; nobody loses one, and the overlap grows only on demand."""
    first = allot(UIDS[:60], NAMES, 10, 1, {})
    second = allot(UIDS, NAMES, 10, 1, first)
    for name in NAMES:
        assert set(first[name]) <= set(second[name])
    assert len(set.intersection(*(set(mine) for mine in second.values()))) == 10
    assert allot(UIDS, NAMES, 10, 1, second) == second
    grown = allot(UIDS, NAMES, 35, 1, second)
    assert all(set(second[name]) <= set(grown[name]) for name in NAMES)
    assert len(set.intersection(*(set(mine) for mine in grown.values()))) == 35
    assert sum(len(mine) for mine in grown.values()) == 100 + 2 * 35


def test_one_project_and_projects_of_each_do_not_mix():
    """It would send tasks twice."""
    for names, earlier in [([], {"Kim": ["a"]}), (["Kim"], {"": ["a"]})]:
        with pytest.raises(CurateError):
            allot(["a"], names, None, 1, earlier)
