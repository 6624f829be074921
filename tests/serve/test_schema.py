"""What the OpenAPI description promises holds for whatever is asked within and beyond it."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, seed, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance
from tests.serve.fake import FakeLibrary

from periplus.serve.app import create_app


@pytest.mark.parametrize("examples", [8, pytest.param(500, marks=pytest.mark.long)])
def test_every_operation_keeps_its_promises(library: FakeLibrary, examples: int) -> None:
    app = create_app(library, hosts=["localhost", "testserver"], rate=1e9, burst=1e9)
    operations = [one.ok() for one in schemathesis.openapi.from_asgi("/api/openapi.json", app).get_all_operations()]
    assert len(operations) > 15
    for operation in operations:

        @seed(17)
        @settings(max_examples=examples, deadline=None, database=None, suppress_health_check=list(HealthCheck))
        @given(case=operation.as_strategy())
        def ask(case: Any) -> None:
            checks = [not_a_server_error, status_code_conformance, response_schema_conformance]
            case.call_and_validate(checks=checks)

        ask()
