"""Libraries and symbols that the loader speaks of, in the words of many programs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuprobe.facts import said
from gpuprobe.facts.pasted import read
from gpuprobe.facts.pasted.failures import library_names, loader, loader_windows
from gpuprobe.facts.pasted.text import Text

TF = "2022-01-01 00:00:00.000000: W tensorflow/stream_executor/platform/default/dso_loader.cc:64] "


def facts(pasted: str) -> dict[str, object]:
    found: dict[str, object] = {}
    for reader in (loader, loader_windows):
        for key, fact in reader.read(Text(pasted)):
            found.setdefault(key.name, getattr(fact, "value", None))
    return found


@pytest.mark.parametrize(
    ("file", "stem"),
    [
        ("libcudart.so.11.0", "cudart"),
        ("/usr/lib/x86_64-linux-gnu/libcuda.so.1", "cuda"),
        ("nvcuda.dll", "cuda"),
        ("libnvidia-ml.so.1", "nvml"),
        ("cudart64_110.dll", "cudart"),
        ("cublasLt64_12.dll", "cublaslt"),
        ("nvrtc64_112_0.dll", "nvrtc"),
        ("libcudnn_ops_infer.so.8", "cudnn"),
        ("cudnn_cnn_infer64_8.dll", "cudnn"),
        ("libcudart-1b201d85.so.11.0", "cudart"),
        ("libnvJitLink.so.12", "nvjitlink"),
        ("libnvrtc-builtins.so.11.2", "nvrtc-builtins"),
        ("C:\\x\\torch\\lib\\c10_cuda.dll", "c10_cuda"),
        ("vcruntime140_1.dll", "vcruntime140_1"),
        ("libomp140.x86_64.dll", "libomp140x86_64"),
        ("@rpath/libcudart.10.1.dylib", "cudart"),
        ("x/flash_attn_2_cuda.cpython-311-x86_64-linux-gnu.so", "flash_attn_2_cuda"),
    ],
)
def test_a_library_has_one_stem_on_all_systems(file: str, stem: str) -> None:
    assert library_names.stem(file) == stem


@pytest.mark.parametrize(
    ("pasted", "expected"),
    [
        (
            (
                "ImportError: libcublas.so.9.0: cannot open shared object file: No "
                "such file or directory"
            ),
            {"library.cublas.missing": "libcublas.so.9.0"},
        ),
        (
            (
                TF + "Could not load dynamic library 'libcudart.so.11.0'; dlerror: "
                "libcudart.so.11.0: cannot open shared object file: No such file or "
                "directory; LD_LIBRARY_PATH: /x"
            ),
            {"library.cudart.missing": "libcudart.so.11.0"},
        ),
        (
            (
                TF + "Could not load dynamic library 'libcusolver.so.11'; dlerror: "
                "libnvJitLink.so.12: cannot open shared object file: No such file or "
                "directory"
            ),
            {
                "library.nvjitlink.missing": "libnvJitLink.so.12",
                "library.nvjitlink.wanted_by": "libcusolver.so.11",
            },
        ),
        (
            (
                TF + "Could not load dynamic library 'cudart64_110.dll'; dlerror: "
                "cudart64_110.dll not found"
            ),
            {"library.cudart.missing": "cudart64_110.dll"},
        ),
        (
            (
                "I tensorflow/stream_executor/dso_loader.cc:105] Couldn't open CUDA "
                "library libcudnn.so. LD_LIBRARY_PATH: /usr/local/cuda/lib64"
            ),
            {"library.cudnn.missing": "libcudnn.so"},
        ),
        (
            (
                "ImportError: Could not find 'cudart64_90.dll'. TensorFlow requires "
                "that this DLL be installed in a directory that is named in your "
                "%PATH% environment variable."
            ),
            {"library.cudart.missing": "cudart64_90.dll"},
        ),
        (
            (
                "Could not load library libcudnn_ops_infer.so.8. Error: "
                "libcudnn_ops_infer.so.8: cannot open shared object file: No such file "
                "or directory"
            ),
            {"library.cudnn.missing": "libcudnn_ops_infer.so.8"},
        ),
        (
            "Could not load library cudnn_ops_infer64_8.dll. Error code 126",
            {
                "library.cudnn.missing": "cudnn_ops_infer64_8.dll",
                "library.cudnn.broken": "cudnn_ops_infer64_8.dll: error 126",
                "error.WIN32_126": "Could not load library cudnn_ops_infer64_8.dll. Error code 126",
            },
        ),
        (
            "Unable to load any of {libcudnn_ops.so.9.1.0, libcudnn_ops.so.9.1, libcudnn_ops.so.9}",
            {"library.cudnn.missing": "libcudnn_ops.so.9.1.0"},
        ),
        (
            "RuntimeError: Library libcublas.so.12 is not found or cannot be loaded",
            {"library.cublas.missing": "libcublas.so.12"},
        ),
        (
            "Could not locate zlibwapi.dll. Please make sure it is in your library path!",
            {"library.zlibwapi.missing": "zlibwapi.dll"},
        ),
        (
            (
                "[E:onnxruntime:Default, provider_bridge_ort.cc:1480 "
                "TryGetProviderInfo_CUDA] Failed to load library "
                "libonnxruntime_providers_cuda.so with error: libcublasLt.so.11: "
                "cannot open shared object file: No such file or directory"
            ),
            {
                "library.cublaslt.missing": "libcublasLt.so.11",
                "library.cublaslt.wanted_by": "libonnxruntime_providers_cuda.so",
            },
        ),
        (
            (
                "./deviceQuery: error while loading shared libraries: "
                "libcudart.so.8.0: cannot open shared object file: No such file or "
                "directory"
            ),
            {
                "library.cudart.missing": "libcudart.so.8.0",
                "library.cudart.wanted_by": "deviceQuery",
            },
        ),
        ("\tlibcudnn.so.8 => not found", {"library.cudnn.missing": "libcudnn.so.8"}),
        (
            "ImportError: libcudart.so.10.1: 无法打开共享对象文件: 没有那个文件或目录",
            {"library.cudart.missing": "libcudart.so.10.1"},
        ),
        (
            TF + "Successfully opened dynamic library libcudnn.so.8",
            {"library.cudnn.loaded": "libcudnn.so.8"},
        ),
        (
            "\tlibcublas.so.12 => /usr/local/cuda/lib64/libcublas.so.12 (0x00007f0000000000)",
            {"library.cublas.loaded": "/usr/local/cuda/lib64/libcublas.so.12"},
        ),
        (
            "ImportError: /x/torch/lib/libtorch_cuda.so: undefined symbol: ncclCommRegister",
            {"symbol.ncclCommRegister.wanted_by": "/x/torch/lib/libtorch_cuda.so"},
        ),
        (
            (
                "ImportError: /x/rmm/memory.so: symbol cudaMemPoolCreate version libcudart.so.11.0 "
                "not defined in file libcudart.so.11.0 with link time reference"
            ),
            {"symbol.cudaMemPoolCreate.wanted_by": "/x/rmm/memory.so"},
        ),
        (
            (
                "Could not load symbol cudnnGetLibConfig. Error: "
                "/x/libcudnn_graph.so.9: undefined symbol: cudnnGetLibConfig"
            ),
            {"symbol.cudnnGetLibConfig.wanted_by": "/x/libcudnn_graph.so.9"},
        ),
        (
            (
                "OSError: [WinError 126] 找不到指定的模块。 Error loading "
                '"D:\\py\\torch\\lib\\shm.dll" or one of its dependencies.'
            ),
            {
                "error.WIN32_126": (
                    "OSError: [WinError 126] 找不到指定的模块。 Error loading "
                    '"D:\\py\\torch\\lib\\shm.dll" or one of its dependencies.'
                ),
                "library.shm.broken": "shm.dll: error 126",
            },
        ),
        (
            (
                "ImportError: DLL load failed while importing _pywrap_tfe: Eine "
                "DLL-Initialisierungsroutine ist fehlgeschlagen."
            ),
            {
                ("error.WIN32_1114"): (
                    "ImportError: DLL load failed while importing _pywrap_tfe: Eine "
                    "DLL-Initialisierungsroutine ist fehlgeschlagen."
                ),
                "library._pywrap_tfe.broken": "_pywrap_tfe: error 1114",
            },
        ),
        (
            "OSError: /x/libcudart.so.12: invalid ELF header",
            {"library.cudart.broken": "/x/libcudart.so.12: invalid ELF header"},
        ),
    ],
)
def test_the_loaders_words_become_facts(pasted: str, expected: dict[str, str]) -> None:
    assert facts(pasted) == expected


@pytest.mark.parametrize(
    "pasted",
    [
        "ImportError: libGL.so.1: cannot open shared object file: No such file or directory",
        (
            TF + "Could not load dynamic library 'libnvinfer.so.7'; dlerror: "
            "libnvinfer.so.7: cannot open shared object file: No such file or "
            "directory"
        ),
        "\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f0000000000)",
        "the process failed with error 126",
        "HTTPError: error code 193",
        "could not find the library",
        "the symbol alpha is not defined in file model.py",
        "FileNotFoundError: model.so was renamed",
    ],
)
def test_other_libraries_and_other_errors_are_none_of_its_business(pasted: str) -> None:
    assert facts(pasted) == {}


@given(st.text(alphabet="ab./\\_-:'\" so.dllibcun64", max_size=300))
def test_no_text_breaks_the_reader(noise: str) -> None:
    facts(f"could not load {noise} cannot open shared object file undefined symbol {noise}")


@pytest.mark.parametrize(
    ("line", "wanted_by"),
    [
        (
            "/x/libtorch_cuda.so: undefined symbol: cublasX, version libcublas.so.11",
            "/x/libtorch_cuda.so",
        ),
        ("ImportError: undefined symbol: cublasX, version libcublas.so.11", "libcublas.so.11"),
        ("ImportError: undefined symbol: cublasX", "a program"),
        ("ImportError: ./a.so: undefined symbol: cublasX", "./a.so"),
    ],
)
def test_an_exception_wants_no_symbol(line: str, wanted_by: str):
    assert read(line).known(said.SYMBOL_WANTED_BY("cublasX")) == wanted_by
