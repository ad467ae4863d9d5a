"""Statements that decide which repair is printed; without them the usual one is."""

from __future__ import annotations

import pytest

from support.pasted import commands, finding

RULES = (
    "$ docker run --gpus all nvidia/cuda:10.0-base nvidia-smi\nnvidia-container-cli: mount error: "
    "open failed: /sys/fs/cgroup/devices/user.slice/devices.allow: permission denied\n"
)
MIG = "MIG-377e0049-0000-0000-0000-000000000000"
NUMBER = (
    f"CUDA_VISIBLE_DEVICES={MIG} vllm serve TinyLlama\n"
    "ValueError: invalid literal for int() with base 10: '{}'\n"
)
UNKNOWN = "failed call to cuInit: CUDA_ERROR_UNKNOWN: unknown error\n"
IN_MIG = "RuntimeError: No CUDA GPUs are available\nThe A100 is in MIG mode, two MIG devices\n"
LOWER = "slurmd: error: gres/gpu count reported lower than configured (0 < 4)\n"
SLURM = "srun: error: Unable to allocate resources: Requested node configuration is not available\n"
CUDNN = "libcudnn_ops_infer.so.8: cannot open shared object file: No such file or directory\n"
NO_NVCC = (
    "nvcc -gencode arch=compute_{}{},code=sm_30 -Iinclude/ -c a.cu\n/bin/sh: 1: nvcc: not found\n"
    "make: *** [obj/a.o] Error 127\n"
)
XLA = (
    "nvptx_compiler.cc:70] Can't find libdevice directory ${CUDA_DIR}/nvvm/libdevice.\n"
    "nvptx_compiler.cc:74]   {}\n"
)
CUDART = (
    "ImportError: libcudart.so.9.0: cannot open shared object file: No such file or directory\n"
)
CUBLAS = (
    "TensorFlow version: 2.13.0\nOS: Ubuntu 22.04\n### CUDA/cuDNN version\n\n11.8.0/8.9.3.28-1{}"
    "\n\n"
    "Could not load library libcublasLt.so.12. Error: libcublasLt.so.12: cannot open shared object "
    "file: No such file or directory\n"
)
JULIA = (
    'ERROR: could not load library "{}"\nThe specified module could not be found.\n'
    "Stacktrace: Base.Libc.Libdl .\\libdl.jl:117\n"
)
ARTIFACT = r"C:\Users\me\.julia\artifacts\2ab9\bin\cudnn_cnn_infer64_8.dll"
NO_75 = "OSError: libcudart.so.7.5: cannot open shared object file: No such file or directory\n"
NO_DRIVER = "OS: Ubuntu {}\nError: No CUDA driver found\nGPU: GeForce GTX 1050\n"
NO_MSVC = "OS: {}\nImportError: Could not find 'msvcp140.dll'.\n"
CAP = "GPU 0: NVIDIA GeForce RTX 5090 Laptop GPU\n{}The SW Power Cap clock throttle is permanently "
CAP += "active, so the GPU core clocks stay near idle even at 100 percent utilization.\n"
HELD = "GPU power stays at 25W on Linux (50W is possible).{}\n"
BUS = "NVRM: Xid (PCI:0000:01:00): 79, pid='<unknown>', GPU has fallen off the bus.\n"
RM_INIT = "[ 238.5] NVRM: GPU 0000:00:04.0: RmInitAdapter failed! (0x63:0x55:2344)\n"
TF20 = (
    "OS: Linux\nPython version: 3.7\n{}: 2.0.0\ncuda: 10.1\nCould not dlopen library "
    "'libcudart.so.10.0'; dlerror: libcudart.so.10.0: cannot open shared object file: No such file "
    "or directory\n"
)
BUSY = """RuntimeError: CUDA error: all CUDA-capable devices are busy or unavailable
| NVIDIA-SMI 384.145                Driver Version: 384.145                   |
|   0  Tesla V100-SXM2...  On   | 00000000:06:00.0 Off |                    0 |
| N/A   39C    P0    72W / 300W |   1092MiB / 16152MiB |      0%   E. Process |
|   1  Tesla V100-SXM2...  On   | 00000000:07:00.0 Off |                    0 |
| N/A   38C    P0    44W / 300W |     10MiB / 16152MiB |      0%   {} |
"""
POWERD = " With nvidia-powerd running: 25W, 600MHz. With the service stopped: 1200MHz"


@pytest.mark.parametrize(
    ("text", "near", "command"),
    [
        (RULES + "Docker in rootless mode", RULES, "nvidia-container-cli.no-cgroups=true"),
        (RULES + "Docker in rootless mode", RULES, "systemctl --user restart docker"),
        (NUMBER.format(MIG), IN_MIG, "unset CUDA_VISIBLE_DEVICES"),
        ("$ singularity run --nv a.sif\n" + UNKNOWN, "OS: Windows 11\n" + UNKNOWN, "modprobe -u"),
        (SLURM, LOWER, 'sinfo -o "%P %G %D"'),
        (
            "FROM nvidia/cuda:11.8.0-base-ubuntu22.04\n" + CUDNN,
            "FROM nvidia/cuda:11.8.0-cudnn8-runtime-ubuntu22.04\n" + CUDNN,
            "docker pull nvidia/cuda:11.8.0-cudnn8-runtime-ubuntu22.04",
        ),
        (
            "FROM nvidia/cuda:12.2.0-devel-ubi8.8\n" + CUDNN,
            "FROM nvidia/cuda:12.6.0-devel-ubi8.8\n" + CUDNN,
            "docker pull nvidia/cuda:12.2.0-cudnn8-devel-ubi8.8",
        ),
        (NO_NVCC.format(3, 0), NO_NVCC.format(3, 0).replace("make: ***", ""), "bin:$PATH"),
        (
            XLA.replace("{}", "/usr/local/cuda-11.0"),
            XLA.replace("{}", "./cuda_sdk_lib"),
            "XLA_FLAGS=--xla_gpu_cuda_data_dir=/usr/local/cuda-11.0",
        ),
        (CUDART + "pytorch=1.10.2", CUDART + "tensorflow==1.12", "--no-build-isolation"),
        (CUBLAS.format("+cuda12.1"), CUBLAS.format("+cuda11.8"), "8.9.3.28-1+cuda11.*"),
        (
            JULIA.format(ARTIFACT),
            JULIA.format("cudnn_cnn_infer64_8.dll"),
            r'Remove-Item -Recurse "C:\Users\me\.julia\artifacts\2ab9"',
        ),
        (
            "me@host:~$ sudo python train.py\n" + NO_75,
            "me@host:~$ python train.py\n" + NO_75,
            "sudo tee /etc/ld.so.conf.d/cuda-7-5.conf",
        ),
        (NO_DRIVER.format("16.04"), NO_DRIVER.format("22.04"), "ubuntu-drivers autoinstall"),
        (NO_MSVC.format("Windows 7"), NO_MSVC.format("Windows 10"), "where.exe /r"),
        (
            "OS: Fedora Linux 44\n" + CAP.format("After moving to the 610.x driver branch, "),
            "OS: Fedora Linux 44\n" + CAP.format(""),
            "sudo dnf history undo ID",
        ),
        (RM_INIT, BUS, "sudo reboot"),
        ("NVRM: Xid (PCI:0000:01:00): 48, pid=1", BUS, "PAGE_RETIREMENT,ROW_REMAPPER"),
        (
            TF20.format("tensorflow-gpu"),
            TF20.format("tensorflow"),
            "uninstall --yes tensorflow-gpu",
        ),
        (BUSY.format("E. Process"), BUSY.format("Default"), "sudo nvidia-smi -c DEFAULT"),
        (HELD.format(POWERD), HELD.format(""), "systemctl disable --now nvidia-powerd"),
    ],
)
def test_the_statement_decides(text: str, near: str, command: str):
    assert command in commands(text)
    assert command not in commands(near)


def test_titles_say_what_happened():
    assert "Slurm has no node with GPUs" in finding(SLURM).title
    julia = finding(JULIA.format(ARTIFACT)).title
    assert julia == "cudnn_cnn_infer64_8.dll does not load: a DLL that it needs is not found"
    other = finding(CUBLAS.format("+cuda12.1")).title
    assert other == ("cuDNN 8.9.3.28-1+cuda12.1 is the build for CUDA 12; installed is CUDA 11.8.0")
