"""Invents the answers of two people: one leans wholly, one never knows."""

import csv
import sys
from pathlib import Path

FEMALE = {"nurse", "clerk"}


def table(path):
    with Path(path).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


items = {item["item_id"]: item for item in table(sys.argv[1])}
rows = ["respondent_id,question_id,kind,option,state,position,duration_s"]
for row in table(sys.argv[2]):
    item = items[row["question_id"]]
    leans = row["text"] != "unknown" and (row["text"] in FEMALE) == (item["group"] == "female")
    for who, chosen in (("p1", leans), ("p2", row["text"] == "unknown")):
        state = "selected" if chosen else "shown"
        rows.append(f"{who},{row['question_id']},choice,{row['option']},{state},,")
Path(sys.argv[3]).write_text("\n".join((*rows, "")), encoding="utf-8")
