"""What programs of laboratories say: of memory that others keep, of packages, of a node."""

from __future__ import annotations

import pytest

from support.cases import ruled

# -- GROMACS on a node without a GPU -------------------------------------------------------------
GROMACS = """OS: Rocky Linux 9.2
$ lspci | egrep -i 'vga|3d'
04:00.0 VGA compatible controller: {card}
$ gmx mdrun -deffnm npt -nb gpu
Fatal error:
Cannot run short-ranged nonbonded interactions on a GPU because no GPU is
detected.
"""
MATROX = "Matrox Electronics Systems Ltd. MGA G200eH (rev 01)"
NVIDIAS = "NVIDIA Corporation GV100 [Tesla V100] (rev a1)"


@pytest.mark.parametrize(("card", "none"), [(MATROX, True), (NVIDIAS, False)])
def test_gromacs_breaks_the_line_in_which_it_finds_no_gpu(card: str, *, none: bool):
    assert (ruled(GROMACS.format(card=card)) == "no-nvidia-gpu") is none


# -- CUDA.jl's account ---------------------------------------------------------------------------
JULIA = """GPU: NVIDIA RTX A4000
ERROR: Out of GPU memory trying to allocate 256.000 MiB
Effective GPU memory usage: 99.10% (15.594 GiB/15.736 GiB)
{pool}
"""


@pytest.mark.parametrize(
    ("pool", "cause"),
    [
        ("Memory pool usage: 64.000 MiB (96.000 MiB reserved)", "oom-other-process"),
        ("Memory pool usage: 9.871 GiB (14.906 GiB reserved)", "oom-workload"),
        ("CUDA allocator usage: 1.250 GiB", "oom-other-process"),
        ("CUDA allocator usage: 14.250 GiB", "oom-workload"),
        ("", "oom-workload"),  # nothing tells whose it is
    ],
)
def test_what_is_not_of_its_own_pool_others_hold(pool: str, cause: str):
    assert ruled(JULIA.format(pool=pool)) == cause


def test_an_account_that_was_asked_for_tells_of_no_failure():
    shown = JULIA.format(pool="Memory pool usage: 64.000 MiB (96.000 MiB reserved)")
    first = "ERROR: Out of GPU memory trying to allocate 256.000 MiB\n"
    assert ruled(shown.replace(first, "julia> CUDA.memory_status()\n")) == "unknown"


# -- JAX before PyTorch, by its log --------------------------------------------------------------
NO_TPU = "INFO:jax._src.xla_bridge:Unable to initialize backend 'tpu': INTERNAL: no libtpu.so"
NO_CUDA = "INFO:jax._src.xla_bridge:Unable to initialize backend 'cuda': no plugin"
NO_ROCM = "I0301 09:00:01.000 71 xla_bridge.py:353] Unable to initialize backend 'rocm': NOT_FOUND"
FOLDED = "I0301 09:01:17 run.py:190] Total JAX model model_3 predict time (includes compile): 9s"
FAILED = (
    "RuntimeError: CUDA out of memory. Tried to allocate 40.00 MiB (GPU 0; 31.75 GiB total "
    "capacity; 0 bytes already allocated; 20.50 MiB free; 0 bytes reserved in total by PyTorch)"
)


@pytest.mark.parametrize("log", [NO_TPU, NO_ROCM, FOLDED])
def test_jax_began_in_the_log_above_what_pytorch_did_not_get(log: str):
    assert ruled(f"{log}\n{FAILED}\n") == "oom-preallocation"


@pytest.mark.parametrize(
    "pasted",
    [
        FAILED,
        f"{FAILED}\n{NO_TPU}",  # the next program
        f"{NO_TPU}\n{NO_CUDA}\n{FAILED}",  # JAX is on the CPU
        f"{NO_TPU}\nNo GPU/TPU found, falling back to CPU.\n{FAILED}",
        f"export XLA_PYTHON_CLIENT_PREALLOCATE=false\n{FOLDED}\n{FAILED}",
        f"Our JAX model predicts well.\n{FAILED}",
    ],
)
def test_where_jax_keeps_nothing_others_hold_it(pasted: str):
    assert ruled(pasted + "\n") == "oom-other-process"


# -- where, on Windows ---------------------------------------------------------------------------
WHERE = """OS: Windows 11
GPU: NVIDIA RTX 4000
xgboost.core.XGBoostError: XGBoost Library (xgboost.dll) could not be loaded.
{prompt}where{exe} {files}
{answer}
"""
FOUND_NONE = "INFO: Could not find files for the given pattern(s)."


@pytest.mark.parametrize(
    ("prompt", "exe", "files", "answer"),
    [
        ("C:\\>", "", "vcomp140.dll msvcp140.dll", FOUND_NONE),
        ("PS C:\\work> ", ".exe", "msvcp140.dll", FOUND_NONE),
        (
            *("C:\\>", "", "kernel32.dll vcruntime140_1.dll"),
            'C:\\Windows\\System32\\kernel32.dll\nINFO: Could not find "vcruntime140_1.dll".',
        ),
    ],
)
def test_windows_does_not_find_the_run_time(prompt: str, exe: str, files: str, answer: str):
    asked = WHERE.format(prompt=prompt, exe=exe, files=files, answer=answer)
    assert ruled(asked) == "msvc-runtime-missing"


@pytest.mark.parametrize(
    ("files", "answer"),
    [
        ("msvcp140.dll", "C:\\Windows\\System32\\msvcp140.dll"),
        ("cudart64_110.dll", FOUND_NONE),  # frameworks keep theirs on no search path
    ],
)
def test_what_windows_finds_or_need_not_find_is_no_fault(files: str, answer: str):
    asked = WHERE.format(prompt="C:\\>", exe="", files=files, answer=answer)
    assert ruled(asked) == "unknown"


# -- Faiss for both ------------------------------------------------------------------------------
FAISS = """GPU: Tesla T4
{installed}
AttributeError: module 'faiss' has no attribute '{lacks}'
"""


@pytest.mark.parametrize(
    ("installed", "lacks", "cause"),
    [
        ("faiss-cpu==1.8.0\nfaiss-gpu==1.7.2", "StandardGpuResources", "mixed-installs"),
        ("faiss-cpu==1.8.0\nfaiss-gpu-cu12==1.8.0.2", "get_num_gpus", "mixed-installs"),
        ("faiss-cpu==1.8.0", "StandardGpuResources", "cpu-only-build"),
    ],
)
def test_faiss_for_the_cpu_lies_over_that_for_the_gpu(installed: str, lacks: str, cause: str):
    assert ruled(FAISS.format(installed=installed, lacks=lacks)) == cause


# -- Spark's plan --------------------------------------------------------------------------------
LEFT_OUT = "!Exec <ProjectExec> cannot run on GPU because not all expressions can be replaced"
SPARK = """GPU: 1x A10, driver 535.104.05
WARN RapidsPluginUtils: RAPIDS Accelerator is enabled.
{plan}
{told}
"""


@pytest.mark.parametrize(
    ("plan", "told", "cause"),
    [
        (LEFT_OUT, "GPU-Util stays at 0% during the query.", "silent-cpu-fallback"),
        (LEFT_OUT, "The query is done in 3 minutes.", "unknown"),  # most plans have such parts
        ("*Exec <ProjectExec> will run on GPU", "GPU-Util stays at 0%.", "unknown"),
    ],
)
def test_spark_tells_what_it_leaves_to_the_cpu(plan: str, told: str, cause: str):
    assert ruled(SPARK.format(plan=plan, told=told)) == cause
