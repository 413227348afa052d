"""`arena owner` and `arena token`: who may come in; they work on the database of this machine's arena."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from arena.cli.folders import made
from arena.cli.output import data, messages
from arena.store.engine import Store
from arena.store.kinds import Role

DataOption = Annotated[Path | None, typer.Option(help="Folder of the arena's data.")]
DatabaseOption = Annotated[str | None, typer.Option(help="The arena's database, if it is not the embedded one.")]


def owner_app() -> typer.Typer:
    """The owner commands."""
    tree = typer.Typer(help="Owners answer for bots and hold tokens.", no_args_is_help=True)
    tree.command("add")(add)
    tree.command("list")(list_owners)
    return tree


def token_app() -> typer.Typer:
    """The token commands."""
    tree = typer.Typer(help="Tokens let owners, organisers and workers in.", no_args_is_help=True)
    tree.command("new")(new)
    tree.command("revoke")(revoke)
    tree.command("list")(list_tokens)
    return tree


def add(
    name: Annotated[str, typer.Argument(help="Name of the owner.")],
    data_folder: DataOption = None,
    database: DatabaseOption = None,
) -> None:
    """Add an owner.

    arena owner add ada

    arena owner add team-7 --database postgresql://arena@localhost/arena
    """
    from arena.desk import access

    with _store(data_folder, database) as store:
        access.add_owner(store, name, at=time.time())
    data().print(f"owner {name} added; next: arena token new {name}")


def list_owners(data_folder: DataOption = None, database: DatabaseOption = None) -> None:
    """List the owners.

    arena owner list

    arena owner list --data-folder season-2
    """
    from arena.store import owners

    with _store(data_folder, database) as store, store.reading() as tx:
        names = [owner.name for owner in owners.owners(tx)]
    data().print("\n".join(names) or "no owners yet; add one with: arena owner add NAME")


def new(
    owner: Annotated[str, typer.Argument(help="Whose token.")],
    role: Annotated[Role, typer.Option(help="What it allows.")] = Role.OWNER,
    data_folder: DataOption = None,
    database: DatabaseOption = None,
) -> None:
    """Make a token and print it, once: only a digest is kept.

    arena token new ada

    arena token new ada --role organiser
    """
    from arena.desk import access

    with _store(data_folder, database) as store:
        issued = access.new_token(store, owner, role, at=time.time())
    data().print(issued.secret)
    messages().print(f"this is shown once; use it as ARENA_TOKEN. End it with: arena token revoke {issued.id}")


def revoke(
    token: Annotated[str, typer.Argument(help="Public id of the token, or the token itself.")],
    data_folder: DataOption = None,
    database: DatabaseOption = None,
) -> None:
    """End a token.

    arena token revoke 3f9ac2e41b07

    arena token revoke 3f9ac2e41b07 --database postgresql://arena@localhost/arena
    """
    from arena.desk import access

    with _store(data_folder, database) as store:
        access.revoke(store, token, at=time.time())
    data().print("revoked")


def list_tokens(
    owner: Annotated[str, typer.Argument(help="Whose tokens.")],
    data_folder: DataOption = None,
    database: DatabaseOption = None,
) -> None:
    """List an owner's tokens by public id.

    arena token list ada

    arena token list ada --data-folder season-2
    """
    from arena.desk import access

    with _store(data_folder, database) as store:
        found = access.tokens_of(store, owner)
    table = Table("token", "role", "state")
    for token in found:
        table.add_row(token.id, token.role, "revoked" if token.revoked_at else "live")
    data().print(table)


@contextmanager
def _store(data_folder: Path | None, database: str | None) -> Iterator[Store]:
    from arena.config.settings import settings
    from arena.store.migration import migrate

    chosen = settings(data=data_folder, database_url=database)
    made(chosen.data)
    with Store.open(chosen.database) as store:
        migrate(store)
        yield store
