// Keys and sorting. Pages are whole without it; nothing is fetched, and nothing is made of a text.
"use strict";

(() => {
  const typing = (target) => target.closest("input, textarea, select, [contenteditable]");

  // A key stands on what it presses: <a data-key="j">, <button data-key="a">.
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey && event.key === "Enter" && event.target.matches("[data-submit]")) {
      event.target.form.requestSubmit();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    const also = { ArrowRight: "j", ArrowLeft: "k" };
    const key = also[event.key] || event.key.toLowerCase();
    for (const one of document.querySelectorAll("[data-key]")) {
      if (one.dataset.key === key) {
        event.preventDefault();
        one.click();
        return;
      }
    }
  });

  // A heading sorts its table; #sort=COLUMN, or #sort=-COLUMN from low to high, is in the address.
  const value = (row, place) => {
    const text = row.cells[place].textContent.trim();
    const number = Number(text.split("–")[0].replaceAll(",", "").split("/")[0]);
    return text !== "" && !Number.isNaN(number) ? number : text;
  };
  const sort = (table, place, isUp) => {
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row, n) => [value(row, place), n, row]);
    const sign = isUp ? 1 : -1;
    const rank = (one) => (one === "-" || one === "" ? 2 : typeof one === "number" ? 0 : 1);
    rows.sort(([a, n], [b, m]) => {
      if (rank(a) !== rank(b)) return rank(a) - rank(b);
      const order = typeof a === "number" ? a - b : String(a).localeCompare(String(b));
      return sign * order || n - m;
    });
    body.append(...rows.map(([, , row]) => row));
    [...table.tHead.rows[0].cells].forEach((cell, n) => {
      if (n === place) cell.setAttribute("aria-sort", isUp ? "ascending" : "descending");
      else cell.removeAttribute("aria-sort");
    });
  };
  const wanted = /^#sort=(-?)(\d+)$/.exec(location.hash);
  for (const table of document.querySelectorAll("table.sortable")) {
    [...table.tHead.rows[0].cells].forEach((cell, place) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...cell.childNodes);
      cell.append(button);
      button.addEventListener("click", () => {
        const isUp = cell.getAttribute("aria-sort") === "descending";
        sort(table, place, isUp);
        history.replaceState(null, "", `#sort=${isUp ? "-" : ""}${place}`);
      });
    });
    if (wanted && Number(wanted[2]) < table.tHead.rows[0].cells.length) {
      sort(table, Number(wanted[2]), wanted[1] === "-");
    }
  }

  // A changed option is shown at once.
  for (const form of document.querySelectorAll("form.controls[method=get]")) {
    if (form.action.endsWith("/compare") || form.action.endsWith("/label")) continue;
    for (const one of form.querySelectorAll("select, input[type=checkbox]")) {
      one.addEventListener("change", () => form.requestSubmit());
    }
  }
})();
