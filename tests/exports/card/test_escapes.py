"""Texts of a workspace in Markdown and BibTeX."""

import html
import re

from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from curation.report.texts import plain
from exports.card.citation import fence, latex, paragraph

# Characters of markup often, any other now and then; control characters are no text.
TEXTS = st.text(
    st.one_of(
        st.sampled_from("-+=*#:|&<>\\`_{}[]()!$~%^\"'0123456789. \n김가"),
        st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")),
    ),
    max_size=60,
)
RENDERER = MarkdownIt("commonmark").enable("table")


def shown(source):
    return str(RENDERER.render(source))


def squeezed(text):
    """Give a text with its white space as a page shows it."""
    return re.sub(r"[ \t\n\r\x85\u2028\u2029]+", " ", text).strip(" ")


@given(TEXTS.filter(str.strip))
@example("\\<")
@example("\\&lt;")
def test_a_paragraph_shows_its_text_and_nothing_else(text):
    """No list, heading, link, emphasis or HTML comes of it."""
    found = re.fullmatch(r"<p>(.*)</p>\n", shown(paragraph(text)), re.DOTALL)
    assert "<" not in found[1]
    assert squeezed(html.unescape(found[1])) == squeezed(text.strip())


@given(TEXTS.filter(str.strip), TEXTS.filter(str.strip))
@example("\\<", "\\&")
@example("-", "-\n\xa0-")
def test_cells_stay_where_they_belong(one, other):
    """A bar in a text opens no column."""
    page = shown(f"| a | b |\n|---|---|\n| {plain(one.strip())} | {plain(other.strip())} |\n")
    cells = re.findall(r"<td[^>]*>(.*?)</td>", page, re.DOTALL)
    assert [squeezed(html.unescape(cell)) for cell in cells] == [
        squeezed(one.strip()),
        squeezed(other.strip()),
    ]


@given(TEXTS)
def test_a_block_of_code_ends_where_its_text_ends(text):
    """Whatever backticks the text holds."""
    page = shown("\n".join([*fence(text, "json"), "", "after"]))
    found = re.fullmatch(
        r'<pre><code class="language-json">(.*)\n</code></pre>\n<p>after</p>\n', page, re.DOTALL
    )
    assert html.unescape(found[1]) == text


def unlatex(text):
    characters = {
        **{"textbackslash": "\\", "textbraceleft": "{", "textbraceright": "}", "textbar": "|"},
        **{"textasciitilde": "~", "textasciicircum": "^", "textless": "<", "textgreater": ">"},
        "textquotedbl": '"',
    }
    return re.sub(
        r"\\([a-z]+)\{\}|\\([&%$#_])", lambda found: found[2] or characters[found[1]], text
    )


@given(TEXTS)
def test_a_value_of_bibtex_reads_back_and_balances(text):
    """BibTeX counts braces, escaped or not: each has its partner."""
    written = latex(text)
    depth = 0
    for character in written:
        depth += (character == "{") - (character == "}")
        assert depth in (0, 1)
    assert depth == 0
    assert not re.search(r"(?<!\\)[&%$#_]", written)
    assert unlatex(written) == re.sub(r"\s+", " ", text.strip())
