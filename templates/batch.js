const table = document.querySelector("table");
const rows = () => [...table.tBodies[0].rows];
const value = (row, index) => row.cells[index].dataset.sort ?? row.cells[index].textContent.trim();
table.querySelectorAll("thead th").forEach((head, index) => {
  const button = document.createElement("button");
  button.type = "button";
  button.append(...head.childNodes);
  head.append(button);
  button.addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    table.querySelectorAll("thead th").forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const compare = (one, other) => value(one, index).localeCompare(value(other, index), "en", { numeric: true });
    table.tBodies[0].append(...rows().sort((one, other) => (down ? -compare(one, other) : compare(one, other))));
  });
});
const find = document.getElementById("find");
const fresh = document.getElementById("new");
const shown = document.getElementById("shown");
const filter = () => {
  const words = find.value.toLowerCase().split(/\s+/);
  let count = 0;
  for (const row of rows()) {
    const text = row.textContent.toLowerCase();
    row.hidden = !words.every((word) => text.includes(word)) || (fresh?.checked && row.dataset.known !== undefined);
    count += !row.hidden;
  }
  shown.textContent = `${count} of ${rows().length} groups`;
};
document.getElementById("filter").hidden = false;
find.addEventListener("input", filter);
fresh?.addEventListener("change", filter);
filter();
