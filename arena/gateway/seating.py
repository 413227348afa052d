"""The seats that a gateway serves, by bot and game."""

from arena.gateway.parties import Link, Seat


class Seats:
    """All seats; at most one for a bot in a game."""

    def __init__(self) -> None:
        self._by_bot: dict[str, dict[str, Seat]] = {}

    def find(self, bot: str, game: str) -> Seat | None:
        """The bot's seat in this game."""
        return self._by_bot.get(bot, {}).get(game)

    def of(self, bot: str) -> tuple[Seat, ...]:
        """The seats of a bot."""
        return tuple(self._by_bot.get(bot, {}).values())

    def owing(self, bot: str) -> tuple[Seat, ...]:
        """The bot's seats from which an answer is due."""
        return tuple(seat for seat in self.of(bot) if seat.owes)

    def served_by(self, link: Link) -> tuple[Seat, ...]:
        """The seats of a worker's games."""
        return tuple(seat for games in self._by_bot.values() for seat in games.values() if seat.link is link)

    def add(self, seat: Seat) -> None:
        """Serve a seat."""
        self._by_bot.setdefault(seat.bot, {})[seat.start.game] = seat

    def remove(self, seat: Seat) -> None:
        """Serve it no more."""
        games = self._by_bot[seat.bot]
        del games[seat.start.game]
        if not games:
            del self._by_bot[seat.bot]
