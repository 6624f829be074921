// The links of one star as arcs: those that lead to it in one colour, those that leave it in another.
import * as THREE from "./three.js";

const PARTS = 20;
const VERTEX = `
  attribute vec4 shade;
  varying vec4 tint;
  void main() { tint = shade; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`;
const FRAGMENT = `varying vec4 tint; void main() { gl_FragColor = tint; }`;

export class Arcs {
  constructor() {
    this.scene = new THREE.Scene();
    this.material = new THREE.ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthTest: false,
      depthWrite: false,
    });
    this.lines = null;
  }

  clear() {
    if (!this.lines) return;
    this.scene.remove(this.lines);
    this.lines.geometry.dispose();
    this.lines = null;
  }

  // Arcs from `star` to the ends of its links; `colours` are [r, g, b] from 0 to 255 of the two sides.
  show(field, star, { linking, linked }, colours) {
    this.clear();
    const ends = [
      ...linking.map((end) => [end, colours.linking]),
      ...linked.map((end) => [end, colours.linked]),
    ].filter(([end]) => end < field.loaded);
    const points = new Float32Array(ends.length * PARTS * 6);
    const shades = new Float32Array(ends.length * PARTS * 8);
    const begin = field.at(star, new THREE.Vector3());
    const strength = Math.max(0.25, Math.min(0.9, 14 / Math.sqrt(ends.length + 1)));
    ends.forEach(([end, colour], number) => {
      const path = curve(begin, field.at(end, new THREE.Vector3()));
      for (let part = 0; part < PARTS * 2; part++) {
        const along = ((part + 1) >> 1) / PARTS;
        path.getPoint(along, POINT).toArray(points, (number * PARTS * 2 + part) * 3);
        const alpha = strength * (1 - 0.75 * along);
        shades.set([...colour.map((one) => one / 255), alpha], (number * PARTS * 2 + part) * 4);
      }
    });
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(points, 3));
    geometry.setAttribute("shade", new THREE.BufferAttribute(shades, 4));
    this.lines = new THREE.LineSegments(geometry, this.material);
    this.lines.frustumCulled = false;
    this.scene.add(this.lines);
  }
}

// The constellations: thin lines between heavy stars.
export class Figures {
  constructor() {
    this.scene = new THREE.Scene();
    this.material = new THREE.LineBasicMaterial({ transparent: true, depthTest: false, depthWrite: false });
  }

  show(field, lines) {
    const [points, at] = [new Float32Array(lines.length * 6), new THREE.Vector3()];
    lines.flat().forEach((star, number) => field.at(star, at).toArray(points, number * 3));
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(points, 3));
    this.lines = new THREE.LineSegments(geometry, this.material);
    this.lines.frustumCulled = false;
    this.scene.add(this.lines);
  }

  paint(theme) {
    this.material.color.set(theme.night ? 0x9fb4d8 : 0x3a4252);
    this.material.opacity = theme.night ? 0.13 : 0.15;
  }
}

const POINT = new THREE.Vector3();

// From one point to the other, bent away from the middle of the sky.
function curve(begin, end) {
  const middle = begin.clone().add(end).multiplyScalar(0.5);
  const bend = begin.distanceTo(end) * 0.22;
  const outwards = middle.lengthSq() > 1e-9 ? middle.clone().normalize() : new THREE.Vector3(0, 1, 0);
  return new THREE.QuadraticBezierCurve3(begin, middle.addScaledVector(outwards, bend), end);
}
