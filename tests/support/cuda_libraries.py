"""The layouts in which CUDA libraries come, written as files under a folder that stands for `/`."""

from __future__ import annotations

import platform
import struct
from typing import TYPE_CHECKING

from .trees import Files, Link

if TYPE_CHECKING:
    from collections.abc import Mapping

SITE = "/venv/lib/python3.12/site-packages"
MULTIARCH = f"/usr/lib/{platform.machine()}-linux-gnu"
#: dl-cache.h: the kind of an entry for this machine.
FLAGS = {"x86_64": 0x0303, "aarch64": 0x0A03}.get(platform.machine(), 0)


def toolkit(folder: str, files: Mapping[str, str]) -> Files:
    """Libraries as toolkits have them: soname -> version, the soname being a link."""
    made: dict[str, str | Link] = {}
    for soname, version in files.items():
        stem = soname.partition(".so")[0]
        made[f"{folder}/{stem}.so.{version}"] = "elf"
        made[f"{folder}/{soname}"] = Link(f"{stem}.so.{version}")
        made[f"{folder}/{stem}.so"] = Link(soname)
    return made


def wheel(package: str, version: str, *files: str, site: str = SITE) -> Files:
    """A wheel of NVIDIA's: `files` are paths below ``nvidia/``."""
    info = f"{site}/{package.replace('-', '_')}-{version}.dist-info"
    made = {f"{site}/nvidia/{file}": "elf" for file in files}
    return {**made, f"{info}/METADATA": f"Name: {package}\nVersion: {version}\n"}


def package(name: str, version: str, files: Mapping[str, str], site: str = SITE) -> Files:
    """Any other distribution: path -> text."""
    info = f"{site}/{name.replace('-', '_')}-{version}.dist-info"
    made = {f"{site}/{path}": text for path, text in files.items()}
    return {f"{info}/METADATA": f"Name: {name}\nVersion: {version}\n", **made}


CUDA_12_WHEELS: Files = {
    **wheel("nvidia-cublas-cu12", "12.4.5.8", "cublas/lib/libcublas.so.12",
            "cublas/lib/libcublasLt.so.12"),
    **wheel("nvidia-cuda-runtime-cu12", "12.4.127", "cuda_runtime/lib/libcudart.so.12"),
    **wheel("nvidia-cuda-nvrtc-cu12", "12.4.127", "cuda_nvrtc/lib/libnvrtc.so.12"),
    **wheel("nvidia-cufft-cu12", "11.2.1.3", "cufft/lib/libcufft.so.11"),
    **wheel("nvidia-curand-cu12", "10.3.5.147", "curand/lib/libcurand.so.10"),
    **wheel("nvidia-cusolver-cu12", "11.6.1.9", "cusolver/lib/libcusolver.so.11"),
    **wheel("nvidia-cusparse-cu12", "12.3.1.170", "cusparse/lib/libcusparse.so.12"),
    **wheel("nvidia-nvjitlink-cu12", "12.4.127", "nvjitlink/lib/libnvJitLink.so.12"),
    **wheel("nvidia-cudnn-cu12", "9.1.0.70", "cudnn/lib/libcudnn.so.9",
            "cudnn/lib/libcudnn_ops.so.9", "cudnn/lib/libcudnn_graph.so.9"),
    **wheel("nvidia-nccl-cu12", "2.21.5", "nccl/lib/libnccl.so.2"),
    **wheel("nvidia-nvtx-cu12", "12.4.127", "nvtx/lib/libnvToolsExt.so.1"),
}  # fmt: skip
CUDA_13_WHEELS: Files = {
    **wheel("nvidia-cublas", "13.1.0.3", "cu13/lib/libcublas.so.13", "cu13/lib/libcublasLt.so.13"),
    **wheel("nvidia-cuda-runtime", "13.0.96", "cu13/lib/libcudart.so.13"),
    **wheel("nvidia-cusparse", "12.6.3.3", "cu13/lib/libcusparse.so.12"),
    **wheel("nvidia-nvjitlink", "13.0.88", "cu13/lib/libnvJitLink.so.13"),
    **wheel("nvidia-cudnn-cu13", "9.13.0.50", "cudnn/lib/libcudnn.so.9"),
}
TOOLKIT_12_1 = {
    "libcudart.so.12": "12.1.105",
    "libcublas.so.12": "12.1.3.1",
    "libcublasLt.so.12": "12.1.3.1",
    "libnvJitLink.so.12": "12.1.105",
}


def cache(*entries: tuple[str, str]) -> bytes:
    """/etc/ld.so.cache of this machine's kind with these (soname, path)."""
    strings, rows = b"\0", b""
    start = 48 + 24 * len(entries)
    for soname, path in entries:
        key = start + len(strings)
        strings += soname.encode() + b"\0"
        value = start + len(strings)
        strings += path.encode() + b"\0"
        rows += struct.pack("=iIIIQ", FLAGS, key, value, 0, 0)
    head = b"glibc-ld.so.cache1.1" + struct.pack("=II20x", len(entries), len(strings))
    return head + rows + strings
