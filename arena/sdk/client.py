"""The bot's side of the protocol: dials out, answers what it is asked, comes back after a lost connection."""

import asyncio
import os
import random
import signal
import sys
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from pickle import PicklingError

import grpc

from arena.contest.asking import Choose
from arena.contest.clock import Clock
from arena.errors import ArenaError, BadInput, Busy, Conflict, Forbidden
from arena.game import ruleset
from arena.game.actions import Action
from arena.sdk.running import Entry
from arena.sdk.thinking import Failed, decided, executor, warmed
from arena.v1 import play_pb2 as pb
from arena.v1.play_pb2_grpc import BotServiceStub
from arena.wire.actions import action_to_pb
from arena.wire.channel import PROTOCOL, open_channel
from arena.wire.outbox import Outbox
from arena.wire.status import status_to_error

CLIENT = "glassworks-arena python"
LONGEST_WAIT = 10.0  # seconds between two tries to connect


class Client:
    """One bot and its connection; `serve` returns when it was told to stop."""

    def __init__(self, choose: Choose, entry: Entry) -> None:
        self._choose = choose
        self._entry = entry
        self._rules: dict[str, str] = {}  # of each open game
        self._increments: dict[str, float] = {}  # seconds, likewise
        self._thinkers = warmed(executor(entry.processes), entry.processes)
        self._outbox: Outbox[pb.PlayRequest] | None = None
        self._thinking: dict[tuple[str, int], asyncio.Task[None]] = {}
        self._said: dict[str, pb.Reply] = {}  # the last reply in each game, should it be asked for again
        self._retry_after = 0.0
        self._stopping = False

    async def serve(self) -> None:
        """Stay connected until Ctrl-C; raises a named error when the arena refuses this bot."""
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, self._stop)
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self._stop)
        failures = 0
        try:
            while not self._stopping:
                failures = 0 if await self._session() else failures + 1
                if not self._stopping:
                    wait = self._retry_after + pause(failures, random.random())  # noqa: S311 - only spreads the load
                    await asyncio.sleep(wait)
        finally:
            self._thinkers.shutdown(wait=False, cancel_futures=True)

    def _stop(self) -> None:
        """First Ctrl-C: take no new games and finish the open ones; second: leave now."""
        if self._stopping or self._outbox is None:
            raise KeyboardInterrupt
        self._stopping = True
        self._say(f"leaving when {len(self._rules)} open games are over; Ctrl-C again leaves now")
        self._outbox.put(pb.PlayRequest(goodbye=pb.Goodbye(reason=pb.GOODBYE_REASON_LEAVING)))

    async def _session(self) -> bool:
        """One connection; True if it was welcomed. Raises a named error when coming back is no use."""
        channel = open_channel(self._entry.server, self._entry.ca)
        welcomed = False
        self._rules.clear()
        self._retry_after = 0.0
        try:
            play: Callable[..., grpc.aio.StreamStreamCall[pb.PlayRequest, pb.PlayResponse]]
            play = BotServiceStub(channel).Play
            stream = play()
            self._outbox = outbox = Outbox(pb.PlayRequest, most=256)
            outbox.put(pb.PlayRequest(hello=self._hello()))
            writer = asyncio.create_task(_write(stream, outbox))
            try:
                async for response in stream:
                    welcomed = welcomed or self._welcome(response)
                    self._hear(response, outbox)
            finally:
                outbox.close()
                writer.cancel()
            if not self._stopping:
                self._say("connection closed")
        except grpc.aio.AioRpcError as error:
            self._judge(status_to_error(error, self._entry.server), welcomed=welcomed)
        finally:
            self._outbox = None
            await channel.close()
        return welcomed

    def _hello(self) -> pb.Hello:
        entry = self._entry
        return pb.Hello(
            protocol_from=PROTOCOL,
            protocol_to=PROTOCOL,
            token=entry.token,
            bot=entry.name,
            version=entry.version,
            games=entry.games,
            sizes=entry.sizes,
            client=CLIENT,
        )

    def _welcome(self, response: pb.PlayResponse) -> bool:
        if not response.HasField("welcome"):
            return False
        self._say(f"connected to {response.welcome.arena} at {self._entry.server}; waiting for games")
        return True

    def _hear(self, response: pb.PlayResponse, outbox: Outbox[pb.PlayRequest]) -> None:
        for start in response.starts:
            self._begin(start, outbox)
        for ask in response.asks:
            self._consider(ask)
        for ack in response.acks:
            if not ack.accepted:
                self._say(f"{ack.game}: reply to ask {ack.ask} not accepted: {ack.message}")
        for over in response.overs:
            self._end(over)
        if response.HasField("goodbye"):
            self._part(response.goodbye)

    def _begin(self, start: pb.GameStart, outbox: Outbox[pb.PlayRequest]) -> None:
        name, _, digest = start.rules.partition(" ")
        if ruleset.named(name).digest != digest:
            raise BadInput(
                f"the arena plays other tables of {name} than this package; pip install -U glassworks-arena"
            )
        if start.game not in self._rules:
            self._say(f"{start.game}: seat {start.seat} of {start.players}")
            self._remember(start)
        self._rules[start.game] = name
        self._increments[start.game] = start.clock.increment_ms / 1000
        outbox.put(pb.PlayRequest(readies=[pb.Ready(game=start.game, nonce=os.urandom(32))]))

    def _remember(self, start: pb.GameStart) -> None:
        """Keep the commitment, for `arena verify --seen`."""
        if self._entry.seen is not None:
            with self._entry.seen.open("a", encoding="utf-8") as file:
                file.write(f"{start.match} {start.index} {start.commitment}\n")

    def _consider(self, ask: pb.Ask) -> None:
        """Think about a question, once, however often it comes."""
        key = (ask.game, ask.ask)
        said = self._said.get(ask.game)
        if said is not None and said.ask == ask.ask:
            self._reply(said)
        elif key not in self._thinking:
            self._thinking[key] = task = asyncio.create_task(self._answer(ask))
            task.add_done_callback(lambda _: self._thinking.pop(key))

    async def _answer(self, ask: pb.Ask) -> None:
        action = await self._thought(ask)
        try:
            reply = action if isinstance(action, Failed) else action_to_pb(action, game=ask.game, ask=ask.ask)
        except (TypeError, ValueError) as error:
            reply = Failed(f"choose returned {action!r}: {error}"[:500])
        if isinstance(reply, Failed):
            sys.stderr.write(f"{ask.game}: your bot failed: {reply.message}\n")
            reply = pb.Reply(game=ask.game, ask=ask.ask, failure=pb.Failure(message=reply.message))
        self._said[ask.game] = reply
        self._reply(reply)

    async def _thought(self, ask: pb.Ask) -> Action | Failed:
        thinkers, loop = self._thinkers, asyncio.get_running_loop()
        rules = self._rules.get(ask.game, ruleset.DEFAULT)
        clock = Clock(ask.limit_ms / 1000, ask.left_ms / 1000, self._increments.get(ask.game, 0.0))
        try:
            return await loop.run_in_executor(thinkers, decided, self._choose, ask.view, rules, clock)
        except BrokenExecutor:
            if self._thinkers is thinkers:
                self._thinkers = executor(self._entry.processes)
            return Failed("a process that thinks has died")
        except (PicklingError, AttributeError, TypeError) as error:
            return Failed(f"choose cannot be sent to another process: {error}")

    def _reply(self, reply: pb.Reply) -> None:
        if self._outbox is not None:
            self._outbox.put(pb.PlayRequest(replies=[reply]))

    def _end(self, over: pb.GameOver) -> None:
        self._rules.pop(over.game, None)
        self._increments.pop(over.game, None)
        self._said.pop(over.game, None)
        lost = f"; you forfeited: {over.forfeit} {over.detail}" if over.forfeit else ""
        scores = ", ".join(map(str, over.scores)) or over.detail
        self._say(f"{over.game}: over, points by seat {scores}{lost}")

    def _part(self, goodbye: pb.Goodbye) -> None:
        if goodbye.reason == pb.GOODBYE_REASON_LEAVING:
            self._stopping = True
        elif goodbye.reason == pb.GOODBYE_REASON_REPLACED:
            raise Conflict(f"{goodbye.message}; only one connection per bot is live")
        elif goodbye.reason in (pb.GOODBYE_REASON_MALFORMED, pb.GOODBYE_REASON_REFUSED):
            raise BadInput(goodbye.message)
        self._retry_after = goodbye.retry_after_ms / 1000
        self._say(goodbye.message)

    def _judge(self, error: ArenaError, *, welcomed: bool) -> None:
        """Come back after what may pass; give up on what will not."""
        if isinstance(error, BadInput | Forbidden | Conflict):
            raise error
        if isinstance(error, Busy):
            self._retry_after = error.retry_after
        self._say("connection lost; coming back" if welcomed else str(error))

    def _say(self, text: str) -> None:
        if not self._entry.quiet:
            sys.stderr.write(f"{self._entry.name}: {text}\n")


async def _write(
    stream: grpc.aio.StreamStreamCall[pb.PlayRequest, pb.PlayResponse], outbox: Outbox[pb.PlayRequest]
) -> None:
    while (request := await outbox.next()) is not None:
        await stream.write(request)


def pause(failures: int, chance: float) -> float:
    """Seconds before the next try: doubles up to a cap, spread below it so that no two bots return together."""
    return min(LONGEST_WAIT, 0.25 * 2.0 ** min(failures, 8)) * (0.25 + 0.75 * chance)
