"""MIG without an instance, or with the wrong one, and what only looks like it."""

from __future__ import annotations

import pytest

from support.cases import ruled
from support.pasted import title_and_fix

REFUSED = "NVMLError_NoPermission: Insufficient Permissions\n"
NEW_MACHINE = "I have a problem with my new machine.\n"
COUNTS = "RuntimeError: device >= 0 && device < num_gpus INTERNAL ASSERT FAILED\n"
UNREAD = 'parsing "[Insufficient Permissions]" of nvidia-smi\n'
ORDINAL = "RuntimeError: cuda runtime error (101) : invalid device ordinal"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        # Who may not ask a whole GPU has a part of one.
        ("GPU: A100 (MIG)\n" + REFUSED, "mig"),
        (
            (
                "RuntimeError: CUDA error: invalid device ordinal\n$ nvidia-smi -L\n"
                "GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee)\n"
                "  MIG 3g.20gb Device 0: (UUID: MIG-11111111-bbbb-cccc-dddd-eeeeeeeeeeee)"
            ),
            "mig",
        ),
        (
            (
                "error setting MIGConfig: error attempting multiple config orderings: all orderings"
                " failed"
            ),
            "mig",
        ),
        ("error attempting several orderings of the list", "unknown"),
        ("0/2 nodes are available: 2 Insufficient nvidia.com/mig-1g.5gb.", "mig"),
        ("0/2 nodes are available: 2 Insufficient memory.", "unknown"),
        ("Unable to create a GPU Instance on GPU  0: Insufficient Resources", "mig"),
        ("Unable to create a compute cluster for MIG", "unknown"),
        ("Unable to enable MIG Mode for GPU 00000000:07:00.0: In use by another client", "mig"),
        ("MIG-1\ninvalid literal for int() with base 10: 'MIG-1'", "mig"),
        ("GPU: NVIDIA A100\nMIG enabled\nMIG devices are missing when I use nvccli.\n", "mig"),
        ("panic: More than one MIG device type present on node", "mig"),
        ("CUDA_ERROR_NO_DEVICE on any partitioned Nvidia A100 card", "mig"),
        (NEW_MACHINE + "MIG mode enabled but no instances created", "mig"),
        (COUNTS + "GPU 0: NVIDIA A100 MIG 3g.40gb", "mig"),
        (COUNTS + "GPU 0: NVIDIA A100", "unknown"),
        (COUNTS + "on NVIDIA-A100-SXM4-80GB-MIG-3g.40gb", "mig"),
        ("on NVIDIA-A100-SXM4-80GB-MIG-3g.40gb", "unknown"),
        ("error creating GPU instance for '1g.10gb': Insufficient Resources", "mig"),
        ("error creating EC2 instance: Insufficient Resources", "unknown"),
        ("FATA[0008] Error applying MIG configuration with hooks: exit status 255\n", "mig"),
        ("An A100 with MIG enabled\n" + UNREAD, "mig"),
        (f"On an A100 with MIG GPU instances\n{ORDINAL}", "mig"),
        ("nvidia-container-cli: device error: MIG-GPU-1/2/0: unknown device", "mig"),
        # A program may not ask for a GPU that is split.
        ("The device plugin crashes on our MIG node: insufficient permissions.", "mig"),
        ("It doesn't have sufficient permissions to list MIG devices.", "mig"),
        ("GPU: Tesla T4\nOn MIG nodes it has insufficient permissions.", "unknown"),
        ("Insufficient permissions to create a MIG instance.", "unknown"),
        ("The device plugin crashes: it has insufficient permissions.", "unknown"),
    ],
)
def test_mig_without_the_right_instance_is_told_from_its_kin(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    "text",
    [
        "nvidia-mig-parted apply refuses an invalid MIG configuration.\n",
    ],
)
def test_kin_of_mig_without_the_right_instance_names_no_cause(text: str):
    assert ruled(text) in ("unknown", "healthy")


@pytest.mark.parametrize(
    "text",
    [
        "An A100 with ECC enabled\n" + UNREAD,
        f"On an A100\n{ORDINAL}",
    ],
)
def test_this_is_not_mig_without_the_right_instance(text: str):
    assert ruled(text) != "mig"


SPLIT = """| NVIDIA-SMI 550.54.15    Driver Version: 550.54.15    CUDA Version: 12.4     |
|   0  NVIDIA H100 80GB HBM3       On  | 00000000:1A:00.0 Off |                   On |
| N/A   30C    P0              70W / 700W |                  N/A |     N/A      Default |
|                                         |                      |              Enabled |
"""


@pytest.mark.parametrize(
    ("title_and_fix", "cause"),
    [
        ("our scheduler does not see any mig devices", "mig"),
        ("MIG slices are not listed by the exporter", "mig"),
        ("our scheduler sees the mig devices", "healthy"),
        ("should it not find mig devices, restart it", "healthy"),
    ],
)
def test_somebody_says_that_the_instances_are_not_found(title_and_fix: str, cause: str):
    assert ruled(f"{title_and_fix}\n\n{SPLIT}") == cause


CLI = "nvidia-container-cli: device error: {id}: unknown device: unknown.\n"


def test_an_instance_that_the_container_tools_do_not_know():
    assert ruled("GPU: H200 with MIG\n" + CLI.format(id="0:2")) == "mig"
    assert ruled(CLI.format(id="7")) == "hidden-by-visible-devices"


def test_a_plugin_names_an_instance_of_which_nvml_knows_nothing():
    unread = "health.go:98] MIG-00000000-1: unable to parse UUID as MIG device; Marking it"
    unread = f"{unread} unhealthy.\n"
    marked = "server.go:456] 'nvidia.com/mig-1g.18gb' device marked unhealthy: MIG-0\n"
    assert ruled("GPU: NVIDIA H200\n" + unread + marked) == "mig"
    assert ruled("GPU: NVIDIA H200\n" + marked) == "device-lost"


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


NO_GPUS = "RuntimeError: No CUDA GPUs are available\n"
MIG_MODE = """$ nvidia-smi --query-gpu=mig.mode.current --format=csv{header}
{mode}
$ nvidia-smi -L
GPU 0: NVIDIA A100 80GB PCIe (UUID: GPU-11111111-1111-1111-1111-111111111111)
"""


@pytest.mark.parametrize("header", ["\nmig.mode.current", ",noheader"])
@pytest.mark.parametrize(("mode", "cause"), [("Enabled", "mig"), ("Disabled", "unknown")])
def test_a_query_of_one_column(header: str, mode: str, cause: str):
    assert ruled(MIG_MODE.format(header=header, mode=mode) + NO_GPUS) == cause


@pytest.mark.parametrize(("device", "cause"), [("0:3", "mig"), ("3", "hidden-by-visible-devices")])
def test_a_container_is_to_get_an_instance_that_no_gpu_has(device: str, cause: str):
    error = f"nvidia-container-cli: device error: unknown device id: {device}\\\\n"
    assert ruled(f"docker: Error response from daemon: {error}\n") == cause


MOJO = """{gpu}
No supported "gpu" device available.
  CUDA information: NVML: Unable to get memory info
"""


def test_what_fails_beside_an_instance_that_is_named_may_be_anything():
    told = "My program fails with MIG GPU A100\n"
    assert ruled(told) == "mig"
    assert ruled(f"{told}$ echo $CUDA_VISIBLE_DEVICES\nMIG-d5385a41-e608-5c4f\n") == "unknown"


def test_a_program_that_finds_no_gpu_beside_an_instance_of_mig():
    assert ruled(MOJO.format(gpu="A pod with one MIG 2g.20gb instance of an A100")) == "mig"
    assert ruled(MOJO.format(gpu="A pod with an A100")) != "mig"


NODE = """K8s: v1.30, GPU Operator v25.3
GPUs: 2x A100-PCIE-40GB
node advertises nvidia.com/gpu: 0
{label}
"""


@pytest.mark.parametrize(
    ("label", "cause"),
    [
        ("nvidia.com/mig.config.state=failed", "mig"),
        ('"nvidia.com/mig.config.state": "failed"', "mig"),
        ('"nvidia.com/mig.config.state": "pending"', "container-no-gpu"),
        ('"nvidia.com/gpu.product": "NVIDIA-A100-PCIE-40GB-MIG-INVALID"', "mig"),
        ("nvidia.com/mig.config.state=success", "container-no-gpu"),
    ],
)
def test_a_nodes_labels_say_that_its_gpus_are_not_divided_yet(label: str, cause: str):
    assert ruled(NODE.format(label=label)) == cause


OLLAMA = """$ nvidia-smi -L
GPU 0: NVIDIA H100 NVL (UUID: GPU-11111111-1111-1111-1111-111111111111)
{instance}
msg="inference compute" id=cpu library=cpu
"""


def test_ollama_takes_the_cpu_beside_an_instance():
    instance = "  MIG 1g.24gb     Device  0: (UUID: MIG-22222222-2222-2222-2222-222222222222)"
    assert ruled(OLLAMA.format(instance=instance)) == "mig"
    assert ruled(OLLAMA.format(instance="")) != "mig"


@pytest.mark.parametrize(
    ("title_and_fix", "cause"),
    [
        ("gpu-operator with the mixed MIG strategy", "mig"),
        ("gpu-operator, --set mig.strategy=mixed", "mig"),
        ("It began after enabling MIG on the node.", "mig"),
        ("gpu-operator, --set mig.strategy=single", "device-nodes"),
    ],
)
def test_whoever_splits_gpus_differently_has_them_split(title_and_fix: str, cause: str):
    refused = "Error getting device memory: nvml: Insufficient Permissions"
    assert ruled(f"{title_and_fix}\n{refused}\n") == cause


ROW = "|   0  NVIDIA A30          On   | 00000000:17:00.0 Off |{ecc} |\n"
VALIDATOR = "nvidia-cuda-validator-x7k2p   0/1   {state}   6   9m\n"


@pytest.mark.parametrize(
    ("ecc", "state", "cause"),
    [
        ("                   On", "Init:CrashLoopBackOff", "mig"),
        ("                    0", "Init:CrashLoopBackOff", "unknown"),
        ("                   On", "Completed", "healthy"),
    ],
)
def test_the_cell_of_ecc_tells_of_a_split_gpu(ecc: str, state: str, cause: str):
    assert ruled(ROW.format(ecc=ecc) + VALIDATOR.format(state=state)) == cause


# -- what is not there ---------------------------------------------------------------------------
MIG = """$ nvidia-smi
|   0  A100-PCIE-40GB      On   | 00000000:21:00.0 Off |                   {on} |
| N/A   30C    P0    35W / 250W |      0MiB / 40536MiB |      0%      Default |
|                               |                      |             {mode} |
+-------------------------------+----------------------+----------------------+
{devices}
CuPy 12.1 in a Singularity container
CUDARuntimeError: cudaErrorNoDevice: no CUDA-capable device is detected
"""
NONE = """| MIG devices:                                                                |
|=============================================================================|
|  No MIG devices found                                                       |"""


@pytest.mark.parametrize(
    ("on", "mode", "devices", "cause"),
    [
        ("On", " Enabled", NONE, "mig"),
        (" 0", "Disabled", "", "container-no-gpu"),
    ],
)
def test_mig_without_instances_leaves_a_container_nothing(
    on: str, mode: str, devices: str, cause: str
):
    assert ruled(MIG.format(on=on, mode=mode, devices=devices)) == cause


@pytest.mark.parametrize(
    ("title_and_fix", "cause"),
    [
        ("I just enabled MIG last year on another node.", "unknown"),
        ("So it is after enabling MIG.", "mig"),
    ],
)
def test_mig_of_another_machine(title_and_fix: str, cause: str):
    assert ruled(f"{title_and_fix} RuntimeError: No CUDA GPUs are available") == cause


def test_mig_may_split_cards_that_are_not_known_by_name():
    title_and_fix = "After I enabled MIG mode: RuntimeError: No CUDA GPUs are available\n"
    listed = "GPU 0: NVIDIA {} (UUID: GPU-11111111-1111-1111-1111-111111111111)\n"
    assert ruled(listed.format("A800-SXM4-80GB") + title_and_fix) == "mig"
    assert ruled(listed.format("GeForce RTX 3090") + title_and_fix) != "mig"


PERMISSIONS = "the plugin has insufficient permissions\n"
DISABLED = """|   0  NVIDIA A100-SXM4-40GB        On | 00000000:17:00.0 Off |                    0 |
| N/A   30C    P0    44W / 400W |      0MiB / 40960MiB |      0%      Default |
|                               |                      |             {} |
"""


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"On our MIG node {PERMISSIONS}", "mig"),
        (f"All is well without MIG; on the MIG node {PERMISSIONS}", "mig"),
        (f"MIG is not enabled; {PERMISSIONS}", "unknown"),
        (f"MIG M.: Disabled, {PERMISSIONS}", "unknown"),
        (f"{DISABLED.format('Disabled')}the mig plugin: {PERMISSIONS}", "unknown"),
        (f"{DISABLED.format(' Enabled')}the mig plugin: {PERMISSIONS}", "mig"),
    ],
)
def test_permissions_lack_where_mig_is_off(text: str, cause: str):
    assert ruled(text) == cause


def test_a_monitor_of_split_gpus_runs_as_root():
    assert "SYS_ADMIN" in title_and_fix(f"On our MIG node {PERMISSIONS}")


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("GPU: A100 with MIG\nOnly one MIG instance is detected by the server.\n", "mig"),
        ("GPU: A100, MIG mode on\nIt only uses the device with ID 0.\n", "mig"),
        ("GPU: A100\nIt only uses the device with ID 0.\n", "unknown"),
        ("Then I reboot, and the MIG instances are gone.\n", "mig"),
        ("After a restart of the node all migs disappeared.\n", "mig"),
        ("After a restart of the node all pods disappeared.\n", "unknown"),
    ],
)
def test_instances_that_are_not_all_used_or_gone(text: str, cause: str):
    assert ruled(text) == cause
