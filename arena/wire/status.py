"""Named errors as gRPC statuses with details, and back (google.rpc.Status, ErrorInfo, RetryInfo)."""

import grpc
from google.protobuf import any_pb2
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from arena.errors import ArenaError, BadInput, Conflict, Forbidden, NotFound, Unavailable

DOMAIN = "glassworks-arena"
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
    message = status_pb2.Status(code=code.value[0], message=str(error), details=[detail])
    return rpc_status.to_status(message)


def status_to_error(error: grpc.RpcError, address: str) -> ArenaError:
    """The named error behind a failed call."""
    code, text = error.code(), error.details() or ""
    for kind, known in CODES:
        if code is known and kind is not Unavailable:
            return kind(text)
    if code is grpc.StatusCode.UNAUTHENTICATED:
        return Forbidden(text)
    if code is grpc.StatusCode.UNAVAILABLE and "glassworks" in text:
        return Unavailable(text)
    if code is grpc.StatusCode.UNAVAILABLE:
        return Unavailable(f"no arena at {address}; start one with: arena up, or name it with --server HOST:PORT")
    return Unavailable(f"{address} failed with {code.name}: {text}")
