"""Replies are scored for what they answer: requests of the same ids may ask other things."""

import pytest
from benchmark import benchmark, write_samples

from curation.files.workspace import Workspace
from curation.records.messages import CurateError
from evaluation.qa.prepare import prepare
from evaluation.qa.scoring import ScoreInputs, score
from evaluation.runner.asking import plan_run, run

HERE = benchmark()
THERE = [item._replace(context=f"{item.context} It was late.") for item in HERE]


@pytest.fixture(name="replies")
def fixture_replies(tmp_path):
    """The replies to requests about the samples of HERE; those of THERE have the same ids."""
    for name, samples in (("here", HERE), ("there", THERE)):
        write_samples(tmp_path / f"{name}.csv", samples)
        requests = tmp_path / name / "requests.jsonl"
        prepare(Workspace(tmp_path), tmp_path / f"{name}.csv", language="en", out=requests)
    run(plan_run(Workspace(tmp_path), "always-first", requests=tmp_path / "here/requests.jsonl"))
    return tmp_path / "here" / "replies.jsonl"


def scored(replies, samples, **given):
    """Score the replies, as those to requests about the samples of a name."""
    folder = replies.parents[1]
    wanted = {"language": "en", "replies": (replies,), "intervals": False, **given}
    return score(Workspace(folder), ScoreInputs(samples=folder / f"{samples}.csv", **wanted))


def test_replies_to_other_samples_are_refused(replies):
    """With file, line, how many, and what to do; their own are scored."""
    assert scored(replies, "here").rows[0]["accuracy_amb"] == pytest.approx(1 / 3)
    compared = len(HERE) * 5 * 3
    with pytest.raises(CurateError) as caught:
        scored(replies, "there")
    assert caught.value.what.startswith(
        f"{compared} of {compared} replies answer other requests with the same ids"
    )
    assert caught.value.where == f"{replies}, line 1"
    assert caught.value.hint.startswith("name the samples and prompts (--prompts, --language)")


def test_so_are_replies_to_other_orders_prompts_and_requests(replies):
    """They show other choices at the same letters, or ask in other words."""
    for given in ({"orders": "kobbq"}, {"language": "ko"}):
        with pytest.raises(CurateError, match="360 of 360 replies answer other requests"):
            scored(replies, "here", **given)
    own, other = (replies.parents[1] / name / "requests.jsonl" for name in ("here", "there"))
    assert not scored(replies, "here", requests=own).incomplete
    with pytest.raises(CurateError, match="360 of 360 replies answer other requests"):
        scored(replies, "here", requests=other)
