// A box in which a name is drawn with a finger, a pen or a mouse.
import { h } from "./dom.js";

// The box is counted as 1000 by 400, whatever its size on the screen.
const WIDTH = 1000;
const HEIGHT = 400;
const MOST_POINTS = 2000;
// Fewer points than these are a dot or a slip of the finger.
const FEWEST_POINTS = 8;
// Points nearer than this to the one before add nothing that the eye sees.
const NEAR = 7;

const within = (number, most) => Math.min(most, Math.max(0, Math.round(number)));

/** Build the box; `strokes` are lines drawn before, as lists of x, y, x, y … */
export function signaturePad(label, strokes = []) {
  const canvas = h("canvas", {
    class: "signature-pad",
    width: WIDTH,
    height: HEIGHT,
    role: "img",
    "aria-label": label,
  });
  const pen = canvas.getContext("2d");
  let line = null;

  const points = () => strokes.reduce((sum, one) => sum + one.length / 2, 0);

  function draw() {
    pen.clearRect(0, 0, WIDTH, HEIGHT);
    pen.lineWidth = 6;
    pen.lineCap = "round";
    pen.lineJoin = "round";
    pen.strokeStyle = getComputedStyle(canvas).color;
    for (const one of strokes) {
      pen.beginPath();
      pen.moveTo(one[0], one[1]);
      for (let at = 0; at < one.length; at += 2) pen.lineTo(one[at], one[at + 1]);
      pen.stroke();
    }
  }

  function add(event) {
    const box = canvas.getBoundingClientRect();
    const x = within(((event.clientX - box.left) / box.width) * WIDTH, WIDTH);
    const y = within(((event.clientY - box.top) / box.height) * HEIGHT, HEIGHT);
    const [lastX, lastY] = line.slice(-2);
    if (line.length && Math.hypot(x - lastX, y - lastY) < NEAR) return;
    if (points() >= MOST_POINTS) return;
    line.push(x, y);
    draw();
  }

  canvas.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    if (points() >= MOST_POINTS) return;
    canvas.setPointerCapture(event.pointerId);
    line = [];
    strokes.push(line);
    add(event);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (line) add(event);
  });
  for (const end of ["pointerup", "pointercancel"])
    canvas.addEventListener(end, () => {
      line = null;
    });

  requestAnimationFrame(draw);
  return {
    canvas,
    strokes,
    get isEmpty() {
      return points() < FEWEST_POINTS;
    },
    clear() {
      strokes.length = 0;
      draw();
    },
  };
}
