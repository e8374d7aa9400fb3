"use strict";
const all = (selector) => [...document.querySelectorAll(selector)];
const by = (id) => document.getElementById(id);
document.documentElement.classList.add("script");

// Buttons that copy a text.
for (const button of all("[data-copy]")) {
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(by(button.dataset.copy).textContent);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not allowed here";
    }
    setTimeout(() => { button.textContent = label; }, 1500);
  });
}

// The parts of the program with their reasons.
const parts = all("a.part");
const choose = (part) => {
  for (const other of parts) {
    const reason = by(other.hash.slice(1));
    const chosen = other === part;
    reason.classList.toggle("chosen", chosen);
    if (chosen) other.setAttribute("aria-current", "true"); else other.removeAttribute("aria-current");
  }
};
for (const part of parts) {
  part.title = by(part.hash.slice(1)).textContent;
  part.addEventListener("click", (event) => {
    event.preventDefault();
    choose(part.hasAttribute("aria-current") ? null : part);
  });
}
const reasons = by("reasons");
reasons.hidden = parts.length === 0;
reasons.addEventListener("click", () => {
  const shown = reasons.getAttribute("aria-pressed") !== "true";
  reasons.setAttribute("aria-pressed", String(shown));
  for (const code of all(".code")) code.classList.toggle("all", shown);
});

// One step at a time.
const steps = all("#steps > .step");
if (steps.length > 0) {
  const slider = by("step");
  const dots = new Map(all("circle[data-step]").map((dot) => [Number(dot.dataset.step), dot]));
  let now = -1;
  const show = (at) => {
    at = Math.max(0, Math.min(steps.length - 1, at));
    if (at === now) return;
    const last = steps[now];
    if (last) last.hidden = true;
    dots.get(now + 1)?.classList.remove("now");
    now = at;
    steps[at].hidden = false;
    steps[at].open = true;
    dots.get(at + 1)?.classList.add("now");
    slider.value = at + 1;
    slider.setAttribute("aria-valuetext", steps[at].querySelector("summary").textContent);
    by("number").textContent = at + 1;
  };
  for (const step of steps) step.hidden = true;
  by("player").hidden = false;
  show(0);
  slider.addEventListener("input", () => show(Number(slider.value) - 1));
  by("back").addEventListener("click", () => show(now - 1));
  by("next").addEventListener("click", () => show(now + 1));
  for (const [number, dot] of dots) dot.addEventListener("click", () => show(number - 1));
  document.addEventListener("keydown", (event) => {
    const other = event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || event.target === slider;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (other || !by) return;
    event.preventDefault();
    show(now + by);
  });
}
