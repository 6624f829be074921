// Keys only; every page works without this file. `/` to the box, j and k along the results, Esc out of the box.
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
