"""Work that the CPU does beside a GPU that works, told by runners of language models and others."""

from __future__ import annotations

import pytest

from gpuprobe.facts import said
from gpuprobe.facts.pasted import read
from support.cases import ruled

LAYERS = "load_tensors: offloaded {}/33 layers to GPU\n"
DEVICES = "ggml_cuda_init: found 1 CUDA devices:\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (DEVICES + LAYERS.format(0), "silent-cpu-fallback"),
        # Llama is asked to put no layer on the GPU.
        ("llm_load_tensors: offloading 0 repeating layers to GPU", "silent-cpu-fallback"),
        ("llama_model_load_internal: [cublas] offloading 0 layers to GPU", "silent-cpu-fallback"),
        ("llama_model_load_internal: [cublas] offloading 20 layers to GPU", "unknown"),
        ("ollama[7]: llm_load_tensors: offloading 0 repeating layers to GPU", "unknown"),
        ("llm_load_tensors: offloading 10 repeating layers to GPU", "unknown"),
        (
            (
                "You have loaded an EETQ model on CPU and have a CUDA device available, make sure"
                " to set your model on a GPU device in order to run your model."
            ),
            "silent-cpu-fallback",
        ),
        (
            "You have loaded an FP8 model on CPU and have a CUDA or XPU device available, make",
            "silent-cpu-fallback",
        ),
        ("Have you loaded a model on CPU though you have a CUDA device available?", "unknown"),
        (
            (
                "WARNING tune.py:801 -- Tune detects GPUs, but no trials are using GPUs. To enable"
                " trials to use GPUs, set tune.run(resources_per_trial={'gpu': 1}...)"
            ),
            "silent-cpu-fallback",
        ),
        ("Tune detects GPUs, and its trials are using them", "unknown"),
    ],
)
def test_work_that_the_cpu_does_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "Encoder Preset quality\nencode time 0:03:07, CPU: 92.0%, GPU: 0.0%, VE: 0.0%",
    ],
)
def test_kin_of_work_that_the_cpu_does_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        ("GPU-Util stays 0%, and the cores are busy", "silent-cpu-fallback"),
        ("GPU-Util stays at 98%", "healthy"),
    ],
)
def test_the_column_of_nvidia_smi_is_told_of(words: str, cause: str):
    assert ruled(f">>> cv2.cuda.getCudaEnabledDeviceCount()\n1\n{words}\n") == cause


NOTHING = "unknown", "healthy"
LAMMPS = (
    "GPU package API: CUDA\nCompatible GPU present: yes\n$ mpirun -np 8 lmp{option} -in in.lj\n"
    "LAMMPS (23 Jun 2022)\nLoop time of 204.518 on 8 procs for 100 steps with 16384000 atoms\n"
    "|   0  NVIDIA GeForce ...  Off  | 00000000:01:00.0  On |                  N/A |\n"
    "|  0%   38C    P8    21W / 350W |    412MiB / 12288MiB |      1%      Default |\n"
)


def test_lammps_ends_without_its_gpu_package():
    assert ruled(LAMMPS.format(option="")) == "silent-cpu-fallback"
    assert ruled(LAMMPS.format(option=" -sf gpu")) in NOTHING


STARTED = "ggml_cuda_init: {}\nllm_load_tensors: offloaded 33/33 layers to GPU\n"


def test_a_llama_that_could_not_start_cuda_put_no_layer_there():
    failed = "failed to initialize CUDA: no CUDA-capable device is detected"
    assert ruled(STARTED.format("found 1 CUDA devices:")) == "healthy"
    assert ruled(STARTED.format(failed)) != "healthy"


WHISPER = "UserWarning: FP16 is not supported on CPU; using FP32 instead\n"


@pytest.mark.parametrize(("sees", "cause"), [("True", "silent-cpu-fallback"), ("False", None)])
def test_whisper_on_the_cpu_beside_a_gpu_that_torch_sees(sees: str, cause: str | None):
    named = ruled(f"{WHISPER}>>> torch.cuda.is_available()\n{sees}\n")
    assert (named == "silent-cpu-fallback") is (cause is not None)


@pytest.mark.parametrize(
    ("code", "cause"),
    [
        ("model = Whisper(path, use_gpu=False, language='de')", "silent-cpu-fallback"),
        (
            "sess = InferenceSession(path, providers=['CPUExecutionProvider'])",
            "silent-cpu-fallback",
        ),
        ("model = Whisper(path, use_gpu=True, language='de')", "unknown"),
    ],
)
def test_code_asks_for_the_cpu_and_somebody_wonders(code: str, cause: str):
    assert ruled(f"GPU: RTX 3060\nit runs on the CPU instead of the GPU\n\n    {code}\n") == cause


# -- what is there and not asked for -------------------------------------------------------------
BLENDER = """GeForce RTX 3080
>>> [(d.name, d.use) for d in bpy.context.preferences.addons['cycles'].preferences.devices]
[('NVIDIA GeForce RTX 3080', {ticked}), ('Intel Core i9', False)]
>>> bpy.context.scene.cycles.device
'{device}'
"""


@pytest.mark.parametrize(
    ("ticked", "device", "falls"),
    [(True, "CPU", True), (True, "GPU", False), (False, "CPU", False)],
)
def test_a_scene_of_blender_is_rendered_where_it_says(ticked: bool, device: str, falls: bool):
    assert (ruled(BLENDER.format(ticked=ticked, device=device)) == "silent-cpu-fallback") is falls


LAMMPS_BUILT = """$ cmake ../cmake -D {built}
$ nvidia-smi -L
GPU 0: Tesla V100-SXM2-16GB (UUID: GPU-11111111-1111-1111-1111-111111111111)
$ mpirun -np 8 lmp {asked}-in in.lj
LAMMPS (2 Aug 2023)
{told}Loop time of 20.1 on 8 procs for 100 steps with 32000 atoms
99.1% CPU use with 8 MPI tasks x 1 OpenMP threads
"""


@pytest.mark.parametrize(
    ("built", "asked", "told", "falls"),
    [
        ("PKG_GPU=on", "", "", True),
        ("PKG_GPU=on", "-sf gpu ", "", False),
        ("PKG_GPU=on", "", "- Using acceleration for lj/cut:\n", False),
        ("PKG_GPU=on", "", "suffix gpu\n", False),
        ("PKG_MOLECULE=on", "", "", False),
    ],
)
def test_lammps_uses_its_gpu_package_where_it_is_asked_to(
    built: str, asked: str, told: str, falls: bool
):
    text = LAMMPS_BUILT.format(built=built, asked=asked, told=told)
    assert (ruled(text) == "silent-cpu-fallback") is falls


LAMMPS_WITH_GPU = """-D PKG_GPU=on
$ mpirun lmp -in in.melt
{head}99.5% CPU use with 4 MPI tasks x 1 OpenMP threads
GPU 0: NVIDIA A100 (UUID: GPU-aa)
"""


@pytest.mark.parametrize(
    ("head", "found"), [("", False), ("LAMMPS (2 Aug 2023 - Update 1)\n", True)]
)
def test_the_end_of_a_log_does_not_tell_how_it_began(head: str, *, found: bool):
    assert (ruled(LAMMPS_WITH_GPU.format(head=head)) == "silent-cpu-fallback") is found


FEW = "llm_load_tensors: offloaded 2/33 layers to GPU\n"


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("It takes minutes for an answer.\n", "silent-cpu-fallback"),
        ("The text that comes out is garbage.\n", "healthy"),
        ("It generates nothing but gibberish\n", "healthy"),
    ],
)
def test_few_layers_by_choice_are_no_matter_of_what_comes_out(told: str, cause: str) -> None:
    assert ruled(told + FEW) == cause


def test_a_llama_that_started_cuda_after_a_failure_put_its_layers_there():
    failed = "ggml_cuda_init: failed to initialize CUDA: no CUDA-capable device is detected\n"
    later = "ggml_cuda_init: found 1 CUDA devices:\n"
    facts = read(f"{failed}{later}llm_load_tensors: offloaded 33/33 layers to GPU\n")
    assert facts.known(said.FRAMEWORK_COMPUTED("llama-cpp-python")) is True


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("Can't use GPU pipeline with CPU Physics. Changing pipeline.", "silent-cpu-fallback"),
        ("GPU Pipeline: enabled", "unknown"),
    ],
)
def test_isaac_gym_was_given_the_cpu(line: str, cause: str):
    assert ruled(line) == cause
