"use strict";
// One template: its texts and slots, its labels and decisions, its samples.
(() => {
  const {
    view, tab, h, say, named, people, group, groups, stereotype, status, facts, table, empty, number, chain, address, badge,
  } = curateBrowse;
  const FIELDS = [
    "ambiguous_context", "disambiguating_context", "biased_question",
    "counter_biased_question", "biased_answer", "counter_biased_answer",
  ];
  const SIDES = ["target", "source", "machine"];
  const HUES = 6;

  /** A slot's colour is its own in all texts of a template. */
  const hue = (slots, name) => {
    const at = slots.indexOf(name);
    return at < 0 ? "" : `.hue-${(at % HUES) + 1}`;
  };

  const marked = (pieces, slots) =>
    pieces.map(([text, slot]) => (slot ? h(`mark.slot${hue(slots, slot)}`, { title: slot }, text) : text));

  const has = (variant, name, side) => Boolean(variant.texts[name]?.[side]?.length);

  const text = (variant, name, side, slots) =>
    has(variant, name, side) ? people(marked(variant.texts[name][side], slots), side, "div.text") : null;

  const languages = () => {
    const { index } = curateBrowse;
    return {
      target: say("texts.target", { language: index.language_name }),
      source: say("texts.source", { language: index.source_language_name }),
      machine: say("texts.machine"),
    };
  };

  const texts = (variant, slots) => {
    const names = languages();
    const sides = SIDES.filter((side) => FIELDS.some((name) => has(variant, name, side)));
    if (!sides.length) return empty(say("texts.noTexts"));
    const shown = FIELDS.filter((name) => sides.some((side) => has(variant, name, side)));
    return table({
      caption: say("texts.caption", { variant: nameOf(variant) }),
      columns: [{ name: say("texts.field") }, ...sides.map((side) => ({ name: names[side] }))],
      rows: shown.map((name) => [
        say(`texts.fields.${name}`),
        ...sides.map((side) => text(variant, name, side, slots) ?? h("span.soft", say(side === "target" ? "texts.nothing" : "page.unknown"))),
      ]),
      spec: `table.cards.texts.sides-${sides.length}`,
    });
  };

  const nameOf = (variant) => (variant.version ? `${variant.variant}.${variant.version}` : variant.variant);

  const list = (values, side) =>
    h("ul.fillings", values.map((value) => h("li", people(value, side))));

  const slotTable = (variant, slots, category) => {
    if (!variant.slots?.length) return h("p.soft", say("texts.noSlots"));
    const names = languages();
    const hasSource = variant.slots.some((slot) => slot.source?.length);
    const people_ = { N1: variant.n1_groups, N2: variant.n2_groups };
    const role = (name) =>
      h("span.soft", " ", say(variant.target_groups.includes(name) ? "template.target" : "template.other"));
    const named = (slot) => h("ul.tight", (people_[slot] ?? []).map((name) => h("li", group(category, name), role(name))));
    const hasGroups = variant.slots.some((slot) => people_[slot.name]?.length);
    return table({
      caption: say("texts.slotsOf", { variant: nameOf(variant) }),
      columns: [
        { name: say("texts.slot") },
        ...(hasGroups ? [{ name: say("template.group") }] : []),
        { name: names.target },
        ...(hasSource ? [{ name: names.source }] : []),
      ],
      rows: variant.slots.map((slot) => [
        h(`mark.slot${hue(slots, slot.name)}`, slot.name),
        ...(hasGroups ? [named(slot.name)] : []),
        list(slot.fillings),
        ...(hasSource ? [list(slot.source ?? [], "source")] : []),
      ]),
      spec: "table.cards.slots",
    });
  };

  const example = (item) => {
    const { target, source } = item.example;
    const shown = FIELDS.filter((name) => target?.[name]);
    if (!shown.length) return h("p.soft", say("texts.noExample"));
    const names = languages();
    const hasSource = shown.some((name) => source?.[name]);
    return table({
      caption: say("texts.exampleCaption"),
      columns: [{ name: say("texts.field") }, { name: names.target }, ...(hasSource ? [{ name: names.source }] : [])],
      rows: shown.map((name) => [
        say(`texts.fields.${name}`),
        people(target[name], "target", "div.text"),
        ...(hasSource ? [source[name] ? people(source[name], "source", "div.text") : say("page.unknown")] : []),
      ]),
      spec: `table.cards.texts.sides-${hasSource ? 2 : 1}`,
    });
  };

  const choice = (item, route, chosen) => {
    if (item.variants.length < 2) return null;
    return h(
      "nav.variants",
      { "aria-label": say("template.variants") },
      h("ul", item.variants.map((variant) => {
        const query = { tab: route.query.get("tab") ?? "", variant: nameOf(variant) };
        const here = variant === chosen ? { "aria-current": "true" } : {};
        return h("li", h("a", { href: curateBrowse.toTemplate(route.id, query), ...here }, say("texts.variant", { variant: nameOf(variant) })));
      })),
    );
  };

  const drawTexts = (element, route, row, item) => {
    if (!item.variants.length) {
      element.append(empty(say("texts.noTexts")));
      return;
    }
    const wanted = route.query.get("variant");
    const variant = item.variants.find((one) => nameOf(one) === wanted) ?? item.variants[0];
    const slots = [...new Set(item.variants.flatMap((one) => (one.slots ?? []).map((slot) => slot.name)))];
    const isBiased = ["b", "d"].includes(variant.variant);
    const shown = h("div");
    shown.append(
      h("p.soft", say("texts.variant", { variant: nameOf(variant) }), ": ", say(isBiased ? "texts.biased" : "texts.counter")),
      texts(variant, slots),
      h("h2.small", say("texts.slots")),
      slotTable(variant, slots, row.category),
    );
    element.append(
      ...[
        h("h2.small", say("texts.example")), example(item),
        h("h2.small", say("texts.written")), choice(item, route, variant), shown,
      ].filter(Boolean),
    );
  };

  const PARTS = /([a-d](?:\.p?[mf]|\.p)?)-\d{3,}-(amb|dis)-(bsd|cnt)$/i;
  const variantOf = (item, [, name]) => item.variants.find((one) => nameOf(one) === name) ?? item.variants.find((one) => one.variant === name[0]);

  /**
   * What the source says where a sample was filled: its slots keep their names, for the groups of
   * the source may be others. Nothing where the template has no source.
   */
  const sourceOf = (item, sampleId) => {
    const parts = PARTS.exec(sampleId);
    const variant = parts && variantOf(item, parts);
    if (!variant) return null;
    const fields = ["ambiguous_context", ...(parts[2] === "dis" ? ["disambiguating_context"] : []), parts[3] === "bsd" ? "biased_question" : "counter_biased_question"];
    const pieces = fields.map((name) => (variant.texts[name]?.source ?? []).map(([text, slot]) => (slot ? h("mark.slot", { title: text }, slot) : text)));
    if (!pieces.some((part) => part.length)) return null;
    return h("p.soft", `${languages().source}: `, people(pieces.map((part) => [part, " "]), "source"));
  };

  /** The group that stands in a slot of a sample, with what the source calls it. */
  const inSlot = (sample, slot, category) => {
    const name = sample[{ N1: "n1_group", N2: "n2_group" }[slot]];
    return name ? group(category, name) : null;
  };

  /** The person that a choice of a sample names: the slot and its group; nothing of 'unknown'. */
  const meant = (item, sample, at, category) => {
    const parts = PARTS.exec(sample.sample_id);
    const answer = parts && variantOf(item, parts)?.texts[["biased_answer", "counter_biased_answer"][at]];
    const slots = (answer?.target ?? []).map(([, slot]) => slot).filter((slot) => /^N[12]$/.test(slot));
    return slots.length === 1 ? [" ", h("mark.slot", slots[0]), " ", inSlot(sample, slots[0], category)] : null;
  };

  /** The choices of a sample, with the correct and the biased one marked. */
  const choicesOf = (item, sample, category) =>
    h("ol.choices", sample.choices.map((choice, at) =>
      choice && h(
        "li",
        people(choice),
        meant(item, sample, at, category),
        choice === sample.answer ? [" ", badge("kept", say("samples.correct"))] : null,
        choice === sample.biased_answer ? [" ", badge("near", say("samples.biased"))] : null,
      )));

  const drawDecisions = (element, route, row, item) => {
    element.append(h("h2.small", say("decisions.labels")));
    const given = item.annotations ?? [];
    const proposed = (category, { targets, non_targets: others }) => {
      const said = (names) => h("span", names.length ? groups(category, names) : say("page.unknown"));
      return others.length ? curateBrowse.sayNodes("question.sides", { targets: said(targets), others: said(others) }) : said(targets);
    };
    const settled = () =>
      h("p", item.consensus ? say("decisions.consensus", { label: named("labels", item.consensus.label ?? "") }) : say("decisions.noConsensus"));
    if (given.length && given.every((one) => !one.by)) {
      // Of a release: who gave which label is not published.
      const labels = [...new Set(given.map((one) => one.label))];
      element.append(
        table({
          caption: say("decisions.labelsCaption"),
          columns: [{ name: say("decisions.label") }, { name: say("decisions.annotators"), spec: ".n" }],
          rows: labels.map((label) => [named("labels", label), String(given.filter((one) => one.label === label).length)]),
        }),
        settled(),
      );
    } else if (given.length) {
      element.append(
        table({
          caption: say("decisions.labelsCaption"),
          columns: ["by", "label", "reason", "targets", "note"].map((name) => ({ name: say(`decisions.${name}`) })),
          rows: given.map((one) => [
            people(one.by, "none"),
            named("labels", one.label ?? ""),
            one.reason ? people(one.reason, "none") : say("page.unknown"),
            proposed(row.category, one),
            one.remark ? people(one.remark, "none") : say("page.unknown"),
          ]),
        }),
        settled(),
      );
    } else element.append(h("p.soft", say("decisions.noLabels")));
    element.append(h("h2.small", say("decisions.chain")), chain(item.decisions));
  };

  const hasBank = (row) => row.chunk !== null;
  tab("texts", { order: 1, title: () => say("template.tab.texts"), shown: hasBank, draw: drawTexts });
  tab("decisions", { order: 2, title: () => say("template.tab.decisions"), shown: hasBank, draw: drawDecisions });

  const links = (ids) =>
    ids.map((id, at) => [at ? ", " : "", h("a.id", { href: address(["question", id]) }, id)]);

  const targets = (item) => [...new Set(item.variants.flatMap((one) => one.target_groups))];

  const others = (row, item) => row.groups.filter((name) => !targets(item).includes(name));

  const about = (row, item) =>
    facts([
      [say("template.category"), people(curateBrowse.category(row.category))],
      [say("template.label"), named("labels", row.label ?? "")],
      [say("template.targets"), groups(row.category, targets(item))],
      [say("template.others"), groups(row.category, others(row, item))],
      [say("template.sourceGroups"), row.source_groups.length ? people(row.source_groups.join(", "), "source") : null],
      [say("template.questions"), row.questions.length ? links(row.questions) : hasBank(row) ? say("template.notSurveyed") : null],
      [say("template.samples"), number(row.samples)],
      [say("template.source"), [item.source, item.source_category, item.source_id].filter(Boolean).join(", ")],
      [say("template.reference"), item.reference ? people(item.reference, "none") : null],
      [say("template.former"), item.former.join(", ")],
      [say("template.note"), item.note ? people(item.note, "none") : null],
    ]);

  const near = (route) => {
    const query = { tab: route.query.get("tab") ?? "" };
    return curateBrowse.neighbours(route.id).map((id) => (id ? curateBrowse.toTemplate(id, query) : null));
  };

  const leaf = (route) => {
    const [before, after] = near(route);
    return h(
      "nav.leaf",
      { "aria-label": say("template.title", { id: route.id }) },
      before ? h("a", { href: before, rel: "prev" }, say("template.earlier")) : null,
      after ? h("a", { href: after, rel: "next" }, say("template.later")) : null,
    );
  };

  const drawTab = async (element, row, item, route) => {
    const open = curateBrowse.tabs.filter((one) => one.shown?.(row) ?? true);
    const wanted = route.query.get("tab") || "texts";
    const chosen = open.find((one) => one.id === wanted) ?? open[0];
    const bar = h(
      "nav.tabs",
      { "aria-label": say("template.tabs") },
      h("ul", open.map((one) => {
        const target = curateBrowse.toTemplate(row.id, { tab: one.id === "texts" ? "" : one.id });
        return h("li", h("a", { href: target, ...(one === chosen ? { "aria-current": "page" } : {}) }, one.title(row)));
      })),
    );
    const panel = h("section.panel", { "aria-label": chosen.title(row), "data-tab": chosen.id });
    await chosen.draw(panel, route, row, item);
    element.querySelector(".about").open = chosen.id === "texts"; // elsewhere they would come before what is asked for
    return [bar, panel];
  };

  /** Where it stands: in words, why, and what it waits for. */
  const standing = (row, item) => {
    const more = [
      curateBrowse.why(row, item) ? h("p", { dir: "auto" }, curateBrowse.why(row, item)) : null,
      item.waits && row.status !== "open" ? h("p.soft", say("template.waits")) : null,
      item.modified ? h("p.soft", say("template.modified")) : null,
      item.fault ? h("p.fault", { dir: "auto" }, say("template.fault", { why: item.fault })) : null,
    ];
    return [h("p.standing", status(row), " ", named("statusSaid", row.status)), more];
  };

  const found = (route) => {
    const row = curateBrowse.template(route.id);
    if (!row) throw new curateBrowse.Fault("fault.template", { id: route.id });
    return row;
  };

  const draw = async (element, route) => {
    const row = found(route);
    const item = await curateBrowse.detail(row);
    if (!item) throw new curateBrowse.Fault("fault.damaged", { name: `template-${row.chunk}` });
    element.append(
      leaf(route),
      h("h1", { tabindex: "-1" }, h("span.id", row.id), " ", h("span.of", stereotype(row))),
      ...(hasBank(row) ? standing(row, item) : []).flat().filter(Boolean),
      h("details.about", h("summary", say("template.facts")), about(row, item)),
    );
    element.append(h("div.tabbed", await drawTab(element, row, item, route)));
    await curateBrowse.drawParts("template", element, route, { subject: row.id, row, item });
  };

  const update = async (element, route) => {
    const row = curateBrowse.template(route.id);
    if (!element.querySelector(".tabbed") || !row) return false;
    const parts = await drawTab(element, row, await curateBrowse.detail(row), route);
    if (curateBrowse.shown().route !== route) return true;
    const isInside = element.querySelector(".tabbed").contains(document.activeElement);
    element.querySelector(".tabbed").replaceChildren(...parts);
    element.querySelector(".leaf").replaceWith(leaf(route));
    if (isInside) (parts[1].querySelector("[aria-current]") ?? parts[0].querySelector("[aria-current]")).focus();
    curateBrowse.stops();
    return true;
  };

  Object.assign(curateBrowse, { sourceOf, choicesOf, inSlot });

  view("template", {
    title: (route) => say("template.title", { id: route.id }),
    here: (route) => route.id,
    crumbs: () => [[say("list.title"), curateBrowse.lastList()]],
    up: () => curateBrowse.lastList(),
    under: "templates",
    subject: (route) => route.id,
    neighbours: near,
    draw,
    update,
  });
})();
