"""Run times, services and compiled modules in their own words; each with its kin."""

from __future__ import annotations

import pytest

from support.cases import ruled

POOL = "E cuda_driver.cc:924] failed to allocate {} from device: CUDA_ERROR_OUT_OF_MEMORY"
BFC = "Ran out of memory trying to allocate 2.5GiB. OOM when allocating tensor"
FABRIC = "GPU 0: {} (UUID: GPU-0)\nnvidia-fabricmanager.service: failed"
TWO = "tensorflow  {0}\ntensorflow-gpu  {0}\n>>> tf.test.is_gpu_available()\nFalse\n"
ORT = "onnxruntime-gpu==1.17.0\n"


@pytest.mark.parametrize(
    ("pasted", "cause"),
    [
        (POOL.format("5.93G (6365773824 bytes)"), "oom-preallocation"),
        (POOL.format("190.31M (199557120 bytes)"), "oom-other-process"),
        (FABRIC.format("NVIDIA A100-SXM4-80GB"), "fabric-manager"),
        (
            "Resolving Linux kernel version...\nCould not resolve Linux kernel version",
            "driver-not-loaded",
        ),
        (
            (
                "NVRM: The NVIDIA GPU 0000:01:00.0 (PCI ID: 10de:2684)\n"
                "NVRM: installed in this system is not supported by the\n"
                "NVRM: NVIDIA 470.57.02 driver release."
            ),
            "driver-not-loaded",
        ),
        (
            "TypeError: C function cuda.ccudart.cudaFree has wrong signature (expected x",
            "extension-mismatch",
        ),
        (
            "ERROR: Could not find cublasLt (cublasLt64_115.dll, cublasLt64_11.dll) in C:\\x",
            "cublas-missing",
        ),
        ("Debug: No system CUDA driver found", "driver-missing"),
        ("ImportError: /usr/lib/x86_64-linux-gnu/libcuda.so.1: file too short", "driver-missing"),
        ("storage.cc:43: Please compile with CUDA enabled", "cpu-only-build"),
        (TWO.format("1.8.0"), "mixed-installs"),
        (
            "Available providers: ['AzureExecutionProvider', 'CPUExecutionProvider']",
            "cpu-only-build",
        ),
        (
            ORT + "available providers: ['CUDAExecutionProvider', 'CPUExecutionProvider']\n"
            "Applied providers: ['CPUExecutionProvider'], with options: {}",
            "silent-cpu-fallback",
        ),
        ("nvrtc: error: invalid value for --gpu-architecture (-arch)", "gpu-too-new"),
        ("MPS client failed to connect to the MPS control daemon", "device-busy"),
        ("'visible_device_list' listed an invalid GPU id '3'", "hidden-by-visible-devices"),
    ],
)
def test_cause_is_named(pasted: str, cause: str):
    assert ruled(pasted) == cause


@pytest.mark.parametrize(
    "pasted",
    [
        FABRIC.format("NVIDIA GeForce RTX 4090"),
        FABRIC.format("NVIDIA A100-PCIE-40GB"),
        "WARNING Nothing to do [NV_WARN_NOTHING_TO_DO]\nnvidia-fabricmanager.service: failed",
        "Could not resolve the host's name",
        "TypeError: C function app.core.run has wrong signature (expected x",
        "ERROR: Could not find widget (window, panel) in the page",
        "ImportError: /x/libfoo.so.1: file too short",
        TWO.format("2.4.0"),
        ORT + "providers=['CPUExecutionProvider']",
        "session = InferenceSession('m.onnx', providers=['CPUExecutionProvider'])",
        "the SHMEM allocation limit is set to the default of 64MB",
        "TensorFlow: could not enable peer access between device ordinals 0 and 1",
    ],
)
def test_kin_of_these_texts_names_no_cause(pasted: str):
    assert ruled(pasted) in ("unknown", "healthy")


def test_the_work_is_too_large_where_the_pool_was_had():
    text = POOL.format("2.50G (2684354560 bytes)") + "\nInUse:  9000000000\n" + BFC
    assert ruled(text) == "oom-workload"
