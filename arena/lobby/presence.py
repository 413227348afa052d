"""Who is connected where, for as long as its gateway keeps saying so; Redis 6.2 is enough for all of it."""

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import redis

from arena.errors import Unavailable

GATEWAYS = "arena:lobby:gateways"
TALLY = "arena:lobby:tally"
UNREADABLE = (ValueError, OverflowError, RecursionError)  # what reading a damaged entry may raise


@dataclass(frozen=True, slots=True)
class Door:
    """A gateway and the host:port at which workers reach its relay."""

    gateway: str
    address: str


@dataclass(frozen=True, slots=True)
class Present:
    """A bot connected at a gateway: how many games it plays at once, at tables of which sizes, since when."""

    bot: str
    version: str
    gateway: str
    games: int
    sizes: tuple[int, ...]
    since: float


@dataclass(frozen=True, slots=True)
class Roll:
    """All open doors and everyone behind them; `problems` names the entries that could not be read."""

    doors: tuple[Door, ...] = ()
    presents: tuple[Present, ...] = ()
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tallies:
    """Counters summed over all gateways and their restarts; `problems` as in Roll."""

    totals: Mapping[str, float]
    problems: tuple[str, ...] = ()


class Lobby:
    """The presence board in Redis; on an event loop call it through `asyncio.to_thread`."""

    def __init__(self, connection: redis.Redis) -> None:
        self._redis = connection

    def announce(self, door: Door, ttl: float) -> None:
        """Open a door, or keep it open, for `ttl` seconds."""
        with _answering(), self._redis.pipeline() as pipeline:
            pipeline.sadd(GATEWAYS, door.gateway)
            pipeline.set(_door_key(door.gateway), door.address, px=_milliseconds(ttl))
            pipeline.execute()

    def show(self, gateway: str, presents: Sequence[Present], ttl: float) -> None:
        """Replace the whole set behind a door, at once, for `ttl` seconds."""
        key = _bots_key(gateway)
        with _answering(), self._redis.pipeline() as pipeline:
            pipeline.delete(key)
            if presents:
                pipeline.hset(key, mapping={one.bot: present_to_json(one) for one in presents})
                pipeline.pexpire(key, _milliseconds(ttl))
            pipeline.execute()

    def absent(self, gateway: str, bot: str) -> None:
        """Take one bot off the board without waiting for the next `show`."""
        with _answering():
            self._redis.hdel(_bots_key(gateway), bot)

    def leave(self, gateway: str) -> None:
        """Close a door and forget everyone behind it."""
        with _answering(), self._redis.pipeline() as pipeline:
            pipeline.delete(_door_key(gateway), _bots_key(gateway))
            pipeline.srem(GATEWAYS, gateway)
            pipeline.execute()

    def roll(self) -> Roll:
        """Everyone whose gateway still holds its door open."""
        with _answering():
            gateways = sorted(_shown(name) for name in self._redis.smembers(GATEWAYS))
            with self._redis.pipeline(transaction=False) as pipeline:
                for gateway in gateways:
                    pipeline.get(_door_key(gateway))
                    pipeline.hgetall(_bots_key(gateway))
                answers = pipeline.execute(raise_on_error=False)
            self._forget(name for name, address in zip(gateways, answers[::2], strict=True) if address is None)
        return _roll(zip(gateways, answers[::2], answers[1::2], strict=True))

    def _forget(self, gateways: Iterable[str]) -> None:
        """Drop names whose door has expired; a gateway that is back announces itself anew."""
        if gone := tuple(gateways):
            self._redis.srem(GATEWAYS, *gone)

    def tally(self, increments: Mapping[str, float]) -> None:
        """Add to counters that outlive every gateway; a connection lost midway may add these once too often."""
        with _answering(), self._redis.pipeline() as pipeline:
            for name, amount in increments.items():
                pipeline.hincrbyfloat(TALLY, name, amount)
            pipeline.execute()

    def tallies(self) -> Tallies:
        """All counters as they stand."""
        with _answering():
            stored = self._redis.hgetall(TALLY)
        return _tallies(stored)


def present_to_json(present: Present) -> str:
    """A present as stored under its bot id in its gateway's hash."""
    return json.dumps(
        {"version": present.version, "games": present.games, "sizes": present.sizes, "since": present.since}
    )


def present_from_json(gateway: str, bot: str, text: str) -> Present:
    """The inverse of `present_to_json`; one of UNREADABLE if the text is not what it writes."""
    match json.loads(text):
        case {"version": str(version), "games": games, "sizes": [*sizes], "since": float() | int() as since}:
            seats = tuple(_whole(size, 2, 5) for size in sizes)  # RULES §1: tables of 2 to 5
            return Present(bot, version, gateway, _whole(games, 1), seats, _finite(since))
    raise ValueError("a field is missing or of the wrong kind")


def _roll(found: Iterable[tuple[str, object, object]]) -> Roll:
    """Doors and presents among what each gateway's two keys hold; an expired door hides those behind it."""
    doors: list[Door] = []
    presents: list[Present] = []
    problems: list[str] = []
    for gateway, address, bots in found:
        if address is None:
            continue
        try:
            doors.append(Door(gateway, _address(address)))
            presents.extend(_behind(gateway, bots, problems))
        except UNREADABLE as damage:
            problems.append(f"gateway {gateway!r}: {damage}")
    return Roll(tuple(doors), tuple(presents), tuple(problems))


def _behind(gateway: str, bots: object, problems: list[str]) -> Iterator[Present]:
    """Everyone whose entry can be read; the others go to `problems`."""
    if not isinstance(bots, dict):
        raise ValueError("its bots are kept as something else than a hash")  # noqa: TRY004 (one of UNREADABLE)
    for bot, text in bots.items():
        try:
            yield present_from_json(gateway, bot.decode(), text.decode())
        except UNREADABLE as damage:
            problems.append(f"gateway {gateway!r}, bot {_shown(bot)!r}: {damage}")


def _address(stored: object) -> str:
    text = stored.decode() if isinstance(stored, bytes) else ""
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise ValueError(f"{text!r} is no host:port")
    return text


def _tallies(stored: Mapping[bytes | str, bytes | str]) -> Tallies:
    totals: dict[str, float] = {}
    problems: list[str] = []
    for name, text in stored.items():
        try:
            totals[_shown(name)] = _finite(float(text))
        except UNREADABLE as damage:
            problems.append(f"counter {_shown(name)!r}: {damage}")
    return Tallies(totals, tuple(problems))


def _whole(value: object, least: int, most: float = math.inf) -> int:
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{value!r} is no whole number from {least} to {most}")
    return value


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError(f"{value!r} is no finite number")
    return float(value)


def _shown(raw: bytes | str) -> str:
    return raw.decode(errors="replace") if isinstance(raw, bytes) else raw


def _door_key(gateway: str) -> str:
    return f"arena:lobby:door:{gateway}"


def _bots_key(gateway: str) -> str:
    return f"arena:lobby:bots:{gateway}"


def _milliseconds(seconds: float) -> int:
    return max(1, round(seconds * 1000))


@contextmanager
def _answering() -> Iterator[None]:
    """Inside, a Redis that refuses or does not answer is Unavailable, with its own words."""
    try:
        yield
    except redis.RedisError as trouble:
        raise Unavailable(
            f"the lobby in Redis is out of order: {trouble}; see that the server runs and has memory left"
        ) from trouble
