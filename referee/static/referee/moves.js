// Goes through the moves of a round: by buttons, by keys, by the slider, or by itself.
// Without it every move is a link of its own. What comes and goes with the moves is all in the
// page, with the step from which it is there and the one from which it is not.
//
// Of a match in play new moves come by themselves. Who stands at the last move follows them; who
// looks at another one stays there, and a button tells how many there are.
const find = (name) => document.getElementById(`moves-${name}`);
const isFromRight = document.dir === "rtl";
const [ahead, behind] = isFromRight ? ["ArrowLeft", "ArrowRight"] : ["ArrowRight", "ArrowLeft"];

let root = null;
let last = 0;
let round = "";
let after;
let at = 0;
let timer = null;
let told = "";
let playsWord = "";
let items = new Map();
let passing = [];
let steps = {};

const address = (step) => `?round=${round}&move=${step}#moves`;

/** Take up the moves the page has now. */
function read() {
  root = document.getElementById("moves");
  last = Number(root.dataset.last);
  ({ round, after } = root.dataset);
  items = new Map();
  for (const item of root.querySelectorAll("[data-step]")) items.set(Number(item.dataset.step), item);
  passing = root.querySelectorAll("[data-since]");
  steps = Object.fromEntries(
    [...root.querySelectorAll("[data-go]")].map((link) => [link.dataset.go, link]),
  );
  for (const name of ["auto", "slide"]) root.querySelector(`.moves-${name}`).hidden = false;
}

function show(step) {
  mark(step);
  history.replaceState(null, "", address(at));
  tellNews(0);
}

/** Show the page as `step` has it; its list only scrolls for a step the reader asked for. */
function mark(step, scrolls = true) {
  at = Math.min(Math.max(step, 0), last);
  for (const one of passing) {
    const { since, until } = one.dataset;
    const isThere = Number(since) <= at && (until === undefined || at < Number(until));
    one.toggleAttribute("data-away", !isThere);
  }
  for (const [number, item] of items) {
    if (number === at) item.setAttribute("aria-current", "step");
    else item.removeAttribute("aria-current");
  }
  const item = items.get(at);
  const words = item.querySelector(".move-said").textContent.replace(/\s+/g, " ").trim();
  // The same move is not said again; another one is, though it may read the same.
  const moment = `${round}.${at}`;
  if (told !== moment || find("said").textContent !== words) find("said").textContent = words;
  told = moment;
  const count = find("count");
  count.textContent = count.dataset.says.replace("@", numberOf(item));
  find("slider").value = at;
  find("slider").setAttribute("aria-valuetext", words);
  steps.back.href = at ? address(at - 1) : (root.dataset.before ?? address(0));
  steps.on.href = at < last ? address(at + 1) : (after ?? address(last));
  find("here")?.setAttribute("href", address(at));
  if (!scrolls) return;
  // Only the list scrolls: the page stays where the reader has it.
  const list = root.querySelector(".moves-scroll");
  const top = item.offsetTop;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + item.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = top + item.offsetHeight - list.clientHeight;
  }
}

/** The number of a step as the page writes it. */
const numberOf = (item) => item.querySelector(".event-number").textContent;

// --- by itself -------------------------------------------------------------------------------

function stop() {
  clearInterval(timer);
  timer = null;
  sayPlays();
}

function sayPlays() {
  const player = find("play");
  player.setAttribute("aria-pressed", String(Boolean(timer)));
  player.textContent = timer ? player.dataset.stop : playsWord;
}

function play() {
  if (at === last) show(0);
  timer = setInterval(() => {
    show(at + 1);
    if (at === last) stop();
  }, Number(find("speed").value));
  sayPlays();
}

// --- moves that come while the page is open --------------------------------------------------

let news = 0;

function tellNews(count) {
  news = count;
  const button = find("news");
  button.hidden = !news;
  const step = items.get(news);
  // The digits are those of the page: the numbers of its own steps.
  button.textContent = news ? button.dataset.says.replace("@", step ? numberOf(step) : news) : "";
}

/** Go on in another round, where the page has asked for it. */
function goTo(number) {
  const { dataset } = find("part");
  if (dataset.live === undefined) return;
  dataset.live = dataset.live.replace(/round=\d+/, `round=${number}`);
  document.dispatchEvent(new Event("live:ask"));
}

document.addEventListener("live:shown", ({ target }) => {
  if (target.id !== "moves-part" || !document.getElementById("moves")) return;
  if (!root) {
    begin();
    mark(last);
    return;
  }
  const was = { at, last, round, news, after };
  const follows = !timer && was.at === was.last;
  read();
  sayPlays();
  if (was.round !== round) {
    // The next round, as it is: whoever followed the last one is at its newest move.
    mark(last);
    return;
  }
  mark(follows ? last : was.at, follows && last !== was.last);
  if (!follows) tellNews(Math.max(0, was.news + last - was.last));
  else if (last !== was.last && location.search) history.replaceState(null, "", address(at));
  // A round has begun: on to it, but not for who opened the page at the end of an earlier one.
  if (follows && after && !was.after) goTo(Number(round) + 1);
});

// --- the reader ------------------------------------------------------------------------------

/** Go one step; from an end of the round to the round beside it, where there is one. */
function step(by) {
  const beside = by < 0 ? root.dataset.before : after;
  const isAtEnd = by < 0 ? at === 0 : at === last;
  if (isAtEnd && beside) location.assign(beside);
  else show(at + by);
}

const acts = { first: () => show(0), back: () => step(-1), on: () => step(1), last: () => show(last) };

function clicked(event) {
  if (event.target.closest("#moves-play")) {
    if (timer) stop();
    else play();
    return;
  }
  if (event.target.closest("#moves-news")) {
    stop();
    show(last);
    // The button goes; what it showed is where the reader is.
    steps.on.focus({ preventScroll: true });
    return;
  }
  const link = event.target.closest("a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const go = acts[link.dataset.go];
  const item = link.closest("[data-step]");
  if (!go && !item) return;
  event.preventDefault();
  stop();
  if (go) go();
  else show(Number(item.dataset.step));
}

function pressed(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("select, textarea")) return;
  const act = { [ahead]: acts.on, [behind]: acts.back, Home: acts.first, End: acts.last }[event.key];
  if (!act) return;
  event.preventDefault();
  stop();
  act();
}

function begin() {
  read();
  at = Number(root.dataset.at);
  playsWord = find("play").textContent;
  root.addEventListener("click", clicked);
  root.addEventListener("input", ({ target }) => {
    if (target.id !== "moves-slider") return;
    stop();
    show(Number(target.value));
  });
  root.addEventListener("change", ({ target }) => {
    if (target.id !== "moves-speed" || !timer) return;
    clearInterval(timer);
    play();
  });
  document.addEventListener("keydown", pressed);
}

if (document.getElementById("moves")) {
  begin();
  mark(at);
  // A page for whoever came without a move stays at its top; "last" is no move to pass on.
  if (location.search.includes("move=last")) history.replaceState(null, "", address(at));
}
