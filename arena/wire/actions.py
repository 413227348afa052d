"""Actions and replies to protobuf and back."""

from arena.contest.referee import Moved, Reason, Reply, Silent
from arena.errors import BadInput
from arena.game.actions import Action, Lake, Pass, River
from arena.v1 import play_pb2 as pb

SIDES = {pb.SIDE_LEFT: -1, pb.SIDE_RIGHT: 1}
STEPS = {side: step for step, side in SIDES.items()}


def action_to_pb(action: Action, *, game: str, ask: int) -> pb.Reply:
    """A reply with this action to the numbered ask; TypeError or ValueError for one that does not fit into bytes."""
    match action:
        case River(pieces, tile, side, order):
            step = STEPS.get(side, pb.SIDE_UNSPECIFIED)
            turn = pb.River(pieces=bytes(pieces), tile=tile, side=step, order=bytes(order))
            return pb.Reply(game=game, ask=ask, river=turn)
        case Lake(take, discards):
            return pb.Reply(game=game, ask=ask, lake=pb.Lake(take=bytes(take), discards=bytes(discards)))
        case Pass():
            return pb.Reply(game=game, ask=ask, forced_pass=pb.Pass())


def action_from_pb(reply: pb.Reply) -> Action:
    """The action of a reply; raises BadInput for one that carries none."""
    match reply.WhichOneof("answer"):
        case "river":
            turn = reply.river
            if turn.side not in SIDES:
                raise BadInput("river.side must be SIDE_LEFT or SIDE_RIGHT")
            return River(tuple(turn.pieces), turn.tile, SIDES[turn.side], tuple(turn.order))
        case "lake":
            return Lake(tuple(reply.lake.take), tuple(reply.lake.discards))
        case "forced_pass":
            return Pass()
        case other:
            raise BadInput(f"a reply needs river, lake or forced_pass, not {other}")


def reply_from_pb(reply: pb.Reply, took: float) -> Reply:
    """What the referee hears: the action, or the reason why there is none."""
    match reply.WhichOneof("answer"):
        case "resign":
            return Silent(Reason.RESIGN, took)
        case "failure":
            return Silent(Reason.CRASH, took, reply.failure.message[:500])
        case _:
            try:
                return Moved(action_from_pb(reply), took)
            except BadInput as error:
                return Silent(Reason.MALFORMED, took, str(error))
