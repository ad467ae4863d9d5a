"""A set-up that works, told by runners of language models, programs for pictures and others."""

from __future__ import annotations

import pytest

from gpuprobe.facts import said
from gpuprobe.facts.pasted import read
from support.cases import ruled

COLMAP = """sift.cc:7] Creating SIFT {where} feature extractor
feature_extraction.cc:25] Processed file [1/9]
feature_extraction.cc:28]   Features:        {found}
"""


@pytest.mark.parametrize(
    ("where", "found", "verdict"),
    [("GPU", 812, "healthy"), ("CPU", 812, "unknown"), ("GPU", 0, "unknown")],
)
def test_colmap_finds_features(where: str, found: int, verdict: str):
    assert ruled(COLMAP.format(where=where, found=found)) == verdict


ACTIVE = (
    "LOG (nnet3-train[5.5]:FinalizeActiveGpu():cu-device.cc:308) The active GPU is [0]: Tesla T4"
    " free:14872M, used:207M\n"
)
SELECTING = "LOG (nnet3-train[5.5]:SelectGpuIdAuto():cu-device.cc:323) Selecting from 2 GPUs\n"
OBJECTIVE = "Overall average objective function for 'output' is -0.0712 over 8.1e+06 frames.\n"
PHOTOS = (
    "2021-07-06 15:20:43 Using device: {gpu}, 46 compute units, free memory: 6721/8192 MB,"
    " compute capability 7.5\n"
)
PROCESSED = "2021-07-06 15:24:57 Finished processing in 255.61 sec (exit code 1)\n"
FOLDER = "20:11:03: {api} Device 0: Platform:0 Device:0 Bus:1 Slot:0 Compute:7.5 Driver:10.2\n"
FOLDED = "20:13:41:WU01:FS01:0x{core}:Completed 10000 out of 1000000 steps (1%)\n"


@pytest.mark.parametrize(
    ("log", "program", "done"),
    [
        (ACTIVE + OBJECTIVE, "kaldi", True),
        (SELECTING + OBJECTIVE, "kaldi", None),
        (OBJECTIVE + ACTIVE, "kaldi", None),
        (PHOTOS.format(gpu="NVIDIA GeForce RTX 2080") + PROCESSED, "metashape", True),
        (PHOTOS.format(gpu="gfx1030") + PROCESSED, "metashape", None),
        (FOLDER.format(api="CUDA") + FOLDED.format(core=22), "fahclient", True),
        (FOLDER.format(api="CUDA") + FOLDED.format(core="a7"), "fahclient", None),
        (FOLDER.format(api="OpenCL") + FOLDED.format(core=22), "fahclient", None),
    ],
)
def test_programs_name_the_gpu_and_what_they_did(log: str, program: str, done: bool | None):
    assert read(log).known(said.FRAMEWORK_COMPUTED(program)) is done


def test_an_encoder_of_the_card_that_was_busy_is_a_proof():
    report = "GPU #0: GeForce GTX 1050 Ti (768 cores)[PCIe3x16][419.67]\n{}"
    at_work = "encode time 0:03:07, CPU: 92.0%, GPU: 22.6%, VE: 76.6%, GPUClock: 1746MHz"
    assert ruled(report.format(at_work)) == "healthy"


SPACY = """\u2139 Using {where}
✔ Initialized pipeline
E    #       LOSS TOK2VEC  LOSS NER  ENTS_F  ENTS_P  ENTS_R  SCORE
---  ------  ------------  --------  ------  ------  ------  ------
{row}
"""


@pytest.mark.parametrize(
    ("where", "row", "done"),
    [
        ("GPU: 0", "  0     200         38.11   1722.40   61.03   64.20   58.16    0.61", True),
        ("GPU: 0", "⚠ Aborting and saving the final best model.", None),
        ("CPU", "  0     200         38.11   1722.40   61.03   64.20   58.16    0.61", None),
    ],
)
def test_spacy_evaluates_what_it_trains_on_the_gpu(where: str, row: str, done: bool | None):
    told = read(SPACY.format(where=where, row=row))
    assert told.known(said.FRAMEWORK_COMPUTED("spacy")) is done


BANNER = "==((====))==  Unsloth - 2x faster free finetuning | Num GPUs used = {count}\n"


@pytest.mark.parametrize(("count", "verdict"), [(2, "healthy"), (0, "unknown")])
def test_unsloth_counts_gpus_when_it_trains(count: int, verdict: str):
    text = f"PyTorch version: 2.6.0+cu124\n{BANNER.format(count=count)}KeyError: 'labels'\n"
    assert ruled(text) == verdict


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


OF_CTRANSLATE2 = "[ctranslate2] [thread 71] [info] GPU #0: NVIDIA GeForce RTX 4070 (CC=8.9)\n"
OF_LEGION = "[0 - 7f00]    0.000000 {2}{gpu}: GPU #0: Tesla V100-SXM2-16GB (7.0) 16160 MB\n"


@pytest.mark.parametrize("line", [OF_CTRANSLATE2, OF_LEGION])
def test_an_engine_lists_the_gpus_that_it_got(line: str):
    assert ruled(line) == "healthy"
    failure = "RuntimeError: CUDA failed with error an illegal instruction was encountered\n"
    assert ruled(line + failure) != "healthy"
    assert ruled("GPU #0: a card of my friend's (about 8.9)\n") == "unknown"


LLAMA = """### GGML backends

{backend}

The model generates {what} as soon as flash attention is on.
"""


@pytest.mark.parametrize(
    ("backend", "what", "verdict"),
    [
        ("CUDA", "gibberish", "healthy"),
        ("Vulkan", "gibberish", "unknown"),
        ("CUDA", "nothing", "unknown"),
    ],
)
def test_who_finds_fault_with_what_a_model_says_ran_it(backend: str, what: str, verdict: str):
    assert ruled(LLAMA.format(backend=backend, what=what)) == verdict


LAYERS = "load_tensors: offloaded {}/33 layers to GPU\n"
DEVICES = "ggml_cuda_init: found 1 CUDA devices:\n"


def test_layers_on_the_gpu_are_healthy() -> None:
    assert ruled(DEVICES + LAYERS.format(33)) == "healthy"


OFFLOADED = "llama_model_load: offloaded 33/33 layers to GPU\n"


def test_a_comment_tells_what_an_answer_would_mean():
    asked = ">>> llama_supports_gpu_offload()  # False means CPU build\nTrue\n"
    assert ruled(asked + OFFLOADED) == "healthy"


MATRIX = """{way}directional P2P={state} Bandwidth Matrix (GB/s)
   D\\D     0      1
     0 {own:.2f}  {there:.2f}
     1 {back:.2f} {own:.2f}
"""


@pytest.mark.parametrize(
    ("way", "state", "there", "back", "cause"),
    [
        ("Uni", "Enabled", 24.1, 23.9, "healthy"),
        ("Bi", "Disabled", 9.2, 9.3, "healthy"),
        ("Uni", "Enabled", 4.0, 4.0, "healthy"),
        ("Uni", "Enabled", 1.2, 23.9, "unknown"),
        ("Uni", "Enabled", 24.1, 3.9, "unknown"),
    ],
)
def test_rates_of_copies_between_gpus(way: str, state: str, there: float, back: float, cause: str):
    assert ruled(MATRIX.format(way=way, state=state, own=800, there=there, back=back)) == cause


LATENCIES = """P2P=Enabled Latency (P2P Writes) Matrix (us)
   GPU     0      1
     0   {own:.2f}   1.29
     1   1.31   {own:.2f}

   CPU     0      1
     0   2.50   6.73
     1   6.59   2.42
"""


@pytest.mark.parametrize(("there", "cause"), [(24.1, "healthy"), (1.2, "unknown")])
def test_latencies_below_the_rates_are_no_rates(there: float, cause: str):
    rates = MATRIX.format(way="Bi", state="Enabled", own=800, there=there, back=24.0)
    assert ruled(rates + LATENCIES.format(own=1.35)) == cause


def test_a_gpu_copies_within_itself_at_any_rate():
    slow = MATRIX.format(way="Uni", state="Enabled", own=3, there=9.2, back=9.3)
    assert ruled(slow) == "healthy"


POOL = "Memory pool usage: 3.250 GiB (4.000 GiB reserved)\n"


def test_julia_has_a_pool_of_memory_where_it_has_a_gpu():
    assert ruled(POOL) == "healthy"
    assert ruled(f"Its log has: {POOL}") == "unknown"
    failed = f"Out of GPU memory trying to allocate 2.000 GiB\n{POOL}"
    assert ruled(failed) == "oom-workload"
    assert said.FRAMEWORK_SEES_GPU("julia").name not in read(failed)


TRACE = """julia> using {package}

julia> {macro} square!(x)
ERROR: {error}
Stacktrace:
{frames}
"""
FRAME = "  [1] {call}\n    @ {package} ~/.julia/packages/{package}/Ab1cD/src/{file}"
OLD = r" [1] emit!(::Any) at C:\Users\me\.julia\packages\GPUCompiler\uTpNx\src\rtlib.jl:67"
IN_RUNTIME = FRAME.format(call="build_runtime(job)", package="GPUCompiler", file="rtlib.jl:113")
IN_LLVM = FRAME.format(call="handle_error(why)", package="LLVM", file="core/context.jl:194")
IN_CUDA = FRAME.format(call="throw_api_error(res)", package="CUDA", file="error.jl:89")


@pytest.mark.parametrize(
    ("package", "error", "frames", "cause"),
    [
        ("CUDA", "AssertionError: llvmtype(decl) == llvmtype(entry)", IN_RUNTIME, "healthy"),
        ("CUDA", "LLVM error: Instruction Combining reached no fixpoint", IN_LLVM, "healthy"),
        ("CUDA", "LoadError: MethodError: no method matching f()", OLD, "healthy"),
        # Another maker's GPUs are compiled for by the same packages, and CUDA fails by itself.
        ("AMDGPU", "AssertionError: llvmtype(decl) == llvmtype(entry)", IN_RUNTIME, "unknown"),
        ("CUDA", "CUDA error: unknown reason", IN_CUDA, "unknown"),
        ("CUDA", "MethodError: no method matching f()", f"  [1] f()\n{IN_LLVM}", "unknown"),
    ],
)
def test_julias_compiler_fails_on_a_kernel_where_a_gpu_is_there(
    package: str, error: str, frames: str, cause: str
):
    macro = "@roc" if package == "AMDGPU" else "@cuda"
    pasted = TRACE.format(package=package, macro=macro, error=error, frames=frames)
    assert ruled(pasted) == cause


NVRTC = (
    "WARN cudanvrtc gstcudanvrtc.cpp:179:gst_cuda_nvrtc_load_library_once: Failed to load "
    "'nvrtcGetCUBINSize', 'nvrtcGetCUBINSize': /usr/lib/libnvrtc.so: undefined symbol: "
    "nvrtcGetCUBINSize\n"
)


def test_gstreamer_encodes_without_the_function_of_nvrtc_that_it_misses():
    assert ruled(f"{NVRTC}INFO  | Using H264 encoder: nvcodec\n") == "healthy"
    assert ruled(f"{NVRTC}INFO  | Using H264 encoder: x264\nIt is slow.\n") == "unknown"
    torch = "ImportError: libtorch_cuda.so: undefined symbol: nvrtcGetCUBINSize\n"
    assert ruled(torch) == "cuda-libs-mismatch"


FALCON = "offloading {} of 60 layers to GPU, weights offloaded  {} MB\n"


@pytest.mark.parametrize(
    ("runs", "cause"),
    [
        (FALCON.format(0, "0.00") + FALCON.format(2, "891.00"), "healthy"),
        (FALCON.format(0, "0.00"), "unknown"),
    ],
)
def test_of_several_runs_of_falcon_one_was_on_the_gpu(runs: str, cause: str):
    assert ruled(f"falcon_model_load_internal: {runs}") == cause
