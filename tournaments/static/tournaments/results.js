/* Typing results: the names of a table while its number is typed, Enter from field to field, and
   no page to wait for: what is typed while an answer is on its way goes into the next form. */

const FORMS = "[data-table-form], [data-score-form]";
const SCORE = /^[\d٠-٩۰-۹\s:.,–-]$/;

let busy = false;
let ahead = [];

const digits = /[٠-٩۰-۹]/g;

function latin(text) {
  return text.trim().replace(digits, (one) => String(one.codePointAt(0) % 16));
}

function showNames() {
  const field = document.querySelector("[data-table-form] #id_table");
  const output = document.querySelector("[data-table-names]");
  const written = document.getElementById("table-names");
  if (!field || !output || !written) return;
  const names = JSON.parse(written.textContent);
  const show = () => {
    const typed = latin(field.value);
    const found = names[String(Number(typed))];
    output.replaceChildren();
    if (!typed) return;
    if (!found) {
      output.textContent = output.dataset.unknown;
      return;
    }
    for (const side of found.sides) {
      const name = document.createElement("bdi");
      name.textContent = side;
      const line = document.createElement("span");
      line.append(name);
      output.append(line);
    }
    if (found.closed) output.append(` ${output.dataset.closed}`);
  };
  field.addEventListener("input", show);
  show();
}

/* Enter goes on to the next empty field; a first field with both scores is sent at once. */
function goOnWithEnter() {
  const form = document.querySelector("[data-score-form]");
  if (!form) return;
  form.addEventListener("keydown", (event) => {
    const field = event.target;
    if (event.key !== "Enter" || !field.matches("[data-score]")) return;
    const fields = [...form.querySelectorAll("[data-score]")];
    const next = fields[fields.indexOf(field) + 1];
    const isWhole = /\d\D+\d/.test(latin(field.value));
    if (next && !next.value && field.value && !isWhole) {
      event.preventDefault();
      next.focus();
    }
  });
  const wrong = form.querySelector(".has-error input");
  const first = form.querySelector("[data-score]");
  (wrong ?? first)?.focus();
  (wrong ?? first)?.select();
}

/* Keys that come while a form is on its way are kept, in order. */
document.addEventListener(
  "keydown",
  (event) => {
    if (!busy || !event.isTrusted || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key !== "Enter" && !SCORE.test(event.key)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    ahead.push(event.key);
  },
  true,
);

/* Send a form and put the answer in place of this page, without leaving it. */
async function send(form, submitter) {
  busy = true;
  const fields = new URLSearchParams(new FormData(form, submitter));
  const asks = form.method === "get";
  const address = asks ? `${form.action.split("?")[0]}?${fields}` : form.action;
  try {
    const answer = await fetch(address, asks ? {} : { method: "POST", body: fields });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const main = page.querySelector("main");
    if (!main || !answer.url.includes("/results/")) return location.assign(answer.url);
    document.querySelector("main").replaceChildren(...main.childNodes);
    document.title = page.title;
    history.replaceState(null, "", answer.url);
    start();
  } catch {
    // The network is gone: the browser says so in its own words, as without scripts.
    busy = false;
    form.submit();
  }
  return undefined;
}

document.addEventListener("submit", (event) => {
  if (!event.target.matches(FORMS)) return;
  event.preventDefault();
  if (!busy) send(event.target, event.submitter);
});

/* Type what was kept into the form that is here now; the rest waits for the next. */
function typeAhead() {
  busy = false;
  const keys = ahead;
  ahead = [];
  const form = document.querySelector(FORMS);
  if (!form) return;
  // A page with a question or a refusal is read before it is answered.
  if (document.querySelector("main [role=alert], main .has-error")) return;
  for (const [place, key] of keys.entries()) {
    const field = document.activeElement;
    if (!form.contains(field)) return;
    if (key !== "Enter") {
      field.setRangeText(key, field.selectionStart, field.selectionEnd, "end");
      field.dispatchEvent(new Event("input", { bubbles: true }));
    } else if (field.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }))) {
      ahead = keys.slice(place + 1);
      return form.requestSubmit();
    }
  }
}

function start() {
  showNames();
  goOnWithEnter();
  document.querySelector("[data-table-form] #id_table")?.focus();
  typeAhead();
}

start();
