"""Documentation that cannot drift: commands, errors, dependencies, files on disk and links between pages."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from periplus import collection, errors
from periplus.catalog import catalogues
from periplus.cli.main import COMMANDS
from periplus.cli.reference import table_names, tables_in, with_tables
from periplus.durable import DIGESTS
from periplus.pipeline.stages import STAGES

ROOT = Path(__file__).parent.parent
DOCS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
TEXT = {path.relative_to(ROOT).as_posix(): path.read_text() for path in DOCS}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_documented(name: str) -> None:
    assert re.search(rf"^## periplus {name}\b", TEXT["docs/cli.md"], re.M), "run `make docs`"


def test_the_command_reference_is_what_make_docs_prints(tmp_path: Path) -> None:
    # In a process of its own: commands remember how they were first called, and tests call them in many ways.
    subprocess.run([sys.executable, "-m", "periplus.cli.reference", tmp_path / "cli.md"], check=True)
    assert TEXT["docs/cli.md"] == (tmp_path / "cli.md").read_text(), "run `make docs`"


@pytest.mark.parametrize("page", [page for page in TEXT if tables_in(TEXT[page])])
def test_the_tables_are_what_make_docs_prints(page: str) -> None:
    assert TEXT[page] == with_tables(TEXT[page]), "run `make docs`"


def test_every_table_stands_in_the_docs() -> None:
    assert sorted(name for page in TEXT.values() for name in tables_in(page)) == sorted(table_names())


def test_a_table_that_is_none_is_named() -> None:
    with pytest.raises(errors.ParameterError, match="one of rankers"):
        with_tables("<!-- table: rankings -->\n<!-- end -->")


NUMBERS = (
    *("seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"),
    *("seventeen", "eighteen", "nineteen", "twenty"),
)
COUNTED = {"rankings": "rankers", "solvers": "solvers", "models": "models"}


@pytest.mark.parametrize("page", [page for page in TEXT if page != "CHANGELOG.md"])
def test_numbers_of_algorithms_are_those_of_the_catalogue(page: str) -> None:
    """From seven up a number of rankings is the number of all; the log of changes tells how many there were."""
    for number, noun in re.findall(
        rf"\b({'|'.join(NUMBERS)}|\d+)(?:\s+\w+)?\s+({'|'.join(COUNTED)})\b", TEXT[page], re.I
    ):
        count = int(number) if number.isdecimal() else NUMBERS.index(number.lower()) + 7
        assert count < 7 or count == len(catalogues()[COUNTED[noun.lower()]]), f"{page} says {number} {noun}"


def test_the_front_page_counts_the_rankings() -> None:
    assert f"{NUMBERS[len(catalogues()['rankers']) - 7]} link rankings" in TEXT["README.md"]


def subclasses(cls: type) -> list[type]:
    return [cls, *(deeper for child in cls.__subclasses__() for deeper in subclasses(child))]


@pytest.mark.parametrize("error", subclasses(errors.PeriplusError), ids=lambda e: e.__name__)
def test_every_error_is_documented_with_its_slug_and_exit_code(error: type[errors.PeriplusError]) -> None:
    assert error.__doc__
    if error is not errors.PeriplusError and error.__module__ == errors.__name__:
        row = re.search(rf"{error.__name__}\s+{error.exit_code}\s+{error.slug}\b", errors.__doc__ or "")
        assert row, f"{error.__name__} is not in the tree of errors.py as it is"
        assert f"| `{error.slug}` | {error.exit_code} |" in TEXT["docs/errors.md"]


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    names = {re.split(r"[><=;\[ ]", line)[0] for line in project["dependencies"]}
    told = set(re.findall(r"^\| ([a-z0-9-]+) \| .{20,}", TEXT["docs/dependencies.md"], re.M))
    assert names == told
    for extra in project["optional-dependencies"]:
        assert f"| `{extra}` |" in TEXT["docs/dependencies.md"]


def test_every_file_on_disk_is_documented() -> None:
    tree = TEXT["docs/collection.md"]
    names = {collection.SETTINGS, collection.MANIFEST, collection.LOCK, DIGESTS}
    source = Path(collection.__file__).read_text()
    names |= set(re.findall(r'self\._made\("(\w+)"\)', source))
    names |= set(re.findall(r'/ "([\w.]+)"\n', source))
    for name in names:
        assert name in tree, f"{name} is not in docs/collection.md"
    for stage in STAGES.values():
        for files, holds in stage.files.items():
            assert f"| `{files}` | {holds} |" in tree, f"{stage.name}/{files}: run `make docs`"


@pytest.mark.parametrize("page", TEXT)
def test_links_between_pages_lead_somewhere(page: str) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", TEXT[page]):
        if not re.match(r"[a-z]+:", target):
            assert (ROOT / page).parent.joinpath(target).exists(), f"{page} links to {target}"


@pytest.mark.parametrize("page", TEXT)
def test_commands_in_the_docs_exist(page: str) -> None:
    for name in re.findall(r"^\s*(?:\$ )?periplus ([a-z]+)\b", TEXT[page], re.M):
        assert name in COMMANDS, f"{page} shows `periplus {name}`"


@pytest.mark.parametrize("page", TEXT)
def test_files_and_modules_that_the_docs_name_exist(page: str) -> None:
    for path in re.findall(r"`((?:tests|benchmarks|src)/[\w/.-]+)`", TEXT[page]):
        assert path.endswith("yours.py") or (ROOT / path).exists(), f"{page} names {path}"
    if page == "docs/serving.md":  # its example adds a module
        return
    for name in re.findall(r"`periplus\.([a-z_]+(?:\.[a-z_]+)+)`", TEXT[page]):
        place = ROOT / "src/periplus" / name.replace(".", "/")
        assert any(one.exists() for one in (place, place.with_suffix(".py"), place.parent.with_suffix(".py"))) or (
            place.name in (place.parent / "__init__.py").read_text()
        ), f"{page} names periplus.{name}"
