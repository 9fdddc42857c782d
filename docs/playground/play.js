"use strict";
// What is typed goes to the engine, which runs in a worker; its answer is shown as text. The last one typed counts.
const policy = document.querySelector("#policy"), state = document.querySelector("#state");
const worker = new Worker("worker.js", { type: "module" });
let asked = null, waiting = false;

function show(id, items) {
  document.querySelector(id).replaceChildren(...items.map(([kind, text]) => {
    const item = document.createElement("li");
    item.className = kind;
    item.textContent = text;
    return item;
  }));
}

function ask() {
  if (waiting) return;
  asked = policy.value;
  waiting = true;
  worker.postMessage(asked);
}

worker.onerror = () => { state.textContent = "The engine could not be loaded: this site was made without it (make site)."; };
worker.onmessage = ({ data }) => {
  waiting = false;
  if (data.ready) return ask();
  state.textContent = data.summary;
  show("#findings", data.findings);
  show("#tests", data.tests);
  if (policy.value !== asked) ask();
};
policy.addEventListener("input", ask);
waiting = true;
