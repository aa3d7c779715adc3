"""Tables as a program of somebody else reads and writes them."""

import csv


def read_rows(path):
    """The rows of a CSV file, each with its cells by column."""
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines(keepends=True)))


def edit_rows(path, change):
    """Change each row of a CSV file by what a function of it gives."""
    rows = [{**row, **change(row)} for row in read_rows(path)]
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def bank_rows(workspace):
    """The rows of a bank by template and variant."""
    rows = read_rows(workspace / "templates_src" / "bank.csv")
    return {row["template_id"] + row["variant"]: row for row in rows}
