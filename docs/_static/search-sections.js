/* Below each page that the search finds: its sections that hold the words, each with a line of text. */
"use strict";

(() => {
  const shown = 5;
  const wanted = (new URLSearchParams(window.location.search).get("q") || "")
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word.length > 2);

  const stem = (word) =>
    typeof Stemmer === "undefined" ? word : new Stemmer().stemWord(word);

  const around = 60; // characters before and after a word that was found

  const place = (text, word) => {
    const plain = stem(word).replace(/[^\p{L}\p{N}]/gu, "\\$&");
    return text.search(new RegExp(`(?<![\\p{L}\\p{N}])${plain}`, "iu"));
  };

  const rank = ([, title, text]) => {
    const own = wanted.every((word) => place(title, word) >= 0);
    return own ? 2 : wanted.every((word) => place(`${title} ${text}`, word) >= 0) ? 1 : 0;
  };

  const excerpt = (text) => {
    const found = Math.min(...wanted.map((word) => place(text, word)).filter((at) => at >= 0));
    const from = Number.isFinite(found) ? Math.max(0, found - around) : 0;
    const to = from + 2 * around;
    const before = from > 0 ? text.slice(from, to).replace(/^\S*\s/, "… ") : text.slice(0, to);
    return to < text.length ? before.replace(/\s\S*$/, " …") : before;
  };

  const add = (item) => {
    const link = item.querySelector("a");
    if (!link || item.dataset.sections || wanted.length === 0) return;
    item.dataset.sections = "1";
    const [address, within] = link.getAttribute("href").split("#");
    const page = address.split("?")[0].replace(/^(\.\/)+/, "").replace(/\.html$/, "");
    if (within || !curateSections[page]) return;
    const held = curateSections[page];
    let found = held
      .map((section) => ({ section, rank: rank(section) }))
      .filter((one) => one.rank)
      .sort((one, other) => other.rank - one.rank)
      .slice(0, shown);
    if (found.length === 0) { // no section holds all words
      const some = (section) => wanted.some((word) => place(section[2], word) >= 0);
      found = held.filter(some).slice(0, 1).map((section) => ({ section }));
    }
    if (found.length === 0) return;
    const list = document.createElement("ul");
    list.className = "search-sections";
    for (const { section } of found) {
      const line = document.createElement("li");
      if (section[0]) {
        const to = document.createElement("a");
        to.href = `${address.split("?")[0]}#${section[0]}`;
        to.textContent = section[1];
        line.append(to);
      }
      const text = document.createElement("p");
      text.textContent = excerpt(section[2]);
      line.append(text);
      list.append(line);
    }
    item.append(list);
  };

  const look = (results) => {
    const all = () => results.querySelectorAll("ul.search > li").forEach(add);
    new MutationObserver(all).observe(results, { childList: true, subtree: true });
    all();
  };

  document.addEventListener("DOMContentLoaded", () => {
    const results = document.getElementById("search-results");
    if (results && typeof curateSections !== "undefined") look(results);
  });
})();
