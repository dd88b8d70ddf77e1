// A text area with line numbers, colours and marks. The text area itself is what is edited: undo,
// selection and screen readers work as everywhere. Behind it the lines are drawn: all of them, and
// long ones wrap; of a long text only those that can be seen, and each as one line.
// The text is kept as a draft in the browser, also while there is no connection.
const TOKENS =
  /(##[^\n]*)|(#[^\n]*)|('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|<[^>\s]*>)|(\b(?:SubClassOf|EquivalentTo|SubPropertyOf|and|some|of)\b|\b(?:Prefix|Label|Class|ObjectProperty|Individual|Dropped|Skipped|DisjointClasses|EquivalentClasses|Domain|Range):)|((?<![\w:.-])\d[\d.]*(?:\/\d+)?%?)/g;
const KINDS = ["note", "comment", "name", "keyword", "number"];
const DELAY = 250;
const AGAIN = 1000;
const SOCKET = 100_000; // characters that go through the socket: it drops what is much longer
const WRAPPED = { lines: 1000, letters: 100_000 };

// How far two texts are the same at the beginning and at the end. What is the same stays: browsers
// cannot redo the replacement of a whole text.
function differing(old, text) {
  const most = Math.min(old.length, text.length);
  let end = 0;
  while (end < most && old.at(-1 - end) === text.at(-1 - end)) end++;
  let start = 0;
  while (start < most - end && old[start] === text[start]) start++;
  return [start, end];
}

export default {
  template: `
    <div class="editor" :class="{ focused, wraps }">
      <div class="editor-back" aria-hidden="true" ref="back"></div>
      <textarea ref="area" class="editor-area" :aria-label="label" :aria-describedby="describedBy"
        :aria-invalid="marks.length > 0" spellcheck="false" autocomplete="off" autocapitalize="off"
        autocorrect="off" @input="typed" @scroll="scrolled" @focus="focused = true"
        @blur="left"></textarea>
    </div>`,
  props: { label: String, describedBy: String, marks: Array, lines: Array, address: String, most: Number },
  data() {
    return { focused: false, wraps: false };
  },
  watch: {
    marks() {
      this.draw();
    },
    lines() {
      this.draw();
    },
  },
  mounted() {
    this.unsent = null;
    this.sizes = new ResizeObserver(() => this.draw());
    this.sizes.observe(this.$refs.area);
    this.draw();
    addEventListener("beforeunload", this.leaving);
    addEventListener("pagehide", this.write);
  },
  beforeUnmount() {
    this.sizes.disconnect();
    clearTimeout(this.timer);
    removeEventListener("beforeunload", this.leaving);
    removeEventListener("pagehide", this.write);
  },
  methods: {
    typed() {
      this.draw();
      if (this.$refs.area.value === this.given) return; // it was not the user
      this.given = null;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.send(), DELAY);
    },
    left() {
      this.focused = false;
      if (this.timer) this.send();
    },
    send() {
      clearTimeout(this.timer);
      this.timer = null;
      this.write();
      this.unsent = this.$refs.area.value;
      if (!this.sending) this.deliver();
    },
    // One text after the other: a short one must not overtake a long one.
    async deliver() {
      this.sending = true;
      while (this.unsent !== null) {
        const text = this.unsent;
        this.unsent = null;
        if (text.length <= SOCKET) this.$emit("changed", text);
        else await this.post(text);
      }
      this.sending = false;
    },
    // Until it has arrived, or there is a newer text, or no page any more.
    async post(text) {
      if (new Blob([text]).size > this.most)
        return this.$emit("refused", "This text is too large for the server: open it in parts.");
      const headers = { "X-Text-After": this.shown };
      while (this.unsent === null && this.$refs.area) {
        try {
          const answer = await fetch(this.address, { method: "POST", body: text, headers });
          if (!answer.ok && answer.status !== 404) this.$emit("refused", (await answer.json()).detail);
          return;
        } catch {
          await new Promise((done) => setTimeout(done, AGAIN));
        }
      }
    },
    // `clean` if it is as in a file; the first text has none before it to go back to. The server
    // counts what it has `shown`: what was typed before that and arrives later is out of date.
    setText(text, clean, shown, rest) {
      const area = this.$refs.area;
      this.rest = rest;
      clearTimeout(this.timer);
      this.timer = null;
      this.unsent = null;
      this.shown = shown;
      this.given = text;
      if (clean) this.clean = text;
      if (!this.loaded) area.value = text;
      this.loaded = true;
      if (area.value !== text) this.replace(text);
      else this.write();
      this.draw();
    },
    // As if it were typed, so that undo brings the old text back. Some browsers take many lines at
    // once only as HTML, others only as text.
    replace(text, tries = 10) {
      const area = this.$refs.area;
      const before = document.activeElement;
      area.focus({ preventScroll: true });
      if (document.activeElement !== area && tries) {
        // A menu or a dialog that is closing holds the focus for a moment.
        setTimeout(() => this.given === text && this.replace(text, tries - 1), 50);
        return;
      }
      const [start, end] = differing(area.value, text);
      area.setSelectionRange(start, area.value.length - end);
      const part = text.slice(start, text.length - end);
      const spelt = part.replace(/[&<>]/g, (one) => `&#${one.charCodeAt(0)};`);
      if (document.activeElement === area)
        for (const way of part ? [["insertHTML", spelt], ["insertText", part]] : [["delete"]])
          if (document.execCommand(way[0], false, way[1])) break;
      if (area.value !== text) area.value = text;
      area.setSelectionRange(0, 0);
      area.scrollTop = 0;
      if (before !== area) before?.focus?.({ preventScroll: true });
      if (document.activeElement === area && before !== area) area.blur();
      this.write();
      this.draw();
    },
    // The rest of the state comes from the server, with the link to it (none if that is too long).
    keep(link, rest) {
      history.replaceState(null, "", link || " ");
      this.rest = rest;
      this.write();
    },
    saved() {
      this.clean = this.$refs.area.value;
      this.write();
    },
    write() {
      const text = this.$refs.area?.value;
      if (!this.rest || text === undefined) return;
      const dirty = text !== this.clean;
      if (dirty !== this.dirty) this.$emit("dirty", dirty);
      this.dirty = dirty;
      const query = document.querySelector(".question-field")?.value ?? this.rest.query;
      const kept = window.boxselDrafts.keep({ ...this.rest, text, query, dirty });
      if (!kept && !this.unkept) this.$emit("unkept");
      this.unkept = !kept;
    },
    leaving(event) {
      this.write();
      if (this.dirty && window.socket?.connected) event.preventDefault();
    },
    goTo(line, column) {
      const area = this.$refs.area;
      const lines = area.value.split("\n");
      const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
      const end = start + (lines[line - 1] || "").length;
      area.focus({ preventScroll: true });
      if (column) area.setSelectionRange(start + column - 1, start + column - 1);
      else area.setSelectionRange(start, end);
      const row = this.wraps && this.$refs.back.querySelectorAll(".editor-line")[line - 1];
      const top = row ? row.offsetTop : (line - 1) * this.lineHeight();
      area.scrollTop = Math.max(0, top - area.clientHeight / 2);
      area.scrollLeft = 0;
      this.$el.scrollIntoView({ block: "nearest" });
      this.draw();
    },
    lineHeight() {
      return parseFloat(getComputedStyle(this.$refs.area).lineHeight);
    },
    scrolled() {
      if (this.wraps) this.place(-this.$refs.area.scrollTop);
      else this.draw();
    },
    draw() {
      const area = this.$refs.area;
      if (!area) return;
      const height = this.lineHeight();
      const lines = area.value.split("\n");
      this.wraps = lines.length <= WRAPPED.lines && area.value.length <= WRAPPED.letters;
      let [first, last] = [0, lines.length];
      if (!this.wraps) {
        first = Math.max(0, Math.floor(area.scrollTop / height) - 2);
        last = Math.min(last, Math.ceil((area.scrollTop + area.clientHeight) / height) + 2);
      }
      this.$el.style.setProperty("--digits", Math.max(2, String(lines.length).length));
      const before = this.rows || new Map();
      this.rows = new Map();
      for (let place = first; place < last; place++) this.row(lines[place], place + 1, before);
      this.sheet = document.createElement("div");
      this.sheet.className = "editor-sheet";
      this.sheet.append(...this.rows.values());
      this.sheet.style.width = this.wraps ? `${area.clientWidth}px` : "";
      this.sheet.style.setProperty("--left", `${-area.scrollLeft}px`);
      this.$refs.back.replaceChildren(this.sheet);
      this.place(first * height - area.scrollTop);
    },
    place(top) {
      if (this.sheet) this.sheet.style.transform = `translateY(${top}px)`;
    },
    // A line that is as it was before is not drawn again.
    row(text, number, before) {
      const kind = this.lines.find((one) => one[0] === number)?.[1];
      const marks = this.marks.filter((one) => one.line === number);
      const key = JSON.stringify([number, text, kind, marks]);
      this.rows.set(key, before.get(key) || this.line(text, number, kind, marks));
    },
    line(text, number, kind, marks) {
      const row = document.createElement("div");
      row.className = "editor-line";
      if (kind) row.classList.add(`line-${kind}`);
      if (marks.length) row.classList.add("line-error");
      const gutter = document.createElement("span");
      gutter.className = "editor-number";
      gutter.textContent = number;
      const code = document.createElement("span");
      code.className = "editor-code";
      this.colour(code, text, marks);
      row.append(gutter, code);
      return row;
    },
    colour(code, text, marks) {
      if (text.length > 2000) {
        code.textContent = text;
        return;
      }
      const kinds = new Array(text.length).fill("");
      for (const match of text.matchAll(TOKENS)) {
        const kind = KINDS[match.slice(1).findIndex((group) => group !== undefined)];
        kinds.fill(kind, match.index, match.index + match[0].length);
      }
      for (const mark of marks) {
        const start = Math.min((mark.column || 1) - 1, text.length);
        for (let at = start; at < start + Math.max(1, mark.length); at++)
          if (at < text.length) kinds[at] += " mark";
        if (start >= text.length) this.endMark = true;
      }
      let start = 0;
      for (let at = 1; at <= text.length; at++) {
        if (at < text.length && kinds[at] === kinds[start]) continue;
        const span = document.createElement("span");
        span.className = kinds[start];
        span.textContent = text.slice(start, at);
        code.append(span);
        start = at;
      }
      if (this.endMark) {
        const span = document.createElement("span");
        span.className = "mark";
        span.textContent = "\u00a0";
        code.append(span);
        this.endMark = false;
      }
    },
  },
};
