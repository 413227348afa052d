"""The `arena` command: builds the command tree and runs it."""

from importlib.util import find_spec

import typer

from arena.cli.output import named_errors

HELP = """River Valley Glassworks for bots: play, connect, run tournaments, watch.

First steps:  arena play greedy random   ·   arena demo   ·   arena COMMAND --help
"""


def app() -> typer.Typer:
    """The command tree; a base install, which has no server, offers what a bot author needs."""
    from arena.cli import connect, directory, leaderboard, play, serve, tournament, verify

    tree = typer.Typer(help=HELP, no_args_is_help=True, rich_markup_mode="rich")
    tree.command("play")(play.command)
    tree.command("verify")(verify.command)
    tree.command("connect")(connect.command)
    tree.add_typer(tournament.app(), name="tournament")
    tree.command("bots")(directory.command)
    tree.command("leaderboard")(leaderboard.command)
    for name, command in (("up", serve.up), ("gateway", serve.gateway), ("worker", serve.worker), ("web", serve.web)):
        tree.command(name)(command)
    if find_spec("sqlalchemy") is not None:
        _add_server_commands(tree)
    return tree


def _add_server_commands(tree: typer.Typer) -> None:
    """What needs the server extra."""
    from arena.cli import demo, owners, strength

    tree.command("demo")(demo.command)
    tree.command("strength")(strength.command)
    tree.add_typer(owners.owner_app(), name="owner")
    tree.add_typer(owners.token_app(), name="token")


def main() -> None:
    """Run the command line; a named error becomes one line and an exit code."""
    with named_errors():
        app()()


if __name__ == "__main__":
    main()
