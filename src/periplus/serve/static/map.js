// The sky of a collection. This file joins the parts: stars, camera, names, arcs, film, and what stands over them.
// Nothing moves, nothing is drawn: a frame is made only when something has changed.
import * as THREE from "./three.js";
import { Arcs, Figures } from "./map-arcs.js";
import { Field } from "./map-field.js";
import { Film } from "./map-film.js";
import { Flight } from "./map-flight.js";
import { watch } from "./map-hands.js";
import { Names } from "./map-names.js";
import { Card, Legend } from "./map-panel.js";
import { numbersOf, projector } from "./map-space.js";

const SWIFT = 0.7; // of the pixels each way, while things move and the processor draws them
const SETTLED = 260; // milliseconds after which all stars are drawn again
const part = (name) => document.getElementById(`sky-${name}`);
const stage = part("stage");
const unmoving = matchMedia("(prefers-reduced-motion: reduce)");
const darkness = matchMedia("(prefers-color-scheme: dark)");
const json = async (path) => {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error((await answer.json()).message);
  return answer.json();
};

class Viewer {
  constructor(renderer, sky) {
    this.renderer = renderer;
    this.sky = sky;
    this.field = new Field(renderer, sky.stars);
    this.flight = new Flight(renderer.domElement, () => unmoving.matches);
    this.arcs = new Arcs();
    this.figures = new Figures();
    this.card = new Card(part("card"), sky.stars);
    this.legend = new Legend(part("legend-title"), part("legend"), (only) => this.paint(only));
    this.names = new Names(part("names"), (stars) => json(`/api/map/facts?at=${stars}`), (place) => this.visitPlace(place));
    this.names.colourOf = (colour) => `rgb(${this.communities()[colour].join(" ")})`;
    this.film = new Film(this.field, sky, async (number, count) => {
      return (await fetch(`/api/map/moments/${number}?stars=${count}`)).arrayBuffer();
    });
    this.by = "community";
    this.told = { scale: false };
    this.chosen = -1;
    this.over = -1;
    this.stale = true;
    this.moving = false;
    this.measured = false; // no picture before the heaviest stars are here
    this.patience = 33; // milliseconds that a frame may take while things move
    this.paint(null);
    this.resize();
    new ResizeObserver(() => this.resize()).observe(stage);
    darkness.addEventListener("change", () => this.recolour());
    this.tick = this.tick.bind(this);
    requestAnimationFrame(this.tick);
  }

  // -- colours ---------------------------------------------------------------------------------------

  palette(kind) {
    return this.sky.palettes[`${kind}-${darkness.matches ? "night" : "day"}`].map(numbersOf);
  }

  communities() {
    return this.palette("groups");
  }

  paint(only) {
    this.only = only;
    const style = getComputedStyle(stage);
    const paper = style.getPropertyValue("--sky-paper").trim();
    this.theme = { night: darkness.matches, paper: numbersOf(paper) };
    this.renderer.setClearColor(new THREE.Color(paper), 1);
    this.colours = this.palette(this.told.scale ? "scale" : "groups");
    this.field.paint(this.colours, this.theme, only);
    this.figures.paint(this.theme);
    this.change();
  }

  recolour() {
    this.paint(this.only);
    if (this.told.legend) this.legend.show(this.told, this.colours);
    this.names.forget();
  }

  async colourBy(name) {
    const [told, answer] = await Promise.all([json(`/api/map/legend/${name}`), fetch(`/api/map/colours/${name}`)]);
    const numbers = new Uint8Array(await answer.arrayBuffer());
    this.told = told;
    this.by = name;
    this.field.tint.set(numbers.subarray(0, this.field.count));
    this.field.tinted(0, this.field.loaded);
    this.paint(null);
    this.legend.show(told, this.colours);
    for (const button of part("colours").querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button.value === name));
    }
    this.remember();
  }

  // -- frames ----------------------------------------------------------------------------------------

  change() {
    this.obstacles = null;
    this.stale = true;
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = stage;
    if (!width || !height) return;
    Object.assign(this, { width, height });
    const ratio = this.field.slow ? (this.moving ? SWIFT : 1) : Math.min(2, devicePixelRatio || 1);
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.field.resize(width, height, ratio);
    this.flight.resize(width, height);
    this.change();
  }

  tick(now) {
    requestAnimationFrame(this.tick);
    const filmed = this.film.update(now);
    if (filmed) this.showTime();
    const moved = this.flight.update(now) || filmed;
    if (moved) this.goesOn(now);
    else if (this.moving && now - this.movedAt > SETTLED) this.settle();
    if (!this.stale || !this.measured) return;
    this.stale = false;
    this.draw(now);
  }

  // While things move, as many stars are drawn as the time of a frame allows.
  goesOn(now) {
    const { field, swift } = this;
    if (!this.moving) {
      field.budget = swift ?? field.count;
    } else {
      const took = now - this.movedAt;
      if (took > this.patience * 1.5) field.budget = Math.max(this.sky.first, Math.floor(field.budget * 0.8));
      else if (took < this.patience) field.budget = Math.min(field.count, Math.ceil(field.budget * 1.15));
    }
    this.swift = field.budget;
    if (stage.dataset.first) this.goes(true); // the first picture has all its pixels: a change of size takes long
    this.movedAt = now;
    this.stale = true;
  }

  // Things begin to move, or come to rest: then the picture has all its pixels again.
  goes(moving) {
    const changes = this.field.slow && this.moving !== moving;
    this.moving = moving;
    if (changes) this.resize();
  }

  // At rest all stars are drawn.
  settle() {
    this.goes(false);
    this.field.budget = this.field.count;
    this.names.chosenAt = 0;
    this.stale = true;
    this.remember();
  }

  draw(now) {
    const began = performance.now();
    this.field.draw(this.flight.camera);
    if (!this.film.final) this.renderer.render(this.figures.scene, this.flight.camera);
    if (this.arcs.lines) this.renderer.render(this.arcs.scene, this.flight.camera);
    const past = this.film.final !== null;
    this.names.wanted = !past;
    this.names.update(this.field, this.flight, this.frame(), now, past);
    this.point();
    stage.dataset.drawn = this.field.shown;
    stage.dataset.ms = (performance.now() - began).toFixed(1);
    if (!stage.dataset.first) {
      stage.dataset.first = performance.now().toFixed(0);
      stage.classList.add("alive");
    }
  }

  // The size of the picture, and what stands over it: names keep clear of these.
  frame() {
    if (!this.obstacles) {
      const whole = stage.getBoundingClientRect();
      const over = [...stage.querySelectorAll(".over")].filter((one) => !one.hidden).map((one) => one.getBoundingClientRect());
      this.obstacles = over.map((box) => ({
        left: box.left - whole.left,
        right: box.right - whole.left,
        top: box.top - whole.top,
        bottom: box.bottom - whole.top,
      }));
    }
    return { width: this.width, height: this.height, obstacles: this.obstacles };
  }

  // The mark round the chosen star.
  point() {
    const mark = part("mark");
    const star = this.over >= 0 ? this.over : this.chosen;
    mark.hidden = star < 0;
    if (star < 0) return;
    const seen = projector(this.flight.camera, this.width, this.height)(...this.field.at(star, new THREE.Vector3()));
    mark.hidden = !seen;
    if (!seen) return;
    const scale = this.field.pixels(this.flight.camera) / this.field.ratio;
    const side = 2 * Math.max(7, this.field.disc(star, scale / seen.depth) * 0.9 + 5);
    mark.style.width = mark.style.height = `${side}px`;
    const [x, y] = [seen.x - side / 2, seen.y - side / 2];
    mark.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  }

  // -- going places ----------------------------------------------------------------------------------

  // The radius and the middle of the heavy stars: most of them, since a few are always far out.
  measure() {
    const count = Math.min(this.field.loaded, this.sky.first);
    const middle = new THREE.Vector3();
    const at = new THREE.Vector3();
    for (let star = 0; star < count; star++) middle.add(this.field.at(star, at));
    middle.divideScalar(Math.max(1, count));
    const far = Float32Array.from({ length: count }, (_, star) => this.field.at(star, at).distanceTo(middle)).sort();
    const unit = far[Math.floor(count * 0.97)] || 1;
    // Many stars are smaller stars, so that they do not hide each other.
    this.field.unit = unit * Math.min(1.8, Math.max(0.4, Math.pow(6000 / this.sky.stars, 0.2)));
    this.flight.measure(unit, middle);
    this.measured = true;
  }

  visitPlace(place) {
    const point = new THREE.Vector3(...place.at);
    this.flight.visit(point, Math.max(place.radius * 3.2, this.flight.unit * 0.02));
  }

  async choose(star, { fly = false } = {}) {
    this.chosen = this.names.chosen = star;
    this.names.chosenAt = 0;
    if (star < 0) {
      this.arcs.clear();
      this.card.hide();
      this.remember();
      this.change();
      return;
    }
    if (fly) this.fly(star);
    await this.tell(star);
    this.remember();
  }

  fly(star) {
    const point = this.field.at(star, new THREE.Vector3());
    this.flight.visit(point, Math.max(this.field.radius(star) * 14, this.flight.unit * 0.09));
  }

  // The card and the arcs of a star.
  async tell(star) {
    this.telling = star;
    const [facts, links] = await Promise.all([this.facts(star), json(`/api/map/links?star=${star}`)]);
    if (this.telling !== star || (this.over !== star && this.chosen !== star)) return;
    this.card.show(facts, links);
    const style = getComputedStyle(stage);
    const colour = (name) => numbersOf(style.getPropertyValue(name));
    if (!this.film.final) {
      this.arcs.show(this.field, star, links, { linking: colour("--accent"), linked: colour("--second") });
    }
    this.change();
  }

  async facts(star) {
    if (!this.names.facts.has(star)) {
      (await json(`/api/map/facts?at=${star}`)).forEach((one) => this.names.facts.set(one.star, one));
    }
    return this.names.facts.get(star);
  }

  hover(star) {
    if (star === this.over) return;
    this.over = star;
    this.change();
    this.renderer.domElement.style.cursor = star >= 0 ? "pointer" : "grab";
    clearTimeout(this.hovering);
    if (star >= 0) this.hovering = setTimeout(() => this.tell(star).catch(() => {}), 60);
    else if (this.chosen >= 0) this.hovering = setTimeout(() => this.tell(this.chosen).catch(() => {}), 250);
    else this.hovering = setTimeout(() => this.choose(-1), 350);
  }

  open(star) {
    this.facts(star).then((facts) => location.assign(`/page?url=${encodeURIComponent(facts.url)}`));
  }

  // -- the address and the film ----------------------------------------------------------------------

  // Where one is stands in the address: a link to it leads to the same view.
  remember() {
    if (!stage.dataset.ready) return;
    const told = new URLSearchParams({ view: this.flight.written, by: this.by });
    const facts = this.names.facts.get(this.chosen);
    if (this.chosen >= 0 && facts) told.set("page", facts.url);
    history.replaceState(null, "", `#${told}`);
  }

  async recall() {
    const told = new URLSearchParams(location.hash.slice(1));
    const view = this.flight.read(told.get("view"));
    this.flight.stand(view || this.flight.overview());
    this.flight.orbit.autoRotate = !view && !unmoving.matches && !this.field.slow;
    this.flight.orbit.autoRotateSpeed = 0.35;
    await this.colourBy(this.sky.colourings.includes(told.get("by")) ? told.get("by") : "community");
    if (told.get("page")) {
      const star = await json(`/api/map/star?url=${encodeURIComponent(told.get("page"))}`);
      this.names.facts.set(star.star, star);
      await this.choose(star.star, { fly: !view });
    }
  }

  showTime() {
    if (!this.film.final && !this.film.playing && this.chosen >= 0 && !this.arcs.lines) this.tell(this.chosen).catch(() => {});
    const moment = this.sky.moments[Math.round(this.film.time)];
    part("time").value = this.film.time;
    part("step").textContent = this.film.time >= this.film.last ? "now" : `step ${moment.step.toLocaleString("en")}`;
    part("play").textContent = this.film.playing ? "❚❚" : "▶";
    part("play").setAttribute("aria-label", this.film.playing ? "Pause" : "Play how it formed");
  }
}

// -- the beginning -------------------------------------------------------------------------------------

function surface() {
  const canvas = document.createElement("canvas");
  canvas.className = "sky-canvas";
  canvas.setAttribute("aria-label", "The sky of the collection: its pages as stars");
  canvas.setAttribute("role", "img");
  // As large from the first as it is to be: another size after this makes the browser wait for what draws.
  Object.assign(canvas, { width: stage.clientWidth, height: stage.clientHeight });
  const context = canvas.getContext("webgl2", { antialias: false, alpha: false, depth: false, stencil: false });
  if (!context) return null;
  return new THREE.WebGLRenderer({ canvas, context });
}

// The stage fills what the head of the page leaves of the screen; on a small one the legend waits to be opened.
function fit() {
  stage.style.height = `max(420px, calc(100svh - ${Math.round(stage.offsetTop)}px))`;
  if (innerWidth < 640) part("legend-box").open = false;
}

async function begin() {
  fit();
  // A context takes long where the processor draws: meanwhile the stars are on their way.
  const asked = Promise.all([json("/api/map"), fetch("/api/map/stars")]);
  let renderer = null;
  try {
    renderer = surface();
  } catch {
    renderer = null;
  }
  if (!renderer) {
    part("said").textContent = "This browser has no WebGL: here is a still of the sky, and a table of its heaviest pages.";
    stage.dataset.without = "webgl";
    asked.then(([, stream]) => stream.body.cancel()).catch(() => {});
    return;
  }
  const [sky, stream] = await asked;
  stage.prepend(renderer.domElement);
  const viewer = new Viewer(renderer, sky);
  stage.viewer = viewer; // for whoever looks at it with the tools of the browser, and for the benchmark
  watch(viewer, json);
  const reader = stream.body.getReader();
  let [at, begun] = [0, null];
  const first = () => {
    viewer.measure();
    begun = viewer.recall().catch((error) => (part("said").textContent = error.message));
  };
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    viewer.field.receive(value, at);
    at += value.length;
    stage.dataset.loaded = viewer.field.loaded;
    viewer.change();
    if (begun || viewer.field.loaded < sky.first) continue;
    first();
    await new Promise(requestAnimationFrame); // the heaviest are drawn before the others are taken in
  }
  if (!begun) first();
  json("/api/map/places").then((places) => {
    viewer.names.places = places;
    viewer.names.chosenAt = 0;
    viewer.change();
  });
  viewer.figures.show(viewer.field, await json("/api/map/figures"));
  viewer.change();
  await begun;
  stage.dataset.ready = "true";
  viewer.remember();
}

begin().catch((error) => {
  part("said").textContent = `The sky could not be loaded (${error.message}). Reload the page to try again.`;
});
