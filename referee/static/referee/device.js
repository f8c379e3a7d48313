// What the phone itself can do for a referee: stay awake, and answer a tap in the hand.

/** Keep the screen on while the page is looked at, where the browser can. */
export function keepAwake() {
  const hold = () => {
    if (!document.hidden) navigator.wakeLock?.request("screen").catch(() => {});
  };
  document.addEventListener("visibilitychange", hold);
  document.addEventListener("pointerdown", hold, { once: true });
}

/** A short tremble for what was recorded, three for what was refused. */
export function tremble(refused = false) {
  navigator.vibrate?.(refused ? [40, 40, 40, 40, 40] : 12);
}
