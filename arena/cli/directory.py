"""`arena bots`: who is known and who is connected."""

from rich.table import Table

from arena.cli.output import data, print_json
from arena.cli.remote import SERVER, CaOption, JsonOption, Line, ServerOption, TokenOption, calling
from arena.v1.leaderboard_pb2 import ListBotsRequest, ListBotsResponse
from arena.v1.leaderboard_pb2_grpc import DirectoryServiceStub


def command(
    server: ServerOption = SERVER, token: TokenOption = "", ca: CaOption = None, json: JsonOption = False
) -> None:
    """List the bots an arena knows, connected ones with their version.

    arena bots

    arena bots --json
    """
    with calling(server, token, ca) as line:
        found = listed(line)
    if json:
        print_json(
            [
                {
                    "name": bot.name,
                    "owner": bot.owner,
                    "version": bot.version,
                    "connected": bot.connected,
                    "games_at_once": bot.games_at_once,
                }
                for bot in found.bots
            ]
        )
        return
    table = Table("bot", "owner", "connected as", "games at once")
    for bot in found.bots:
        table.add_row(bot.name, bot.owner, bot.version or "-", str(bot.games_at_once or "-"))
    data().print(table if found.bots else "no bots yet; bring one with: arena connect FILE.py")


def listed(line: Line) -> ListBotsResponse:
    """The bots as the arena lists them."""
    return line.ask(DirectoryServiceStub(line.channel).ListBots, ListBotsRequest())
