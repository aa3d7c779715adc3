"use strict";
// Making elements. Texts of the data only ever become text nodes, so nothing in them can run.
(() => {
  const english = new Intl.PluralRules("en");
  const numbers = new Intl.NumberFormat("en");
  const DASH = "–";

  // Only what stands there itself: a name of the data may be that of something every object has.
  const own = (part, name) => (part && Object.hasOwn(part, name) ? part[name] : undefined);
  const wording = (key) => key.split(".").reduce(own, curateBrowse.words);

  const chosen = (key, values) => {
    const found = wording(key);
    const text = found && typeof found === "object" ? found[english.select(values.n)] : found;
    if (typeof text !== "string") throw new Error(`no words for ${key}`);
    return text;
  };

  const shown = (value) => (typeof value === "number" ? numbers.format(value) : String(value));

  /** A sentence of the interface, with what stands in its braces filled in. */
  const say = (key, values = {}) =>
    chosen(key, values).replace(/\{(\w+)\}/g, (_, name) => shown(values[name]));

  /** The same as a list of nodes and texts, for a sentence with elements in it. */
  const sayNodes = (key, values = {}) =>
    chosen(key, values)
      .split(/(\{\w+\})/)
      .map((part) => {
        const name = /^\{(\w+)\}$/.exec(part)?.[1];
        if (!name) return part;
        return values[name] instanceof Node ? values[name] : shown(values[name]);
      });

  /** A sentence in which commands stand between backticks, as nodes. */
  const prose = (text) =>
    text.split("`").map((part, at) => (at % 2 ? h("code", part) : part));

  /** Words for a name that the data holds; the name itself where there are none. */
  const named = (section, name) => own(wording(section), name) ?? String(name);

  const SVG = "http://www.w3.org/2000/svg";

  const furnish = (element, attributes) => {
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null || value === undefined || value === false) continue;
      if (name === "on") {
        for (const [event, act] of Object.entries(value)) element.addEventListener(event, act);
      } else if (name === "value") element.value = value;
      else element.setAttribute(name, value === true ? "" : value);
    }
  };

  const fill = (element, parts) => {
    for (const part of parts.flat(Infinity)) {
      if (part === null || part === undefined || part === false) continue;
      element.append(part instanceof Node ? part : String(part));
    }
  };

  const make = (element, classes, rest) => {
    if (classes.length) element.setAttribute("class", classes.join(" "));
    const plain = rest[0] && Object.getPrototypeOf(rest[0]) === Object.prototype;
    fill(element, plain ? rest.slice(1) : rest);
    if (plain) furnish(element, rest[0]); // after its options are there, a select can have a value
    return element;
  };

  /** Make an element: `h("p.soft", {id: "a", on: {click}}, "text", other)`. */
  const h = (spec, ...rest) => {
    const [tag, ...classes] = spec.split(".");
    return make(document.createElement(tag), classes, rest);
  };

  /** The same of SVG. */
  const s = (spec, ...rest) => {
    const [tag, ...classes] = spec.split(".");
    return make(document.createElementNS(SVG, tag), classes, rest);
  };

  /**
   * A text that people wrote, in its language and direction. A block of text has the direction of
   * its language, also where it begins with a slot; a name within a line has that of its letters.
   */
  const people = (text, side = "target", spec = "bdi") => {
    const index = curateBrowse.index ?? {};
    const isKnown = ["target", "machine", "source"].includes(side);
    const [lang, direction] = !isKnown
      ? []
      : side === "source"
        ? [index.source_language, index.source_direction]
        : [index.language, index.direction];
    const dir = (spec.includes(".text") && direction) || "auto";
    return h(spec, { dir, lang: lang || null }, text);
  };

  /** A group, with what the source calls it where that is known; of several in one, each is. */
  const group = (category, name) => {
    const glosses = own(curateBrowse.index.glosses, category);
    const known = name.split(", ").map((part) => own(glosses, part));
    return known.every(Boolean) ? [people(name), h("span.gloss", " (", people(known.join(", "), "source"), ")")] : people(name);
  };
  const groups = (category, names) => names.map((name, at) => [at ? ", " : "", group(category, name)]);

  /** A template's stereotype, with what the source says where that is not the same. */
  const stereotype = (row, text = row.stereotype) => [
    people(text), row?.source && row.source !== text ? h("span.gloss", " (", people(row.source, "source"), ")") : null,
  ];

  const number = (value) => (value === null || value === undefined ? DASH : numbers.format(value));
  // Numbers are handed over as they are written, so that 0.8245 is rounded as in every report.
  const formats = new Map(); // one takes longer to make than to use
  const formatOf = (digits, style) => {
    const name = `${style} ${digits}`;
    const fixed = { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false };
    if (!formats.has(name)) formats.set(name, new Intl.NumberFormat("en", { ...fixed, style }));
    return formats.get(name);
  };
  // What is rounded to nothing has no sign, as in every report.
  const rounded = (value, digits, style) =>
    value === null || value === undefined ? DASH : formatOf(digits, style).format(String(value)).replace(/^-(?=[0.]*%?$)/, "").replace("-", "−");
  const decimal = (value, digits = 3) => rounded(value, digits, "decimal");
  const percent = (value, digits = 1) => rounded(value, digits, "percent").replace("%", "\u202f%");

  const badge = (kind, text) => h(`span.badge.${kind}`, text);

  /** How a template stands, with a mark where a decision on it is borderline. */
  const status = (template) => {
    const kinds = { kept: "kept", excluded: "dropped", undecided: "open", open: "open" };
    return [
      badge(kinds[template.status] ?? "open", named("status", template.status)),
      template.near ? [" ", badge("near", say("near"))] : null,
    ];
  };

  let made = 0;
  /** A control with its label; `wide` lets it take what room there is. */
  const field = (label, control, spec = "div.field") => {
    control.id ||= `control-${(made += 1)}`;
    const name = h("label", { for: control.id }, label);
    return spec.includes(".check") ? h(spec, control, name) : h(spec, name, control);
  };

  /** A list to choose from; options are `[value, text]`. */
  const select = (options, value, change, attributes = {}) =>
    h(
      "select",
      { ...attributes, value, on: { change: (event) => change(event.target.value) } },
      options.map(([key, text]) => h("option", { value: key }, text)),
    );

  /**
   * A table that becomes a list of cards on a narrow screen.
   * Columns are `{name, spec}`; rows are lists of cells, the first of
   * which is the row's heading, or what `tableRow` made. `above` has what stands over the heads.
   */
  const table = ({ caption, columns, rows, above = [], spec = "table.cards" }) =>
    h(
      "div.scroll",
      { role: "region", tabindex: "-1", "aria-label": caption },
      h(
        spec,
        h("caption.away", caption),
        h("thead", above.some(Boolean) ? h("tr.spreads", above.map((made, at) => h(`td${columns[at].spec ?? ""}`, made))) : null, h("tr", columns.map((item) => h(`th${item.spec ?? ""}`, { scope: "col" }, item.head ?? item.name)))),
        h("tbody", rows.map((row) => (Array.isArray(row) ? tableRow(columns, row) : row))),
      ),
    );

  const tableRow = (columns, cells, attributes = {}) =>
    h(
      "tr",
      attributes,
      cells.map((cell, at) => {
        const tag = at === 0 ? "th" : "td";
        const own = { "data-label": columns[at].name, scope: at === 0 ? "row" : null };
        return h(`${tag}${columns[at].spec ?? ""}`, own, cell);
      }),
    );

  /** What stands where there is nothing to show: a sentence, and what to do. */
  const empty = (text, ...more) => h("div.nothing", h("p", text), more);

  /** Links to other pages of a long list; `to(page)` gives the address of one, from 1. */
  const pager = (page, pages, to) => {
    if (pages < 2) return null;
    const link = (text, target, rel) =>
      target < 1 || target > pages
        ? h("span.off", { "aria-hidden": "true" }, text)
        : h("a", { href: to(target), rel }, text);
    return h(
      "nav.pager",
      { "aria-label": say("page.pages") },
      link(say("page.previous"), page - 1, "prev"),
      h("span", say("page.page", { page, pages })),
      link(say("page.next"), page + 1, "next"),
    );
  };

  /** Names and what they are, a line each; without those that have nothing. */
  const facts = (pairs) =>
    h(
      "dl.facts",
      pairs.filter(([, value]) => value !== null && value !== undefined && value !== "" && value.length !== 0)
        .map(([name, value]) => h("div", h("dt", name), h("dd", value))),
    );

  /** Say something to those who cannot see that the page has changed. */
  const tell = (text) => {
    document.getElementById("said").textContent = text;
  };

  /** Save a text as a file of the reader. */
  const download = (name, type, text) => {
    const link = h("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };

  Object.assign(curateBrowse, {
    say, sayNodes, prose, named, h, s, people, group, groups, stereotype, number, decimal, percent, badge, status, field, select,
    table, tableRow, empty, pager, facts, tell, download,
  });
})();
