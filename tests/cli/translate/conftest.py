"""A workspace to translate, and the loopback servers."""

import pytest

from tests.annotation.engines.conftest import _no_pauses, deepl_server

__all__ = ["_no_pauses", "deepl_server"]

CULTURE = """\
culture: Nowhere
language: ko
unknown: 알 수 없음
categories:
  - {id: Craft, question: choice}
translation:
  engine: deepl
  workers: 2
"""
BANK = """\
template_id,variant,category,label,stereotype_source,ambiguous_context_source,\
disambiguating_context_source,biased_question_source,counter_biased_question_source,\
biased_answer_source,counter_biased_answer_source,names_source,words_source,note
craft-001,a,Craft,ST,They hum & sing,At the shop [N1|a/an] and [N2|a/an] came in.,\
The [N1] hummed while the [N2] did not.,Who hums?,Who does not?,The [N1],The [N2],\
"N1: [potter]; N2: [baker, miller]",,Kiln & Co. is a shop
craft-001,b,Craft,ST,They hum & sing,At the shop [N1|a/an] and [N2|a/an] came in.,\
The [N2] hummed while the [N1] did not.,Who hums?,Who does not?,The [N2],The [N1],\
"N1: [baker, miller]; N2: [potter]",,
craft-002,a,Craft,TM,They nap,[N1] and [N2] sat in the [W1].,Soon [N1] slept and [N2] did not.,\
Who slept?,Who does not?,[N1],[N2],"N1: [Ann]; N2: [Bob]","W1: [attic, cellar]",
craft-003,a,Craft,NC,,,,,,,,,,
craft-004,a,Craft,,They knit,[N1] and [N2] met.,Then [N1] knitted and [N2] read.,Who knits?,\
Who reads?,[N1],[N2],N1: [Ann]; N2: [Bob],,
"""


@pytest.fixture
def source_bank(tmp_path):
    """A small workspace with English source text, to be translated into Korean."""
    folder = tmp_path / "translated"
    (folder / "templates_src").mkdir(parents=True)
    (folder / "culture.yaml").write_text(CULTURE, encoding="utf-8")
    (folder / "templates_src" / "bank.csv").write_text(BANK, encoding="utf-8")
    return folder


@pytest.fixture
def set_setting():
    """Add a line to the settings of a workspace's translation."""

    def add(workspace, line):
        with (workspace / "culture.yaml").open("a", encoding="utf-8") as stream:
            stream.write(f"  {line}\n")

    return add
