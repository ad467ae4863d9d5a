"""Statements without a code are recognised by their stable words, with what they carry."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuprobe.facts import said
from gpuprobe.facts.pasted import signs
from gpuprobe.facts.pasted.text import Text
from gpuprobe.facts.pasted.wordings import harmless
from gpuprobe.facts.pasted.wrapped import LINE_LIMIT

TABLE = signs.table()
EVERY = (*TABLE, *harmless.SIGNS)


def made(pasted: str) -> dict[str, object]:
    return {
        key.name.removeprefix("sign."): getattr(fact, "value", None)
        for key, fact in signs.read(Text(pasted))
    }


def test_ids_are_unique_and_fit_into_a_name() -> None:
    ids = [sign.id for sign in TABLE]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", each) for each in ids)


#: What takes more than one line to tell, so that a reader of its own says it.
OF_READERS = {
    "compose-used",
    "dkms-of-others",
    "got-cpu-build-told",
    "gpu-timed-told",
    "memory-held-by-orphan",
    "missing-in-wheel-told",
    "model-not-moved",
    "nvml-answered",
    "python-floor-told",
    "smi-answers-inside",
    "smi-off-the-path",
}


def test_circumstances_are_statements_of_the_table() -> None:
    assert {sign.id for sign in TABLE} | OF_READERS >= said.CIRCUMSTANCES


@pytest.mark.parametrize("sign", EVERY, ids=lambda sign: sign.id)
def test_a_row_can_be_searched_for(sign: signs.Sign) -> None:
    assert sign.means
    assert sign.cues
    assert all(cue == cue.lower() and len(cue.encode()) > 3 for cue in sign.cues)
    re.compile(sign.pattern)


@pytest.mark.parametrize(
    ("pasted", "expected"),
    [
        ("AssertionError: Torch not compiled with CUDA enabled", {"torch-without-cuda": ...}),
        (
            "The NVIDIA driver on your system is too old (found version 11040). Please update",
            {"torch-driver-too-old": "11040"},
        ),
        (
            (
                "NVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible "
                "with the current PyTorch installation."
            ),
            {"torch-capability-not-covered": "sm_120"},
        ),
        (
            "    The minimum cuda capability supported by this library is 3.7.",
            {"torch-minimum-capability": "3.7"},
        ),
        (
            "    Minimum and Maximum cuda capability supported by this version of PyTorch is\n",
            {},
        ),
        (
            (
                "RuntimeError: cuDNN version incompatibility: PyTorch was compiled  "
                "against (9, 1, 0) but found runtime version (8, 9, 2)."
            ),
            {"torch-cudnn-versions-differ": "9, 1, 0 8, 9, 2"},
        ),
        (
            (
                "W gpu_device.cc:1850] TensorFlow was not built with CUDA kernel "
                "binaries compatible with compute capability 12.0. CUDA kernels will "
                "be jit-compiled from PTX"
            ),
            {"tf-kernels-not-for-gpu": "12.0"},
        ),
        (
            (
                "Ignoring visible gpu device (device: 0, name: Quadro K4000, pci bus "
                "id: 0000:05:00.0, compute capability: 3.0) with Cuda compute "
                "capability 3.0. The minimum required Cuda capability is 3.5."
            ),
            {"tf-gpu-ignored-capability": "3.0 3.5"},
        ),
        (
            "Could not create cudnn handle: CUDNN_STATUS_INTERNAL_ERROR",
            {"tf-cudnn-handle": "CUDNN_STATUS_INTERNAL_ERROR"},
        ),
        (
            (
                "An NVIDIA GPU may be present on this machine, but a CUDA-enabled "
                "jaxlib is not installed. Falling back to cpu."
            ),
            {"jax-without-cuda": ..., "jax-fell-back-to-cpu": ...},
        ),
        (
            (
                "RuntimeError: Found cuSOLVER version 11405, but JAX was built against "
                "version 11502, which is newer."
            ),
            {"jax-library-older-than-built": "cuSOLVER 11405 11502"},
        ),
        (
            (
                "JAX plugin jax_cuda12_plugin version 0.4.34 is installed, but it is "
                "not compatible with the installed jaxlib version 0.4.33, so it will "
                "not be used."
            ),
            {"jax-plugin-mismatch": "0.4.34 0.4.33"},
        ),
        (
            "Failed to create CUDAExecutionProvider. Require cuDNN 9.* and CUDA 12.*.",
            {"ort-provider-failed": "CUDAExecutionProvider", "ort-requires": "9 12"},
        ),
        (
            (
                "UserWarning: Specified provider 'CUDAExecutionProvider' is not in "
                "available provider names.Available providers: "
                "'AzureExecutionProvider, CPUExecutionProvider'"
            ),
            {"ort-provider-not-in-build": "CUDAExecutionProvider"},
        ),
        (
            "    PyTorch 2.0.1 (you have 2.1.0+cu121)",
            {"xformers-other-torch": "2.0.1 2.1.0+cu121"},
        ),
        (
            (
                "RuntimeError: The detected CUDA version (11.4) mismatches the version "
                "that was used to compile PyTorch (12.1). Please make sure to use the "
                "same CUDA versions."
            ),
            {"build-cuda-mismatch": "11.4 12.1"},
        ),
        (
            (
                ">- DeepSpeed Op Builder: Installed CUDA version 12.0 does not match the version "
                "torch was compiled with 11.7, unable to compile cuda/cpp extensions"
            ),
            {"build-cuda-mismatch": "12.0 11.7"},
        ),
        (
            "flash_attn was built with CUDA 12.1, but PyTorch is of 11.8",
            {"extension-built-for-other": "CUDA 12.1 11.8"},
        ),
        (
            "#error -- unsupported GNU version! gcc versions later than 8 are not supported!",
            {"nvcc-host-compiler": "8"},
        ),
        (
            "nvcc fatal   : Unsupported gpu architecture 'compute_86'",
            {"nvcc-arch-unknown": "compute_86"},
        ),
        (
            "ptxas a.ptx, line 9; fatal   : Unsupported .version 8.5; current version is '7.5'",
            {"ptx-version-unsupported": "8.5 7.5"},
        ),
        ("/bin/sh: 1: nvcc: not found", {"nvcc-not-found": ...}),
        ("bash: nvidia-smi: command not found", {"smi-not-found": ...}),
        (
            "'nvidia-smi' is not recognized as an internal or external command,",
            {"smi-not-found": ...},
        ),
        (
            (
                'docker: Error response from daemon: could not select device driver "" '
                "with capabilities: [[gpu]]."
            ),
            {"docker-no-device-driver": ...},
        ),
        (
            (
                "nvidia-container-cli: requirement error: unsatisfied condition: "
                "cuda>=12.4, please update your driver"
            ),
            {"container-requirement": "cuda>=12.4", "container-cli-error": ...},
        ),
        (
            (
                "WARNING: The NVIDIA Driver was not detected.  GPU functionality will "
                "not be available."
            ),
            {"container-banner-no-driver": ...},
        ),
        (
            (
                "fabric manager NVIDIA GPU driver interface version 590.48.01 don't "
                "match with driver version 580.126.09."
            ),
            {"fabric-version-mismatch": "590.48.01 580.126.09"},
        ),
        ("SW Power Cap                      : Active", {"power-capped": ...}),
        (
            (
                "ERROR: torch-2.0.0-cp310-cp310-linux_x86_64.whl is not a supported "
                "wheel on this platform."
            ),
            {"pip-wheel-not-supported": "torch-2.0.0-cp310-cp310-linux_x86_64.whl"},
        ),
        (
            "ERROR: No matching distribution found for torch==1.7.1+cu110",
            {"pip-no-distribution": "torch==1.7.1+cu110"},
        ),
        (
            (
                "ValueError: numpy.dtype size changed, may indicate binary "
                "incompatibility. Expected 96"
            ),
            {"numpy-abi": "numpy.dtype"},
        ),
        (
            (
                "A module that was compiled using NumPy 1.x cannot be run in NumPy "
                "2.0.0 as it may crash"
            ),
            {"numpy-abi-2": "2.0.0", "numpy-compiled-and-found": "NumPy 2.0.0"},
        ),
        (
            "include/shm.h:28 NCCL WARN Call to posix_fallocate failed : No space left on device",
            {"nccl-shared-memory": "No space left on device", "nccl-warning": ...},
        ),
        (
            "modprobe: ERROR: could not insert 'nvidia': No such device",
            {"module-no-device": "No such device"},
        ),
        (
            "modprobe: ERROR: could not insert 'nvidia': Required key not available",
            {"module-not-accepted": ...},
        ),
        (
            "InternalError: Dst tensor is not copied.",
            {"framework-out-of-memory": ...},
        ),
    ],
)
def test_a_statement_is_recognised_with_what_it_carries(
    pasted: str, expected: dict[str, object]
) -> None:
    found = made(pasted)
    assert set(found) == set(expected)
    for name, value in expected.items():
        assert value is ... or found[name] == value


@pytest.mark.parametrize(
    "pasted",
    [
        "SW Power Cap                      : Not Active",
        "HW Slowdown : Not Active",
        "nvidia-smi shows the GPU, so the driver was found",
        "nvcc --version",
        "Could not find cuda drivers for this question in the manual? No.",
        "no fabric was torn",
        "Fabric\n    State : Completed",
        "cuda: the GPU is fine, torch.cuda.is_available() is True",
        "docker run --runtime=nvidia image",
        "TensorFlow was built with CUDA support",
        "gpu.compute_capability: 8.6",
        "MIG mode: Disabled",
        "| N/A   34C    P0    52W / 400W |      0MiB / 40960MiB |      0%      Default |",
        "Requirement already satisfied: torch",
        "NCCL INFO Bootstrap : Using eth0",
        "Row Remapper Pending : No",
        "nvlink error   : Undefined reference to 'f' in 'a.o'",
        "OOM when allocating ResourceExhaustedError on device:CPU:0 by allocator cpu",
    ],
)
def test_a_healthy_line_makes_no_statement(pasted: str) -> None:
    expected = {"tf-no-cuda-drivers"} if "Could not find cuda drivers" in pasted else set()
    assert set(made(pasted)) - expected == set()


def test_the_first_line_that_says_it_counts() -> None:
    text = "x\nnvcc fatal : Unsupported gpu architecture 'compute_86'\n" * 2
    [(_, fact)] = signs.read(Text(text))
    assert fact.source == "line 2 of the text"


@pytest.mark.parametrize("sign", EVERY, ids=lambda sign: sign.id)
def test_a_line_full_of_one_cue_is_read_in_passing(sign: signs.Sign) -> None:
    for cue in sign.cues:
        Text((cue + " ") * (LINE_LIMIT // len(cue)))
        sign.read((cue + " ") * (LINE_LIMIT // len(cue)))


@given(st.text(max_size=200), st.sampled_from([cue for sign in EVERY for cue in sign.cues]))
def test_no_text_breaks_the_reader(noise: str, cue: str) -> None:
    made(noise + cue + noise)


RPM = "  file /usr/lib/udev/rules.d/60-nvidia.rules {} nvidia-kmod-common-3:545.29.02-5.fc39.noarch"
OF_RPM = (
    "from install of xorg-x11-drv-nvidia-3:535.129.03-2.fc39.x86_64 conflicts with {} from package"
)


@pytest.mark.parametrize(
    ("line", "sign"),
    [
        (RPM.format(OF_RPM.format("file")), "os-package-broken"),
        (RPM.format("conflicts between attempted installs of"), "os-package-broken"),
        (
            "file /usr/bin/perl conflicts between attempted installs of perl-5.38 and perl-5.40",
            None,
        ),
        ("NVRM: GPU6 RmInitAdapter: Cannot initialize GSP firmware RM", "gpu-not-started"),
        ("/dev/nvhost-gpu: Permission denied", "board-memory-refused"),
        ("FileNotFoundError: Could not find module 'C:\\nvvm64_40_0.dll'", "numba-no-libnvvm"),
        ("No CMAKE_CUDA_COMPILER could be found.", "cmake-no-cuda-compiler"),
        # GPUs that are no part of it: nothing is wrong with MIG.
        ("No MIG-supported devices found.", None),
    ],
)
def test_a_message_is_read_by_a_cue_of_its_own(line: str, sign: str | None) -> None:
    assert set(made(line)) == ({sign} if sign else set())


@pytest.mark.parametrize(
    ("told", "idle"),
    [
        ("The memory of the GPU is occupied but its utilization stays at 0.", True),
        ("Data lies on the GPU, yet its load is always 0", True),
        ("All the work is done by the CPU, no error.", True),
        ("Everything is computed on the CPU", True),
        ("All of it is done on the CPU side of the bus", False),
        ("The GPU is hot and its load is 0.97 of the limit", False),
        ("The GPU is new and its price is 0", False),
    ],
)
def test_the_load_of_a_gpu_is_told_behind_its_name(told: str, idle: bool) -> None:
    assert ("told-idle" in made(told)) is idle
