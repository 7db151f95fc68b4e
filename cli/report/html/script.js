"use strict";
// Makes tables sortable, marks tables that are wider than the page, and shows one heat map at a
// time; without it the page shows all maps.

for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const value = (row, index) => {
    const text = row.cells[index].textContent.trim();
    return heads[index].classList.contains("number") ? parseFloat(text.replaceAll(",", "")) : text;
  };
  const compare = (a, b) => {
    if (typeof a === "string") return a.localeCompare(b);
    return (Number.isNaN(a) ? -Infinity : a) - (Number.isNaN(b) ? -Infinity : b);
  };
  heads.forEach((head, index) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") !== "descending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...body.rows].sort((a, b) => compare(value(a, index), value(b, index)));
      body.append(...(down ? rows.reverse() : rows));
    });
  });
}

const mark = (box) => {
  const hidden = box.scrollWidth - box.clientWidth;
  box.classList.toggle("wider", hidden > 1);
  box.classList.toggle("more", hidden - box.scrollLeft > 1);
};
const widths = new ResizeObserver((entries) => entries.forEach((entry) => mark(entry.target)));
for (const box of document.querySelectorAll(".scroll")) {
  widths.observe(box);
  box.addEventListener("scroll", () => mark(box));
}

const maps = [...document.querySelectorAll(".heat")];
if (maps.length > 1) {
  const choice = document.createElement("div");
  choice.className = "choice";
  choice.setAttribute("role", "group");
  choice.setAttribute("aria-label", "Digit");
  const show = (name) => {
    for (const map of maps) map.hidden = map.dataset.name !== name;
    for (const button of choice.children) {
      button.setAttribute("aria-pressed", String(button.textContent === name));
    }
  };
  for (const map of maps) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = map.dataset.name;
    button.addEventListener("click", () => show(map.dataset.name));
    choice.append(button);
  }
  const shown = document.querySelector(".maps");
  shown.classList.add("one");
  shown.before(choice);
  show(maps[0].dataset.name);
}
