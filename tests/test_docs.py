"""Every command in README and docs does what it says, in the order in which it stands there."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)


def blocks(file: str, language: str) -> list[str]:
    """The fenced blocks of a document in one language."""
    return [text for kind, text in BLOCK.findall((ROOT / file).read_text()) if kind == language]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
def shell(tmp_path: Path) -> Iterator["Shell"]:
    made = Shell(tmp_path)
    yield made
    made.close()


class Shell:
    """One bash that runs what a reader would type, in a folder of its own, with the arena on its PATH."""

    def __init__(self, folder: Path) -> None:
        port, web = free_port(), free_port()
        self.environment: Mapping[str, str] = {
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(folder),
            "ARENA_PORT": str(port),
            "ARENA_WEB_PORT": str(web),
            "ARENA_SERVER": f"127.0.0.1:{port}",
            "COLUMNS": "120",
        }
        self.folder = folder
        self._background: list[subprocess.Popen[bytes]] = []
        self._logs = 0

    def run(self, line: str) -> str:
        """The output of a line; it must succeed."""
        command = ["bash", "-ec", line]
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr

    def start(self, line: str) -> int:
        """A line that runs on, as with & at its end; the number of its log."""
        self._logs += 1
        with (self.folder / f"log-{self._logs}").open("wb") as log:
            process = subprocess.Popen(
                ["bash", "-c", f"exec {line}"],
                cwd=self.folder,
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._background.append(process)
        return self._logs

    def log(self, number: int) -> str:
        return (self.folder / f"log-{number}").read_text()

    def close(self) -> None:
        """Ctrl-C everything, the last first."""
        while self._background:
            process = self._background.pop()
            process.send_signal(signal.SIGINT)
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def until(claim: str, found: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait for something that will come true."""
    deadline = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < deadline, f"not within {seconds} s: {claim}"
        time.sleep(0.2)


def commands(block: str) -> list[str]:
    """The commands of a block without comments, continued lines joined."""
    joined = block.replace("\\\n", " ")
    lines = (line.split("  #")[0].rstrip() for line in joined.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def test_the_readme_from_the_shortest_bot_to_the_leaderboard(shell: Shell) -> None:
    (shell.folder / "mybot.py").write_text(blocks("README.md", "python")[0])
    said = ""
    for line in [line for block in blocks("README.md", "sh")[1:] for line in commands(block)]:
        if line.endswith("&"):
            shell.start(line.removesuffix("&"))
            continue
        if line.startswith("arena tournament run"):
            until("three bots connect", lambda: shell_lists(shell, 3))
        said += shell.run(line)
    assert re.search(r"\b(\d\d) of \1 games verified", said)
    assert "mybot@1" in said


@pytest.mark.parametrize(("number", "file"), [(0, "dreamer.py"), (1, "hopeful.py")])
def test_the_bots_that_search_play(shell: Shell, number: int, file: str) -> None:
    (shell.folder / file).write_text(blocks("docs/engine.md", "python")[number])
    for line in commands(blocks("docs/engine.md", "sh")[number]):
        assert file.removesuffix(".py") in shell.run(line)


def shell_lists(shell: Shell, bots: int) -> bool:
    """Whether so many bots are connected; false too while the arena is still starting."""
    return shell.run("arena bots --json || true").count('"connected": true') == bots


def test_the_readme_sets_up_with_make(shell: Shell) -> None:
    setup = commands(blocks("README.md", "sh")[0])
    assert setup == ["make demo", "make test"]
    makefile = (ROOT / "Makefile").read_text()
    assert re.search(r"^demo:.*\n\t\$\(BIN\)/arena demo$", makefile, re.MULTILINE)
    assert re.search(
        r"^test: check native.*\n\t\$\(BIN\)/python -m pytest -n \$\(TESTERS\) --dist loadfile$",
        makefile,
        re.MULTILINE,
    )


def test_the_example_of_a_game_file_has_the_tags_that_files_have(shell: Shell) -> None:
    shell.run("arena play greedy random --games 1 --seed docs --out games")
    text = next((shell.folder / "games").iterdir()).read_text()
    example = blocks("docs/notation.md", "")[0]
    tags = re.compile(r"^\[(\w+)", re.MULTILINE)
    assert set(tags.findall(text)) <= set(tags.findall(example))


CERTIFICATE = """
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -keyout key.pem -out cert.pem -subj /CN=localhost \\
    -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -addext basicConstraints=critical,CA:TRUE 2>/dev/null
cp cert.pem ca.pem
"""
READY = {"up": "arena is up", "gateway": "gateway listens", "worker": "worker ready", "web": "web page"}


@pytest.mark.parametrize("blank_url", ["postgresql"], indirect=True)
def test_the_commands_for_operators(shell: Shell, blank_url: str, redis_url: str) -> None:
    shell.run(CERTIFICATE)
    tokens, machines, _ = blocks("docs/operations.md", "sh")
    for line in commands(tokens):
        serve(shell, line.replace("0.0.0.0", "127.0.0.1"))
    shell.close()
    for line in commands(machines):
        token = shell.run(f"arena owner add w{len(line)} --database {blank_url}").split()[1]
        worker = shell.run(f"arena token new {token} --role worker --database {blank_url}").split()[0]
        serve(shell, there(line, shell, blank_url, redis_url).replace("gwa_...", worker))
    shell.close()


def test_operators_pause_look_and_resume(shell: Shell) -> None:
    serve(shell, "arena up")
    said = "".join(shell.run(line) for line in commands(blocks("docs/operations.md", "sh")[2]))
    assert all(word in said for word in ("nothing is in play", "database upgrade at noon", "matches begin again"))


def there(line: str, shell: Shell, database: str, redis: str) -> str:
    """A command for several machines with the addresses of this one."""
    places = {
        "postgresql://arena@db.example.org/arena": database,
        "redis://redis.example.org:6379": redis,
        "gateway.example.org:7460": shell.environment["ARENA_SERVER"],
        "0.0.0.0": "127.0.0.1",
    }
    for place, here in places.items():
        line = line.replace(place, here)
    return line


def serve(shell: Shell, line: str) -> None:
    """Run a command; one that serves is started and must say that it is ready."""
    words = line.split()
    command = words[words.index("arena") + 1]
    if command not in READY:
        shell.run(line)
        return
    number = shell.start(f"env {line}")
    until(f"{line} is ready", lambda: READY[command] in shell.log(number))
