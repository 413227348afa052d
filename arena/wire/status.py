"""Named errors as gRPC statuses with details, and back (google.rpc.Status, ErrorInfo, RetryInfo)."""

from typing import TypeVar, cast

import grpc
from google.protobuf import any_pb2, duration_pb2
from google.protobuf.message import Message
from google.rpc import status_pb2
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from grpc_status import rpc_status

from arena.errors import ArenaError, BadInput, Busy, Conflict, Forbidden, NotFound, Unavailable

Detail = TypeVar("Detail", ErrorInfo, RetryInfo)
DOMAIN = "glassworks-arena"
LONGEST = 600  # characters of an error's text: a status travels in headers, and those are limited
CODES: tuple[tuple[type[ArenaError], grpc.StatusCode], ...] = (
    (BadInput, grpc.StatusCode.INVALID_ARGUMENT),
    (NotFound, grpc.StatusCode.NOT_FOUND),
    (Conflict, grpc.StatusCode.FAILED_PRECONDITION),
    (Forbidden, grpc.StatusCode.PERMISSION_DENIED),
    (Busy, grpc.StatusCode.RESOURCE_EXHAUSTED),
    (Unavailable, grpc.StatusCode.UNAVAILABLE),
)


def error_to_status(error: ArenaError) -> grpc.Status:
    """The status of a named error: its text, and its name as a machine-readable detail."""
    kind, code = next(pair for pair in CODES if isinstance(error, pair[0]))
    details: list[Message] = [ErrorInfo(reason=kind.__name__, domain=DOMAIN)]
    if isinstance(error, Busy):
        details.append(RetryInfo(retry_delay=_duration(error.retry_after)))
    status = status_pb2.Status(code=code.value[0], message=str(error)[:LONGEST], details=map(_packed, details))
    return rpc_status.to_status(status)


def status_to_error(error: grpc.RpcError, address: str) -> ArenaError:
    """The named error behind a failed call: as the arena named it, else by what its code says of the way there."""
    code, text = error.code(), error.details() or ""
    names = {kind.__name__: kind for kind, _ in CODES}
    for info in details(error, ErrorInfo):
        if info.domain == DOMAIN and info.reason in names:
            named = names[info.reason](text)
            if isinstance(named, Busy):
                named.retry_after = retry_after(error)
            return named
    match code:
        case grpc.StatusCode.UNAVAILABLE:
            return Unavailable(f"no arena at {address}; start one with: arena up, or name it with --server HOST:PORT")
        case grpc.StatusCode.DEADLINE_EXCEEDED:
            return Unavailable(f"{address} did not answer in time; is it the address of an arena? Try again")
        case grpc.StatusCode.UNAUTHENTICATED:
            return Forbidden(text)
        case _:
            return Unavailable(f"{address} failed with {code.name}: {text}")


def retry_after(error: grpc.RpcError) -> float:
    """How many seconds to wait before another try, as the arena asks; 0 if it does not say."""
    return max((one.retry_delay.ToTimedelta().total_seconds() for one in details(error, RetryInfo)), default=0.0)


def details(error: grpc.RpcError, kind: type[Detail]) -> tuple[Detail, ...]:
    """The machine-readable details of one kind of a failed call."""
    try:
        status = rpc_status.from_call(cast("grpc.Call", error))  # a failed call is both
    except ValueError:  # details that contradict the status
        return ()
    found = []
    for packed in status.details if status else ():
        detail = kind()
        if packed.Unpack(detail):
            found.append(detail)
    return tuple(found)


def _packed(detail: Message) -> any_pb2.Any:
    packed = any_pb2.Any()
    packed.Pack(detail)
    return packed


def _duration(seconds: float) -> duration_pb2.Duration:
    return duration_pb2.Duration(nanos=round(seconds % 1 * 1e9), seconds=int(seconds))
