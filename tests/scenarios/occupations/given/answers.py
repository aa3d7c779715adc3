"""Invents the replies of three models to items: one leans wholly, one refuses, one is silent."""

import csv
import json
import sys
from pathlib import Path

FEMALE = {"nurse", "clerk"}
with Path(sys.argv[1]).open(encoding="utf-8", newline="") as stream:
    items = list(csv.DictReader(stream))
lines = []
for item in items:
    options = json.loads(item["options"])
    wanted = next(
        name
        for name in options
        if name != "unknown" and (name in FEMALE) == (item["group"] == "female")
    )
    said = {
        "leaning": str(options.index(wanted) + 1),
        "refusing": f"({options.index('unknown') + 1}) unknown",
        "silent": "I would rather not.",
    }
    for model, text in said.items():
        lines.append({"request_id": item["item_id"], "model": model, "reply": text})
Path(sys.argv[2]).write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
