"""What lists, listings and loaders show: a demand that is unmet, a file that is there, a symbol."""

from __future__ import annotations

import pytest

from support.cases import ruled

NOTHING = "unknown", "healthy"
DNN = (
    "jaxlib.xla_extension.XlaRuntimeError: FAILED_PRECONDITION: DNN library initialization "
    "failed. Look at the errors above for more details.\n"
)
UV = (
    "The package `jax-cuda12-plugin` requires `nvidia-cudnn-cu12>=9.8,<10.0 ; extra == "
    "'with-cuda'`, but `{there}` is installed\n"
)
PIP = (
    "torch 2.6.0 requires nvidia-cudnn-cu12==9.1.0.70, but you have nvidia-cudnn-cu12 {there} "
    "which is incompatible.\n"
)


def test_a_package_demands_a_newer_cudnn_and_cudnn_does_not_start():
    assert ruled(UV.format(there="9.1.0.70") + DNN) == "cudnn-mismatch"
    assert ruled(PIP.format(there="8.9.7.29") + DNN) == "cudnn-mismatch"


def test_a_newer_cudnn_than_demanded_or_nothing_that_fails():
    assert ruled(PIP.format(there="9.8.0.87") + DNN) != "cudnn-mismatch"
    assert ruled(UV.format(there="9.1.0.70")) in NOTHING


LLAMA = (
    "OS: Windows 11\nC:\\llama>llama-cli.exe -m a.gguf -ngl 99\n"
    "load_backend: loaded CPU backend from C:\\llama\\ggml-cpu-haswell.dll\n"
    "warning: no usable GPU found, --gpu-layers option will be ignored\n"
)
FILES = "C:\\llama>dir /b *.dll\ncudart64_12.dll\nggml-base.dll\n{cuda}ggml.dll\nllama.dll\n"
WHERE = "C:\\llama>where cublas64_12.dll\nINFO: Could not find files for the given pattern(s).\n"


def test_llama_has_its_backend_for_cuda_and_windows_no_cublas():
    assert ruled(LLAMA + FILES.format(cuda="ggml-cuda.dll\n") + WHERE) == "cublas-missing"


def test_llama_without_the_backend_is_a_build_for_the_cpu():
    assert ruled(LLAMA + FILES.format(cuda="") + WHERE) == "cpu-only-build"
    assert ruled(LLAMA + "error: ggml-cuda.dll is missing\n") == "cpu-only-build"


PROVIDER = (
    "onnxruntime::ProviderLibrary::Get [ONNXRuntimeError] : 1 : FAIL : LoadLibrary failed with "
    'error 126 "" when trying to load "C:\\ort\\lib\\onnxruntime_providers_cuda.dll"\n'
)


def test_a_title_names_the_file_that_is_missing():
    assert ruled("CUDA provider does not load (cublasLt64_11.dll missing)\n" + PROVIDER) == (
        "cublas-missing"
    )
    assert ruled("Is my cublasLt64_11.dll missing a function?\n" + PROVIDER) != "cublas-missing"


HEADER = "src/cpp/cuda.hpp:14:10: {words}\n   14 | #include <cuda.h>\n"


@pytest.mark.parametrize(
    "words",
    [
        "schwerwiegender Fehler: cuda.h: Datei oder Verzeichnis nicht gefunden",
        "erreur fatale: cuda.h : Aucun fichier ou dossier de ce type",
        "致命错误\uff1acuda.h\uff1a没有那个文件或目录",
        "фатальная ошибка: cuda.h: Нет такого файла или каталога",
    ],
)
def test_a_header_is_missing_in_the_users_language(words: str):
    assert ruled(HEADER.format(words=words)) == "toolkit-missing"
    assert ruled(HEADER.format(words=words).replace("cuda.h", "ffi.h")) in NOTHING


SYMBOL = "ImportError: {file}: undefined symbol: cudaSetupArgument\n"


def test_a_module_that_was_compiled_with_another_cuda():
    file = "/home/user/net/ops/roi.cpython-37m-x86_64-linux-gnu.so"
    assert ruled("PyTorch version [1.3.0]\n" + SYMBOL.format(file=file)) == "extension-mismatch"
    other = SYMBOL.format(file="/opt/trt/lib/libnvinfer.so.7")
    assert ruled("PyTorch version [1.3.0]\n" + other) == "cuda-libs-mismatch"


NVCC = "Cuda compilation tools, release {toolkit}, V{toolkit}.105\n"
LINK = (
    "RuntimeError: Unknown: no kernel image is available for execution on the device\n"
    "in external/org_tensorflow/tensorflow/stream_executor/cuda/cuda_asm_compiler.cc(44): "
    "'cuLinkAddData( link_state, CU_JIT_INPUT_CUBIN, static_cast<void*>(image.data()) )'\n"
)
DRIVER = "| NVIDIA-SMI 450.102.04   Driver Version: 450.102.04   CUDA Version: 11.0     |\n"


def test_the_driver_cannot_link_what_a_newer_toolkit_compiled():
    assert ruled(NVCC.format(toolkit="11.1") + LINK + DRIVER) == "driver-too-old"
    assert ruled(NVCC.format(toolkit="11.0") + LINK + DRIVER) != "driver-too-old"


CUBLAS = "RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(h)`\n"
LABELS = "print(model.fc)  -> Linear(in_features=512, out_features={classes}, bias=True)\n"
UNIQUE = "print(target.unique())  -> tensor([ 1,  2,  3,  4])\ncriterion = nn.CrossEntropyLoss()\n"


def test_labels_that_begin_with_one():
    assert ruled(CUBLAS + LABELS.format(classes=4) + UNIQUE) == "user-code"
    assert ruled(CUBLAS + LABELS.format(classes=5) + UNIQUE) == "oom-workload"
    two = LABELS.format(classes=4) + LABELS.format(classes=9)
    assert ruled(CUBLAS + two + UNIQUE) == "oom-workload"


def test_the_cpu_names_the_fault_that_the_gpu_does_not():
    on_cpu = "However, on the cpu:\nIndexError: index out of range in self\n"
    assert ruled(CUBLAS + on_cpu) == "user-code"
    assert ruled(on_cpu) in NOTHING


CODE = (
    "head of run.py:\n 1  import os\n 2  import torch\n 3\n"
    " 4  print(torch.cuda.get_device_name(0))\n...\n"
    '20  os.environ["CUDA_VISIBLE_DEVICES"] = args.gpu        # --gpu 3\n'
)
FULL = (
    "RuntimeError: CUDA out of memory. Tried to allocate 90.00 MiB (GPU 0; 31.75 GiB total "
    "capacity; 0 bytes already allocated; 47.75 MiB free; 0 bytes reserved in total by PyTorch)\n"
    "|   0  Tesla V100-SXM2...  On   | 00000000:1A:00.0 Off |                    0 |\n"
    "| N/A   61C    P0   288W / 300W |  32461MiB / 32510MiB |    100%      Default |\n"
    "|   3  Tesla V100-SXM2...  On   | 00000000:3E:00.0 Off |                    0 |\n"
    "| N/A   34C    P0    41W / 300W |      3MiB / 32510MiB |      0%      Default |\n"
)


def test_code_that_a_listing_numbers():
    assert ruled(CODE + FULL) == "visible-devices-too-late"
    before = CODE.replace(" 4  print(torch.cuda.get_device_name(0))", " 4  print(args)")
    assert ruled(before + FULL) == "oom-other-process"
