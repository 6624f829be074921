// The camera: orbit by mouse, touch and arrows (three.js OrbitControls), fly by keys, and journeys from place to place.
import * as THREE from "./three.js";

const VIEW = 50; // degrees from bottom to top
const KEYS = {
  w: [0, 0, 1], s: [0, 0, -1], a: [-1, 0, 0], d: [1, 0, 0], e: [0, 1, 0], q: [0, -1, 0],
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1], "+": 1, "=": 1, "-": -1,
};
const JOURNEY = 1400; // milliseconds

export class Flight {
  constructor(surface, still) {
    this.still = still; // () => whether motion is unwanted
    this.camera = new THREE.PerspectiveCamera(VIEW, 1, 1e-4, 100);
    const orbit = (this.orbit = new THREE.OrbitControls(this.camera, surface));
    orbit.dampingFactor = 0.12;
    orbit.rotateSpeed = 0.6;
    orbit.zoomSpeed = 1.4;
    orbit.zoomToCursor = true;
    orbit.minDistance = 1e-3;
    orbit.maxDistance = 20;
    // A wheel moves the camera at once, between two frames: the next one must know.
    this.changed = false;
    orbit.addEventListener("change", () => (this.changed = true));
    this.unit = 1;
    this.middle = new THREE.Vector3();
    this.held = new Set();
    this.tapped = new Set(); // pressed since the last frame: these count even if released before it
    this.journey = null;
    this.last = 0;
    surface.addEventListener("pointerdown", () => this.rest());
    surface.addEventListener("wheel", () => this.rest(), { passive: true });
  }

  // Stop whatever moves by itself.
  rest() {
    this.journey = null;
    this.orbit.autoRotate = false;
  }

  resize(width, height) {
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  // The radius and the middle of what there is to see: speeds and distances follow them.
  measure(unit, middle) {
    this.unit = unit;
    this.middle.copy(middle);
    this.orbit.minDistance = unit * 0.004;
    this.orbit.maxDistance = unit * 12;
    this.camera.near = unit * 1e-4;
    this.camera.far = unit * 60;
    this.camera.updateProjectionMatrix();
  }

  overview() {
    const tall = Math.tan((VIEW * Math.PI) / 360);
    const far = (this.unit * 1.12) / Math.min(tall, tall * this.camera.aspect);
    const from = new THREE.Vector3(0.45, 0.36, 0.82).normalize().multiplyScalar(far).add(this.middle);
    return { from, to: this.middle.clone() };
  }

  // Go to a view at once.
  stand({ from, to }) {
    this.journey = null;
    this.camera.position.copy(from);
    this.orbit.target.copy(to);
    this.orbit.update();
  }

  // Travel to a view; at once where motion is unwanted.
  travel(view) {
    this.orbit.autoRotate = false;
    if (this.still()) {
      this.stand(view);
      return;
    }
    const begin = { from: this.camera.position.clone(), to: this.orbit.target.clone() };
    this.journey = { begin, end: view, started: performance.now() };
  }

  // Fly to a point and stop at a distance from it, on the side one comes from.
  visit(point, distance) {
    const back = this.camera.position.clone().sub(point);
    if (back.lengthSq() < 1e-12) back.set(0.45, 0.36, 0.82);
    this.travel({ from: back.setLength(distance).add(point), to: point.clone() });
  }

  press(key) {
    const known = KEYS[key] !== undefined;
    if (known) {
      this.held.add(key);
      this.tapped.add(key);
      this.rest();
    }
    return known;
  }

  release(key) {
    this.held.delete(key);
  }

  releaseAll() {
    this.held.clear();
  }

  // Move on to this time; says whether anything moved.
  update(now) {
    const seconds = Math.min(0.1, (now - this.last) / 1000);
    this.last = now;
    if (this.journey) this._travelled(now);
    const keys = new Set([...this.held, ...this.tapped]);
    this.tapped.clear();
    keys.forEach((key) => this._held(KEYS[key], Math.max(seconds, 0.02)));
    this.orbit.enableDamping = !this.still(); // what a hand let go runs out, where motion is welcome
    this.orbit.update(seconds);
    const moved = this.changed;
    this.changed = false;
    return moved || this.journey !== null || keys.size > 0;
  }

  _travelled(now) {
    const { begin, end, started } = this.journey;
    const part = Math.min(1, (now - started) / JOURNEY);
    const eased = part < 0.5 ? 4 * part ** 3 : 1 - (2 - 2 * part) ** 3 / 2;
    this.orbit.target.lerpVectors(begin.to, end.to, eased);
    // Distance shrinks by shares, so that near and far take the same time.
    const [first, last] = [begin.from.clone().sub(begin.to), end.from.clone().sub(end.to)];
    const length = Math.exp(Math.log(first.length()) * (1 - eased) + Math.log(last.length()) * eased);
    const way = first.normalize().lerp(last.normalize(), eased);
    if (way.lengthSq() < 1e-9) way.set(0, 1, 0);
    this.camera.position.copy(way.setLength(length).add(this.orbit.target));
    if (part >= 1) this.journey = null;
  }

  _held(way, seconds) {
    const reach = this.camera.position.distanceTo(this.orbit.target);
    if (typeof way === "number") {
      this._nearer(Math.exp(-way * 1.6 * seconds));
    } else if (way.length === 2) {
      this._turn(way[0] * seconds, way[1] * seconds);
    } else {
      const speed = Math.max(this.unit * 0.12, reach * 0.9) * seconds;
      const step = new THREE.Vector3(way[0], way[1], -way[2]).applyQuaternion(this.camera.quaternion);
      step.multiplyScalar(speed);
      this.camera.position.add(step);
      this.orbit.target.add(step);
    }
  }

  _nearer(share) {
    const back = this.camera.position.clone().sub(this.orbit.target);
    const length = Math.min(this.orbit.maxDistance, Math.max(this.orbit.minDistance, back.length() * share));
    this.camera.position.copy(back.setLength(length).add(this.orbit.target));
  }

  _turn(across, up) {
    const back = new THREE.Spherical().setFromVector3(this.camera.position.clone().sub(this.orbit.target));
    back.theta += across * 1.3;
    back.phi = Math.min(Math.PI - 0.05, Math.max(0.05, back.phi - up * 1.3));
    this.camera.position.setFromSpherical(back).add(this.orbit.target);
  }

  get written() {
    const numbers = [...this.camera.position.toArray(), ...this.orbit.target.toArray()];
    return numbers.map((one) => Number(one.toPrecision(5))).join(",");
  }

  read(text) {
    const numbers = (text || "").split(",").map(Number);
    if (numbers.length !== 6 || !numbers.every(Number.isFinite)) return null;
    return { from: new THREE.Vector3(...numbers.slice(0, 3)), to: new THREE.Vector3(...numbers.slice(3)) };
  }
}
