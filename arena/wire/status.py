"""Named errors as gRPC statuses with details, and back (google.rpc.Status, ErrorInfo, RetryInfo)."""

from typing import cast

import grpc
from google.protobuf import any_pb2
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from arena.errors import ArenaError, BadInput, Conflict, Forbidden, NotFound, Unavailable

DOMAIN = "glassworks-arena"
LONGEST = 600  # characters of an error's text: a status travels in headers, and those are limited
CODES: tuple[tuple[type[ArenaError], grpc.StatusCode], ...] = (
    (BadInput, grpc.StatusCode.INVALID_ARGUMENT),
    (NotFound, grpc.StatusCode.NOT_FOUND),
    (Conflict, grpc.StatusCode.FAILED_PRECONDITION),
    (Forbidden, grpc.StatusCode.PERMISSION_DENIED),
    (Unavailable, grpc.StatusCode.UNAVAILABLE),
)


def error_to_status(error: ArenaError) -> grpc.Status:
    """The status of a named error: its text, and its name as a machine-readable detail."""
    kind, code = next(pair for pair in CODES if isinstance(error, pair[0]))
    detail = any_pb2.Any()
    detail.Pack(error_details_pb2.ErrorInfo(reason=kind.__name__, domain=DOMAIN))
    message = status_pb2.Status(code=code.value[0], message=str(error)[:LONGEST], details=[detail])
    return rpc_status.to_status(message)


def status_to_error(error: grpc.RpcError, address: str) -> ArenaError:
    """The named error behind a failed call: as the arena named it, else by what its code says of the way there."""
    code, text = error.code(), error.details() or ""
    names = {kind.__name__: kind for kind, _ in CODES}
    for info in infos(error):
        if info.domain == DOMAIN and info.reason in names:
            return names[info.reason](text)
    match code:
        case grpc.StatusCode.UNAVAILABLE:
            return Unavailable(f"no arena at {address}; start one with: arena up, or name it with --server HOST:PORT")
        case grpc.StatusCode.DEADLINE_EXCEEDED:
            return Unavailable(f"{address} did not answer in time; is it the address of an arena? Try again")
        case grpc.StatusCode.UNAUTHENTICATED:
            return Forbidden(text)
        case _:
            return Unavailable(f"{address} failed with {code.name}: {text}")


def infos(error: grpc.RpcError) -> tuple[error_details_pb2.ErrorInfo, ...]:
    """The machine-readable details of a failed call."""
    try:
        status = rpc_status.from_call(cast("grpc.Call", error))  # a failed call is both
    except ValueError:  # details that contradict the status
        return ()
    found = []
    for detail in status.details if status else ():
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info):
            found.append(info)
    return tuple(found)
