/* The clock of a round. The server says when it ends; this only counts what is left. */

const RING_LATEST = 5000;

function said(milliseconds, language) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const two = new Intl.NumberFormat(language, { minimumIntegerDigits: 2, useGrouping: false });
  return `${two.format(Math.floor(seconds / 60))}:${two.format(seconds % 60)}`;
}

function ring(ends) {
  /* Once for each deadline, however often the page is opened. */
  try {
    if (sessionStorage.getItem("rung") === ends) return;
    sessionStorage.setItem("rung", ends);
    const audio = new AudioContext();
    const tone = audio.createOscillator();
    tone.frequency.value = 880;
    tone.connect(audio.destination);
    tone.start();
    tone.stop(audio.currentTime + 1.2);
  } catch {
    /* a browser that plays nothing shows the end all the same */
  }
}

function run(clock) {
  const label = clock.querySelector("[data-clock-label]");
  const shown = clock.querySelector("[data-clock-digits]");
  let offset = 0;
  let known = false;
  const tick = () => {
    /* The page changes by itself: the director may have given more time, or taken the clock away. */
    if (!clock.isConnected) return clearInterval(every);
    const starts = Date.parse(clock.dataset.starts);
    const ends = Date.parse(clock.dataset.ends);
    const now = Date.now() + offset;
    const isBefore = now < starts;
    const isOver = now >= ends;
    label.textContent = isOver ? clock.dataset.over : isBefore ? clock.dataset.before : clock.dataset.left;
    shown.textContent = said((isBefore ? starts : ends) - now, clock.lang);
    shown.hidden = isOver;
    clock.classList.toggle("over", isOver);
    if (known && isOver && now - ends < RING_LATEST) ring(clock.dataset.ends);
  };
  const ask = async () => {
    /* One deadline, the server's: how far is this device's clock from it? */
    const asked = Date.now();
    try {
      const answer = await (await fetch(clock.dataset.clock)).json();
      offset = Date.parse(answer.now) - (asked + Date.now()) / 2;
      known = true;
      tick();
    } catch {
      /* without a network the time known so far goes on */
    }
  };
  const every = setInterval(tick, 250);
  tick();
  ask();
  document.addEventListener("visibilitychange", () => {
    tick();
    if (!document.hidden) ask();
  });
}

const running = new WeakSet();

function runAll() {
  for (const clock of document.querySelectorAll("[data-clock]")) {
    if (!running.has(clock)) run(clock);
    running.add(clock);
  }
}

runAll();
document.addEventListener("live:shown", runAll);
