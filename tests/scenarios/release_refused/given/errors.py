"""Shows what `curate check --json` finds: rule, place and what is wrong."""

import json
import sys

KNOWN = "release-reference-modified"  # a doubt about the demo, which stays
for item in json.loads(sys.stdin.read() or '{"findings": []}')["findings"]:
    if item["rule"] != KNOWN:
        place = ":".join(str(item[part]) for part in ("file", "row", "column") if item[part])
        sys.stdout.write(f"{item['severity']} {item['rule']} {place} {item['message'][:150]}\n")
