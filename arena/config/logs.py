"""Logs as events with fields, on stderr, for people on a terminal and as JSON elsewhere if asked."""

import logging
import sys

import structlog


def set_up_logs(process: str, *, as_json: bool = False) -> None:
    """Configure this process's logs; every line names the process."""
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if as_json
        else structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(),
            pad_event_to=28,
            exception_formatter=structlog.dev.plain_traceback,  # the default prints local variables: secrets
        )
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="%H:%M:%S", utc=False),
            structlog.processors.format_exc_info if as_json else _keep,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
    structlog.contextvars.bind_contextvars(process=process)
    logging.getLogger("grpc").setLevel(logging.CRITICAL)


def _keep(_: object, __: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    return event
