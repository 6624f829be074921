"""The sky in the browser against 3d-force-graph and cosmos.gl: bytes and time to the first picture, time per frame.

    python benchmarks/viewer.py              100,000 pages with the peers, 1,000,000 pages alone
    python benchmarks/viewer.py --no-peers   without the peers, which are fetched with npm

One Chromium with WebGL on the processor, one window of 1280 × 800 pixels, one graph for all. Every viewer gets the same
places, so that none has to find them, and no links to draw: ours needs one file of 8 bytes a star, cosmos.gl one of 8
bytes (two coordinates), 3d-force-graph its JSON with three. The first picture counts from the navigation to the first
frame that holds the heaviest 20,000 stars (ours) or all (peers: they draw nothing before). A frame: the camera turns by
a little every frame, for 3 s, all stars drawn; the time is the mean interval between frames. Beside it stands the time
of both cores per frame, all processes of the browser together, which a busy machine lengthens less. Bytes are those of
all answers. The peers' figures are the best of two rounds, ours the median of three. A peer that shows nothing within
the limit is named with it. `empty-canvas`, also the median of three, is what any viewer pays here: our copy of
three.js, a WebGL context, one answer from what draws, and a picture of nothing.
"""

from __future__ import annotations

import argparse
import contextlib
import http.server
import json
import os
import shutil
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from report import write_section
from tests.serve.fake import sky_over
from tests.serve.live import live_server

from periplus import serve
from periplus.graph import Graph
from periplus.graph.urls.table import UrlTable
from periplus.library.sky import stars_of

SCRATCH = Path(__file__).resolve().parent / "out" / "viewer"
PEERS = ("3d-force-graph@1.80", "@cosmos.gl/graph@3.3", "esbuild@0.25")
ARGUMENTS = ("--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")
WINDOW = {"width": 1280, "height": 800}
LIMIT = 120.0
SECONDS = 3

FORCE = """<!doctype html><body style="margin:0"><div id="at"></div>
<script src="3d-force-graph.min.js"></script><script>
fetch("places.json").then((answer) => answer.json()).then((nodes) => {
  const graph = ForceGraph3D()(document.getElementById("at")).enableNodeDrag(false).enablePointerInteraction(false)
    .nodeResolution(4).nodeRelSize(1).cooldownTicks(0).graphData({ nodes, links: [] });
  window.turn = (angle) => graph.cameraPosition({ x: 600 * Math.sin(angle), y: 0, z: 600 * Math.cos(angle) });
  requestAnimationFrame(() => requestAnimationFrame(() => (window.first = performance.now())));
});
</script>"""
BARE = "empty-canvas"
EMPTY = """<!doctype html><body style="margin:0"><canvas width="1280" height="800"></canvas><script type="module">
import * as THREE from "./three.js";
const canvas = document.querySelector("canvas");
const context = canvas.getContext("webgl2", { antialias: false, alpha: false, depth: false, stencil: false });
const renderer = new THREE.WebGLRenderer({ canvas, context });
context.getParameter(context.getExtension("WEBGL_debug_renderer_info").UNMASKED_RENDERER_WEBGL);
const [scene, camera] = [new THREE.Scene(), new THREE.PerspectiveCamera()];
window.turn = () => renderer.render(scene, camera);
window.turn();
window.first = performance.now();
</script>"""
COSMOS = """<!doctype html><body style="margin:0"><div id="at" style="width:1280px;height:800px"></div>
<script type="module" src="cosmos.js"></script>"""
COSMOS_SCRIPT = """
import { Graph } from "@cosmos.gl/graph";
const places = new Float32Array(await (await fetch("places.bin")).arrayBuffer());
const graph = new Graph(document.getElementById("at"), { enableSimulation: false, spaceSize: 4096, pointSize: 2 });
await graph.ready;
graph.setPointPositions(places);
graph.render();
graph.fitView(0);
window.turn = (angle) => graph.setZoomLevel(1 + 0.3 * Math.sin(angle), 0);
requestAnimationFrame(() => requestAnimationFrame(() => (window.first = performance.now())));
"""
# Frames while `turn` is called before each: the mean interval in milliseconds.
FRAMES = """
(seconds) => new Promise((done) => {
  let [begin, frames] = [0, 0];
  const step = (now) => {
    if (!begin) begin = now;
    if (now - begin > seconds * 1000 && frames > 2) return done((now - begin) / frames);
    frames++;
    window.turn(frames * 0.02);
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})
"""
OURS = """
() => {
  const viewer = document.getElementById("sky-stage").viewer;
  viewer.patience = 1e9;
  viewer.flight.rest();
  window.turn = () => viewer.flight.tapped.add("ArrowLeft");
}
"""


def library_of(pages: int) -> Any:
    """A collection without texts: groups of pages round random middles, a link from every page to one before it."""
    random = np.random.default_rng(1)
    targets = (np.arange(1, pages) * random.random(pages - 1) ** 2).astype(np.int64)
    urls = UrlTable.from_urls([f"http://example.org/{page:07d}" for page in range(pages)])
    graph = Graph.from_edges(np.arange(1, pages), targets, pages, urls=urls)
    sky = sky_over(graph, moments=2)
    groups = random.integers(0, 300, pages)
    middles = random.normal(size=(300, 3))
    sky.positions[:] = middles[groups] + random.normal(size=(pages, 3)) * 0.12
    rankers = SimpleNamespace(default="text", title=str, share=lambda name, nodes: np.ones(len(nodes)))
    searcher = SimpleNamespace(document=lambda node: {"title": f"Page {node}"}, rankers=rankers, documents=pages)
    collection = SimpleNamespace(settings=SimpleNamespace(name="stars"), path="stars", stages=dict)
    return SimpleNamespace(
        collection=collection, graph=graph, skies={"sky": sky}, searcher=searcher, memberships=None, regions=None,
        counts={"pages": pages, "links": graph.links}, told=[], scores={}, public=False,
    )  # fmt: skip


def peers_in(folder: Path) -> list[str]:
    """Fetch and bundle the peers; their pages by name."""
    if shutil.which("npm") is None:
        print("npm is not here: the peers are left out")
        return []
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "node_modules").exists():
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", *PEERS], cwd=folder, check=True)
    shutil.copy(folder / "node_modules/3d-force-graph/dist/3d-force-graph.min.js", folder)
    (folder / "3d-force-graph.html").write_text(FORCE)
    (folder / "cosmos.gl.html").write_text(COSMOS)
    (folder / "entry.js").write_text(COSMOS_SCRIPT)
    bundle = ["npx", "esbuild", "entry.js", "--bundle", "--minify", "--format=esm", "--outfile=cosmos.js"]
    subprocess.run([*bundle, "--log-level=error"], cwd=folder, check=True)
    return ["3d-force-graph", "cosmos.gl"]


def write_empty(folder: Path) -> None:
    """A page with an empty canvas, drawn by our copy of three.js."""
    shutil.copy(Path(serve.__file__).parent / "static" / "three.js", folder)
    (folder / f"{BARE}.html").write_text(EMPTY)


def write_places(library: Any, folder: Path) -> None:
    """The same places as the peers take them."""
    places = stars_of(library).places
    nodes = [{"id": at, "fx": 200 * x, "fy": 200 * y, "fz": 200 * z} for at, (x, y, z) in enumerate(places.tolist())]
    (folder / "places.json").write_text(json.dumps(nodes, separators=(",", ":")))
    (folder / "places.bin").write_bytes((2048 + 1000 * places[:, :2]).astype("<f4").tobytes())


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A server of files that says nothing."""

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def file_server(folder: Path) -> Iterator[int]:
    """The port of a server of the files in a folder."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()


def spent() -> float:
    """Seconds of processor that all processes below this one have taken."""
    told = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            fields = path.read_text().rpartition(")")[2].split()
            told[int(path.parent.name)] = int(fields[1]), (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    below, grown = {os.getpid()}, True
    while grown:
        more = {pid for pid, (parent, _) in told.items() if parent in below} - below
        below, grown = below | more, bool(more)
    return sum(told[pid][1] for pid in below - {os.getpid()} if pid in told)


def measured(browser: Any, address: str, *, ours: bool) -> dict[str, float] | None:
    """Bytes, milliseconds to the first picture and per frame; None where nothing was shown within the limit."""
    page = browser.new_page(viewport=WINDOW)
    page.set_default_timeout(LIMIT * 1000)
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    sizes: list[float] = []
    network.on("Network.loadingFinished", lambda told: sizes.append(told["encodedDataLength"]))
    try:
        page.goto(address)
        if ours:
            page.wait_for_selector("#sky-stage[data-ready][data-first]")
            first = float(page.evaluate("Number(document.getElementById('sky-stage').dataset.first)"))
            page.evaluate(OURS)
        else:
            page.wait_for_function("window.first")
            first = float(page.evaluate("window.first"))
        before, began = spent(), time.monotonic()
        moved = float(page.evaluate(FRAMES, SECONDS))
        cores = (spent() - before) * moved / (time.monotonic() - began)
    except Exception as error:
        print(f"{address}: {str(error).splitlines()[0]}")
        return None
    finally:
        page.close()
    return {"bytes": sum(sizes), "first": first, "frame": moved, "cores": cores}


def rows_of(browser: Any, pages: int, peers: list[str], folder: Path) -> list[str]:
    """Lines of the table for a web of so many pages; rounds are interleaved."""
    library = library_of(pages)
    found: dict[str, list[dict[str, float]]] = {name: [] for name in ("Periplus", *peers, BARE)}
    write_empty(folder)
    if peers:
        write_places(library, folder)
    with live_server(library) as port, file_server(folder) as files:
        for turn in range(3):
            addresses = {"Periplus": f"http://127.0.0.1:{port}/map"}
            others = [*peers, BARE] if turn < 2 else [BARE]
            addresses |= {name: f"http://127.0.0.1:{files}/{name}.html" for name in others}
            for name, address in addresses.items():
                if one := measured(browser, address, ours=name == "Periplus"):
                    found[name].append(one)
                    print(f"{pages:,} {name}: {one}", flush=True)
    return [line(pages, name, rounds) for name, rounds in found.items()]


def line(pages: int, name: str, rounds: list[dict[str, float]]) -> str:
    """One line of the table."""
    if not rounds:
        return f"| {pages:,} | {name} | – | nothing within {LIMIT:.0f} s | – | – |"
    best = statistics.median if name in ("Periplus", BARE) else min
    size, first, frame, cores = (best([one[key] for one in rounds]) for key in ("bytes", "first", "frame", "cores"))
    return f"| {pages:,} | {name} | {size / 1e6:.2f} MB | {first:,.0f} ms | {frame:,.0f} ms | {cores:,.0f} ms |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--no-peers", action="store_true", help="measure ours alone")
    parser.add_argument("--pages", type=int, nargs="*", default=[100_000, 1_000_000])
    parser.add_argument("--scratch", type=Path, default=SCRATCH)
    asked = parser.parse_args()
    from playwright.sync_api import sync_playwright

    asked.scratch.mkdir(parents=True, exist_ok=True)
    peers = [] if asked.no_peers else peers_in(asked.scratch)
    table = [
        "| pages | viewer | bytes | first picture | frame | cores per frame |",
        "| ---: | --- | ---: | ---: | ---: | ---: |",
    ]
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        version = browser.version
        for pages in asked.pages:
            table += rows_of(browser, pages, peers if pages <= 100_000 else [], asked.scratch)
        browser.close()
    report = "\n".join([f"Chromium {version}, WebGL on the processor, 1280 × 800 pixels, all stars drawn.", "", *table])
    print(report)
    write_section("viewer.py", "The sky in the browser", report)


if __name__ == "__main__":
    main()
