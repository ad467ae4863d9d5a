"""What no line says alone: two lines, put together, decide, and with another second line do not."""

from __future__ import annotations

import pytest

from support.cases import ruled

GROMACS = """GPU support:        CUDA
CUDA driver:        {driver}
CUDA runtime:       {runtime}
Cannot run short-ranged nonbonded interactions on a GPU because no GPU is
detected.
"""


@pytest.mark.parametrize(
    ("driver", "runtime", "cause"),
    [
        ("10.10", "11.20", "driver-too-old"),
        ("11.20", "12.0", "driver-too-old"),
        ("11.20", "11.80", "unknown"),  # one driver of a major serves all of its releases
        ("0.0", "11.20", "unknown"),  # there is none
    ],
)
def test_gromacs_prints_the_driver_and_its_own_cuda(driver: str, runtime: str, cause: str):
    assert ruled(GROMACS.format(driver=driver, runtime=runtime)) == cause


MODULE = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.{}  Thu Sep  7 12:00:00 UTC 2023\n"
LIBRARY = "/usr/lib/x86_64-linux-gnu/libcuda.so.1 -> libcuda.so.535.129.03\nNo usable GPUs found\n"


@pytest.mark.parametrize(("module", "named"), [("113.01", True), ("129.03", False)])
def test_a_library_of_after_the_module_finds_no_gpu(module: str, *, named: bool):
    assert (ruled(MODULE.format(module) + LIBRARY) == "driver-library-mismatch") is named


COMPAT = """GPU: GeForce RTX {gpu}
| NVIDIA-SMI 535.54.03   Driver Version: 535.54.03   CUDA Version: 12.2     |
root@0a:/# ldconfig -p | grep libcuda.so
	libcuda.so.1 (libc6,x86-64) => /usr/local/cuda-{toolkit}/compat/libcuda.so.1
F20240102 10:00:00.000000   77 cuda.cc:60] Check failed: num_cuda_devices > 0 (0 vs. 0)
"""


@pytest.mark.parametrize(
    ("gpu", "toolkit", "named"),
    [("3070", "12.4", True), ("3070", "12.1", False), ("A6000", "12.4", False)],
)
def test_the_loader_knows_a_cuda_compat_of_a_later_cuda(gpu: str, toolkit: str, *, named: bool):
    text = COMPAT.format(gpu=gpu, toolkit=toolkit).replace("GeForce RTX A", "RTX A")
    assert (ruled(text) == "forward-compat") is named


STUB = """$ ls -l {folder}/libcuda.so.1
-rw-r--r-- 1 root root {size} Jan  9  2023 {folder}/libcuda.so.1
$ ./render
no CUDA devices found
"""


@pytest.mark.parametrize(
    ("folder", "size", "named"),
    [
        ("/opt/render/lib", "39704", True),
        ("/opt/render/lib", "26284256", False),
        ("/usr/lib/wsl/lib", "162552", False),
    ],
)
def test_a_libcuda_is_as_small_as_a_stub(folder: str, size: str, *, named: bool):
    assert (ruled(STUB.format(folder=folder, size=size)) == "stub-library") is named


OLLAMA = """time=2025-01-01T10:00:00.000Z level=INFO source=server.go:600 msg="loading model"
cudaMalloc failed: out of memory
Error: llama runner process has terminated
$ nvidia-smi --query-compute-apps=pid,process_name,used_memory --format=csv
pid, process_name, used_gpu_memory [MiB]
4711, {program}, 19000 MiB
"""


@pytest.mark.parametrize(
    ("program", "cause"),
    [("/srv/web/bin/python3", "oom-other-process"), ("/usr/bin/ollama", "oom-workload")],
)
def test_ollama_finds_the_gpu_full_of_a_program_in_python(program: str, cause: str):
    assert ruled(OLLAMA.format(program=program)) == cause


CUPY = """Created TensorFlow device (/job:localhost/replica:0/task:0/device:GPU:0 with {mb} MB memory)
cupy.cuda.memory.OutOfMemoryError: Out of memory allocating 104,857,600 bytes (allocated so far: 0 bytes).
"""  # noqa: E501


@pytest.mark.parametrize(
    ("mb", "cause"), [("7400", "oom-preallocation"), ("200", "oom-other-process")]
)
def test_cupy_gets_nothing_beside_tensorflow(mb: str, cause: str):
    assert ruled(CUPY.format(mb=mb)) == cause


JULIA = """{first}
Effective GPU memory usage: {taken}/7.787 GiB)
Memory pool usage: 0 bytes (0 bytes reserved)
"""


@pytest.mark.parametrize(
    ("first", "taken", "cause"),
    [
        ("ERROR: Out of GPU memory", "2.00% (160.000 MiB", "oom-workload"),
        ("ERROR: Out of GPU memory", "95.00% (7.400 GiB", "oom-other-process"),
        ("julia> CUDA.memory_status()", "2.00% (160.000 MiB", "unknown"),
    ],
)
def test_julia_tells_who_holds_the_gpu_and_not_how_much_it_wanted(
    first: str, taken: str, cause: str
):
    assert ruled(JULIA.format(first=first, taken=taken)) == cause


IN_R = """$ nvidia-smi -L
GPU 0: Tesla T4 (UUID: GPU-11111111-1111-1111-1111-111111111111)
$ echo $CUDA_VISIBLE_DEVICES
{value}
$ Rscript -e 'torch::cuda_is_available()'
[1] FALSE
"""


@pytest.mark.parametrize(("value", "named"), [("1", True), ("0", False)])
def test_r_sees_none_where_the_variable_counts_beyond_the_list(value: str, *, named: bool):
    text = IN_R.format(value=value)
    assert (ruled(text) == "hidden-by-visible-devices") is named


TAKEN = """Adding visible gpu devices: {gpus}
INFO trainer: CUDA_VISIBLE_DEVICES{value}
"""


@pytest.mark.parametrize(
    ("gpus", "value", "named"),
    [
        ("0, 1", ": 1", True),
        ("0", ": 1", False),
        ("0, 1", ": 0,1", False),
        ("0, 1", "='1'", False),  # of code, which may be the mended one
    ],
)
def test_tensorflow_takes_more_gpus_than_its_log_names(gpus: str, value: str, *, named: bool):
    text = TAKEN.format(gpus=gpus, value=value)
    assert (ruled(text) == "visible-devices-too-late") is named


INSPECTED = """RuntimeError: CUDA driver version is insufficient for CUDA runtime version
$ docker inspect -f '{{{{.HostConfig.Runtime}}}} {{{{.HostConfig.DeviceRequests}}}}' web
{answer}
"""


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        ("runc []", "container-no-gpu"),
        ("runc [{ -1 [] [[gpu]] map[]}]", "driver-too-old"),
        ("nvidia []", "driver-too-old"),
    ],
)
def test_docker_was_asked_for_no_gpu(answer: str, cause: str):
    assert ruled(INSPECTED.format(answer=answer)) == cause


WHERE = r"""ImportError: DLL load failed while importing x: The specified module could not be found.
C:\w>dumpbin /dependents x.cp310-win_amd64.pyd
    cublas64_12.dll
    VCRUNTIME140.dll
C:\w>where cublas64_12.dll vcruntime140.dll
{found}
C:\w>
"""
SYSTEM = "C:\\Windows\\System32\\vcruntime140.dll"
CUBLAS = "C:\\t\\bin\\cublas64_12.dll"


@pytest.mark.parametrize(
    ("found", "named"), [(SYSTEM, True), (f"{CUBLAS}\n{SYSTEM}", False), ("...", False)]
)
def test_windows_shows_the_others_of_a_list_of_files(found: str, *, named: bool):
    assert (ruled(WHERE.replace("{found}", found)) == "cublas-missing") is named


OPENED = "Successfully opened dynamic library lib{}.so.11\n"
SKIPPED = "Skipping registering GPU devices...\n"
LIBRARIES = ("cudart", "cublas", "cufft", "curand", "cusolver", "cusparse")


@pytest.mark.parametrize(
    ("opened", "cause"),
    [
        (LIBRARIES, "cudnn-missing"),
        ((*LIBRARIES[:2], *LIBRARIES[3:], "cudnn"), "cublas-missing"),
        (LIBRARIES[:3], "unknown"),
    ],
)
def test_tensorflow_opens_all_of_its_libraries_but_one(opened: tuple[str, ...], cause: str):
    assert ruled("".join(map(OPENED.format, opened)) + SKIPPED) == cause


BY_PIP = {
    "nvidia-cuda-runtime-cu12": "12.3.101",
    "nvidia-cublas-cu12": "12.3.4.1",
    "nvidia-cudnn-cu12": "8.9.7.29",
    "nvidia-cufft-cu12": "11.0.12.1",
    "nvidia-curand-cu12": "10.3.4.107",
    "nvidia-cusolver-cu12": "11.5.4.101",
    "nvidia-cusparse-cu12": "12.2.0.103",
}
UNOPENED = (
    "Cannot dlopen some GPU libraries. Please make sure the missing libraries are installed\n"
)


@pytest.mark.parametrize(
    ("without", "cause"),
    [("nvidia-curand-cu12", "cublas-missing"), ("nvidia-cudnn-cu12", "cudnn-missing")],
)
def test_pip_brought_all_of_tensorflows_libraries_but_one(without: str, cause: str):
    rows = [f"{name}  {release}\n" for name, release in BY_PIP.items() if name != without]
    assert ruled("tensorflow 2.17.0\n$ pip list\n" + "".join(rows) + UNOPENED) == cause


CARGO = """error: failed to run custom build command for `kernels v0.1.0`
  thread 'main' panicked at /c/registry/src/x/{crate}/src/lib.rs:10:5:
  called `Result::unwrap()` on an `Err` value: Os {{ code: 2, kind: NotFound, message: "No such" }}
"""


@pytest.mark.parametrize(
    ("crate", "cause"), [("bindgen_cuda-0.1.4", "toolkit-missing"), ("cc-1.0.1", "unknown")]
)
def test_a_build_script_that_calls_nvcc_finds_no_such_file(crate: str, cause: str):
    assert ruled(CARGO.format(crate=crate)) == cause


HEADERS = """Cuda compilation tools, release 9.0, V9.0.176
{file}({line}): error: argument of type "void *" is incompatible with parameter of type "int *"
"""


@pytest.mark.parametrize(
    ("file", "cause"),
    [
        ("/usr/lib/gcc/x86_64-linux-gnu/6/include/avx512vlintrin.h", "toolkit-mismatch"),
        ("/home/user/src/my_intrin.h", "unknown"),
    ],
)
def test_nvcc_stumbles_over_the_compilers_own_headers(file: str, cause: str):
    assert ruled(HEADERS.format(file=file, line=42)) == cause


TREES = """{{'device': '{device}', 'fail_on_invalid_gpu_id': '0', 'nthread': '0'}}
$ nvidia-smi dmon -s um
# gpu     sm    mem     fb   bar1
# Idx      %      %     MB     MB
    0     {sm}      0      4      2
    0     {sm}      0      4      2
"""


@pytest.mark.parametrize(
    ("device", "sm", "named"), [("cpu", 0, True), ("cuda", 0, False), ("cpu", 90, False)]
)
def test_trees_were_grown_on_the_cpu_beside_an_idle_gpu(device: str, sm: int, *, named: bool):
    assert (ruled(TREES.format(device=device, sm=sm)) == "silent-cpu-fallback") is named


HOT = """$ nvidia-smi -q -d TEMPERATURE | grep Temp
        GPU Current Temp                  : {now} C
        GPU Slowdown Temp                 : {limit} C
"""


@pytest.mark.parametrize(
    ("now", "limit", "cause"),
    [("95", "93", "power-thermal"), ("70", "93", "unknown"), ("N/A", "93", "unknown")],
)
def test_a_gpu_is_as_hot_as_its_own_limit(now: str, limit: str, cause: str):
    assert ruled(HOT.format(now=now, limit=limit)) == cause


TOKENS = """print(model.config.vocab_size, {asked})
{answer}
RuntimeError: CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`
"""


@pytest.mark.parametrize(
    ("asked", "answer", "cause"),
    [
        ("len(tokenizer)", "32000 32001", "user-code"),
        ("len(tokenizer)", "32001 32000", "oom-workload"),
        ("len(tokenizer)", "32000 of 32001 (old: 2)", "oom-workload"),
        ("len(dataset)", "32000 32001", "oom-workload"),
    ],
)
def test_the_tokenizer_is_printed_as_larger_than_the_embedding(asked: str, answer: str, cause: str):
    assert ruled(TOKENS.format(asked=asked, answer=answer)) == cause


RPM = """$ lspci -nnk | grep -A3 NVIDIA
3b:00.0 3D controller [0302]: NVIDIA Corporation TU104GL [Tesla T4] [10de:1eb8] (rev a1)
	Subsystem: NVIDIA Corporation Device [10de:12a2]
	Kernel modules: nouveau
$ rpm -qa | grep -iE 'nvidia|cuda' | sort
cuda-nvcc-12-2-12.2.140-1.x86_64
{other}
$ ./app
Error: no CUDA-capable device
"""


@pytest.mark.parametrize(
    ("other", "cause"),
    [
        ("libcurand-12-2-10.3.3.141-1.x86_64", "driver-missing"),
        ("nvidia-driver-535.104.05-1.el9.x86_64", "driver-not-loaded"),
    ],
)
def test_a_list_of_packages_has_the_toolkit_and_no_driver(other: str, cause: str):
    assert ruled(RPM.format(other=other)) == cause


RENDERED = """$ blender -b scene.blend -f 1 -- --cycles-device {device}
{before}
Saved: '/tmp/0001.png'
"""


@pytest.mark.parametrize(
    ("device", "before", "cause"),
    [
        ("OPTIX", "Time: 00:12.34 (Saving: 00:00.20)", "healthy"),
        ("CPU", "Time: 00:12.34 (Saving: 00:00.20)", "unknown"),
        ("CUDA", "Found no Cycles device of the specified type, falling back to CPU...", "unknown"),
    ],
)
def test_blender_saved_what_it_was_to_render_on_the_gpu(device: str, before: str, cause: str):
    assert ruled(RENDERED.format(device=device, before=before)) == cause
