"use strict";
(() => {
  const collator = new Intl.Collator(undefined, { numeric: true });
  // What a cell says, without what stands below it: a number has no dash and no thousands mark.
  const key = (cell) => {
    const small = cell.querySelector(".low")?.textContent ?? "";
    return cell.textContent.slice(0, cell.textContent.length - small.length).trim();
  };
  const number = (text) => (text === "\u2013" ? "" : text.replace(/[,<>\s]/g, "").replace("\u2212", "-"));
  const sort = (table, header, rows, direction) => {
    const column = header.cellIndex;
    const isNumber = header.dataset.sort === "number";
    const said = (row) => (isNumber ? number(key(row.cells[column])) : key(row.cells[column]));
    const sorted = rows.map((row, at) => ({ row, at, key: said(row) }));
    sorted.sort((one, other) => {
      const [a, b] = [one.key, other.key];
      if (a === "" || b === "") return (a === "") - (b === "") || one.at - other.at;
      const order = isNumber ? parseFloat(a) - parseFloat(b) : collator.compare(a, b);
      return order * direction || one.at - other.at;
    });
    table.tBodies[0].append(...sorted.map(({ row }) => row));
  };

  // Rows of a table whose rows have names are found by their words and by what columns say.
  const fold = (text) => text.normalize("NFKC").toLocaleLowerCase();
  const add = (form, name, field) => {
    const label = document.createElement("label");
    label.append(name, field);
    form.append(label);
    return field;
  };
  const finder = (table, rows, headers) => {
    const form = document.createElement("form");
    form.className = "controls";
    form.setAttribute("aria-label", `Find rows: ${table.caption.firstChild.firstChild.textContent}`);
    const search = add(form, "Search", document.createElement("input"));
    search.type = "search";
    const choices = headers.filter((header) => "choice" in header.dataset).map((header) => {
      const field = add(form, header.textContent, document.createElement("select"));
      const values = new Set(rows.map((row) => key(row.cells[header.cellIndex])));
      field.append(new Option("All", ""), ...[...values].sort(collator.compare).map((it) => new Option(it)));
      return { column: header.cellIndex, field };
    });
    const status = document.createElement("p");
    status.setAttribute("role", "status");
    form.append(status);
    const texts = rows.map((row) => fold(row.textContent));
    const show = () => {
      const words = fold(search.value).split(/\s+/).filter(Boolean);
      let shown = 0;
      rows.forEach((row, at) => {
        const fits =
          words.every((word) => texts[at].includes(word)) &&
          choices.every(({ column, field }) => !field.value || key(row.cells[column]) === field.value);
        row.hidden = !fits;
        shown += fits;
      });
      status.textContent = `${shown} of ${rows.length} shown`;
    };
    form.addEventListener("input", show);
    form.addEventListener("submit", (event) => event.preventDefault());
    show();
    table.parentElement.before(form);
  };

  // What a table shows, for a paper or a spreadsheet: its columns by their whole titles, and the
  // rows that are not filtered away. What stands in small letters is in parentheses, and has a
  // column of its own in CSV.
  const latex = (text) =>
    text.replace(/[\\~^]|[&%$#_{}]/g, (one) => ({ "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}" })[one] ?? `\\${one}`)
      .replace(/\u2212/g, "$-$").replace(/\u2013/g, "--").replace(/\u00d7/g, "$\\times$").replace(/[\u00a0\u202f]/g, "~");
  // A text that begins like a formula is no formula; a number, share or interval with a minus is none either.
  const measured = /^[-+]?[\d.]+[ %\u00d7*]*(?:(?: to |\u2013)[-+]?[\d.]+[ %\u00d7*]*)?$/;
  const quoted = (text) => {
    const safe = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20']/.test(text) && !measured.test(text) ? `'${text}` : text;
    return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const plain = (text) => text.replace(/\u2212/g, "-").replace(/\u202f/g, "").replace(/(?<=\d),(?=\d{3})/g, "");
  const line = (cells) => `| ${cells.map((text) => text.replaceAll("|", "\\|")).join(" | ")} |\n`;
  const formats = {
    CSV: ["csv", ({ labels, cells, isText }) => {
      const hasSmall = labels.map((_, at) => cells.some((row) => row[at][1]));
      const head = labels.flatMap((label, at) => (hasSmall[at] ? [label, `${label}, in small letters`] : [label]));
      const said = ([text, small], at) => [isText[at] ? text : plain(text), ...(hasSmall[at] ? [isText[at] ? small : plain(small)] : [])];
      const rows = cells.map((row) => row.flatMap(said));
      return [head, ...rows].map((row) => `${row.map(quoted).join(",")}\n`).join("");
    }],
    Markdown: ["md", ({ whole: [head, ...rest], isText }) => [line(head), line(isText.map((is) => (is ? "---" : "---:"))), ...rest.map(line)].join("")],
    LaTeX: ["tex", ({ whole, isText }) => {
      const [head, ...rest] = whole.map((row) => `${row.map(latex).join(" & ")} \\\\\n`);
      return `\\begin{tabular}{${isText.map((is) => (is ? "l" : "r")).join("")}}\n\\toprule\n${head}\\midrule\n${rest.join("")}\\bottomrule\n\\end{tabular}\n`;
    }],
  };
  const save = (name, address) => {
    const link = document.createElement("a");
    link.href = address;
    link.download = name;
    link.click();
  };
  const buttons = (place, about, acts) => {
    const made = document.createElement("p");
    made.className = "save";
    for (const [name, act] of Object.entries(acts)) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = name;
      button.ariaLabel = `${name}: ${about}`;
      button.addEventListener("click", act);
      made.append(button, " ");
    }
    place.after(made);
  };
  const saver = (table, headers, labels) => {
    const title = table.caption.firstChild.firstChild.textContent.trim();
    const shown = () => {
      const rows = [...table.tBodies[0].rows].filter((row) => !row.hidden);
      const cells = rows.map((row) => [...row.cells].map((cell) => [key(cell), cell.querySelector(".low")?.textContent.trim() ?? ""]));
      const whole = [labels, ...cells.map((row) => row.map(([text, small]) => (small ? `${text} (${small})` : text)))];
      return { labels, cells, whole, isText: headers.map((header) => header.dataset.sort === "text") };
    };
    const acts = Object.entries(formats).map(([name, [ending, written]]) => [name, () => {
      const address = URL.createObjectURL(new Blob([written(shown())], { type: "text/plain" }));
      save(`${table.caption.id.slice(2)}.${ending}`, address);
      setTimeout(() => URL.revokeObjectURL(address), 10000);
    }]);
    buttons(table.parentElement, title, Object.fromEntries(acts));
  };

  for (const image of document.querySelectorAll("img[data-name]")) {
    const figure = image.closest("figure");
    const alone = (is) => {
      for (const part of [figure, document.documentElement]) part.classList.toggle("alone", is);
    };
    buttons(image.parentElement, image.alt.split(". ")[0], {
      SVG: () => save(`${image.dataset.name}.svg`, image.currentSrc),
      PDF: () => { // the browser prints the figure alone, to a file where it is asked to
        alone(true);
        addEventListener("afterprint", () => alone(false), { once: true });
        print();
      },
    });
  }

  for (const table of document.querySelectorAll("table.sortable")) {
    const rows = [...table.tBodies[0].rows];
    const headers = [...table.tHead.querySelectorAll("th[data-sort]")];
    const labels = headers.map((header) => header.dataset.label ?? header.textContent);
    for (const row of rows) {
      for (const cell of row.cells) if (cell.cellIndex) cell.dataset.label = labels[cell.cellIndex];
    }
    table.classList.add("live");
    saver(table, headers, labels);
    const part = table.caption.querySelector(".part"); // of many rows both ends, in any order
    if (part) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = `Show all ${rows.length}`;
      button.addEventListener("click", () => table.classList.remove("cut"));
      part.append(" ", button);
    }
    if (rows.length < 2) continue;
    if (table.classList.contains("lines")) finder(table, rows, headers);
    for (const header of headers) {
      const button = document.createElement("button");
      button.type = "button";
      const paper = document.createElement("span"); // a browser prints no button in a header
      paper.className = "paper";
      paper.append(...header.childNodes);
      button.append(...paper.cloneNode(true).childNodes);
      header.append(button, paper);
      header.ariaSort = "none";
      button.addEventListener("click", () => {
        const up = header.ariaSort !== "ascending";
        for (const other of headers) other.ariaSort = "none";
        header.ariaSort = up ? "ascending" : "descending";
        sort(table, header, rows, up ? 1 : -1);
      });
    }
  }

  const stops = () => {
    for (const part of document.querySelectorAll(".scroll")) {
      part.tabIndex = part.scrollWidth > part.clientWidth ? 0 : -1;
    }
  };
  addEventListener("resize", stops);
  document.addEventListener("toggle", stops, true);
  addEventListener("beforeprint", () => {
    for (const part of document.querySelectorAll("details.whole")) part.open = true;
  });
  stops();
})();
