"""Stills and films of a sky: light that adds up, names that do not overlap, files that other programs read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from periplus.gravity import Formation, Simulation, ball
from periplus.gravity.constants import sky
from periplus.gravity.pictures import film
from periplus.gravity.pictures.camera import Camera
from periplus.gravity.pictures.colours import along, light, of_groups
from periplus.gravity.pictures.labels import Labels, shortened
from periplus.gravity.pictures.light import add_lines, add_stars, developed
from periplus.gravity.pictures.scene import LINES, Scene, sample_of_links
from periplus.models import MODELS


@pytest.fixture(scope="module")
def formed():
    graph = MODELS["watts-strogatz"].generate(n=200, d=4, p=0.1, seed=1)
    return Formation(Simulation(graph, ball(200), sky(graph)), 30).run().record()


@pytest.fixture(scope="module")
def scene(formed) -> Scene:
    order = formed.extra["order"]
    names = {0: "The heaviest", 3: "Another one"}
    links = np.stack([np.arange(199), np.arange(1, 200)], axis=1)
    return Scene(formed.extra["masses"][order].astype(float), along(200)[order], links, names)


def test_a_star_gives_all_its_light_and_a_link_too():
    for sigma in (1.0, 4.0):
        canvas = np.zeros((80, 80, 3), np.float32)
        add_stars(canvas, np.array([[40.2, 39.7]]), np.array([sigma]), np.array([5.0]), np.array([[1.0, 0.5, 0.0]]))
        assert canvas.sum(axis=(0, 1)) == pytest.approx([5, 2.5, 0], rel=0.01)
        assert np.unravel_index(canvas[:, :, 0].argmax(), (80, 80)) == (39, 40)
    canvas = np.zeros((80, 80, 3), np.float32)
    one, other = np.array([[10.0, 10.0], [5.0, 70.0]]), np.array([[60.0, 50.0], [5.0, 70.0]])
    add_lines(canvas, one, other, np.array([3.0, 1.0]), np.ones((2, 3)))
    assert canvas.sum() == pytest.approx(12, rel=1e-4)


def test_what_lies_outside_the_picture_is_left_out():
    canvas = np.zeros((20, 20, 3), np.float32)
    far = np.array([[-1e6, 5.0], [1e9, 1e9], [5.0, -100.0]])
    add_stars(canvas, far, np.ones(3), np.ones(3), np.ones((3, 3)))
    add_lines(canvas, far, far + 3.0, np.ones(3), np.ones((3, 3)))
    assert not canvas.any()
    assert developed(canvas).max() <= 1


def test_the_camera_sees_the_middle_in_the_middle_and_near_things_larger():
    camera = Camera(200, 100, 2.0, yaw=0.0, pitch=0.0)
    spots, nearness = camera.seen(np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1], [0, 0, 1e6]], float))
    assert spots[0].tolist() == [100, 50]
    assert spots[1, 1] < 50 < spots[2, 0]
    assert nearness[3] > 1 == nearness[0]
    assert nearness[4] == 0


def test_colours_are_as_bright_as_each_other_and_large_groups_differ():
    labels = np.repeat([2, 0, 1, -1], [50, 30, 20, 5])
    found = of_groups(labels)
    assert len(np.unique(found.round(6), axis=0)) == 4
    assert np.allclose(found[-1], found[-1, 0], atol=0.01)  # grey
    assert np.allclose(light(0.0, 1.0, 0.0), 1.0, atol=1e-3)
    assert (found >= 0).all()
    assert (found <= 1).all()


def test_moments_pass_through_the_kept_ones(formed):
    kept = [frame * (reach / 32767) for frame, reach in
            zip(formed.extra["frames"], formed.findings["reach"], strict=True)]  # fmt: skip
    passing = list(film.moments(formed, 2 * len(kept) - 1))
    for place, moment in zip(passing[::2], kept, strict=True):
        assert np.abs(place - moment).max() < 1e-5
    between = (kept[4] + kept[5]) / 2
    assert np.abs(passing[9] - between).max() < 0.1


def test_names_do_not_lie_over_each_other(scene):
    white = np.zeros((200, 400, 3), np.uint8)
    labels = Labels({0: "First name", 1: "Second name"}, np.ones((2, 3)))
    near = np.array([[100.0, 100.0], [102.0, 101.0]])
    alone = Labels({0: "First name"}, np.ones((1, 3))).written(white, near[:1], np.ones(1))
    assert alone.any()
    assert np.array_equal(labels.written(white, near, np.ones(2)), alone)
    apart = labels.written(white, np.array([[100.0, 60.0], [100.0, 150.0]]), np.ones(2))
    assert apart.astype(int).sum() > alone.astype(int).sum()
    assert shortened("a\n b  " + 80 * "x").endswith("…")


def test_a_still_of_any_size(formed, scene, tmp_path: Path):
    from PIL import Image

    picture = film.still(formed, scene, film.Size(320, 200))
    film.write_still(tmp_path / "sky.png", picture)
    with Image.open(tmp_path / "sky.png") as read:
        assert read.size == (320, 200)
        assert np.asarray(read).max() > 100


@pytest.mark.parametrize(("ending", "codec"), [(".webm", "vp9"), (".mp4", "av1"), (".gif", "gif")])
def test_films_are_read_by_others(formed, scene, tmp_path: Path, ending: str, codec: str):
    import av

    size = film.Size(128, 96, 1.0)
    path = tmp_path / f"sky{ending}"
    film.write_film(path, film.pictures(formed, scene, size), size)
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        assert codec in stream.codec_context.name
        frames = [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]
    halved = 2 if ending == ".gif" else 1
    assert len(frames) == pytest.approx(30 / halved, abs=1)
    assert frames[0].shape == (96 // halved, 128 // halved, 3)
    assert np.abs(frames[0].astype(int) - frames[-1]).max() > 20


def test_a_film_is_there_whole_or_not_at_all(formed, scene, tmp_path: Path):
    def broken():
        yield film.still(formed, scene, film.Size(64, 64))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        film.write_film(tmp_path / "sky.webm", broken(), film.Size(64, 64))
    assert list(tmp_path.iterdir()) == []


def test_of_many_links_a_sample_is_drawn():
    ends = np.arange(LINES + 100)
    found = sample_of_links(ends, ends + 1)
    assert found.shape == (LINES, 2)
    assert len(sample_of_links(ends[:7], ends[:7])) == 7
