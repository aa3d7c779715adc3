"""Names of one model, and what is made of a text."""

import pytest

from evaluation.runner.replied import same_model


@pytest.mark.parametrize(
    ("asked", "served", "same"),
    [
        ("gpt-4o", "gpt-4o-2024-08-06", True),
        ("gpt-4-0613", "gpt-4", True),
        ("claude-3-5-haiku-latest", "claude-3-5-haiku-20241022", True),
        ("gemini-1.5-flash", "models/gemini-1.5-flash-001", True),
        ("openai/gpt-4o", "gpt-4o", True),
        ("llama3", "llama3:latest", True),
        ("Qwen/Qwen3-8B", "qwen3-8b", True),
        ("gpt-4o", "gpt-4o-mini", False),
        ("gpt-4", "gpt-4.1", False),
        ("llama-3-8b", "llama-3-70b", False),
        ("qwen-7", "qwen-72", False),
    ],
)
def test_a_date_is_no_other_model(asked, served, same):
    """Nor is the provider's name, or case; whatever else differs is."""
    assert same_model(asked, served) is same
    assert same_model(served, asked) is same
