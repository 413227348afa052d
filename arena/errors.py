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
