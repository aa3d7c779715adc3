"""Writes the file of comments that the page of this workspace saves."""

import json
from pathlib import Path

from curation.files.workspace import Workspace
from exports.browse.chunks import fingerprint

workspace = Workspace(Path())
seen = {"stereotype": "", "ledger": len(workspace.decisions)}
comments = [
    {
        "id": f"c{at}",
        "subject": subject,
        "kind": "template",
        "field": "",
        "text": "two people misread it",
        "proposal": proposal,
        "at": "2026-02-03T04:05:06Z",
        "seen": {**seen, "status": status},
    }
    for at, (subject, status, proposal) in enumerate(
        [("age-006", "excluded", "keep"), ("age-001", "kept", ""), ("age-002", "kept", "exclude")]
    )
]
whole = {"format": 1, "fingerprint": fingerprint(workspace), "by": "Jun", "comments": comments}
Path("comments.json").write_text(json.dumps(whole), encoding="utf-8")
