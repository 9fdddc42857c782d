"use strict";
// Follow what is decided: whenever the server says that the log grew, fetch the page and put its parts in the place of
// those that are shown. What is fetched is parsed and nothing of it is run; what was opened stays open.
const here = location.origin + location.pathname + location.search; // without the password of the address
const summaries = (root) => [...root.querySelectorAll("details")];
const name = (part) => `${part.closest("[id]")?.id} ${part.dataset.name ?? part.querySelector("summary").textContent}`;

async function renew() {
  const answer = await fetch(here);
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const open = new Set(summaries(document).filter((part) => part.open).map(name));
  for (const part of summaries(fresh)) part.open = open.has(name(part));
  const focused = document.activeElement?.closest("main") && document.activeElement.getAttribute("href");
  for (const place of ["main", "#status"]) {
    const [old, now] = [document.querySelector(place), fresh.querySelector(place)];
    if (old && now && old.innerHTML !== now.innerHTML) old.replaceWith(now);
  }
  if (focused) document.querySelector(`main a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

let busy = false, grown = false, stream = null;

async function told() {
  grown = true;
  if (busy) return;
  busy = true;
  while (grown) {
    grown = false;
    await renew().catch(() => {}); // the server is gone; the stream connects again once it is back, and says so
  }
  busy = false;
}

function follow() {
  stream?.close(); // a browser has few connections to one server: a page that nobody sees holds none
  stream = document.hidden ? null : new EventSource(location.origin + "/live");
  if (stream) stream.onmessage = told;
}

document.addEventListener("visibilitychange", follow);
follow();
