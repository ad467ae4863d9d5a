"""What Windows' lists of adapters, printed variables and packages inside WSL say."""

from __future__ import annotations

import pytest

from support.cases import ruled

NO_DRIVER = "RuntimeError: Found no NVIDIA driver on your system.\n"
WMIC = "C:\\>wmic path win32_VideoController get name\nName\n{name}\n\n"
CIM = "PS C:\\> Get-CimInstance Win32_VideoController | Format-List Name\n\nName : {name}\n\n"
DXDIAG = "           Card name: {name}\n        Manufacturer: unsaid\n"


@pytest.mark.parametrize("listed", [WMIC, CIM, DXDIAG])
@pytest.mark.parametrize(
    ("name", "cause"),
    [
        ("AMD Radeon(TM) Graphics", "no-nvidia-gpu"),
        ("Intel(R) UHD Graphics 620", "no-nvidia-gpu"),
        ("NVIDIA GeForce GTX 1650", "driver-missing"),
        # So Windows calls any card that has no driver, one of NVIDIA's too.
        ("Microsoft Basic Display Adapter", "driver-missing"),
    ],
)
def test_windows_lists_its_adapters(listed: str, name: str, cause: str):
    assert ruled(f"OS: Windows 11\n{listed.format(name=name)}{NO_DRIVER}") == cause


def test_one_adapter_of_a_laptop_that_has_two():
    text = f"Laptop with a GeForce RTX 3060\n{DXDIAG.format(name='AMD Radeon(TM) Graphics')}"
    assert ruled(text + NO_DRIVER) == "driver-missing"


NO_GPUS = "RuntimeError: No CUDA GPUs are available\n"


@pytest.mark.parametrize(
    "printed",
    [
        ">>> os.environ['CUDA_VISIBLE_DEVICES']\n{value}\n",
        ">>> os.getenv('CUDA_VISIBLE_DEVICES', None)\n{value}\n",
        "In [2]: os.environ.get('CUDA_VISIBLE_DEVICES')\nOut[2]: {value}\n",
        'os.environ["CUDA_VISIBLE_DEVICES"] -> {value}\n',
        "print(os.environ['CUDA_VISIBLE_DEVICES'])  ->  {value}\n",
        "PS C:\\work> $env:CUDA_VISIBLE_DEVICES\n{value}\n",
    ],
)
@pytest.mark.parametrize(
    ("value", "cause"), [("'-1'", "hidden-by-visible-devices"), ("'0'", "unknown")]
)
def test_a_program_prints_the_variable(printed: str, value: str, cause: str):
    shown = value.strip("'") if "$env" in printed or "print(" in printed else value
    assert ruled(f"GPU: NVIDIA A10G\n{printed.format(value=shown)}{NO_GPUS}") == cause


def test_code_that_sets_the_variable_prints_nothing():
    text = f">>> os.environ['CUDA_VISIBLE_DEVICES'] = device\n'-1'\n{NO_GPUS}"
    assert ruled(f"GPU: NVIDIA A10G\n{text}") == "unknown"


OLLAMA = """$ nvidia-smi -L
GPU 0: NVIDIA GeForce RTX 4060 Ti (UUID: GPU-11111111-1111-1111-1111-111111111111)
INFO server config env="map[{mapped} GPU_DEVICE_ORDINAL: HTTP_PROXY: OLLAMA_DEBUG:false]"
INFO msg="unable to load cuda driver library" error="cuda driver library init failure: 100"
"""


@pytest.mark.parametrize(
    ("mapped", "cause"),
    [
        ("CUDA_VISIBLE_DEVICES:1", "hidden-by-visible-devices"),
        ("CUDA_VISIBLE_DEVICES:0", "unknown"),
        ("CUDA_VISIBLE_DEVICES:", "unknown"),  # so Go shows one that is not set
    ],
)
def test_ollama_lists_its_variables(mapped: str, cause: str):
    assert ruled(OLLAMA.format(mapped=mapped)) == cause


REFUSED = """$ uname -r
{kernel}
$ dpkg -l | grep nvidia
ii  nvidia-utils-535   535.171.04-0ubuntu0.22.04.1   amd64   NVIDIA driver support binaries
RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 803: system has unsupported display
driver / cuda driver combination
"""


@pytest.mark.parametrize(
    ("kernel", "cause"),
    [
        ("5.15.146.1-microsoft-standard-WSL2", "wsl"),
        ("5.15.0-101-generic", "driver-library-mismatch"),
    ],
)
def test_a_linux_driver_inside_wsl_is_refused(kernel: str, cause: str):
    assert ruled(REFUSED.format(kernel=kernel)) == cause


CDI = """$ lspci -k
01:00.0 VGA compatible controller: NVIDIA Corporation AD106 [GeForce RTX 4060 Ti] (rev a1)
	Kernel driver in use: {driver}
$ sudo nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml
$ podman run --device nvidia.com/gpu=all image nvidia-smi
Error: setting up CDI devices: unresolvable CDI devices nvidia.com/gpu=all
"""


@pytest.mark.parametrize(
    ("driver", "cause"), [("nouveau", "driver-missing"), ("nvidia", "container-no-gpu")]
)
def test_no_container_has_a_gpu_that_nouveau_drives(driver: str, cause: str):
    assert ruled(CDI.format(driver=driver)) == cause


LLAMA = ">>> llama_cpp.llama_supports_gpu_offload()\n{answer}\n"


@pytest.mark.parametrize(("answer", "cause"), [("False", "cpu-only-build"), ("True", "unknown")])
def test_llama_cpp_says_whether_it_offloads(answer: str, cause: str):
    assert ruled(f"GPU: NVIDIA GH200\n{LLAMA.format(answer=answer)}") == cause


FABRIC = """Node: {gpu}
$ systemctl status nvidia-fabricmanager
● nvidia-fabricmanager.service - NVIDIA fabric manager service
     Active: {state} since Mon
>>> torch.cuda.is_available()
False
"""


@pytest.mark.parametrize(
    ("gpu", "state", "cause"),
    [
        ("8x NVIDIA H100 80GB HBM3", "inactive (dead)", "fabric-manager"),
        ("8x NVIDIA H100 80GB HBM3", "active (running)", "unknown"),
        ("NVIDIA GeForce RTX 3090", "inactive (dead)", "unknown"),
    ],
)
def test_systemctl_shows_the_fabric_manager(gpu: str, state: str, cause: str):
    assert ruled(FABRIC.format(gpu=gpu, state=state)) == cause


MIG_MODE = """$ nvidia-smi --query-gpu=mig.mode.current --format=csv{header}
{mode}
$ nvidia-smi -L
GPU 0: NVIDIA A100 80GB PCIe (UUID: GPU-11111111-1111-1111-1111-111111111111)
"""


@pytest.mark.parametrize("header", ["\nmig.mode.current", ",noheader"])
@pytest.mark.parametrize(("mode", "cause"), [("Enabled", "mig"), ("Disabled", "unknown")])
def test_a_query_of_one_column(header: str, mode: str, cause: str):
    assert ruled(MIG_MODE.format(header=header, mode=mode) + NO_GPUS) == cause


ITEMS = """PS C:\\> Get-ChildItem Env:CUDA*
Name                           Value
----                           -----
CUDA_PATH                      C:\\CUDA\\v11.8
CUDA_VISIBLE_DEVICES           {value}

"""


@pytest.mark.parametrize(
    ("value", "cause"), [("-1", "hidden-by-visible-devices"), ("0", "unknown")]
)
def test_powershell_lists_its_variables(value: str, cause: str):
    assert ruled(f"GPU: RTX 3060\n{ITEMS.format(value=value)}{NO_GPUS}") == cause


WANTED = "OSError: libcublas.so.11: cannot open shared object file: No such file or directory\n"
CACHE = (
    "$ ldconfig -p | grep cublas\n\tlibcublas.so.{n} (libc6,x86-64) => /usr/lib/libcublas.so.{n}\n"
)
FOLDER = "$ ls -l /usr/local/cuda/lib64\n-rw-r--r-- 1 root root 94M May 4 2023 libcublas.so.{n}\n"


@pytest.mark.parametrize("listing", [CACHE, FOLDER])
@pytest.mark.parametrize(
    ("major", "cause"), [("12", "framework-cuda-mismatch"), ("11", "cublas-missing")]
)
def test_a_listing_shows_the_libraries_of_another_cuda(listing: str, major: str, cause: str):
    assert ruled(f"{WANTED}{listing.format(n=major)}") == cause


def test_a_command_that_lists_nothing_shows_no_library():
    refused = "ls: cannot access 'libcublas.so.12': No such file or directory"
    assert ruled(f"{WANTED}$ ls libcublas.so.12\n{refused}\n") == "cublas-missing"


CREATED = "Created device /job:localhost/replica:0/task:0/device:GPU:0 with {size} MB memory:\n"
OWN_POOL = CREATED + "ResourceExhaustedError: OOM when allocating tensor with shape[64,512]\n"
BESIDE = CREATED + (
    "RuntimeError: CUDA out of memory. Tried to allocate 256.00 MiB (GPU 0; 7.79 GiB total "
    "capacity; 0 bytes already allocated; 64.81 MiB free; 0 bytes reserved in total by PyTorch)\n"
)


@pytest.mark.parametrize(
    ("told", "size", "cause"),
    [
        (OWN_POOL, 305, "oom-other-process"),
        (OWN_POOL, 21500, "oom-workload"),
        (BESIDE, 6942, "oom-preallocation"),
        (BESIDE, 305, "oom-other-process"),
    ],
)
def test_tensorflow_tells_how_much_it_took(told: str, size: int, cause: str):
    assert ruled(told.format(size=size)) == cause


CELLS = """2x Titan V
In [1]: import tensorflow as tf
        tf.config.list_logical_devices('GPU')
In [2]: import os
        os.environ["CUDA_VISIBLE_DEVICES"] = "1"
        tf.config.list_physical_devices('GPU')
Out[2]: [PhysicalDevice(name='/physical_device:GPU:0', device_type='GPU'){second}]
"""
SECOND = ",\n PhysicalDevice(name='/physical_device:GPU:1', device_type='GPU')"


@pytest.mark.parametrize(
    ("second", "cause"), [(SECOND, "visible-devices-too-late"), ("", "healthy")]
)
def test_a_list_of_devices_over_several_lines(second: str, cause: str):
    assert ruled(CELLS.format(second=second)) == cause


IDLE = "nvidia-smi shows 0 % and no process while all cores are at 100 %\n"


@pytest.mark.parametrize(
    ("code", "cause"),
    [
        ('reg = xgb.XGBRegressor(n_estimators=20, tree_method="hist")', "silent-cpu-fallback"),
        ('reg = xgb.XGBRegressor(tree_method="hist", device="cuda")', "unknown"),
        ('self.device = torch.device("cpu")', "silent-cpu-fallback"),
        ('self.device = torch.device("cuda")', "unknown"),
    ],
)
def test_code_takes_the_cpu_and_the_gpu_has_no_process(code: str, cause: str):
    assert ruled(f"GPU: RTX 2060\n{code}\n{IDLE}") == cause
    assert ruled(f"GPU: RTX 2060\n{code}\n") == "unknown"


ONE_LISTED = "GPU 0: NVIDIA RTX 3060 (UUID: GPU-11111111-1111-1111-1111-111111111111)\n"


@pytest.mark.parametrize(
    ("device", "cause"), [("1", "hidden-by-visible-devices"), ("0", "unknown")]
)
def test_comfyui_sets_the_variable(device: str, cause: str):
    text = f"Set cuda device to: {device}\n{NO_GPUS}C:\\>nvidia-smi -L\n{ONE_LISTED}"
    assert ruled(text) == cause


OPENCV = "checkVersions cuDNN reports version 8.0 which is not compatible with the version {} with"


@pytest.mark.parametrize(("built", "cause"), [("8.2", "cudnn-mismatch"), ("n/a", "unknown")])
def test_opencv_refuses_an_older_cudnn(built: str, cause: str):
    assert ruled(f"{OPENCV.format(built)} which OpenCV was built\n") == cause


PROVIDER = (
    "onnxruntime-gpu: 1.15.1\n[E:onnxruntime:Default, provider_bridge_ort.cc:1351 "
    "onnxruntime::TryGetProviderInfo_CUDA] FAIL : LoadLibrary failed with error 126 when trying "
    'to load "C:\\onnxruntime\\capi\\onnxruntime_providers_cuda.dll"\n'
)
FOLDER_OF_WINDOWS = "CUDA_PATH=C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA\\v{}\n"
TWO_WAYS = "I use CUDA {} and cuDNN 8.9 for CUDA 12\n"


@pytest.mark.parametrize(
    ("stated", "cause"),
    [
        (FOLDER_OF_WINDOWS.format("12.2"), "framework-cuda-mismatch"),
        (FOLDER_OF_WINDOWS.format("11.8"), "cudnn-missing"),
        (TWO_WAYS.format("12.2"), "framework-cuda-mismatch"),
        (TWO_WAYS.format("11.8"), "cudnn-missing"),  # two releases are told of: neither counts
    ],
)
def test_a_provider_needs_another_cuda_than_is_there(stated: str, cause: str):
    assert ruled(f"OS: Windows 11\n{stated}{PROVIDER}") == cause


@pytest.mark.parametrize(
    ("line", "cause"),
    [("WARNING: NVIDIA Insufficient driver!", "driver-too-old"), ("NVIDIA driver: ok", "unknown")],
)
def test_a_miner_finds_the_driver_too_old(line: str, cause: str):
    assert ruled(f"GPU: GTX 1070\n{line}\nbackend NVIDIA disabled.\n") == cause


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ('GPU: GTX 1060, listed as "Microsoft Basic Display Adapter"', "driver-missing"),
        ("GPU: GTX 1060\nMonitor: on a Microsoft Basic Display Adapter", "unknown"),
    ],
)
def test_device_manager_has_no_driver_for_the_card(line: str, cause: str):
    assert ruled(f"OS: Windows 10\n{line}\n") == cause


LAMMPS = "ERROR: Accelerator sharing is not currently supported on system (../gpu_extra.h:47)\n"


@pytest.mark.parametrize(
    ("mode", "cause"), [("Exclusive_Process", "device-busy"), ("Default", "unknown")]
)
def test_lammps_shares_no_gpu_in_exclusive_mode(mode: str, cause: str):
    shown = f"$ nvidia-smi -q -d COMPUTE\nGPU 00000000:3B:00.0\n    Compute Mode : {mode}\n"
    assert ruled(LAMMPS + shown) == cause
