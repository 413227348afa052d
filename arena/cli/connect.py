"""`arena connect`: bring a bot, from a file or of the house, into a running arena."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.remote import SERVER, CaOption, ServerOption, TokenOption


def command(
    bot: Annotated[str, typer.Argument(help="FILE.py with a function choose(view), or a house bot's name.")],
    name: Annotated[str | None, typer.Option(help="Name in the arena; the file's name by default.")] = None,
    version: Annotated[str, typer.Option(help="Label of this build; a rating belongs to a version.")] = "1",
    games: Annotated[int, typer.Option(min=1, max=256, help="Games at once.")] = 1,
    seen: Annotated[Path | None, typer.Option(help="Append the commitments seen to this file.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Say nothing but errors.")] = False,
    server: ServerOption = SERVER,
    token: TokenOption = "",
    ca: CaOption = None,
) -> None:
    """Connect a bot and let it play until Ctrl-C.

    arena connect mybot.py

    arena connect mybot.py --name kodama --version 3 --server arena.example.org:7460 --token gwa_...

    Ctrl-C finishes the open games; a second one leaves at once.
    """
    from arena.play.roster import found
    from arena.sdk.running import Entry, serve

    choose = found(bot)
    entry = Entry(
        name=name or Path(bot).stem,
        version=version,
        games=games,
        server=server,
        token=token,
        ca=ca,
        seen=seen,
        quiet=quiet,
    )
    raise SystemExit(serve(choose, entry))
