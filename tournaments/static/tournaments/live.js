// Parts of a page that change by themselves: told by the stream, or asked for every few seconds.
import { morph } from "./morph.js";

const EVERY = 1600;
const STREAMED = 240_000;
const LONGEST = 60_000;
const SLOWEST = 15_000;
const TYPED = 250;
const SAID_EVERY = 3000;
const AWAY_AFTER = 2;
// Between two answers a page rests, the longer the slower they are.
const REST = 1000;
const SILENCE = 60_000;

const spread = (milliseconds) => milliseconds * (0.8 + Math.random() * 0.4);
const state = document.getElementById("live-state");
const parts = [];

// --- what is said to those who hear the page ---------------------------------------------------

const region = document.createElement("p");
region.id = "live-said";
region.className = "visually-hidden";
region.setAttribute("role", "status");
let lines = [];
let waits = 0;

function say(...sentences) {
  lines = [...lines.filter((one) => !sentences.includes(one)), ...sentences];
  if (waits || !lines.length) return;
  const speak = () => {
    waits = 0;
    if (!lines.length) return;
    region.textContent = lines.join(" ");
    lines = [];
    waits = setTimeout(speak, SAID_EVERY);
  };
  speak();
}

const sentences = (part) => (part.dataset.said ?? "").split("\n").filter(Boolean);

// --- what the reader sees -------------------------------------------------------------------

// The first named thing in sight: whatever grows above it must not push it away.
function inSight(root) {
  if (window.scrollY <= 0) return null;
  for (const one of root.querySelectorAll("[id]")) {
    const { top, bottom } = one.getBoundingClientRect();
    if (bottom > 0 && top >= 0 && top < window.innerHeight) return { one, top };
  }
  return null;
}

function show(target, fresh) {
  const seen = inSight(target);
  const focused = document.activeElement;
  const before = sentences(target);
  morph(target, fresh);
  if (focused !== document.activeElement && focused?.isConnected) {
    focused.focus({ preventScroll: true });
  }
  if (seen?.one.isConnected) {
    window.scrollBy({ top: seen.one.getBoundingClientRect().top - seen.top, behavior: "instant" });
  }
  say(...sentences(target).filter((one) => !before.includes(one)));
  target.dispatchEvent(new CustomEvent("live:shown", { bubbles: true }));
}

let since = new Date();
let fails = 0;

function answered() {
  if (fails >= AWAY_AFTER && state) {
    state.hidden = true;
    say(state.dataset.saidOnline);
  }
  fails = 0;
  since = new Date();
}

function away() {
  fails += 1;
  if (fails !== AWAY_AFTER || !state) return;
  // With the digits of the rest of the page.
  const language = document.documentElement.lang.replace(/^ar$/, "ar-u-nu-arab");
  const time = new Intl.DateTimeFormat(language, { timeStyle: "short" });
  state.textContent = state.dataset.saidOffline.replace("%(time)s", time.format(since));
  state.hidden = false;
  say(state.textContent);
}

// --- asking ---------------------------------------------------------------------------------

class Part {
  #asking = null;
  #again = false;
  #typed = "";
  #took = 0;
  #timer = 0;
  #due = 0;
  #rested = 0;
  over = false;
  form = null;
  token = "";

  constructor(element) {
    this.id = element.id;
    this.tag = element.dataset.tag ?? "";
    this.isLive = element.dataset.live !== undefined;
    this.#typed = this.#query();
  }

  get element() {
    return document.getElementById(this.id);
  }

  get #form() {
    return this.form ?? document.getElementById(this.element?.dataset.form ?? "");
  }

  #query() {
    const said = this.#form ? new FormData(this.#form) : [];
    return new URLSearchParams([...said].filter(([, value]) => value)).toString();
  }

  get #address() {
    const address = this.element.dataset.live ?? this.#form?.getAttribute("action");
    const url = new URL(address || location.pathname, location.href);
    for (const [name, value] of new URLSearchParams(this.#query())) url.searchParams.set(name, value);
    // A page in the language of its address stays in it.
    const language = new URLSearchParams(location.search).get("lang");
    if (language) url.searchParams.set("lang", language);
    return url;
  }

  /** Ask at the next good moment: at once, or spread over `within` so that not all ask at once. */
  soon(within = 0) {
    if (!this.over) this.#askAt(Math.max(performance.now() + Math.random() * within, this.#rested));
  }

  #askAt(due) {
    if (this.#timer && this.#due <= due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => this.ask(), due - performance.now());
  }

  #next() {
    if (this.over || !this.isLive || document.hidden) return;
    const usual = stream.isOpen ? STREAMED : Math.max(EVERY, Math.min(this.#took * 10, SLOWEST));
    const pause = fails ? Math.min(LONGEST, EVERY * 2 ** fails) : usual;
    this.#askAt(performance.now() + spread(pause));
  }

  pause() {
    clearTimeout(this.#timer);
    this.#timer = 0;
  }

  /** Give up what is asked: the network is gone. */
  cut() {
    this.#asking?.abort();
    this.#asking = null;
    this.#next();
  }

  async ask() {
    this.pause();
    const query = this.#query();
    if (this.#asking) {
      // What is typed now is asked for now; what is told meanwhile is asked for afterwards.
      if (query === this.#typed) {
        this.#again = true;
        return;
      }
      this.#asking.abort();
    }
    const asking = new AbortController();
    this.#asking = asking;
    const headers = { Part: "1" };
    if (this.tag && query === this.#typed) headers["If-None-Match"] = `"${this.tag}"`;
    this.#typed = query;
    const started = performance.now();
    try {
      const giveUp = setTimeout(() => asking.abort("late"), 20_000);
      const answer = await fetch(this.#address, { headers, signal: asking.signal, redirect: "manual" });
      const body = answer.status === 200 ? await answer.text() : "";
      clearTimeout(giveUp);
      if (this.#asking !== asking) return;
      this.#took = performance.now() - started;
      this.#rested = performance.now() + Math.max(REST, this.#took * 4);
      this.#take(answer, body);
    } catch (error) {
      if (this.#asking !== asking) return;
      if (!(error instanceof TypeError) && error !== "late" && error?.name !== "AbortError") throw error;
      away();
    } finally {
      if (this.#asking === asking) {
        this.#asking = null;
        if (this.#again) {
          this.#again = false;
          this.soon();
        } else this.#next();
      }
    }
  }

  #take(answer, body) {
    if (answer.status >= 500 || answer.status === 429) {
      away();
      return;
    }
    answered();
    this.token = answer.headers.get("Stream") ?? "";
    if (answer.status === 200) {
      const told = new DOMParser().parseFromString(body, "text/html");
      const fresh = told.getElementById(this.id);
      if (!fresh) return;
      this.tag = answer.headers.get("ETag")?.replace(/^W\/|"/g, "") ?? "";
      show(this.element, fresh);
      // A match that is over changes no more.
      if (this.element.dataset.live === undefined) this.isLive = false;
    } else if (answer.status !== 304) {
      this.over = true;
      if (state) {
        state.textContent = state.dataset.saidGone;
        state.hidden = false;
        say(state.textContent);
      }
    }
    stream.open();
  }
}

// --- the stream -----------------------------------------------------------------------------

const stream = {
  source: null,
  isOpen: false,
  last: "",
  fails: 0,
  timer: 0,
  watch: 0,

  open() {
    const tokens = parts.filter((one) => one.isLive && !one.over && one.token).map((one) => one.token);
    if (this.source || this.timer || !tokens.length || document.hidden || !window.EventSource) return;
    const url = new URL(tokens[0], location.href);
    for (const more of tokens.slice(1)) {
      url.searchParams.append("k", new URL(more, location.href).searchParams.get("k"));
    }
    if (this.last) url.searchParams.set("last", this.last);
    this.source = new EventSource(url);
    // Only what arrives proves that nothing on the way holds it back.
    for (const name of ["hello", "beat", "changed"]) {
      this.source.addEventListener(name, ({ lastEventId }) => this.heard(lastEventId));
    }
    this.source.addEventListener("changed", ({ data }) => {
      const { of, within } = JSON.parse(data);
      for (const one of parts) {
        const heard = one.token.split("k=").pop().split(".");
        if (of.some((channel) => heard.includes(channel))) one.soon(within);
      }
    });
    this.source.addEventListener("error", () => this.failed());
  },

  heard(last) {
    this.last = last || this.last;
    this.isOpen = true;
    this.fails = 0;
    clearTimeout(this.watch);
    this.watch = setTimeout(() => this.failed(), SILENCE);
  },

  close() {
    clearTimeout(this.watch);
    this.source?.close();
    this.source = null;
    this.isOpen = false;
    clearTimeout(this.timer);
    this.timer = 0;
  },

  /** Go back to asking, and try the stream again later, each time later than before. */
  failed() {
    this.close();
    this.fails += 1;
    const pause = Math.min(LONGEST, 500 * 2 ** this.fails);
    for (const one of parts) one.soon(EVERY);
    this.timer = setTimeout(() => {
      this.timer = 0;
      this.open();
    }, pause * (0.5 + Math.random()));
  },
};

// --- the beginning --------------------------------------------------------------------------

for (const element of document.querySelectorAll("[data-live][id]")) parts.push(new Part(element));
document.body.append(region);
for (const one of parts) one.soon(EVERY);

for (const box of document.querySelectorAll("[data-find]")) {
  let part = parts.find((one) => one.id === box.dataset.find);
  if (!part) {
    part = new Part(document.getElementById(box.dataset.find));
    part.form = box.form;
  }
  let timer = 0;
  const find = () => {
    clearTimeout(timer);
    timer = setTimeout(() => part.ask(), TYPED);
  };
  box.addEventListener("input", find);
  box.addEventListener("search", find);
}

// A script of the page wants another part than it has, at once.
document.addEventListener("live:ask", () => {
  for (const one of parts) one.ask();
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    stream.close();
    for (const one of parts) one.pause();
  } else for (const one of parts) one.soon(200);
});
addEventListener("online", () => {
  stream.close();
  for (const one of parts) one.soon(200);
});
addEventListener("offline", () => {
  fails = AWAY_AFTER - 1;
  away();
  for (const one of parts) one.cut();
});
addEventListener("pagehide", () => stream.close());
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) for (const one of parts) one.soon(200);
});
