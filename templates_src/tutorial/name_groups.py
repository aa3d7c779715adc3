"""Write the groups of the tutorial's templates in Korean, where a person would edit bank.csv.

python3 name_groups.py templates_src/bank.csv
"""

import csv
import json
import sys
from pathlib import Path

KOREAN = {"young": "청년", "old": "노인", "hills": "산골", "coast": "해변"}

if __name__ == "__main__":
    bank = Path(sys.argv[1])
    with bank.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for row in rows:
        for column in ("target_groups", "n1_groups", "n2_groups"):
            if row["ambiguous_context"]:
                english = json.loads(row[f"{column}_source"])
                row[column] = json.dumps([KOREAN[group] for group in english], ensure_ascii=False)
    with bank.open("w", encoding="utf-8", newline="") as stream:
        table = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
