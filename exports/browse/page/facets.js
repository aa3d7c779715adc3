"use strict";
// What lists have in common: filters that take several values, the spread of a column's values,
// and what is filtered as a file or a link.
(() => {
  const { h, s, say, number, tell, download } = curateBrowse;
  const BINS = 14;
  const BETWEEN = "|"; // which a value may have too
  const joined = (values) => values.map((value) => value.replace(/[%|]/g, encodeURIComponent)).join(BETWEEN);
  const parted = (text) => text.split(BETWEEN).filter(Boolean).map((value) => value.replaceAll("%7C", BETWEEN).replaceAll("%25", "%"));

  /** A test whether a value is among those that an address names; each is where it names none. */
  const among = (text) => {
    const wanted = new Set(parted(text ?? ""));
    return (value) => !wanted.size || wanted.has(value || "-");
  };

  /** Items by what `key` says of each. */
  const grouped = (items, key) => {
    const found = new Map();
    for (const item of items) {
      if (!found.has(key(item))) found.set(key(item), []);
      found.get(key(item)).push(item);
    }
    return found;
  };

  /** How many items have each value; an item may have several. */
  const countOf = (items, key) => {
    const counts = new Map();
    for (const item of items) for (const value of [key(item)].flat()) counts.set(value, (counts.get(value) ?? 0) + 1);
    return counts;
  };

  /**
   * A filter that takes several values, with how many rows have each. `show` brings it up to date
   * with an address. Options are `[value, name, rows]`, where rows may be null; they are made when
   * they are first looked at.
   */
  const facet = (label, options, change, attributes) => {
    const most = Math.max(...options.map(([, , n]) => n));
    const names = new Map(options.map(([value, name]) => [value, name]));
    const shown = h("span");
    const made = h("details.facet", attributes, h("summary", h("span.away", `${label}: `), shown));
    let chosen = [];
    const boxes = () => [...made.querySelectorAll("input")];
    const act = () => change(joined(boxes().filter((box) => box.checked).map((box) => box.value)));
    const line = ([value, name, n]) => {
      const bar = n === null ? null : h("span.bar", { "aria-hidden": "true" });
      bar?.style.setProperty("--part", String(n / most));
      return h("label", h("input", { type: "checkbox", value, checked: chosen.includes(value), on: { change: act } }), h("span", { dir: "auto" }, name), " ", n === null ? null : h("span.soft", number(n)), bar);
    };
    made.addEventListener("toggle", () => {
      if (made.open && !boxes().length) made.append(h("div.values", { role: "group", "aria-label": label }, options.map(line)));
      const list = made.querySelector(".values");
      list?.classList.remove("end");
      list?.classList.toggle("end", list.getBoundingClientRect().right > document.documentElement.clientWidth);
    });
    made.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !made.open) return;
      made.open = false;
      made.querySelector("summary").focus();
    });
    made.show = (text) => {
      chosen = parted(text);
      shown.textContent = chosen.length ? chosen.map((value) => names.get(value) ?? value).join(", ") : say("list.any");
      for (const box of boxes()) box.checked = chosen.includes(box.value);
    };
    return made;
  };

  // What is open hides what is below it, until somebody goes on elsewhere. A click on the words of
  // a value moves the focus to what holds the whole list, which is not elsewhere.
  for (const event of ["pointerdown", "focusin"]) {
    addEventListener(event, ({ target }) => {
      for (const open of document.querySelectorAll("details.facet[open]")) if (!open.contains(target) && !target.contains?.(open)) open.open = false;
    });
  }

  /** The facet of a key of an address, with its label above it; nothing where there is nothing to choose. */
  const facetField = (page, key, counts, query, change, { names = (one) => one, order }) => {
    const value = query.get(key) ?? "";
    if (counts.size < 2 && !value) return null;
    const label = say(`${page}.${key}`);
    const values = order?.filter((one) => counts.has(one)) ?? [...counts.keys()].sort();
    const made = facet(label, values.map((one) => [one || "-", names(one), counts.get(one)]), (to) => change({ [key]: to }), { "data-filter": key });
    made.show(value);
    return h("div.field", h("span.label", { "aria-hidden": "true" }, label), made);
  };

  /** Bring filters up to date with an address, except for a field that is being written in. */
  const align = (element, query, standards = {}) => {
    for (const control of element.querySelectorAll("[data-filter]")) {
      if (control === document.activeElement && control.type === "search") continue;
      const value = query.get(control.dataset.filter) ?? "";
      if (control.show) control.show(value);
      else if (control.type === "checkbox") control.checked = value === "1";
      else control.value = value || (standards[control.dataset.filter] ?? "");
    }
  };

  const median = (sorted) => (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;

  /** Bars up from the line 1, one every `wide`; what is not empty is seen, however small it is. */
  const bars = (bins, most, wide = 1, start = 0) =>
    bins.map((n, at) => (n ? `M${start + at * wide} 1v${-Math.max(0.05, n / most)}h${0.85 * wide}V1z` : "")).join("");

  /** How a column's values are spread: those of all rows, and in front those of the rows that fit. */
  const histogram = (name, all, found, shown = number) => {
    const isGiven = (value) => value !== null && value !== undefined;
    const values = all.filter(isGiven).sort((one, other) => one - other);
    const [low, high] = [values[0], values[values.length - 1]];
    if (!(high > low)) return null;
    const counted = (part) => {
      const bins = new Array(BINS).fill(0);
      for (const value of part) bins[Math.min(BINS - 1, Math.floor(((value - low) / (high - low)) * BINS))] += 1;
      return bins;
    };
    const words = say("list.spread", { name, low: shown(low), high: shown(high), median: shown(median(values)) });
    return spread(words, counted(values), counted(found.filter(isGiven)));
  };

  const spread = (words, every, fits) => {
    const most = Math.max(...every);
    return s(
      "svg.histogram", { viewBox: `0 0 ${every.length} 1`, preserveAspectRatio: "none", role: "img", "aria-label": words },
      s("title", words), s("path.every", { d: bars(every, most) }), s("path.fits", { d: bars(fits, most) }),
    );
  };

  /** How many rows have each value of a column: of all rows, and in front of those that fit. */
  const tallies = (name, key, [names, order], all, found) => {
    const [every, fits] = [all, found].map((rows) => countOf(rows, key));
    const values = order?.filter((value) => every.has(value)) ?? [...every.keys()].sort();
    if (values.length < 2) return null;
    const told = values.map((value) => `${names(value)} ${number(every.get(value))}`).join(", ");
    return spread(`${name}: ${told}`, ...[every, fits].map((counts) => values.map((value) => counts.get(value) ?? 0)));
  };

  // A text that begins like a formula is no formula, and one with a comma is one cell.
  const cell = (value) => {
    const text = typeof value === "string" && /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20']/.test(value) ? `'${value}` : String(value ?? "");
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const csv = (records) => {
    const names = Object.keys(records[0] ?? {});
    return [names, ...records.map((item) => names.map((name) => item[name]))].map((row) => `${row.map(cell).join(",")}\n`).join("");
  };
  const FORMATS = {
    csv: ["text/csv", csv],
    json: ["application/json", (records) => `${JSON.stringify(records, null, 1)}\n`],
  };

  const copyLink = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      tell(say("list.copied"));
    } catch {
      tell(say("list.notCopied")); // a browser may forbid it to pages from disk
    }
  };

  /** Buttons that save what is filtered, in the order that is shown, and copy the link to it. */
  const saving = (name, records) =>
    h(
      "span.downloads",
      Object.entries(FORMATS).map(([ending, [type, written]]) =>
        h("button", { type: "button", "data-download": ending, on: { click: () => download(`${name}.${ending}`, type, written(records())) } }, say(`list.${ending}`))),
      h("button", { type: "button", "data-link": true, on: { click: copyLink } }, say("list.link")),
    );

  Object.assign(curateBrowse, { joined, parted, among, grouped, countOf, facetField, align, bars, histogram, tallies, saving });
})();
