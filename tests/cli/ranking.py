"""What the tests of `periplus rank` share: a small web, and the command run to its end or to its error."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from periplus.cli.main import app, main

LINKS = "0\t1\n0\t2\n1\t2\n2\t0\n3\t2\n3\t4\n4\t0\n"


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["rank", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def failing(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as caught:
        main(["rank", *arguments])
    captured = capsys.readouterr()
    return int(caught.value.code or 0), captured.out, captured.err
