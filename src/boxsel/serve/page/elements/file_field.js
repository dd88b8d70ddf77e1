// Files that the user chooses are sent to the server as they are, one after the other. The field is
// not seen: a button picks.
export default {
  template: `<input ref="field" type="file" :multiple="several" hidden tabindex="-1" aria-hidden="true" @change="send" />`,
  props: { address: String, most: Number, several: Boolean },
  methods: {
    pick() {
      this.$refs.field.click();
    },
    async send() {
      const files = [...this.$refs.field.files];
      this.$refs.field.value = "";
      if (files.some((file) => file.size > this.most))
        return this.$emit("refused", "This file is too large.");
      for (const [place, file] of files.entries()) {
        const left = files.length - place - 1;
        const headers = { "X-File-Name": encodeURIComponent(file.name), "X-Files-Left": left };
        try {
          const answer = await fetch(this.address, { method: "POST", body: file, headers });
          if (answer.ok) continue;
          return this.$emit("refused", (await answer.json()).detail);
        } catch {
          return this.$emit("refused", "The file did not reach the server: try again.");
        }
      }
    },
  },
};
