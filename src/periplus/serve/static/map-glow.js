// The glow of the crowd: where many stars stand close, the night shines in their colours, and paper takes a wash of ink.
// The light of the heavy stars is summed on a coarse grid, blurred, and stretched over the picture.
const CELL = 10; // pixels
const MOST = 20000; // stars that give light
const BLURS = 3;
const SPREAD = 2; // cells on each side

export class Glow {
  resize(width, height) {
    this.width = Math.max(2, Math.ceil(width / CELL));
    this.height = Math.max(2, Math.ceil(height / CELL));
    const cells = this.width * this.height;
    this.sums = [0, 1, 2].map(() => new Float32Array(cells));
    this.spare = new Float32Array(cells);
    this.pixels = new Uint8Array(cells * 4);
  }

  // `palette` as of the field: 256 of r, g, b, alpha.
  draw(field, to, m, palette) {
    this.sums.forEach((sum) => sum.fill(0));
    const end = Math.min(to, MOST);
    this._add(field, end, m, palette);
    for (let times = 0; times < BLURS; times++) {
      this.sums.forEach((sum, part) => (this.sums[part] = this._blurred(sum)));
    }
    this._develop(field, 700 / Math.max(600, end));
  }

  _add(field, end, m, palette) {
    const { words, bytes, tint } = field;
    const [wide, tall] = [this.width, this.height];
    const paper = field.paper;
    for (let star = 0, at = 0; star < end; star++, at += 4) {
      const [a, b, c] = [words[at], words[at + 1], words[at + 2]];
      const depth = m[3] * a + m[7] * b + m[11] * c + m[15];
      if (depth <= 0) continue;
      const x = (((m[0] * a + m[4] * b + m[8] * c + m[12]) / depth + 1) / 2) * wide - 0.5;
      const y = (((m[1] * a + m[5] * b + m[9] * c + m[13]) / depth + 1) / 2) * tall - 0.5;
      const [left, low] = [Math.floor(x), Math.floor(y)];
      if (left < 0 || low < 0 || left >= wide - 1 || low >= tall - 1) continue;
      const heavy = bytes[at * 2 + 6] / 255;
      const light = 0.35 + 6 * heavy ** 4;
      const [right, up] = [x - left, y - low];
      const cell = low * wide + left;
      for (let part = 0; part < 3; part++) {
        const colour = palette[tint[star] * 4 + part];
        const shine = light * (field.night ? colour / 255 : Math.max(0, paper[part] - colour) / 255);
        const sum = this.sums[part];
        sum[cell] += shine * (1 - right) * (1 - up);
        sum[cell + 1] += shine * right * (1 - up);
        sum[cell + wide] += shine * (1 - right) * up;
        sum[cell + wide + 1] += shine * right * up;
      }
    }
  }

  // A running mean along the rows, then along the columns.
  _blurred(sum) {
    means(sum, this.spare, this.height, this.width, this.width, 1);
    means(this.spare, sum, this.width, this.height, 1, this.width);
    return sum;
  }

  // Bright places keep their colour: all three parts are dimmed alike.
  _develop(field, strength) {
    const [red, green, blue] = this.sums;
    for (let cell = 0; cell < red.length; cell++) {
      const most = Math.max(red[cell], green[cell], blue[cell]);
      const share = most > 0 ? (255 * (1 - Math.exp(-Math.sqrt(most * strength)))) / most : 0;
      this.pixels[cell * 4] = red[cell] * share;
      this.pixels[cell * 4 + 1] = green[cell] * share;
      this.pixels[cell * 4 + 2] = blue[cell] * share;
      this.pixels[cell * 4 + 3] = 255;
    }
  }
}

function means(from, into, lines, length, line, step) {
  const share = 1 / (2 * SPREAD + 1);
  for (let number = 0; number < lines; number++) {
    const begin = number * line;
    let sum = 0;
    for (let at = 0; at < Math.min(SPREAD, length); at++) sum += from[begin + at * step];
    for (let at = 0; at < length; at++) {
      if (at + SPREAD < length) sum += from[begin + (at + SPREAD) * step];
      if (at - SPREAD - 1 >= 0) sum -= from[begin + (at - SPREAD - 1) * step];
      into[begin + at * step] = Math.max(0, sum * share);
    }
  }
}
