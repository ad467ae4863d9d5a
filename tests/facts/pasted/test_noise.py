"""Harmless messages are named, and none of the other readers takes them for a failure."""

from __future__ import annotations

import pytest

from gpuprobe.facts import names, said
from gpuprobe.facts.pasted import read
from gpuprobe.facts.pasted.wordings import harmless

LINES = {
    "onnxruntime-node-assumes-cuda": "`nvcc` not found. Assuming CUDA 12.",
    "opencv-without-video-sdk": "-- NVCUVENC: Header not found, WITH_NVCUVENC requires Nvidia "
    "encoding library header /opt/cuda/include/nvEncodeAPI.h",
    "starpu-without-hwloc-plugin": "[starpu] Warning: could not find location of CUDA3, do you "
    "have the hwloc CUDA plugin installed?",
    "kaldi-recommends-exclusive-mode": "WARNING (nnet3-train:SelectGpuId():cu-device.cc:196) Hint: "
    "It is practical to set the GPUs into ``compute exclusive mode''.",
    "ollama-driver-not-told": 'level=WARN source=cuda_compat.go:31 msg="could not verify NVIDIA '
    'driver compatibility for an older NVIDIA GPU"',
    "comfyui-own-kernels-off": "WARNING: You need pytorch with cu130 or higher to use optimized "
    "CUDA operations.",
    "cudnn-number-misread": "cuDNN reports version 91.0 which is not compatible with the version "
    "9.10 with which OpenCV was built",
    "factory-registered": "E external/local_xla/xla/stream_executor/cuda/cuda_dnn.cc:9261] Unable "
    "to register cuDNN factory: Attempting to register factory for plugin cuDNN when one has "
    "already been registered",
    "torch-plan-tried": "UserWarning: Plan failed with an OutOfMemoryError: CUDA out of memory. "
    "Tried to allocate 1.01 GiB. GPU 0 has a total capacity of 10.00 GiB of which 1 GiB is free",
    "computation-placer": "E computation_placer.cc:177] computation placer already registered.",
    "numa-node": "successful NUMA node read from SysFS had negative value (-1), but there must be "
    "at least one NUMA node, so returning NUMA node zero",
    "tf-profiler-without-cupti": "W tensorflow/stream_executor/platform/default/dso_loader.cc:59] "
    "Could not load dynamic library 'cupti64_101.dll'; dlerror: cupti64_101.dll not found",
    "tensorrt-missing": "W tensorflow/stream_executor/platform/default/dso_loader.cc:64] Could not "
    "load dynamic library 'libnvinfer.so.7'; dlerror: libnvinfer.so.7: cannot open shared object "
    "file: No such file or directory",
    "nvml-for-admins": "NVML: Unable to get the NvLink link utilization counter control for link "
    "2: Insufficient Permissions",
    "onednn": "oneDNN custom operations are on. You may see slightly different numerical "
    "results "
    "due to floating-point round-off errors from different computation orders. To turn them off, "
    "set the environment variable `TF_ENABLE_ONEDNN_OPTS=0`.",
    "cpu-instructions": "This TensorFlow binary is optimized to use available CPU instructions",
    "absl-log": "WARNING: All log messages before absl::InitializeLog() is called are written to x",
    "deprecated-numpy-alias": "DeprecationWarning: `np.object` is a deprecated alias for the "
    "builtin",
    "allocation-not-a-failure": "Allocator (GPU_0_bfc) ran out of memory trying to allocate 2GiB. "
    "The caller indicates that this is not a failure, but may mean that there could be performance "
    "gains if more memory were available.",
    "xla-devices": "Not creating XLA devices, tf_xla_enable_xla_devices not set",
    "jax-other-backends": "Unable to initialize backend 'tpu': INTERNAL: Failed to open libtpu.so: "
    "libtpu.so: cannot open shared object file: No such file or directory",
    "delay-kernel": "Delay kernel timed out: measured time has sub-optimal accuracy.",
    "architectures-deprecated": "nvcc warning : The 'compute_35' and 'sm_35' architectures are "
    "deprecated, and may be removed in a future release",
    "torch-without-flash-attention": "UserWarning: 1Torch was not compiled with flash attention.",
    "firmware-argument": "ACPI Warning: \\_SB.PCI0.PEGP._DSM: Argument #4 type mismatch - Found",
    "kernel-tainted": "nvidia: module license 'NVIDIA' taints kernel.",
    "interrupts-by-wire": "NVRM: GPU 0000:01:00.0: Failed to enable MSI; falling back to PCIe",
    "persistence-mode-off": "Warning: persistence mode is disabled on device 0",
    "utilization-not-counted": "GPU-Util[                          N/A]",
    "no-processes-listed": "|  No running processes found                              |",
    "cupy-cuda-path": "UserWarning: CUDA path could not be detected. Set CUDA_PATH if CuPy fails",
    "asynchronous-errors": "CUDA kernel errors might be asynchronously reported at another call",
    "ort-nodes-on-cpu": "Some nodes were not assigned to the preferred execution providers which",
    "xformers-triton": "A matching Triton is not available, some optimizations will not be "
    "enabled.",
    "tensorflow-float-32": "TensorFloat-32 will be used for the matrix multiplication.",
    "pynvml-renamed": "FutureWarning: The pynvml package is deprecated. Please install",
    "ptxas-not-on-windows": "W redzone_allocator.cc:314] Internal: Invoking GPU asm compilation is "
    "supported on Cuda non-Windows platforms only",
    "cudnn-criteria-not-met": "WARNING:tensorflow:Layer lstm_5 will not use cuDNN kernel since it "
    "doesn't meet the cuDNN kernel criteria. It will use generic GPU kernel as fallback",
    "fuser-falls-back": "[W manager.cpp:336] Warning: FALLBACK path has been taken inside: torch",
    "slow-constant-folding": "E external/xla/xla/service/slow_operation_alarm.cc:73] Constant "
    "folding an instruction is taking > 1s:",
    "too-few-multiprocessors-to-tune": "W torch/_inductor/utils.py:1137] [0/0] Not enough SMs to "
    "use max_autotune_gemm mode",
    "autocast-renamed": "FutureWarning: `torch.cuda.amp.GradScaler(args...)` is deprecated. Please "
    "use `torch.amp.GradScaler('cuda', args...)` instead.",
    "registers-spilled": "ptxas warning : Registers are spilled to local memory in function 'x'",
    "peer-access-none-needed": "Peer access not supported between device ordinals 0 and 1",
    "slurm-without-nvml": "slurmd: fatal: We were configured to autodetect nvml functionality, but "
    "we weren't able to find that lib when Slurm was configured.",
    "miner-without-nvml": "2020.08.12:16:08:55.258: main Unable to load NVML",
    "torchvision-image": "UserWarning: Failed to load image Python extension: '[WinError 127] The "
    "specified procedure could not be found'If you don't plan on using image functionality from "
    "`torchvision.io`, you can ignore this warning.",
    "small-gpu-ignored": "Ignoring gpu device (device: 1, name: NVS 510) with core count: 1.",
    "wsl-libcuda-link": "ldconfig: /usr/lib/wsl/lib/libcuda.so.1 is not a symbolic link",
    "cdi-file-not-there": "WARN[0000] Could not locate nvidia_drv.so: pattern nvidia_drv.so not "
    "found",
    "nvrtc-takes-older-architecture": "UserWarning: Device compute capability 12.0 is not "
    "supported by NVRTC 12.4. Using 9.0 instead.",
    "nvrtc-builtins-not-preloaded": "RuntimeWarning: NVRTC builtins sibling not found: /opt/x.so",
    "nvcc-without-gpu": "nvcc warning : Cannot find valid GPU for '-arch=native', default arch is "
    "used",
    "cmake-policy-of-cuda": "  Policy CMP0146 is not set: The FindCUDA module is removed.",
    "cmake-for-developers": "This warning is for project developers.  Use -Wno-dev to suppress it.",
    "screen-owned": "*ERROR* [nvidia-drm] [GPU ID 0x00000100] Failed to grab modeset ownership",
    "fabric-manager-serves": "Successfully configured all the available NVSwitches to route GPU "
    "NVLink traffic.",
    "container-cli-leaves-out": "W0217 09:10:11.3 32 nvc_info.c:401] missing library libnvcuvid.so",
    "container-cli-asks-for-wsl": "I0217 nvc.c:393] attempting to load dxcore to see if we are "
    "running under Windows Subsystem for Linux (WSL)",
    "kernel-of-other-compiler": "warning: the compiler differs from the one used to build the "
    "kernel",
    "dkms-has-it": "Module /lib/modules/6.8.0-1/updates/dkms/nvidia.ko.zst already installed at "
    "version 570.124.06, override by specifying --force",
    "card-is-served": "Your card is supported by the default drivers.",
    "deepspeed-compiles-for-all": "[WARNING] Torch did not find cuda available, if cross-compiling "
    "or running with cpu only you can ignore this message.",
    "bnb-told-its-cuda": "WARNING: Manual override via BNB_CUDA_VERSION env variable detected!",
    "openmpi-before-cuda": "WARNING: The call to cuCtxGetCurrent() failed while attempting to "
    "register",
    "mesa-without-driver": "libEGL warning: MESA-LOADER: failed to open nvidia-drm: x_dri.so",
    "gpu-in-use-for-a-setting": "GPU 00000000:01:00.0 is currently being used by one or more other "
    "processes (e.g. CUDA application)",
    "confidential-computing-off": "NVRM: GPU confidential compute capability is not enabled.",
    "gsp-log-not-read": "NVRM: Failed to load gsp_log_*.bin, no GSP-RM logs will be printed "
    "(non-fatal)",
    "driver-installer-guesses": "WARNING: Unable to find a suitable destination to install 32-bit "
    "compatibility libraries.",
    "triton-own-libdevice": "UserWarning: CUDA libdevice not found at /opt/cuda/nvvm/libdevice/"
    "libdevice.10.bc; using Triton's bundled libdevice which may cause minor precision differences",
    "compiles-for-visible-gpus": "TORCH_CUDA_ARCH_LIST is not set, all archs for visible cards are "
    "included for compilation.",
    "cuda-graphs-not-annotated": "cudaGraphNodeGetToolsId API not found in cuda-bindings. Current "
    "version: 12.9.1, required: >= 13.1.0. CUDA graph kernel annotations will be disabled.",
    "nccl-allocator-not-compiled": "Failed to compile NCCL memory allocator. Symmetric memory will",
    "ort-without-tensorrt": "Failed to load library libonnxruntime_providers_tensorrt.so with "
    "error: libnvinfer.so.8: cannot open shared object file: No such file or directory",
    "gpustat-pynvml-older": "Your NVIDIA driver requires a compatible version of pynvml (>= 11)",
    "nccl-pool-not-registered": "Warning: Disabling default-pool NCCL memory registration",
    "oom-without-processes": "Warning: nvmlInit_v2 failed; omitting per-process memory info from "
    "CUDA out-of-memory messages. (function operator())",
    "dataparallel-imbalance": "There is an imbalance between your GPUs. You may want to exclude",
    "nccl-device-guessed": "[W] using GPU 3 as device used by this process is currently unknown. "
    "This can potentially cause a hang if this rank to GPU mapping is incorrect.",
    "driver-compiles-for-xla": "W redzone_allocator.cc:322] Internal: ptxas exited with non-zero "
    "error code -1, output: ",
    "reduces-without-nccl": "tensorflow:Nccl kernel is not found, not using nccl allreduce.",
    "ort-libraries-not-preloaded": "WARNING: Unable to parse CUDA version 'x'. Skipping DLL "
    "preloading. Call preload_dlls with cuda=False and cudnn=False.",
    "ort-node-on-cpu": "[W:onnxruntime:, cuda_execution_provider.cc:2377] Dropping the Conv node: "
    "c7 to CPU because it requires asymmetric padding which the CUDA EP does not support",
    "ort-memory-untold": "CUDA_EP failed to get available GPU memory info. Using info_.gpu_mem_lim",
    "mxnet-cuda-minor-differs": "base.cc:49: cuda library mismatch: linked-against version 10020 "
    "!= compiled-against version 10010.  Set MXNET_CUDA_LIB_CHECKING=0 to quiet this warning.",
    "mmcv-own-convolution": "UserWarning: Since aten:cudnn_convolution_backward_weight is not "
    "supported in torch==2.0.1, rolling back to `torch.nn.functional.conv2d`",
    "horovod-notes": "Linking NCCL statically, but linking CUDA runtime library dynamically.",
    "apex-cross-compiles": "By default, Apex will cross-compile for Pascal (compute capabilities",
    "custom-allreduce-off": "WARNING custom_all_reduce:136] Custom allreduce is disabled because "
    "it's not supported on more than two PCIe-only GPUs.",
    "other-allreduce-off": "SymmMemCommunicator: Device capability 8.6 not supported,",
    "ggml-without-nccl": "-- Warning: NCCL not found, performance for multiple CUDA GPUs will be",
    "cuda-of-one-major-accepted": "Installed CUDA version 12.1 does not match the version torch "
    "was compiled with 12.4 but since the APIs are compatible, accepting this combination",
    "fused-activation-missing": "CUDA-fused xIELU not available (No module named 'xielu')",
    "torchdynamo-speed": "The speedups for torchdynamo mostly come with GPU Ampere or higher and "
    "which is not detected here.",
    "quantised-weights-widened": "WARNING marlin_utils_fp8.py:54] Your GPU does not have native "
    "support for FP8 computation but FP8 quantization is being used.",
    "container-shm-default": "NOTE: The SHMEM allocation limit is set to the default of 64MB.",
    "openmpi-other-transport": "[g4:10079] 3 more processes have sent help message "
    "help-mpi-btl-openib-cpc-base.txt / no cpcs for port",
    "openmpi-help-folded": '[g4:10079] Set MCA parameter "orte_base_help_aggregate" to 0 to see',
    "gstreamer-without-nvrtc": "cudanvrtc gstcudanvrtc.cpp:179:gst_cuda_nvrtc_load_library_once: "
    "Failed to load 'nvrtcGetCUBINSize', 'nvrtcGetCUBINSize': /usr/lib/libnvrtc.so: undefined "
    "symbol: nvrtcGetCUBINSize",
    "lammps-after-its-end": "Cuda driver error 4 in call at file '/a/nvd_timer.h' in line 98.",
    "nccl-falls-back": "x:42 [0] misc/ibvwrap.cc:63 NCCL WARN Failed to open libibverbs.so[.1]",
}


def test_every_kind_has_a_sample() -> None:
    assert {sign.id for sign in harmless.SIGNS} == set(LINES)


@pytest.mark.parametrize("kind", LINES)
def test_noise_is_named_and_is_nothing_else(kind: str) -> None:
    facts = read(LINES[kind])
    assert facts.subjects(said.NOISE) == (kind,)
    assert facts.known(said.MEMORY_ASKED) is None
    for failure in (said.ERROR, said.SIGN, names.LIBRARY_MISSING, said.LIBRARY_BROKEN):
        assert facts.subjects(failure) == (), (failure.pattern, facts.subjects(failure))


def test_a_failure_beside_noise_stays_a_failure() -> None:
    facts = read(LINES["onednn"] + "\nfailed call to cuInit: CUDA_ERROR_NO_DEVICE")
    assert facts.subjects(said.ERROR) == ("CUDA_ERROR_NO_DEVICE",)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (
            "cuda library mismatch: linked-against version 11020 != compiled-against version 9020",
            "mxnet-cuda-minor-differs",
        ),
        (
            "redzone_allocator.cc:32] Internal: ptxas exited with non-zero error code 256,",
            "driver-compiles-for-xla",
        ),
        ("[W:onnxruntime:] Dropping the request to CPU because of a full queue", "ort-node-on-cpu"),
    ],
)
def test_the_like_of_noise_is_none(line: str, kind: str) -> None:
    assert kind not in read(line).subjects(said.NOISE)


@pytest.mark.parametrize(
    "text",
    [
        (
            "UserWarning: TORCH_CUDA_ARCH_LIST is not set, all archs for visible cards are included"
            " for compilation. \n"
            "If this is not desired, please set os.environ['TORCH_CUDA_ARCH_LIST']."
        ),
        (
            "UserWarning: \n"
            "    There is an imbalance between your GPUs. You may want to exclude GPU 0 which\n"
            "    has less than 75% of the memory or cores of GPU 2. You can do so by setting\n"
            "    the device_ids argument to DataParallel, or by setting the CUDA_VISIBLE_DEVICES\n"
            "    environment variable."
        ),
        (
            "CMake Warning at CMakeLists.txt:240 (message):\n"
            "  Linking NCCL statically, but linking CUDA runtime library dynamically.\n"
            "  This combination is not supported with typical builds of NCCL."
        ),
    ],
)
def test_the_lines_that_noise_goes_on_with_read_like_nothing(text: str) -> None:
    assert read(text).known(said.READS_LIKE) is None
