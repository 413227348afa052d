"""`arena up`, and its parts alone: `arena gateway`, `arena worker`, `arena web`."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.output import messages

Data = Annotated[Path | None, typer.Option(help="Folder of the embedded database and Redis.")]
Database = Annotated[str | None, typer.Option(help="sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME.")]
Redis = Annotated[str | None, typer.Option(help="redis://HOST:PORT; `arena up` starts one when not given.")]
Host = Annotated[str | None, typer.Option(help="Address to listen on; others than loopback need tokens and TLS.")]
Port = Annotated[int | None, typer.Option(help="Port of the gateway.")]
WebHost = Annotated[str | None, typer.Option(help="Address of the web page.")]
WebPort = Annotated[int | None, typer.Option(help="Port of the web page.")]
Tokens = Annotated[bool | None, typer.Option("--tokens/--open", help="Demand a token of every caller.")]
Cert = Annotated[Path | None, typer.Option(help="TLS certificate (PEM).")]
Key = Annotated[Path | None, typer.Option(help="TLS key (PEM).")]
Authority = Annotated[Path | None, typer.Option(help="Authority that signed the certificate (PEM).")]
Relay = Annotated[str | None, typer.Option(help="host:port at which workers reach this gateway.")]
Token = Annotated[str | None, typer.Option(help="Token with the role worker (better: ARENA_TOKEN).")]


def up(
    data: Data = None,
    database: Database = None,
    redis: Redis = None,
    host: Host = None,
    port: Port = None,
    web_host: WebHost = None,
    web_port: WebPort = None,
    workers: Annotated[int | None, typer.Option(help="Referee processes.")] = None,
    tokens: Tokens = None,
    tls_cert: Cert = None,
    tls_key: Key = None,
    ca: Authority = None,
) -> None:
    """Run a whole arena on this machine: gateway, workers, web page, embedded Redis and database.

    arena up

    arena up --workers 4 --port 7000 --data season-2

    Ctrl-C finishes open games and stops everything; a second Ctrl-C stops now.
    """
    from arena.cli.house import running, until_told
    from arena.config.settings import settings

    chosen = settings(
        data=data,
        database_url=database,
        redis_url=redis,
        host=host,
        port=port,
        web_host=web_host,
        web_port=web_port,
        workers=workers,
        tokens=tokens,
        tls_cert=tls_cert,
        tls_key=tls_key,
        ca=ca,
    )
    out = messages()
    with running(chosen, lambda text: out.print(text, markup=False)) as house:
        out.print(f"arena is up: bots and tournaments at [bold]{house.gateway}[/], page and metrics at {house.page}")
        out.print("next: arena connect FILE.py   ·   arena tournament run NAME BOT BOT   ·   Ctrl-C stops")
        until_told(house, lambda text: out.print(text, markup=False))
    out.print("arena is down")


def gateway(
    database: Database = None,
    redis: Redis = None,
    host: Host = None,
    port: Port = None,
    relay: Relay = None,
    tokens: Tokens = None,
    tls_cert: Cert = None,
    tls_key: Key = None,
) -> None:
    """Run a gateway alone: the address bots know. Needs a Redis; several machines need PostgreSQL.

    arena gateway --redis redis://10.0.0.5:6379 --database postgresql://arena@10.0.0.5/arena --relay 10.0.0.7:7460

    arena gateway --redis redis://127.0.0.1:6379
    """
    _become(
        "arena.gateway",
        database_url=database,
        redis_url=redis,
        host=host,
        port=port,
        relay=relay,
        tokens=tokens,
        tls_cert=tls_cert,
        tls_key=tls_key,
    )


def worker(database: Database = None, redis: Redis = None, token: Token = None, ca: Authority = None) -> None:
    """Run one referee worker alone; start as many as there are cores.

    arena worker --redis redis://10.0.0.5:6379 --database postgresql://arena@10.0.0.5/arena

    ARENA_TOKEN=gwa_... arena worker --redis redis://10.0.0.5:6379 --database postgresql://arena@10.0.0.5/arena
    """
    _become("workers", database_url=database, redis_url=redis, token=token, ca=ca)


def web(database: Database = None, redis: Redis = None, web_host: WebHost = None, web_port: WebPort = None) -> None:
    """Run the web page and the metrics endpoint alone.

    arena web --redis redis://127.0.0.1:6379

    arena web --database postgresql://arena@10.0.0.5/arena --redis redis://10.0.0.5:6379 --web-host 0.0.0.0
    """
    _become("arena.web", database_url=database, redis_url=redis, web_host=web_host, web_port=web_port)


def _become(module: str, **chosen: object) -> None:
    """Turn into a server process; what was chosen goes into its environment, so no secret stays in its arguments."""
    given = {f"ARENA_{name.upper()}": str(value) for name, value in chosen.items() if value is not None}
    os.execve(sys.executable, [sys.executable, "-m", module], {**os.environ, **given})  # noqa: S606 - no shell
