"""`arena verify`: games played again from their files."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.output import BOT_FAULT, data, messages, print_json
from arena.cli.progress import bar
from arena.contest.notation import SUFFIX
from arena.contest.reading import Flaw
from arena.contest.verify import Verdict, verified
from arena.errors import BadInput, NotFound

STDIN = Path("-")
LONG = 12  # files from which on a summary replaces a line per file


@dataclass(frozen=True, slots=True)
class Checked:
    """A file and what came out."""

    file: Path
    verdict: Verdict | BadInput


def command(
    files: Annotated[list[Path], typer.Argument(help="Game files, folders of them, or - for standard input.")],
    seen: Annotated[Path | None, typer.Option(help="Commitments your bot kept (--seen of arena connect).")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Play games again from their files and check commitment, deal, every action and the score.

    arena verify game.rvg

    arena verify games --seen seen.txt

    Exit code 1 means that a file is damaged or untrue; the line is named.
    """
    kept = _kept(seen) if seen else None
    found = list(_files(files))
    checked = []
    with bar("files") as update:
        for file in found:
            checked.append(_check(file, kept))
            update(len(checked), len(found), "")
    if json:
        print_json([_as_json(one) for one in checked])
    else:
        _print(checked)
    if any(isinstance(one.verdict, BadInput) for one in checked):
        raise typer.Exit(BOT_FAULT)


def _files(named: Sequence[Path]) -> Iterator[Path]:
    for path in named:
        inside = sorted(path.glob(f"*{SUFFIX}")) if path.is_dir() else [path]
        if not inside:
            raise NotFound(f"no {SUFFIX} files in {path}")
        if path != STDIN and not path.exists():
            raise NotFound(f"no file {path}; write games with: arena play greedy random --out games")
        yield from inside


def _kept(file: Path) -> frozenset[str]:
    """The lines `match game commitment` that a bot kept."""
    try:
        return frozenset(file.read_text(encoding="utf-8").splitlines())
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"cannot read {file}: {error}") from None


def _check(file: Path, kept: frozenset[str] | None) -> Checked:
    try:
        text = sys.stdin.read() if file == STDIN else file.read_bytes().decode("utf-8")
        return Checked(file, _as_seen(verified(text), kept))
    except OSError as error:
        return Checked(file, BadInput(f"cannot be read: {error.strerror}"))
    except UnicodeDecodeError:
        return Checked(file, Flaw(1, "not UTF-8 text"))
    except BadInput as error:
        return Checked(file, error)


def _as_seen(verdict: Verdict, kept: frozenset[str] | None) -> Verdict:
    """The verdict, if the commitment is one that the bot kept before the game; else BadInput."""
    head = verdict.record.head
    if kept is not None and f"{head.match} {head.game} {head.commitment}" not in kept:
        raise BadInput("the commitment is not the one your bot saw before the game")
    return verdict


def _print(checked: Sequence[Checked]) -> None:
    good = [one.verdict for one in checked if isinstance(one.verdict, Verdict)]
    for one in checked:
        if isinstance(one.verdict, BadInput):
            messages().print(f"[bold red]{one.file}[/]: {str(one.verdict).replace('[', chr(92) + '[')}")
        elif len(checked) <= LONG:
            data().print(f"{one.file}: {_said(one.verdict)}", markup=False)
    if len(checked) > 1:
        fair = sum(verdict.fair for verdict in good)
        data().print(
            f"{len(good)} of {len(checked)} games verified: commitment, deal, every action, score; "
            f"{fair} with a share of the bots in the deal"
        )


def _said(verdict: Verdict) -> str:
    record = verdict.record
    points = " ".join(str(score.points) for score in record.scores)
    deal = "nobody chose the deal" if verdict.fair else "deal committed before the game"
    edited = "; comments were edited since" if verdict.edited else ""
    return f"ok, {len(record.moves)} actions, points {points}, {deal}{edited}"


def _as_json(one: Checked) -> dict[str, object]:
    if isinstance(one.verdict, BadInput):
        line = one.verdict.line if isinstance(one.verdict, Flaw) else None
        return {"file": str(one.file), "ok": False, "line": line, "reason": str(one.verdict)}
    record = one.verdict.record
    return {
        "file": str(one.file),
        "ok": True,
        "actions": len(record.moves),
        "points": [score.points for score in record.scores],
        "fair": one.verdict.fair,
        "edited": one.verdict.edited,
    }
