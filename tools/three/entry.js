// What the viewer of the sky takes from three.js; `vendor.sh` bundles it.
export {
  AdditiveBlending, BufferAttribute, BufferGeometry, Color, DataTexture, DynamicDrawUsage, InterleavedBuffer,
  InterleavedBufferAttribute, LineBasicMaterial, LineSegments, LinearFilter, LinearSRGBColorSpace, Matrix4, Mesh, NearestFilter, NormalBlending, PerspectiveCamera,
  Points, QuadraticBezierCurve3, Scene, ShaderMaterial, Spherical, Vector2, Vector3, WebGLRenderer,
} from "three";
export { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
