"use strict";
// The survey: a slider for each threshold, what would stay, and the list of questions.
(() => {
  const {
    view, h, s, say, named, people, stereotype, number, percent, badge, field, table, tableRow,
    empty, pager, address, go, load, thresholds, among, countOf, facetField, bars, histogram, tallies, saving,
  } = curateBrowse;
  const PAGE = 50;
  const FILTERS = ["q", "kind", "category", "outcome", "rule", "near"];
  const HIDDEN_FROM = 8; // a longer list of templates is folded

  const survey = () => load("survey");

  /** What an address says: filters, and thresholds that are not as decided. */
  const asked = (data, query) => {
    const names = [...FILTERS, ...data.thresholds.map((item) => item.setting), "page"];
    return Object.fromEntries(names.map((name) => [name, query.get(name) ?? ""]));
  };
  const to = (data, query, changes) => address(["survey"], { ...asked(data, query), page: "", ...changes });

  const movedIn = (data, query) =>
    Object.fromEntries(
      data.thresholds
        .filter(({ setting, ours, values }) => values.includes(query.get(setting)) && query.get(setting) !== ours)
        .map(({ setting }) => [setting, query.get(setting)]),
    );

  // ---- sliders

  const isWhole = (setting) => setting === "min_respondents";
  const isMultiple = (setting) => /_multiple$/.test(setting);

  /** A threshold's value as people read it: "66.7 %", "2 times", "30". */
  const shownValue = (setting, text) => {
    const value = thresholds.value(thresholds.fraction(text));
    if (isWhole(setting)) return number(value);
    if (isMultiple(setting)) return String(Number(value.toFixed(2)));
    // Two thirds are no share of a hundred: they are written as the fraction that they are.
    const isRound = Number.isInteger(Number((value * 100).toFixed(9)));
    return isRound ? percent(value, 0) : say("thresholds.fraction", { text, share: percent(value, 1) });
  };

  const inWords = ({ setting, ours, published }, text) => {
    const marks = [text === ours ? say("thresholds.asDecided") : null, text === published && published !== ours ? say("thresholds.asPublished") : null];
    const said = say(`thresholds.value.${setting}`, { value: shownValue(setting, text) });
    return [said, ...marks.filter(Boolean)].join(", ");
  };

  const marker = (item, text, kind) => {
    const at = item.values.indexOf(text) / Math.max(1, item.values.length - 1);
    const line = h(`span.marker.${kind}`, { "aria-hidden": "true" });
    line.style.setProperty("--at", String(at));
    return line;
  };

  /**
   * Behind a slider: how many of what its rule compares lie at each of its steps. What lies beyond
   * them stands at the end.
   */
  const distribution = (data, { setting, values }) => {
    const steps = values.map((text) => thresholds.value(thresholds.fraction(text)));
    const bins = new Array(steps.length).fill(0);
    for (const one of data.questions.flatMap((question) => thresholds.compared[setting](question))) {
      bins[Math.max(0, steps.findLastIndex((step) => step <= one + 1e-12))] += 1;
    }
    const most = Math.max(1, ...bins);
    const wide = 1 / Math.max(1, steps.length - 1);
    return s("svg.distribution", { viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" }, s("path", { d: bars(bins, most, wide, -0.45 * wide) }));
  };

  const slider = (data, item, moved, change) => {
    const { setting, values, ours, published } = item;
    const current = moved[setting] ?? ours;
    const input = h("input", {
      type: "range", min: 0, max: values.length - 1, step: 1, "data-setting": setting,
      "aria-describedby": `about-${setting}`,
    });
    input.value = String(values.indexOf(current));
    const output = h("output", { for: `slide-${setting}` });
    input.id = `slide-${setting}`;
    const back = h("button.back", { type: "button", "data-back": setting, on: { click: () => {
      input.value = String(values.indexOf(ours));
      change(setting, ours);
      input.focus();
    } } }, say("thresholds.back"), h("span.away", ` (${say(`thresholds.name.${setting}`)})`));
    input.addEventListener("input", () => change(setting, values[Number(input.value)]));
    const differs = published !== null && published !== ours;
    return h(
      "div.slider",
      { "data-slider": setting },
      h("label", { for: input.id }, say(`thresholds.name.${setting}`)),
      h("div.track", distribution(data, item), input, marker(item, ours, "ours"), differs ? marker(item, published, "theirs") : null),
      h("p.reading", output, " ", back),
      h(
        "p.hint",
        { id: `about-${setting}` },
        say(`thresholds.about.${setting}`),
        differs ? [" ", say("thresholds.kobbq", { value: shownValue(setting, published) })] : null,
      ),
    );
  };

  const readSlider = (element, item, moved) => {
    const part = element.querySelector(`[data-slider="${item.setting}"]`);
    const text = moved[item.setting] ?? item.ours;
    const input = part.querySelector("input");
    const words = inWords(item, text);
    if (input.value !== String(item.values.indexOf(text))) input.value = String(item.values.indexOf(text));
    input.setAttribute("aria-valuetext", words);
    part.querySelector("output").textContent = words;
    part.querySelector("[data-back]").hidden = text === item.ours;
  };

  // ---- what would stay

  const decided = (data) => (data.asDecided ??= thresholds.decide(data, thresholds.limitsOf(data, {})));

  const isIn = (status) => status !== "excluded";

  const changes = (before, after) => {
    const rows = after.map((_, row) => row);
    return {
      leave: rows.filter((row) => isIn(before[row].status) && !isIn(after[row].status)),
      enter: rows.filter((row) => !isIn(before[row].status) && isIn(after[row].status)),
      samples: rows.filter((row) => isIn(before[row].status) && isIn(after[row].status) && before[row].samples !== after[row].samples),
    };
  };

  const templateLink = (row, ...more) => {
    const item = curateBrowse.templates[row];
    return h("li", { "data-template": item.id }, h("a.id", { href: curateBrowse.toTemplate(item.id) }, item.id), " ", stereotype(item), more);
  };

  const changeList = (kind, rows, more) => {
    if (!rows.length) return null;
    const list = () => h("ul.changes", rows.map((row) => templateLink(row, more(row))));
    const title = say(`thresholds.${kind}`, { n: rows.length });
    if (rows.length <= HIDDEN_FROM) return h("div", { "data-change": kind }, h("h3.small", title), list());
    // There may be thousands: they are made when somebody opens the list, and it stays open then.
    const box = h("details", { "data-change": kind }, h("summary", title));
    const open = () => box.open && !box.querySelector("ul") && box.append(list());
    box.addEventListener("toggle", open);
    if (unfolded.has(kind)) {
      box.open = true;
      open();
    }
    box.addEventListener("toggle", () => (box.open ? unfolded.add(kind) : unfolded.delete(kind)));
    return box;
  };
  const unfolded = new Set();

  const difference = (before, after) => {
    const by = after - before;
    return by ? [" ", h("span.soft", `(${by > 0 ? "+" : "−"}${number(Math.abs(by))})`)] : null;
  };

  const byCategory = (before, after) => {
    const columns = [
      { name: say("thresholds.category") },
      ...["templatesAs", "templatesThen", "samplesAs", "samplesThen"].map((name) => ({ name: say(`thresholds.${name}`), spec: ".n" })),
    ];
    const inIt = (part) => part.kept + part.undecided;
    const cells = (name, was, now) => [
      name, number(inIt(was)), [number(inIt(now)), difference(inIt(was), inIt(now))],
      number(was.samples), [number(now.samples), difference(was.samples, now.samples)],
    ];
    const rows = curateBrowse.index.categories.map(({ id }) =>
      tableRow(columns, cells(people(curateBrowse.category(id)), before.by.get(id), after.by.get(id)), { "data-category": id }),
    );
    const whole = tableRow(columns, cells(say("thresholds.all"), before.all, after.all), { "data-category": "" });
    whole.classList.add("total");
    return table({ caption: say("thresholds.caption"), columns, rows: [...rows, whole], spec: "table.cards.stay" });
  };

  const why = (found) => h("span.why", found.why.map(({ rule }) => named("rules", rule)).join(", "));

  const results = (data, moved) => {
    const before = decided(data);
    const after = thresholds.decide(data, thresholds.limitsOf(data, moved));
    const was = thresholds.count(before);
    const now = thresholds.count(after);
    const turned = changes(before, after);
    const { undecided } = now.all;
    const inIt = now.all.kept + undecided;
    const text = [
      say("thresholds.stay", { n: inIt, all: now.all.templates, samples: number(now.all.samples) }),
      undecided ? say("thresholds.undecided", { n: undecided }) : "",
      Object.keys(moved).length
        ? say("thresholds.turned", { leave: turned.leave.length, enter: turned.enter.length })
        : say("thresholds.none"),
    ].filter(Boolean).join(" ");
    const stay = h("p.count", { "data-stay": inIt, "data-samples": now.all.samples }, text);
    const part = h(
      "div",
      byCategory(was, now),
      changeList("leave", turned.leave, (row) => why(after[row])),
      changeList("enter", turned.enter, (row) => why(before[row])),
      changeList("resized", turned.samples, (row) => h("span.why", say("thresholds.fromTo", { from: before[row].samples, to: after[row].samples }))),
    );
    return { stay, part, text };
  };

  // ---- stale decisions

  /** Templates that the rules would put elsewhere than the decisions on file. */
  const stale = (data) => {
    const words = { kept: "kept", open: "kept", undecided: "undecided", excluded: "excluded" };
    return decided(data)
      .map(({ status }, row) => (words[curateBrowse.templates[row].status] === status ? null : row))
      .filter((row) => row !== null);
  };

  // ---- questions

  const facets = {
    kind: (item) => [item.kind],
    category: (item) => [item.category],
    outcome: (item) => [item.outcome],
    rule: (item) => item.reasons,
  };
  const tests = {
    ...Object.fromEntries(["kind", "category", "outcome", "rule"].map((name) => [name, (value) => {
      const fits = among(value);
      return (item) => facets[name](item).some(fits);
    }])),
    near: () => (item) => item.near,
    q: (value) => {
      const words = fold(value).split(/\s+/).filter(Boolean);
      return (item) => words.every((word) => searched(item).includes(word));
    },
  };
  const fold = (text) => text.normalize("NFKC").toLowerCase();
  const searched = (item) =>
    (item.searched ??= fold(
      [item.id, item.stereotype, item.template, curateBrowse.category(item.category), ...item.options.map(({ group }) => group),
        ...item.templates.map((row) => curateBrowse.templates[row].id)].join("\n"),
    ));

  const filtered = (data, query) => {
    const wanted = FILTERS.filter((name) => query.get(name)).map((name) => tests[name](query.get(name)));
    return data.questions.filter((item) => wanted.every((test) => test(item)));
  };

  /** What a question's rule looks at, in a few words. */
  const figure = (item) => {
    if (!item.respondents) return say("question.nobody");
    const counted = (k, n) => `${say("decisions.counted", { k, n })} · ${n ? percent(k / n, 1) : "–"}`;
    if (item.kind === "comprehension") return counted(thresholds.votesOf(item, "correct"), item.respondents);
    if (item.kind === "choice") {
      const k = thresholds.votesOf(item, "target");
      return counted(k, k + thresholds.votesOf(item, "non_target"));
    }
    const counts = (name) => item.options.filter(({ standing }) => standing === name).length;
    return say("question.sides", { targets: counts("target"), others: counts("non_target") });
  };

  const outcome = (item) => [
    badge({ kept: "kept", excluded: "dropped" }[item.outcome] ?? "open", named("status", item.outcome)),
    item.near ? [" ", badge("near", say("near"))] : null,
    item.reasons.length ? h("span.why", item.reasons.map((rule) => named("rules", rule)).join(", ")) : null,
  ];

  const toQuestion = (id) => address(["question", id]);

  const questionRow = (columns, item) =>
    tableRow(
      columns,
      [
        h("a.id", { href: toQuestion(item.id) }, item.id),
        item.kind === "comprehension" ? h("span.id", item.template) : stereotype(curateBrowse.templates[item.templates[0]], item.stereotype),
        people(curateBrowse.category(item.category)),
        named("kinds", item.kind),
        number(item.respondents),
        figure(item),
        outcome(item),
        number(item.templates.length),
      ],
      { "data-item": item.id },
    );

  const columns = () =>
    [
      ["id"], ["stereotype"], ["category"], ["kind", ".whole"], ["respondents", ".n", (item) => item.respondents],
      ["figure"], ["outcome"], ["templates", ".n", (item) => item.templates.length],
    ].map(([name, spec = "", key]) => ({ name: say(`survey.columns.${name}`), spec, key, of: name }));

  const records = (found) =>
    found.map((item) => ({
      question_id: item.id, kind: item.kind, category: item.category, stereotype: item.stereotype,
      respondents: item.respondents, result: figure(item), outcome: item.outcome, rules: item.reasons.join("; "),
      borderline: item.near, templates: item.templates.map((row) => curateBrowse.templates[row].id).join("; "),
    }));

  /** By key what its values are called, and their order. */
  const VALUES = {
    kind: () => [(one) => named("kinds", one), ["select_all", "choice", "comprehension"]],
    category: () => [curateBrowse.category, curateBrowse.index.categories.map((item) => item.id)],
    outcome: () => [(one) => named("status", one), ["kept", "excluded", "undecided"]],
  };

  const controls = (data, query, change) => {
    const value = (name) => query.get(name) ?? "";
    const list = (name, names, order) =>
      facetField("survey", name, countOf(data.questions, facets[name]), query, change, { names, order });
    const search = h("input", { type: "search", value: value("q"), "data-filter": "q", autocomplete: "off", spellcheck: "false", on: { input: (event) => change({ q: event.target.value }) } });
    const near = h("input", { type: "checkbox", checked: value("near") === "1", "data-filter": "near", on: { change: (event) => change({ near: event.target.checked ? "1" : "" }) } });
    return h(
      "form.controls",
      { role: "search", "aria-label": say("survey.filters"), on: { submit: (event) => event.preventDefault() } },
      field(say("list.search"), search, "div.field.wide"),
      Object.entries(VALUES).map(([name, of]) => list(name, ...of())),
      list("rule", (one) => named("rules", one)),
      data.questions.some((item) => item.near) ? field(say("survey.near"), near, "div.field.check") : null,
      h("div.field", h("button", { type: "button", on: { click: () => change(Object.fromEntries(FILTERS.map((name) => [name, ""]))) } }, say("list.clear"))),
    );
  };

  const list = (data, query) => {
    const found = filtered(data, query);
    const pages = Math.max(1, Math.ceil(found.length / PAGE));
    const page = Math.min(pages, Math.max(1, Number.parseInt(query.get("page") ?? "1", 10) || 1));
    const made = columns();
    const spread = ({ name, key, of }) =>
      of in VALUES
        ? tallies(name, facets[of], VALUES[of](), data.questions, found)
        : key && histogram(name, data.questions.map(key), found.map(key));
    curateBrowse.rememberQuestions = { address: address(["survey"], asked(data, query)), ids: found.map(({ id }) => id) };
    return [
      h("div.resultsHead", h("p.count", { id: "question-count" }, say("survey.count", { n: found.length, all: data.questions.length })), found.length ? saving("questions", () => records(found)) : null),
      found.length
        ? table({ caption: say("survey.caption"), columns: made, rows: found.slice((page - 1) * PAGE, page * PAGE).map((item) => questionRow(made, item)), above: made.map(spread), spec: "table.cards.questions" })
        : empty(say("survey.nothing")),
      pager(page, pages, (target) => address(["survey"], { ...asked(data, query), page: target > 1 ? target : "" })),
    ].filter(Boolean);
  };

  const figures = ({ questions }) => {
    const counts = { questions: questions.length, near: questions.filter((item) => item.near).length };
    for (const name of ["kept", "excluded", "undecided"]) counts[name] = questions.filter((item) => item.outcome === name).length;
    const shown = ["questions", "kept", "excluded", "undecided", "near"].filter((name) => counts[name] || name !== "undecided");
    return h("dl.figures", shown.map((name) => h("div", h("dt", say(`survey.figures.${name}`)), h("dd", number(counts[name])))));
  };

  // ---- the view

  let late = null;
  let told = null;

  const draw = async (element, route) => {
    const head = h("div.headline", h("h1", { tabindex: "-1" }, say("survey.title")));
    element.append(head);
    if (!curateBrowse.index.counts.questions) {
      element.append(empty(say("survey.absent"), h("p", curateBrowse.prose(say("survey.absentHint")))));
      return;
    }
    const data = await survey();
    const wrong = stale(data);
    let query = route.query;
    const now = () => (element.isConnected ? curateBrowse.shown().route.query : query);
    // While a slider moves, what would stay is shown at once; the address follows when it rests.
    const move = (setting, value) => {
      const waiting = element.moving ?? movedIn(data, now());
      const item = data.thresholds.find((one) => one.setting === setting);
      element.moving = { ...waiting, [setting]: value };
      if (value === item.ours) delete element.moving[setting];
      show(element, data, element.moving, true);
      clearTimeout(late);
      late = setTimeout(() => {
        const wanted = Object.fromEntries(data.thresholds.map((one) => [one.setting, element.moving?.[one.setting] ?? ""]));
        element.moving = null;
        if (element.isConnected) go(to(data, now(), { ...wanted, page: now().get("page") ?? "" }), { replace: true });
      }, 250);
    };
    const reset = () => {
      clearTimeout(late);
      element.moving = null;
      go(to(data, now(), Object.fromEntries(data.thresholds.map((one) => [one.setting, ""]))));
    };
    const change = (changed) => {
      const target = to(data, now(), changed);
      clearTimeout(late);
      if ("q" in changed && Object.keys(changed).length === 1) late = setTimeout(() => go(target, { replace: true }), 60);
      else go(target);
    };
    head.append(figures(data));
    element.append(...[
      wrong.length ? h("p.notes", say("survey.stale", { n: wrong.length }), " ", wrong.slice(0, 5).map((row, at) => [at ? ", " : "", h("a.id", { href: curateBrowse.toTemplate(curateBrowse.templates[row].id) }, curateBrowse.templates[row].id)])) : null,
      h("h2", { id: "move" }, say("thresholds.title")),
      h("p", say("thresholds.lead")),
      h("div.moving", h("div.stay"), h("form.sliders", { "aria-labelledby": "move", on: { submit: (event) => event.preventDefault() } },
        data.thresholds.map((item) => slider(data, item, {}, move)),
        h("p.all", h("button", { type: "button", "data-reset": true, on: { click: reset } }, say("thresholds.reset")))),
      h("div.staying")),
      h("h2", say("survey.questions")),
      controls(data, query, change),
      h("div.results"),
    ].filter(Boolean));
    show(element, data, movedIn(data, query), false);
    element.querySelector(".results").replaceChildren(...list(data, query));
    element.dataset.page = query.get("page") ?? "";
  };

  /** Bring sliders and what would stay up to date. */
  const show = (element, data, moved, isSaid) => {
    for (const item of data.thresholds) readSlider(element, item, moved);
    element.querySelector("[data-reset]").disabled = !Object.keys(moved).length;
    const key = JSON.stringify(moved);
    if (element.dataset.moved === key) return;
    element.dataset.moved = key;
    const { stay, part, text } = results(data, moved);
    element.querySelector(".stay").replaceChildren(stay);
    element.querySelector(".staying").replaceChildren(part);
    if (!isSaid) return;
    clearTimeout(told); // a screen reader hears where the slider came to rest
    told = setTimeout(() => curateBrowse.tell(text), 600);
  };

  const update = async (element, route) => {
    if (!element.querySelector(".staying")) return false;
    const data = await survey();
    if (!element.moving) show(element, data, movedIn(data, route.query), false);
    curateBrowse.align(element, route.query);
    element.querySelector(".results").replaceChildren(...list(data, route.query));
    if ((route.query.get("page") ?? "") !== element.dataset.page) element.querySelector(".results").scrollIntoView({ block: "start" });
    element.dataset.page = route.query.get("page") ?? "";
    curateBrowse.stops();
    return true;
  };

  view("survey", {
    title: () => say("survey.title"),
    nav: { order: 2, label: () => say("survey.title"), address: () => curateBrowse.rememberQuestions?.address ?? "#/survey", shown: (index) => index.counts.questions > 0 },
    draw,
    update,
  });

  Object.assign(curateBrowse, { survey, toQuestion, questionOutcome: outcome, questionFigure: figure, shownValue });
})();
