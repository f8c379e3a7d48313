/* A screen of a hall: it asks what to show, turns its pages, counts towards the one deadline. */

import { localDigits } from "./tiles.js";

const ASK_EVERY = 1500; // a switch at the desk is seen within two seconds
const ANSWER_WITHIN = 6000;
const MISSED = 2; // questions without an answer until it is said that there is no network
const RING_LATEST = 5000;
const RENEW_AFTER = 600_000;

const main = document.getElementById("screen");
const foot = document.querySelector(".foot");
const [network, pageOf, progress] = ["network", "page-of", "progress"].map((name) => foot?.querySelector(`.${name}`));

/* --- pages: [section, block, rows] in the order in which they are shown ---------------------- */

let pages = [];
let at = 0;
let shownSince = Date.now();

const sections = () => [...main.querySelectorAll(".tongue")];
const lead = () => main.querySelector(".tongue");

/** Share the rows of a list out to pages of its height; nothing is cut through. */
function shared(list) {
  const height = list.clientHeight + 1;
  const columns = Number(list.dataset.columns ?? 1);
  const found = [[]];
  let column = 1;
  let used = 0;
  for (const row of list.children) {
    const needs = row.getBoundingClientRect().height;
    if (used > 0 && used + needs > height) {
      used = 0;
      if (column < columns) column += 1;
      else {
        column = 1;
        found.push([]);
      }
    }
    found.at(-1).push(row);
    used += needs;
  }
  return found;
}

function measured(section, block) {
  const list = block.querySelector(".rows");
  if (!list) return [{ section, block, rows: null }];
  for (const row of list.children) row.hidden = false;
  for (const one of section.querySelectorAll(".block")) one.hidden = one !== block;
  section.hidden = false;
  block.classList.add("is-on");
  section.classList.add("is-measured");
  const found = shared(list).map((rows) => ({ section, block, rows: new Set(rows) }));
  section.classList.remove("is-measured");
  block.classList.remove("is-on");
  return found;
}

function layOut() {
  const was = pages[at] && key(pages[at], at);
  pages = sections().flatMap((section) => [...section.querySelectorAll(".block")].flatMap((block) => measured(section, block)));
  const same = pages.findIndex((page, index) => key(page, index) === was);
  show(same < 0 ? 0 : same, same < 0);
}

/** Name a page, so that the same one is shown when its content has changed. */
function key(page, index) {
  const first = pages.findIndex((one) => one.block === page.block);
  return `${page.section.dataset.shows} ${page.section.lang} ${page.block.dataset.key} ${index - first}`;
}

function show(index, anew = true) {
  at = index;
  const page = pages[at];
  if (!page) return;
  for (const section of sections()) section.hidden = section !== page.section;
  for (const one of pages) {
    one.block.hidden = one.block !== page.block;
    one.section.classList.toggle("is-on", one.section === page.section);
    one.block.classList.toggle("is-on", one.block === page.block);
  }
  for (const row of page.block.querySelector(".rows")?.children ?? []) row.hidden = !page.rows.has(row);
  if (anew) shownSince = Date.now();
  say(page, anew);
}

function say({ section }, anew) {
  const { lang, dir, dataset } = section;
  document.documentElement.lang = lang;
  document.documentElement.dir = dir;
  document.documentElement.classList.toggle("is-black", dataset.shows === "black");
  if (!foot) return;
  document.documentElement.classList.toggle("is-light", "light" in dataset);
  const own = pages.filter((one) => one.section === section);
  const number = own.indexOf(pages[at]) + 1;
  pageOf.textContent = own.length < 2 ? "" : localDigits(dataset.pageOf.replace("{page}", number).replace("{pages}", own.length), lang);
  progress.hidden = pages.length < 2;
  progress.style.setProperty("--seconds", `${dataset.seconds}s`);
  progress.style.setProperty("--done", `${(100 * (at + 1)) / pages.length}%`);
  if (anew) {
    progress.classList.add("begins"); // the line begins to fill again
    progress.getBoundingClientRect();
    progress.classList.remove("begins");
  }
  sayNetwork();
}

function turn() {
  const page = pages[at];
  if (!page || pages.length < 2) return;
  if (Date.now() - shownSince >= 1000 * Number(page.section.dataset.seconds)) show((at + 1) % pages.length);
}

/* --- the clock: the server's deadline and the server's time; this device's own may be wrong --- */

let offset = 0; // how far the server's clock is ahead of this one
let error = Infinity; // by how much that may be wrong at most
let ringing = null;

function setClock(now, asked, received) {
  const found = now - (asked + received) / 2;
  const may = (received - asked) / 2;
  // A clock that was set, or slept, shows by a difference that no delay explains.
  if (may <= error || Math.abs(found - offset) > may + error) [offset, error] = [found, may];
}

function left(milliseconds, lang) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const two = (number) => String(number).padStart(2, "0");
  return localDigits(`${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`, lang);
}

function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function tick() {
  const now = Date.now() + offset;
  for (const clock of main.querySelectorAll("[data-ends]")) {
    const { starts, ends, ...words } = clock.dataset;
    const lang = clock.closest("[lang]").lang;
    const isBefore = now < Date.parse(starts);
    const isOver = now >= Date.parse(ends);
    clock.classList.toggle("is-over", isOver);
    put(clock.querySelector(".time-label"), isOver ? words.over : isBefore ? words.before : words.left);
    put(clock.querySelector(".time-digits"), left(Date.parse(isBefore ? starts : ends) - now, lang));
  }
  for (const clock of main.querySelectorAll("[data-of-day]")) {
    const style = { timeZone: clock.dataset.ofDay, hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
    put(clock, localDigits(new Intl.DateTimeFormat("en-GB", style).format(now), clock.closest("[lang]").lang));
  }
  ringAt(main.querySelector("[data-ends]")?.dataset.ends, now);
  turn();
}

/** Ring once for each deadline, if this is the screen that rings. */
function ringAt(ends, now) {
  if (!ends || !("rings" in (lead()?.dataset ?? {})) || error === Infinity) return;
  const late = now - Date.parse(ends);
  if (late < 0 || late > RING_LATEST || rung() === ends) return;
  sessionStorage.setItem("rung", ends);
  const tone = sound().createOscillator();
  tone.frequency.value = 880;
  tone.connect(ringing.destination);
  tone.start();
  tone.stop(ringing.currentTime + 1.5);
}

const rung = () => sessionStorage.getItem("rung");

function sound() {
  ringing ??= new AudioContext();
  return ringing;
}

// A browser lets nothing sound before somebody has touched it; it is said until then.
for (const touch of ["keydown", "pointerdown"]) {
  document.addEventListener(touch, () => {
    if ("rings" in (lead()?.dataset ?? {})) sound().resume().then(sayNetwork);
  });
}

/* --- what is shown now: asked of the server, and kept while nobody answers ------------------- */

let tag = "";
let told = main.innerHTML;
let missed = 0;
let lost = 0; // since when nobody answers
let isRevoked = false;
let isAsking = false;

function sayNetwork() {
  const section = pages[at]?.section;
  if (!foot || !section) return;
  const { offline, revoked, silent } = section.dataset;
  const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const isSilent = "rings" in section.dataset && sound().state === "suspended";
  let words = isSilent ? silent : "";
  if (isRevoked) words = revoked;
  else if (missed >= MISSED) words = localDigits(offline.replace("{time}", clock.format(lost)), section.lang);
  network.classList.toggle("is-bad", isRevoked || missed >= MISSED);
  put(network, words);
}

function change(html) {
  if (html === told) return;
  told = html;
  // Made by our templates, which write every name safely.
  main.innerHTML = html;
  layOut();
  tick();
}

function revoke() {
  isRevoked = true;
  tag = "";
  told = "";
  for (const block of main.querySelectorAll(".block")) block.replaceChildren();
  layOut();
}

/** Load the page of a new release, not again and again where several servers differ. */
function renew() {
  const last = Number(sessionStorage.getItem("renewed") ?? 0);
  if (Date.now() - last < RENEW_AFTER) return;
  sessionStorage.setItem("renewed", Date.now());
  location.reload();
}

async function ask() {
  if (isAsking) return;
  isAsking = true;
  const asked = Date.now();
  try {
    const answer = await fetch(main.dataset.now, {
      cache: "no-store",
      headers: tag ? { "If-None-Match": tag } : {},
      signal: AbortSignal.timeout?.(ANSWER_WITHIN), // browsers of older televisions wait
    });
    if (![200, 304, 404].includes(answer.status)) throw new Error(answer.statusText);
    const received = Date.now();
    const html = answer.status === 200 ? await answer.text() : "";
    if (answer.headers.has("Now")) setClock(Number(answer.headers.get("Now")), asked, received);
    if (answer.status === 404) revoke();
    else isRevoked = false;
    if (answer.status === 200) {
      if (answer.headers.get("Release") !== main.dataset.release) renew();
      tag = answer.headers.get("ETag") ?? "";
      change(html);
    }
    missed = 0;
  } catch {
    if (missed === 0) lost = asked;
    missed += 1;
  }
  isAsking = false;
  sayNetwork();
}

/* The one place for news: whoever hears that something changed tells it here, for example a stream
   of changes by `document.dispatchEvent(new Event("screen:changed"))`. */
document.addEventListener("screen:changed", ask);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) ask();
});
addEventListener("resize", layOut);
document.fonts.ready.then(layOut);

function stayAwake() {
  navigator.wakeLock?.request("screen").catch(() => {
    /* the computer of the hall is then set not to sleep by hand */
  });
}

layOut();
tick();
ask();
stayAwake();
document.addEventListener("visibilitychange", stayAwake);
setInterval(ask, ASK_EVERY);
setInterval(tick, 200);
