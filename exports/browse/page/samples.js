"use strict";
// The samples of a template, a part of the data at a time, and one sample by itself.
(() => {
  const {
    view, tab, h, say, named, people, facts, table, tableRow, empty, pager, field, select, number,
    address, load, status, chain, go, tell,
  } = curateBrowse;
  const PAGE = 50;
  const FILTERS = { variant: "variant", context: "context_type", question: "question_type" };

  const parts = (row) => Array.from({ length: row.sample_chunks }, (_, at) => `samples-${row.row}-${at}`);
  const read = async (name) => {
    const columns = Object.entries(await load(name));
    return columns[0][1].map((_, at) => {
      const sample = Object.fromEntries(columns.map(([column, cells]) => [column, cells[at]]));
      for (const answer of ["answer", "biased_answer"]) sample[answer] = sample.choices[sample[answer]];
      return sample;
    });
  };

  const isWanted = (query) => (sample) =>
    Object.entries(FILTERS).every(([name, column]) => !query.get(name) || sample[column] === query.get(name));

  /** Samples `from` to `to` of those that are wanted, and how many there are. */
  const some = async (row, item, query, from, to) => {
    const names = parts(row);
    const isFiltered = Object.keys(FILTERS).some((name) => query.get(name));
    if (isFiltered) {
      const test = isWanted(query);
      const found = [];
      let n = 0;
      for (const [at, name] of names.entries()) {
        if (names.length > 4) tell(say("samples.reading", { at: at + 1, n: names.length }));
        for (const sample of await read(name)) {
          if (!test(sample)) continue;
          if (n >= from && n < to) found.push(sample);
          n += 1;
        }
      }
      return [found, n];
    }
    const found = [];
    let start = 0;
    for (const [at, name] of names.entries()) {
      const count = item.sample_chunks[at][2];
      if (start < to && start + count > from) {
        found.push(...(await read(name)).slice(Math.max(0, from - start), to - start));
      }
      start += count;
    }
    return [found, start];
  };

  const PARTS = /^(.+?)-(\d{3,})-(amb|dis)-(bsd|cnt)$/;
  /** Whether a sample can stand in a part of the data, by the first and the last one in it. */
  const mayHold = (id, first, last) => {
    const [one, low, high] = [id, first, last].map((name) => PARTS.exec(name));
    if (!one || !low || !high || low[1] !== high[1]) return true;
    return one[1] === low[1] && Number(one[2]) >= Number(low[2]) && Number(one[2]) <= Number(high[2]);
  };

  const find = async (row, item, id) => {
    const likely = parts(row).filter((_, at) => mayHold(id, item.sample_chunks[at][0], item.sample_chunks[at][1]));
    for (const name of likely) {
      const found = (await read(name)).find((sample) => sample.sample_id === id);
      if (found) return found;
    }
    return null;
  };

  const toSample = (id) => address(["sample", id]);

  const controls = (row, item, route) => {
    const value = (name) => route.query.get(name) ?? "";
    const change = (changes) => {
      const query = { tab: "samples", ...Object.fromEntries(Object.keys(FILTERS).map((name) => [name, value(name)])), ...changes };
      go(curateBrowse.toTemplate(row.id, query));
    };
    const list = (name, label, pairs) =>
      field(say(label), select([["", say("samples.any")], ...pairs], value(name), (to) => change({ [name]: to }), { "data-samples": name }));
    const variants = row.variants.map((name) => [name, name]);
    const jump = h("input", { type: "search", autocomplete: "off", spellcheck: "false", list: null });
    return h(
      "form.controls",
      {
        on: {
          submit: (event) => {
            event.preventDefault();
            if (jump.value.trim()) go(toSample(jump.value.trim().toLowerCase()));
          },
        },
      },
      variants.length > 1 ? list("variant", "samples.variant", variants) : null,
      list("context", "samples.type", Object.entries(curateBrowse.words.samples.types)),
      list("question", "samples.asks", Object.entries(curateBrowse.words.samples.questions)),
      field(say("samples.find"), jump, "div.field.wide"),
      h("div.field", h("button", say("samples.go"))),
    );
  };

  const COLUMNS = () => ["id", "context", "question", "answer"].map((name) => ({ name: say(`samples.${name}`) }));

  const line = (columns, item, sample) =>
    tableRow(
      columns,
      [
        h("a.id", { href: toSample(sample.sample_id) }, sample.sample_id),
        [people(sample.context, "target", "div.text"), curateBrowse.sourceOf(item, sample.sample_id)],
        people(sample.question, "target", "div.text"),
        people(sample.answer),
      ],
      { "data-item": sample.sample_id },
    );

  const drawTab = async (element, route, row, item) => {
    if (!row.samples) {
      element.append(empty(say(row.status === "excluded" ? "samples.noneExcluded" : "samples.none")));
      return;
    }
    if (!row.sample_chunks) {
      element.append(empty(say("list.samplesOff")));
      return;
    }
    let page = Math.max(1, Number.parseInt(route.query.get("page") ?? "1", 10) || 1);
    let [samples, n] = await some(row, item, route.query, (page - 1) * PAGE, page * PAGE);
    if (n && !samples.length) {
      page = Math.ceil(n / PAGE); // the address asks for more pages than there are
      [samples, n] = await some(row, item, route.query, (page - 1) * PAGE, page * PAGE);
    }
    const from = (page - 1) * PAGE;
    const columns = COLUMNS();
    const query = Object.fromEntries([...route.query].filter(([name]) => name !== "page"));
    element.append(
      ...[
        controls(row, item, route),
        samples.length
          ? h("p.count", say("samples.shown", { from: from + 1, to: from + samples.length, n }))
          : empty(say("samples.nothing")),
        samples.length
          ? table({ caption: say("samples.caption", { id: row.id }), columns, rows: samples.map((sample) => line(columns, item, sample)), spec: "table.cards.samples" })
          : null,
        pager(page, Math.ceil(n / PAGE), (target) => curateBrowse.toTemplate(row.id, { ...query, page: target > 1 ? target : "" })),
      ].filter(Boolean),
    );
  };

  tab("samples", {
    order: 3,
    title: (row) => say("template.tab.samples", { n: row.samples ?? 0 }),
    shown: (row) => row.chunk !== null,
    draw: drawTab,
  });

  const filled = (sample, category) =>
    sample.filling?.length
      ? facts(sample.filling.map(([slot, filler]) => [h("mark.slot", slot), [people(filler), " ", curateBrowse.inSlot(sample, slot, category)]]))
      : h("p.soft", say("samples.noFilling"));

  const draw = async (element, route) => {
    const id = route.id.toLowerCase();
    const row = curateBrowse.templateOfSample(id);
    if (!row) throw new curateBrowse.Fault("fault.sample", { id });
    if (!row.sample_chunks) throw new curateBrowse.Fault("fault.samplesAbsent", { template: row.id });
    const item = await curateBrowse.detail(row);
    const sample = await find(row, item, id);
    if (!sample) throw new curateBrowse.Fault("fault.sampleGone", { id, template: row.id });
    const filling = PARTS.exec(id)?.[2];
    element.append(
      h("h1", { tabindex: "-1" }, h("span.id", say("samples.title", { id }))),
      h(
        "div.sheet",
        people(sample.context, "target", "p.text.lead"),
        people(sample.question, "target", "p.text.question"),
        curateBrowse.sourceOf(item, id),
        h("h2.small", say("samples.choices")),
        curateBrowse.choicesOf(item, sample, row.category),
      ),
      facts([
        [say("samples.template"), h("a.id", { href: curateBrowse.toTemplate(row.id) }, row.id)],
        [say("template.category"), people(curateBrowse.category(row.category))],
        [say("samples.variant"), sample.variant],
        [say("samples.type"), named("samples.types", sample.context_type)],
        [say("samples.asks"), named("samples.questions", sample.question_type)],
      ]),
      h("h2.small", say("samples.filled")),
      filling ? h("p.soft", say("samples.filling", { index: Number(filling) })) : "",
      filled(sample, row.category),
      h("h2.small", say("samples.why")),
      h("p.standing", status(row), " ", named("statusSaid", row.status)),
      chain(item.decisions),
      h("p", h("a", { href: curateBrowse.toTemplate(row.id, { tab: "decisions" }) }, say("samples.chain", { id: row.id }))),
    );
    if (row.replies) {
      const target = curateBrowse.toTemplate(row.id, { tab: "replies", sample: id });
      element.append(h("p", h("a", { href: target }, say("samples.replies"))));
    }
    await curateBrowse.drawParts("sample", element, route, { subject: id, row, item, sample, template_row: row.row, sample_id: id });
  };

  const owner = (route) => curateBrowse.templateOfSample(route.id);
  const toOwner = (route) => curateBrowse.toTemplate(owner(route)?.id ?? "", { tab: "samples" });

  view("sample", {
    title: (route) => say("samples.title", { id: route.id }),
    here: (route) => route.id,
    crumbs: (route) => [[say("list.title"), curateBrowse.lastList()], ...(owner(route) ? [[owner(route).id, toOwner(route)]] : [])],
    up: toOwner,
    under: "templates",
    subject: (route) => route.id,
    draw,
  });
})();
