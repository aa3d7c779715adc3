"use strict";
// One question of the survey: its votes with the thresholds marked, its decisions, its templates.
(() => {
  const {
    view, h, s, say, named, people, group, groups, stereotype, number, percent, badge, facts, table, tableRow, empty, address,
    chain, thresholds,
  } = curateBrowse;
  const WIDTH = 400;

  const x = (votes, n) => (Math.min(votes, n) / n) * WIDTH;

  /**
   * The thresholds that an option is compared with: where each lies on a bar of all respondents,
   * and the votes that it takes, in words.
   */
  const marks = (question, option, limits) => {
    const n = question.respondents;
    const at = (whole, limit, votes, words) => ({ at: (whole * thresholds.value(limit)), words: say(`question.mark.${words}`, { n: votes }) });
    if (option.role === "none") {
      const limit = limits.no_stereotype_limit;
      return [at(n, limit, thresholds.fewest(n, limit, true), "none")];
    }
    if (option.role === "correct") {
      const limit = limits.comprehension_share;
      return [at(n, limit, thresholds.fewest(n, limit, false), "correct")];
    }
    if (question.kind === "choice" && option.role === "target") {
      const counted = thresholds.votesOf(question, "target") + thresholds.votesOf(question, "non_target");
      const limit = limits.stereotype_share;
      return counted ? [at(counted, limit, thresholds.fewest(counted, limit, true), "target")] : [];
    }
    if (question.kind === "select_all" && question.share[0]) {
      const [top, bottom] = question.share.map(BigInt);
      const times = ([over, under]) => [over * top, under * bottom];
      const share = question.share[0] / question.share[1];
      return [
        { ...at(share, limits.target_multiple, thresholds.fewest(1, times(limits.target_multiple), false), "isTarget") },
        { ...at(share, limits.non_target_multiple, thresholds.most(1, times(limits.non_target_multiple)), "isOther") },
      ];
    }
    return [];
  };

  const KINDS = { target: "target", non_target: "other", none: "none", correct: "target", wrong: "other", group: "neither" };
  const STANDINGS = { target: "target", non_target: "other", neither: "neither" };

  const bar = (question, option, found) => {
    const n = question.respondents;
    const kind = STANDINGS[option.standing] ?? KINDS[option.role] ?? "neither";
    return s(
      "svg.share",
      { viewBox: `-4 0 ${WIDTH + 8} 20`, preserveAspectRatio: "none", "aria-hidden": "true", "data-votes": option.votes },
      s("rect.rest", { x: 0, y: 5, width: WIDTH, height: 10 }),
      s(`rect.of-${kind}`, { x: 0, y: 5, width: x(option.votes, n), height: 10 }),
      found.map(({ at }) => s("path.mark", { d: `M${x(at, n)} 0V20` })),
    );
  };

  const roleName = (question, option) => (option.standing ? named("standings", option.standing) : named("roles", option.role));

  /** Groups that are chosen among all have the same thresholds, which are said once. */
  const isSelecting = (question, option) => question.kind === "select_all" && option.role !== "none";

  const votes = (question, limits) => {
    const n = question.respondents;
    const columns = [
      { name: say("question.option") }, { name: say("question.role") }, { name: say("question.votes"), spec: ".n" },
      { name: say("question.share"), spec: ".n" }, { name: say("question.bar") },
    ];
    const rows = question.options.map((option) => {
      const found = marks(question, option, limits);
      const uncounted = question.kind === "select_all" && option.role !== "none" && !option.counts;
      const label = option.role === "none" ? option.text || say("question.none") : option.text || option.group;
      return tableRow(
        columns,
        [
          option.role === "none" || !option.group ? people(label) : label === option.group ? group(question.category, label) : [people(label), h("span.meta", group(question.category, option.group))],
          [roleName(question, option), uncounted ? h("span.meta", say("question.uncounted")) : null],
          number(option.votes),
          percent(option.votes / n, 1),
          [bar(question, option, found), isSelecting(question, option) ? null : found.map(({ words }) => h("span.meta", words))],
        ],
        { "data-option": option.role },
      );
    });
    const selected = question.options.find((option) => isSelecting(question, option));
    const words = selected ? marks(question, selected, limits).map((mark) => mark.words) : [];
    return h(
      "div",
      words.length ? h("p", say("question.marked", { marks: words.join(", ") })) : null,
      table({ caption: say("question.caption"), columns, rows, spec: "table.cards.votes" }),
    );
  };

  const templates = (question) => {
    if (!question.templates.length) return empty(say("question.noTemplates"));
    const columns = ["id", "stereotype", "groups", "status"].map((name) => ({ name: say(`list.columns.${name}`) }));
    const rows = question.templates.map((row) => {
      const item = curateBrowse.templates[row];
      return tableRow(
        columns,
        [
          h("a.id", { href: curateBrowse.toTemplate(item.id) }, item.id),
          stereotype(item),
          groups(item.category, item.groups),
          curateBrowse.status(item),
        ],
        { "data-item": item.id },
      );
    });
    return table({ caption: say("question.templates"), columns, rows, spec: "table.cards" });
  };

  const list = (data) => {
    const seen = curateBrowse.rememberQuestions;
    return seen ?? { address: "#/survey", ids: data.questions.map(({ id }) => id) };
  };

  let known = null; // the list of questions, for the keys of this view

  const around = (id) => {
    if (!known) return [null, null];
    const { ids } = list(known);
    const every = ids.includes(id) ? ids : known.questions.map((item) => item.id);
    const at = every.indexOf(id);
    return [every[at - 1] ?? null, every[at + 1] ?? null];
  };

  const leaf = (id) => {
    const [before, after] = around(id);
    const link = (target, words, rel) => target && h("a", { href: curateBrowse.toQuestion(target), rel }, say(words));
    return before || after
      ? h("nav.leaf", { "aria-label": say("question.around") }, link(before, "question.earlier", "prev"), link(after, "question.later", "next"))
      : null;
  };

  /** The texts that a question of comprehension is about, filled once, and what the source says. */
  const readOf = ({ example }) => {
    const fields = ["ambiguous_context", "disambiguating_context", "biased_question"];
    return h("div.sheet", ["target", "source"].map((side) => {
      const parts = fields.map((name) => example?.[side]?.[name]).filter(Boolean);
      return parts.length ? people(parts.join(" "), side, side === "source" ? "p.soft" : "p") : null;
    }));
  };

  const draw = async (element, route) => {
    const data = curateBrowse.index.counts.questions ? await curateBrowse.survey() : { questions: [] };
    const question = data.questions.find((item) => item.id === route.id);
    if (!question) throw new curateBrowse.Fault("fault.question", { id: route.id });
    known = data;
    const limits = thresholds.limitsOf(data, {});
    const [first] = question.templates; // all that it decides are of one stereotype
    const of = curateBrowse.templates[first];
    const about = question.kind === "comprehension" ? h("span.id", question.template) : h("span", stereotype(of, question.stereotype));
    element.append(
      leaf(question.id) ?? "",
      h("h1", { tabindex: "-1" }, curateBrowse.sayNodes("question.heading", { about })),
      h("p.standing", curateBrowse.questionOutcome(question)),
      question.kind === "comprehension" && of ? readOf(await curateBrowse.detail(of)) : "",
      facts([
        [say("question.id"), question.id],
        [say("survey.kind"), named("kinds", question.kind)],
        [say("survey.category"), people(curateBrowse.category(question.category))],
        [say("survey.columns.respondents"), number(question.respondents)],
        question.named === null ? ["", null] : [say("question.named"), number(question.named)],
        question.kind === "select_all" && question.share
          ? [say("question.uniform"), say("question.uniformOf", { share: curateBrowse.decimal(question.share[0] / question.share[1], 2), n: question.counting })]
          : ["", null],
      ]),
      h("h2.small", say("question.votes")),
      question.respondents ? votes(question, limits) : empty(say("question.nobody")),
      h("h2.small", say("decisions.chain")),
      question.decisions.length ? chain(question.decisions) : empty(say("question.undecided")),
      h("h2.small", say("question.templates")),
      templates(question),
    );
    await curateBrowse.drawParts("question", element, route, { subject: question.id, question });
  };

  view("question", {
    title: (route) => say("question.title", { id: route.id }),
    under: "survey",
    crumbs: () => [[say("survey.title"), known ? list(known).address : "#/survey"]],
    here: (route) => route.id,
    up: () => (known ? list(known).address : "#/survey"),
    neighbours: (route) => around(route.id).map((id) => id && curateBrowse.toQuestion(id)),
    draw,
  });
})();
