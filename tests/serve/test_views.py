"""What every view of `VIEWS` keeps to, whoever added it."""

from __future__ import annotations

import pytest
from tests.serve.client import Client

from periplus.serve.app import VIEWS, View, addresses, router_of

NAMES = [view.module.rpartition(".")[2] for view in VIEWS]


@pytest.mark.parametrize("view", VIEWS, ids=NAMES)
def test_every_address_says_what_is_there(view: View) -> None:
    assert addresses(view)
    for path, what in addresses(view):
        assert path.startswith("/")
        assert what.endswith("."), f"the handler of {path} has no sentence for docs/serving.md"


@pytest.mark.parametrize("view", VIEWS, ids=NAMES)
def test_it_answers_without_failing_and_under_the_policy(view: View, client: Client) -> None:
    for path, _ in addresses(view):
        answer = client.get(path.replace("{", "").replace("}", ""))
        assert answer.status < 500, path
        assert "default-src 'none'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize("view", VIEWS, ids=NAMES)
def test_it_reads_and_never_writes(view: View) -> None:
    for route in router_of(view).routes:
        assert set(getattr(route, "methods", ())) <= {"GET", "HEAD"}


@pytest.mark.parametrize("view", [view for view in VIEWS if view.label], ids=lambda view: view.label)
def test_a_view_with_a_label_stands_in_the_navigation_and_is_marked_there(view: View, client: Client) -> None:
    assert f'<a href="{view.path}">{view.label}</a>' in client.get("/search?q=wind").text
    assert f'<a href="{view.path}" aria-current="page">{view.label}</a>' in client.get(view.path).text
