"""Names of rows as types, so that a bot's id is never passed for a match's."""

from typing import NewType

OwnerId = NewType("OwnerId", str)
TokenId = NewType("TokenId", str)
BotId = NewType("BotId", str)
VersionId = NewType("VersionId", str)
TournamentId = NewType("TournamentId", str)
MatchId = NewType("MatchId", str)
WorkerId = NewType("WorkerId", str)
Key = tuple[MatchId, int]  # a game: its match and its index there
