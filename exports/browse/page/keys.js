"use strict";
// The keyboard: single keys that never take anything from a field that is being written in.
(() => {
  const { h, say, table } = curateBrowse;
  const OFF = "curate-browse-single-keys-off";
  const order = [];
  const acts = new Map();

  /** Register a key for every view; `words` says in the help what it does. */
  const key = (name, act, words) => {
    acts.set(name, act);
    order.push([name, words]);
  };

  const kept = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null; // a browser may forbid pages from disk to keep anything
    }
  };
  const keep = (name, value) => {
    try {
      if (value === null) localStorage.removeItem(name);
      else localStorage.setItem(name, value);
    } catch {
      // as above: the setting then holds until the page is closed
    }
  };

  let isOff = kept(OFF) !== null;
  const isWriting = (target) =>
    target.isContentEditable ||
    ["TEXTAREA", "SELECT"].includes(target.tagName) ||
    (target.tagName === "INPUT" && !["checkbox", "radio", "range", "button"].includes(target.type));

  addEventListener("keydown", (event) => {
    if (isOff || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (isWriting(event.target) || document.querySelector("dialog[open]")) return;
    const own = curateBrowse.shown()?.view?.keys?.[event.key];
    const act = own ?? acts.get(event.key);
    if (act && act(curateBrowse.shown()?.route) !== false) event.preventDefault();
  });

  const items = () => [...document.querySelectorAll("#main [data-item]")].filter((item) => item.getClientRects().length);

  const step = (by) => (route) => {
    const all = items();
    const shown = curateBrowse.shown();
    if (!all.length) {
      const near = shown?.view?.neighbours?.(route)?.[by > 0 ? 1 : 0];
      if (near) curateBrowse.go(near);
      return Boolean(near);
    }
    const at = all.findIndex((item) => item.contains(document.activeElement));
    const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + by))];
    (next.matches("a, button") ? next : next.querySelector("a, button")).focus();
    next.scrollIntoView({ block: "nearest" });
    return true;
  };

  const up = (route) => {
    const target = curateBrowse.shown()?.view?.up?.(route);
    if (target) curateBrowse.go(target);
    return Boolean(target);
  };

  const search = () => {
    const field = document.querySelector('#main input[type="search"]');
    if (field) {
      field.focus();
      field.select();
    } else curateBrowse.go(curateBrowse.lastList?.() ?? "#/").then(() => curateBrowse.searchNext?.());
    return true;
  };

  let dialog = null;
  const help = () => {
    dialog ??= build();
    dialog.showModal();
    return true;
  };

  const build = () => {
    const box = h("input", { type: "checkbox", id: "single-keys", checked: !isOff });
    box.addEventListener("change", () => {
      isOff = !box.checked;
      keep(OFF, isOff ? "1" : null);
    });
    const rows = [...order, ["Enter", "keys.open"]].map(([name, words]) => [h("kbd", name), say(words)]);
    const made = h(
      "dialog.help",
      { "aria-labelledby": "help-title" },
      h("form.close", { method: "dialog" }, h("button", { autofocus: true }, say("keys.close"))),
      h("h2", { id: "help-title" }, say("glossary.title")),
      h("figure.item", h("figcaption", say("glossary.drawing")), h("ol", curateBrowse.words.glossary.item.map(([kind, text, name]) => h(`li.${kind}`, h("span", text), h("span.soft", name))))),
      h("dl.glossary", Object.entries(curateBrowse.words.glossary.words).map(([word, means]) => h("div", h("dt", word), h("dd", means)))),
      h("h2", say("keys.title")),
      table({
        caption: say("keys.title"),
        columns: [{ name: say("keys.key") }, { name: say("keys.does") }],
        rows,
        spec: "table.keys",
      }),
      h("p.check", box, h("label", { for: "single-keys" }, say("keys.single"))),
      h("p.soft", say("keys.singleHint")),
    );
    made.addEventListener("click", (event) => event.target === made && made.close());
    document.body.append(made);
    return made;
  };

  key("/", search, "keys.search");
  key("j", step(1), "keys.next");
  key("k", step(-1), "keys.previous");
  key("u", up, "keys.up");
  key("?", help, "keys.help");

  Object.assign(curateBrowse, { key, help, kept, keep });
})();
