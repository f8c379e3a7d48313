// Goes through the moves of a round: by buttons, by keys, by the slider, or by itself.
// Without it every move is a link of its own. What comes and goes with the moves is all in the
// page, with the step from which it is there and the one from which it is not.
const root = document.getElementById("moves");

if (root) {
  const last = Number(root.dataset.last);
  const round = root.dataset.round;
  const find = (name) => document.getElementById(`moves-${name}`);
  const said = find("said");
  const count = find("count");
  const slider = find("slider");
  const player = find("play");
  const speed = find("speed");
  const here = find("here");
  const list = root.querySelector(".moves-scroll");
  const items = new Map();
  for (const item of root.querySelectorAll("[data-step]")) items.set(Number(item.dataset.step), item);
  const passing = root.querySelectorAll("[data-since]");
  const steps = Object.fromEntries(
    [...root.querySelectorAll("[data-go]")].map((link) => [link.dataset.go, link]),
  );
  const ahead = document.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
  const behind = document.dir === "rtl" ? "ArrowRight" : "ArrowLeft";
  const playsWord = player.textContent;
  let at = Number(root.dataset.at);
  let timer = null;

  const address = (step) => `?round=${round}&move=${step}#moves`;

  function show(step) {
    mark(step);
    history.replaceState(null, "", address(at));
  }

  function mark(step) {
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
    said.textContent = item.querySelector(".move-said").textContent.replace(/\s+/g, " ").trim();
    count.textContent = count.dataset.says.replace("@", item.querySelector(".event-number").textContent);
    slider.value = at;
    slider.setAttribute("aria-valuetext", said.textContent);
    steps.back.href = at ? address(at - 1) : (root.dataset.before ?? address(0));
    steps.on.href = at < last ? address(at + 1) : (root.dataset.after ?? address(last));
    if (here) here.href = address(at);
    // Only the list scrolls: the page stays where the reader has it.
    const top = item.offsetTop;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + item.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = top + item.offsetHeight - list.clientHeight;
    }
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    player.setAttribute("aria-pressed", "false");
    player.textContent = playsWord;
  }

  function play() {
    if (at === last) show(0);
    player.setAttribute("aria-pressed", "true");
    player.textContent = player.dataset.stop;
    timer = setInterval(() => {
      show(at + 1);
      if (at === last) stop();
    }, Number(speed.value));
  }

  /** Go one step; from an end of the round to the round beside it, where there is one. */
  function step(by) {
    const beside = by < 0 ? root.dataset.before : root.dataset.after;
    const isAtEnd = by < 0 ? at === 0 : at === last;
    if (isAtEnd && beside) location.assign(beside);
    else show(at + by);
  }

  const acts = { first: () => show(0), back: () => step(-1), on: () => step(1), last: () => show(last) };

  root.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const go = acts[link.dataset.go];
    const item = link.closest("[data-step]");
    if (!go && !item) return;
    event.preventDefault();
    stop();
    if (go) go();
    else show(Number(item.dataset.step));
  });
  slider.addEventListener("input", () => {
    stop();
    show(Number(slider.value));
  });
  player.addEventListener("click", () => (timer ? stop() : play()));
  speed.addEventListener("change", () => {
    if (!timer) return;
    clearInterval(timer);
    play();
  });

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("select, textarea")) return;
    const act = { [ahead]: acts.on, [behind]: acts.back, Home: acts.first, End: acts.last }[event.key];
    if (!act) return;
    event.preventDefault();
    stop();
    act();
  });

  for (const hidden of root.querySelectorAll("[hidden]")) hidden.hidden = false;
  mark(at);
  // A page for whoever came without a move stays at its top; "last" is no move to pass on.
  if (location.search.includes("move=last")) history.replaceState(null, "", address(at));
}
