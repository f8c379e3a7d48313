/* Exchanges two places by dragging one onto the other; the page works by its radio buttons alone. */

const form = document.querySelector("[data-swap]");

function picked(name) {
  return document.querySelector(`input[name="${name}"][form="swap"]:checked`);
}

function ask(one, other) {
  if (!one || !other || one === other) return;
  for (const [name, value] of [["one", one], ["other", other]]) {
    const radio = document.querySelector(`input[name="${name}"][form="swap"][value="${value}"]`);
    if (radio) radio.checked = true;
  }
  form.requestSubmit();
}

// What a change costs was asked for: Enter makes it. After the browser went to the fragment,
// which takes the focus away.
addEventListener("load", () => {
  setTimeout(() => document.querySelector("#change .button.primary")?.focus(), 0);
});

if (form) {
  let dragged = "";
  for (const place of document.querySelectorAll("[data-entry]")) {
    place.addEventListener("dragstart", (event) => {
      dragged = place.dataset.entry;
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/plain", dragged);
      place.classList.add("is-dragged");
    });
    place.addEventListener("dragend", () => {
      dragged = "";
      place.classList.remove("is-dragged");
    });
    place.addEventListener("dragover", (event) => {
      if (!dragged || dragged === place.dataset.entry) return;
      event.preventDefault();
      place.classList.add("is-target");
    });
    place.addEventListener("dragleave", () => place.classList.remove("is-target"));
    place.addEventListener("drop", (event) => {
      event.preventDefault();
      place.classList.remove("is-target");
      ask(dragged, place.dataset.entry);
    });
  }
  // A mouse or a finger that picks the second one asks at once; the keyboard moves through the
  // choices with its arrows and asks with Enter.
  document.addEventListener("pointerup", (event) => {
    const label = event.target.closest?.(".adjust-entry .pick");
    if (label) setTimeout(() => ask(picked("one")?.value, picked("other")?.value), 0);
  });
}
