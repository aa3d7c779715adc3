"""Makes the question of one template one that a machine has written and nobody has read."""

import csv
from pathlib import Path

path = Path("templates_src/bank.csv")
with path.open(encoding="utf-8", newline="") as stream:
    rows = list(csv.DictReader(stream))
template = next(row["template_id"] for row in rows if row["label"] == "ST")
for row in rows:
    is_machine = row["template_id"] == template
    row["biased_question_machine"] = row["biased_question"] if is_machine else ""
with path.open("w", encoding="utf-8", newline="") as stream:
    writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
