# What the readers of a page have done besides, in the workspace that they are in:
#     bash reader.sh labelled     two annotators have filled in their workbooks
#     bash reader.sh surveyed     templates were translated, and 200 people have answered
set -e
files=$(dirname "$0")/tutorial

labelled() {
    curate classify sheet --annotator Mina --annotator Jun
    for name in Mina Jun; do
        python3 "$files/fill_in.py" "annotations/sheets/classify-$name.xlsx" \
            "$files/labels-$(echo $name | tr MJ mj).csv" "returned/$name.xlsx"
    done
}

surveyed() {
    curate classify resolve --template age-003 --label SR --by Mina --why "not known here"
    curate translate run --engine pseudo
    curate translate sheet --translator Mina
    python3 "$files/fill_in.py" annotations/sheets/translate-Mina.xlsx \
        "$files/translations.csv" back.xlsx
    curate collect back.xlsx
    sed 's/,beach,/,coast,/' "$files/groups.csv" > templates_src/groups.csv
    curate survey build --format csv
    python3 "$files/answer.py" responses/forms/csv export.csv
    cp responses/forms/csv/all.mapping.yaml mapping.yaml
}

"$1"
