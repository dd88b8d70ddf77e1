// One number between 0 and 1, or two: the browser's own sliders, so that keys, touch and screen
// readers work as everywhere. Two of them lie over one track, and keep their order.
const PAUSE = 40;

export default {
  template: `
    <div class="share-slider" :class="{ two: !point }" :style="place">
      <div class="share-track">
        <div v-if="range.length" class="share-range" :style="span(range)"></div>
        <div class="share-part"></div>
        <div v-for="one in stated" class="share-stated" :style="{ left: one * 100 + '%' }"></div>
      </div>
      <input v-for="(one, at) in values" :key="at" type="range" min="0" max="1" :step="step"
        :value="one" :aria-label="point ? label : label + (at ? ', at most' : ', at least')"
        @input="move(at, $event.target)" @change="drop" />
    </div>`,
  props: { label: String, lower: Number, upper: Number, step: Number, point: Boolean, stated: Array, range: Array },
  data() {
    return { values: this.point ? [this.lower] : [this.lower, this.upper] };
  },
  computed: {
    place() {
      const last = this.values.at(-1);
      return { "--from": this.point ? 0 : this.values[0], "--to": last };
    },
  },
  beforeUnmount() {
    clearTimeout(this.timer);
  },
  methods: {
    span([low, high]) {
      return { left: low * 100 + "%", right: (1 - high) * 100 + "%" };
    },
    move(at, field) {
      const value = Number(field.value);
      const other = this.values[1 - at];
      if (!this.point) this.values[at] = at ? Math.max(value, other) : Math.min(value, other);
      else this.values[0] = value;
      field.value = this.values[at];
      if (this.timer) this.moved = true;
      else this.tell();
    },
    goTo(lower, upper) {
      this.values = this.point ? [lower] : [lower, upper];
    },
    // The first move is told at once, those that come soon after it together.
    tell() {
      clearTimeout(this.timer);
      this.moved = false;
      this.timer = setTimeout(() => {
        this.timer = null;
        if (this.moved) this.tell();
      }, PAUSE);
      this.$emit("moved", { lower: this.values[0], upper: this.values.at(-1) });
    },
    drop() {
      if (this.moved) this.tell();
      this.$emit("dropped");
    },
  },
};
