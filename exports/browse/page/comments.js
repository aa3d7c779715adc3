"use strict";
// Comments and proposals, and drafts of them: kept in this browser under the benchmark's name.
// Comments are saved as a file.
(() => {
  const { view, part, key, h, say, named, people, field, select, empty, address, tell } = curateBrowse;
  const LONGEST = 20000;
  const FIELDS = [
    "ambiguous_context", "disambiguating_context", "biased_question", "counter_biased_question",
    "biased_answer", "counter_biased_answer",
  ];
  const PROPOSALS = { template: ["", "keep", "exclude", "modify"], sample: ["", "exclude", "modify"], question: ["", "keep", "exclude"] };

  // ---- what is kept

  const blank = () => ({ by: "", comments: [], deleted: [] });
  let inMemory = null; // used where the browser keeps nothing
  let damaged = false;

  const place = () => `curate-browse-comments-${curateBrowse.index.fingerprint}`;

  const isComment = (item) => item && typeof item === "object" && ["id", "subject", "kind", "text", "proposal", "at"].every((name) => typeof item[name] === "string");

  const parsed = (text) => {
    try {
      const found = JSON.parse(text);
      if (typeof found.by === "string" && Array.isArray(found.comments) && found.comments.every(isComment) && Array.isArray(found.deleted)) return found;
    } catch {
      // it is put aside below
    }
    return null;
  };

  const read = () => {
    if (inMemory) return inMemory;
    let text = null;
    try {
      text = localStorage.getItem(place());
    } catch {
      inMemory = blank();
      return inMemory;
    }
    if (text === null) return blank();
    const found = parsed(text);
    if (found) return found;
    damaged = true;
    try {
      localStorage.setItem(`${place()}-damaged`, text);
      localStorage.removeItem(place());
    } catch {
      inMemory = blank();
    }
    return inMemory ?? blank();
  };

  /** Change what is kept. It is read first: another window may have written meanwhile. */
  const write = (change) => {
    const store = read();
    change(store);
    try {
      if (!inMemory) localStorage.setItem(place(), JSON.stringify(store));
    } catch {
      inMemory = store; // full or forbidden: it holds until the page is closed, which is said
    }
    label();
  };

  const isKept = () => {
    if (inMemory) return false;
    try {
      localStorage.setItem("curate-browse-probe", "1");
      localStorage.removeItem("curate-browse-probe");
      return true;
    } catch {
      return false;
    }
  };

  const all = () => read().comments;
  const of = (subject) => all().filter((item) => item.subject === subject);
  const now = () => new Date().toISOString().replace(/\.\d+Z$/, "Z");
  const newId = () => [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const clean = (text) => (text.toWellFormed?.() ?? text).replaceAll("\0", "").trim();

  /** Keep a comment: `{subject, kind, field, text, proposal, seen}`. */
  const add = (item) => {
    const made = { id: newId(), field: "", proposal: "", ...item, text: clean(item.text), at: now() };
    write((store) => store.comments.push(made));
    return made;
  };

  /** Change a comment. One that another window has deleted meanwhile is there again: it was wanted. */
  const edit = (item, changed) =>
    write((store) => {
      const made = { ...item, ...changed, text: clean(changed.text), at: now() };
      const others = store.comments.filter((one) => one.id !== item.id);
      store.comments = [...others, made];
      store.deleted = store.deleted.filter((id) => id !== item.id);
    });

  const remove = (id) =>
    write((store) => {
      store.comments = store.comments.filter((item) => item.id !== id);
      store.deleted = [...new Set([...store.deleted, id])];
      setDraft(ofEdit(id), null);
    });

  const restore = (item) =>
    write((store) => {
      store.deleted = store.deleted.filter((id) => id !== item.id);
      store.comments.push({ ...item, at: now() }); // later than a file that was saved without it
    });

  // ---- drafts: what was written and is not a comment yet

  const draftPlace = () => `curate-browse-drafts-${curateBrowse.index.fingerprint}`;
  const ofEdit = (id) => `edit ${id}`; // the change of a comment; a new one goes by its subject
  const isDraft = (item) => item && typeof item === "object" && ["kind", "text", "proposal", "field"].every((name) => typeof item[name] === "string");
  const drafts = new Map(); // those of this window, also where the browser keeps none

  /** What the browser kept. Nothing where it is forbidden or cannot be read. */
  const keptDrafts = () => {
    try {
      return new Map(Object.entries(JSON.parse(localStorage.getItem(draftPlace()) ?? "{}")).filter(([, item]) => isDraft(item)));
    } catch {
      return new Map();
    }
  };

  const draftOf = (name) => (drafts.has(name) ? drafts.get(name) : keptDrafts().get(name)) ?? null;

  /** Keep a draft; an empty one, or null, is removed. Gives whether the browser keeps it. */
  const setDraft = (name, draft) => {
    const isEmpty = !draft || !(draft.text || draft.proposal || draft.field);
    drafts.set(name, isEmpty ? null : draft); // null: another window's does not come back here
    try {
      const kept = keptDrafts(); // another window may have written meanwhile
      if (isEmpty) kept.delete(name);
      else kept.set(name, draft);
      if (kept.size) localStorage.setItem(draftPlace(), JSON.stringify(Object.fromEntries(kept)));
      else localStorage.removeItem(draftPlace());
    } catch {
      return isEmpty; // full or forbidden: it holds until the page is closed, which is said
    }
    return true;
  };

  /** Drafts of new comments: `[subject, kind]`. A change is open where its comment is shown. */
  const begun = () =>
    [...new Map([...keptDrafts(), ...drafts])]
      .filter(([name, draft]) => draft && !name.startsWith(ofEdit("")))
      .map(([subject, { kind }]) => ({ subject, kind }));

  const label = () => {
    const link = document.querySelector('#top nav a[data-view="comments"]');
    if (link) link.textContent = navigation();
  };
  const navigation = () => (all().length ? say("comments.nav", { n: all().length }) : say("comments.title"));

  // ---- writing one

  const toSubject = (item) => address([item.kind, item.subject]);

  const warning = () => [
    isKept() ? null : h("p.notes", { role: "alert" }, say("comments.notKept")),
    damaged ? h("p.notes", { role: "alert" }, say("comments.damaged")) : null,
  ];

  /**
   * The fields of a comment, and what they say. `writing` is told of every change in them, and says
   * whether it is kept.
   */
  const editor = (kind, item, done, { writing, cancel = null }) => {
    const text = h("textarea", { rows: 3, maxlength: LONGEST, dir: "auto", value: item.text });
    const options = PROPOSALS[kind].map((name) => [name, say(`comments.proposals.${kind}.${name || "none"}`)]);
    const proposal = select(options, item.proposal, () => {}, { "data-proposal": true });
    const texts = [["", say("comments.whole")], ...FIELDS.map((name) => [name, say(`texts.fields.${name}`)])];
    const which = kind === "question" ? null : select(texts, item.field, () => {});
    const wrong = h("p.fault", { role: "alert", hidden: true }, say("comments.empty"));
    const send = (event) => {
      event.preventDefault();
      wrong.hidden = Boolean(clean(text.value) || proposal.value);
      if (wrong.hidden) done({ text: text.value, proposal: proposal.value, field: which?.value ?? "" });
      else text.focus();
    };
    const unkept = h("p.notes", { role: "alert", "data-unkept": true, hidden: true }, say("comments.draftNotKept"));
    const written = () => {
      unkept.hidden = writing({ text: text.value, proposal: proposal.value, field: which?.value ?? "" });
    };
    return h(
      "form.comment-form",
      { on: { submit: send, input: written, change: written } },
      field(say("comments.text"), text, "div.field.wide"),
      field(say("comments.proposal"), proposal),
      which ? field(say("comments.field"), which) : null,
      h("p.send", h("button", { type: "submit" }, item.id ? say("comments.change") : say("comments.add")),
        cancel ? [" ", h("button", { type: "button", on: { click: cancel } }, say("comments.cancel"))] : null),
      wrong,
      unkept,
    );
  };

  const shownComment = (item, redraw, hasSubject) => {
    const box = h("li.comment", { "data-comment": item.id });
    const place = ofEdit(item.id);
    const open = (draft) => box.replaceChildren(editor(item.kind, { ...item, ...draft }, (changed) => {
      setDraft(place, null);
      edit(item, changed);
      redraw(item.id);
    }, {
      cancel: () => {
        setDraft(place, null);
        draw();
      },
      writing: (changed) => setDraft(place, { kind: item.kind, ...changed }),
    }));
    const draw = () => {
      const change = h("button", { type: "button", on: { click: () => open({}) } }, say("comments.edit"));
      const drop = h("button", { type: "button", on: { click: () => {
        remove(item.id);
        tell(say("comments.deleted"));
        const undo = h("button", { type: "button", on: { click: () => {
          restore(item);
          redraw(item.id);
        } } }, say("comments.undo"));
        box.replaceChildren(h("p.soft", say("comments.deleted"), " ", undo));
        undo.focus();
      } } }, say("comments.delete"));
      box.replaceChildren(
        h("p.what",
          hasSubject ? [h("a.id", { href: toSubject(item) }, item.subject), " "] : null,
          item.proposal ? h(`span.badge.${{ keep: "kept", exclude: "dropped" }[item.proposal] ?? "near"}`, say(`comments.badge.${item.proposal}`)) : null,
          item.field ? [" ", h("span.soft", named("texts.fields", item.field))] : null),
        item.text ? people(item.text, "none", "p.text") : "",
        h("p.meta", h("time", { datetime: item.at }, item.at.slice(0, 10)), " ", change, " ", drop),
      );
    };
    const draft = draftOf(place);
    if (draft) open(draft);
    else draw();
    return box;
  };

  /** The comments on a subject, and a form for another one. `seen` is what the page shows of it. */
  const form = (subject, kind, seen) => {
    const section = h("div.commenting", { "data-subject": subject });
    const redraw = (focus) => {
      const mine = of(subject);
      section.replaceChildren(
        ...[
          ...warning(),
          mine.length ? h("ul.comments", mine.map((item) => shownComment(item, redraw, false))) : null,
          kind === "sample" ? h("p.soft", say("comments.sampleHint")) : null,
          kind === "question" ? h("p.soft", say("comments.questionHint")) : null,
          editor(kind, draftOf(subject) ?? { text: "", proposal: "", field: "" }, (given) => {
            setDraft(subject, null);
            const made = add({ subject, kind, ...given, seen: { status: "", stereotype: "", ...seen, ledger: curateBrowse.index.ledger } });
            redraw(made.id);
            tell(isKept() ? say("comments.added") : say("comments.notKept"));
          }, { writing: (draft) => setDraft(subject, { kind, ...draft }) }),
          h("p.soft", say("comments.where"), " ", h("a", { href: "#/comments" }, say("comments.all"))),
        ].filter(Boolean),
      );
      if (focus) section.querySelector(`[data-comment="${CSS.escape(focus)}"] button`)?.focus();
    };
    redraw();
    return section;
  };

  // ---- all of them

  const slug = (name) => name.normalize("NFC").toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "") || "page";

  const save = () => {
    const store = read();
    const { fingerprint, tool } = curateBrowse.index;
    const comments = store.comments.map(({ id, subject, kind, field, text, proposal, at, seen }) => ({ id, subject, kind, field: field ?? "", text, proposal, at, seen }));
    const whole = { format: 1, fingerprint, tool, by: store.by, saved: now(), comments, deleted: store.deleted };
    const name = `comments-${slug(store.by)}.json`;
    curateBrowse.download(name, "application/json", `${JSON.stringify(whole, null, 1)}\n`);
    return name;
  };

  const bySubject = (one, other) => one.subject.localeCompare(other.subject, undefined, { numeric: true }) || one.at.localeCompare(other.at);

  const drawAll = async (element) => {
    const name = h("input", { type: "text", value: read().by, maxlength: 200, autocomplete: "name", dir: "auto", "aria-describedby": "name-hint", on: { change: () => write((store) => { store.by = clean(name.value); }) } });
    const wrong = h("p.fault", { role: "alert", hidden: true }, say("comments.nameless"));
    const done = h("p.count", { role: "status" });
    const keep = h("button", { type: "button", "data-save": true, on: { click: () => {
      write((store) => { store.by = clean(name.value); });
      wrong.hidden = Boolean(clean(name.value));
      if (!wrong.hidden) name.focus();
      else done.textContent = say("comments.saved", { file: save() });
    } } }, say("comments.save"));
    const box = h("div");
    const unadded = h("div.notes");
    const redraw = (focus) => {
      const found = [...all()].sort(bySubject);
      keep.disabled = !found.length && !read().deleted.length;
      box.replaceChildren(
        found.length
          ? h("ul.comments", found.map((item) => shownComment(item, redraw, true)))
          : empty(say("comments.nothing"), h("p", say("comments.nothingHint"))),
      );
      const open = begun();
      unadded.replaceChildren(h("p", say("comments.begun")), h("ul", open.map((item) => h("li", h("a.id", { href: toSubject(item) }, item.subject), " ", h("button", { type: "button", on: { click: () => {
        setDraft(item.subject, null);
        redraw();
      } } }, say("comments.discard"))))));
      unadded.hidden = !open.length;
      if (focus) box.querySelector(`[data-comment="${CSS.escape(focus)}"] button`)?.focus();
    };
    redraw();
    element.append(
      ...[
        h("h1", { tabindex: "-1" }, say("comments.title")),
        h("p.lead", say("comments.lead")),
        ...warning(),
        h("form.controls", { on: { submit: (event) => event.preventDefault() } },
          h("div.field.wide", h("label", { for: "comments-name" }, say("comments.name")), Object.assign(name, { id: "comments-name" }), h("span.hint", { id: "name-hint" }, say("comments.nameHint"))),
          keep),
        wrong,
        done,
        h("p.soft", say("comments.collect"), " ", h("code", "curate collect FILE")),
        unadded,
        box,
      ].filter(Boolean),
    );
  };

  /** Of samples and replies alone there is no workspace that comments could come back to. */
  const hasBank = () => curateBrowse.index.bank !== false;

  view("comments", {
    title: () => say("comments.title"),
    nav: { order: 9, label: navigation, address: () => "#/comments", shown: hasBank },
    draw: drawAll,
  });

  const statusOf = (row) => ({ status: row?.status ?? "", stereotype: row?.stereotype ?? "" });
  const title = () => say("comments.title");
  part("template", "comments", { order: 90, title, shown: hasBank, draw: (element, _, { subject, row }) => element.append(form(subject, "template", statusOf(row))) });
  part("sample", "comments", { order: 90, title, draw: (element, _, { subject, row }) => element.append(form(subject, "sample", statusOf(row))) });
  part("question", "comments", { order: 90, title, draw: (element, _, { subject, question }) => element.append(form(subject, "question", { status: question.outcome, stereotype: question.stereotype })) });

  key("c", () => {
    const area = document.querySelector("#main .commenting > form textarea");
    area?.focus();
    area?.scrollIntoView({ block: "center" });
    return Boolean(area);
  }, "keys.comment");

  // Another window of the page has written: what this one shows is drawn again, unless somebody is
  // changing a comment or writing one. The words would be there again, the place in them would not.
  addEventListener("storage", (event) => {
    if (event.key !== place()) return;
    label();
    const isEdited = document.querySelector("#main .comment form") !== null;
    if (!isEdited && document.activeElement?.tagName !== "TEXTAREA") curateBrowse.show({ again: true });
  });

  curateBrowse.comments = { add, edit, remove, all, of, form, isKept };
})();
