"""Our own declarations of the vendors' ABIs, compared with the vendors' headers by the compiler."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from gpuprobe.compute.device_array import SIZES
from gpuprobe.compute.dlpack import CODES, CPU, CUDA
from support.fakes import find_header

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "tests" / "conformance"


@dataclass(frozen=True, slots=True)
class Header:
    """A vendor's header. Older ones lack names that our tables have."""

    name: str
    version_macro: str
    least_version: int
    package: str
    includes: tuple[str, ...] = ()


HEADERS = {
    "cuda": Header("cuda.h", "CUDA_VERSION", 13000, "nvidia-cuda-runtime==13.0.*"),
    "nvml": Header("nvml.h", "NVML_API_VERSION", 13, "nvidia-nvml-dev==13.0.*"),
    "cublaslt": Header(
        "cublas_api.h",
        "CUBLAS_VER_MAJOR",
        13,
        "nvidia-cublas==13.*",
        ("cublasLt.h", "driver_types.h", "crt/host_defines.h"),
    ),
    "cudnn": Header(
        "cudnn_version_v9.h", "CUDNN_MINOR", 18, "nvidia-cudnn-cu13", ("crt/host_defines.h",)
    ),
    "dlpack": Header("dlpack/dlpack.h", "DLPACK_MAJOR_VERSION", 1, "apache-tvm-ffi"),
}


def include_folder(header: Header) -> Path:
    """Where the header is: the wheels of the `test` extra, or a toolkit. Skips without one."""
    toolkits = (os.environ.get(name) for name in ("CUDA_PATH", "CUDA_HOME"))
    folders = [find_header(header.name), *(Path(each) / "include" for each in toolkits if each)]
    for folder in folders:
        if folder is not None and (folder / header.name).is_file():
            text = (folder / header.name).read_text(encoding="utf-8", errors="replace")
            found = re.search(rf"#define {header.version_macro}\s+(\d+)", text)
            if found is not None and int(found[1]) >= header.least_version:
                return folder
    return pytest.skip(
        f"no {header.name} with {header.version_macro} {header.least_version} or later"
        f" (pip install {header.package})"
    )


def include_options(header: Header) -> list[str]:
    """The folders of the header and of what it includes, for the compiler."""
    folders = [include_folder(header)]
    for name in header.includes:
        folder = find_header(name)
        if folder is None:
            pytest.skip(f"no {name}, which {header.name} includes (a CUDA toolkit has it)")
        folders.append(folder)
    return [option for folder in folders for option in ("-isystem", str(folder))]


def compiler() -> str:
    """Either gcc or clang: they can say whether two types are the same."""
    for name in ("cc", "gcc", "clang"):
        path = shutil.which(name)
        if path is not None:
            return path
    return pytest.skip("no C compiler")


def compile_against(api: str, program: Path, *first: Path) -> subprocess.CompletedProcess[str]:
    """Compiles a conformance source; headers of ours in the folders `first` come before csrc."""
    ours = [f"-I{folder}" for folder in (*first, ROOT / "csrc")]
    command = [
        *(compiler(), "-std=c11", "-Wall", "-Wextra", "-Werror", *ours),
        *(*include_options(HEADERS[api]), str(SOURCES / f"{api}.c")),
        *("-o", str(program)),
    ]
    return subprocess.run(command, check=False, capture_output=True, text=True)


@pytest.mark.parametrize("api", HEADERS)
def test_declarations_agree_with_the_vendors_header(api: str, tmp_path: Path):
    done = compile_against(api, tmp_path / "program")
    assert done.returncode == 0, done.stderr
    said = subprocess.check_output([tmp_path / "program"], text=True)
    assert re.fullmatch(
        rf"\d+ (functions|structures) agree with {api}\.h \d+\n", said, re.IGNORECASE
    )


@pytest.mark.parametrize(
    ("api", "file", "right", "wrong"),
    [
        # The 32-bit ABI of the name without its suffix.
        ("cuda", "api/cuda_symbols.def", "(size_t *bytes, gp", "(unsigned int *bytes, gp"),
        ("cuda", "api/cuda_symbols.def", "cuDeviceTotalMem_v2", "cuDeviceTotalMem_v9"),
        ("cuda", "api/cuda_symbols.def", "int *value, gp_cu_a", "int value, gp_cu_a"),
        ("cuda", "base/cuda_errors.def", "NO_DEVICE, 100)", "NO_DEVICE, 101)"),
        ("cuda", "abi/gp_abi_cuda.h", "MULTIPROCESSOR_COUNT = 16", "MULTIPROCESSOR_COUNT = 17"),
        ("cuda", "abi/gp_abi_cuda.h", "char bytes[16]", "char bytes[17]"),
        ("cuda", "abi/gp_abi_cuda.h", "    void *win32_meta_data;\n", ""),
        ("cuda", "abi/gp_abi_cuda.h", "MANAGEMENT = 102", "MANAGEMENT = 103"),
        ("cuda", "api/cuda_symbols.def", "size_t offset, gp_cu_memory", "gp_cu_memory"),
        ("nvml", "api/nvml_symbols.def", "(unsigned int *count)", "(int *count)"),
        ("nvml", "abi/gp_abi_nvml.h", "unsigned int domain;", "unsigned short domain;"),
        ("nvml", "base/nvml_errors.def", "GPU_IS_LOST, 15)", "GPU_IS_LOST, 16)"),
        ("cublaslt", "api/cublaslt_symbols.def", "const void *b,", "void *b, int n,"),
        ("cublaslt", "api/cublaslt_symbols.def", "cublasLtMatmulDescD", "cublasLtMatmulOpD"),
        ("cublaslt", "abi/gp_abi_cublaslt.h", "data[8]", "data[16]"),
        ("cublaslt", "abi/gp_abi_cublaslt.h", "FAST_TF32 = 77", "FAST_TF32 = 75"),
        ("cublaslt", "base/cublas_errors.def", "NOT_SUPPORTED, 15)", "NOT_SUPPORTED, 9)"),
        ("cudnn", "api/cudnn_symbols.def", "int64_t capacity", "int capacity"),
        ("cudnn", "api/cudnn_symbols.def", "cudnnBackendExecute", "cudnnBackendRun"),
        ("cudnn", "abi/gp_abi_cudnn.h", "NUMERICAL_NOTE = 1303", "NUMERICAL_NOTE = 1305"),
        ("cudnn", "abi/gp_abi_cudnn.h", "HEUR_A = 3", "HEUR_A = 0"),
        ("dlpack", "abi/gp_abi_dlpack.h", "uint16_t lanes;", "uint8_t lanes;"),
        ("dlpack", "abi/gp_abi_dlpack.h", "    uint64_t flags;\n", ""),
        ("dlpack", "abi/gp_abi_dlpack.h", "IS_COPIED = 2", "IS_COPIED = 4"),
        ("cudnn", "base/cudnn_errors.def", "NOT_SUPPORTED, 3000)", "NOT_SUPPORTED, 9)"),
    ],
)
def test_wrong_declaration_does_not_compile(
    api: str, file: str, right: str, wrong: str, tmp_path: Path
):
    text = (ROOT / "csrc" / file).read_text(encoding="utf-8")
    assert text.count(right) == 1, f"{right} is not in {file}: choose another line to bend"
    planted = tmp_path / file
    planted.parent.mkdir()
    planted.write_text(text.replace(right, wrong), encoding="utf-8")
    done = compile_against(api, tmp_path / "program", tmp_path)
    assert done.returncode != 0
    assert "error:" in done.stderr


def test_types_and_devices_have_the_codes_of_the_header():
    text = (include_folder(HEADERS["dlpack"]) / "dlpack/dlpack.h").read_text(encoding="utf-8")
    kinds = {"float": "Float", "int": "Int", "bfloat": "Bfloat"}
    for name, (code, bits) in CODES.items():
        kind = kinds.get(name.rstrip("0123456789"), name.capitalize())
        assert re.search(rf"\bkDL{kind} = {code}U,", text), (name, code)
        assert bits == 8 * SIZES[name]
    for name, number in {"CPU": CPU, "CUDA": CUDA}.items():
        assert f"kDL{name} = {number}," in text
