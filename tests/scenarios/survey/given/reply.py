"""Answer requests of simulated people: the first choice, or what the people have named most."""

import csv
import json
import sys
from pathlib import Path

requests, model, out = sys.argv[1:4]
most = {}
if len(sys.argv) > 4:
    with Path(sys.argv[4]).open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            best = most.setdefault(row["question_id"], row)
            if int(row["votes"]) > int(best["votes"]):
                most[row["question_id"]] = row
asked = Path(requests).read_text(encoding="utf-8").splitlines()
with Path(out).open("w", encoding="utf-8") as replies:
    for item in map(json.loads, asked):
        text = most[item["question_id"]]["text"] if most else item["choices"][0]
        letter = "ABCDEFGHIJKL"[item["choices"].index(text)] if text in item["choices"] else "hm"
        line = {"request_id": item["request_id"], "model": model, "reply": letter}
        replies.write(json.dumps(line) + "\n")
