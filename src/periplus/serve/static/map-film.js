// The formation of the sky: moments fetched one after another, and the stars put where they were at any time between.
import { WORDS } from "./map-space.js";

const AT_ONCE = 4;
const LENGTH = 9000; // milliseconds from the first moment to the last

export class Film {
  constructor(field, sky, fetchMoment) {
    this.field = field;
    this.moments = sky.moments;
    this.span = sky.span;
    this.count = Math.min(sky.filmed, sky.first);
    this.fetchMoment = fetchMoment;
    this.frames = new Array(this.moments.length).fill(null);
    this.final = null;
    this.time = Math.max(0, this.moments.length - 1);
    this.playing = false;
  }

  get last() {
    return this.moments.length - 1;
  }

  // Fetch every moment, a few at once; `progress` hears how many are there.
  load(progress) {
    if (!this.loading) {
      let next = 0;
      let have = 0;
      const work = async () => {
        while (next < this.frames.length) {
          const number = next++;
          this.frames[number] = new Int16Array(await this.fetchMoment(number, this.count));
          progress(++have, this.frames.length);
        }
      };
      this.loading = Promise.all(Array.from({ length: AT_ONCE }, work));
      this.loading.catch(() => (this.loading = null));
    }
    return this.loading;
  }

  // Show the sky as it was at a time from 0 to `last`; at the end it is whole again.
  show(time) {
    this.time = Math.min(this.last, Math.max(0, time));
    if (this.time >= this.last) {
      this._whole();
      return;
    }
    const before = Math.floor(this.time);
    const [one, other] = [this.frames[before], this.frames[before + 1]];
    if (!one || !other) return;
    const count = Math.min(this.count, this.field.loaded);
    if (!this.final) this.final = this.field.words.slice(0, count * WORDS);
    const reach = [this.moments[before].reach, this.moments[before + 1].reach];
    const box = Math.max(...reach) || 1;
    const late = ((this.time - before) * reach[1]) / box;
    const early = ((1 - this.time + before) * reach[0]) / box;
    const words = this.field.words;
    for (let star = 0, at = 0, from = 0; star < count; star++, at += WORDS, from += 3) {
      words[at] = one[from] * early + other[from] * late;
      words[at + 1] = one[from + 1] * early + other[from + 1] * late;
      words[at + 2] = one[from + 2] * early + other[from + 2] * late;
    }
    this.field.limit = count;
    this.field.grow = box / this.span;
    this.field.changed(0, count);
  }

  _whole() {
    if (!this.final) return;
    this.field.words.set(this.final);
    this.field.changed(0, this.final.length / WORDS);
    this.final = null;
    this.field.limit = this.field.count;
    this.field.grow = 1;
  }

  play() {
    if (this.time >= this.last) this.time = 0;
    this.playing = true;
    this.began = null;
  }

  pause() {
    this.playing = false;
  }

  // Move on to this time of the clock; says whether the stars have moved.
  update(now) {
    if (!this.playing) return false;
    if (this.began === null) this.began = now - (this.time / this.last) * LENGTH;
    const time = ((now - this.began) / LENGTH) * this.last;
    this.show(time);
    if (time >= this.last) this.playing = false;
    return true;
  }
}
