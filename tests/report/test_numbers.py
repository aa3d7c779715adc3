"""The numbers of a text are found in the tables of an export, at the digits that are written."""

import pytest

from curation.records.messages import CurateError
from curation.report.numbers import stated

SCORES = """\
model,group_by,group,n,accuracy,diff_bias,p
Ann,overall,Nan,1980,0.3005,-0.0347,0.0004
Ann,template,age-001,60,0.4444,0,0.00001
"""
MANIFEST = """\
{"counts": {"samples": 76048}, "settings": {"survey": {"stereotype_share": "2/3"}},
 "files": {"a": {"size": 123}}}
"""
HELD = {
    "n": "scores.csv, row 2, n",
    "accuracy": "scores.csv, row 2, accuracy",
    "diff_bias": "scores.csv, row 2, diff_bias",
    "p": "scores.csv, row 2, p",
    "p of one": "scores.csv, row 3, p",
    "samples": "manifest.json, counts, samples",
    "share": "manifest.json, settings, survey, stereotype_share",
    "none": "",
}
ONE = {"n of one": "scores.csv, row 3, n", "accuracy of one": "scores.csv, row 3, accuracy"}

# By number of the text where it is: '~' is near that, 'of one' in the row of one template.
TEXTS = {
    "tex": [
        (r"1,980, 1{,}980 and 1\,980 of 76{,}048", ["n", "n", "n", "samples"]),
        (r"1981 of 60 requests", ["none", "n of one"]),
        (r"1.98k of 2.08k, 0.30x or 7.7x", ["n", "none", "accuracy", "none"]),
        (r"30.1\,\%, 30\% or 0.300, .30", ["accuracy"] * 4),
        (r"30,1 \% de 1.980", ["accuracy", "n"]),
        (r"30.2\%", ["~accuracy"]),
        (r"$-0.035$ and \textminus0.03", ["diff_bias", "diff_bias"]),
        (r"0.035; -0.04; -0.06", ["~diff_bias", "~diff_bias", "none"]),
        (r"$p < .001$; $p \leq .0001$; $p < 10^{-9}$", ["p", "p of one", "none"]),
        (r"$4\times10^{-4}$, $5 \cdot 10^{-4}$, $5\cdot10^{-10}$", ["p", "~p", "none"]),
        (r"more than 2/3, not 3/4 or 1/0", ["share", "none"]),
        (r"0.30--0.31 and [0.30, 76048]", ["accuracy", "~accuracy", "accuracy", "samples"]),
        (r"0.444 of age-001", ["accuracy of one"]),
        (r"a size of 123", ["none"]),
        (r"GPT-4 and Llama-3.1-8B, $s_1$, $x^{2}$, 2024-05-01, 1.0.2", []),
        (r"Table~7, Sections 3 and 4.1; Jin et al. (2024), \citep[p.~7]{a2022}, (Ann, 2022)", []),
        (r"\includegraphics[width=0.7\linewidth]{f7.pdf} \cmidrule(lr){7-8} \vspace{7pt} % 7", []),
        (r"95\,\% confidence intervals of 95\% of 7 in Ann 1980", ["none", "none", "n"]),
        (r"\multicolumn{7}{c}{1980} & .99 \\", ["n", "none"]),
        (r"7 \begin{document} 1980 \end{document} 7", ["n"]),
        (
            "\\newcommand{\\acc}{0.999}\n\\def\\n{1{,}980}\n\\newcommand{\\b}[1]{#1}\n"
            r"\begin{document} \acc{} \n",
            ["none", "n"],
        ),
        (
            r"$0.3005_{0.77}$, $0.3005^{1}$, $s_{0.5}$, $.3005_{(.88)}$",
            ["accuracy", "none", "accuracy", "accuracy", "none"],
        ),
        (
            r"30--31\%, \SI{30}{\percent}, 44 pp",
            ["accuracy", "~accuracy", "accuracy", "accuracy of one"],
        ),
        ("1980\n\\section{References}\n7", ["n"]),
    ],
    "md": [
        ("`0.99` [a](b-0.98.md) https://a.b/97", []),
        ("## 3.2 Results\n3. 1980\n[i]: <data:image/png;base64,A+97/98+>", ["n"]),
        ("4 × 10⁻⁴, $4 \\cdot 10^{-4}$; 30.1 %, 4.0e-4", ["p", "p", "accuracy", "p"]),
        ("1980\n\n## References\nJin, 97", ["n"]),
    ],
    "txt": [
        (f"8 % and 0,3005 of {'9' * 400}/7 and {'9' * 5000}/7", ["none", "accuracy"]),
        ("1.980,5 or 1,980.5", ["none", "none"]),
        ("1,980,000; 0,76,048", ["none"]),
        ("Of 1 980 or 76\u00a0048, 7 980 1; 2,7,60,480", ["n", "samples", *["none"] * 3]),
        ("Annは1,980件、\u200f-３．４７％。Annの30.1%는", ["n", "diff_bias", "accuracy"]),
        ("٣٠٫١٪ ve %30,1, 30,1 Prozent, 30.1%p, 30,1 pour cent", ["accuracy"] * 5),
        ("30 % (95 % CI 29.9\u201330.1). 30.1", ["accuracy", "~accuracy", "accuracy", "none"]),
        ("30.1% (95\u202f%-Konfidenzintervall 30,1; IC del 95 %, 95% 신뢰구간)", ["accuracy"] * 2),
        ("In\n30,1~30.1 %.\n\n30.1; 표 3, Tabla 4 y 5", ["accuracy", "accuracy", "none"]),
        ("[0.3005,0.4444] 0.30/0.31", ["accuracy", "accuracy of one", "accuracy", "~accuracy"]),
    ],
}


def test_each_number_is_found_where_it_is(tmp_path):
    """By the cell that holds it, the one that nearly does, or none."""
    export = tmp_path / "export"
    export.mkdir()
    (export / "scores.csv").write_text(SCORES)
    (export / "manifest.json").write_text(MANIFEST)
    places = {place: name for name, place in (HELD | ONE).items()}
    found, wanted = {}, {}
    for ending, rows in TEXTS.items():
        for text, names in rows:
            paper = tmp_path / f"paper.{ending}"
            paper.write_text(text, encoding="utf-8")
            numbers = stated(paper, export)
            found[text] = [
                f"{'~' * (near := not item.held and item.near != '')}"
                f"{places[item.near if near else item.held]}"
                for item in numbers
            ]
            wanted[text] = names
            assert [item.single for item in numbers] == [name in ONE for name in names], text
    assert found == wanted


def test_what_cannot_be_read_is_refused(tmp_path):
    """It says which texts are read, and which file of the folder is broken."""
    (tmp_path / "paper.md").write_text("0.5")
    for name, paper, said in (
        ("paper.pdf", "paper.pdf", r"\.tex, \.md, \.txt"),
        ("m_results.json", "paper.md", "m_results.json is not"),
        ("scores.csv", "paper.md", "scores.csv is not UTF-8"),
    ):
        (tmp_path / name).write_bytes(b"{\n\xe9")
        with pytest.raises(CurateError, match=said):
            stated(tmp_path / paper, tmp_path)


def test_equal_numbers_are_those_of_the_table_that_is_being_read(tmp_path):
    """A score of 1 is not the count of another table that happens to be 1; texts come last."""
    (tmp_path / "a.csv").write_text("kept\n1\n")
    (tmp_path / "b.csv").write_text("accuracy,diff_bias\n0.25,1.000\n")
    paper = tmp_path / "paper.txt"
    (tmp_path / "report.md").write_text("In 1 of 0.25, and 7.")
    paper.write_text("1 0.25 1.000 1 7")
    rows = ["a.csv, row 2, kept", "b.csv, row 2, accuracy", *["b.csv, row 2, diff_bias"] * 2]
    assert [item.held for item in stated(paper, tmp_path)] == [*rows, "report.md, line 1"]
