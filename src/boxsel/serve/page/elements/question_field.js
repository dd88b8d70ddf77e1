// A question field with completion: the combobox pattern of WAI-ARIA. The server says what a name
// can become; a reply to a text that has changed since is not shown.
export default {
  template: `
    <div class="question">
      <input ref="field" class="question-field" type="text" role="combobox" :aria-label="label"
        aria-autocomplete="list" :aria-expanded="open" :aria-controls="id + '-list'"
        :aria-activedescendant="open && active >= 0 ? id + '-' + active : null"
        :placeholder="placeholder" :maxlength="longest" spellcheck="false" autocomplete="off" autocapitalize="off"
        :aria-invalid="!!problem.said && !typing" :aria-describedby="id + '-problem'"
        @input="typed" @keydown="key" @blur="hide" @click="typed" />
      <div :id="id + '-problem'" class="question-problem" role="alert">{{ typing ? "" : problem.said }}</div>
      <div v-if="typing || !problem.said" class="question-words">{{ words }}</div>
      <ul v-show="open" :id="id + '-list'" class="question-list" role="listbox" :aria-label="listLabel">
        <li v-for="(one, place) in options" :key="one.name" :id="id + '-' + place" role="option"
          :aria-selected="place === active" :class="{ active: place === active }"
          @mousedown.prevent="choose(place)">
          <span class="option-name">{{ one.name }}</span><span class="option-label">{{ one.label }}</span>
        </li>
      </ul>
    </div>`,
  props: { id: String, label: String, listLabel: String, placeholder: String, longest: Number, problem: Object, words: String, reply: Object },
  data() {
    return { open: false, active: -1, options: [], span: [0, 0], typing: false, asking: false };
  },
  watch: {
    problem(found, before) {
      if (found.number === before.number) return; // something else of the field was changed
      this.typing = false;
      // A problem may also come from statements that changed: only who has just asked is led to it.
      const field = this.$refs.field;
      if (found.place && this.asking && document.activeElement === field)
        field.setSelectionRange(...found.place);
      this.asking = false;
    },
    reply(found) {
      const field = this.$refs.field;
      if (found.text !== field.value || document.activeElement !== field) return;
      this.options = found.options;
      this.span = [found.start, found.end];
      this.active = -1;
      this.open = found.options.length > 0;
    },
  },
  methods: {
    typed() {
      this.open = false;
      const field = this.$refs.field;
      this.typing = true;
      this.asking = false;
      this.$emit("typed", { text: field.value, cursor: field.selectionStart });
    },
    hide() {
      this.open = this.asking = false;
    },
    key(event) {
      if (event.key === "Escape" && this.open) {
        this.open = false;
        event.preventDefault();
      } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && this.open) {
        const step = event.key === "ArrowDown" ? 1 : -1;
        const count = this.options.length;
        this.active = (this.active + step + count + (this.active < 0 && step < 0 ? 1 : 0)) % count;
        event.preventDefault();
      } else if (this.open && (event.key === "Tab" || (event.key === "Enter" && this.active >= 0))) {
        this.choose(Math.max(0, this.active));
        event.preventDefault();
      } else if (event.key === "Enter") {
        this.open = false;
        this.asking = true;
        this.ask();
      }
    },
    choose(place) {
      const field = this.$refs.field;
      const name = this.options[place].name;
      const before = field.value.slice(0, this.span[0]);
      field.value = before + name + field.value.slice(this.span[1]);
      field.setSelectionRange((before + name).length, (before + name).length);
      this.open = false;
      field.focus();
      this.$emit("typed", { text: field.value, cursor: -1 });
    },
    ask() {
      this.$emit("asked", this.$refs.field.value);
    },
    setText(text) {
      if (this.$refs.field.value !== text) this.$refs.field.value = text;
    },
  },
};
