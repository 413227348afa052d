"""The settings of a server process: from ARENA_* variables, overridden by the command line; frozen."""

import ipaddress
from pathlib import Path

from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from arena.errors import BadInput, Forbidden


class Settings(BaseSettings):
    """Where an arena listens, what it stores where, and who may come in."""

    model_config = SettingsConfigDict(env_prefix="ARENA_", frozen=True, extra="ignore", hide_input_in_errors=True)

    data: Path = Field(default=Path("arena-data"), description="folder of the embedded database and Redis")
    database_url: SecretStr | None = Field(default=None, description="sqlite:///FILE or postgresql://...")
    redis_url: SecretStr | None = Field(default=None, description="redis://...; embedded when not given")
    host: str = Field(default="127.0.0.1", description="address the gateway listens on")
    port: int = Field(default=7460, ge=0, le=65535, description="port of the gateway")
    relay: str = Field(default="", description="host:port at which workers reach this gateway")
    web_host: str = "127.0.0.1"
    web_port: int = Field(default=7461, ge=0, le=65535)
    workers: int = Field(default=2, ge=1, le=64)
    tokens: bool = Field(default=False, description="demand a token of every caller")
    tls_cert: Path | None = None
    tls_key: Path | None = None
    ca: Path | None = Field(default=None, description="authority that clients of this arena trust")
    token: SecretStr = Field(default=SecretStr(""), description="token of a worker")
    allowance: float = Field(default=0.1, ge=0, le=10, description="seconds per question for the network's part")
    grace: float = Field(default=5.0, ge=0, le=600, description="seconds a bot may take to reconnect")
    per_address: int = Field(default=2000, ge=1, description="bot streams from one address at a time")
    per_token: int = Field(default=256, ge=1, description="connected bots with one token at a time")
    verify: float = Field(default=1.0, ge=0, le=1, description="share of finished games that are played again")

    @property
    def database(self) -> str:
        """The URL of the database, embedded by default."""
        if self.database_url is not None:
            return self.database_url.get_secret_value()
        return f"sqlite:///{(self.data / 'arena.db').absolute()}"

    @property
    def near(self) -> str:
        """The gateway's address as this machine reaches it."""
        return "localhost" if self.host in ("0.0.0.0", "::") else self.host  # noqa: S104 - compared, not bound


def settings(**overrides: object) -> Settings:
    """The settings of this process; raises BadInput naming the first wrong one."""
    given = {name: value for name, value in overrides.items() if value is not None}
    try:
        return Settings(**given)  # type: ignore[arg-type]
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"]))
        raise BadInput(f"setting {name} (ARENA_{name.upper()}): {first['msg']}") from None


def refuse_unsafe(chosen: Settings) -> None:
    """Raise Forbidden for an address that others can reach without tokens and TLS (docs/operations.md)."""
    if bool(chosen.tls_cert) != bool(chosen.tls_key):
        raise BadInput("TLS needs both a certificate and a key: --tls-cert FILE --tls-key FILE")
    if not is_loopback(chosen.host) and not (chosen.tokens and chosen.tls_cert):
        raise Forbidden(
            f"{chosen.host} is open to other machines: that needs --tokens, --tls-cert FILE and --tls-key FILE; "
            "or listen on 127.0.0.1"
        )


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
