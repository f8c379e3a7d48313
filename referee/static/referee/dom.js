// Small help for building elements; nothing here knows about dominoes.

/** Build an element: h("button", {class: "tile", onclick: f}, "text", other). */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(
    ...children
      .flat(Infinity)
      .filter((child) => child !== null && child !== false && child !== undefined),
  );
  return element;
}

/** A button named `key`: button("undo", "small", act, "Undo"); attributes may stand for the class. */
export function button(key, look, onclick, ...content) {
  const attributes = typeof look === "string" ? { class: look } : look;
  const { class: kind = "", ...rest } = attributes;
  const named = { type: "button", class: `button ${kind}`.trim(), "data-key": key, onclick };
  return h("button", { ...named, ...rest }, ...content);
}

/**
 * Put `children` into `container`, keeping the focus where it was.
 *
 * An element that may hold the focus over a redraw carries `data-key`; when it is gone,
 * the focus goes to the element with `data-focus-next`, never back to the top of the page.
 * What was folded open stays open, where its summary carries `data-key`.
 */
export function redraw(container, ...children) {
  const active = document.activeElement;
  const held = container.contains(active) && active !== container;
  const key = held ? active.dataset.key : null;
  const opened = [...container.querySelectorAll("details[open] > summary[data-key]")];
  container.replaceChildren(...children.flat(Infinity).filter(Boolean));
  for (const { dataset } of opened) {
    const summary = container.querySelector(`summary[data-key="${CSS.escape(dataset.key)}"]`);
    if (summary) summary.parentElement.open = true;
  }
  if (!held) return;
  const same = key && container.querySelector(`[data-key="${CSS.escape(key)}"]:not(:disabled)`);
  (same || container.querySelector("[data-focus-next]"))?.focus({ preventScroll: true });
}

/** Read a JSON document embedded in the page. */
export function embedded(id) {
  return JSON.parse(document.getElementById(id).textContent);
}

/** What this device keeps under `name`; null where it keeps nothing or may not. */
export function remembered(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Keep `text` on this device, or forget what was kept. */
export function remember(name, text) {
  try {
    if (text === null) localStorage.removeItem(name);
    else localStorage.setItem(name, text);
  } catch {
    // No storage, as in a private window: it lasts as long as the page does.
  }
}

/** A random UUID, also where the page is not served over HTTPS. */
export function newKey() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join("-");
}
