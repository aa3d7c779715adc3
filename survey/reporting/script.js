"use strict";
(() => {
  const form = document.getElementById("find");
  const tables = [...document.querySelectorAll("table.cards")];
  if (!form || !tables.length) return;
  const fold = (text) => text.normalize("NFKC").toLocaleLowerCase();
  const rows = [...document.querySelectorAll("table.cards tr[data-decision]")].map((row, at) => ({
    row,
    at,
    text: fold([...row.querySelectorAll(".find, bdi.name")].map((part) => part.textContent).join(" ")),
  }));
  const field = (name) => document.getElementById(name);
  const status = field("count");

  const show = () => {
    const words = fold(field("text").value).split(/\s+/).filter(Boolean);
    const { category, decision } = { category: field("category").value, decision: field("decision").value };
    const near = field("near").checked;
    let shown = 0;
    for (const { row, text } of rows) {
      const data = row.dataset;
      const fits =
        (!category || data.category === category) &&
        (!decision || data.decision === decision) &&
        (!near || data.near === "yes") &&
        words.every((word) => text.includes(word));
      row.hidden = !fits;
      shown += fits;
    }
    for (const table of tables) {
      const some = table.querySelector("tr[data-decision]:not([hidden])");
      table.querySelector(".nothing").hidden = Boolean(some);
    }
    const all = rows.length;
    status.textContent =
      shown === all ? `All ${all} questions are shown` : `${shown} of ${all} questions are shown`;
  };

  const collator = new Intl.Collator(undefined, { numeric: true });
  const key = (row, column) => row.cells[column].dataset.v;
  const sort = (table, header, direction) => {
    const column = header.cellIndex;
    const isNumber = header.dataset.sort === "number";
    const body = table.tBodies[0];
    const own = rows.filter(({ row }) => row.parentNode === body);
    own.sort((one, other) => {
      const [a, b] = [key(one.row, column), key(other.row, column)];
      if (a === "" || b === "") return (a === "") - (b === "") || one.at - other.at;
      const order = isNumber ? a - b : collator.compare(a, b);
      return order * direction || one.at - other.at;
    });
    body.prepend(...own.map(({ row }) => row));
  };
  const unsort = () => {
    for (const header of document.querySelectorAll("th[aria-sort]")) header.ariaSort = "none";
    for (const table of tables) {
      const body = table.tBodies[0];
      body.prepend(...rows.filter(({ row }) => row.parentNode === body).map(({ row }) => row));
    }
  };

  for (const table of tables) {
    table.tHead.classList.add("live");
    for (const header of table.tHead.querySelectorAll("th[data-sort]")) {
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
        for (const other of table.tHead.querySelectorAll("th[data-sort]")) other.ariaSort = "none";
        header.ariaSort = up ? "ascending" : "descending";
        sort(table, header, up ? 1 : -1);
      });
    }
  }

  const reveal = () => {
    const row = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (row && row.hidden) {
      form.reset();
      setTimeout(() => row.scrollIntoView());
    }
  };

  const stops = () => {
    for (const part of document.querySelectorAll(".scroll")) {
      part.tabIndex = part.scrollWidth > part.clientWidth ? 0 : -1;
    }
  };

  form.addEventListener("input", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => {
    unsort();
    setTimeout(show);
  });
  addEventListener("hashchange", reveal);
  addEventListener("beforeprint", () => {
    for (const part of document.querySelectorAll("details.sec")) part.open = true;
  });
  const clear = () => {
    // What an address points to stands below the bar, however many lines that has.
    const stuck = getComputedStyle(form).position === "sticky" ? form.offsetHeight : 0;
    document.documentElement.style.scrollPaddingBlockStart = `${stuck + 12}px`;
  };
  addEventListener("resize", () => {
    stops();
    clear();
  });
  form.hidden = false;
  show();
  stops();
  clear();
  const pointed = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (pointed) requestAnimationFrame(() => pointed.scrollIntoView());
})();
