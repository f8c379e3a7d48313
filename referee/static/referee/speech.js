// The live region: every change of the table as whole sentences.

const region = () => document.getElementById("announcer");

let timer = null;
let said = [];

/** Say `sentences`; those said within one moment are read together, in order. */
export function announce(...sentences) {
  said.push(...sentences.filter(Boolean));
  clearTimeout(timer);
  timer = setTimeout(() => {
    const line = document.createElement("p");
    line.textContent = said.join(" ");
    said = [];
    region().append(line);
    while (region().childElementCount > 3) region().firstElementChild.remove();
  }, 60);
}
