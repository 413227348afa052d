"""The service of operators: decode, call one use case, encode."""

import time

from arena.desk import operating
from arena.desk.access import Caller
from arena.desk.operating import Order, Sight
from arena.errors import BadInput
from arena.gateway.reception import Call, Reception
from arena.store.engine import Store
from arena.store.kinds import Deed
from arena.v1 import operator_pb2 as pb
from arena.v1.operator_pb2_grpc import OperatorServiceServicer

# ruff: noqa: N802 - gRPC names the methods
# mypy: disable-error-code="override"

_DEEDS = {pb.Deed.Value(f"DEED_{deed.name}"): deed for deed in Deed}
_NUMBERS = {deed: number for number, deed in _DEEDS.items()}


class Operators(OperatorServiceServicer):
    """Deeds, and the view before them."""

    def __init__(self, reception: Reception) -> None:
        self._reception = reception

    async def Act(self, request: pb.ActRequest, context: Call) -> pb.ActResponse:
        """Do what is asked."""

        def act(store: Store, caller: Caller) -> pb.ActResponse:
            effects = operating.act(store, caller, _order_from_pb(request), at=time.time(), rehearse=request.rehearse)
            return pb.ActResponse(effects=effects)

        return await self._reception.serve(context, act)

    async def GetOversight(self, _: pb.GetOversightRequest, context: Call) -> pb.GetOversightResponse:
        """What waits for an operator."""
        return await self._reception.serve(context, lambda store, caller: _sight_to_pb(operating.seen(store, caller)))


def _order_from_pb(request: pb.ActRequest) -> Order:
    if request.deed not in _DEEDS:
        raise BadInput(f"name a deed: {' '.join(deed.value for deed in Deed)}")
    game = request.game if request.HasField("game") else None
    return Order(_DEEDS[request.deed], request.subject, game, request.note)


def _sight_to_pb(sight: Sight) -> pb.GetOversightResponse:
    response = pb.GetOversightResponse(matches_running=sight.running)
    if sight.brake is not None:
        response.brake.MergeFrom(pb.Brake(actor=sight.brake.actor, note=sight.brake.note, at=sight.brake.at))
    for match in sight.parked:
        response.parked.add(match=match.match_id, cause=match.cause, at=match.at)
    for alarm in sight.alarms:
        detail = alarm.detail or "another result was reported for it"
        response.alarms.add(match=alarm.match_id, game=alarm.game_index, detail=detail, at=alarm.at)
    for done in sight.audit:
        response.audit.add(
            at=done.at, actor=done.actor, deed=_NUMBERS[done.deed], subject=done.subject, note=done.note
        )
    return response
