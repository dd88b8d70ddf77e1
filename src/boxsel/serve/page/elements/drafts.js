// What is not saved is kept in the browser: for a reload in the storage of the tab, and for when the
// tab was closed in that of the browser, where each tab has a place of its own.
const KEY = "boxsel-draft";
const FOLLOWED = "boxsel-link";
const LONGEST_LINK = 100_000;
const place = `${KEY}:${Date.now()}-${Math.random().toString(36).slice(2)}`;
let adopted = null; // a draft that was kept elsewhere, until it is kept here

// A lock says which tabs are open, and the browser ends it with its tab. Without locks (a server
// that is neither of this machine nor behind TLS) what other tabs have is offered, too.
navigator.locks?.request(place, () => new Promise(() => {}));

async function openTabs() {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return new Set([place, ...held.map((one) => one.name)]);
}

function read(storage, key) {
  try {
    const draft = JSON.parse(storage.getItem(key));
    return typeof draft.text === "string" ? draft : null;
  } catch {
    return null;
  }
}

async function left() {
  const open = await openTabs();
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(KEY) && !open.has(key))
    .map((key) => ({ key, draft: read(localStorage, key) }))
    .filter((one) => one.draft)
    .sort((one, other) => other.draft.time - one.draft.time)
    .map(({ key, draft }) => ({ key, name: String(draft.name) }));
}

// A draft goes to the server as a file does: it may be too large for the socket.
async function send(address, draft, key) {
  adopted = { key, text: draft.text };
  try {
    if ((await fetch(address, { method: "POST", body: JSON.stringify(draft) })).ok) return true;
  } catch {
    // The server is gone; what was kept stays.
  }
  adopted = null;
  return false;
}

function put(storage, key, spelt) {
  try {
    storage.setItem(key, spelt);
    return true;
  } catch {
    // There is no room. A link holds all of it: an older draft must not be taken for what is newer.
    if (location.hash) storage.removeItem(key);
    return false;
  }
}

window.boxselDrafts = {
  // Whether the draft is safe now.
  keep(draft) {
    const spelt = JSON.stringify({ ...draft, link: location.hash, time: Date.now(), place });
    let kept = put(sessionStorage, KEY, spelt);
    if (!draft.dirty) localStorage.removeItem(place);
    else kept = put(localStorage, place, spelt) && kept;
    if (kept && adopted?.text === draft.text) {
      localStorage.removeItem(adopted.key);
      adopted = null;
    }
    return kept;
  },
};

export default {
  template: `<span hidden></span>`,
  props: { address: String },
  // What the page begins with: the draft of this tab, if it is still about the same, else the link;
  // and the drafts that were left. A new link reloads, and is followed then; after any other reload
  // the draft is what was there, also if the link to it came too late.
  async mounted() {
    addEventListener("hashchange", () => {
      put(sessionStorage, FOLLOWED, location.hash);
      location.reload();
    });
    const own = read(sessionStorage, KEY);
    const link = location.hash;
    const followed = sessionStorage.getItem(FOLLOWED) === link;
    sessionStorage.removeItem(FOLLOWED);
    const [{ type } = {}] = performance.getEntriesByType("navigation");
    const same = own !== null && !followed && (type === "reload" || own.link === link);
    const opened = same && (await send(this.address, own, own.place));
    this.$emit("found", {
      link: link.slice(0, LONGEST_LINK),
      colours: localStorage.getItem("boxsel-colours") || "",
      opened,
      left: opened ? [] : await left(),
    });
  },
  methods: {
    open(key) {
      const draft = read(localStorage, key);
      if (draft) send(this.address, draft, key);
    },
    discard(key) {
      localStorage.removeItem(key);
    },
  },
};
