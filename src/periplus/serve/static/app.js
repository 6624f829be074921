// Keys and suggestions; every page works without this file. `/` to the box, j and k along the results, Esc out of the box. In the
// outline of a tree: up and down along what is open, right into a branch, left out of it.
"use strict";
(function () {
  const results = Array.from(document.querySelectorAll(".result .title"));
  let at = -1;

  function move(step) {
    if (!results.length) return;
    at = Math.min(Math.max(at + step, 0), results.length - 1);
    results[at].focus();
    results[at].closest(".result").scrollIntoView({ block: "nearest" });
  }

  function rowsOf(outline) {
    const rows = outline.querySelectorAll("summary, .leaf > a");
    return Array.from(rows).filter((row) => row.checkVisibility());
  }

  function walk(outline, key) {
    const rows = rowsOf(outline);
    const row = document.activeElement.closest("summary, .leaf > a");
    const branch = row && row.matches("summary") ? row.parentElement : null;
    let next = rows.indexOf(row) + (key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0);
    if (key === "ArrowRight" && branch) {
      if (branch.open) next += 1;
      branch.open = true;
    } else if (key === "ArrowLeft" && branch && branch.open) {
      branch.open = false;
    } else if (key === "ArrowLeft") {
      const above = (branch || row).parentElement.closest("details");
      if (above) next = rows.indexOf(above.querySelector("summary"));
    }
    if (rows[next]) rows[next].focus();
  }

  function suggest(box, number) {
    const list = document.createElement("datalist");
    list.id = "suggestions-" + number;
    box.after(list);
    box.setAttribute("list", list.id);
    box.autocomplete = "on"; // Firefox shows no list where this is off
    let waiting = 0;

    async function ask() {
      const typed = box.value;
      if (!typed.trim()) return;
      const answer = await fetch("/suggest?q=" + encodeURIComponent(typed));
      if (!answer.ok || typed !== box.value) return;
      const offered = (await answer.json())[1].filter((one) => one !== typed);
      list.replaceChildren(...offered.map((one) => new Option("", one)));
    }

    box.addEventListener("input", function () {
      clearTimeout(waiting);
      waiting = setTimeout(() => ask().catch(() => {}), 80);
    });
  }

  document.querySelectorAll("input[type=search][name=q]").forEach(suggest);

  document.querySelectorAll(".outline").forEach(function (outline) {
    outline.addEventListener("keydown", function (event) {
      if (!/^Arrow/.test(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      walk(outline, event.key);
    });
  });

  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    if (event.key === "Escape" && typing) {
      event.target.blur();
    } else if (typing) {
      return;
    } else if (event.key === "/") {
      const box = document.querySelector("input[type=search]");
      if (box) {
        event.preventDefault();
        box.focus();
        box.select();
      }
    } else if (event.key === "j") {
      move(1);
    } else if (event.key === "k") {
      move(-1);
    }
  });

  results.forEach(function (link, index) {
    link.addEventListener("focus", function () {
      at = index;
    });
  });
})();
