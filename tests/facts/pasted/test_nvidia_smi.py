"""nvidia-smi's outputs of several ages."""

from __future__ import annotations

import pytest

from gpuprobe.facts import names
from gpuprobe.facts.pasted import read
from support.pasted import some, told

OLDEST = """
Fri Apr 18 12:26:18 2014
+------------------------------------------------------+
| NVIDIA-SMI 331.62     Driver Version: 331.62         |
|-------------------------------+----------------------+----------------------+
| GPU  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |
| Fan  Temp  Perf  Pwr:Usage/Cap|         Memory-Usage | GPU-Util  Compute M. |
|===============================+======================+======================|
|   0  GeForce GTX 680     Off  | 0000:03:00.0     N/A |                  N/A |
| 30%   35C  N/A     N/A /  N/A |      9MiB /  4095MiB |     N/A      Default |
+-------------------------------+----------------------+----------------------+
"""

MIG = """
+---------------------------------------------------------------------------------------+
| NVIDIA-SMI 535.104.05             Driver Version: 535.104.05   CUDA Version: 12.2     |
|-----------------------------------------+----------------------+----------------------+
|   0  NVIDIA A100-SXM4-40GB          On  | 00000000:07:00.0 Off |                   On |
| N/A   27C    P0              44W / 400W |     87MiB / 40960MiB |     N/A      Default |
|                                         |                      |              Enabled |
+-----------------------------------------+----------------------+----------------------+
|   1  NVIDIA A100-SXM4-40GB          On  | 00000000:0F:00.0 Off |                   On |
| N/A   27C    P0              44W / 400W |      0MiB / 40960MiB |     N/A   E. Process |
|                                         |                      |            Disabled* |
+-----------------------------------------+----------------------+----------------------+
+---------------------------------------------------------------------------------------+
| MIG devices:                                                                          |
+------------------+--------------------------------+-----------+-----------------------+
| GPU  GI  CI  MIG |                   Memory-Usage |        Vol|      Shared           |
|      ID  ID  Dev |                     BAR1-Usage | SM     Unc| CE ENC DEC OFA JPG    |
|==================+================================+===========+=======================|
|  0    7   0   0  |              12MiB /  4864MiB  | 14      0 |  1   0    0    0    0 |
|                  |               0MiB /  8191MiB  |           |                       |
+------------------+--------------------------------+-----------+-----------------------+
|  0    8   0   1  |              12MiB /  4864MiB  | 14      0 |  1   0    0    0    0 |
+---------------------------------------------------------------------------------------+
"""

NO_INSTANCES = """
|   0  NVIDIA A100-SXM4-40GB          On  | 00000000:07:00.0 Off |                   On |
| N/A   27C    P0              44W / 400W |     87MiB / 40960MiB |     N/A      Default |
|                                         |                      |              Enabled |
+-----------------------------------------+----------------------+----------------------+
| MIG devices:                                                                          |
|  No MIG devices found                                                                 |
+---------------------------------------------------------------------------------------+
"""

PROCESSES = """
| Processes:                                                                              |
|  GPU   GI   CI              PID   Type   Process name                        GPU Memory |
|        ID   ID                                                               Usage      |
|=========================================================================================|
|    0   N/A  N/A            2081      G   /usr/lib/xorg/Xorg                      184MiB |
|    0   N/A  N/A           31337      C   python                                22030MiB |
|    1   N/A  N/A           31338    C+G   ...8bbwe/Microsoft.Photos.exe             10MiB |
"""

OLD_PROCESSES = """
| Processes:                                                       GPU Memory |
|  GPU       PID   Type   Process name                             Usage      |
|=============================================================================|
|    0      1234      C   /usr/bin/python                            10859MiB |
"""


def test_the_oldest_banner_states_no_cuda() -> None:
    found = told(OLDEST)
    assert found["driver.version"] == "331.62"
    assert "driver.cuda" not in found
    assert found["gpu.0.name"] == "GeForce GTX 680"
    assert found["gpu.0.memory_bytes"] == 4095 << 20


def test_the_banner_of_driver_610_and_later_has_other_words() -> None:
    found = told(
        "| NVIDIA-SMI 610.43.02     KMD Version: 610.43.02     CUDA UMD Version: 13.3     |\n"
        "|   0  NVIDIA B200               On  |   00000000:63:00.0 Off |                    0 |\n"
    )
    assert found["driver.version"] == "610.43.02"
    assert found["driver.cuda"] == "13.3"
    assert found["gpu.0.pci"] == "0000:63:00.0"
    assert found["gpu.0.persistence"] is True


def test_nvidia_smi_and_module_of_different_versions_are_kept_apart() -> None:
    found = told("| NVIDIA-SMI 450.66    Driver Version: 418.67    CUDA Version: 10.1  |")
    assert found["nvml.version"] == "450.66"
    assert found["driver.version"] == "418.67"


def test_mig_mode_and_instances_are_read_for_each_gpu() -> None:
    found = told(MIG)
    assert found["gpu.0.mig"] is True
    assert found["gpu.0.mig_instances"] == 2
    assert found["gpu.1.mig"] is False
    assert found["gpu.1.compute_mode"] == "exclusive process"
    assert "gpu.1.mig_instances" not in found


def test_mig_mode_without_an_instance_is_a_zero() -> None:
    found = told(NO_INSTANCES)
    assert (found["gpu.0.mig"], found["gpu.0.mig_instances"]) == (True, 0)


def test_listed_instances_belong_to_the_gpu_above_them() -> None:
    found = told("""
        GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-5d5ba0d6-d33d-2b2c-524d-9e3d8d2b8a77)
          MIG 3g.20gb     Device  0: (UUID: MIG-c6d4f1ef-42e4-5de3-91c7-45d71c87eb3f)
          MIG 2g.10gb     Device  1: (UUID: MIG-cba663e8-9bed-5b25-b243-5985ef7c9beb)
        GPU 1: NVIDIA A100-SXM4-40GB (UUID: GPU-69cc3e9e-2fa8-11ec-9d64-0242ac120003)
        """)
    assert found["gpu.0.mig_instances"] == 2
    assert "gpu.1.mig_instances" not in found
    assert found["gpu.1.uuid"] == "GPU-69cc3e9e-2fa8-11ec-9d64-0242ac120003"


@pytest.mark.parametrize(
    ("row", "failure"),
    [
        ("| ERR!   ERR!  ERR!    ERR! / ERR! |    GPU is lost |   0%   Default |", "ERR!"),
        ("|ERR!  ERR! ERR!    N/A / ERR! |      4MiB / 11178MiB |     ERR!      Default |", "ERR!"),
        ("| N/A   Unknown Error  P0   44W / 400W |  87MiB / 40960MiB |", "Unknown Error"),
    ],
)
def test_a_cell_that_could_not_be_read_is_a_failure(row: str, failure: str) -> None:
    name = "|   0  GeForce GTX 1080 Ti     Off | 00000000:01:00.0 Off |                  N/A |\n"
    assert failure in str(told(name + row)["gpu.0.failure"])


def test_an_unread_mig_mode_is_no_failure() -> None:
    """Tools newer than the driver print ERR! there, on a sound machine."""
    found = told("""
        |   0  Tesla T4            Off  | 00000000:00:04.0 Off |                    0 |
        | N/A   77C    P0    68W /  70W |    163MiB / 15079MiB |     95%      Default |
        |                               |                      |                 ERR! |
        """)
    assert "gpu.0.failure" not in found


def test_an_unknown_limit_of_power_is_no_failure() -> None:
    """Laptops' drivers print ERR! there, on a sound machine."""
    found = told("""
        |   0  NVIDIA T600 Laptop GPU       WDDM  | 00000000:01:00.0 Off |                  N/A |
        | N/A   60C    P0              N/A / ERR! |      0MiB /  4096MiB |      0%      Default |
        """)
    assert "gpu.0.failure" not in found
    assert found["gpu.0.memory_bytes"] == 4096 << 20


def test_the_processes_of_each_gpu_are_summed_up() -> None:
    found = told(PROCESSES)
    assert found["gpu.0.process_bytes"] == (184 + 22030) << 20
    assert found["gpu.1.process_bytes"] == 10 << 20
    assert "python (process 31337): 22030 MiB" in str(found["gpu.0.processes"])


def test_the_old_table_of_processes_is_read_too() -> None:
    assert told(OLD_PROCESSES)["gpu.0.process_bytes"] == 10859 << 20


HTOP = """
+------------------------------------------------------------------------------+
|  GPU    PID     USER    GPU MEM  %CPU  %MEM      TIME  COMMAND               |
|    0   1242     root       9MiB   0.0   0.0  175 days  /usr/lib/xorg/Xorg    |
|    0 232843   mare+     236MiB   100   0.1  01:00:20  /usr/bin/python3 t.py |
|    3 232843   mare+     876MiB   3.1   0.5     07:54  python                |
+------------------------------------------------------------------------------+
"""


def test_the_processes_of_nvidia_htop_are_read_with_their_memory() -> None:
    found = told(HTOP)
    assert found["gpu.0.process_bytes"] == (9 + 236) << 20
    assert found["gpu.3.processes"] == ("python (process 232843): 876 MiB",)
    assert told(PROCESSES + HTOP)["gpu.0.process_bytes"] == (184 + 22030) << 20
    assert told("|    0   1242     root       9MiB are taken, the rest is free |") == {}


def test_no_processes_say_nothing() -> None:
    assert some(told("|  No running processes found       |"), "gpu") == {}


def test_a_cut_name_is_completed_by_who_prints_it_whole() -> None:
    found = told("""
        |   0  GeForce GTX 108...  Off  | 00000000:01:00.0  On |                  N/A |
        GPU models and configuration: GPU 0: GeForce GTX 1080 Ti
        """)
    assert found["gpu.0.name"] == "GeForce GTX 1080 Ti"


def test_a_table_in_prose_is_none() -> None:
    assert told("you will see | Driver Version | and | CUDA Version | in the table") == {}


QUERY = """
==============NVSMI LOG==============

Timestamp                                 : Sat Oct 10 17:02:53 2020
Driver Version                            : 535.104.05
CUDA Version                              : 12.2

Attached GPUs                             : 1
GPU 00000000:01:00.0
    Product Name                          : NVIDIA H100 80GB HBM3
    Persistence Mode                      : Enabled
    MIG Mode
        Current                           : Disabled
        Pending                           : Disabled
    GPU UUID                              : GPU-a230e637-c9e1-1b61-3830-a437b874d88d
    Compute Mode                          : Exclusive_Process
    PCI
        Bus                               : 0x01
        GPU Link Info
            PCIe Generation
                Max                       : 5
                Current                   : 5
            Link Width
                Max                       : 16x
                Current                   : 4x
    Clocks Event Reasons
        Idle                              : Not Active
        SW Power Cap                      : Active
        HW Slowdown                       : Active
            HW Thermal Slowdown           : Not Active
    FB Memory Usage
        Total                             : 81559 MiB
        Free                              : 81008 MiB
    BAR1 Memory Usage
        Total                             : 131072 MiB
    Fabric
        State                             : In Progress
        Status                            : N/A
"""


def test_the_long_query_is_read_with_its_headings() -> None:
    found = told(QUERY)
    assert found["driver.version"] == "535.104.05"
    assert found["driver.cuda"] == "12.2"
    assert "toolkit.version" not in found
    assert found["gpu.0.name"] == "NVIDIA H100 80GB HBM3"
    assert found["gpu.0.mig"] is False
    assert found["gpu.0.compute_mode"] == "exclusive process"
    assert found["gpu.0.memory_bytes"] == 81559 << 20
    assert found["gpu.0.throttle"] == ("SW Power Cap", "HW Slowdown")
    assert (found["gpu.0.pcie_width"], found["gpu.0.pcie_width_max"]) == (4, 16)
    assert found["fabric_manager.state"] == "In Progress"


def test_a_query_with_header_is_read_by_its_columns() -> None:
    found = told("""
        $ nvidia-smi --query-gpu=index,name,driver_version,compute_cap,memory.total --format=csv
        index, name, driver_version, compute_cap, memory.total [MiB]
        0, NVIDIA GeForce RTX 3090, 535.54.03, 8.6, 24576 MiB
        1, NVIDIA A10, 535.54.03, 8.6, 23028 MiB
        """)
    assert found["gpu.1.name"] == "NVIDIA A10"
    assert found["gpu.0.capability"] == "8.6"
    assert found["gpu.0.memory_bytes"] == 24576 << 20


def test_a_query_without_header_is_read_by_its_command() -> None:
    found = told("""
        $ nvidia-smi --query-gpu=name,compute_cap --format=csv,noheader
        Tesla K80, 3.7
        """)
    assert (found["gpu.0.name"], found["gpu.0.capability"]) == ("Tesla K80", "3.7")


def test_an_unknown_error_in_a_query_is_a_failure() -> None:
    found = told("""
        index, name, temperature.gpu
        0, Tesla V100-SXM2-16GB, [Unknown Error]
        """)
    assert "Unknown Error" in str(found["gpu.0.failure"])


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("name,driver_version\nTesla T4, 535.54\nTesla T4, 535.54\n", 2),
        ("index,memory.used [MiB]\n0, 12 MiB\n", 1),
        ("name,driver_version\nTesla T4, [Unknown Error]\n", None),
        ("index,uuid\n0, GPU-8f6f3b7e\n", None),
        ("timestamp,name\n2024/05/01 10:00:00, Tesla T4\n2024/05/01 10:00:01, Tesla T4\n", None),
    ],
)
def test_rows_of_a_query_that_names_gpus_are_counted(query: str, count: int | None):
    assert (
        read(f"$ nvidia-smi --query-gpu=x --format=csv\n{query}").known(names.NVML_COUNT) == count
    )
