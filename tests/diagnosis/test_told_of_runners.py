"""What runners of models, bindings and monitors say: llama.cpp, candle, cuda-python, nvtop."""

from __future__ import annotations

import pytest

from support.cases import ruled

GGML = (
    "ggml_cuda_init: failed to initialize CUDA: no CUDA-capable device is detected\n"
    "warning: no usable GPU found, --gpu-layers option will be ignored\n"
    "warning: one possible reason is that llama.cpp was compiled without GPU support\n"
)
GPUSTAT = "Error on querying NVIDIA devices. Use --debug flag to see more details.\n"
NUMBA = "id 0    b'GeForce GTX 560'                              [{}]\n"
TRITON = 'ValueError("type {} not supported in this architecture. The supported fp8 dtypes are")'
NVVM = "libnvvm : error: -arch=compute_120 is an unsupported option\nNVVM_ERROR_INVALID_OPTION\n"
OPTION = "error: --fast is an unsupported option\n"
OLLAMA = (
    'msg="Unable to load cudart CUDA management library /tmp/libcudart.so.11.0: your nvidia driver '
    'is too old or missing, please upgrade to run ollama"\n'
)
SERVED = (
    'msg="inference compute" id=GPU-11111111-2222-3333-4444-555555555555 library=cuda compute=8.6 '
    'driver=12.4 name="NVIDIA GeForce RTX 3060" total="11.8 GiB" available="11.2 GiB"\n'
)
ENGINE = "Failed to load LLM engine: C:\\x\\{}. The specified module could not be found."


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (GGML, "driver-not-loaded"),
        ("llama_model_load: error: unable to allocate CUDA0 buffer", "oom-workload"),
        ("[TRT] [E] 2: Error Code 2: OutOfMemory (no further information)", "oom-workload"),
        (
            "cuda driver library failed to get device context 2time=2024-06-01T10:00:00.000Z",
            "oom-other-process",
        ),
        (
            ('msg="Unable to load cudart library libcudart.so.12: your nvidia driver is too old or '
            'missing.  If you have a CUDA GPU please upgrade to run ollama"'),
            "driver-too-old",
        ),
        (OLLAMA, "driver-too-old"),
        (OLLAMA + 'msg="Discovered GPU libraries: []"', "driver-missing"),
        ("Error: the candle crate has not been built with cuda support", "cpu-only-build"),
        (
            "Running on CPU, to run on GPU, build this example with `--features cuda`",
            "cpu-only-build",
        ),
        (
            "Warning: CuBLAS library file not found. Non-BLAS library will be used.",
            "cpu-only-build",
        ),
        ('RuntimeError: Function "cuCoredumpGetAttribute" not found', "driver-too-old"),
        (NUMBA.format("NOT SUPPORTED: CC < 3.0"), "gpu-too-old"),
        (TRITON.format("fp8e4nv"), "gpu-too-old"),
        (NVVM + "GPU: RTX 5080", "gpu-too-new"),
        ("OSError: cublas library not found", "cublas-missing"),
        ("OSError: CUDA runtime library not found", "cudart-missing"),
        (
            'DynamicLibNotFoundError: Failure finding "libcublas.so": No such file: libcublas.so*',
            "cublas-missing",
        ),
        ("Failed to LoadLibraryEx cublas64_12.dll", "cublas-missing"),
        ('dlopen "libcuda.so" failed!', "driver-missing"),
        ("libcuda.so not found, exiting", "driver-missing"),
        (
            (
                "CUDA: Not detected: Failed to open dynamic library 'nvcuda.dll': The specified "
                "module could not be found."
            ),
            "driver-missing",
        ),
        ("[cuda_driver.cpp:CUDADriver@34] CUDA driver not found.", "driver-missing"),
        (
            "Impossible to initialize nvidia nvml : The nvidia-ml library could not be loaded",
            "driver-missing",
        ),
        ("FATAL ERROR: NVIDIA Management Library (NVML) not found.", "driver-missing"),
        (GPUSTAT + "Driver Not Loaded", "driver-not-loaded"),
        ("call to cuStreamSynchronize returned error 700: Illegal address", "user-code"),
        ("cudaGetDeviceCount returned 30\n-> unknown error", "device-nodes"),
        ("java.lang.RuntimeException: cudaGetDeviceCount failed; Error code: [35]",
         "driver-too-old"),
        ("GPUassert: invalid configuration argument kernel.cu 33", "user-code"),
        ("DllNotFoundException: Unable to load DLL 'nvcuda': not found", "driver-missing"),
        ("Unable to load shared library 'nvcuda' or one of its dependencies", "driver-missing"),
        ("Unable to load DLL 'cudart64_110.dll' or one of its dependencies", "cudart-missing"),
        ("Unable to load DLL 'cublas64_11': The specified module", "cublas-missing"),
        ("cuSolver error: CUSOLVER_STATUS_ALLOC_FAILED", "oom-workload"),
        ("CUSPARSE_STATUS_ALLOC_FAILED", "oom-workload"),
        ("CuFFTError: CUFFT_ALLOC_FAILED", "oom-workload"),
        ("CURAND_STATUS_ALLOCATION_FAILED", "oom-workload"),
        ("nvjpegDecode: NVJPEG_STATUS_ALLOCATOR_FAILURE", "oom-workload"),
        ("nppiMalloc: NPP_MEMORY_ALLOCATION_ERR", "oom-workload"),
        ("CUSOLVER_STATUS_ARCH_MISMATCH", "gpu-too-old"),
        ("CUSOLVER_STATUS_ARCH_MISMATCH\nGPU: RTX 5090", "gpu-too-new"),
        ("CUDA Driver Version = 12.4, CUDA Runtime Version = 12.4, NumDevs = 1\nResult = PASS",
         "healthy"),
    ],
)  # fmt: skip
def test_cause_is_named(pasted: str, cause: str) -> None:
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        "Warning: CLBlast library file not found. Non-BLAS library will be used.",
        "Running on CPU as asked",
        'RuntimeError: Function "curveTo" not found',
        TRITON.format("float128"),
        OPTION,
        "OSError: hdf5 library not found",
        "If the loader says libcuda.so not found, install the driver.",
        "-- Library libcudart.so not found, CUDA backend disabled",
        "Unable to load DLL 'curl': The module is another's",
        "assertion: invalid configuration argument",
        OLLAMA + SERVED,
        "CUDA_SETUP: WARNING! libcudart.so not found in any environmental path.",
        GPUSTAT + "Something else",
        "nppiMalloc: NPP_SUCCESS",
        "cuStreamSynchronize returned 0",
        "nvjpegDecode: NVJPEG_STATUS_SUCCESS",
        ENGINE.format("llm_engine_cuda.node"),
        "ImportError: DLL load failed while importing runtime: not found.\nimport cupy",
        (
            "ImportError: DLL load failed while importing _driver: The specified module could "
            "not be found."
        ),
    ],
)
def test_kin_names_no_cause(pasted: str) -> None:
    assert ruled(pasted) in ("unknown", "healthy")


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (GPUSTAT + "Driver Not Loaded", "driver-not-loaded"),
        ("libcuda.so not found, exiting", "driver-missing"),
        ("    CUDA::nvToolsExt", "toolkit-mismatch"),
        ("The CMAKE_CUDA_COMPILER:", "toolkit-missing"),
        ("FATAL ERROR: CUDA error\n on Pe 0 (node1 device 0): out of memory", "oom-workload"),
    ],
)
@pytest.mark.parametrize("clock", ["2024-03-10T10:00:00Z ", "#12 34.5 ", "0: "])
def test_a_clock_in_front_of_each_line_changes_nothing(pasted: str, cause: str, clock: str) -> None:
    assert ruled("".join(clock + line + "\n" for line in pasted.splitlines())) == cause


def test_module_without_a_word_of_cuda_may_lack_the_run_time_of_visual_cpp() -> None:
    assert ruled(ENGINE.format("llm_engine.node")) == "msvc-runtime-missing"
