"use strict";
// The templates as the index has them: found, filtered and ordered, and the list that was last seen.
(() => {
  const { load, address, among } = curateBrowse;
  const collator = new Intl.Collator(undefined, { numeric: true });
  let byId = new Map();
  let average = 0; // how much models disagree on the templates that they were asked about
  let texts = null; // what is searched, a text a template
  let seen = { address: "#/", ids: null };

  /** Put the index where every view finds it. */
  const open = (index) => {
    const templates = curateBrowse.rows(index.templates);
    templates.forEach((item, at) => {
      item.row = at;
    });
    const shares = templates.map((item) => item.disagree).filter((share) => share !== null);
    average = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    byId = new Map(templates.map((item) => [item.id, item]));
    Object.assign(curateBrowse, { index, templates });
  };

  const template = (id) => byId.get(id) ?? null;

  /** A category's name as people say it, and its id for who does not read their language. */
  const category = (id) => {
    const plain = id.replaceAll("_", " ");
    const name = curateBrowse.index.categories.find((item) => item.id === id)?.name ?? id;
    return [id, plain].includes(name) ? plain : `${name} (${plain})`;
  };

  /** What a template's chunk holds of it. */
  const detail = async (item) =>
    item.chunk === null ? bare() : (await load(`template-${item.chunk}`)).templates[item.id];

  /** What is known of a template of which there are samples and replies alone. */
  const bare = () => ({ variants: [], annotations: [], decisions: [], former: [] });

  const fold = (text) => text.normalize("NFC").toLowerCase();

  /** Read the texts that are searched; they are not needed for anything else. */
  const searchable = async () => {
    texts ??= (await load("search")).texts;
    return texts;
  };

  const differs = (item, level) => {
    if (item.disagree === null) return false;
    if (level === "mean") return item.disagree > average;
    return level === "1" ? item.disagree > 0 : item.disagree >= Number(level) / 100;
  };

  const having = (name) => (value) => {
    const fits = among(value);
    return (item) => [item[name]].flat().some(fits);
  };
  const tests = {
    category: having("category"),
    label: having("label"),
    status: having("status"),
    reason: having("reason"),
    group: having("groups"),
    question: having("questions"),
    near: () => (item) => item.near,
    disagree: (value) => (item) => differs(item, value),
  };

  const words = (query) => fold(query.get("q") ?? "").split(/\s+/).filter(Boolean);

  /** The templates that an address asks for, in its order. Searching needs `searchable` first. */
  const filtered = (query) => {
    const wanted = Object.entries(tests)
      .filter(([name]) => query.get(name))
      .map(([name, test]) => test(query.get(name)));
    const asked = words(query);
    if (asked.length && texts) wanted.push((item) => asked.every((word) => texts[item.row].includes(word)));
    const found = curateBrowse.templates.filter((item) => wanted.every((test) => test(item)));
    return ordered(found, query.get("sort") ?? "");
  };

  const ordered = (found, sort) => {
    const name = sort.replace(/^-/, "");
    if (!name || name === "id") return sort === "-id" ? found.reverse() : found;
    const key = name === "category" ? (item) => category(item.category) : (item) => item[name];
    const direction = sort.startsWith("-") ? -1 : 1;
    const lacks = (value) => value === null || value === undefined || value === "";
    const compare = (one, other) => {
      const [a, b] = [key(one), key(other)];
      if (lacks(a) || lacks(b)) return lacks(a) - lacks(b) || one.row - other.row;
      const order = typeof a === "number" ? a - b : collator.compare(a, b);
      return order * direction || one.row - other.row;
    };
    return found.sort(compare);
  };

  /** Remember the list that was looked at, so that one can go on in it. */
  const remember = (where, found) => {
    seen = { address: where, ids: found.map((item) => item.id) };
  };

  const lastList = () => seen.address;

  /** The templates before and after one in the list that was last looked at. */
  const neighbours = (id) => {
    const ids = seen.ids?.includes(id) ? seen.ids : curateBrowse.templates.map((item) => item.id);
    const at = ids.indexOf(id);
    return [ids[at - 1] ?? null, ids[at + 1] ?? null];
  };

  /** The template that a sample is of, by the sample's id; null where there is none. */
  const templateOfSample = (id) => {
    const named = /^(.+)[a-d](?:\.p?[mf]|\.p)?-\d{3,}-(?:amb|dis)-(?:bsd|cnt)$/.exec(id.trim().toLowerCase());
    return named ? template(named[1]) : null;
  };

  const toTemplate = (id, query = {}) => address(["template", id], query);

  Object.assign(curateBrowse, {
    openIndex: open, template, category, detail, searchable, filtered, remember, lastList,
    neighbours, templateOfSample, toTemplate, isSearching: (query) => words(query).length > 0,
  });
})();
