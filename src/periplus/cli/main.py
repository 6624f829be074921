"""`periplus`: the entry point. Help is printed from this table, so no command is imported to list them."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import click
from click.exceptions import NoArgsIsHelpError
from click.shell_completion import CompletionItem

from periplus import __version__
from periplus.cli.shared.output import report_error
from periplus.errors import DamagedError, InputError, PeriplusError, storage


class Command(NamedTuple):
    home: str
    help: str


COMMANDS: dict[str, Command] = {
    "demo": Command("periplus.cli.collection.demo:demo", "Chart the demonstration web, then serve it."),
    "crawl": Command("periplus.cli.collection.crawl:crawl", "Fetch pages from seed URLs into a collection."),
    "refresh": Command("periplus.cli.collection.refresh:refresh", "Come back to pages that may have changed."),
    "changes": Command("periplus.cli.collection.refresh:changes", "What is new, gone, changed or moved since."),
    "history": Command("periplus.cli.collection.refresh:history", "Every capture of a page."),
    "add": Command("periplus.cli.collection.add:add", "Add WARC files or folders of HTML to a collection."),
    "export": Command("periplus.cli.collection.export:export", "The archive as one WACZ or WARC file."),
    "overlap": Command("periplus.cli.collection.overlap:overlap", "How much two collections share."),
    "build": Command("periplus.cli.collection.build:build", "Bring links, ranks and index up to date."),
    "search": Command("periplus.cli.collection.search:search", "Search a collection."),
    "compare": Command("periplus.cli.collection.compare:compare", "Rankings of one query side by side."),
    "serve": Command("periplus.cli.collection.serve:serve", "Serve a collection as web pages and a JSON API."),
    "page": Command("periplus.cli.collection.page:page", "What a collection knows of one page."),
    "related": Command("periplus.cli.similar.related:related", "The pages most like a given one, and why."),
    "usage": Command("periplus.cli.similar.usage:usage", "How people go through a site, from its web-server logs."),
    "sites": Command("periplus.cli.collection.page:sites", "The sites of a collection, or one of them."),
    "audit": Command("periplus.cli.collection.audit:audit", "What is wrong with a site's pages, and where."),
    "table": Command("periplus.cli.collection.table:table", "Pages, links or sites as CSV, JSON, Parquet or Excel."),
    "activity": Command("periplus.cli.collection.activity:activity", "What is being crawled or built now."),
    "info": Command("periplus.cli.collection.info:info", "What a collection holds and which stages are stale."),
    "verify": Command("periplus.cli.collection.verify:verify", "Check every file of a collection for damage."),
    "graph": Command("periplus.cli.graphs.graph:graph", "Inspect, convert, order and cut graphs of any format."),
    "groups": Command("periplus.cli.graphs.groups:groups", "Who links to whom, group by group, against chance."),
    "rank": Command("periplus.cli.rank.group:rank", "Rank the pages of a graph by its links."),
    "communities": Command("periplus.cli.communities.group:communities", "Find the communities of a graph."),
    "kb": Command("periplus.cli.communities.kb:kb", "Search and browse the knowledge base of communities."),
    "tree": Command("periplus.cli.communities.tree:tree", "One labelled tree over all pages."),
    "map": Command("periplus.cli.sky.map:map", "A web as a sky: linked pages gather in space."),
    "structure": Command("periplus.cli.graphs.structure:structure", "The shape of a web: bow-tie, laws, distances."),
    "sample": Command("periplus.cli.collection.sample:sample", "Sample the live web by random walks, with intervals."),
    "model": Command("periplus.cli.graphs.model:model", "Grow a graph by a model of the web."),
    "dynamics": Command(
        "periplus.cli.dynamics.group:dynamics", "Epidemics, protection, routing, change and growth on a web."
    ),
    "reproduce": Command("periplus.cli.reproduce:reproduce", "Every figure of the five papers, held against ours."),
}


class LazyGroup(click.Group):
    """A group whose commands are imported only when one of them is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module, attribute = COMMANDS[name].home.split(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The commands and options that begin so, without importing any of them."""
        names = [CompletionItem(name, help=row.help) for name, row in COMMANDS.items() if name.startswith(incomplete)]
        return names + click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.help) for name, command in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="periplus")
def app() -> None:
    """Chart a piece of the web: gather, keep, search, rank, measure and model it.

    Begin with `periplus demo`, or `periplus crawl my.web https://example.org/`.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; every failure a person can cause ends in one line and an exit code."""
    argv: list[str] = list(sys.argv[1:] if arguments is None else arguments)
    as_json = "--json" in argv
    try:
        with storage("the disk"):
            result: Any = app.main(args=argv, prog_name="periplus", standalone_mode=False)
        sys.exit(result if isinstance(result, int) else 0)
    except InputError as error:
        damage = _damage(argv)  # of the user's file, or of one of ours
        report = (error.slug, str(error), error.exit_code) if damage is None else _damaged(damage)
        sys.exit(report_error(*report, as_json=as_json))
    except PeriplusError as error:
        sys.exit(report_error(error.slug, str(error), error.exit_code, as_json=as_json))
    except NoArgsIsHelpError as error:  # its message is the help itself, and keeps its lines
        error.show()
        sys.exit(error.exit_code)
    except click.ClickException as error:
        sys.exit(report_error("usage", _usage(error), 2, as_json=as_json))
    except (click.Abort, KeyboardInterrupt) as error:
        if isinstance(error.__cause__, EOFError):  # of a file: click takes it for Ctrl-D at a question
            sys.exit(report_error("input", f"a file ended too early: {error.__cause__}", 3, as_json=as_json))
        report_error("interrupted", "stopped; run the same command again to continue", 130, as_json=as_json)
        sys.exit(130)
    except MemoryError:  # perhaps because a damaged file told a size
        damage = _damage(argv)
        report = ("memory", "not enough memory for this", 1) if damage is None else _damaged(damage)
        sys.exit(report_error(*report, as_json=as_json))
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        sys.exit(report_error("input", f"{name}{error.strerror or error}", 3, as_json=as_json))
    except BaseException as error:  # also the panics of Rust, which are no Exception
        damage = None if isinstance(error, SystemExit | GeneratorExit) else _damage(argv)
        if damage is None:
            raise
        sys.exit(report_error(*_damaged(damage), as_json=as_json))


def _damaged(what: str) -> tuple[str, str, int]:
    return DamagedError.slug, what, DamagedError.exit_code


def _damage(argv: Sequence[str]) -> str | None:
    """What is damaged in the collections that a command names: it explains an error that nobody expected."""
    from periplus.collection import Collection

    named = (argument for argument in argv if Collection.is_collection(argument))
    for path in named:
        from periplus.library import verify

        problems = verify(Collection.open(path)).problems
        if problems:
            more = f" (and {len(problems) - 1} more: `periplus verify {path}`)" if problems[1:] else ""
            return problems[0] + more
    return None


def _usage(error: click.ClickException) -> str:
    """What was wrong with the command line, and which help to read."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "periplus"
    return f"{error.format_message().rstrip('.')} (`{path} --help` shows what it takes)"


if __name__ == "__main__":
    main()
