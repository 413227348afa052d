"""Adds the native engine to what is installed, where it can be built; everything works without it, slower."""

import os
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent))
import native

ZIG = "ziglang>=0.13"  # a C compiler as a wheel, asked for only where there is no other


class NativeEngine(BuildHookInterface[Any]):  # type: ignore[misc] # hatchling is there at build time only
    """Compiles in place for an editable install, else into the wheel; ARENA_PURE=1 leaves it out."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """What the build needs beyond Cython."""
        try:
            native.compiler()
        except native.CannotBuild:
            return [] if _unwanted() or find_spec("ziglang") else [ZIG]
        return []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build, or say why not."""
        if self.target_name != "wheel" or _unwanted():
            return
        game = Path(self.root) / "arena" / "game"
        target = game if version == "editable" else Path(tempfile.mkdtemp(prefix="arena-native-"))
        try:
            modules = native.build(target, game=game)
        except native.CannotBuild as error:
            self.app.display_warning(f"no native engine, the rules run interpreted: {error}")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        if version != "editable":
            build_data["force_include"] |= {str(built): f"arena/game/{built.name}" for built in modules}


def _unwanted() -> bool:
    return os.environ.get("ARENA_PURE") == "1"
