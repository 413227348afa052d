"""Bots that answer at once, many games of each over one stream, and how long the arena takes between an answer and
the next question of the same game."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

import grpc

from arena.game import ruleset
from arena.game.actions import Action, Lake, Pass, River
from arena.game.packing import view_from_bytes
from arena.game.view import View
from arena.v1 import play_pb2 as pb
from arena.v1.play_pb2_grpc import BotServiceStub
from arena.wire.actions import action_to_pb
from arena.wire.channel import PROTOCOL, open_channel

Stream = grpc.aio.StreamStreamCall[pb.PlayRequest, pb.PlayResponse]


@dataclass(slots=True)
class Seen:
    """What all bots saw: seconds from an answer in a game to its next question, and how many answers; `sample` is a
    question and an answer as they were sent."""

    turnarounds: list[float] = field(default_factory=list)
    answers: int = 0
    sample: tuple[bytes, bytes] = (b"", b"")
    answered_at: dict[str, float] = field(default_factory=dict)

    def asked(self, game: str) -> None:
        """A question of a game has come."""
        if (since := self.answered_at.get(game)) is not None:
            self.turnarounds.append(time.perf_counter() - since)

    def answered(self, request: pb.PlayRequest) -> None:
        """These answers go out now."""
        self.answers += len(request.replies)
        now = time.perf_counter()
        for reply in request.replies:
            self.answered_at[reply.game] = now

    def clear(self) -> None:
        """Count anew; what is under way goes on."""
        self.turnarounds.clear()
        self.answers = 0


async def play(server: str, bots: Mapping[str, int], seen: Seen) -> None:
    """Bring bots, each with so many games at once, and answer for them until cancelled."""
    async with open_channel(server, None) as channel, asyncio.TaskGroup() as group:
        for name, games in bots.items():
            stream: Stream = BotServiceStub(channel).Play()
            group.create_task(_serve(stream, name, games, seen))


async def _serve(stream: Stream, name: str, games: int, seen: Seen) -> None:
    hello = pb.Hello(protocol_from=PROTOCOL, protocol_to=PROTOCOL, bot=name, version="1", games=games, sizes=(2,))
    await stream.write(pb.PlayRequest(hello=hello))
    async for response in stream:
        if response.starts or response.asks:
            await stream.write(_answers(response, seen))


def _answers(response: pb.PlayResponse, seen: Seen) -> pb.PlayRequest:
    """Everything that a message asks for, in one message."""
    for ask in response.asks:
        seen.asked(ask.game)
    request = pb.PlayRequest(
        readies=[pb.Ready(game=start.game) for start in response.starts], replies=map(_answer, response.asks)
    )
    if len(request.replies) == 1 and not request.readies:
        seen.sample = (response.SerializeToString(), request.SerializeToString())
    seen.answered(request)
    return request


def _answer(ask: pb.Ask) -> pb.Reply:
    return action_to_pb(first(view_from_bytes(ask.view, ruleset.named())), game=ask.game, ask=ask.ask)


def first(view: View) -> Action:
    """The first legal turn there is."""
    options = view.legal
    if options.placements:
        one = options.placements[0]
        order = one.new[: one.room] if len(one.new) > 1 else ()
        return River(one.pieces, one.tile, one.side, order)
    if options.lakes:
        held = (*view.me.satchel, *options.lakes[0])
        return Lake(options.lakes[0], tuple(sorted(held)[: options.discards]))
    return Pass()
