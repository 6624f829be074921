// Names beside the stars and over the communities: large ones from afar, more as one comes near, never one on another.
// A name that is shown stays for as long as there is room for it, so that names do not flicker.
import { FULL, WORDS, matrixOf, pixelsOf, projector } from "./map-space.js";

const LOOKED_AT = 60000; // stars, from the heaviest, that may be named
const EVERY = 180; // milliseconds between two choices of what to name
const GAP = 4;

export class Names {
  constructor(layer, fetchFacts, onPlace) {
    this.layer = layer;
    this.fetchFacts = fetchFacts;
    this.onPlace = onPlace;
    this.places = [];
    this.facts = new Map();
    this.asked = new Set();
    this.shown = new Map();
    this.widths = new Map();
    this.pen = document.createElement("canvas").getContext("2d");
    this.chosenAt = 0;
    this.candidates = [];
    this.wanted = true;
    this.chosen = -1; // a star whose name goes before all others
  }

  // Place all names for this view; `true` if names are still to come.
  update(field, flight, { width, height, obstacles }, now, force) {
    this.most = width < 640 ? 14 : 36;
    const places = this.most * 0.4; // names of communities; the others are those of pages
    let placed = 0;
    const texts = new Set(); // pages of one beginning are told apart by none of its names but the first
    if (force || now - this.chosenAt > EVERY) {
      this.chosenAt = now;
      this.candidates = this._choose(field, flight, width, height);
    }
    const view = projector(flight.camera, width, height, field.grow);
    const boxes = [...obstacles];
    const kept = new Map();
    for (const one of this.candidates) {
      if (kept.size >= this.most) break;
      if ((one.place && placed >= places) || texts.has(one.text)) continue;
      const seen = view(...one.at);
      if (!seen) continue;
      const box = this._box(one, seen, field, flight, height);
      if (box.left < 2 || box.right > width - 2 || box.top < 2 || box.bottom > height - 2) continue;
      if (boxes.some((other) => overlap(box, other))) continue;
      boxes.push(box);
      if (one.place) placed++;
      texts.add(one.text);
      kept.set(one.key, { one, box });
    }
    this._show(kept);
  }

  _box(one, seen, field, flight, height) {
    const [wide, tall] = this._size(one);
    if (one.place) return frame(seen.x - wide / 2, seen.y - tall * 1.1, wide, tall);
    const disc = field.disc(one.star, pixelsOf(flight.camera, height) / seen.depth);
    return frame(seen.x + disc + 5, seen.y - tall / 2, wide, tall);
  }

  _size(one) {
    const key = one.key + one.text;
    let size = this.widths.get(key);
    if (!size) {
      const style = getComputedStyle(this.layer);
      const large = one.place ? one.size : 13;
      this.pen.font = one.place ? `italic ${large}px ${style.getPropertyValue("--serif")}` : `${large}px ${style.fontFamily}`;
      size = [this.pen.measureText(one.text).width + 10, large * 1.5];
      this.widths.set(key, size);
    }
    return size;
  }

  _choose(field, flight, width, height) {
    if (!this.wanted) return [];
    const view = projector(flight.camera, width, height, field.grow);
    const scale = pixelsOf(flight.camera, height);
    const found = [];
    this.places.forEach((place, number) => {
      const seen = view(...place.at);
      if (!seen) return;
      const radius = (place.radius * scale) / seen.depth;
      if (radius < 30 || radius > height * 0.75) return;
      const size = Math.round(Math.min(26, Math.max(13, radius / 7)));
      // Best is a community that fills a sixth of the picture; what holds more pages goes first.
      const fits = -Math.abs(Math.log((radius * 6) / height));
      const worth = 4 + fits * 1.4 + Math.log10(place.pages) * 0.8;
      found.push({ key: `p${number}-${size}`, text: place.name, at: place.at, place, size, worth });
    });
    this._stars(field, flight.camera, scale).forEach((one) => found.push(one));
    found.forEach((one) => {
      if (this.shown.has(one.key)) one.worth += 0.6;
      if (one.star !== undefined && one.star === this.chosen) one.worth += 100;
    });
    return found.sort((one, other) => other.worth - one.worth).slice(0, 160);
  }

  // The stars that look largest; a star of no name is not worth a point, so this loop makes none.
  _stars(field, camera, scale) {
    const large = [];
    const end = Math.min(field.shown, LOOKED_AT);
    const m = matrixOf(camera, field.grow / FULL);
    for (let star = 0, at = 0; star < end; star++, at += WORDS) {
      const [a, b, c] = [field.words[at], field.words[at + 1], field.words[at + 2]];
      const depth = m[3] * a + m[7] * b + m[11] * c + m[15];
      if (depth <= 0) continue;
      if (Math.abs(m[0] * a + m[4] * b + m[8] * c + m[12]) > depth) continue;
      if (Math.abs(m[1] * a + m[5] * b + m[9] * c + m[13]) > depth) continue;
      const disc = field.disc(star, scale / depth);
      if (star < 60 || disc > 2.2 || star === this.chosen) large.push([disc, star, [a / FULL, b / FULL, c / FULL]]);
    }
    large.sort((one, other) => other[0] - one[0]);
    const chosen = large.find(([, star]) => star === this.chosen);
    const best = [...(chosen ? [chosen] : []), ...large.filter((one) => one !== chosen).slice(0, 60)];
    this._ask(best.map(([, star]) => star).filter((star) => !this.facts.has(star)));
    return best
      .filter(([, star]) => this.facts.has(star))
      .map(([disc, star, at]) => {
        const { title, url } = this.facts.get(star);
        const text = title.length > 34 ? title.slice(0, 33) + "…" : title;
        return { key: `s${star}`, text, at, star, url, worth: Math.log2(disc + 1) * 1.6 };
      });
  }

  async _ask(stars) {
    const missing = stars.filter((star) => !this.asked.has(star)).slice(0, 60);
    if (!missing.length || this.asking) return;
    missing.forEach((star) => this.asked.add(star));
    this.asking = true;
    try {
      (await this.fetchFacts(missing)).forEach((one) => this.facts.set(one.star, one));
      this.chosenAt = 0;
      this.layer.dispatchEvent(new CustomEvent("named"));
    } catch {
      missing.forEach((star) => this.asked.delete(star));
    } finally {
      this.asking = false;
    }
  }

  _show(kept) {
    this.shown.forEach((element, key) => {
      if (kept.has(key)) return;
      element.remove();
      this.shown.delete(key);
    });
    kept.forEach(({ one, box }, key) => {
      let element = this.shown.get(key);
      if (!element) {
        element = this._made(one);
        this.shown.set(key, element);
        this.layer.append(element);
      }
      element.style.transform = `translate(${box.left.toFixed(1)}px, ${box.top.toFixed(1)}px)`;
    });
  }

  _made(one) {
    const element = document.createElement(one.place ? "button" : "a");
    element.textContent = one.text;
    element.tabIndex = -1;
    if (one.place) {
      element.className = "sky-place";
      element.type = "button";
      element.style.fontSize = `${one.size}px`;
      element.title = `${one.place.pages.toLocaleString("en")} pages`;
      element.addEventListener("click", () => this.onPlace(one.place));
      element.style.color = this.colourOf(one.place.colour);
    } else {
      element.className = "sky-name";
      element.draggable = false;
      element.href = `/page?url=${encodeURIComponent(one.url)}`;
    }
    return element;
  }

  // All names anew, after a change of colours.
  forget() {
    this.shown.forEach((element) => element.remove());
    this.shown.clear();
    this.chosenAt = 0;
  }
}

function frame(left, top, wide, tall) {
  return { left, top, right: left + wide, bottom: top + tall };
}

function overlap(one, other) {
  return (
    one.left < other.right + GAP && other.left < one.right + GAP && one.top < other.bottom && other.top < one.bottom
  );
}
