"use strict";
// The replies to a template's samples: which there are, and of one sample each reply as it was parsed.
(() => {
  const {
    tab, h, say, people, number, percent, field, select, table, tableRow, empty, pager, badge, load, go,
    joined, among, grouped, facetField, saving,
  } = curateBrowse;
  const PAGE = 50;
  const REPLIES = 100; // on one page
  const ANSWERS = ["biased", "counter", "unknown", "unparsed", "missing"];
  const OPEN = 3; // contexts from here on leave open who is the target
  const NOTHING = "~"; // not asked
  const KEYS = ["sample", "model", "prompt", "context", "only", "page"];

  const asked = (query) => ({ tab: "replies", ...Object.fromEntries(KEYS.map((name) => [name, query.get(name) ?? ""])) });
  const to = (route, changes) => curateBrowse.toTemplate(route.id, { ...asked(route.query), page: "", ...changes });

  const type = (context) => (context === 0 || context === OPEN ? "amb" : "dis");

  const controls = (scores, route) => {
    const value = (name) => route.query.get(name) ?? "";
    const change = (changes) => go(to(curateBrowse.shown().route, changes));
    const list = (name, pairs) =>
      field(say(`replies.${name}`), select([["", say("list.any")], ...pairs], value(name), (next) => change({ [name]: next }), { "data-replies": name }));
    const several = (name, names) =>
      names.length > 1
        ? facetField("replies", name, new Map(names.map((one) => [one, null])), route.query, change, { order: names })
        : null;
    const isOne = Boolean(value("sample"));
    return h(
      "form.controls",
      { "aria-label": say("replies.filters"), on: { submit: (event) => event.preventDefault() } },
      several("model", scores.models.map((model) => model.name)),
      isOne ? several("prompt", scores.prompts.map((item) => item.id)) : null,
      isOne ? null : list("context", Object.entries(curateBrowse.words.samples.types)),
      list("only", Object.entries(curateBrowse.words.replies.onlys).filter(([name]) => name !== "disagree" || scores.models.length > 1)),
    );
  };

  /** The samples that the filters leave, each with its answers counted. */
  const listed = (chunk, models, query) => {
    const found = [];
    chunk.samples.forEach((id, at) => {
      if (query.get("context") && type(chunk.context[at]) !== query.get("context")) return;
      const tallies = models.map((model) => chunk.tallies[at][model]);
      const counts = ANSWERS.map((_, answer) => tallies.reduce((sum, tally) => sum + tally[answer], 0));
      const only = query.get("only");
      if (only === "unparsed" && !counts[3]) return;
      if (only === "disagree" && !(chunk.disagree[at] > 0)) return;
      found.push({ id, at, counts, context: chunk.context[at], disagree: chunk.disagree[at] });
    });
    return found;
  };

  /** The places of the models that are asked for; of all where none is. */
  const chosen = (scores, query) => {
    const every = scores.models.map((_, at) => at);
    const fits = among(query.get("model"));
    const found = every.filter((at) => fits(scores.models[at].name));
    return found.length ? found : every;
  };

  const drawList = (element, route, scores, chunk) => {
    const models = chosen(scores, route.query);
    const found = listed(chunk, models, route.query);
    if (!found.length) {
      element.append(empty(say("replies.nothing")));
      return;
    }
    const pages = Math.ceil(found.length / PAGE);
    const page = Math.min(pages, Math.max(1, Number.parseInt(route.query.get("page") ?? "1", 10) || 1));
    const part = found.slice((page - 1) * PAGE, page * PAGE);
    const hasMissing = found.some(({ counts }) => counts[4]);
    const answers = ANSWERS.slice(0, hasMissing ? 5 : 4);
    const isSeveral = scores.models.length > 1;
    const columns = [
      { name: say("samples.id") }, { name: say("samples.type") },
      ...answers.map((name) => ({ name: say(`replies.answers.${name}`), spec: ".n" })),
      ...(isSeveral ? [{ name: say("replies.disagree"), spec: ".n" }] : []),
    ];
    const line = ({ id, counts, context, disagree }) =>
      tableRow(
        columns,
        [
          h("a.id", { href: to(route, { sample: id, context: "" }) }, id),
          say(`samples.types.${type(context)}`),
          ...answers.map((_, at) => number(counts[at])),
          ...(isSeveral ? [percent(disagree, 0)] : []),
        ],
        { "data-item": id },
      );
    const text = say("page.rows", { from: (page - 1) * PAGE + 1, to: (page - 1) * PAGE + part.length, n: found.length });
    element.append(
      ...[
        h("p.count", say("replies.samples", { rows: text })),
        found.some(({ context }) => context >= OPEN) ? h("p.soft", say("replies.open")) : null,
        table({ caption: say("replies.caption", { id: route.id }), columns, rows: part.map(line), spec: "table.cards.tallies" }),
        pager(page, pages, (target) => to(route, { page: target > 1 ? target : "" })),
      ].filter(Boolean),
    );
  };

  /** The choices of a sample as a request shows them. */
  const choicesOf = (sample, prompt) => [sample.choices[0], sample.choices[1], prompt.unknown || sample.choices[2]];

  const answerOf = (choice, biased, context) => {
    if (choice === 2) return "unknown";
    if (context >= OPEN) return "person";
    return choice === biased ? "biased" : "counter";
  };

  /** Every reply to a sample that the filters leave. */
  const repliesOf = (scores, chunk, place, { context, biased }, query) => {
    const models = scores.models.length;
    const orders = 3 * scores.epochs;
    const per = scores.prompts.length * orders * models;
    const wanted = new Set(chosen(scores, query));
    const right = { 0: 2, 1: biased, 2: 1 - biased, 3: 2, 4: biased }[context];
    const found = [];
    scores.prompts.forEach((prompt, prompt_at) => {
      if (!among(query.get("prompt"))(prompt.id)) return;
      for (let turn = 0; turn < orders; turn += 1) {
        const start = place * per + (prompt_at * orders + turn) * models;
        const named_ = new Set([...chunk.choice.slice(start, start + models)].filter((letter) => "012".includes(letter)));
        if (query.get("only") === "disagree" && named_.size < 2) continue;
        for (let model = 0; model < models; model += 1) {
          const letter = chunk.choice[start + model];
          if (!wanted.has(model) || letter === NOTHING) continue;
          if (query.get("only") === "unparsed" && letter !== "-") continue;
          const choice = "012".includes(letter) ? Number(letter) : null;
          const text = chunk.text[start + model];
          found.push({
            at: start + model,
            model: scores.models[model].name,
            prompt,
            order: turn % 3,
            epoch: Math.floor(turn / 3) + 1,
            text: text < 0 ? null : chunk.texts[text],
            isMissing: letter === ".",
            choice,
            answer: choice === null ? null : answerOf(choice, biased, context),
            isRight: choice === null ? null : choice === right,
            rule: scores.rules[Number.parseInt(chunk.rule[start + model], 36)],
          });
        }
      }
    });
    return found;
  };

  const thoughts = (row, number_, chunk, at) => {
    const place = chunk.thought.indexOf(at);
    if (place < 0) return null;
    const made = h("details.thoughts", h("summary", say("replies.thoughts")));
    made.addEventListener("toggle", async () => {
      if (!made.open || made.querySelector("div")) return;
      const { texts, of } = await load(`reasoning-${row.row}-${number_}`);
      made.append(people(texts[of[place]], "target", "div.text"));
    });
    return made;
  };

  /** The letter of a choice as the order of the request shows it. */
  const letterOf = ({ prompt, order, choice }, scores) => prompt.letters[scores.orders[order].indexOf(choice)];

  const parsed = (reply, sample, scores) => {
    if (reply.isMissing) return h("span.soft", say(reply.text === null ? "replies.noReply" : "replies.failed"));
    if (reply.choice === null) return badge("dropped", say("replies.answers.unparsed"));
    return [
      h("span.letter", letterOf(reply, scores)), ": ", people(choicesOf(sample, reply.prompt)[reply.choice]), " ",
      h("span.soft", say("replies.meant", { answer: say(`replies.answers.${reply.answer}`) })), " ",
      badge(reply.isRight ? "kept" : "near", say(reply.isRight ? "replies.right" : "replies.wrong")),
    ];
  };

  /** What was sent, as it was sent. */
  const messages = (scores, chunk, sample, prompt, order, epoch) => {
    const name = `${sample.sample_id}-${order}-p${prompt.id}${epoch > 1 ? `-e${epoch}` : ""}`;
    if (chunk.sent?.[name]) return chunk.sent[name];
    const own = choicesOf(sample, prompt);
    const [a, b, c] = scores.orders[order].map((at) => own[at]);
    const texts = { context: sample.context, question: sample.question, a, b, c };
    return prompt.layout.map(([role, pieces]) => [
      role,
      pieces.map(([text, place]) => (place ? texts[place] : text)).join(""),
    ]);
  };

  const sent = (scores, chunk, sample, query) => {
    const prompts = scores.prompts.filter((item) => item.layout && among(query.get("prompt"))(item.id));
    if (!prompts.length) return null;
    const entries = prompts.flatMap((prompt) => [0, 1, 2].map((order) => {
      const made = h("details.sent", h("summary", say("replies.sentOf", { prompt: prompt.id, order })));
      made.addEventListener("toggle", () => {
        if (!made.open || made.querySelector("dl")) return;
        const parts = messages(scores, chunk, sample, prompt, order, 1);
        made.append(h("dl.messages", parts.map(([role, text]) => h("div", h("dt", role), h("dd", people(text, "target", "div.text"))))));
      });
      return made;
    }));
    return h("details.all", h("summary", say("replies.sent")), entries);
  };

  const rules = (found) => {
    const known = new Map(found.filter((reply) => !reply.isMissing).map((reply) => reply.rule));
    if (!known.size) return null;
    return [
      h("h2.small", say("replies.rules")),
      h("dl.rules", [...known].sort().map(([name, text]) => h("div", h("dt", name), h("dd", text)))),
    ];
  };

  const said = (reply, row, number_, chunk) => [
    reply.text === null ? h("span.soft", "–") : reply.isMissing ? h("code", reply.text) : people(reply.text, "target", "div.text"),
    thoughts(row, number_, chunk, reply.at),
  ];

  /** How each order shows the choices, with the letters of a prompt. */
  const orders = (scores, sample, prompt) =>
    h("dl.orders", scores.orders.map((order, at) => h("div",
      h("dt", say("replies.orderOf", { order: at, prompt: prompt.id })),
      h("dd", order.map((choice, place) => [place ? ", " : "", `${prompt.letters[place]} `, people(choicesOf(sample, prompt)[choice])])))));

  const MARKS = { biased: "+", counter: "−", unknown: "?", person: "•", unparsed: "×", missing: "–" };
  const kindOf = (reply) => (reply.isMissing ? "missing" : reply.answer ?? "unparsed");
  const marked = (kind, text) => h(`span.answer.${kind}`, text, MARKS[kind]);

  /** All replies to a sample at once: a row a model, a column a prompt and order. */
  const matrix = (scores, sample, found, route) => {
    const by = grouped(found, (reply) => `${reply.model}\n${reply.prompt.id}\n${reply.order}`);
    const kinds = new Set(found.map(kindOf));
    const turns = scores.orders.map((_, order) => order);
    const cell = (model, prompt, order) => {
      const replies = by.get(`${model.name}\n${prompt.id}\n${order}`) ?? [];
      if (!replies.length) return h("td");
      const words = replies.map((reply) => {
        const text = reply.choice === null ? "" : `${letterOf(reply, scores)}, ${choicesOf(sample, reply.prompt)[reply.choice]}, `;
        return `${text}${say(`replies.answers.${kindOf(reply)}`)}`;
      });
      const title = say("replies.cell", { model: model.name, prompt: prompt.id, order, said: words.join("; ") });
      const href = to(route, { model: joined([model.name]), prompt: joined([prompt.id]), only: "" });
      const shown = replies.map((reply) => marked(kindOf(reply), reply.choice === null ? "" : letterOf(reply, scores)));
      return h("td", h("a", { href, title, "aria-label": title }, shown));
    };
    const caption = say("replies.matrix");
    return h(
      "div.scroll",
      { role: "region", tabindex: "-1", "aria-label": caption },
      h("p.key", Object.keys(MARKS).filter((kind) => kinds.has(kind)).map((kind) => [marked(kind, ""), ` ${say(`replies.answers.${kind}`)} `])),
      h(
        "table.matrix",
        h("caption.away", caption),
        h("thead",
          h("tr", h("th", { scope: "col", rowspan: 2 }, say("replies.model")), scores.prompts.map((prompt) => h("th", { scope: "colgroup", colspan: turns.length }, say("replies.promptOf", { prompt: prompt.id })))),
          h("tr", scores.prompts.flatMap(() => turns.map((order) => h("th", { scope: "col" }, h("span.away", `${say("replies.order")} `), String(order)))))),
        h("tbody", scores.models.map((model) => h("tr",
          h("th", { scope: "row" }, h("a", { href: to(route, { model: joined([model.name]), prompt: "", only: "" }) }, people(model.name, "none"))),
          scores.prompts.flatMap((prompt) => turns.map((order) => cell(model, prompt, order)))))),
      ),
    );
  };

  /** The replies of two models to the same requests, beside each other. */
  const beside = (scores, sample, found, names, shown) => {
    const key = (reply) => `${reply.prompt.id}\n${reply.order}\n${reply.epoch}`;
    const columns = [{ name: say("replies.request") }, ...names.map((name) => ({ name }))];
    const rows = [...grouped(found, key).values()].map((replies) => {
      const { prompt, order, epoch } = replies[0];
      const epochs = scores.epochs > 1 ? `, ${say("replies.epoch")} ${epoch}` : "";
      return [say("replies.sentOf", { prompt: prompt.id, order }) + epochs, ...names.map((name) => {
        const reply = replies.find((one) => one.model === name);
        return reply ? [shown(reply), h("div", parsed(reply, sample, scores), reply.isMissing ? null : [" ", h("code.soft", { title: reply.rule[1] }, reply.rule[0])])] : "–";
      })];
    });
    return table({ caption: say("replies.captionOf", { id: sample.sample_id }), columns, rows, spec: "table.cards.beside" });
  };

  const records = (found, scores, sample) =>
    found.map((reply) => ({
      sample_id: sample.sample_id, model: reply.model, prompt: reply.prompt.id, order: reply.order, epoch: reply.epoch,
      reply: reply.text, letter: reply.choice === null ? "" : letterOf(reply, scores),
      choice: reply.choice === null ? "" : choicesOf(sample, reply.prompt)[reply.choice],
      answer: kindOf(reply), correct: reply.isRight, rule: reply.isMissing ? "" : reply.rule[0],
    }));

  const sheet = (sample, item, category) =>
    h(
      "div.sheet",
      people(sample.context, "target", "p.text.lead"),
      people(sample.question, "target", "p.text.question"),
      curateBrowse.sourceOf(item, sample.sample_id),
      curateBrowse.choicesOf(item, sample, category),
    );

  const steps = (route, chunk, at) =>
    h(
      "nav.leaf",
      { "aria-label": say("replies.steps") },
      h("a", { href: to(route, { sample: "" }) }, say("replies.all")),
      at > 0 ? h("a", { href: to(route, { sample: chunk.samples[at - 1] }), rel: "prev" }, say("replies.before")) : null,
      at + 1 < chunk.samples.length ? h("a", { href: to(route, { sample: chunk.samples[at + 1] }), rel: "next" }, say("replies.after")) : null,
    );

  const drawSample = async (element, route, row, item, scores, whole) => {
    const id = route.query.get("sample");
    const at = whole.samples.findIndex((name) => name.toLowerCase() === id.toLowerCase());
    if (at < 0) {
      element.append(empty(say("replies.noSample", { id }), h("p", h("a", { href: to(route, { sample: "" }) }, say("replies.all")))));
      return;
    }
    const number_ = whole.chunk[at];
    const chunk = await load(`replies-${row.row}-${number_}`);
    const samples = curateBrowse.rows(chunk.samples);
    const place = samples.findIndex((item) => item.sample_id === whole.samples[at]);
    const sample = samples[place];
    const about = { context: whole.context[at], biased: whole.biased[at] };
    const every = repliesOf(scores, chunk, place, about, new URLSearchParams());
    const isSeveral = scores.models.length > 1;
    // Of several models the matrix shows all; their texts are shown of what is chosen in it.
    const isChosen = !isSeveral || ["model", "prompt", "only"].some((name) => route.query.get(name));
    const found = isChosen ? repliesOf(scores, chunk, place, about, route.query) : [];
    const names = chosen(scores, route.query).map((one) => scores.models[one].name);
    const pages = Math.ceil(found.length / REPLIES);
    const page = Math.min(pages || 1, Math.max(1, Number.parseInt(route.query.get("page") ?? "1", 10) || 1));
    const columns = [
      { name: say("replies.model") }, { name: say("replies.prompt") }, { name: say("replies.order") },
      ...(scores.epochs > 1 ? [{ name: say("replies.epoch") }] : []),
      { name: say("replies.reply") }, { name: say("replies.parsed") }, { name: say("replies.rule") },
    ];
    const shown = (reply) => said(reply, row, number_, chunk);
    const line = (reply) => [
      people(reply.model, "none"), reply.prompt.id, String(reply.order),
      ...(scores.epochs > 1 ? [String(reply.epoch)] : []),
      shown(reply),
      parsed(reply, sample, scores),
      reply.isMissing ? "–" : h("code", { title: reply.rule[1] }, reply.rule[0]),
    ];
    const read = () => {
      if (!isChosen) return h("p.soft", say("replies.choose"));
      if (!found.length) return empty(say("replies.nothing"));
      if (names.length === 2) return beside(scores, sample, found, names, shown);
      const part = found.slice((page - 1) * REPLIES, page * REPLIES).map(line);
      return [
        table({ caption: say("replies.captionOf", { id: sample.sample_id }), columns, rows: part, spec: "table.cards.replies" }),
        pager(page, pages, (target) => to(route, { page: target > 1 ? target : "" })),
      ];
    };
    const counted = isChosen ? found : every;
    element.append(
      ...[
        steps(route, whole, at),
        h("h2.small", h("span.id", sample.sample_id)),
        sheet(sample, item, row.category),
        orders(scores, sample, scores.prompts.find((prompt) => among(route.query.get("prompt"))(prompt.id)) ?? scores.prompts[0]),
        isSeveral ? matrix(scores, sample, every, route) : null,
        h("div.resultsHead", h("p.count", say("replies.count", { n: counted.length })), saving(`replies-${sample.sample_id}`, () => records(counted, scores, sample))),
        read(),
        rules(counted),
        sent(scores, chunk, sample, route.query),
      ].flat(2).filter(Boolean),
    );
  };

  const draw = async (element, route, row, item) => {
    const [scores, whole] = await Promise.all([load("scores"), load(`replies-${row.row}`)]);
    element.append(controls(scores, route));
    if (route.query.get("sample")) await drawSample(element, route, row, item, scores, whole);
    else drawList(element, route, scores, whole);
  };

  tab("replies", {
    order: 4,
    title: (row) => say("template.tab.replies", { n: row.replies }),
    shown: (row) => row.replies > 0,
    draw,
  });
})();
