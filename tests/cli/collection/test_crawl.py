"""`periplus crawl` as people and programs call it: one line, one object, one exit code."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from tests.webs.server import WebServer, honest_site, site


@pytest.fixture(scope="module")
def server():
    with WebServer({"a.cli.test": site(honest_site(12))}) as running:
        yield running


def periplus(*arguments: str, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "periplus.cli.main", *arguments]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=timeout)


def crawl(server: WebServer, *arguments: str) -> subprocess.CompletedProcess[str]:
    return periplus("crawl", *arguments, "--delay", "0", "--connect-to", f"*.cli.test=127.0.0.1:{server.port}")


def test_json_is_one_object_and_nothing_else(server, tmp_path) -> None:
    done = crawl(server, str(tmp_path / "a.web"), "http://a.cli.test/", "--json")
    assert done.returncode == 0
    assert done.stderr == ""
    report = json.loads(done.stdout)
    assert report["pages"] == 12
    assert report["outcomes"] == {"OK": 12}
    assert set(report) == {"pages", "links", "hosts", "errors", "outcomes", "seconds", "rate", "total_pages", "waiting",
                           "resumed", "deferred", "limit", "learned", "politeness"}  # fmt: skip


def test_people_read_what_happened_and_what_to_do_next(server, tmp_path) -> None:
    folder = str(tmp_path / "a.web")
    done = crawl(server, folder, "http://a.cli.test/", "--max-pages", "5")
    assert done.stdout.startswith("5 pages and ")
    assert done.stdout.rstrip().endswith(f"next: periplus build {folder}")
    again = crawl(server, folder)  # the seeds are in the collection
    assert "12 pages in all" in again.stdout
    assert "nothing new to fetch" in crawl(server, folder).stdout


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["no url"], 2, "'no url' is not an http(s) URL"),
        (["http://a.cli.test/", "--scope", "moon"], 2, "scope = 'moon' is not allowed"),
        (["http://a.cli.test/", "--delay", "-1"], 2, "delay"),
        (["http://a.cli.test/", "--allow-net", "x"], 2, "--allow-net"),
        (["http://127.0.0.1/"], 6, "--allow-net"),
        (["http://nowhere.invalid/"], 2, "nowhere.invalid: --contact must say"),
        (["http://nowhere.invalid/", "--contact", "me@home.test"], 6, "http://nowhere.invalid/ returned no page"),
        (["http://a.cli.test/", "--for", "a while"], 2, '"2h"'),
        (["http://a.cli.test/", "--max-bytes", "much"], 2, "4GB"),
        (["http://a.cli.test/", "--include", "("], 2, "a regular expression"),
        ([], 2, "give at least one URL"),
    ],
)
def test_errors_are_one_line_and_a_code(server, tmp_path, arguments, code, words) -> None:
    done = periplus("crawl", str(tmp_path / "e.web"), *arguments, "--json")
    assert done.returncode == code, done.stderr
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
    assert json.loads(done.stdout)["exit_code"] == code


def test_a_folder_that_is_no_collection_is_left_alone(server, tmp_path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    done = crawl(server, str(tmp_path), "http://a.cli.test/")
    assert done.returncode == 4
    assert "not a collection" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_policy_in_the_settings_holds(server, tmp_path) -> None:
    folder = tmp_path / "p.web"
    crawl(server, str(folder), "http://a.cli.test/", "--max-pages", "1")
    settings = folder / "collection.toml"
    settings.write_text(settings.read_text() + "max-pages = 4\n")
    assert json.loads(crawl(server, str(folder), "--json").stdout)["total_pages"] == 4
    settings.write_text(settings.read_text() + "speed = 9\n")
    done = crawl(server, str(folder), "--json")
    assert done.returncode == 2
    assert "speed" in done.stderr


def test_a_full_disk_has_its_own_code(server, tmp_path) -> None:
    """The kernel refuses to write past 20 kB, as a quota would."""
    limit = "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); " \
            "resource.setrlimit(resource.RLIMIT_FSIZE, (90_000, 90_000)); " \
            "from periplus.cli.main import main; main()"  # fmt: skip
    big = WebServer({"big.cli.test": site({p: b + "x" * 30_000 if isinstance(b, str) else b
                                           for p, b in honest_site(60, "y").items()})})  # fmt: skip
    with big:
        route = f"*.cli.test=127.0.0.1:{big.port}"
        arguments = ["crawl", str(tmp_path / "f.web"), "http://big.cli.test/", "--delay", "0", "--connect-to", route]
        done = subprocess.run([sys.executable, "-c", limit, *arguments], check=False, capture_output=True, text=True)
        assert done.returncode == 5, done.stderr
        assert "make room" in done.stderr
        again = periplus(*arguments, "--json")
    assert json.loads(again.stdout)["total_pages"] == 60


def test_seeds_may_stand_in_a_file(server, tmp_path) -> None:
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("# what to begin with\n\nhttp://a.cli.test/\n")
    done = crawl(server, str(tmp_path / "a.web"), "--seed-list", str(seeds), "--max-depth", "0", "--json")
    assert json.loads(done.stdout)["pages"] == 1
    seeds.write_text("http://a.cli.test/\nnot a url\n")
    assert (
        "'not a url' is not an http(s) URL" in crawl(server, str(tmp_path / "b.web"), "--seed-list", str(seeds)).stderr
    )


def test_limits_and_patterns_from_the_command_line(server, tmp_path) -> None:
    folder = str(tmp_path / "b.web")
    seconds = crawl(server, folder, "http://a.cli.test/", "--for", "1ms")
    assert seconds.returncode == 2, "ms is no unit of a crawl"
    done = crawl(server, folder, "http://a.cli.test/", "--max-bytes", "1")
    assert "stopped at the limit of 1 bytes" in done.stdout
    rest = crawl(server, folder, "--include", "/none", "--json")
    assert json.loads(rest.stdout)["waiting"] == 0


def test_seeds_from_a_sitemap_a_feed_and_another_collection(server, tmp_path) -> None:
    site = "http://a.cli.test"
    sitemap = tmp_path / "sitemap.xml"
    sitemap.write_text(f"<urlset><url><loc>{site}/1</loc></url><url><loc>{site}/2</loc></url></urlset>")
    done = crawl(server, str(tmp_path / "a.web"), "--seed-list", str(sitemap), "--max-depth", "0", "--json")
    assert json.loads(done.stdout)["pages"] == 2
    again = crawl(server, str(tmp_path / "b.web"), "--seed-list", str(tmp_path / "a.web"), "--max-depth", "0", "--json")
    assert json.loads(again.stdout)["pages"] == 2
    sitemap.write_text("<urlset><url>")
    assert "not a whole one" in crawl(server, str(tmp_path / "c.web"), "--seed-list", str(sitemap)).stderr
