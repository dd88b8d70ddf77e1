// A text area with line numbers, colours and marks. The text area itself is what is edited: undo,
// selection and screen readers work as everywhere. Behind it, the lines that can be seen are drawn.
const TOKENS =
  /(##[^\n]*)|(#[^\n]*)|('(?:[^'\\]|\\.)*'|<[^>\s]*>)|(\b(?:SubClassOf|EquivalentTo|SubPropertyOf|and|some|of)\b|\b(?:Prefix|Label|Class|ObjectProperty|Individual|Dropped|Skipped|DisjointClasses|EquivalentClasses|Domain|Range):)|(\b\d[\d.]*(?:\/\d+)?%?)/g;
const KINDS = ["note", "comment", "name", "keyword", "number"];
const DELAY = 250;

export default {
  template: `
    <div class="editor" :class="{ focused }">
      <div class="editor-back" aria-hidden="true" ref="back"></div>
      <textarea ref="area" class="editor-area" :aria-label="label" :aria-describedby="describedBy"
        :aria-invalid="marks.length > 0" spellcheck="false" autocomplete="off" autocapitalize="off"
        autocorrect="off" wrap="off" @input="typed" @scroll="draw" @focus="focused = true"
        @blur="left"></textarea>
    </div>`,
  props: { label: String, describedBy: String, marks: Array, lines: Array },
  data() {
    return { focused: false };
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
    this.sizes = new ResizeObserver(() => this.draw());
    this.sizes.observe(this.$refs.area);
    this.draw();
  },
  beforeUnmount() {
    this.sizes.disconnect();
    clearTimeout(this.timer);
  },
  methods: {
    typed() {
      this.draw();
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
      this.$emit("changed", this.$refs.area.value);
    },
    setText(text) {
      const area = this.$refs.area;
      if (area.value === text) return;
      clearTimeout(this.timer);
      this.timer = null;
      area.value = text;
      this.draw();
    },
    goTo(line, column) {
      const area = this.$refs.area;
      const lines = area.value.split("\n");
      const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
      const end = start + (lines[line - 1] || "").length;
      area.focus({ preventScroll: true });
      if (column) area.setSelectionRange(start + column - 1, start + column - 1);
      else area.setSelectionRange(start, end);
      const height = this.lineHeight();
      area.scrollTop = Math.max(0, (line - 1) * height - area.clientHeight / 2);
      area.scrollLeft = 0;
      this.$el.scrollIntoView({ block: "nearest" });
      this.draw();
    },
    lineHeight() {
      return parseFloat(getComputedStyle(this.$refs.area).lineHeight);
    },
    draw() {
      const area = this.$refs.area;
      const back = this.$refs.back;
      if (!area) return;
      const height = this.lineHeight();
      const lines = area.value.split("\n");
      const first = Math.max(0, Math.floor(area.scrollTop / height) - 2);
      const last = Math.min(lines.length, Math.ceil((area.scrollTop + area.clientHeight) / height) + 2);
      const digits = String(lines.length).length;
      this.$el.style.setProperty("--digits", Math.max(2, digits));
      const drawn = document.createDocumentFragment();
      for (let place = first; place < last; place++) drawn.append(this.line(lines[place], place + 1));
      const sheet = document.createElement("div");
      sheet.style.transform = `translateY(${first * height - area.scrollTop}px)`;
      sheet.append(drawn);
      sheet.style.setProperty("--left", `${-area.scrollLeft}px`);
      back.replaceChildren(sheet);
    },
    line(text, number) {
      const row = document.createElement("div");
      row.className = "editor-line";
      const kind = this.lines.find((one) => one[0] === number);
      const marks = this.marks.filter((one) => one.line === number);
      if (kind) row.classList.add(`line-${kind[1]}`);
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
