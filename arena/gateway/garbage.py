"""Requests that cannot be read, whatever service they are for: refused by name, like every other mistake."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeAlias

import grpc
from google.protobuf.message import DecodeError

from arena.errors import BadInput
from arena.gateway.reception import refusal

Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any] | None"
Context = grpc.aio.ServicerContext[Any, Any]


class Garbage(Exception):
    """Stands for a request that is no message of its kind, until its handler is called."""


class Refusing(grpc.aio.ServerInterceptor):
    """Gives every method a reader that does not raise into gRPC, which would log a traceback and name no error."""

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler:
        """The method as it is, but for requests that cannot be read."""
        found = await continuation(handler_call_details)
        if found is None or found.request_deserializer is None:
            return found
        read = _reader(found.request_deserializer)
        if found.unary_unary is not None:
            return grpc.unary_unary_rpc_method_handler(_unary(found.unary_unary), read, found.response_serializer)
        if found.unary_stream is not None:
            return grpc.unary_stream_rpc_method_handler(
                _streamed(found.unary_stream), read, found.response_serializer
            )
        if found.stream_stream is not None:
            return grpc.stream_stream_rpc_method_handler(
                _stream(found.stream_stream), read, found.response_serializer
            )
        return found


def _reader(deserialize: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
    def read(raw: bytes) -> Any:
        try:
            return deserialize(raw)
        except DecodeError:
            return Garbage(f"a message of {len(raw)} bytes is not what this method takes; see proto/arena/v1")

    return read


def _unary(call: Callable[..., Any]) -> Callable[..., Any]:
    async def checked(request: Any, context: Context) -> Any:
        await _refuse(request, context)
        return await call(request, context)

    return checked


def _streamed(call: Callable[..., Any]) -> Callable[..., Any]:
    async def checked(request: Any, context: Context) -> AsyncIterator[Any]:
        await _refuse(request, context)
        async for response in call(request, context):
            yield response

    return checked


def _stream(call: Callable[..., Any]) -> Callable[..., Any]:
    """A call that reads its requests one after the other and writes by itself; garbage is the end of them."""

    async def checked(requests: AsyncIterator[Any], context: Context) -> None:
        found: list[Garbage] = []

        async def readable() -> AsyncIterator[Any]:
            async for request in requests:
                if isinstance(request, Garbage):
                    found.append(request)
                    return
                yield request

        await call(readable(), context)
        for request in found:
            await _refuse(request, context)

    return checked


async def _refuse(request: Any, context: Context) -> None:
    if isinstance(request, Garbage):
        await context.abort_with_status(refusal(BadInput(str(request))))
