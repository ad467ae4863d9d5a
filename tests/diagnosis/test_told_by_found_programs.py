"""What a probe, a prompt, a comparison, a fork's folder or a broken line says of a machine."""

from __future__ import annotations

import pytest

from support.cases import ruled

OPERATOR = """Environment: kubernetes
GPU: L40S
$ kubectl describe pod {pod}
  Warning  Unhealthy  3m   kubelet  {probe} probe failed: No devices were found
"""


@pytest.mark.parametrize(
    ("pod", "probe", "cause"),
    [
        ("nvidia-driver-daemonset-x7k2p", "Startup", "device-lost"),
        ("my-training-job", "Liveness", "unknown"),
    ],
)
def test_the_drivers_own_container_is_given_all_gpus(pod: str, probe: str, cause: str):
    assert ruled(OPERATOR.format(pod=pod, probe=probe)) == cause


NO_DRIVER = "RuntimeError: Found no NVIDIA driver on your system. Please check that you have one\n"


@pytest.mark.parametrize(
    ("before", "cause"),
    [
        ('File "D:\\ai\\ComfyUI-Zluda\\execution.py", line 3, in run\n', "no-nvidia-gpu"),
        ("Launching Web UI with arguments: --use-directml --medvram\n", "no-nvidia-gpu"),
        ("Somebody recommended a build with --use-directml\n", "driver-missing"),
        (
            'GPU: RTX 3060\n  File "D:\\ai\\ComfyUI-Zluda\\execution.py", line 3, in run\n',
            "driver-missing",
        ),
        ("Cannot start the server on my AMD graphics card under Windows 11\n", "no-nvidia-gpu"),
        ("Cannot start the server on AMD hosts of our cluster\n", "driver-missing"),
        ("If it does not start on an AMD GPU with Windows, read this\n", "driver-missing"),
    ],
)
def test_a_program_for_other_makers_gpus_finds_no_driver(before: str, cause: str):
    assert ruled(before + NO_DRIVER) == cause


@pytest.mark.parametrize(
    ("message", "cause"),
    [
        ("host_config.h:105:2: error: #error -- unsupported\nGNU version! gcc", "toolkit-mismatch"),
        ("GNU version! gcc 4.7 and up are not supported!", "toolkit-mismatch"),
        ("configure: gcc 4.7 and up are supported", "unknown"),
    ],
)
def test_nvccs_refusal_of_a_compiler_is_broken_into_lines(message: str, cause: str):
    assert ruled(f"$ nvcc -c kernel.cu\n{message}\n") == cause


SPLIT = """| NVIDIA-SMI 550.54.15    Driver Version: 550.54.15    CUDA Version: 12.4     |
|   0  NVIDIA H100 80GB HBM3       On  | 00000000:1A:00.0 Off |                   On |
| N/A   30C    P0              70W / 700W |                  N/A |     N/A      Default |
|                                         |                      |              Enabled |
"""


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("our scheduler does not see any mig devices", "mig"),
        ("MIG slices are not listed by the exporter", "mig"),
        ("our scheduler sees the mig devices", "healthy"),
        ("should it not find mig devices, restart it", "healthy"),
    ],
)
def test_somebody_says_that_the_instances_are_not_found(told: str, cause: str):
    assert ruled(f"{told}\n\n{SPLIT}") == cause


JULIA = """julia> using CUDA
julia> {first}
{gave}
"""


@pytest.mark.parametrize(
    ("first", "gave", "verdict"),
    [
        ("x = CUDA.rand(2, 2)", "2\u00d72 CuArray{Float32, 2}:\n 0.1  0.2\n 0.3  0.4", "healthy"),
        ("x = cu([1, 2]);\njulia> sum(x)", "3", "healthy"),
        ("begin\n         y = CuArray(rand(8))\n         sum(y)\n       end", "4.2", "healthy"),
        ("x = rand(2)\njulia> sum(x)", "0.7", "unknown"),
        ("x = CUDA.rand(2, 2)", "ERROR: something went wrong", "unknown"),
        ("CUDA.functional()", "false", "unknown"),
        ("x = cu([1, 2]);", "and there it hangs", "unknown"),
    ],
)
def test_julia_shows_what_a_command_with_an_array_of_the_gpu_gave(
    first: str, gave: str, verdict: str
):
    assert ruled(JULIA.format(first=first, gave=gave)) == verdict


@pytest.mark.parametrize(
    ("message", "cause"),
    [
        ("ERROR: UndefVarError: `libcudnn` not defined", "cudnn-missing"),
        ("Error: cuDNN is not available for your platform (x86_64-linux-gnu)", "cudnn-missing"),
        ("ERROR: UndefVarError: `libfoo` not defined", "healthy"),
    ],
)
def test_cudnn_of_julia_lacks_its_library(message: str, cause: str):
    shown = JULIA.format(first="x = CUDA.rand(4)", gave="4-element CuArray{Float32, 1}:")
    assert ruled(f"{shown}\njulia> softmax(x)\n{message}\n") == cause


COMPARED = """torch: 2.6.0+cu124
y = torch.linalg.det(x)
y_cuda = torch.linalg.det(x.to("cuda"))
{asked}
{gave}
"""


@pytest.mark.parametrize(
    ("asked", "gave", "verdict"),
    [
        ("print(torch.allclose(y.cpu(), y_cuda.cpu()))", "False", "healthy"),
        ("print(torch.allclose(y_cpu, y_cuda, atol=1e-3))  # True", "", "healthy"),
        ("print(torch.allclose(y, z))", "False", "unknown"),
        ("print(torch.allclose(y_cpu, z))  # not on cuda yet", "False", "unknown"),
        ("print(torch.allclose(y.cpu(), y_cuda.cpu()))", "Killed", "unknown"),
    ],
)
def test_results_of_both_devices_are_compared(asked: str, gave: str, verdict: str):
    assert ruled(COMPARED.format(asked=asked, gave=gave)) == verdict


SESSION = """{told}
Applied providers: ['CPUExecutionProvider'], with options: {{'CPUExecutionProvider': {{}}}}
"""


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ("we have installed only `onnxruntime-gpu` in this image", "silent-cpu-fallback"),
        ("I only installed onnxruntime-gpu", "silent-cpu-fallback"),
        ("should I have only installed onnxruntime-gpu?", "unknown"),
        ("I have installed onnxruntime-gpu as well", "unknown"),
    ],
)
def test_somebody_says_that_no_other_package_of_onnx_runtime_is_there(told: str, cause: str):
    assert ruled(SESSION.format(told=told)) == cause
