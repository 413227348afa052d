// Keeps #live up to date: fetches this page again and changes only what differs, so that nothing flickers or jumps.
"use strict";

const PAUSE = 3000; // milliseconds between two looks
const PATIENCE = 10000;
const live = document.getElementById("live");
const note = document.getElementById("note");
const button = document.getElementById("pause");
let paused = false;

function say(text) {
  if (note.textContent !== text) note.textContent = text;
}

function mend(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (old.nodeName !== fresh.nodeName || old.nodeType !== Node.ELEMENT_NODE) {
    old.replaceWith(fresh);
    return;
  }
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  const before = [...old.childNodes];
  const after = [...fresh.childNodes];
  after.forEach((node, index) => (index < before.length ? mend(before[index], node) : old.append(node)));
  before.slice(after.length).forEach((node) => node.remove());
}

async function look() {
  const answer = await fetch(location.href, { signal: AbortSignal.timeout(PATIENCE) });
  if (!answer.ok) throw new Error(answer.statusText);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!paused) mend(live, page.getElementById("live"));
}

async function watch() {
  if (!paused && !document.hidden) {
    try {
      await look();
      if (!paused) say("Refreshes by itself.");
    } catch {
      say("The arena does not answer; this is what it said last. Trying again.");
    }
  }
  setTimeout(watch, PAUSE);
}

if (live) {
  button.hidden = false;
  button.addEventListener("click", () => {
    paused = !paused;
    button.textContent = paused ? "Go on" : "Pause";
    say(paused ? "Paused." : "Refreshes by itself.");
  });
  say("Refreshes by itself.");
  setTimeout(watch, PAUSE);
}
