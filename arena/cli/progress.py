"""One progress bar for long work: done, games a second, time to go, and a word on how it stands."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn
from rich.progress import Task as RichTask
from rich.text import Text

from arena.cli.output import messages


class Speed(ProgressColumn):
    """Games a second."""

    def render(self, task: RichTask) -> Text:
        """The speed, once there is one."""
        return Text(f"{task.speed:.1f}/s" if task.speed else "", style="cyan")


@contextmanager
def bar(what: str) -> Iterator[Callable[[int, int, str], None]]:
    """A bar on stderr; call it with done, total and a note. Without a terminal it prints nothing until the end."""
    columns = (
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        Speed(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}", style="dim"),
    )
    with Progress(*columns, console=messages(), transient=False) as shown:
        task = shown.add_task(what, total=None, note="")

        def update(done: int, total: int, note: str) -> None:
            shown.update(task, completed=done, total=total, note=note)

        yield update
