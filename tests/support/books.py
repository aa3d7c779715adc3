"""Workbooks as people change them, and what is said of them."""

import openpyxl


def changed(file, change):
    """Change the sheet of templates as a person would, and save it."""
    book = openpyxl.load_workbook(file)
    change(book["templates"])
    book.save(file)
    return file


def rules(filled):
    return [(item.finding.rule, item.cell) for item in filled.marks]
