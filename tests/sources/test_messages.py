"""What readers of templates say: every message has its place, and gets what it puts in."""

import ast
from pathlib import Path
from string import Formatter

from curation import sources
from curation.records.messages import own_yaml

FOLDER = Path(sources.__file__).parent
MESSAGES = own_yaml((FOLDER / "messages.yaml").read_text(encoding="utf-8"))


def test_every_message_is_said_with_what_it_puts_in():
    """Codes that are said are those of the table, and values are those of their braces."""
    said = set()
    for path in FOLDER.glob("*.py"):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call) or not call.args:
                continue
            name = getattr(call.func, "attr", getattr(call.func, "id", ""))
            code = getattr(call.args[0], "value", None)
            if name not in ("CellError", "say") or not isinstance(code, str):
                continue
            said.add(code)
            given = {item.arg for item in call.keywords}
            texts = [text for key, text in MESSAGES[code].items() if key in ("what", "hint")]
            wanted = {
                field for text in texts for _, field, _, _ in Formatter().parse(text) if field
            }
            assert given - {None} <= wanted and (wanted == given or None in given), (
                path.name,
                code,
            )
    assert said == {*MESSAGES}
