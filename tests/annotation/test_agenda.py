"""The agenda of the consensus meeting, to be read out."""

import pytest

from curation.annotation.classify_sheets import agenda_markdown
from curation.records.annotation import AgendaItem


@pytest.mark.parametrize(
    ("stereotype", "said"), [("They  hum", "They hum"), ("", "no stereotype is named")]
)
def test_a_heading_names_the_stereotype_or_that_there_is_none(stereotype: str, said: str) -> None:
    """One template is counted as one."""
    item = AgendaItem("craft-001", "Craft", stereotype, "incomplete", (), ())
    lines = agenda_markdown([item]).splitlines()
    assert lines[0] == "# Agenda of the consensus meeting: 1 template"
    assert lines[2] == f"## craft-001: {said}"
    assert agenda_markdown([item, item]).startswith(
        "# Agenda of the consensus meeting: 2 templates\n"
    )
