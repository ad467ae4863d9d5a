"""Child processes under one deadline: what they print, how they end, in which call they hang.

A child that hangs in the kernel cannot be killed; it is left behind and never waited for.
"""

from __future__ import annotations

import errno
import subprocess
import sys
import threading
import time
from signal import Signals
from typing import TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from io import BufferedReader

MIB = 1 << 20
#: A child that is silent for so long is worth a line on the terminal.
PATIENCE_S = 2.0
_KILL_S = 0.5
_CHUNK = 1 << 16
_KEEP = 4 * MIB
_PYTHONS = ("python", "pypy", "graalpy", "mayapy", "hython")


def interpreter() -> str | None:
    """The Python that can run code of ours in a child.

    None where another program holds this one (PyInstaller, uWSGI): it would only start itself once
    more, and that one the next.
    """
    path = sys.executable or ""
    name = path.replace("\\", "/").rpartition("/")[2].lower()
    if getattr(sys, "frozen", False) or not any(each in name for each in _PYTHONS):
        return None
    return path


class Ended(NamedTuple):
    """What a child left. `end` is None where it ended with status 0 in time."""

    stdout: str
    call: str | None  # the last call that it announced
    end: str | None  # "killed", "ended by SIGSEGV", "exit status 3"
    in_time: bool


class _Drain:
    """Reads a pipe to its end in a thread, so that the child never waits for a reader.

    The end of what it says is kept: the answer and the last call come after all noise.
    """

    def __init__(self, pipe: BufferedReader) -> None:
        """Start to read. Raises OSError where no thread can be started."""
        self._kept = bytearray()
        self._pipe = pipe
        self._thread = threading.Thread(target=self._run, daemon=True)
        try:
            self._thread.start()
        except RuntimeError as error:  # a limit of processes, or of memory for their stacks
            pipe.close()
            raise OSError(errno.EAGAIN, str(error)) from None

    def _run(self) -> None:
        with self._pipe:
            while chunk := self._pipe.read1(_CHUNK):
                self._kept += chunk
                del self._kept[:-_KEEP]

    def wait(self, seconds: float) -> bool:
        """Whether the pipe came to its end."""
        self._thread.join(max(0.0, seconds))
        return not self._thread.is_alive()

    def text(self) -> str:
        return bytes(self._kept).decode("utf-8", "replace")


class Child:
    """A running child. It announces each risky call by a line ``> NAME`` on standard error."""

    def __init__(self, argv: Sequence[str], environ: Mapping[str, str]) -> None:
        """Start it. Raises OSError where that cannot be done."""
        self._process = subprocess.Popen(
            argv,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._started = time.monotonic()
        out = cast("BufferedReader", self._process.stdout)
        err = cast("BufferedReader", self._process.stderr)
        try:
            self._out = _Drain(out)
            self._err = _Drain(err)
        except OSError:
            self.kill()
            err.close()
            raise

    @property
    def call(self) -> str | None:
        """The call that the child is in, or was in last."""
        lines = self._err.text().splitlines()
        return next((line[2:].strip() for line in reversed(lines) if line.startswith("> ")), None)

    def is_done(self, seconds: float) -> bool:
        """Whether it has said all that it has to say, waiting for at most so long."""
        return self._out.wait(seconds)

    def result(self, deadline: float, waiting: Callable[[str | None], None]) -> Ended:
        """Wait until `deadline` (of time.monotonic), then kill.

        `waiting` gets the call that the child is in, should it take long.
        """
        if not self._out.wait(min(deadline, self._started + PATIENCE_S) - time.monotonic()):
            waiting(self.call)
        in_time = self._out.wait(deadline - time.monotonic()) and self._has_ended(deadline)
        if not in_time:
            self.kill()
        self._err.wait(_KILL_S)
        return Ended(self._out.text(), self.call, self._describe(in_time=in_time), in_time)

    def _has_ended(self, deadline: float) -> bool:
        try:
            self._process.wait(max(_KILL_S, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            return False
        return True

    def _describe(self, *, in_time: bool) -> str | None:
        if not in_time:
            return "killed"
        status = self._process.returncode
        if status >= 0:
            return f"exit status {status}" if status else None
        try:
            return f"ended by {Signals(-status).name}"
        except ValueError:  # a real-time signal has no name
            return f"ended by signal {-status}"

    def kill(self) -> None:
        """Kill it where it still runs; one that does not die is left behind."""
        if self._process.poll() is not None:
            return
        self._process.kill()
        try:
            self._process.wait(_KILL_S)
        except subprocess.TimeoutExpired:
            # Stuck in the kernel. Python would warn of a child that nobody waited for.
            self._process.returncode = 0
