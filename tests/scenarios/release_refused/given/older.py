"""Takes the columns of confirmations away, which an earlier version did not write."""

import csv
from pathlib import Path

path = Path("annotations/translated.csv")
with path.open(encoding="utf-8", newline="") as stream:
    rows = list(csv.DictReader(stream))
kept = [name for name in rows[0] if not name.startswith("confirmed")]
with path.open("w", encoding="utf-8", newline="") as stream:
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(kept)
    writer.writerows([row[name] for name in kept] for row in rows)
