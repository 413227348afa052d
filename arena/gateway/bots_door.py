"""BotService.Play: one stream per connected bot, from Hello to goodbye."""

import asyncio
from contextlib import ExitStack

import grpc
from google.protobuf.message import DecodeError

from arena.errors import BadInput
from arena.gateway.entrance import Entrance
from arena.gateway.hall import Hall
from arena.gateway.parties import Line
from arena.gateway.reception import refusal
from arena.v1 import play_pb2 as pb
from arena.wire.channel import PROTOCOL

HELLO_SECONDS = 5.0
WRITE_SECONDS = 10.0  # for a bot to take one message off our hands
METHOD = "Play"
SERVICE = "arena.v1.BotService"
Context = grpc.aio.ServicerContext[bytes, pb.PlayResponse]


def handlers(hall: Hall, entrance: Entrance, arena: str) -> grpc.GenericRpcHandler:
    """The service; requests stay bytes until we read them, so that garbage costs its sender and nobody else."""

    async def play(_requests: object, context: Context) -> None:
        with ExitStack() as places:
            try:
                places.enter_context(entrance.stream(context))
                line = await entrance.welcome(await _hello(context), context)
                places.enter_context(entrance.place(line))
            except Exception as error:  # noqa: BLE001 - told apart in `refusal`
                await context.abort_with_status(refusal(error))
            await _serve(hall, line, arena, context)

    method: grpc.RpcMethodHandler[bytes, pb.PlayResponse] = grpc.stream_stream_rpc_method_handler(
        play,
        request_deserializer=None,
        response_serializer=pb.PlayResponse.SerializeToString,
    )
    return grpc.method_handlers_generic_handler(SERVICE, {METHOD: method})


async def _serve(hall: Hall, line: Line, arena: str, context: Context) -> None:
    line.outbox.put(pb.PlayResponse(welcome=pb.Welcome(protocol=PROTOCOL, arena=arena)))
    hall.join(line)
    reader = asyncio.create_task(_read(hall, line, context))
    writer = asyncio.create_task(_write(hall, line, context))
    try:
        await asyncio.wait({reader, writer}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        hall.leave(line)
        line.outbox.close()
        reader.cancel()
        await asyncio.wait({reader, writer}, timeout=HELLO_SECONDS)
        writer.cancel()


async def _hello(context: Context) -> pb.Hello:
    """The first message, within its deadline, in a protocol we speak; raises BadInput."""
    try:
        async with asyncio.timeout(HELLO_SECONDS):
            raw = await context.read()
    except TimeoutError:
        raise BadInput(f"no Hello within {HELLO_SECONDS:g} s of connecting") from None
    request = _parsed(raw) if isinstance(raw, bytes) else None
    if request is None or not request.HasField("hello"):
        raise BadInput("the first message of a stream must be a Hello (proto/arena/v1/play.proto)")
    hello = request.hello
    if not hello.protocol_from <= PROTOCOL <= hello.protocol_to:
        spoken = f"{hello.protocol_from} to {hello.protocol_to}"
        raise BadInput(
            f"this arena speaks protocol {PROTOCOL}, your client {spoken}; get the package version that fits: "
            "pip install --upgrade glassworks-arena"
        )
    return hello


def _parsed(raw: bytes) -> pb.PlayRequest | None:
    try:
        return pb.PlayRequest.FromString(raw)
    except DecodeError:
        return None


async def _read(hall: Hall, line: Line, context: Context) -> None:
    """Hear the bot until its stream ends."""
    while isinstance(raw := await context.read(), bytes):
        request = _parsed(raw)
        if request is None:
            return hall.garbled(line, f"a message of {len(raw)} bytes is no PlayRequest")
        hall.heard(line, request)
    return None


async def _write(hall: Hall, line: Line, context: Context) -> None:
    """Write what is pending until the outbox is closed or the bot reads no more; clocks start as a question goes."""
    while (response := await line.outbox.next()) is not None:
        hall.sent(line, response)
        try:
            async with asyncio.timeout(WRITE_SECONDS):
                await context.write(response)
        except TimeoutError:
            return
