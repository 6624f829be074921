// The stars: one buffer of eight bytes a star, heaviest first; any beginning of it can be drawn.
// Where WebGL runs on the processor, the many faint stars are drawn by map-dust.js: some thirty times as fast.
import * as THREE from "./three.js";
import { Dust } from "./map-dust.js";
import { Glow } from "./map-glow.js";
import { BYTES, FULL, WORDS, matrixOf, pixelsOf, radiusOf, widestOf } from "./map-space.js";

const GLOWING = 2500; // stars that stay with WebGL where it is slow

const VERTEX = `
  attribute float mass;
  attribute float tint;
  uniform sampler2D palette;
  uniform float grow, pixels, unit, least, ratio;
  varying vec3 colour;
  varying float light, size;
  void main() {
    vec4 at = modelViewMatrix * vec4(position * grow, 1.0);
    float heavy = mod(mass + 65536.0, 256.0) / 255.0;
    size = 2.0 * unit * (0.0034 + 0.022 * pow(heavy, 4.0)) * pixels / max(-at.z, 1e-6);
    light = min(1.0, pow(size / least, 1.5));
    light *= smoothstep(0.004 * unit, 0.03 * unit, -at.z);
    size = clamp(size, least, (7.0 + 65.0 * heavy * heavy) * ratio);
    gl_PointSize = size;
    gl_Position = projectionMatrix * at;
    colour = texelFetch(palette, ivec2(int(tint), 0), 0).rgb;
  }`;

// By night a star glows; by day it is a disc of ink with a rim of paper, as in a star atlas.
const FRAGMENT = `
  uniform vec3 paper;
  uniform float night;
  varying vec3 colour;
  varying float light, size;
  void main() {
    if (size < 2.5) { gl_FragColor = vec4(colour, light * mix(0.8, 0.7, night)); return; }
    float far = length(gl_PointCoord * 2.0 - 1.0);
    if (far > 1.0) discard;
    if (night > 0.5) {
      float core = smoothstep(0.42, 0.12, far);
      float halo = pow(1.0 - far, 2.2) * 0.75;
      gl_FragColor = vec4(mix(colour, vec3(1.0), core * 0.75), light * (core + halo));
    } else {
      float rim = smoothstep(0.66, 0.78, far) * step(5.0, size);
      gl_FragColor = vec4(mix(colour, paper, rim), light * smoothstep(1.0, 0.86, far) * 0.92);
    }
  }`;

const COVER_VERTEX = `void main() { gl_Position = vec4(position.xy, 0.0, 1.0); }`;
const COVER_FRAGMENT = `
  uniform sampler2D dust, glow;
  uniform vec3 paper;
  uniform vec2 whole;
  uniform float night, dusty;
  void main() {
    vec3 under = dusty > 0.5 ? texelFetch(dust, ivec2(gl_FragCoord.xy), 0).rgb : paper;
    vec3 light = texture2D(glow, gl_FragCoord.xy / whole).rgb;
    gl_FragColor = vec4(night > 0.5 ? under + (1.0 - under) * light * 0.5 : under * (1.0 - light * 0.42), 1.0);
  }`;

export class Field {
  constructor(renderer, count) {
    this.renderer = renderer;
    this.count = count;
    this.words = new Int16Array(count * WORDS);
    this.bytes = new Uint8Array(this.words.buffer);
    this.tint = new Uint8Array(count);
    this.loaded = 0;
    this.limit = count; // stars that may be drawn: fewer while a moment of the past is shown
    this.budget = count; // stars that the frame time allows
    this.unit = 1; // the radius of the sky
    this.grow = 1;
    this.scene = new THREE.Scene();
    this.palette = new THREE.DataTexture(new Uint8Array(256 * 4), 256, 1);
    this.slow = isSoftware(renderer.getContext());
    this.glow = new Glow();
    if (this.slow) this.dust = new Dust();
    this._points();
    this._cover();
  }

  _points() {
    this.buffer = new THREE.InterleavedBuffer(this.words, WORDS);
    this.buffer.setUsage(THREE.DynamicDrawUsage);
    const geometry = (this.geometry = new THREE.BufferGeometry());
    geometry.setAttribute("position", new THREE.InterleavedBufferAttribute(this.buffer, 3, 0, true));
    geometry.setAttribute("mass", new THREE.InterleavedBufferAttribute(this.buffer, 1, 3, false));
    geometry.setAttribute("tint", new THREE.BufferAttribute(this.tint, 1));
    this.material = new THREE.ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: {
        palette: { value: this.palette },
        paper: { value: new THREE.Color() },
        night: { value: 1 },
        grow: { value: 1 },
        pixels: { value: 1 },
        unit: { value: 1 },
        least: { value: 1 },
        ratio: { value: 1 },
      },
      transparent: true,
      depthTest: false,
      depthWrite: false,
    });
    const points = new THREE.Points(geometry, this.material);
    points.frustumCulled = false;
    this.scene.add(points);
  }

  _cover() {
    const triangle = new THREE.BufferGeometry();
    triangle.setAttribute("position", new THREE.BufferAttribute(new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3));
    this.coverMaterial = new THREE.ShaderMaterial({
      vertexShader: COVER_VERTEX,
      fragmentShader: COVER_FRAGMENT,
      uniforms: {
        dust: { value: null },
        glow: { value: null },
        paper: this.material.uniforms.paper,
        night: this.material.uniforms.night,
        whole: { value: new THREE.Vector2() },
        dusty: { value: this.dust ? 1 : 0 },
      },
      depthTest: false,
      depthWrite: false,
    });
    const cover = new THREE.Mesh(triangle, this.coverMaterial);
    cover.frustumCulled = false;
    this.cover = new THREE.Scene();
    this.cover.add(cover);
  }

  // Bytes that have come, from a place in the stream on.
  receive(chunk, at) {
    this.bytes.set(chunk, at);
    const before = this.loaded;
    this.loaded = Math.floor((at + chunk.length) / BYTES);
    for (let star = before; star < this.loaded; star++) this.tint[star] = this.bytes[star * BYTES + 7];
    this.changed(before, this.loaded);
    this.tinted(before, this.loaded);
  }

  changed(from, to) {
    this.buffer.addUpdateRange(from * WORDS, (to - from) * WORDS);
    this.buffer.needsUpdate = true;
  }

  tinted(from, to) {
    const attribute = this.geometry.attributes.tint;
    attribute.addUpdateRange(from, to - from);
    attribute.needsUpdate = true;
  }

  // The colours: 256 of [r, g, b]; `only`, if any, keeps its light while the others fade.
  paint(colours, theme, only) {
    this.night = theme.night;
    this.paper = theme.paper;
    colours.forEach((colour, at) => {
      const kept = only === null || only === at ? 1 : 0.14;
      for (let part = 0; part < 3; part++) {
        this.palette.image.data[at * 4 + part] = theme.paper[part] + (colour[part] - theme.paper[part]) * kept;
      }
      this.palette.image.data[at * 4 + 3] = 255;
    });
    this.palette.needsUpdate = true;
    this.material.blending = theme.night ? THREE.AdditiveBlending : THREE.NormalBlending;
    this.material.needsUpdate = true;
    const uniforms = this.material.uniforms;
    uniforms.night.value = theme.night ? 1 : 0;
    uniforms.paper.value.setRGB(...theme.paper.map((part) => part / 255), THREE.LinearSRGBColorSpace);
    if (this.dust) this.dust.paint(this.palette.image.data, theme);
  }

  resize(width, height, ratio) {
    this.width = Math.floor(width * ratio);
    this.height = Math.floor(height * ratio);
    this.ratio = ratio;
    const uniforms = this.coverMaterial.uniforms;
    uniforms.whole.value.set(this.width, this.height);
    this.glow.resize(this.width, this.height);
    replace(uniforms.glow, this.glow, THREE.LinearFilter);
    if (!this.dust) return;
    this.dust.resize(this.width, this.height);
    replace(uniforms.dust, this.dust, THREE.NearestFilter);
  }

  pixels(camera) {
    return pixelsOf(camera, this.height);
  }

  get shown() {
    return Math.min(this.loaded, this.limit, this.budget);
  }

  draw(camera) {
    const shown = this.shown;
    const uniforms = this.material.uniforms;
    uniforms.grow.value = this.grow;
    uniforms.pixels.value = this.pixels(camera);
    uniforms.unit.value = this.unit;
    uniforms.ratio.value = this.ratio;
    uniforms.least.value = this.ratio * (this.night ? 1.1 : 1.3);
    this.geometry.setDrawRange(0, this.dust ? Math.min(shown, GLOWING) : shown);
    this.renderer.autoClear = false;
    const matrix = matrixOf(camera, this.grow / FULL);
    this.glow.draw(this, shown, matrix, this.palette.image.data);
    this.coverMaterial.uniforms.glow.value.needsUpdate = true;
    if (this.dust) {
      this.dust.draw(this, GLOWING, shown, matrix, this.pixels(camera));
      this.coverMaterial.uniforms.dust.value.needsUpdate = true;
    }
    this.renderer.render(this.cover, camera);
    this.renderer.render(this.scene, camera);
  }

  // Where a star is.
  at(star, into) {
    const [k, from] = [this.grow / FULL, star * WORDS];
    return into.set(this.words[from] * k, this.words[from + 1] * k, this.words[from + 2] * k);
  }

  heavy(star) {
    return this.bytes[star * BYTES + 6] / 255;
  }

  radius(star) {
    return this.unit * radiusOf(this.heavy(star));
  }

  // The radius of a star in the picture, where a length of 1 takes so many pixels.
  disc(star, pixels, ratio = 1) {
    const heavy = this.heavy(star);
    return Math.min(this.unit * radiusOf(heavy) * pixels, (widestOf(heavy) * ratio) / 2);
  }

  // The star under a point of the canvas in device pixels: of those whose disc is near it, the nearest; -1 for none.
  pick(camera, x, y, slack) {
    const m = matrixOf(camera, this.grow / FULL);
    const [w, h, scale] = [this.width / 2, this.height / 2, this.pixels(camera)];
    let [best, least] = [-1, Infinity];
    for (let star = 0, at = 0; star < this.shown; star++, at += WORDS) {
      const [a, b, c] = [this.words[at], this.words[at + 1], this.words[at + 2]];
      const depth = m[3] * a + m[7] * b + m[11] * c + m[15];
      if (depth <= 0) continue;
      const dx = ((m[0] * a + m[4] * b + m[8] * c + m[12]) / depth + 1) * w - x;
      const dy = (1 - (m[1] * a + m[5] * b + m[9] * c + m[13]) / depth) * h - y;
      if (dx * dx + dy * dy > 3600) continue;
      const off = Math.sqrt(dx * dx + dy * dy) - this.disc(star, scale / depth, this.ratio) * 0.6;
      if (off < slack && off < least) [best, least] = [star, off];
    }
    return best;
  }
}

// A texture that shows the pixels of a picture, in place of the one before.
function replace(uniform, picture, filter) {
  uniform.value?.dispose();
  uniform.value = new THREE.DataTexture(picture.pixels, picture.width, picture.height);
  uniform.value.magFilter = uniform.value.minFilter = filter;
}

function isSoftware(context) {
  const told = context.getExtension("WEBGL_debug_renderer_info");
  const name = context.getParameter(told ? told.UNMASKED_RENDERER_WEBGL : context.RENDERER);
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(String(name));
}
