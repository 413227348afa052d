"""How commands speak: data on stdout, messages on stderr, exit codes by whose fault it was."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from rich.console import Console

from arena.errors import ArenaError
from arena.sdk.running import exit_code

BOT_FAULT = 1  # exit code; those of named errors are the SDK's


def data() -> Console:
    """The console for results."""
    return Console(highlight=False, soft_wrap=True)


def messages() -> Console:
    """The console for everything else."""
    return Console(stderr=True, highlight=False, soft_wrap=True)


def print_json(value: Mapping[str, object] | Sequence[object]) -> None:
    """A result as JSON on stdout."""
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=False) + "\n")


@contextmanager
def named_errors() -> Iterator[None]:
    """Turn a named error into one line on stderr and its exit code."""
    try:
        yield
    except ArenaError as error:
        messages().print(f"[bold red]error:[/] {_escaped(str(error))}")
        raise SystemExit(exit_code(error)) from None


def _escaped(text: str) -> str:
    return text.replace("[", r"\[")
