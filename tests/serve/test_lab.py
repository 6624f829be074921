"""`/lab`: every model can be grown from its address, and nobody can ask for too much."""

from __future__ import annotations

import html
import re
from functools import lru_cache
from random import Random
from threading import BoundedSemaphore

import pytest
from tests.serve.client import Client

from periplus.catalog import Parameter
from periplus.errors import ParameterError
from periplus.models import MODELS
from periplus.serve.lab import page as lab
from periplus.serve.lab.page import MAX_LINKS, bounded
from periplus.serve.lab.workshop import Workshop


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


def test_what_takes_long_is_cut_off_and_the_command_named(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        lab, "workshop", lru_cache(lambda: Workshop("periplus.serve.lab.growing:work", cpu_seconds=0.2))
    )
    asked = {"model": "exponential-copying", "n": "100", "g": "1e-12"}  # a million million steps
    answer = client.get("/lab", params=asked)
    assert answer.status == 400
    said = html.unescape(answer.text)
    assert "seconds of work: run `periplus model exponential-copying --n 100 --g 1e-12 --report`" in said


def test_the_line_is_short(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    busy = Workshop("periplus.serve.lab.growing:work", cpu_seconds=1.0)
    monkeypatch.setattr(lab, "workshop", lambda: busy)
    monkeypatch.setattr(busy, "_line", BoundedSemaphore(1))
    with busy._line:
        answer = client.get("/lab", params={"n": "100"})
    assert answer.status == 503
    assert "Ask again in a minute" in answer.text


def test_the_command_makes_the_same() -> None:
    model = MODELS["erdos-renyi"]
    parameters = bounded(model, {"n": "300", "p": ".5", "directed": "no", "seed": "4"})
    assert (
        lab.command(model, parameters) == "periplus model erdos-renyi --n 300 --p 0.5 --no-directed --seed 4 --report"
    )


def _thrown(random: Random, parameter: Parameter) -> str:
    """A value that a visitor may type: ends of the range, next to them, beyond them, or nonsense."""
    if parameter.name == "n":
        return str(random.choice([0, 1, 2, 3, 5, 36, 100, 1000, 1e30]))
    low, high = max(parameter.low, -1e9), min(parameter.high, 1e9)
    near = [low, high, low + 1e-9, high - 1e-9, random.uniform(low, min(high, low + 4)), 0, 1, 2, 3, 1e-300, 1e-12]
    number = random.choice(near)
    words = [*parameter.choices, "yes", "no", "", "nan", "-inf", "0:1", "1:.5,2:.5", "1e-300:1", "\x00", "٣", "1" * 99]
    is_number = parameter.kind in ("int", "float")
    return str(int(number) if parameter.kind == "int" else number) if is_number else random.choice(words)


@pytest.mark.parametrize("rounds", [1, pytest.param(30, marks=pytest.mark.long)])
def test_no_parameters_end_in_a_failure(client: Client, monkeypatch: pytest.MonkeyPatch, rounds: int) -> None:
    monkeypatch.setattr(
        lab, "workshop", lru_cache(lambda: Workshop("periplus.serve.lab.growing:work", cpu_seconds=3.0))
    )
    random = Random(17)
    for model in [*MODELS.values()] * rounds:
        asked = {one.name: _thrown(random, one) for one in model.parameters if random.random() < 0.6}
        answer = client.get("/lab", params={"model": model.name, "n": "100", **asked})
        assert answer.status in (200, 400), (model.name, asked)
        assert answer.status == 200 or 'role="alert"' in answer.text


@pytest.mark.parametrize(
    "asked",
    [
        {"model": "edge-addition", "n": "100", "p": "1e-300"},
        {"model": "site-growth", "n": "3", "growth": "0", "deviation": "1e-300"},
        {"model": "erdos-renyi", "n": "1"},
    ],
)
def test_theory_has_an_answer_at_the_ends_of_its_ranges(client: Client, asked: dict[str, str]) -> None:
    assert client.get("/lab", params=asked).status == 200
