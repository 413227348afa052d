"""The `arena` command: builds the command tree and runs it."""

from importlib.util import find_spec
from typing import Annotated

import typer

from arena.cli.output import named_errors
from arena.errors import BadInput

SERVER_COMMANDS = ("demo", "up", "gateway", "worker", "web", "owner", "token")
HELP = """River Valley Glassworks for bots: play, connect, run tournaments, watch.

First steps:  arena play greedy random   ·   arena demo   ·   arena COMMAND --help
"""


def app() -> typer.Typer:
    """The command tree; a base install, which has no server, offers what a bot author needs."""
    from arena.cli import (
        bench,
        connect,
        directory,
        doctor,
        game,
        leaderboard,
        operate,
        play,
        strength,
        tournament,
        verify,
    )

    tree = typer.Typer(help=HELP, no_args_is_help=True, rich_markup_mode="rich")
    tree.command("play")(play.command)
    tree.command("verify")(verify.command)
    tree.command("strength")(strength.command)
    tree.command("doctor")(doctor.command)
    tree.add_typer(bench.app(), name="bench")
    tree.command("connect")(connect.command)
    tree.command("bots")(directory.command)
    tree.command("leaderboard")(leaderboard.command)
    tree.add_typer(tournament.app(), name="tournament")
    tree.add_typer(game.app(), name="game")
    tree.add_typer(operate.app(), name="operate")
    if find_spec("sqlalchemy") is None:
        for name in SERVER_COMMANDS:
            tree.command(name, context_settings={"ignore_unknown_options": True}, hidden=True)(_missing)
    else:
        _add_server_commands(tree)
    return tree


def _add_server_commands(tree: typer.Typer) -> None:
    """What needs the server extra."""
    from arena.cli import demo, owners, serve

    tree.command("demo")(demo.command)
    for name, command in (("up", serve.up), ("gateway", serve.gateway), ("worker", serve.worker), ("web", serve.web)):
        tree.command(name)(command)
    tree.add_typer(owners.owner_app(), name="owner")
    tree.add_typer(owners.token_app(), name="token")


def _missing(_: Annotated[list[str] | None, typer.Argument()] = None) -> None:
    """Needs the server extra."""
    raise BadInput("this command needs the server parts: pip install 'glassworks-arena[server]'")


def main() -> None:
    """Run the command line; a named error becomes one line and an exit code."""
    with named_errors():
        app()()


if __name__ == "__main__":
    main()
