"use strict";
// All models: their overall scores, and a table of templates by model, coloured by the score.
(() => {
  const {
    view, h, say, named, number, decimal, percent, people, field, select, table, tableRow, empty, pager,
    address, load, go, tell, joined, parted, among, countOf, facetField, saving,
  } = curateBrowse;
  const PAGE = 50;
  const STEPS = 5; // colours on each side of 0
  const SEQUENCE = 7; // colours of a measure from 0 on
  const KEYS = ["measure", "sort", "order", "category", "label", "models", "overview", "page"];

  const asked = (query) => Object.fromEntries(KEYS.map((name) => [name, query.get(name) ?? ""]));
  const to = (query, changes) => address(["models"], { ...asked(query), page: "", ...changes });

  const measures = (scores) => scores.measures.map(([name, low, high], at) => ({ name, low, high, at }));
  const chosenMeasure = (scores, query) =>
    measures(scores).find(({ name }) => name === query.get("measure")) ?? measures(scores)[0];
  const isShare = (name) => name === "out_of_choice_ratio";
  const written = (value, name, digits) => (isShare(name) ? percent(value, 1) : decimal(value, digits));

  const interval = (model, name) => {
    const [low, high] = [model[`${name}_low`], model[`${name}_high`]];
    if (low === null || low === undefined) return null;
    let digits = 3; // as many as say on which side of 0 an end is
    while (digits < 5 && [low, high].some((end) => end && !Number(end.toFixed(digits)))) digits += 1;
    const text = say("models.between", { low: decimal(low, digits), high: decimal(high, digits) });
    return h("span.soft.interval", " ", text, model.interval_note ? "*" : "");
  };

  const OVERVIEW = ["diff_bias_amb", "diff_bias_dis", "accuracy_amb", "accuracy_dis", "out_of_choice_ratio"];

  const sorted = (models, sort) => {
    const name = sort.replace(/^-/, "") || "diff_bias_amb";
    const sign = sort.startsWith("-") ? 1 : -1;
    const key = (model) => (name === "name" ? model.name : model[name]);
    return [...models].sort((one, other) => {
      const [a, b] = [key(one), key(other)];
      if (a === null || b === null) return (a === null) - (b === null);
      return typeof a === "number" ? sign * (a - b) : -sign * a.localeCompare(b);
    });
  };

  const ordered = (query) => query.get("overview") || "diff_bias_amb";

  /** The one score that a narrow screen shows of each model. */
  const shownScore = (query) => {
    const name = ordered(query).replace(/^-/, "");
    return name === "name" ? "diff_bias_amb" : name;
  };

  /** Heads order a table; on a narrow screen, which has none, this does. */
  const overviewScore = (query) => {
    const change = (key) => go(to(curateBrowse.shown().route.query, { overview: key === "diff_bias_amb" ? "" : key }));
    const scores = ["replies", ...OVERVIEW].map((key) => [key, say(`models.columns.${key}`)]);
    return field(say("models.measure"), select(scores, shownScore(query), change), "div.field.narrow");
  };

  const overview = (scores, query) => {
    const sort = ordered(query);
    const columns = ["name", "replies", ...OVERVIEW].map((key) => {
      const state = sort === key ? "descending" : sort === `-${key}` ? "ascending" : null;
      const name = say(`models.columns.${key}`);
      const href = to(query, { overview: sort === key ? `-${key}` : key });
      const spec = key === "name" ? "" : key === shownScore(query) ? ".n.now" : ".n";
      return { key, state, name, head: h("a.sort", { href }, name), spec };
    });
    const made = table({
      caption: say("models.overview"),
      columns,
      rows: sorted(scores.models, sort).map((model) => [
        people(model.name, "none"),
        [number(model.replies), model.missing ? h("span.soft", " ", say("models.missing", { n: model.missing })) : null],
        ...OVERVIEW.map((name) =>
          isShare(name)
            ? [percent(model[name], 1), h("span.soft", " ", say("models.count", { n: model.out_of_choice }))]
            : [decimal(model[name]), interval(model, name)]),
      ]),
      spec: "table.overview",
    });
    made.querySelectorAll("thead th").forEach((head, at) => columns[at].state && head.setAttribute("aria-sort", columns[at].state));
    return made;
  };

  /** Which values have which colour: the ends of the scale are round numbers around the data. */
  const scaleOf = (measure, values) => {
    const largest = Math.max(0, ...values.map(Math.abs));
    const isSigned = measure.low < 0;
    const round = isShare(measure.name) ? 0.05 : 0.1;
    const limit = isSigned || isShare(measure.name)
      ? Math.min(1, Math.max(round, Math.ceil(largest / round - 1e-9) * round))
      : measure.high;
    const at = isSigned
      ? (value) => Math.max(-STEPS, Math.min(STEPS, Math.round((value / limit) * STEPS)))
      : (value) => Math.max(0, Math.min(SEQUENCE - 1, Math.floor((value / limit) * SEQUENCE)));
    const name = (value) => {
      const step = at(value);
      return isSigned ? (step < 0 ? `low-${-step}` : `high-${step}`) : `seq-${step}`;
    };
    const steps = isSigned
      ? Array.from({ length: 2 * STEPS + 1 }, (_, n) => ((n - STEPS) / STEPS) * limit)
      : Array.from({ length: SEQUENCE }, (_, n) => ((n + 0.5) / SEQUENCE) * limit);
    return { name, steps, limit, isSigned };
  };

  const legend = (measure, scale) =>
    h(
      "figure.legend",
      h("figcaption", say(scale.isSigned ? "models.legendSigned" : "models.legend", { measure: say(`models.measures.${measure.name}`) })),
      h("ol", scale.steps.map((value) => {
        const half = scale.limit / (scale.isSigned ? STEPS : SEQUENCE) / 2;
        const text = scale.isSigned
          ? written(value, measure.name, 2)
          : say("models.from", { low: written(value - half, measure.name, 2), high: written(value + half, measure.name, 2) });
        return h(`li.heat.${scale.name(value)}`, text);
      })),
    );

  const isBias = (measure) => measure.low < 0;

  /** The templates that are asked for, each with the scores of the models that are shown. */
  const lines = (scores, cells, shown, query) => {
    const found = [];
    const wanted = ["category", "label"].map((name) => [name, among(query.get(name))]);
    scores.templates.forEach((row, at) => {
      const item = curateBrowse.templates[row];
      if (!wanted.every(([name, fits]) => fits(item[name]))) return;
      const values = shown.map((model) => {
        const cell = cells.cells[model.at][at];
        return cell < 0 ? null : cells.values[cell];
      });
      found.push({
        item,
        values,
        sizes: shown.map((model) => cells.n[model.at][at]),
        ends: shown.map((model) => cells.ends?.[model.at][at] ?? []),
        value: cells.mean[at],
        evidence: cells.evidence?.[at] ?? null,
        known: cells.differs ? {
          differs: cells.differs[at], low: cells.low[at], high: cells.high[at], n: cells.replies[at], q: cells.q[at],
        } : null,
      });
    });
    const sort = sortOf(query, cells);
    const name = sort.replace(/^-/, "");
    if (name === "id") return found;
    const sign = name === "evidence" || sort.startsWith("-") ? 1 : -1;
    return found.sort((one, other) => {
      if (one.known && one.known.differs !== other.known.differs) return other.known.differs - one.known.differs;
      const [a, b] = [one[name], other[name]];
      if (a === null || b === null) return (a === null) - (b === null) || one.item.row - other.item.row;
      return sign * (a - b) || one.item.row - other.item.row;
    });
  };

  /** Scores of bias are ordered by the evidence, for the largest of many small samples are chance. */
  const sortOf = (query, cells) => {
    const sort = query.get("sort") || "evidence";
    return sort === "evidence" && !cells.evidence ? "value" : sort;
  };

  const toReplies = (item, model) => curateBrowse.toTemplate(item.id, { tab: "replies", model: joined(model ? [model] : []) });

  /** The heads of the models: narrow ones, without the maker's name where models differ without it. */
  const modelHeads = (models) => {
    const short = ({ name }) => name.slice(name.lastIndexOf("/") + 1);
    const isEnough = new Set(models.map(short)).size === models.length;
    return models.map((model) => h("th.model", { scope: "col", title: model.name }, h("span", { dir: "auto" }, isEnough ? short(model) : model.name)));
  };

  const heat = (measure, scale, shown, part) => {
    const cell = (value, size, item, model, [low, high]) => {
      const ends = low === null || low === undefined ? "" : ` ${say("models.between", { low: decimal(low), high: decimal(high) })}`;
      const title = say("models.cell", { model: model.name, template: item?.id ?? say("models.overall"), value: written(value, measure.name, 3) + ends, n: size });
      const text = written(value, measure.name, 2);
      const shown = item && value !== null ? h("a", { href: toReplies(item, model.name), title, "aria-label": title }, text) : h("span", { title }, text);
      return h(`td.heat${value === null ? "" : `.${scale.name(value)}`}`, shown);
    };
    const overall = h(
      "tr.all",
      h("th", { scope: "row" }, say("models.overall")),
      h("td.heat", ""),
      shown.map((model) => cell(model[measure.name], sizeOf(model, measure), null, model, [model[`${measure.name}_low`], model[`${measure.name}_high`]])),
    );
    const made = h(
      "table.heatmap",
      h("caption.away", say("models.heat", { measure: say(`models.measures.${measure.name}`) })),
      h("thead", h("tr", h("th", { scope: "col" }, say("models.template")), h("th.model", { scope: "col" }, h("span", say("models.mean"))), modelHeads(shown))),
      h("tbody", overall, part.map((line) =>
        h(
          "tr",
          { "data-item": line.item.id },
          h("th", { scope: "row" }, h("a.id", { href: toReplies(line.item, "") }, line.item.id), " ", people(line.item.stereotype, "target", "bdi.soft.of")),
          meanOf(measure, line),
          line.values.map((value, at) => cell(value, line.sizes[at], line.item, shown[at], line.ends[at])),
        ))),
    );
    return h("div.scroll.heatbox", { role: "region", tabindex: "-1", "aria-label": say("models.heat", { measure: say(`models.measures.${measure.name}`) }) }, made);
  };

  /** The mean of all models; of bias with its interval, and whether it can be told from chance. */
  const meanOf = (measure, { value, known }) => {
    const text = written(value, measure.name, 2);
    if (!known || value === null) return h("td.heat.mean", text);
    const ends = { low: decimal(known.low, 2), high: decimal(known.high, 2), n: known.n };
    const title = say(known.differs ? "models.differs" : "models.chance", { q: decimal(known.q, 3) });
    return h(`td.heat.mean${known.differs ? ".sure" : ".soft"}`, { title }, text, h("span.interval", " ", say("models.of", ends)));
  };

  const sizeOf = (model, measure) =>
    isShare(measure.name) ? model.replies : model[measure.name.endsWith("_dis") ? "n_dis" : "n_amb"];

  const rgb = (style, name) => {
    const [, hex] = /#([0-9a-f]{6})/i.exec(style.getPropertyValue(`--${name}`)) ?? [null, "888888"];
    return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  };

  /** All templates at a glance: a dot a template and model, in the order of the table. */
  const strip = (measure, scale, shown, found, page, open) => {
    const canvas = h("canvas.strip", { width: found.length, height: shown.length, role: "img" });
    const values = found.flatMap((line) => line.values.filter((value) => value !== null));
    canvas.setAttribute("aria-label", say("models.strip", {
      measure: say(`models.measures.${measure.name}`), models: shown.length, templates: found.length,
      low: written(Math.min(...values), measure.name, 2), high: written(Math.max(...values), measure.name, 2),
    }));
    canvas.style.setProperty("--models", shown.length);
    const paint = () => {
      const context = canvas.getContext("2d");
      const image = context.createImageData(found.length, shown.length);
      const style = getComputedStyle(document.documentElement);
      const colours = new Map();
      found.forEach((line, x) => line.values.forEach((value, y) => {
        if (value === null) return;
        const name = scale.name(value);
        if (!colours.has(name)) colours.set(name, rgb(style, name));
        image.data.set([...colours.get(name), 255], 4 * (y * found.length + x));
      }));
      context.putImageData(image, 0, 0);
    };
    paint();
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    const again = () => (canvas.isConnected ? paint() : scheme.removeEventListener("change", again));
    scheme.addEventListener("change", again);
    canvas.addEventListener("click", (event) => {
      const box = canvas.getBoundingClientRect();
      open(Math.floor(Math.floor(((event.clientX - box.left) / box.width) * found.length) / PAGE) + 1);
    });
    return canvas;
  };

  const chooser = (scores, query, change) => {
    const chosen = chosenNames(query);
    const boxes = scores.models.map((model) =>
      field(model.name, h("input", { type: "checkbox", value: model.name, checked: !chosen || chosen.has(model.name) }), "div.field.check"));
    const apply = () => {
      const on = boxes.map((box) => box.querySelector("input")).filter((box) => box.checked).map((box) => box.value);
      change({ models: on.length === scores.models.length ? "" : joined(on) });
    };
    const n = chosen ? scores.models.filter((model) => chosen.has(model.name)).length : scores.models.length;
    return h(
      "details.chooser",
      h("summary", say("models.shown", { n, all: scores.models.length })),
      h("div.boxes", { role: "group", "aria-label": say("models.choose") }, boxes),
      h("p", h("button", { type: "button", on: { click: apply } }, say("models.apply")), " ",
        h("button", { type: "button", on: { click: () => change({ models: "" }) } }, say("models.everyone"))),
    );
  };

  const chosenNames = (query) => (query.get("models") ? new Set(parted(query.get("models"))) : null);

  const controls = (scores, route) => {
    const change = (changes) => go(to(curateBrowse.shown().route.query, changes));
    const value = (name) => route.query.get(name) ?? "";
    const list = (name, pairs, standard = "") =>
      field(say(`models.${name}`), select(pairs, value(name) || standard, (next) => change({ [name]: next === standard ? "" : next }), { "data-models": name }));
    const items = scores.templates.map((row) => curateBrowse.templates[row]);
    const facet = (name, names, order) =>
      facetField("models", name, countOf(items, (item) => item[name]), route.query, change, { names, order });
    return h(
      "form.controls",
      { "aria-label": say("models.filters"), on: { submit: (event) => event.preventDefault() } },
      list("measure", measures(scores).map(({ name }) => [name, say(`models.measures.${name}`)]), measures(scores)[0].name),
      list("sort", Object.entries(curateBrowse.words.models.sorts), "evidence"),
      list("order", Object.entries(curateBrowse.words.models.orders), "score"),
      facet("category", curateBrowse.category, curateBrowse.index.categories.map((item) => item.id)),
      facet("label", (name) => named("labels", name)),
    );
  };

  const records = (measure, models, found) =>
    found.map(({ item, values, sizes, value, known }) => ({
      template_id: item.id, stereotype: item.stereotype, category: item.category, label: item.label,
      measure: measure.name, mean: value,
      ...(known ? { low: known.low, high: known.high, n: known.n, q: known.q, differs: known.differs } : {}),
      ...Object.fromEntries(models.flatMap((model, at) => [[`score: ${model.name}`, values[at]], [`n: ${model.name}`, sizes[at]]])),
    }));

  const results = async (element, scores, route) => {
    const { query } = route;
    const measure = chosenMeasure(scores, query);
    const cells = await load(`scores-${measure.at}`);
    const names = chosenNames(query);
    const models = scores.models.map((model, at) => ({ ...model, at })).filter((model) => !names || names.has(model.name));
    const score = (model) => model[measure.name] ?? -Infinity;
    if (query.get("order") !== "name") models.sort((one, other) => score(other) - score(one));
    const found = lines(scores, cells, models, query);
    const change = (changes) => go(to(curateBrowse.shown().route.query, changes));
    const place = element.querySelector(".results");
    if (!found.length || !models.length) {
      place.replaceChildren(chooser(scores, query, change), empty(say("models.nothing")));
      return;
    }
    const scale = scaleOf(measure, [...cells.values, ...models.map((model) => model[measure.name] ?? 0)]);
    const pages = Math.ceil(found.length / PAGE);
    const page = Math.min(pages, Math.max(1, Number.parseInt(query.get("page") ?? "1", 10) || 1));
    const at = (target) => address(["models"], { ...asked(query), page: target > 1 ? target : "" });
    const part = found.slice((page - 1) * PAGE, page * PAGE);
    const text = say("page.rows", { from: (page - 1) * PAGE + 1, to: (page - 1) * PAGE + part.length, n: found.length });
    place.replaceChildren(
      ...[
        chooser(scores, query, change),
        legend(measure, scale),
        found.length > 1 ? strip(measure, scale, models, found, page, (target) => go(at(target))) : null,
        h("div.resultsHead", h("p.count", say("models.rows", { rows: text })), saving("scores", () => records(measure, models, found))),
        isBias(measure) ? h("p.soft", say("models.evidence", { n: cells.differs.filter(Boolean).length, all: scores.templates.length })) : null,
        heat(measure, scale, models, part),
        pager(page, pages, at),
      ].filter(Boolean),
    );
    tell(say("models.rows", { rows: text }));
  };

  const gone = ({ gone: lost }) => {
    const parts = [
      lost.requests ? say("models.goneRequests", { n: lost.requests }) : null,
      lost.templates ? say("models.goneTemplates", { n: lost.templates, ids: lost.template_ids.slice(0, 5).join(", ") + (lost.template_ids.length > 5 ? ", …" : "") }) : null,
    ].filter(Boolean);
    return parts.length ? h("div.notes", { role: "note" }, parts.map((text) => h("p", text))) : null;
  };

  const draw = async (element, route) => {
    element.append(h("h1", { tabindex: "-1" }, say("models.title")));
    if (!curateBrowse.index.models.length) {
      element.append(empty(say("models.none"), h("p", curateBrowse.prose(say("models.noneHint")))));
      return;
    }
    const scores = await load("scores");
    const replies = scores.models.reduce((sum, model) => sum + model.replies, 0);
    element.append(
      ...[
        h("p.lead", scores.verdict.join(" ")),
        h("p.soft", say("models.lead", { n: scores.models.length, replies, templates: say("list.all", { n: scores.templates.length }) }), " ", say(`models.modes.${scores.mode}`), " ", say(`models.kinds.${scores.kind}`)),
        gone(scores),
        h("h2.small", say("models.overview")),
        h("div.overviewbox", overviewScore(route.query), overview(scores, route.query)),
        scores.models.some((model) => model.interval_note) ? h("p.soft", say("models.few")) : null,
        h("h2.small", say("models.heatTitle")),
        h("p.soft", say("models.heatHint")),
        controls(scores, route),
        h("div.results"),
      ].filter(Boolean),
    );
    await results(element, scores, route);
  };

  const update = async (element, route) => {
    if (!element.querySelector(".results")) return false;
    const scores = await load("scores");
    for (const control of element.querySelectorAll("[data-models]")) {
      const name = control.dataset.models;
      control.value = route.query.get(name) || { measure: scores.measures[0][0], sort: "evidence", order: "score" }[name] || "";
    }
    curateBrowse.align(element, route.query);
    element.querySelector(".overviewbox select").value = shownScore(route.query); // it stays, and its focus
    element.querySelector(".overviewbox").lastChild.replaceWith(overview(scores, route.query));
    await results(element, scores, route);
    curateBrowse.stops();
    return true;
  };

  view("models", {
    title: () => say("models.title"),
    nav: { order: 3, label: () => say("models.title"), address: () => "#/models", shown: (index) => index.models.length > 0 },
    draw,
    update,
  });
})();
