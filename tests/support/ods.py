"""Save a workbook as OpenDocument, as LibreOffice does, and spoil one: without a process."""

from xml.sax.saxutils import escape, quoteattr
from zipfile import ZipFile

from curation.files.workbooks.writing import tint_of

_MIME = "application/vnd.oasis.opendocument.spreadsheet"
_NAMES = " ".join(
    f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{short}:1.0"'
    for short in ("office", "table", "text", "style")
)
_NAMES += ' xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"'


def spoil(path):
    """Change a byte of a ZIP file so that its last part does not unpack."""
    with ZipFile(path) as parts:
        part = parts.infolist()[-1]
    data = bytearray(path.read_bytes())
    names = data[part.header_offset + 26], data[part.header_offset + 28]
    data[part.header_offset + 30 + sum(names)] = 7  # a block of a kind that there is not
    path.write_bytes(data)


def save_ods(book, path):
    """Write the cells of a workbook of openpyxl, colours, what is hidden, and merged cells."""
    colours = {_colour(c) for sheet in book.worksheets for row in sheet.iter_rows() for c in row}
    styles = "".join(
        f'<style:style style:name="c{one}" style:family="table-cell">'
        f'<style:table-cell-properties fo:background-color="#{one[:6].lower()}"/>'
        f'<style:text-properties fo:color="#{one[6:12].lower()}" fo:font-size="{one[12:]}pt"/>'
        "</style:style>"
        for one in sorted(colours - {""})
    )
    tables = "".join(map(_table, book.worksheets))
    content = (
        f"<office:document-content {_NAMES}><office:automatic-styles>"
        '<style:style style:name="off" style:family="table">'
        f'<style:table-properties table:display="false"/></style:style>{styles}'
        f"</office:automatic-styles><office:body><office:spreadsheet>{tables}"
        "</office:spreadsheet></office:body></office:document-content>"
    )
    with ZipFile(path, "w") as parts:
        parts.writestr("mimetype", _MIME)
        parts.writestr("META-INF/manifest.xml", "<manifest/>")
        parts.writestr("content.xml", content)
    return path


def _table(sheet):
    spans = {(area.min_row, area.min_col): area for area in sheet.merged_cells.ranges}
    off = ' table:visibility="collapse"'
    columns = "".join(
        f"<table:table-column{off if sheet.column_dimensions[letter].hidden else ''}/>"
        for letter in "ABC"
    )
    rows = columns + "".join(
        _row(row, spans, off if sheet.row_dimensions[at].hidden else "")
        for at, row in enumerate(sheet.iter_rows(), start=1)
    )
    style = ' table:style-name="off"' if sheet.sheet_state == "hidden" else ""
    # Below and beside what is written spreadsheets repeat empty cells to the end of the sheet.
    rest = '<table:table-row table:number-rows-repeated="1048000"><table:table-cell/>'
    return (
        f"<table:table table:name={quoteattr(sheet.title)}{style}>{rows}{rest}</table:table-row>"
        "</table:table>"
    )


def _row(cells, spans, off):
    texts = "".join(_cell(cell, spans.get((cell.row, cell.column))) for cell in cells)
    return (
        f'<table:table-row{off}>{texts}<table:table-cell table:number-columns-repeated="16000"/>'
        "</table:table-row>"
    )


def _colour(cell):
    """The paper, ink and size of letters of a cell; empty where it has no paper of its own."""
    paper, ink, size = tint_of(cell)
    return paper and f"{paper}{ink or '000000'}{size:g}"


def _cell(cell, area):
    span = f' table:style-name="c{_colour(cell)}"' if _colour(cell) else ""
    if area is not None:
        span += (
            f' table:number-rows-spanned="{area.max_row - area.min_row + 1}"'
            f' table:number-columns-spanned="{area.max_col - area.min_col + 1}"'
        )
    if cell.value is None:
        return f"<table:table-cell{span}/>"
    if cell.data_type == "f":
        formula = quoteattr(f"of:{cell.value}")
        return f'<table:table-cell table:formula={formula} office:value-type="float"/>'
    if isinstance(cell.value, int | float):
        return f'<table:table-cell office:value-type="float" office:value="{cell.value}"{span}/>'
    lines = "".join(f"<text:p>{_spaced(line)}</text:p>" for line in cell.value.split("\n"))
    return f'<table:table-cell office:value-type="string"{span}>{lines}</table:table-cell>'


def _spaced(line):
    return escape(line).replace("  ", ' <text:s text:c="1"/>')
