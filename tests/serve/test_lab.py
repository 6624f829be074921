"""`/lab`: every model can be grown from its address, and nobody can ask for too much."""

from __future__ import annotations

import html
import re

import pytest
from tests.serve.client import Client

from periplus.errors import ParameterError
from periplus.models import MODELS
from periplus.serve.lab import MAX_LINKS, bounded


@pytest.mark.parametrize("name", MODELS)
def test_every_model_is_grown_and_drawn(client: Client, name: str) -> None:
    answer = client.get("/lab", params={"model": name, "n": "400"})
    assert answer.status == 200
    assert answer.text.count("<svg") >= 2
    assert "style=" not in answer.text.split("<main", 1)[1]  # the content policy forbids inline styles
    assert re.search(rf'<a href="/lab\?model={name}"[^>]* aria-current="true">{name}</a>', answer.text)
    fields = re.findall(r'<(?:input|select) (?:type="hidden" )?name="([^"]+)"', answer.text.split("lab-form", 1)[1])
    assert fields == ["model", *(parameter.name for parameter in MODELS[name].parameters)]
    assert 'name="n" value="400"' in answer.text


def test_the_links_come_as_csv(client: Client) -> None:
    lines = client.get("/lab.csv", params={"model": "watts-strogatz", "n": "20", "d": "4"}).text.splitlines()
    assert lines[0] == "source,target"
    assert len(lines) == 1 + 80


@pytest.mark.parametrize(
    "asked",
    [
        {"model": "nonsense"},
        {"n": "1e9"},
        {"n": "-3"},
        {"n": "<script>"},
        {"model": "erdos-renyi", "n": "20000", "p": "1"},
        {"model": "linear-copying", "n": "20000", "out_degree": "10000"},
        {"model": "alpha-beta", "alpha": "21"},
        {"model": "kleinberg", "dimensions": "8", "reach": "16", "n": "20000"},
        {"model": "watts-strogatz", "d": "3"},
    ],
)
def test_too_much_or_nonsense_is_refused(client: Client, asked: dict[str, str]) -> None:
    answer = client.get("/lab", params=asked)
    assert answer.status == 400
    assert "<script>" not in answer.text
    if asked.get("model") != "nonsense":  # what was typed stays, and what is wrong is marked
        assert 'aria-invalid="true"' in answer.text
        for name, value in asked.items():
            assert name == "model" or f'name="{name}" value="{html.escape(value)}"' in answer.text


def test_limits_are_about_links() -> None:
    assert bounded(MODELS["linear-copying"], {"n": "20000"})["n"] == 20_000
    with pytest.raises(ParameterError, match=f"{MAX_LINKS:,}"):
        bounded(MODELS["linear-copying"], {"n": "20000", "out_degree": "100"})
