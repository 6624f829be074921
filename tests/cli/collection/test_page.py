"""`periplus page` and `periplus sites`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from periplus.cli.main import main


@pytest.fixture
def coast(built_coast: Path) -> str:
    return str(built_coast)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    out, err = capsys.readouterr()
    return int(ended.value.code or 0), out, err


def test_a_page(coast: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "page", coast, "http://coast.example/light.html")
    assert code == 0
    assert "Lighthouse" in out
    assert "the lighthouse" in out
    assert "certified error" in out
    _, out, _ = run(capsys, "page", coast, "http://coast.example/light.html", "--json")
    found = json.loads(out)
    assert found["title"] == "Lighthouse"
    assert [one["url"] for one in found["out_links"]["links"]] == ["http://coast.example/harbour.html"]
    assert 0 < found["ranks"][0]["error_bound"] < 1e-9


def test_a_page_that_is_not_there(coast: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "page", coast, "http://coast.example/gone.html", "--json")
    assert code == 2
    assert "not in this collection" in err
    assert json.loads(out)["error"] == "not-found"


def test_sites_and_one_site(coast: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "sites", coast, "--json")
    assert json.loads(out) == {
        "total": 1,
        "sites": [{"site": "coast.example", "pages": 5, "links_from_other_sites": 0}],
    }
    _, out, _ = run(capsys, "sites", coast, "coast.example", "--json")
    found = json.loads(out)
    assert found["pages"] == 5
    assert found["best"][0]["url"] == "http://coast.example/harbour.html"
    code, _, err = run(capsys, "sites", coast, "elsewhere.example")
    assert (code, "No page of elsewhere.example" in err) == (2, True)
    code, out, _ = run(capsys, "sites", coast)
    assert "coast.example" in out


LIGHT = "http://coast.example/light.html"


def test_all_links_of_a_page(coast: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(run(capsys, "page", coast, LIGHT, "--links", "in", "--json")[1])
    whole = json.loads(run(capsys, "page", coast, LIGHT, "--json")[1])["in_links"]
    assert {one["url"] for one in found["shown"]} == {one["url"] for one in whole["links"]}
    assert found["chosen"] == found["total"] == whole["total"]
    _, out, _ = run(capsys, "page", coast, LIGHT, "--links", "in", "--site", "coast.example", "--top", "1")
    assert "best-ranked first" in out
    assert "--offset 1" in out
    output = tmp_path / "links.csv"
    assert run(capsys, "page", coast, LIGHT, "--links", "out", "-o", str(output))[0] == 0
    assert output.read_text().splitlines()[1].startswith("http://coast.example/harbour.html,")


def test_one_site_and_two(coast: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(run(capsys, "sites", coast, "coast.example", "--offset", "4", "--json")[1])
    assert len(found["best"]) == 1
    assert sum(one["pages"] for one in found["regions"]) == 5
    assert [set(one) for one in found["copies"]] == [{"url", "copy_of"}]
    assert "In the bow-tie" in run(capsys, "sites", coast, "coast.example")[1]
    ways = json.loads(run(capsys, "sites", coast, "coast.example", "--with", "coast.example", "--json")[1])["ways"]
    assert ways[0]["links"] == ways[1]["links"]
    assert "coast.example → coast.example" in run(capsys, "sites", coast, "coast.example", "--with", "coast.example")[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("page", LIGHT, "--links", "in", "--offset", "900"), "0 ≤ offset < "),
        (("page", LIGHT, "--links", "up"), "up"),
        (("page", LIGHT, "-o", "links.csv"), "--links"),
        (("page", LIGHT, "--links", "in", "-o", "links.pdf"), ".csv"),
        (("sites", "coast.example", "--offset", "900"), "0 ≤ offset < 5"),
        (("sites", "coast.example", "--with", "nowhere.example"), "No page of nowhere.example"),
        (("sites", "--with", "coast.example"), "HOST"),
    ],
)
def test_what_is_refused(
    coast: str, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    code, _, err = run(capsys, arguments[0], coast, *arguments[1:])
    assert (code, message in err, "Traceback" in err) == (2, True, False)
