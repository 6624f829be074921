// What stands over the sky: the box that finds a star, the card of a star, the legend.

export function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

const counted = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

// The box: what is found stands under it; arrows choose, Enter or a click goes there.
export class Finder {
  constructor(box, list, find, go) {
    Object.assign(this, { box, list, find, go, found: [], at: -1, asked: "" });
    box.addEventListener("input", () => this._later());
    box.addEventListener("keydown", (event) => this._key(event));
    box.addEventListener("blur", () => setTimeout(() => this.close(), 150));
    box.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this._enter();
    });
  }

  _later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this._ask(), 140);
  }

  async _ask() {
    const words = this.box.value.trim();
    this.asked = words;
    const found = words ? await this.find(words) : [];
    if (this.asked !== words) return;
    this.found = found;
    this.at = -1;
    this._list(words);
  }

  _list(words) {
    this.list.replaceChildren();
    this.found.forEach((star, number) => {
      const line = make("li");
      line.id = `sky-found-${number}`;
      line.setAttribute("role", "option");
      line.append(make("b", "", star.title), make("span", "where", star.site));
      line.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        this._chosen(number);
      });
      this.list.append(line);
    });
    if (words && !this.found.length) this.list.append(make("li", "quiet", "No page here has these words."));
    this.list.hidden = !words;
    this.box.setAttribute("aria-expanded", String(Boolean(words)));
  }

  _key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && this.found.length) {
      event.preventDefault();
      this.at = (this.at + step + this.found.length) % this.found.length;
      [...this.list.children].forEach((line, number) =>
        line.setAttribute("aria-selected", String(number === this.at)),
      );
      this.box.setAttribute("aria-activedescendant", `sky-found-${this.at}`);
    } else if (event.key === "Escape") {
      this.close();
    }
  }

  async _enter() {
    clearTimeout(this.timer);
    if (this.asked !== this.box.value.trim()) await this._ask();
    if (this.found.length) this._chosen(Math.max(0, this.at));
  }

  _chosen(number) {
    this.close();
    this.box.blur();
    this.go(this.found[number]);
  }

  close() {
    this.list.hidden = true;
    this.box.setAttribute("aria-expanded", "false");
  }
}

// The card of a star: what it is, and the way to its portrait.
export class Card {
  constructor(element, stars) {
    this.element = element;
    this.stars = stars;
    this.star = null;
  }

  show(star, links) {
    this.star = star;
    const title = make("a", "sky-card-title", star.title);
    title.href = `/page?url=${encodeURIComponent(star.url)}`;
    title.dir = "auto";
    const facts = make("p", "facts");
    const ranked = star.place === 1 ? "the heaviest star" : `star ${star.place.toLocaleString("en")} by mass`;
    facts.append(make("span", "", `${ranked} of ${this.stars.toLocaleString("en")}`));
    if (star.region) facts.append(make("span", "", star.region));
    if (star.community) facts.append(make("span", "", star.community));
    const both = make("p", "sky-card-links");
    both.append(make("span", "linking", `${counted(star.in_links, "link")} here`));
    both.append(make("span", "linked", `${counted(star.out_links, "link")} from here`));
    this.element.replaceChildren(title, make("p", "where", shortened(star.url)), facts, both);
    if (links) {
      const [some, all] = [links.linking.length + links.linked.length, links.all_linking + links.all_linked];
      if (some < all) both.append(make("span", "quiet", `the ${some} heaviest are drawn`));
    }
    this.element.hidden = false;
  }

  hide() {
    this.star = null;
    this.element.hidden = true;
  }
}

function shortened(url) {
  const shown = url.replace(/^https?:\/\//, "");
  return shown.length > 64 ? shown.slice(0, 63) + "…" : shown;
}

// The legend: what the colours stand for; a click keeps the light of one and dims the others.
export class Legend {
  constructor(title, list, only) {
    Object.assign(this, { title, list, only, chosen: null });
  }

  show(told, colours) {
    this.chosen = null;
    this.title.textContent = told.words;
    this.list.replaceChildren(...told.legend.map((entry) => this._line(entry, colours, told.scale)));
    this.list.classList.toggle("scale", told.scale);
    if (!told.legend.length) this.list.append(make("li", "quiet", "not known here"));
  }

  _line(entry, colours, scale) {
    const line = make("li");
    const button = make("button");
    button.type = "button";
    const spot = make("i");
    spot.style.backgroundColor = `rgb(${colours[entry.colour].join(" ")})`;
    button.append(spot, make("span", "", entry.words));
    if (!scale) button.append(make("span", "n", entry.pages.toLocaleString("en")));
    button.setAttribute("aria-pressed", "false");
    button.addEventListener("click", () => {
      this.chosen = this.chosen === entry.colour ? null : entry.colour;
      for (const other of this.list.querySelectorAll("button")) other.setAttribute("aria-pressed", "false");
      button.setAttribute("aria-pressed", String(this.chosen !== null));
      this.only(this.chosen);
    });
    line.append(button);
    return line;
  }
}
