// Parts that refresh themselves keep what the reader opened, scrolled to and looks at.
let kept = null;

const wraps = (root) => root.querySelectorAll(".table-wrap[id]");

// The first named thing in sight: whatever grows above it must not push it away.
const inSight = (root) => {
  for (const one of root.querySelectorAll("[id]")) {
    const { top, bottom } = one.getBoundingClientRect();
    if (bottom > 0 && top >= 0 && top < window.innerHeight) return { id: one.id, top };
  }
  return null;
};

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (!detail.shouldSwap) return;
  kept = {
    details: new Map([...detail.target.querySelectorAll("details[id]")].map((one) => [one.id, one.open])),
    scrolled: new Map([...wraps(detail.target)].map((one) => [one.id, one.scrollLeft])),
    sight: window.scrollY > 0 ? inSight(detail.target) : null,
  };
});

document.addEventListener("htmx:afterSwap", () => {
  if (!kept) return;
  for (const [id, open] of kept.details) {
    const one = document.getElementById(id);
    if (one) one.open = open;
  }
  for (const [id, left] of kept.scrolled) {
    const one = document.getElementById(id);
    if (one) one.scrollLeft = left;
  }
  const seen = kept.sight && document.getElementById(kept.sight.id);
  if (seen) window.scrollBy(0, seen.getBoundingClientRect().top - kept.sight.top);
  kept = null;
});
