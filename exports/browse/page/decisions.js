"use strict";
// The chain of decisions on a template or a question: each in words, in numbers, and as a picture.
(() => {
  const { h, s, say, named, badge, people, facts, number, decimal, empty, address } = curateBrowse;
  const WIDTH = 400;

  const isGiven = (value) => value !== null && value !== undefined && value !== "";

  const x = (share) => Math.min(1, Math.max(0, share)) * WIDTH;

  /** The share with its interval, and the threshold, between nothing and all. */
  const picture = (item) => {
    const { value, threshold, ci_low: low, ci_high: high } = item;
    if (!isGiven(value) || !isGiven(threshold) || item.rule === "target_selection" || item.rule === "min_respondents") return null;
    const words = {
      value: decimal(value), threshold: decimal(threshold), low: decimal(low), high: decimal(high),
    };
    const interval = low === null ? null : s("path.whisker", { d: `M${x(low)} 6v8M${x(low)} 10H${x(high)}M${x(high)} 6v8` });
    return s(
      "svg.share",
      { viewBox: `-4 0 ${WIDTH + 8} 20`, preserveAspectRatio: "none", role: "img", "aria-label": say("decisions.picture", words) },
      s("rect.rest", { x: 0, y: 3, width: WIDTH, height: 14 }),
      s("rect.target", { x: 0, y: 3, width: x(value), height: 14 }),
      interval && [interval.cloneNode(true), interval].map((path, at) => {
        if (at === 0) path.setAttribute("class", "case");
        return path;
      }),
      s("path.mark", { d: `M${x(threshold)} 0V20` }),
    );
  };

  const threshold = (item) =>
    Number.isInteger(item.threshold) ? number(item.threshold) : decimal(item.threshold);

  /** The words of a rule for a decision, filled in; nothing where there are none. */
  const worded = (section, item) => {
    const { fractions, [section]: rules } = curateBrowse.words.decisions;
    const said = rules[item.rule] ?? {};
    const isAt = isGiven(item.value) && decimal(item.value, 6) === decimal(item.threshold, 6);
    const key = [isAt && item.outcome !== "keep" ? "exactly" : null, item.reason, item.outcome].find((name) => name && Object.hasOwn(said, name));
    if (!key || (!isGiven(item.n) && said[key].includes("{n}"))) return "";
    const isShare = !["target_selection", "min_respondents"].includes(item.rule);
    const limit = (isShare && fractions[decimal(item.threshold)]) || threshold(item);
    return say(`decisions.${section}.${item.rule}.${key}`, { k: item.k, n: item.n, value: decimal(item.value), threshold: limit });
  };

  /** What a decision says; what the toolkit says of it where the page has no words for it. */
  const sentence = (item) =>
    worded("said", item) || (isGiven(item.reason) ? item.reason : item.sentence);

  /** Why a template of the list is excluded, in a few words. */
  const brief = (row) =>
    (row.decisive && worded("brief", row.decisive)) || named("rules", row.reason);

  const numbers = (item) => {
    if (item.rule === "min_respondents") return null; // the sentence has them all
    const has = (name) => isGiven(item[name]);
    const text = worded("said", item); // it names the counts and the threshold
    const pairs = [];
    if (has("k") && has("n") && item.n !== 0 && !text) pairs.push([say("decisions.counts"), say("decisions.counted", { k: item.k, n: item.n })]);
    if (has("value") && !text.includes(decimal(item.value))) pairs.push([say(item.rule === "target_selection" ? "decisions.times" : "decisions.share"), decimal(item.value)]);
    if (has("threshold") && !text) pairs.push([say("decisions.threshold"), threshold(item)]);
    if (has("ci_low")) pairs.push([say("decisions.interval"), say("decisions.between", { low: decimal(item.ci_low), high: decimal(item.ci_high) })]);
    return pairs.length ? facts(pairs) : null;
  };

  const maker = (item) => {
    if (!isGiven(item.by)) return null;
    const at = isGiven(item.at) ? h("time", { datetime: item.at }, String(item.at).slice(0, 10)) : null;
    const by = people(item.by, "none");
    return h("p.meta", at ? curateBrowse.sayNodes("decisions.decided", { by, at }) : curateBrowse.sayNodes("decisions.decidedBy", { by }));
  };

  const subject = (item) =>
    /^[qc]-/.test(item.subject ?? "")
      ? h("a.id", { href: address(["question", item.subject]) }, item.subject)
      : null;

  const link = (item) =>
    h(
      "li.decision",
      h(
        "p.what",
        badge(item.outcome === "drop" ? "dropped" : item.outcome === "keep" ? "kept" : "near", named("decisions.outcome", item.outcome)),
        " ", h("strong", named("rules", item.rule)),
        item.near ? [" ", badge("near", say("near"))] : null,
        subject(item) ? [" ", subject(item)] : null,
      ),
      h("p", { dir: "auto" }, sentence(item)),
      picture(item),
      numbers(item),
      item.near ? h("p.soft", say("decisions.near")) : null,
      maker(item),
    );

  /** Decisions in their order; a sentence where there are none. */
  const chain = (decisions) =>
    decisions?.length ? h("ol.chain", decisions.map(link)) : empty(say("decisions.noChain"));

  /** The decision that settles where a template stands: a person's, else the one that excludes it. */
  const decisive = (row, item) =>
    item.decisions.findLast((one) => ["override", "removal"].includes(one.rule)) ??
    item.decisions.find((one) => row.status === "excluded" && one.rule === row.reason && one.outcome === "drop");

  /** Why a template is in or not, in a sentence. */
  const why = (row, item) => {
    const found = decisive(row, item);
    return found ? sentence(found) : row.status === "excluded" ? item.why : "";
  };

  Object.assign(curateBrowse, { chain, why, brief });
})();
