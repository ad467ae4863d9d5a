"""A host and what runs on it: containers, instances, virtual machines, a cluster's plug-in."""

from __future__ import annotations

import gpuprobe
from support.cases import ruled

NOTHING = "unknown", "healthy"
SEEN = '$ python3 -c "import torch; print(torch.cuda.is_available())"\nTrue\n'
CDI = (
    "$ podman run --rm --device nvidia.com/gpu=all img nvidia-smi\n"
    "Error: setting up CDI devices: unresolvable CDI devices nvidia.com/gpu=all\n"
)
DOCKER = (
    "docker: Error response from daemon: could not select device driver "
    '"" with capabilities: [[gpu]].\n'
)


def test_the_host_sees_its_gpu_and_the_engine_cannot_hand_it_on():
    assert ruled(SEEN + CDI) == "container-no-gpu"
    assert ruled(SEEN + DOCKER) == "container-no-gpu"
    assert ruled(SEEN) in NOTHING


def test_a_description_that_is_missing_is_written():
    described, set_up = (gpuprobe.explain(text).diagnosis.root for text in (CDI, DOCKER))
    assert described is not None
    assert set_up is not None
    assert described.finding.fix.commands[0].startswith("sudo nvidia-ctk cdi generate")
    assert "sudo nvidia-ctk runtime configure --runtime=docker" in set_up.finding.fix.commands


CLI = "nvidia-container-cli: device error: {id}: unknown device: unknown.\n"


def test_an_instance_that_the_container_tools_do_not_know():
    assert ruled("GPU: H200 with MIG\n" + CLI.format(id="0:2")) == "mig"
    assert ruled(CLI.format(id="7")) == "hidden-by-visible-devices"


PLUGIN = (
    "I0401 23:26:45.144 1 factory.go:107] Detected NVML platform: found NVML library\n"
    "I0401 23:26:45.145 1 factory.go:107] Detected non-Tegra platform: "
    "/sys/devices/soc0/family file not found\n"
)


def test_the_plugin_refuses_how_mig_is_set_up():
    refused = (
        "E0401 23:26:48.266 1 main.go:123] error starting plugins: error building device map "
        "from config.resources: invalid MIG configuration: error visiting devices\n"
    )
    assert ruled(PLUGIN + refused) == "mig"


def test_the_plugin_works_on_a_node_that_is_no_board():
    assert ruled(PLUGIN) in NOTHING
    without = "Detected non-NVML platform: could not load NVML library\n"
    assert ruled(PLUGIN.replace("Detected NVML platform: found NVML library", without)) == (
        "container-no-gpu"
    )


HOST = (
    "root@pve:~# lspci -nn | grep -i vga\n01:00.0 VGA compatible controller [0300]: NVIDIA "
    "Corporation GP106 [GeForce GTX 1060 6GB] [10de:1c03] (rev a1)\n"
)
GUEST = (
    "user@{name}:~$ lspci -nn | grep -i -E 'vga|nvidia'\n"
    "00:01.0 VGA compatible controller [0300]: Device [1234:1111] (rev 02)\n"
)
SMI = (
    "user@{name}:~$ nvidia-smi\nNVIDIA-SMI has failed because it couldn't communicate with the "
    "NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.\n"
)


def test_the_host_has_a_gpu_and_its_guest_has_none():
    assert ruled(HOST + GUEST.format(name="vm") + SMI.format(name="vm")) == "no-nvidia-gpu"


def test_one_machine_has_both_devices():
    text = GUEST.format(name="pve") + HOST + SMI.format(name="pve")
    assert ruled(text) == "driver-not-loaded"


SPACY = '$ python -c "import spacy; print(spacy.prefer_gpu())"\n{answer}\n'
TRAIN = "$ python -m spacy train config.cfg\n\u2139 Saving to output directory: out\n"


def test_spacy_has_a_gpu_and_was_not_told_to_use_it():
    cpu = SPACY.format(answer="True") + TRAIN + "\u2139 Using CPU\n"
    assert ruled(cpu) == "silent-cpu-fallback"
    assert ruled(SPACY.format(answer="True") + TRAIN + "\u2139 Using GPU: 0\n") in NOTHING
    assert ruled(SPACY.format(answer="False") + TRAIN + "\u2139 Using CPU\n") != (
        "silent-cpu-fallback"
    )


INSPECT = '{{\n  "Runtime": "{runtime}",\n  "DeviceRequests": {requests},\n  "Devices": null\n}}\n'
NO_GPU = (
    'raise RuntimeError("No CUDA GPUs are available")\nRuntimeError: No CUDA GPUs are available\n'
)


def test_docker_tells_that_no_gpu_was_asked_for():
    assert ruled(NO_GPU + INSPECT.format(runtime="runc", requests="null")) == "container-no-gpu"
    assert ruled(NO_GPU + INSPECT.format(runtime="runc", requests="[]")) == "container-no-gpu"
    assert ruled(INSPECT.format(runtime="runc", requests="null")) in NOTHING


def test_docker_tells_that_one_was_asked_for():
    for asked in (
        INSPECT.format(runtime="nvidia", requests="null"),
        INSPECT.format(runtime="runc", requests='[\n    {"Driver": "nvidia"}\n  ]'),
    ):
        assert ruled(NO_GPU + asked) != "container-no-gpu"


SLOT = "ValueError: No slot '4' specified on host 'localhost'\n"


def test_deepspeed_takes_the_variable_for_the_hosts_gpus():
    told = "Detected CUDA_VISIBLE_DEVICES=4,5: setting --include=localhost:4,5\n"
    assert ruled(told + SLOT) == "hidden-by-visible-devices"
    assert ruled("deepspeed --include localhost:4 run.py\n" + SLOT) in NOTHING
