// Makes a part of the page what the server says it is now, and touches nothing that is the same:
// what the reader opened, scrolled, typed or has the focus on stays as it is.

const ownOf = {
  // What only the reader changes.
  DETAILS: new Set(["open"]),
  INPUT: new Set(["value", "checked"]),
  SELECT: new Set(["value"]),
  TEXTAREA: new Set(["value"]),
  BUTTON: new Set(["aria-busy"]),
};

// What tells one row from another, wherever it stands now.
const keyOf = (node) =>
  node.nodeType === Node.ELEMENT_NODE
    ? node.id || (/^(TR|LI|SECTION)$/.test(node.nodeName) && node.querySelector("[id]")?.id) || ""
    : "";

function attributes(from, to) {
  const own = ownOf[from.nodeName];
  for (const { name, value } of [...to.attributes]) {
    if (!own?.has(name) && from.getAttribute(name) !== value) from.setAttribute(name, value);
  }
  for (const { name } of [...from.attributes]) {
    if (!own?.has(name) && !to.hasAttribute(name)) from.removeAttribute(name);
  }
}

function children(from, to) {
  const keyed = new Map();
  for (const one of from.childNodes) if (keyOf(one)) keyed.set(keyOf(one), one);
  const wanted = new Set([...to.childNodes].map(keyOf));
  let at = from.firstChild;
  for (const next of [...to.childNodes]) {
    const key = keyOf(next);
    let found = key ? keyed.get(key) : null;
    if (found && found.nodeName !== next.nodeName) found = null;
    // Rows that are gone stand in nobody's way, nor do those that come later.
    if (!found) {
      while (!key && at && keyOf(at) && !wanted.has(keyOf(at))) at = removed(at);
      if (at && !key && !keyOf(at) && at.nodeName === next.nodeName) found = at;
    }
    if (!found) from.insertBefore(document.importNode(next, true), at);
    else {
      if (found === at) at = at.nextSibling;
      else from.insertBefore(found, at);
      morph(found, next);
    }
  }
  while (at) at = removed(at);
}

function removed(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}

/** Make `from` equal to `to`, which is of another document. */
export function morph(from, to) {
  if (from.nodeType !== Node.ELEMENT_NODE) {
    if (from.data !== to.data) from.data = to.data;
    return;
  }
  if (from.isEqualNode(to)) return;
  attributes(from, to);
  // A running clock writes its own digits, a script its own words; a text box has its own text.
  const { clock, own } = from.dataset;
  if (clock === undefined && own === undefined && from.nodeName !== "TEXTAREA") children(from, to);
}
