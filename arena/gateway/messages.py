"""Use-case values to protobuf and back."""

from arena.contest.clock import DEFAULT as CLOCK
from arena.desk.boards import Leaderboard, Standing
from arena.desk.games import TimeSpent
from arena.desk.tournaments import Progress, Spec
from arena.errors import BadInput
from arena.game import ruleset
from arena.store.kinds import TournamentState
from arena.v1 import leaderboard_pb2 as lb
from arena.v1 import tournaments_pb2 as pb

STATES = {
    pb.TOURNAMENT_STATE_RUNNING: TournamentState.RUNNING,
    pb.TOURNAMENT_STATE_PAUSED: TournamentState.PAUSED,
    pb.TOURNAMENT_STATE_FINISHED: TournamentState.FINISHED,
    pb.TOURNAMENT_STATE_CANCELLED: TournamentState.CANCELLED,
}


def state_to_pb(state: TournamentState) -> pb.TournamentState.ValueType:
    """A tournament's state."""
    return next(number for number, known in STATES.items() if known is state)


def state_from_pb(state: pb.TournamentState.ValueType) -> TournamentState:
    """The state; raises BadInput for one that is none."""
    if state not in STATES:
        raise BadInput("name a state: running, paused or cancelled")
    return STATES[state]


def spec_to_pb(spec: Spec) -> pb.TournamentSpec:
    """What an organiser asks for."""
    return pb.TournamentSpec(
        name=spec.name,
        bots=spec.bots,
        sizes=spec.sizes,
        rounds=spec.rounds,
        clock=spec.clock,
        no_show=spec.no_show,
        rules=spec.rules,
    )


def spec_from_pb(spec: pb.TournamentSpec) -> Spec:
    """The spec, absent fields by default."""
    return Spec(
        name=spec.name,
        bots=tuple(spec.bots),
        sizes=tuple(spec.sizes) or (2,),
        rounds=spec.rounds or 1,
        clock=spec.clock or CLOCK,
        no_show=spec.no_show,
        rules=spec.rules or ruleset.DEFAULT,
    )


def tournament_to_pb(progress: Progress, absent: tuple[str, ...] = ()) -> pb.Tournament:
    """How far a tournament has come."""
    return pb.Tournament(
        spec=spec_to_pb(progress.spec),
        state=state_to_pb(progress.state),
        games=progress.games,
        games_finished=progress.games_finished,
        matches=progress.matches,
        matches_finished=progress.finished,
        matches_running=progress.running,
        absent=absent,
    )


def standing_to_pb(row: Standing) -> pb.Standing:
    """A row of a ranking; a missing rating is 0 with an interval of 0 to 0."""
    return pb.Standing(
        bot=row.bot,
        version=row.version,
        games=row.games,
        share=row.share,
        mean_score=row.mean_score,
        wins=row.wins,
        forfeits=row.forfeits,
        elo=row.elo or 0.0,
        low=row.low or 0.0,
        high=row.high or 0.0,
    )


def leaderboard_to_pb(found: Leaderboard) -> lb.GetLeaderboardResponse:
    """All boards with their rows in order."""
    response = lb.GetLeaderboardResponse(ledger=found.ledger)
    for name, rows in found.boards.items():
        board = response.boards[name]
        for one in rows:
            board.rows.add(
                bot=one.bot,
                version=one.version,
                elo=one.row.elo,
                low=one.row.low,
                high=one.row.high,
                games=one.row.games,
                forfeits=one.row.forfeits,
                ahead=one.ahead,
            )
    return response


def game_time_to_pb(spent: TimeSpent) -> lb.GetGameTimeResponse:
    """Where the time of a game went."""
    response = lb.GetGameTimeResponse(clock=spent.clock, seats=spent.seats)
    for line in spent.ledger:
        response.questions.add(
            ply=line.ply,
            seat=line.seat,
            sent_us=_micro(line.sent),
            wire_us=_micro(line.wire),
            platform_us=_micro(line.platform),
            network_us=_micro(line.network),
            charged_us=_micro(line.charged),
            left_us=_micro(line.left),
        )
    for fault in spent.forfeits:
        response.forfeits.add(ply=fault.ply, seat=fault.seat, reason=fault.reason, detail=fault.detail)
    return response


def _micro(seconds: float) -> int:
    return max(0, round(seconds * 1e6))
