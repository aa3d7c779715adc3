"""Comments that people wrote in the page become an agenda, or decisions in the ledger."""

import json

import pytest

from curation.records.messages import CurateError, Refusal
from exports.browse.chunks import fingerprint
from exports.browse.collecting import Comment, Uptake, collect_comments, read_kept, write_kept
from survey import explain, override

KEPT, EXCLUDED, UNDECIDED, REMOVED = "age-001", "age-006", "occupation-009", "age-008"


def content(folder):
    """Every file of a workspace, but for what its lock leaves."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in files
        if ".curate" not in path.parts
    }


def comment(workspace, subject, proposal="", text="we looked", **other):
    """One comment as the page writes it, on what stands now."""
    status = {KEPT: "kept", EXCLUDED: "excluded", UNDECIDED: "undecided", REMOVED: "excluded"}
    ledger = len(workspace.decisions)
    seen = {"status": status.get(subject, ""), "stereotype": "", "ledger": ledger}
    return {
        "id": f"{subject}-{proposal or 'remark'}",
        "subject": subject,
        "kind": "template",
        "field": "",
        "text": text,
        "proposal": proposal,
        "at": "2026-02-03T04:05:06Z",
        "seen": seen,
        **other,
    }


def saved(workspace, by, *comments, **other):
    path = workspace.root.parent / f"comments-{by}.json"
    whole = {
        "format": 1,
        "fingerprint": fingerprint(workspace),
        "tool": "curate 0.1.0",
        "by": by,
        "comments": comments,
        **other,
    }
    path.write_text(json.dumps(whole), encoding="utf-8")
    return path


def kept(workspace):
    return read_kept(workspace.root / "annotations" / "comments.csv", Comment)


def standings(found):
    return {f"{item.subject} {item.by}": item.standing.value for item in found.rows}


def test_two_people_who_contradict_each_other_are_left_to_a_meeting(workspace):
    """Neither is decided, in one run or in two; others are."""
    mina = saved(workspace, "Mina", comment(workspace, EXCLUDED, "keep"))
    jun = saved(
        workspace,
        "Jun",
        comment(workspace, EXCLUDED, "exclude"),
        comment(workspace, UNDECIDED, "keep"),
    )
    collect_comments(workspace, [mina])
    found = collect_comments(workspace, [jun], by="Mina")
    assert standings(found) == {
        f"{EXCLUDED} Jun": "contradicted",
        f"{EXCLUDED} Mina": "contradicted",
        f"{UNDECIDED} Jun": "applied",
    }
    # A meeting decides: who wanted that stands, who did not is told who decided.
    override(workspace, [EXCLUDED], keep=True, reason="agreed", by="Ara")
    settled = collect_comments(workspace, by="Mina")
    assert standings(settled)[f"{EXCLUDED} Mina"] == "stands"
    jun_item = next(i for i in settled.rows if (i.subject, i.by) == (EXCLUDED, "Jun"))
    assert (jun_item.standing, jun_item.why) == (
        Uptake.CHANGED,
        "Ara decided on it after that (agreed)",
    )


def test_what_was_decided_since_it_was_seen_is_not_decided_again(workspace):
    """Unless that is wanted."""
    path = saved(workspace, "Jun", comment(workspace, KEPT, "exclude"))
    override(workspace, [KEPT], keep=True, reason="it is fine", by="Ara")
    ledger = workspace.ledger_file.read_bytes()
    found = collect_comments(workspace, [path], by="Mina")
    assert standings(found) == {f"{KEPT} Jun": "changed"}
    assert workspace.ledger_file.read_bytes() == ledger
    mina = saved(workspace, "Mina", comment(workspace, KEPT, "keep", seen=_before(path)))
    both = collect_comments(workspace, [path, mina], by="Mina", accept_changed=True)
    assert {*standings(both).values()} == {"contradicted", "stands"}
    collect_comments(workspace, [saved(workspace, "Mina", deleted=[f"{KEPT}-keep"])])
    taken = collect_comments(workspace, [path], by="Mina", accept_changed=True)
    assert standings(taken) == {f"{KEPT} Jun": "applied"}


def _before(path):
    return json.loads(path.read_text("utf-8"))["comments"][0]["seen"]


STANDING = (
    ("age-999", "template", "keep", "gone"),
    ("age-999", "template", "", "gone"),
    ("q-none-12345678", "question", "keep", "gone"),
    ("q-none-12345678", "question", "", "gone"),
    ("age-999a-001-amb-bsd", "sample", "", "gone"),
    ("<b>", "sample", "", "gone"),
    ("age-001a-001-amb-bsd", "sample", "exclude", "meeting"),
    (KEPT, "template", "modify", "meeting"),
    (REMOVED, "template", "keep", "closed"),
)


def test_what_cannot_be_decided_is_said(workspace):
    """Each has one outcome, and the ledger stays as it is."""
    ledger = workspace.ledger_file.read_bytes()
    for at, (subject, kind, proposal, standing) in enumerate(STANDING):
        said = comment(workspace, subject, proposal, kind=kind, id=f"c{at}")
        path = saved(workspace, f"Jun {at}", said)
        found = collect_comments(workspace, [path], by="Mina")
        (item,) = (item for item in found.rows if item.by == f"Jun {at}")
        assert (item.standing.value, bool(item.why)) == (standing, True)
    assert workspace.ledger_file.read_bytes() == ledger


def test_a_proposal_on_a_question_is_one_on_its_templates(workspace):
    """Each of them is decided, and told with the question."""
    outcome = explain(workspace, EXCLUDED).templates[0]
    name = outcome["question"]["question_id"]
    path = saved(workspace, "Jun", comment(workspace, name, "keep", kind="question"))
    found = collect_comments(workspace, [path], by="Mina")
    applied = {item.subject for item in found.rows if item.standing is Uptake.APPLIED}
    assert EXCLUDED in applied
    assert {item.about for item in found.rows} == {name}
    assert {item.subject for item in found.ledger.decisions} == applied


def test_an_edited_comment_takes_the_place_of_the_first_and_a_deleted_one_goes(workspace):
    """An older file changes nothing back."""
    first = comment(workspace, KEPT, text="first")
    old = saved(workspace, "Jun", first, comment(workspace, UNDECIDED))
    collect_comments(workspace, [old])
    older = old.rename(old.with_name("old.json"))
    edited = {**first, "text": "second", "at": "2026-02-04T00:00:00Z"}
    new = saved(workspace, "jun ", edited, deleted=[f"{UNDECIDED}-remark"])
    found = collect_comments(workspace, [new])
    assert (found.added, found.replaced, found.deleted) == (0, 1, 1)
    assert [(item.by, item.text) for item in kept(workspace)] == [("Jun", "second")]
    again = collect_comments(workspace, [older])
    assert again.older == 2
    assert {item.text for item in kept(workspace)} == {"second"}


def test_a_deleted_comment_stays_deleted(workspace):
    """In whatever order files come in; a file that was saved later alone brings it back."""
    one, other = comment(workspace, KEPT, "exclude"), comment(workspace, UNDECIDED)
    paths = [
        saved(workspace, by, *comments, deleted=gone, saved=f"2026-02-0{day}T00:00:00Z").rename(
            workspace.root.parent / f"comments-{day}.json"
        )
        for by, comments, gone, day in (
            ("Jun", [one, other], [], 4),
            ("jun", [other], [one["id"]], 5),
            ("Jun", [{**one, "at": "2026-02-06T00:00:00Z"}, other], [], 6),
        )
    ]

    def taken(*days):
        merged = collect_comments(workspace, [paths[day - 4] for day in days])
        subjects = {item.subject for item in kept(workspace)}
        return subjects, merged.added, merged.deleted, merged.older

    assert taken(5, 4) == ({UNDECIDED}, 1, 0, 1)  # as a shell lists them
    before = content(workspace.root)
    assert taken(4) == ({UNDECIDED}, 0, 0, 1)
    assert taken(4, 5) == ({UNDECIDED}, 0, 0, 1)
    assert content(workspace.root) == before
    assert taken(6) == ({UNDECIDED, KEPT}, 1, 0, 0)  # its writer took the deletion back
    assert taken(5) == ({UNDECIDED, KEPT}, 0, 0, 0)


def refused(workspace, path):
    """What is wrong in a file; nothing may have been written."""
    before = content(workspace.root)
    with pytest.raises(CurateError) as caught:
        collect_comments(workspace, [path], by="Mina")
    assert content(workspace.root) == before
    error = caught.value
    if isinstance(error, Refusal):
        return [item.message for item in error.findings]
    assert error.hint
    return [error.what]


WRONG = (
    {"proposal": "maybe"},
    {"proposal": 1},
    {"kind": "variant"},
    {"subject": " "},
    {"id": ""},
    {"at": "yesterday"},
    {"at": "2026-01-31"},
    {"seen": None},
    {"seen": {"status": "lost", "ledger": 1}},
    {"seen": {"status": "kept", "ledger": -1}},
    {"seen": {"status": "kept", "ledger": True}},
    {"seen": {"status": "kept", "ledger": "\ud800"}},
    {"text": "x" * 20_001},
    {"text": " ", "proposal": ""},
    {"text": "a\x00b"},
    {"text": "\ud800"},
    {"subject": "a\n\n# b"},
    {"subject": "age-\u202e001"},
    {"id": "\x1b[2J"},
    {"\ud800": 1},
    {"note": "mine"},
    {"by": "Zoe"},
    {"source_file": "other.json"},
    {"seen_status": "kept"},
    {"at": "\ud800"},
)


def test_a_file_edited_by_hand_is_refused(workspace):
    """Each is one fault, told with what a terminal can show."""
    good = comment(workspace, KEPT)
    for change in WRONG:
        odd = {**comment(workspace, EXCLUDED), **change}
        (found,) = refused(workspace, saved(workspace, "Jun", good, odd))
        assert found.isprintable(), change
    long = {**comment(workspace, EXCLUDED), "text": "x" * 20_000}
    assert collect_comments(workspace, [saved(workspace, "Jun", long)]).added == 1


def test_a_file_that_is_no_file_of_comments_is_refused(workspace):
    """No JSON, a list, an id or a key twice, no name or one in two lines."""
    path = workspace.root.parent / "odd.json"
    for text in ("{", "[]", '{"a": 1, "a": 2}', "[" * 100_000):
        path.write_text(text, encoding="utf-8")
        assert len(refused(workspace, path)) == 1
    one = comment(workspace, KEPT)
    for by, comments, more in (
        ("Jun", (one, one), {}),
        (" ", (one,), {}),
        ("Jun", (), {"deleted": [1]}),
        ("Jun", (), {"comments": 1}),
        ("Ju\nn", (one,), {}),
    ):
        assert len(refused(workspace, saved(workspace, by, *comments, **more))) == 1


def test_comments_are_read_as_they_were_written_in_the_order_of_their_times(tmp_path):
    """By subject and writer, however the name is typed; no spreadsheet computes a text."""
    rows = [
        Comment(by=by, id=name, kind="template", subject=about, text=text, seen_ledger=0, at=at)
        for about, by, at, name, text in (
            ("age-001", "Jun", "2026-02-05T00:00:00Z", "x", "=1+1"),
            ("age-001", "Mina", "2026-02-03T00:00:00Z", "b", "first"),
            ("age-001", "mina ", "2026-02-04T00:00:00Z", "a", "second"),
            ("age-002", "Ada", "2026-02-01T00:00:00Z", "a", "of another"),
        )
    ]
    path = tmp_path / "comments.csv"
    write_kept(path, Comment, reversed(rows))
    assert read_kept(path, Comment) == rows
    assert ",'=1+1," in path.read_text(encoding="utf-8")
