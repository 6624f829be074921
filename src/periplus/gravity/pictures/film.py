"""Films of a sky: the moments that were kept, with smooth motion between them, as WebM, MP4 or GIF.

A star moves between two kept moments on the cubic through its neighbours (Catmull and Rom 1974). The camera turns once
slowly and steps back as the sky grows, never forth. WebM holds VP9 and MP4 AV1, both free of patents; GIF has 256
colours and half the size, since it cannot be compressed well.
"""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from periplus.durable import atomic_files
from periplus.errors import MissingDependencyError
from periplus.gravity.pictures.camera import Camera
from periplus.gravity.pictures.labels import Labels
from periplus.gravity.pictures.scene import Scene, spread
from periplus.numeric.arrays import AnyArray
from periplus.record import PagePositions

ENDINGS = (".webm", ".mp4", ".gif")
RATE = 30
HELD = 1.5  # seconds that the last moment stays
_TURN = 0.9  # radians that the camera turns in a film
_STEPPING = 0.08  # share of the missing distance that the camera steps back per frame
_CODECS: dict[str, tuple[str, dict[str, str]]] = {
    ".webm": ("libvpx-vp9", {"crf": "35", "b": "0", "deadline": "good", "cpu-used": "4", "row-mt": "1"}),
    ".mp4": ("libsvtav1", {"crf": "34", "preset": "8", "svtav1-params": "tune=0"}),
}


@dataclass(frozen=True, slots=True)
class Size:
    """Pixels of a picture and seconds of a film."""

    width: int = 1280
    height: int = 720
    seconds: float = 12.0


def moments(sky: PagePositions, frames: int) -> Iterator[AnyArray]:
    """Places of the filmed stars at so many moments, evenly over the formation."""
    kept, reach = sky.extra["frames"], np.asarray(sky.findings["reach"])
    last = len(kept) - 1

    def at(moment: int) -> AnyArray:
        moment = min(max(moment, 0), last)
        return kept[moment] * np.float32(reach[moment] / 32767)

    for time in np.linspace(0, last, frames):
        before = min(int(time), max(last - 1, 0))
        share = float(time - before)
        a, b, c, d = (at(before + step) for step in (-1, 0, 1, 2))
        yield b + 0.5 * share * (c - a + share * (2 * a - 5 * b + 4 * c - d + share * (3 * (b - c) + d - a)))


def pictures(sky: PagePositions, scene: Scene, size: Size) -> Iterator[AnyArray]:
    """The frames of a film, one after the other."""
    moving, held = frames_of(size)
    labels, radius, places = Labels(scene.names, scene.colours), 0.0, np.zeros((0, 3))
    passing = moments(sky, moving)
    for at in range(moving + held):
        places = next(passing, places)
        grown = spread(places)
        radius = max(radius, radius + _STEPPING * (grown - radius)) if at else grown
        camera = Camera(size.width, size.height, radius, yaw=0.6 + _TURN * at / (moving + held))
        yield _drawn(scene, labels, places, camera)


def frames_of(size: Size) -> tuple[int, int]:
    """Frames in which stars move, and frames that the last moment stays."""
    held = round(RATE * min(HELD, size.seconds / 2))
    return max(2, round(RATE * size.seconds) - held), held


def still(sky: PagePositions, scene: Scene, size: Size) -> AnyArray:
    """The last moment as one picture, with every star."""
    places = np.asarray(sky.positions, np.float64)[sky.extra["order"]]
    camera = Camera(size.width, size.height, spread(places))
    return _drawn(scene, Labels(scene.names, scene.colours), places, camera)


def _drawn(scene: Scene, labels: Labels, places: AnyArray, camera: Camera) -> AnyArray:
    return labels.written(scene.drawn(places, camera), *camera.seen(places))


# -- files ---------------------------------------------------------------------------------------------------


def require() -> None:
    """Raise `MissingDependencyError` where what encodes pictures is not installed."""
    for package in ("av", "PIL"):
        try:
            importlib.import_module(package)
        except ImportError as error:
            raise MissingDependencyError(package, "map", "Drawing and filming a sky") from error


def write_still(path: str | Path, picture: AnyArray) -> None:
    """Write a picture as PNG."""
    from PIL import Image

    with atomic_files(Path(path)) as (draft,):
        Image.fromarray(picture).save(draft, format="PNG", optimize=True)


def write_film(path: str | Path, frames: Iterable[AnyArray], size: Size) -> None:
    """Write the frames of a film in the format of the ending."""
    ending = Path(path).suffix.lower()
    with atomic_files(Path(path)) as (draft,):
        if ending == ".gif":
            _write_gif(draft, frames)
        else:
            _encode(draft, ending, frames, size)


def _encode(draft: Path, ending: str, frames: Iterable[AnyArray], size: Size) -> None:
    import av

    codec, options = _CODECS[ending]
    with av.open(str(draft), "w", format=ending[1:]) as container:
        stream: Any = container.add_stream(codec, rate=RATE, options=options)
        stream.width, stream.height, stream.pix_fmt = size.width, size.height, "yuv420p"
        for frame in frames:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(np.ascontiguousarray(frame), format="rgb24")))
        container.mux(stream.encode())


def _write_gif(draft: Path, frames: Iterable[AnyArray]) -> None:
    """Every second frame at half the size, with the colours of the last."""
    from PIL import Image

    kept = [Image.fromarray(frame) for frame in itertools.islice(frames, 0, None, 2)]
    small = [one.resize((one.width // 2, one.height // 2), Image.Resampling.LANCZOS) for one in kept]
    palette = small[-1].quantize(256)
    shown = [one.quantize(palette=palette, dither=Image.Dither.NONE) for one in small]
    shown[0].save(draft, format="GIF", save_all=True, append_images=shown[1:], duration=2000 // RATE, loop=0)
