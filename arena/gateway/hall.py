"""Who is connected and which question is open to whom: all state of a gateway, changed by plain calls in one loop."""

import asyncio
from collections.abc import Callable

from arena.contest.referee import Reason
from arena.gateway.parties import Line, Link, Seat, dismiss, due, stale, tell_worker
from arena.v1 import play_pb2 as pb
from arena.v1 import seats_pb2 as seats

ABSENT = "ABSENT"  # the bot was gone before it heard of the game: no fault of anybody's
SLACK = 0.02  # seconds after the limit before silence is final


class Hall:
    """Bots on one side, workers on the other; `answered` is told each answer time in seconds."""

    def __init__(self, grace: float, answered: Callable[[float], None]) -> None:
        self._grace = grace
        self._note_answer = answered
        self._loop = asyncio.get_running_loop()
        self._lines: dict[str, Line] = {}
        self._seats: dict[str, dict[str, Seat]] = {}
        self._away: dict[str, asyncio.TimerHandle] = {}  # when the grace period of a bot ends, or ended

    @property
    def lines(self) -> tuple[Line, ...]:
        """All live connections."""
        return tuple(self._lines.values())

    # Bots

    def join(self, line: Line) -> None:
        """A bot has connected; the newer connection wins, and open games and questions come again."""
        older = self._lines.get(line.bot)
        if older is not None:
            dismiss(older, pb.GOODBYE_REASON_REPLACED, "a newer connection of this bot took over")
        if away := self._away.pop(line.bot, None):
            away.cancel()
        self._lines[line.bot] = line
        for seat in list(self._of(line.bot)):
            self._pursue(seat, again=True)

    def leave(self, line: Line) -> None:
        """A connection has ended; the bot may come back within the grace period."""
        if self._lines.get(line.bot) is line:
            del self._lines[line.bot]
            self._miss(line.bot)

    def heard(self, line: Line, request: pb.PlayRequest) -> None:
        """A message from a bot; a connection that was replaced or cut has no say any more."""
        if self._lines.get(line.bot) is not line:
            return
        for ready in request.readies:
            seat = self._seats.get(line.bot, {}).get(ready.game)
            if seat is not None and not seat.ready:
                seat.ready = True
                tell_worker(seat, seats.Up(bot=line.bot, game=ready.game, ready=ready))
        for reply in request.replies:
            self._replied(line, reply)
        if request.HasField("goodbye"):
            line.leaving = True
            self._end_if_idle(line)

    def garbled(self, line: Line, detail: str) -> None:
        """A bot sent what cannot be read: every question open to it is answered by that."""
        owing = self._owing(line.bot) if self._lines.get(line.bot) is line else ()
        for seat in owing:
            self._fault(seat, Reason.MALFORMED, detail)
        dismiss(line, pb.GOODBYE_REASON_MALFORMED, detail)

    def sent(self, line: Line, response: pb.PlayResponse) -> None:
        """A message is being written to a bot: the clock of its questions starts now."""
        now = self._loop.time()
        for start in response.starts:
            if seat := self._seats.get(line.bot, {}).get(start.game):
                seat.told = True
        for ask in response.asks:
            seat = self._seats.get(line.bot, {}).get(ask.game)
            if seat is not None and seat.asked_at is None and seat.question == ask:
                self._start_clock(seat, ask, now)

    def dismiss_all(self, reason: pb.GoodbyeReason.ValueType, message: str, retry_after_ms: int) -> None:
        """Say goodbye to every bot: the gateway drains."""
        for line in self.lines:
            dismiss(line, reason, message, retry_after_ms)

    # Workers

    def down(self, link: Link, down: seats.Down) -> None:
        """A message from a worker to a seat."""
        match down.WhichOneof("body"):
            case "start":
                self._seat(link, down)
            case "ask":
                self._ask(down)
            case "ack":
                self._ack(down)
            case "over":
                self._close(down.bot, down.over)
            case "drop":
                self._close(down.bot, pb.GameOver(game=down.drop, detail="given up by the arena; not rated"))

    def detach(self, link: Link) -> None:
        """A worker is gone: its games are given up, and its bots are told."""
        for bot, games in list(self._seats.items()):
            for seat in [seat for seat in games.values() if seat.link is link]:
                self._close(bot, pb.GameOver(game=seat.start.game, detail="given up by the arena; not rated"))

    # Inside

    def _of(self, bot: str) -> tuple[Seat, ...]:
        return tuple(self._seats.get(bot, {}).values())

    def _owing(self, bot: str) -> tuple[Seat, ...]:
        """The bot's seats from which an answer is due."""
        return tuple(seat for seat in self._of(bot) if seat.question is not None or not seat.ready)

    def _seat(self, link: Link, down: seats.Down) -> None:
        seat = Seat(down.bot, link, down.start, down.version)
        self._seats.setdefault(down.bot, {})[down.start.game] = seat
        self._pursue(seat)

    def _ask(self, down: seats.Down) -> None:
        if seat := self._seats.get(down.bot, {}).get(down.ask.game):
            seat.question, seat.asked_at = down.ask, None
            self._pursue(seat)

    def _pursue(self, seat: Seat, *, again: bool = False) -> None:
        """Bring before its bot what a seat was not told yet, or everything `again`; or see why that cannot be."""
        line = self._lines.get(seat.bot)
        if line is None:
            self._miss(seat.bot)
        elif line.leaving and not seat.told:
            self._fault(seat, ABSENT, "the bot is leaving")
        elif seat.version not in ("", line.version):
            if seat.question is not None or not seat.ready:
                reason = Reason.DISCONNECT if seat.told else ABSENT
                self._fault(seat, reason, "came back as another version")
        else:
            seat.version = line.version
            self._tell(line, due(seat, self._loop.time(), again=again))

    def _ack(self, down: seats.Down) -> None:
        if seat := self._seats.get(down.bot, {}).get(down.ack.game):
            seat.ack = down.ack
        if line := self._lines.get(down.bot):
            self._tell(line, pb.PlayResponse(acks=[down.ack]))

    def _close(self, bot: str, over: pb.GameOver) -> None:
        games = self._seats.get(bot, {})
        seat = games.pop(over.game, None)
        if not games:
            self._seats.pop(bot, None)
        if seat is not None and seat.timer is not None:
            seat.timer.cancel()
        if line := self._lines.get(bot):
            self._tell(line, pb.PlayResponse(overs=[over]))
            self._end_if_idle(line)

    def _end_if_idle(self, line: Line) -> None:
        if line.leaving and not self._seats.get(line.bot):
            dismiss(line, pb.GOODBYE_REASON_LEAVING, "all your games are over")

    def _replied(self, line: Line, reply: pb.Reply) -> None:
        seat = self._seats.get(line.bot, {}).get(reply.game)
        question = seat.question if seat else None
        if seat is None or question is None or question.ask != reply.ask or seat.asked_at is None:
            if ack := stale(seat, reply):
                self._tell(line, pb.PlayResponse(acks=[ack]))
            return
        took = self._loop.time() - seat.asked_at
        self._note_answer(took)
        self._answer(seat, seats.Up(bot=seat.bot, game=reply.game, took_us=int(took * 1e6), reply=reply))

    def _start_clock(self, seat: Seat, ask: pb.Ask, now: float) -> None:
        seat.asked_at = now
        limit = ask.limit_ms / 1000
        text = f"no answer within {limit:g} s"
        seat.timer = self._loop.call_later(limit + SLACK, self._fault, seat, Reason.TIME, text)

    def _miss(self, bot: str) -> None:
        """A bot is wanted and away: its grace period begins, runs on, or is over."""
        timer = self._away.get(bot)
        if timer is None:
            self._away[bot] = self._loop.call_later(self._grace, self._expire, bot)
        elif timer.when() <= self._loop.time():
            self._expire(bot)

    def _expire(self, bot: str) -> None:
        """The grace period is over: a bot that is still away loses its open questions."""
        for seat in self._owing(bot):
            self._fault(seat, Reason.DISCONNECT if seat.told else ABSENT, "connection lost")

    def _fault(self, seat: Seat, reason: str, detail: str) -> None:
        took = 0.0 if seat.asked_at is None else self._loop.time() - seat.asked_at
        fault = seats.Fault(reason=reason, detail=detail)
        self._answer(seat, seats.Up(bot=seat.bot, game=seat.start.game, took_us=int(took * 1e6), fault=fault))

    def _answer(self, seat: Seat, up: seats.Up) -> None:
        """Pass the one answer to a question on to its worker."""
        if seat.timer is not None:
            seat.timer.cancel()
        seat.answered = seat.question.ask if seat.question else seat.answered
        seat.question = seat.asked_at = seat.timer = None
        seat.ready = True
        tell_worker(seat, up)

    def _tell(self, line: Line, part: pb.PlayResponse) -> None:
        if not line.outbox.put(part):
            self.leave(line)
            line.outbox.close()
