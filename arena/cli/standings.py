"""A tournament's ranking, for people and as JSON."""

from rich.table import Table

from arena.cli.output import data, print_json
from arena.v1 import tournaments_pb2 as pb

STATES = {
    pb.TOURNAMENT_STATE_RUNNING: "running",
    pb.TOURNAMENT_STATE_PAUSED: "paused",
    pb.TOURNAMENT_STATE_FINISHED: "finished",
    pb.TOURNAMENT_STATE_CANCELLED: "cancelled",
}


def print_standings(found: pb.GetTournamentResponse, *, as_json: bool) -> None:
    """The ranking of a tournament on stdout."""
    if as_json:
        print_json(_as_json(found))
        return
    shown = found.tournament
    table = Table(title=f"{shown.spec.name}: {STATES[shown.state]}, {shown.games_finished} of {shown.games} games")
    for column in ("", "bot", "Elo", "95 %", "share", "wins", "points", "games", "forfeits"):
        table.add_column(column, justify="left" if column == "bot" else "right")
    for place, row in enumerate(found.standings, 1):
        table.add_row(
            str(place),
            f"{row.bot}@{row.version}",
            f"{row.elo:.0f}" if row.elo else "-",
            f"{row.low:.0f}-{row.high:.0f}" if row.elo else "-",
            f"{row.share:.1%}",
            f"{row.wins:g}" if row.wins == int(row.wins) else f"{row.wins:.1f}",
            f"{row.mean_score:.1f}",
            str(row.games),
            str(row.forfeits),
        )
    data().print(table)


def _as_json(found: pb.GetTournamentResponse) -> dict[str, object]:
    shown = found.tournament
    return {
        "name": shown.spec.name,
        "state": STATES[shown.state],
        "games": shown.games,
        "games_finished": shown.games_finished,
        "absent": list(shown.absent),
        "standings": [
            {
                "bot": row.bot,
                "version": row.version,
                "games": row.games,
                "share": row.share,
                "mean_score": row.mean_score,
                "wins": row.wins,
                "forfeits": row.forfeits,
                "elo": row.elo or None,
                "low": row.low or None,
                "high": row.high or None,
            }
            for row in found.standings
        ],
    }
