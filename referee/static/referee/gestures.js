// Swipes with several fingers: two, or three where the system keeps two for itself (iOS).

const SHORTEST = 60;

const mean = (touches, axis) =>
  [...touches].reduce((sum, one) => sum + one[axis], 0) / touches.length;
const middle = (touches) => ({ x: mean(touches, "clientX"), y: mean(touches, "clientY") });
const spread = ([one, other]) =>
  Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
const apart = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);

/** Call `up`, `left` or `down` when several fingers move there together; a pinch stays a pinch. */
export function swipes(acts) {
  let start = null;
  const begin = ({ touches }) => {
    const several = touches.length > 1 && !document.querySelector("dialog[open]");
    start = several ? { at: middle(touches), last: middle(touches), spread: spread(touches) } : null;
  };
  const move = (event) => {
    const { touches } = event;
    if (!start || touches.length < 2) return;
    start.last = middle(touches);
    const together = apart(start.last, start.at) >= Math.abs(spread(touches) - start.spread);
    // Left to itself the browser would scroll, and cancel the touch before it ends.
    if (together) event.preventDefault();
    else start = null;
  };
  const end = () => {
    if (!start) return undefined;
    const x = start.last.x - start.at.x;
    const y = start.last.y - start.at.y;
    start = null;
    if (Math.max(Math.abs(x), Math.abs(y)) < SHORTEST) return undefined;
    if (Math.abs(x) > Math.abs(y)) return x < 0 ? acts.left() : undefined;
    return y < 0 ? acts.up() : acts.down();
  };
  document.addEventListener("touchstart", begin, { passive: true });
  document.addEventListener("touchmove", move, { passive: false });
  document.addEventListener("touchend", end, { passive: true });
  document.addEventListener("touchcancel", () => {
    start = null;
  });
}
