"""Processes that may be lost: second chances, limits, and a broken installation that is told from a bad job."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from periplus.errors import PeriplusError
from periplus.sandbox.pool import ProcessDiedError, Sandbox, run_to_end

ROOT = Path(__file__).parents[2]
TASK = "tests.sandbox.tasks:work"


@pytest.fixture(autouse=True)
def _tasks_can_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), *filter(None, sys.path)]))


def in_sandbox(*jobs: tuple[Any, ...], task: str = TASK, processes: int = 1) -> list[Any]:
    """The results of jobs handed in at once, in their order; exceptions in place of results."""

    async def run() -> list[Any]:
        async with Sandbox(task, cpu_seconds=0.5, processes=processes) as sandbox:
            return await asyncio.gather(*(sandbox.run(*forms) for forms in jobs), return_exceptions=True)

    return asyncio.run(run())


def test_results_come_in_the_order_of_the_jobs() -> None:
    assert in_sandbox(*((("square", n),) for n in range(50)), processes=2) == [n * n for n in range(50)]


@pytest.mark.parametrize("deadly", ["die", "loop", "eat"])
def test_a_job_that_kills_its_process_gets_a_gentler_form(deadly: str) -> None:
    found = in_sandbox((("square", 1),), ((deadly, 0), ("square", 7)), (("square", 2),))
    assert found == [1, 49, 4]


def test_a_job_without_a_gentler_form_fails_alone() -> None:
    one, failed, other = in_sandbox((("square", 1),), (("die", 0), ("die", 0)), (("square", 2),))
    assert (one, other) == (1, 4)
    assert isinstance(failed, ProcessDiedError)


def test_many_deadly_jobs_at_once_are_no_broken_installation() -> None:
    """The gentler form comes before the jobs behind: each death is followed by an answer."""
    assert in_sandbox(*([(("die", 0), ("square", 3))] * 30)) == [9] * 30


def test_processes_that_never_answer_are_given_up() -> None:
    async def run() -> None:
        async with Sandbox("no.such.module:work", cpu_seconds=1.0, processes=1) as sandbox:
            for _ in range(100):
                with pytest.raises(ProcessDiedError):
                    await sandbox.run(("square", 1))

    with pytest.raises(PeriplusError, match="installed completely"):
        asyncio.run(run())


def test_each_item_of_a_batch_has_the_whole_time() -> None:
    assert in_sandbox((("slow batch", 4),)) == [4]


def test_run_to_end_with_and_without_a_running_loop() -> None:
    async def where() -> int:
        return threading.get_ident()

    async def cell(work: Coroutine[Any, Any, int]) -> int:
        return run_to_end(work)

    assert run_to_end(where()) == threading.get_ident()
    assert asyncio.run(cell(where())) != threading.get_ident()
