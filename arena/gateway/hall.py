"""Who is connected and which question is open to whom: all state of a gateway, changed by plain calls in one loop."""

from collections.abc import Callable
from functools import partial

from arena.contest.referee import Reason
from arena.gateway.absences import Absences
from arena.gateway.parties import Line, Link, Seat, about, answered, dismiss, due, stale, tell_worker
from arena.gateway.seating import Seats
from arena.gateway.stopwatch import Keeper, Stopwatch
from arena.v1 import play_pb2 as pb
from arena.v1 import seats_pb2 as seats

ABSENT = "ABSENT"  # the bot was gone before it heard of the game: no fault of anybody's
BACK = 60.0  # seconds that bots may take to come back after a gateway was lost
ORPHANED = 180.0  # seconds that a seat waits for a new worker
GIVEN_UP = "given up by the arena; not rated"


class Hall:
    """Bots on one side, workers on the other; `heard_after` is told each answer time in seconds."""

    def __init__(self, keeper: Keeper, grace: float, heard_after: Callable[[float], None]) -> None:
        self._keeper = keeper
        self._heard_after = heard_after
        self._lines: dict[str, Line] = {}
        self._seats = Seats()
        self._away = Absences(grace, BACK, self._expire)

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
        self._away.returned(line.bot)
        self._lines[line.bot] = line
        for seat in self._seats.of(line.bot):
            self._pursue(seat, again=True)

    def leave(self, line: Line) -> None:
        """A connection has ended; the bot may come back within the grace period, while its clock runs."""
        if self._lines.get(line.bot) is line:
            del self._lines[line.bot]
            self._away.lost(line.bot)
            for seat in self._seats.owing(line.bot):
                if seat.told:
                    self._time(seat)

    def heard(self, line: Line, request: pb.PlayRequest) -> None:
        """A message from a bot; a connection that was replaced or cut has no say any more."""
        if self._lines.get(line.bot) is not line:
            return
        for ready in request.readies:
            seat = self._seats.find(line.bot, ready.game)
            if seat is not None and not seat.ready:
                self._answer(seat, answered(seat, ready=ready))
        for reply in request.replies:
            self._replied(line, reply)
        if request.HasField("goodbye"):
            line.leaving = True
            self._end_if_idle(line)

    def garbled(self, line: Line, detail: str) -> None:
        """A bot sent what cannot be read: every question open to it is answered by that."""
        owing = self._seats.owing(line.bot) if self._lines.get(line.bot) is line else ()
        for seat in owing:
            self._fault(seat, Reason.MALFORMED, detail)
        dismiss(line, pb.GOODBYE_REASON_MALFORMED, detail)

    def sent(self, line: Line, response: pb.PlayResponse) -> None:
        """A message is being written to a bot: the clock of what it asks starts now."""
        if self._lines.get(line.bot) is not line:
            return
        for start in response.starts:
            if seat := self._seats.find(line.bot, start.game):
                seat.told = True
                self._time(seat)
        for ask in response.asks:
            seat = self._seats.find(line.bot, ask.game)
            if seat is not None and seat.question is not None and seat.number == ask.ask:
                self._time(seat)

    def owes(self, line: Line) -> bool:
        """Whether an answer to a question or a GameStart is due from this bot."""
        return bool(self._seats.owing(line.bot))

    def dismiss_all(self, reason: pb.GoodbyeReason.ValueType, message: str, retry_after_ms: int) -> None:
        """Say goodbye to every bot: the gateway drains."""
        for line in self.lines:
            dismiss(line, reason, message, retry_after_ms)

    # Workers

    def down(self, link: Link, down: seats.Down) -> None:
        """A message from a worker to a seat; only the worker that seated it last is heard."""
        if down.HasField("start"):
            self._take_seat(link, down)
            return
        seat = self._seats.find(down.bot, about(down))
        if seat is None or seat.link is not link:
            return
        match down.WhichOneof("body"):
            case "ask":
                self._ask(seat, down.ask)
            case "ack":
                self._ack(seat, down.ack)
            case "over":
                self._close(seat, down.over)
            case "drop":
                self._close(seat, pb.GameOver(game=down.drop, detail=GIVEN_UP))
            case "leave":
                self._remove(seat)

    def detach(self, link: Link) -> None:
        """A worker is gone: its seats wait for another one, with what their bots say meanwhile."""
        for seat in self._seats.served_by(link):
            seat.link = None
            self._keeper.loop.call_later(ORPHANED, self._abandon, seat)

    # Inside

    def _take_seat(self, link: Link, down: seats.Down) -> None:
        """Seat a bot, or give a seat that is known to the worker which goes on with its game."""
        seat = self._seats.find(down.bot, down.start.game)
        if seat is None:
            seat = Seat(down.bot, link, down.start, down.fence, down.version, told=down.ready, ready=down.ready)
            self._seats.add(seat)
            self._pursue(seat, again=down.ready)
        elif down.fence >= seat.fence:
            seat.link, seat.fence = link, down.fence
            seat.ready = seat.ready or down.ready
            self._tell_again(seat, 0 if not down.ready else -1)

    def _ask(self, seat: Seat, ask: pb.Ask) -> None:
        """Put a question, unless it is open already or was answered while there was nobody to tell."""
        if seat.question is not None and seat.question.ask == ask.ask:
            return
        if seat.answered == ask.ask:
            self._tell_again(seat, ask.ask)
        else:
            seat.stop()
            seat.question, seat.ready = ask, True  # the worker has heard that it is ready, maybe elsewhere
            self._pursue(seat)

    def _tell_again(self, seat: Seat, number: int) -> None:
        if seat.answer is not None and seat.answer.ask == number:
            tell_worker(seat, seat.answer)

    def _pursue(self, seat: Seat, *, again: bool = False) -> None:
        """Bring before its bot what a seat was not told yet, or everything `again`; or see why that cannot be."""
        line = self._lines.get(seat.bot)
        if line is None:
            if seat.owes:
                self._await(seat)
        elif line.leaving and not seat.told:
            self._fault(seat, ABSENT, "the bot is leaving")
        elif seat.version not in ("", line.version):
            if seat.owes:
                reason = Reason.DISCONNECT if seat.told else ABSENT
                self._fault(seat, reason, "came back as another version")
        else:
            seat.version = line.version
            self._tell(line, due(seat, again=again))

    def _await(self, seat: Seat) -> None:
        """Wait for a bot that is away; its clock runs if it left by itself."""
        if seat.told and self._away.is_own(seat.bot):
            self._time(seat)
        self._away.wanted(seat.bot, plays=seat.told)

    def _ack(self, seat: Seat, ack: pb.Ack) -> None:
        seat.ack = ack
        if line := self._lines.get(seat.bot):
            self._tell(line, pb.PlayResponse(acks=[ack]))

    def _abandon(self, seat: Seat) -> None:
        """No worker came for an orphaned seat."""
        if seat.link is None and self._seats.find(seat.bot, seat.start.game) is seat:
            self._close(seat, pb.GameOver(game=seat.start.game, detail=GIVEN_UP))

    def _close(self, seat: Seat, over: pb.GameOver) -> None:
        self._remove(seat)
        if line := self._lines.get(seat.bot):
            self._tell(line, pb.PlayResponse(overs=[over]))
            self._end_if_idle(line)

    def _remove(self, seat: Seat) -> None:
        self._seats.remove(seat)
        seat.stop()

    def _end_if_idle(self, line: Line) -> None:
        if line.leaving and not self._seats.of(line.bot):
            dismiss(line, pb.GOODBYE_REASON_LEAVING, "all your games are over")

    def _replied(self, line: Line, reply: pb.Reply) -> None:
        seat = self._seats.find(line.bot, reply.game)
        question = seat.question if seat else None
        if seat is None or question is None or question.ask != reply.ask or seat.watch is None:
            if ack := stale(seat, reply):
                self._tell(line, pb.PlayResponse(acks=[ack]))
            return
        up = answered(seat, reply=reply)
        self._heard_after(up.wire_us / 1e6)
        self._answer(seat, up)

    def _time(self, seat: Seat) -> None:
        """Let the clock of what is due run, unless it does."""
        if seat.watch is None and seat.owes:
            start = seat.start.clock.setup_ms
            limit = (seat.question.limit_ms if seat.question else start) / 1000
            seat.watch = Stopwatch(self._keeper, limit, partial(self._overrun, seat, limit))

    def _overrun(self, seat: Seat, limit: float) -> None:
        """A bot was silent for longer than it may; one that is away is not there to be slow."""
        if seat.bot not in self._lines:
            self._fault(seat, Reason.DISCONNECT, f"connection lost, and not back within the {limit:g} s it had")
        else:
            waited = "no answer" if seat.question else "not ready"
            self._fault(seat, Reason.TIME, f"{waited} within {limit:g} s")

    def _expire(self, bot: str) -> None:
        """A bot that is still away loses its open questions."""
        for seat in self._seats.owing(bot):
            self._fault(seat, Reason.DISCONNECT if seat.told else ABSENT, "connection lost")

    def _fault(self, seat: Seat, reason: str, detail: str) -> None:
        self._answer(seat, answered(seat, fault=seats.Fault(reason=reason, detail=detail)))

    def _answer(self, seat: Seat, up: seats.Up) -> None:
        """Pass the one answer to what was due on to the worker."""
        seat.stop()
        seat.answered, seat.answer = up.ask, up
        seat.question, seat.ready = None, True
        tell_worker(seat, up)

    def _tell(self, line: Line, part: pb.PlayResponse) -> None:
        if not line.outbox.put(part):
            self.leave(line)
            line.outbox.close()
