"""Annotations compared with templates, agendas and consensus."""

from dataclasses import replace

import pytest
from rows import template, variant

from curation.annotation.labels import (
    LABELS,
    agenda,
    agreed,
    answered_elsewhere,
    asked_on_server,
    consensus,
    refuse_alike,
    stand,
)
from curation.annotation.labelstudio.store import KindState, Sent
from curation.records.annotation import Annotation
from curation.records.bank import Label
from curation.records.messages import CurateError
from curation.records.survey import Outcome

ST, TM, SR = Label.SIMPLY_TRANSFERRED, Label.TARGET_MODIFIED, Label.SAMPLE_REMOVED


def templates(*names, label=None):
    return [template(variant(f"{name}a", label)) for name in names]


def said(name, annotator, label, seen=""):
    return Annotation(name, annotator, label, row_hash=seen)


def test_what_annotators_have_not_labelled_is_missing():
    """A remark alone is no label; an annotation of another content is stale."""
    found = stand(
        templates("craft-001", "craft-002"),
        [said("craft-001", "A", ST, "old"), said("craft-002", "A", None), said("x-001", "A", ST)],
        {"craft-001": "new", "craft-002": "new"},
    )
    assert found.missing == {"A": ("craft-001", "craft-002")}
    assert found.stale == {"A": ("craft-001",)}
    assert found.strange == ("x-001",)


def test_who_is_asked_about_some_has_answered_all_when_he_answered_these():
    """What was handed out decides what is missing, on the agenda and unanimous."""
    three = templates("craft-001", "craft-002", "craft-003", "craft-004")
    unsure = replace(said("craft-003", "Kim", None), remark="why")
    rows = [
        said("craft-001", "kim", ST),
        said("craft-001", "Lee", ST),
        said("craft-002", "Lee", TM),
    ]
    rows = [*(replace(row, annotator=row.annotator.title()) for row in rows), unsure]
    handed = {"KIM": ["craft-001", "craft-003", "craft-004"], "Lee": ["craft-001", "craft-002"]}
    found = stand(three, rows, {}, handed)
    assert found.missing == {"Kim": ("craft-004",), "Lee": ()}
    assert found.asked["craft-002"] == {"Lee"}
    assert {i.template_id: i.kind for i in agenda(three, found)} == {
        "craft-003": "incomplete",
        "craft-004": "incomplete",
    }
    both = [consensus("craft-001", ST, "unanimous", 2), consensus("craft-002", TM, "unanimous", 1)]
    assert [agreed(three, found, {}, least) for least in (2, 1)] == [both[:1], both]


def test_a_project_is_that_of_the_one_who_annotates_it():
    """By its name, or whoever is alone in it; who answers in another's is asked about that."""
    allotted = {"Kim": ["a-1", "a-2"], "Lee": ["a-2", "a-3"], "Park": ["a-4"]}
    allotted["Yun"] = ["a-5", "a-6"]
    projects = {name: Sent(at, name) for at, name in enumerate(allotted, start=1)}
    state = KindState(allotted=allotted, projects=projects)
    rows = [
        replace(said(name, person, ST), source_file=f"labelstudio:{project}")
        for name, person, project in (
            *(("a-1", "Kim", 1), ("a-2", "Kim", 1), ("a-3", "Kim", 2), ("a-2", "Lee", 2)),
            *(("a-4", "Mr Park", 3), ("a-5", "One", 4), ("a-5", "Two", 4)),
        )
    ]
    assert asked_on_server(state, rows)[0] == {
        **{"Kim": {"a-1", "a-2", "a-3"}, "Lee": {"a-2", "a-3"}, "Mr Park": {"a-4"}},
        **{"Yun": {"a-6"}, "One": {"a-5"}, "Two": {"a-5"}},
    }
    alone = replace(state, allotted={"Kim": ["a-1", "a-2"]})
    assert asked_on_server(alone, []) == ({"Kim": {"a-1", "a-2"}}, {})
    of_all = KindState(allotted={"": ["a-1", "a-9"]}, projects={"": Sent(1, "all", annotations=3)})
    assert asked_on_server(of_all, rows) == ({"Kim": {"a-1", "a-2"}}, {"a-1": 1, "a-9": 1})
    paper = replace(said("a-1", "Lee", ST), source_file="annotations/raw/x.xlsx")
    assert answered_elsewhere([*rows, paper]) == {"lee"}


def test_the_agenda_holds_what_is_not_unanimous():
    """Disagreements, then templates that not all labelled, but not what is settled.

    What labels settled they settle anew; what a meeting did only goes back where its label is lost.
    """
    four = templates("craft-001", "craft-002", "craft-003", "craft-004")
    found = stand(
        four,
        [
            *(said("craft-001", "A", ST), said("craft-001", "B", ST)),
            *(said("craft-003", "A", SR), said("craft-003", "B", ST)),
            *(said("craft-002", "A", TM), said("craft-004", "A", TM)),
        ],
        {},
    )
    done = {name: consensus(name, ST, "", 2) for name in ("craft-003", "craft-004")}
    items = agenda(four, found, done)  # somebody differed later
    assert [(item.template_id, item.kind) for item in items] == [
        ("craft-003", "disagreement"),
        ("craft-002", "incomplete"),
    ]
    assert items[0].counts == ((SR, 1), (ST, 1))
    met = {name: consensus(name, TM, "unanimous") for name in ("craft-001", "craft-003")}
    assert agenda(four, found, met)[0] == items[1]
    now = consensus("craft-001", ST, "unanimous", 2)
    assert agreed(four, found, {}, 2) == [now] and not agreed(four, found, {}, 3)
    assert agreed(four, found, {"craft-001": replace(now, outcome=Outcome.DROP)}, 2) == [now]
    signed = {name: replace(item, by="Kim", at="now") for name, item in met.items()}
    assert agreed(four, found, signed, 2) == [*met.values()]
    assert not agreed(templates("craft-001", "craft-003", label=TM), found, signed, 2)


def test_a_consensus_keeps_its_label():
    """In its reason, which reads well, and by its outcome."""
    for label, outcome in [(ST, Outcome.KEEP), (TM, Outcome.MODIFY), (SR, Outcome.DROP)]:
        decision = consensus("craft-001", label, " so:\n we  think ")
        assert (decision.outcome, decision.reason) == (outcome, f"{label}: so: we think")
        assert LABELS[decision.outcome] is label


def test_names_that_differ_in_spelling_alone_are_refused():
    """Two people, or one who typed his name twice: nobody can tell."""
    with pytest.raises(CurateError, match="one name: 'Mina' and 'mina'"):
        refuse_alike([said("craft-001", "Mina", ST), said("craft-001", "mina", ST)])


def test_who_owes_labels_is_told_by_what_he_was_handed():
    """Names differ in their spelling alone; who was handed nothing owes all, or has answered."""
    rows = [said("craft-001", "Mina", ST), said("craft-003", "Jun", SR)]
    handed = {"mina ": {"craft-001", "craft-002"}, "MINA": {"craft-004"}, "Lee": {"gone-002"}}
    four = templates("craft-001", "craft-002", "craft-003", "craft-004")
    assert stand(four, rows, {}, handed).missing == {
        "Jun": ("craft-001", "craft-002", "craft-004"),
        "Mina": ("craft-002", "craft-004"),
        "Lee": (),
    }
