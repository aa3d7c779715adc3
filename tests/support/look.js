// What is wrong with the look of a page, or of a picture that is shown alone.
({
  contrast(one, other) {
    const line = (part) =>
      part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4;
    const luminance = ([red, green, blue]) =>
      0.2126 * line(red) + 0.7152 * line(green) + 0.0722 * line(blue);
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  },

  /** Red, green, blue and opacity of a computed colour. */
  colour(text) {
    const [red, green, blue, opacity = 1] = text.match(/[\d.]+/g).map(Number);
    return [red, green, blue, opacity];
  },

  brief: (text) => text.trim().slice(0, 40),
  isSeen: (element) => element.checkVisibility({ visibilityProperty: true }),

  /** The pieces of text within an element that are seen. */
  *texts(root) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.data.trim() && node.parentElement.checkVisibility({ visibilityProperty: true })) yield node;
    }
  },

  /** Letters that are too pale for what they stand on. */
  pale() {
    const found = new Set();
    const grounds = new Map();
    const groundOf = (element) => {
      if (!element) return [255, 255, 255, 1];
      if (!grounds.has(element)) {
        const own = this.colour(getComputedStyle(element).backgroundColor);
        grounds.set(element, own[3] === 1 ? own : groundOf(element.parentElement));
      }
      return grounds.get(element);
    };
    for (const element of new Set([...this.texts(document.body)].map((node) => node.parentElement))) {
      if (element.closest(".away, svg, option, noscript, :disabled, [aria-hidden=true]")) continue;
      const style = getComputedStyle(element);
      const isLarge = parseFloat(style.fontSize) >= (style.fontWeight >= 700 ? 18.66 : 24);
      const contrast = this.contrast(this.colour(style.color), groundOf(element));
      if (contrast < (isLarge ? 3 : 4.5)) {
        found.add(`${this.brief(element.textContent)} has a contrast of ${contrast.toFixed(1)}`);
      }
    }
    return found;
  },

  /** Faults of the page at this width; `answer` selects what its first screen has to show. */
  page(answer) {
    const parts = "th, td, h1, h2, h3, dt, dd, label, button, summary, a";
    const { brief, isSeen } = this;
    const found = new Set();

    // A style that hides a section which nobody folded away.
    for (const section of document.querySelectorAll("main section:not([hidden])")) {
      const isHidden = getComputedStyle(section).display === "none" || !section.innerText.trim();
      if (isHidden && isSeen(section.parentElement)) found.add(`${brief(section.textContent)} is hidden`);
    }

    const texts = this.texts;
    const boxes = (node, start = 0, end = node.data.length) => {
      const range = document.createRange();
      range.setStart(node, start);
      range.setEnd(node, end);
      return [...range.getClientRects()];
    };

    // Words in two lines, and cells that are too narrow for what is in them.
    for (const element of document.querySelectorAll(parts)) {
      if (!isSeen(element) || element.closest("[aria-hidden=true], .away, svg")) continue;
      const beyond = element.scrollWidth - element.clientWidth;
      if (element.matches("td") && beyond > 2) {
        found.add(`${brief(element.textContent)} is ${beyond} px beyond its cell`);
      }
      for (const node of texts(element)) {
        const parent = node.parentElement;
        if (parent.closest(parts) !== element || parent.closest(".away")) continue;
        for (const match of node.data.matchAll(/(?<!\S)[\p{L}\p{N}_]{2,24}(?!\S)/gu)) {
          const lines = boxes(node, match.index, match.index + match[0].length);
          if (new Set(lines.map(({ top }) => Math.round(top))).size > 1) {
            found.add(`${match[0]} in ${brief(element.textContent)}`);
          }
        }
        const style = getComputedStyle(element);
        const room = element.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
        const isNarrow = room < 8 * 0.45 * parseFloat(style.fontSize); // a digit is half as wide as high
        if (element.matches("th, td") && isNarrow && boxes(node).length > 2) {
          found.add(`${brief(element.textContent)} has a cell of ${Math.round(room)} px`);
        }
      }
    }

    // Columns that are out of sight; of a table of all models they may be.
    for (const box of document.querySelectorAll(".scroll:not(.heatbox)")) {
      const beyond = innerWidth >= 800 && isSeen(box) ? box.scrollWidth - box.clientWidth : 0;
      if (beyond > 1) found.add(`${brief(box.textContent)} goes on for ${beyond} px beside what is shown`);
    }

    // Lines of text over each other, without what is scrolled or stuck.
    const lines = [];
    for (const node of texts(document.body)) {
      if (node.parentElement.closest(".away, svg, select, .scroll, .stay, noscript")) continue;
      for (const box of boxes(node)) if (box.width > 2) lines.push({ box, node, text: brief(node.data) });
    }
    lines.sort((one, other) => one.box.top - other.box.top);
    lines.forEach(({ box, node, text }, at) => {
      // Letters leave a quarter of their line free, above and below.
      const bottom = box.bottom - 0.25 * box.height;
      for (let next = at + 1; next < lines.length; next += 1) {
        const other = lines[next].box;
        if (other.top >= bottom) break;
        const shared = Math.min(box.right, other.right) - Math.max(box.left, other.left);
        const isOver = node !== lines[next].node && shared > 2 && other.top + 0.25 * other.height < bottom;
        if (isOver) found.add(`${text} lies over ${lines[next].text}`);
      }
    });

    for (const fault of this.pale()) found.add(fault);

    const shown = answer && document.querySelector(answer)?.getBoundingClientRect().bottom;
    if (answer && !(shown + scrollY <= innerHeight)) found.add(`${answer} ends at ${shown} px`);
    const wide = document.documentElement.scrollWidth - innerWidth;
    if (wide > 0) found.add(`the page is ${wide} px too wide`);
    return [...found];
  },

  /** Faults of the texts of the one picture of the page. */
  picture() {
    const found = [];
    const frame = document.querySelector("svg").getBoundingClientRect();
    const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
    const paper = isDark ? [20, 22, 26] : [255, 255, 255];
    const texts = [...document.querySelectorAll("svg text")]
      .map((element) => ({ element, text: element.textContent.trim(), box: element.getBoundingClientRect() }))
      .filter(({ text }) => text);
    // Of points that have names: those without are smaller, ticks thinner, and areas larger.
    const marks = [...document.querySelectorAll("svg use")].map((mark) => mark.getBoundingClientRect())
      .filter(({ width, height }) => Math.min(width, height) > 5.5 && Math.max(width, height) < 12);
    texts.forEach(({ element, text, box }, at) => {
      const isIn = box.left >= frame.left - 1 && box.right <= frame.right + 1 &&
        box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
      if (!isIn) found.push(`${text} is cut`);
      const contrast = this.contrast(this.colour(getComputedStyle(element).fill), paper);
      if (contrast < 4.5) found.push(`${text} is too pale: ${contrast.toFixed(1)}`);
      for (const { text: name, box: other } of texts.slice(at + 1)) {
        const across = Math.min(box.right, other.right) - Math.max(box.left, other.left);
        const down = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
        const isOver = across > 1 && down > 0.3 * Math.min(box.height, other.height);
        if (isOver) found.push(`${text} lies over ${name}`);
      }
      const hasIn = (low, high, from, to) => low < (from + to) / 2 && (from + to) / 2 < high;
      const hidden = marks.filter((mark) =>
        hasIn(box.left, box.right, mark.left, mark.right) && hasIn(box.top, box.bottom, mark.top, mark.bottom));
      if (hidden.length) found.push(`${text} lies over a mark`);
    });
    return found;
  },
})
