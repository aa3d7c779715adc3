"""Shows what is in the chunks of a page: the first rows of the index, and of each kind a hash."""

import hashlib
import json
import re
import sys
from pathlib import Path

from exports.browse.chunks import read_chunk

folder = Path(sys.argv[1]) / "data"
kinds = {}
for path in sorted(folder.glob("*.js")):
    kinds.setdefault(re.sub(r"-[0-9].*", "", path.stem), []).append(path)
lines = []
for kind, paths in kinds.items():
    text = json.dumps([[path.name, read_chunk(path)] for path in paths], sort_keys=True)
    lines.append(f"{kind} {len(paths)} {hashlib.sha256(text.encode()).hexdigest()[:12]}")
table = read_chunk(folder / "index.js")["templates"]
for row in table["rows"][:2]:
    said = dict(zip(table["columns"], row, strict=True))
    lines.append(json.dumps(said, ensure_ascii=False))
sys.stdout.write("\n".join([*lines, ""]))
