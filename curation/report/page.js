"use strict";
(async () => {
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
    form.addEventListener("input", () => {
      table.classList.remove("cut");
      show();
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    if (!table.classList.contains("cut")) show();
    table.parentElement.before(form);
  };

  // The files of all tables: of each format its head, a text for each row, and its end.
  const files = async () => {
    const packed = document.getElementById("packed").content.textContent;
    const bytes = Uint8Array.from(atob(packed), (one) => one.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
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
  const saver = (table, rows) => {
    const name = table.caption.id.slice(2);
    const acts = Object.entries({ CSV: "csv", Markdown: "md", LaTeX: "tex" }).map(([title, ending]) => [title, async () => {
      const lines = (await files())[name][ending];
      const shown = [...table.tBodies[0].rows].filter((row) => !row.hidden).map((row) => lines[1 + rows.indexOf(row)]);
      const address = URL.createObjectURL(new Blob([lines[0], ...shown, lines.at(-1)], { type: "text/plain" }));
      save(`${name}.${ending}`, address);
      setTimeout(() => URL.revokeObjectURL(address), 10000);
    }]);
    buttons(table.parentElement, table.caption.firstChild.firstChild.textContent.trim(), Object.fromEntries(acts));
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

  const tables = document.querySelectorAll("table.sortable");
  const label = (table) => { // what a narrow screen shows above each value
    const labels = [...table.tHead.querySelectorAll("th[data-sort]")].map((header) => header.dataset.label ?? header.textContent);
    for (const row of table.tBodies[0].rows) {
      for (const cell of row.cells) if (cell.cellIndex) cell.dataset.label = labels[cell.cellIndex];
    }
  };
  tables.forEach(label);

  // All rows of a table of which few are shown first: packed, so that nobody waits for them. What
  // is parsed so runs nothing.
  for (const table of document.querySelectorAll("[data-more]")) {
    const packed = `<table>${(await files())[table.caption.id.slice(2)].rows}</table>`;
    const parsed = new DOMParser().parseFromString(packed, "text/html");
    table.tBodies[0].replaceChildren(...parsed.querySelectorAll("tr"));
    label(table);
  }

  for (const table of tables) {
    const rows = [...table.tBodies[0].rows];
    const headers = [...table.tHead.querySelectorAll("th[data-sort]")];
    saver(table, rows);
    const part = table.caption.querySelector(".rows-left"); // of many rows both ends, in any order
    if (part) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = `Show all ${rows.length}`;
      button.addEventListener("click", () => table.classList.remove("cut"));
      part.append(" ", button);
    }
    if (rows.length < 2) continue;
    if (table.classList.contains("lines") && rows.length > 12) finder(table, rows, headers);
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
  if (matchMedia("(max-width: 44rem)").matches) {
    for (const part of document.querySelectorAll("details.whole")) part.open = false;
  }
  addEventListener("beforeprint", () => {
    for (const part of document.querySelectorAll("details.whole")) part.open = true;
  });
  stops();
})();
