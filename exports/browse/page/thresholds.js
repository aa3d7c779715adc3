"use strict";
// The rules of the survey under other thresholds. They decide as the toolkit's own rules do
// (survey/rules.py), so counts are compared with fractions as whole numbers, and nothing is rounded.
(() => {
  /** A threshold as it is written, "2/3" or "2": two whole numbers of any size. */
  const fraction = (text) => {
    const [top, bottom = "1"] = text.split("/");
    return [BigInt(top), BigInt(bottom)];
  };

  const compare = (one, other) => (one < other ? -1 : one > other ? 1 : 0);

  /** How k of n compares with a limit: below it -1, exactly it 0, above it 1. */
  const against = (k, n, [top, bottom]) => compare(BigInt(k) * bottom, BigInt(n) * top);

  /** How a number of votes compares with so many uniform shares. */
  const againstShare = (votes, [top, bottom], multiple) =>
    compare(BigInt(votes) * BigInt(bottom) * multiple[1], multiple[0] * BigInt(top));

  const groups = (question) => question.options.filter((option) => option.role !== "none");

  const standingOf = (votes, share, limits) => {
    if (share[0] === 0) return "-"; // nobody named a group
    if (againstShare(votes, share, limits.target_multiple) >= 0) return "t";
    if (againstShare(votes, share, limits.non_target_multiple) <= 0) return "n";
    return "-";
  };

  const hasShare = (limits) => Boolean(limits.target_share) && limits.target_share[0] > 0n;

  /** Where each group of a question stands, a letter each: target, non-target or neither. */
  const standings = (question, limits) =>
    groups(question)
      .map(({ votes }) => {
        const found = standingOf(votes, question.share, limits);
        const few = hasShare(limits) && against(votes, question.named, limits.target_share) < 0;
        return found === "t" && few ? "-" : found;
      })
      .join("");

  const targetSelection = (question, limits) => {
    const found = groups(question).map(({ votes }) => standingOf(votes, question.share, limits));
    if (!found.includes("t")) return "no_target";
    return found.includes("n") ? "" : "no_non_target";
  };

  const targetShare = (question, limits) => {
    const most = Math.max(...groups(question).map(({ votes }) => votes));
    return question.named === 0 || against(most, question.named, limits.target_share) < 0 ? "below" : "";
  };

  const votesOf = (question, role) =>
    question.options.reduce((sum, option) => sum + (option.role === role ? option.votes : 0), 0);

  const twoThirds = (question, limits) => {
    const target = votesOf(question, "target");
    const other = votesOf(question, "non_target");
    if (against(target, target + other, limits.stereotype_share) > 0) return "";
    return other > target ? "majority_non_target" : "below";
  };

  const noStereotype = (question, limits) =>
    against(question.none, question.respondents, limits.no_stereotype_limit) > 0 ? "above" : "";

  const comprehension = (question, limits) => {
    const correct = votesOf(question, "correct");
    return against(correct, question.respondents, limits.comprehension_share) < 0 ? "below" : "";
  };

  const minRespondents = (question, limits) =>
    against(question.respondents, 1, limits.min_respondents) < 0 ? "too_few" : "";

  /** The rules that exclude a question's templates, in their order, each with its reason. */
  const drops = (question, limits) => {
    if (question.respondents === 0) return [];
    const found =
      question.kind === "comprehension"
        ? { comprehension: comprehension(question, limits) }
        : {
            min_respondents: minRespondents(question, limits),
            ...(question.kind === "select_all"
              ? {
                  target_selection: targetSelection(question, limits),
                  ...(hasShare(limits) ? { target_share: targetShare(question, limits) } : {}),
                }
              : { two_thirds: twoThirds(question, limits) }),
            no_stereotype: noStereotype(question, limits),
          };
    return Object.entries(found).filter(([, reason]) => reason).map(([rule, reason]) => ({ rule, reason }));
  };

  /** What each threshold is compared with in a question: shares, uniform shares or respondents. */
  const ratio = (k, n) => (n ? [k / n] : []);
  const isAsked = (question, kind) => question.respondents > 0 && question.kind === kind;
  const multiples = (question) =>
    isAsked(question, "select_all") && question.share[0]
      ? groups(question).map(({ votes }) => (votes * question.share[1]) / question.share[0])
      : [];
  const compared = {
    target_multiple: multiples,
    non_target_multiple: multiples,
    target_share: (question) =>
      isAsked(question, "select_all") ? ratio(Math.max(...groups(question).map(({ votes }) => votes)), question.named) : [],
    stereotype_share: (question) => {
      const target = votesOf(question, "target");
      return isAsked(question, "choice") ? ratio(target, target + votesOf(question, "non_target")) : [];
    },
    no_stereotype_limit: (question) => (question.kind === "comprehension" ? [] : ratio(question.none, question.respondents)),
    comprehension_share: (question) =>
      isAsked(question, "comprehension") ? ratio(votesOf(question, "correct"), question.respondents) : [],
    min_respondents: (question) => (question.kind === "comprehension" ? [] : [question.respondents]),
  };

  /** The thresholds of an address as fractions; those that it does not name are as decided. */
  const limitsOf = (survey, moved) =>
    Object.fromEntries(
      survey.thresholds.map(({ setting, ours, values }) => {
        const wanted = moved[setting];
        return [setting, fraction(values.includes(wanted) ? wanted : ours)];
      }),
    );

  const samplesOf = (counts, question, limits) => {
    if (typeof counts === "number") return counts;
    const code = question?.respondents ? standings(question, limits) : "";
    return counts[code] ?? counts[""];
  };

  /** Where each template would stand, by its row: its status, what excludes it, its samples. */
  const decide = (survey, limits) => {
    const byId = survey.byId ?? new Map(survey.questions.map((item) => [item.id, item]));
    survey.byId = byId;
    const fallen = new Map(survey.questions.map((item) => [item.id, drops(item, limits)]));
    return survey.templates.map((item) => {
      const question = byId.get(item.question);
      const why = [item.question, ...item.understood].flatMap((id) => fallen.get(id) ?? []);
      const open = question?.respondents ? "kept" : "undecided";
      const status = item.fixed || (why.length ? "excluded" : open);
      const samples = status === "excluded" ? 0 : samplesOf(item.samples, question, limits);
      return { status, why: item.fixed ? [] : why, samples };
    });
  };

  /** What stands where, counted by category in the order of the index. */
  const count = (found) => {
    const zero = () => ({ templates: 0, kept: 0, excluded: 0, undecided: 0, samples: 0 });
    const all = zero();
    const by = new Map(curateBrowse.index.categories.map((item) => [item.id, zero()]));
    found.forEach(({ status, samples }, row) => {
      for (const part of [all, by.get(curateBrowse.templates[row].category)]) {
        part.templates += 1;
        part[status] += 1;
        part.samples += samples;
      }
    });
    return { all, by };
  };

  /** The fewest votes with which k of n is above a limit, or at it. */
  const fewest = (n, [top, bottom], isStrict) => {
    const product = BigInt(n) * top;
    return Number(isStrict ? product / bottom + 1n : (product + bottom - 1n) / bottom);
  };

  /** The most votes with which k of n is at a limit or below it. */
  const most = (n, [top, bottom]) => Number((BigInt(n) * top) / bottom);

  const value = ([top, bottom]) => Number(top) / Number(bottom);

  curateBrowse.thresholds = { fraction, limitsOf, drops, standings, decide, count, fewest, most, value, votesOf, groups, compared };
})();
