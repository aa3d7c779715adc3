"""Answers batch files as OpenAI does, backwards; all but the requests that are named.

provider.py FILE RESULTS [NAME ...]
"""

import json
import sys
from pathlib import Path

path, results, *failing = sys.argv[1:]
text = Path(path).read_text(encoding="utf-8")
lines = []
for item in map(json.loads, text.splitlines()):
    status, body = 400, {"error": {"message": "no"}}
    if item["custom_id"] not in failing:
        choice = {"message": {"content": "A"}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 9, "completion_tokens": 1}
        status, body = 200, {"model": "m", "choices": [choice], "usage": usage}
    response = {"status_code": status, "request_id": "x", "body": body}
    lines.append({"custom_id": item["custom_id"], "response": response, "error": None})
written = "".join(f"{json.dumps(line)}\n" for line in reversed(lines))
Path(results).write_text(written, encoding="utf-8")
