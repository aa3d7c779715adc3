"""Texts and tables in Markdown."""

import pytest

from curation.files.pages import plain, table


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a|b", "a\\|b"),
        ("<script>", "&lt;script\\>"),
        ("AT&T &lt;", "AT&amp;T &amp;lt;"),
        ("*bold* _it_ `code`", "\\*bold\\* \\_it\\_ \\`code\\`"),
        ("[x](javascript:1)", "\\[x\\](javascript:1)"),
        ("two\n\nlines\r\n", "two lines "),
        ("한국어, 中文", "한국어, 中文"),
    ],
)
def test_texts_of_the_workspace_do_nothing_in_markdown(text: str, shown: str) -> None:
    """Neither a table nor the page is broken by them, and no markup of theirs is run."""
    assert plain(text) == shown


def test_a_table_is_aligned_by_what_it_holds() -> None:
    """Texts to the left, numbers to the right, and a line after it."""
    assert list(table(("a", "b", "c"), [("x", "1", "y")], (0, 2))) == [
        *("| a | b | c |", "|---|---:|---|", "| x | 1 | y |", "")
    ]
