// What a person does: pointer, fingers, keys, and the panels that float over the sky.
import { Finder } from "./map-panel.js";

const part = (name) => document.getElementById(`sky-${name}`);

export function watch(viewer, json) {
  watchPointer(viewer);
  watchKeys(viewer);
  watchPanels(viewer, json);
}

function watchPointer(viewer) {
  const canvas = viewer.renderer.domElement;
  const names = part("names");
  let down = null;
  const starAt = (event, slack) => {
    const box = canvas.getBoundingClientRect();
    const ratio = viewer.field.ratio;
    const [x, y] = [(event.clientX - box.left) * ratio, (event.clientY - box.top) * ratio];
    return viewer.field.pick(viewer.flight.camera, x, y, slack * ratio);
  };
  canvas.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch" || event.buttons) return;
    cancelAnimationFrame(viewer.looking);
    viewer.looking = requestAnimationFrame(() => viewer.hover(starAt(event, 6)));
  });
  canvas.addEventListener("pointerleave", () => {
    cancelAnimationFrame(viewer.looking);
    viewer.hover(-1);
  });
  canvas.addEventListener("pointerdown", (event) => {
    // Two fingers choose nothing.
    down = event.isPrimary ? { x: event.clientX, y: event.clientY, button: event.button } : null;
  });
  // Names lie over the sky: what begins on one turns and zooms the sky all the same, and is a click if nothing moved.
  names.addEventListener("pointerdown", (event) => {
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    canvas.dispatchEvent(new PointerEvent(event.type, event));
    if (down) down.name = event.target;
  });
  names.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      canvas.dispatchEvent(new WheelEvent(event.type, event));
    },
    { passive: false },
  );
  canvas.addEventListener("pointerup", (event) => {
    const still = down && Math.hypot(event.clientX - down.x, event.clientY - down.y) < 5 && down.button === 0;
    const name = down?.name;
    down = null;
    if (!still) return;
    if (name) {
      name.click();
      return;
    }
    const touch = event.pointerType === "touch";
    const star = starAt(event, touch ? 18 : 6);
    // A finger cannot hover: its first touch shows the card, the second opens the page.
    if (star >= 0 && (!touch || star === viewer.chosen)) viewer.open(star);
    else viewer.choose(star).catch(() => {});
  });
}

function watchKeys(viewer) {
  const next = (step) => {
    const star = Math.min(viewer.field.loaded - 1, Math.max(0, viewer.chosen + step));
    viewer.choose(star, { fly: true }).catch(() => {});
  };
  const acts = {
    0: () => viewer.flight.travel(viewer.flight.overview()),
    Home: () => viewer.flight.travel(viewer.flight.overview()),
    ".": () => next(1),
    ",": () => next(-1),
    f: () => viewer.over >= 0 && viewer.choose(viewer.over, { fly: true }).catch(() => {}),
    Enter: () => viewer.chosen >= 0 && viewer.open(viewer.chosen),
    Escape: () => viewer.choose(-1),
    c: () => {
      const names = viewer.sky.colourings;
      viewer.colourBy(names[(names.indexOf(viewer.by) + 1) % names.length]).catch(() => {});
    },
    " ": () => part("play").click(),
    "?": () => part("help").click(),
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLInputElement || (event.target !== document.body && event.key in { Enter: 1, " ": 1 })) {
      return;
    }
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (viewer.flight.press(key)) event.preventDefault();
    else if (acts[key]) {
      event.preventDefault();
      acts[key]();
    }
  });
  addEventListener("keyup", (event) => {
    viewer.flight.release(event.key.length === 1 ? event.key.toLowerCase() : event.key);
  });
  addEventListener("blur", () => viewer.flight.releaseAll());
}

function watchPanels(viewer, json) {
  new Finder(part("find"), part("found"), (words) => json(`/api/map/find?q=${encodeURIComponent(words)}`).catch(() => []), (star) => {
    viewer.names.facts.set(star.star, star);
    viewer.choose(star.star, { fly: true }).catch(() => {});
  });
  part("colours").addEventListener("click", (event) => {
    if (event.target.value) viewer.colourBy(event.target.value).catch(() => {});
  });
  part("home").addEventListener("click", () => viewer.flight.travel(viewer.flight.overview()));
  part("share").addEventListener("click", async () => {
    viewer.remember();
    const told = part("said");
    try {
      await navigator.clipboard.writeText(location.href);
      told.textContent = "The link to this view is copied.";
    } catch {
      told.textContent = "The link to this view is in the address bar.";
    }
    setTimeout(() => (told.textContent = ""), 4000);
  });
  part("names").addEventListener("named", () => viewer.change());
  if (viewer.film.last > 0) watchTime(viewer);
}

function watchTime(viewer) {
  const [slider, play, box] = [part("time"), part("play"), part("film")];
  box.hidden = false;
  slider.max = viewer.film.last;
  slider.value = viewer.film.last;
  const ready = () =>
    viewer.film.load((have, all) => {
      part("step").textContent = have < all ? `loading ${have} of ${all}` : "now";
    });
  const begin = () => {
    viewer.arcs.clear();
    viewer.flight.orbit.autoRotate = false;
  };
  slider.addEventListener("input", async () => {
    const wanted = Number(slider.value);
    begin();
    viewer.film.pause();
    await ready();
    viewer.film.show(wanted);
    viewer.showTime();
    viewer.change();
  });
  play.addEventListener("click", async () => {
    if (viewer.film.playing) {
      viewer.film.pause();
    } else {
      begin();
      await ready();
      viewer.film.play();
    }
    viewer.showTime();
  });
  viewer.showTime();
}
