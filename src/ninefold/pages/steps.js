"use strict";
document.querySelectorAll("figure.game").forEach(function (figure) {
  const moves = figure.querySelectorAll(".moves li");
  const marks = figure.querySelectorAll(".mark");
  const last = moves.length;
  let now = last;

  const controls = document.createElement("div");
  controls.className = "controls";
  controls.setAttribute("role", "group");
  controls.setAttribute("aria-label", "Step through the game");
  const said = document.createElement("span");
  said.setAttribute("aria-live", "polite");

  function show(step) {
    now = Math.max(0, Math.min(last, step));
    marks.forEach(function (mark) {
      const until = mark.dataset.until;
      const there = Number(mark.dataset.from) <= now && (!until || now < Number(until));
      mark.classList.toggle("gone", !there);
    });
    moves.forEach(function (move, at) {
      if (at + 1 === now) move.setAttribute("aria-current", "step");
      else move.removeAttribute("aria-current");
    });
    figure.classList.toggle("stepping", now < last);
    const move = now ? now + ". " + moves[now - 1].textContent : "The start";
    said.textContent = move + " (" + now + " of " + last + ")";
  }

  [["First", () => 0], ["Back", () => now - 1], ["Next", () => now + 1], ["Last", () => last]]
    .forEach(function ([name, target]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = name;
      button.addEventListener("click", () => show(target()));
      controls.append(button);
    });
  controls.addEventListener("keydown", function (event) {
    const target = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    show(target);
  });
  controls.append(said);
  figure.querySelector("svg").after(controls);
});
