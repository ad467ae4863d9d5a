"""A container with one part of the driver, which lacks that for computing."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import finding

RUN = "docker run {options} {image} bash\n"
INSIDE = """| NVIDIA-SMI 535.129.03             Driver Version: 535.129.03   CUDA Version: {cuda} |
|   0  Tesla T4                       On  | 00000000:00:1E.0 Off |                    0 |
| N/A   31C    P8               9W /  70W |      2MiB / 15360MiB |      0%      Default |
"""
FOR_CUDA = RUN.format(options="--rm -it --gpus all", image="nvidia/cuda:12.2.0-base-ubuntu22.04")
OTHER = RUN.format(options="--rm -it --gpus all", image="grafana/agent:v0.40")


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (FOR_CUDA + INSIDE.format(cuda="N/A"), "container-no-gpu"),
        (FOR_CUDA.replace("--gpus all", "--runtime=nvidia") + INSIDE.format(cuda="N/A"),
         "container-no-gpu"),
        (OTHER + INSIDE.format(cuda="N/A") + ">>> torch.cuda.is_available()\nFalse\n",
         "container-no-gpu"),
        (FOR_CUDA + INSIDE.format(cuda="12.2"), "healthy"),
        (OTHER + INSIDE.format(cuda="N/A"), "healthy"),  # what only watches needs no CUDA
        (INSIDE.format(cuda="N/A"), "healthy"),
    ],
)  # fmt: skip
def test_nvidia_smi_works_inside_and_tells_no_cuda(text: str, cause: str):
    assert ruled(text) == cause


def test_a_container_is_given_the_part_for_computing():
    found = finding(FOR_CUDA + INSIDE.format(cuda="N/A"))
    assert found.title.endswith("nvidia-smi works, and the driver's libcuda is missing")
    assert found.fix is not None
    assert "NVIDIA_DRIVER_CAPABILITIES=compute,utility" in found.fix.commands[0]
    assert "on the host" in found.fix.text
