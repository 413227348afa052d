"""`arena web`: the pages and the metrics, as a process of their own."""

from typing import Annotated

import typer


def command(
    database: Annotated[str | None, typer.Option(help="sqlite:///FILE or postgresql://...")] = None,
    redis: Annotated[str | None, typer.Option(help="redis://HOST:PORT, for who is connected.")] = None,
    web_host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    web_port: Annotated[int | None, typer.Option(help="Port to listen on; 0 takes a free one.")] = None,
) -> None:
    """Run the web page and the metrics endpoint alone, until Ctrl-C or SIGTERM.

    arena web --redis redis://127.0.0.1:6379

    arena web --database postgresql://arena@10.0.0.5/arena --redis redis://10.0.0.5:6379 --web-host 0.0.0.0
    """
    from arena.config.logs import set_up_logs
    from arena.config.settings import settings
    from arena.web.__main__ import run

    chosen = settings(database_url=database, redis_url=redis, web_host=web_host, web_port=web_port)
    set_up_logs("web")
    run(chosen)
