// A sheet that rises from the bottom edge and asks one thing.
import { h } from "./dom.js";
import { say } from "./words.js";

let count = 0;

/**
 * Open a modal sheet. `build(close, refresh)` returns its children and is called again by
 * `refresh()`; the focus returns to where it was when the sheet closes.
 */
export function openSheet(title, build, { onclose } = {}) {
  const heading = `sheet-${(count += 1)}`;
  const body = h("div", { class: "sheet-body" });
  const close = () => dialog.close();
  const dialog = h(
    "dialog",
    { class: "dialog sheet", "aria-labelledby": heading },
    h(
      "div",
      { class: "sheet-head" },
      h("h2", { id: heading, tabindex: "-1", autofocus: true }, title),
      h(
        "button",
        {
          type: "button",
          class: "button quiet sheet-close",
          "aria-label": say("close"),
          onclick: close,
        },
        "×",
      ),
    ),
    body,
  );
  const refresh = () => {
    const key = document.activeElement?.dataset?.key;
    const scrolled = dialog.scrollTop;
    // What was folded open stays open, so that several measures are added one after another.
    const opened = [...body.querySelectorAll("details[open] > summary[data-key]")];
    body.replaceChildren(...build(close, refresh).flat(Infinity).filter(Boolean));
    for (const { dataset } of opened) {
      const summary = body.querySelector(`summary[data-key="${CSS.escape(dataset.key)}"]`);
      if (summary) summary.parentElement.open = true;
    }
    if (key) body.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
    dialog.scrollTop = scrolled;
  };
  const before = document.activeElement;
  const key = before?.dataset?.key;
  dialog.addEventListener("close", () => {
    dialog.remove();
    onclose?.();
    const back = before?.isConnected
      ? before
      : key && document.querySelector(`[data-key="${CSS.escape(key)}"]`);
    (back || document.querySelector("[data-focus-next]"))?.focus({ preventScroll: true });
  });
  dialog.addEventListener("click", (event) => event.target === dialog && close());
  document.body.append(dialog);
  refresh();
  dialog.showModal();
  return { close, refresh };
}
