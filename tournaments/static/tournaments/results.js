/* Typing results: the names of a table while its number is typed, Enter from field to field. */

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

showNames();
goOnWithEnter();
