// What the parts of the sky share: how a star is written, how large it is, and where it stands in the picture.
import * as THREE from "./three.js";

export const BYTES = 8; // a star: x, y, z of two bytes each, its mass, the number of its community
export const WORDS = BYTES / 2;
export const FULL = 32767; // the largest coordinate

// The radius of a star in units of the sky, by its mass from 0 to 1, and the most pixels that it may take across.
// The shader of map-field.js says the same.
export const radiusOf = (heavy) => 0.0034 + 0.022 * heavy ** 4;
export const widestOf = (heavy) => 7 + 65 * heavy ** 2;

// Projection × view × scale, in columns.
export function matrixOf(camera, scale) {
  camera.updateMatrixWorld();
  const matrix = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  const m = matrix.elements;
  for (let at = 0; at < 12; at++) m[at] *= scale;
  return m;
}

// A function from a point to its place in a picture of this size, and how deep it lies; null behind the camera.
export function projector(camera, width, height, scale = 1) {
  const m = matrixOf(camera, scale);
  return (a, b, c) => {
    const depth = m[3] * a + m[7] * b + m[11] * c + m[15];
    if (depth <= 0) return null;
    const across = (m[0] * a + m[4] * b + m[8] * c + m[12]) / depth;
    const up = (m[1] * a + m[5] * b + m[9] * c + m[13]) / depth;
    return { x: ((across + 1) / 2) * width, y: ((1 - up) / 2) * height, depth };
  };
}

// Pixels of a length of 1 at a distance of 1.
export function pixelsOf(camera, height) {
  return height / (2 * Math.tan((camera.fov * Math.PI) / 360));
}

// `#rrggbb` as [r, g, b].
export const numbersOf = (hex) => [1, 3, 5].map((at) => parseInt(hex.trim().slice(at, at + 2), 16));
