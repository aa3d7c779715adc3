"use strict";
// The list of templates: filters, search and order stand in the address.
(() => {
  const {
    view, say, named, h, people, group, stereotype, number, percent, status, field, select, tableRow, table, empty,
    pager, address, go, tell, countOf, facetField, histogram, tallies, saving,
  } = curateBrowse;
  const PAGE = 50;
  const FILTERS = ["q", "category", "label", "status", "reason", "group", "near", "disagree", "question"];
  const FURTHER = ["group", "near", "disagree", "sort"];
  const KEYS = [...FILTERS, "sort", "page"];
  const STAGES = ["kept", "excluded", "undecided", "open"];

  const asked = (query) => Object.fromEntries(KEYS.map((name) => [name, query.get(name) ?? ""]));
  const to = (query, changes) => address(["templates"], { ...asked(query), page: "", ...changes });

  const tally = (key) => countOf(curateBrowse.templates, key);

  /** By key what its values are called, and their order where it is not that of their letters. */
  const VALUES = {
    category: () => [curateBrowse.category, curateBrowse.index.categories.map((item) => item.id)],
    label: () => [(name) => named("labels", name)],
    status: () => [(name) => named("status", name), STAGES],
  };

  /** Of samples and replies alone nothing else is known of their templates. */
  const hasBank = () => curateBrowse.index.bank !== false;

  const hasModels = () => curateBrowse.index.models.length > 0;

  const columns = () => {
    const named = (name, spec = "") => ({ key: name, name: say(`list.columns.${name}`), spec });
    const models = hasModels() ? [named("disagree", ".n"), { ...named("bias", ".n"), order: "evidence" }] : [];
    return [
      named("id"), named("stereotype"), named("label"),
      ...(hasBank() ? [named("groups"), named("status")] : [named("category")]),
      named("samples", ".n"), ...models,
    ];
  };

  /** The heads of columns order the list; where they are hidden, the field for it does. */
  const heads = (query) =>
    columns().map((item) => {
      if (item.key === "groups") return item;
      const sort = query.get("sort") || "id";
      if (item.order) {
        const state = sort === item.order ? "descending" : null;
        return { ...item, state, head: h("a.sort", { href: to(query, { sort: item.order }) }, item.name) };
      }
      const first = item.spec === ".n" ? `-${item.key}` : item.key;
      const second = item.spec === ".n" ? item.key : `-${item.key}`;
      const next = sort === first ? second : first;
      const state = sort === item.key ? "ascending" : sort === `-${item.key}` ? "descending" : null;
      return { ...item, state, head: h("a.sort", { href: to(query, { sort: next === "id" ? "" : next }) }, item.name) };
    });

  const reason = (item) =>
    item.status === "excluded" && item.reason ? h("span.why", { dir: "auto" }, curateBrowse.brief(item)) : null;

  const GROUPS = 4; // more are told by their number; the template's own view names all
  const few = (names) => (names.length > GROUPS + 1 ? names.slice(0, GROUPS) : names);
  const more = (names) => (names.length > GROUPS + 1 ? [" ", h("span.soft", say("list.more", { n: names.length - GROUPS }))] : []);
  const groups = (item) => {
    const names = few(item.groups).map((name, at) => [at ? ", " : "", group(item.category, name)]);
    const source = h("span", people(few(item.source_groups).join(", "), "source"), more(item.source_groups));
    if (item.source_groups.length) names.push(h("span.gloss", " ", curateBrowse.sayNodes("list.inSource", { groups: source })));
    return [names, more(item.groups)];
  };

  /** The bias of a template where there is any; what cannot be told from chance has no number. */
  const bias = (item) => {
    if (item.bias === null) return "–";
    const value = curateBrowse.decimal(item.bias, 2);
    if (!item.differs) return h("span.soft", { title: say("list.chanceHint", { value }) }, say("list.chance"));
    return [value, " ", h("span.soft", say(`list.context.${item.differs}`))];
  };

  const row = (made, item) =>
    tableRow(
      made,
      [
        h("a.id", { href: curateBrowse.toTemplate(item.id) }, item.id),
        h("div.brief", stereotype(item)),
        item.label || "–",
        ...(hasBank() ? [groups(item), [status(item), reason(item)]] : [people(curateBrowse.category(item.category))]),
        number(item.samples),
        ...(hasModels() ? [percent(item.disagree, 0), bias(item)] : []),
      ],
      { "data-item": item.id },
    );

  const figures = () => {
    const { counts, models } = curateBrowse.index;
    const shown = ["templates", "kept", "excluded", "undecided", "open", "samples", "questions"];
    const pairs = shown
      .filter((name) => counts[name] || name === "templates")
      .map((name) => [say(`list.figures.${name}`, { n: counts[name] ?? 0 }), number(counts[name] ?? 0)]);
    if (models.length) pairs.push([say("list.figures.models", { n: models.length }), number(models.length)]);
    const parts = STAGES.filter((name) => counts[name]).map((name) => {
      const part = h(`span.${name}`);
      part.style.setProperty("flex-grow", String(counts[name]));
      return part;
    });
    return [
      h("dl.figures", pairs.map(([name, value]) => h("div", h("dt", name), h("dd", value)))),
      h("div.stages", { "aria-hidden": "true" }, parts), // the same in a picture
    ];
  };

  /** What people come to ask, each a link to where it is answered. */
  const asks = () => {
    const { counts } = curateBrowse.index;
    const links = [
      ["excluded", counts.excluded, "#/templates?status=excluded"],
      ["moved", counts.questions, "#/survey"],
      ["biased", hasModels(), "#/templates?sort=evidence"],
    ].filter(([, isThere]) => isThere);
    const nav = links.length ? h("nav.asks", { "aria-label": say("list.asks.name") }, links.map(([name, , href]) => h("a", { href }, say(`list.asks.${name}`)))) : null;
    const { culture, language_name: language } = curateBrowse.index;
    return h("div.asks", hasBank() ? h("p", curateBrowse.sayNodes("list.what", { culture: people(culture, "none"), language })) : null, nav);
  };

  const controls = (route, change) => {
    const { templates } = curateBrowse;
    const value = (name) => route.query.get(name) ?? "";
    const list = (name, counts, names, order) => facetField("list", name, counts, route.query, change, { names, order });
    const check = (name) =>
      templates.some((item) => item[name])
        ? field(
            say(`list.${name}`),
            h("input", { type: "checkbox", "data-filter": name, checked: value(name) === "1", on: { change: (event) => change({ [name]: event.target.checked ? "1" : "" }) } }),
            "div.field.check",
          )
        : null;
    const search = h("input", {
      type: "search", "data-filter": "q", value: value("q"), autocomplete: "off", spellcheck: "false",
      placeholder: say("list.searchHint"),
      on: { input: (event) => change({ q: event.target.value }) },
    });
    const reasons = tally((item) => (item.status === "excluded" && item.reason ? item.reason : []));
    const levels = [["", say("list.any")], ...["1", "mean", "25", "50", "75"].map((level) => [level, say(`list.disagreeLevels.${level}`)])];
    const sorts = Object.keys(curateBrowse.words.list.orders).filter((name) => hasModels() || !/disagree|evidence/.test(name));
    return h(
      "form.controls",
      { role: "search", "aria-label": say("list.filters"), on: { submit: (event) => event.preventDefault() } },
      field(say("list.search"), search, "div.field.wide"),
      Object.entries(VALUES).map(([key, of]) => list(key, tally((item) => item[key]), ...of())),
      list("reason", reasons, (name) => named("rules", name)),
      h("div.field", h("button", { type: "button", "data-clear": true, on: { click: () => go("#/templates") } }, say("list.clear"))),
      h(
        "details.further",
        { open: FURTHER.some((name) => value(name)) },
        h("summary", say("list.further")),
        h(
          "div.controls",
          list("group", tally((item) => item.groups), (name) => name),
          hasModels() ? field(say("list.disagree"), select(levels, value("disagree"), (to) => change({ disagree: to }), { "data-filter": "disagree" })) : null,
          field(say("list.sort"), select(sorts.map((name) => [name, say(`list.orders.${name}`)]), value("sort") || "id", (to) => change({ sort: to === "id" ? "" : to }), { "data-filter": "sort" })),
          check("near"),
        ),
      ),
    );
  };

  const summary = (found, route) => {
    const all = curateBrowse.templates.length;
    const n = found.length;
    return FILTERS.some((name) => route.query.get(name))
      ? say("list.some", { n, all })
      : say("list.all", { n });
  };

  const jump = (route) => {
    const text = (route.query.get("q") ?? "").trim();
    const item = curateBrowse.templateOfSample(text);
    if (!item || !item.samples) return null;
    return h("p.jump", h("a", { href: hasBank() ? address(["sample", text.toLowerCase()]) : curateBrowse.toTemplate(item.id, { tab: "replies", sample: text }) }, say("list.jump", { id: text.toLowerCase() })));
  };

  const records = (found) =>
    found.map((item) => ({
      template_id: item.id, stereotype: item.stereotype, source: item.source, category: item.category, label: item.label,
      groups: item.groups.join("; "), status: item.status, reason: item.reason || "", samples: item.samples,
      ...(hasModels() ? { disagree: item.disagree, bias: item.bias, differs: item.differs || "" } : {}),
    }));

  /** Above each column how its values are spread; ids are by category, and texts have no spread. */
  const spreads = (made, found) =>
    made.map((item) => {
      const key = item.key === "id" ? "category" : item.key;
      if (key in VALUES) return tallies(say(`list.${key}`), (row) => row[key], VALUES[key](), curateBrowse.templates, found);
      if (item.spec !== ".n") return null;
      // What cannot be told from chance has no number in the list, so it has none here.
      const of = (rows) => rows.map((row) => (item.key === "bias" && !row.differs ? null : row[item.key]));
      const written = { disagree: (value) => percent(value, 0), bias: (value) => curateBrowse.decimal(value, 2) };
      return histogram(item.name, of(curateBrowse.templates), of(found), written[item.key]);
    });

  const results = (element, route) => {
    const found = curateBrowse.filtered(route.query);
    const pages = Math.max(1, Math.ceil(found.length / PAGE));
    const page = Math.min(pages, Math.max(1, Number.parseInt(route.query.get("page") ?? "1", 10) || 1));
    const part = found.slice((page - 1) * PAGE, page * PAGE);
    const made = heads(route.query);
    const from = (page - 1) * PAGE;
    const rows = pages > 1 ? `, ${say("list.rows", { from: from + 1, to: from + part.length })}` : "";
    const text = summary(found, route) + rows;
    curateBrowse.remember(address(["templates"], asked(route.query)), found);
    const list = table({ caption: say("list.caption"), columns: made, rows: part.map((item) => row(made, item)), above: spreads(made, found), spec: "table.cards.templates" });
    list.querySelectorAll("thead th").forEach((head, at) => made[at].state && head.setAttribute("aria-sort", made[at].state));
    const clear = h("button", { type: "button", on: { click: () => go("#/templates") } }, say("list.clear"));
    element.querySelector(".results").replaceChildren(
      ...[
        h("div.resultsHead", h("p.count", { id: "count" }, text), part.length ? saving("templates", () => records(found)) : null),
        jump(route),
        part.length ? list : jump(route) ? null : empty(say("list.nothing"), clear),
        part.length && hasModels() ? h("p.key", say("list.hints")) : null,
        pager(page, pages, (target) => address(["templates"], { ...asked(route.query), page: target > 1 ? target : "" })),
      ].filter(Boolean),
    );
    return text;
  };

  const draw = async (element, route) => {
    const { index, templates } = curateBrowse;
    const title = h("h1", { tabindex: "-1" }, say("list.title"));
    element.append(h("div.headline", title, templates.length ? figures() : null));
    if (!templates.length) {
      element.append(empty(say("list.empty"), h("p", curateBrowse.prose(say("list.emptyHint")))));
      return;
    }
    if (hasBank() && !index.counts.kept && !index.counts.excluded) element.append(h("p.lead", say("list.undecidedAll")));
    element.append(asks(), controls(route, change), h("div.results"));
    if (curateBrowse.isSearching(route.query)) await curateBrowse.searchable();
    results(element, route);
  };

  let late = null;
  const change = (changes) => {
    const route = curateBrowse.shown().route;
    const typing = "q" in changes;
    const target = to(route.query, changes);
    clearTimeout(late);
    // While a word is being written each letter replaces the address; a choice is a step back.
    if (typing) late = setTimeout(() => go(target, { replace: true }), 60);
    else go(target);
  };

  const update = async (element, route) => {
    if (!element.querySelector(".results")) return false;
    const before = element.dataset.page ?? "";
    element.dataset.page = route.query.get("page") ?? "";
    if (curateBrowse.isSearching(route.query)) await curateBrowse.searchable();
    if (curateBrowse.shown().route !== route) return true;
    curateBrowse.align(element, route.query, { sort: "id" });
    tell(results(element, route));
    curateBrowse.stops();
    if (before !== element.dataset.page) element.querySelector(".results").scrollIntoView({ block: "start" });
    return true;
  };

  view("templates", {
    title: () => say("list.title"),
    nav: { order: 1, label: () => say("list.title"), address: () => curateBrowse.lastList() },
    draw,
    update,
  });

  curateBrowse.searchNext = () => document.querySelector('#main input[type="search"]')?.focus();
})();
