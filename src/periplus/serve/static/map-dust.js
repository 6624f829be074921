// The faint stars drawn by the processor: every star adds its light to one pixel, then the sum becomes a colour.
//   by night  paper + (255 − paper)(1 − e^(−sum)),  by day  paper · e^(−sum), where a star adds what ink takes away
// Only pixels that hold light, or held it in the frame before, are touched: O(stars) a frame.
import { radiusOf } from "./map-space.js";

const DEEPEST = 4095; // sums are tabulated up to here
const MOST = 60000; // no pixel takes more, so that sums stay whole numbers of two bytes
const STEP = 1 / 220;

export class Dust {
  constructor() {
    this.shades = new Float32Array(256 * 3);
    this.tables = [0, 1, 2].map(() => new Uint8Array(DEEPEST + 1));
    this.empty = 0;
  }

  resize(width, height) {
    this.width = Math.max(1, Math.floor(width));
    this.height = Math.max(1, Math.floor(height));
    this.sums = new Uint16Array(this.width * this.height * 4);
    this.pairs = new Uint32Array(this.sums.buffer);
    this.pixels = new Uint8Array(this.width * this.height * 4);
    this.whole = new Uint32Array(this.pixels.buffer);
    this.lit = new Uint32Array(this.width * this.height); // the pixels that hold light, in the order they got it
    this.count = 0;
    this.whole.fill(this.empty);
  }

  paint(palette, theme) {
    for (let at = 0; at < 256; at++) {
      for (let part = 0; part < 3; part++) {
        const [light, paper] = [palette[at * 4 + part], theme.paper[part]];
        this.shades[at * 3 + part] = theme.night ? Math.max(0, light - paper) / 255 : Math.max(0, paper - light) / 255;
      }
    }
    this.tables.forEach((table, part) => {
      const paper = theme.paper[part];
      for (let sum = 0; sum <= DEEPEST; sum++) {
        const left = Math.exp(-sum * STEP);
        table[sum] = theme.night ? paper + (255 - paper) * (1 - left) : paper * left;
      }
    });
    this.count = 0;
    this.sums?.fill(0);
    this.empty = (255 << 24) | (theme.paper[2] << 16) | (theme.paper[1] << 8) | theme.paper[0];
    this.whole?.fill(this.empty);
  }

  draw(field, from, to, m, scale) {
    this._clear();
    const light = lights(field.unit, scale, field.ratio, field.night);
    this._add(field, from, to, m, light);
    this._develop();
  }

  _clear() {
    const { lit, pairs, whole, empty } = this;
    for (let at = 0; at < this.count; at++) {
      const pixel = lit[at];
      pairs[2 * pixel] = pairs[2 * pixel + 1] = 0;
      whole[pixel] = empty;
    }
    this.count = 0;
  }

  _add(field, from, to, m, light) {
    const { words, bytes, tint } = field;
    const { shades, width, height } = this;
    const [w, h] = [width / 2, height / 2];
    const [m0, m1, m3, m4, m5, m7, m8, m9, m11] = [m[0], m[1], m[3], m[4], m[5], m[7], m[8], m[9], m[11]];
    const [m12, m13, m15] = [m[12], m[13], m[15]];
    for (let star = from, at = from * 4; star < to; star++, at += 4) {
      const a = words[at];
      const b = words[at + 1];
      const c = words[at + 2];
      const depth = m3 * a + m7 * b + m11 * c + m15;
      if (depth <= 0) continue;
      const near = 1 / depth;
      const x = ((m0 * a + m4 * b + m8 * c + m12) * near + 1) * w;
      const y = ((m1 * a + m5 * b + m9 * c + m13) * near + 1) * h;
      if (x < 1 || y < 1 || x >= width - 2 || y >= height - 2) continue;
      const size = light[bytes[at * 2 + 6]] * near;
      const glow = size > 1 ? 255 : Math.max(18, 255 * size * Math.sqrt(size));
      const shade = tint[star] * 3;
      const [r, g, bl] = [shades[shade] * glow, shades[shade + 1] * glow, shades[shade + 2] * glow];
      const pixel = (y | 0) * width + (x | 0);
      this._light(pixel, r, g, bl);
      if (size < 1.6) continue;
      const side = size < 2.6 ? 0.45 : 0.9;
      this._light(pixel - 1, r * side, g * side, bl * side);
      this._light(pixel + 1, r * side, g * side, bl * side);
      this._light(pixel - width, r * side, g * side, bl * side);
      this._light(pixel + width, r * side, g * side, bl * side);
    }
  }

  _light(pixel, r, g, b) {
    const { sums, pairs } = this;
    const at = pixel * 4;
    if ((pairs[2 * pixel] | pairs[2 * pixel + 1]) === 0) {
      this.lit[this.count++] = pixel;
      sums[at + 3] = 1; // lit, even where its light is too little to count
    } else if (sums[at] > MOST || sums[at + 1] > MOST || sums[at + 2] > MOST) return;
    sums[at] += r;
    sums[at + 1] += g;
    sums[at + 2] += b;
  }

  _develop() {
    const { sums, whole, lit } = this;
    const [red, green, blue] = this.tables;
    for (let at = 0; at < this.count; at++) {
      const from = lit[at] * 4;
      const r = red[Math.min(sums[from], DEEPEST)];
      const g = green[Math.min(sums[from + 1], DEEPEST)];
      const b = blue[Math.min(sums[from + 2], DEEPEST)];
      whole[lit[at]] = (255 << 24) | (b << 16) | (g << 8) | r;
    }
  }
}

// The size in pixels at a distance of 1, by the byte of the mass; as in the shader of map-field.js.
function lights(unit, scale, ratio, night) {
  const least = ratio * (night ? 1.1 : 1.3);
  return Float32Array.from({ length: 256 }, (_, heavy) => {
    return (2 * unit * radiusOf(heavy / 255) * scale) / least;
  });
}
