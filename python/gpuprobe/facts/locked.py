"""The catalogue, continued: what a lock demands (`gpuprobe doctor --lock FILE`).

Values are demands as texts, so that ranges written by hand are kept: ``>=535.104.05``, ``12.4``.
The subject of `lock.gpu.*` is the number of an entry of the lock, of `lock.package.*` and
`lock.library.*` a name.
"""

from __future__ import annotations

from .model import Family, Key

_HOW = "read the lock file"

SYSTEM = Key("lock.system", str, _HOW)  # Linux x86_64
PYTHON = Key("lock.python", str, _HOW)
DRIVER = Key("lock.driver", str, _HOW)
CUDA = Key("lock.cuda", str, _HOW)  # that the driver has to serve
GPU_NAME = Family("lock.gpu.{}.name", str, _HOW)
GPU_CAPABILITY = Family("lock.gpu.{}.capability", str, _HOW)
GPU_COUNT = Family("lock.gpu.{}.count", str, _HOW)
PACKAGE_VERSION = Family("lock.package.{}.version", str, _HOW)
PACKAGE_BUILD = Family("lock.package.{}.build", str, _HOW)
PACKAGE_CUDA = Family("lock.package.{}.cuda", str, _HOW)
LIBRARY = Family("lock.library.{}", str, _HOW)


def catalogue() -> tuple[Key[object] | Family[object], ...]:
    """All keys and families of this module, in the order in which they are written."""
    return tuple(value for value in globals().values() if isinstance(value, Key | Family))
