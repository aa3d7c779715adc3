"""First rule: thoughts are no part of a reply."""

import pytest

from evaluation.parsing.thoughts import without_thoughts
from evaluation.parsing.verdicts import ReplyRule, read_reply

CHOICES = ("the potter", "the baker", "cannot be known")

CLOSED = [
    ("<think>It says A.</think>B", "B"),
    ("<think>\nA or B?\n</think>\n\nB", "B"),
    ("<thinking>A</thinking> B", "B"),
    ("<THINK>A</THINK>B", "B"),
    ("<reasoning>The answer is A.</reasoning>\nThe answer is B.", "The answer is B."),
    ("<reason>A</reason>B", "B"),
    ("<thought>A</thought>B", "B"),
    ("<analysis>A</analysis>B", "B"),
    ("<scratchpad>A</scratchpad>B", "B"),
    ("<reflection>A</reflection>B", "B"),
    ("<seed:think>A</seed:think>B", "B"),
    ('<think effort="low">A</think>B', "B"),
    ("[THINK]A[/THINK]B", "B"),
    ("◁think▷A◁/think▷B", "B"),
    ("<|begin_of_thought|>A<|end_of_thought|>B", "B"),
    # the prompt held the opening
    ("I see that it is A... no.\n</think>\n\nB", "B"),
    # a thought within a thought, and one after another
    ("<think>so <think> I go on</think>B", "B"),
    ("<think>A<reasoning>A</reasoning>A</think>B", "B"),
    ("<think>A</think><think>C</think>B", "B"),
    # channels
    (
        "<|channel|>analysis<|message|>A<|end|><|start|>assistant"
        "<|channel|>final<|message|>B<|return|>",
        "B",
    ),
    ("analysisThe user wants a letter.assistantfinalB", "B"),
    # what follows the end of the turn is another's
    ("B<|im_end|>\n<|im_start|>user\nA?", "B"),
    ("B</s><s>A", "B"),
    ("B<|eot_id|>", "B"),
    ("B<end_of_turn>", "B"),
    ("B[|endofturn|]", "B"),
    # whose turn it is
    ("<|assistant|>B", "B"),
    ("[|assistant|] B", "B"),
    ("Assistant: B", "B"),
    ("assistant\nB", "B"),
    # nothing to take off
    ("B < A", "B < A"),
    ("I think B", "I think B"),
    ("Analysis shows B", "Analysis shows B"),
    ("B", "B"),
]


@pytest.mark.parametrize(("reply", "left"), CLOSED)
def test_what_is_thought_is_taken_off(reply, left):
    """Blocks of any kind go, and the characters by which turns and channels are told apart."""
    found = without_thoughts(reply)
    assert found.strip() == left


UNFINISHED = [
    "<think>A",
    "<think>The answer is A.",
    "<thinking>\nA\n",
    "A <reasoning>because",
    "<think>A</think>B<think>or",
    "[THINK]A",
    "◁think▷A",
    "<|channel|>analysis<|message|>The answer is A.",
]


@pytest.mark.parametrize("reply", UNFINISHED)
def test_a_thought_that_is_cut_off_leaves_no_reply(reply):
    """A limit on the length stopped the model before it replied, whatever it thought of."""
    assert without_thoughts(reply) is None
    reading = read_reply(reply, CHOICES)
    assert (reading.chosen, reading.rule) == (None, ReplyRule.UNFINISHED)


def test_a_thought_in_the_middle_parts_what_is_around_it():
    """Two letters are two, also where a thought stands between them."""
    assert read_reply("A<think>no</think>B", CHOICES).rule is ReplyRule.AMBIGUOUS
    assert read_reply("B<think>yes</think>B", CHOICES).chosen == {1}
