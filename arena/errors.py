"""What can go wrong by misuse: every message says what, which and what to do now."""


class ArenaError(Exception):
    """A named error that a person can act on; its text is meant for that person."""


class BadInput(ArenaError):
    """The request or file is wrong as it stands."""


class IllegalAction(BadInput):
    """The action breaks a rule of the game; the text names the rule."""


class NotFound(ArenaError):
    """The thing named does not exist."""


class Conflict(ArenaError):
    """The thing exists already, or its state forbids this."""


class Forbidden(ArenaError):
    """The caller may not do this."""


class Unavailable(ArenaError):
    """A service we need cannot be reached or is set up in a way we refuse."""


class Busy(Unavailable):
    """There is more to do than we can, or than this caller may ask for; `retry_after` is in seconds."""

    def __init__(self, text: str, retry_after: float = 0.0) -> None:
        super().__init__(f"{text}; try again in {max(0.1, retry_after):.1f} s" if retry_after else text)
        self.retry_after = retry_after
