"""Lists of texts inside a cell, as JSON or as Python writes them; nothing in them is ever run."""

import ast
import json


def list_literal(text: str) -> list[str] | None:
    """Give the list that a JSON or Python literal stands for; None if it is no list of texts."""
    for parse in (_json, ast.literal_eval):
        try:
            found = parse(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        if isinstance(found, list) and all(isinstance(item, str) for item in found):
            return found
    return None


def _json(text: str) -> object:
    return json.loads(text, strict=False)
