"""`/map` and its API: the bytes as they are described, the page without JavaScript, bad requests."""

from __future__ import annotations

import re

import numpy as np
import pytest
from tests.library.sky.web import small_web
from tests.serve.client import Client
from tests.serve.fake import FakeLibrary

from periplus.library.sky import COLOURINGS
from periplus.serve.app import create_app
from periplus.serve.assets import assets
from periplus.serve.run import warm


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> FakeLibrary:
    return small_web(tmp_path_factory.mktemp("map") / "index")


@pytest.fixture(scope="module")
def sky(web: FakeLibrary) -> Client:
    return Client(create_app(web, rate=1e9, burst=1e9))


def test_the_bytes_are_as_the_description_says(sky: Client, web: FakeLibrary) -> None:
    told = sky.get("/api/map").json()
    answer = sky.get("/api/map/stars")
    assert answer.headers["content-length"] == str(len(answer.content)) == str(told["stars"] * told["bytes_a_star"])
    words = np.frombuffer(answer.content, "<i2").reshape(-1, 4)
    order = web.skies["sky"].extra["order"]
    found = words[:, :3] / 32767 * told["span"]
    assert np.abs(found - web.skies["sky"].positions[order]).max() <= told["span"] / 32767
    first = sky.get("/api/map/moments/0?stars=5")
    assert len(first.content) == 5 * 6
    assert [one["step"] for one in told["moments"]] == [0, 10, 20, 30]
    assert all(len(palette) == 256 for palette in told["palettes"].values())


def test_nothing_is_made_while_the_first_visitor_waits(web: FakeLibrary) -> None:
    app = create_app(web, rate=1e9, burst=1e9)
    warm(app.state.opened)
    made = dict(app.state.opened.kept)
    for path in ("map", "api/map", "api/map/stars", "api/map/legend/community", "api/map/colours/community"):
        assert Client(app).get(f"/{path}").status == 200
    for path in ("api/map/figures", "api/map/places", "api/map/links?star=0"):
        assert Client(app).get(f"/{path}").status == 200
    assert made
    assert app.state.opened.kept == made


@pytest.mark.parametrize("by", COLOURINGS)
def test_one_byte_a_star_for_every_colouring(sky: Client, by: str) -> None:
    assert len(sky.get(f"/api/map/colours/{by}").content) == sky.get("/api/map").json()["stars"]
    legend = sky.get(f"/api/map/legend/{by}").json()
    assert (legend["name"], bool(legend["words"]), bool(legend["legend"])) == (by, True, True)


def test_a_star_is_found_by_its_page_and_by_words(sky: Client) -> None:
    star = sky.get("/api/map/star", {"url": "http://forest.example.org/0"}).json()
    assert sky.get("/api/map/facts", {"at": str(star["star"])}).json() == [star]
    assert star in sky.get("/api/map/find", {"q": "forest 0"}).json()
    assert sky.get("/api/map/find", {"q": " "}).json() == []
    links = sky.get("/api/map/links", {"star": str(star["star"])}).json()
    assert len(links["linking"]) == links["all_linking"] == star["in_links"] - 1  # it links to itself too


@pytest.mark.parametrize(
    ("target", "status", "said"),
    [
        ("/api/map/colours/taste", 400, "community, site"),
        ("/api/map/legend/taste", 400, "community, site"),
        ("/api/map/moments/4", 400, "from 0 to 3"),
        ("/api/map/moments/-1", 400, "from 0 to 3"),
        ("/api/map/moments/0?stars=0", 400, "stars"),
        ("/api/map/facts?at=1,x", 400, "whole numbers"),
        ("/api/map/facts?at=999999", 400, "from 0 to"),
        ("/api/map/facts?at=" + ",".join("1" * 101), 400, "at most 100"),
        ("/api/map/links?star=999999", 400, "from 0 to"),
        ("/api/map/star?url=http://nowhere.example/", 404, "not in this collection"),
    ],
)
def test_bad_requests_say_what_is_allowed(sky: Client, target: str, status: int, said: str) -> None:
    answer = sky.get(target)
    assert answer.status == status
    assert said in answer.json()["message"]


def test_without_javascript_there_are_a_still_and_a_table(sky: Client, web: FakeLibrary) -> None:
    text = sky.get("/map").text
    assert '<svg class="still"' in text
    heaviest = web.graph.urls[int(web.skies["sky"].extra["order"][0])]
    assert heaviest.replace(":", "%3A").replace("/", "%2F") in text
    assert "style=" not in text.partition("<main")[2]
    rows = sky.get("/map.csv").text.splitlines()
    assert rows[0] == "url,mass,x,y,z"
    assert len(rows) == 1 + web.graph.nodes


def test_the_first_page_leads_to_the_sky_where_there_is_one(sky: Client, tmp_path) -> None:
    assert re.search(r'<a class="skylight" href="/map".*?<svg class="still"', sky.get("/").text, re.S)
    bare = small_web(tmp_path / "index")
    bare.skies = {}
    client = Client(create_app(bare, rate=1e9, burst=1e9))
    assert "skylight" not in client.get("/").text
    told = client.get("/map")
    assert (told.status, "periplus build" in told.text) == (200, True)
    assert "map.js" not in told.text
    assert "periplus build" in client.get("/api/map").json()["message"]


def test_every_route_is_in_the_description_of_the_api(sky: Client) -> None:
    paths = sky.get("/api/openapi.json").json()["paths"]
    for name in ("", "/stars", "/colours/{by}", "/legend/{by}", "/moments/{number}", "/places", "/figures", "/facts",
                 "/star", "/links", "/find"):  # fmt: skip
        assert paths[f"/api/map{name}"]["get"]["summary"]


def test_scripts_name_each_other_with_their_digests() -> None:
    named = re.compile(rb'from "\./([\w-]+\.js)\?v=(\w+)"')
    pairs = named.findall(assets()["map.js"].content)
    assert (b"three.js", assets()["three.js"].digest.encode()) in pairs
    assert len(pairs) >= 6
    for asset in assets().values():
        for name, digest in named.findall(asset.content):
            assert assets()[name.decode()].digest == digest.decode()


def test_the_licence_lies_beside_what_is_not_ours() -> None:
    from importlib.resources import files

    folder = files("periplus.serve").joinpath("static")
    assert "MIT License" in folder.joinpath("three.license.txt").read_text()
    script = folder.joinpath("three.js").read_text()
    assert script.startswith("// three.js 0.187.0, MIT licence")
    assert len(script) < 620_000
