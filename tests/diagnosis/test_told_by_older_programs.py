"""What programs of some years ago, and tools of every age, told of a failure; and near misses."""

from __future__ import annotations

import pytest

from support.cases import ruled

HOOK = (
    "docker: Error response from daemon: OCI runtime create failed: error running hook: exit"
    " status 1, stderr: nvidia-container-cli: initialization error: driver error: failed to process"
    " request"
)


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        ("", "driver-not-loaded"),
        ("nvidia 19898368 212 nvidia_uvm,nvidia_modeset\n", "container-no-gpu"),
    ],
)
def test_the_host_shows_why_the_driver_does_not_answer_a_container(answer: str, cause: str):
    assert ruled(f"{HOOK}\n$ lsmod | grep nvidia\n{answer}$\n") == cause


FULL = """CUDA Error: out of memory
$ nvidia-smi
|    0      4711      C   ./detector                                  3801MiB |
$ {shown}
"""


@pytest.mark.parametrize(
    ("shown", "cause"),
    [
        ("ps -o pid,stat,cmd -p 4711\n 4711 Tl   ./detector train", "oom-other-process"),
        (
            "ps aux\nme  4711  0.0 12.1 9911 8122 pts/1  T  09:12  3:01 ./detector",
            "oom-other-process",
        ),
        ("ps -o pid,stat,cmd -p 4711\n 4711 Rl+  ./detector train", "oom-workload"),
        ("ps -o pid,stat,cmd\n 4712 T    ./editor", "oom-workload"),
        ("jobs\n[1]+  Stopped                 python train.py", "oom-other-process"),
        ("jobs\n[1]+  Stopped                 vim train.py", "oom-workload"),
        ("jobs\n[1]+  Running                 python serve.py &", "oom-workload"),
    ],
)
def test_a_stopped_process_keeps_its_memory(shown: str, cause: str):
    assert ruled(FULL.format(shown=shown)) == cause


TOOK = (
    "gpu_device.cc:1105] Created TensorFlow device (/job:localhost/replica:0/task:0/device:GPU:0"
    " with 10413 MB memory) -> physical GPU (device: 0, name: GeForce GTX 1080 Ti)\n"
)
OF_DLIB = (
    "RuntimeError: Error while calling cudaMalloc(&data, n) in file dlib/cuda/cuda_data_ptr.cpp:28."
    " code: 2, reason: out of memory\n"
)
OF_ITS_OWN = "ResourceExhaustedError: OOM when allocating tensor with shape[64,512,512]\n"
OF_PYCUDA = "pycuda._driver.MemoryError: cuMemAlloc failed: out of memory\n"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (TOOK + OF_DLIB, "oom-preallocation"),
        (TOOK + OF_PYCUDA, "oom-preallocation"),
        (OF_DLIB, "oom-workload"),
        (TOOK + OF_ITS_OWN, "oom-workload"),
    ],
)
def test_tensorflow_told_what_it_took_before_another_library_asked(text: str, cause: str):
    assert ruled(text) == cause


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        ("initCnmem: cnmemInit call failed! Reason={}.", "oom-preallocation"),
        ("Error allocating 838860800 bytes of device memory ({}).", "oom-workload"),
    ],
)
def test_theanos_pool_is_refused_or_is_used_up(words: str, cause: str):
    told = words.format("CNMEM_STATUS_OUT_OF_MEMORY")
    assert ruled(f"Using Theano backend, GTX 970\n{told}\n") == cause


@pytest.mark.parametrize(("device", "cause"), [("0:3", "mig"), ("3", "hidden-by-visible-devices")])
def test_a_container_is_to_get_an_instance_that_no_gpu_has(device: str, cause: str):
    error = f"nvidia-container-cli: device error: unknown device id: {device}\\\\n"
    assert ruled(f"docker: Error response from daemon: {error}\n") == cause


LINKED = """tensorflow-gpu 1.4.0, CUDA 8.0, Windows 10
OSError: [WinError 126] The specified module could not be found
{named}"""
NAMED = (
    "ImportError: Could not find 'cudnn64_6.dll'. TensorFlow requires that this DLL be installed in"
    " a directory that is named in your %PATH% environment variable."
)


@pytest.mark.parametrize(("named", "cause"), [(NAMED, "cudnn-missing"), ("", "cudart-missing")])
def test_windows_misses_a_file_that_tensorflow_names(named: str, cause: str):
    assert ruled(LINKED.format(named=named)) == cause


LACKS = """/opt/env/lib/python3.8/site-packages/torch/lib/../../../../libcublas.so.11: \
symbol cublasLtMatmulNew, version libcublasLt.so.11 not defined in file libcublasLt.so.11
\tlibcublasLt.so.11 => {copy}
"""


@pytest.mark.parametrize(
    ("copy", "cause"),
    [
        ("/opt/env/lib/./libcublasLt.so.11 (0x00007f0000000000)", "cuda-libs-mismatch"),
        ("/usr/local/cuda/lib64/libcublasLt.so.11 (0x00007f0000000000)", "library-path-conflict"),
    ],
)
def test_a_copy_in_the_same_folder_is_no_foreign_one(copy: str, cause: str):
    assert ruled(LACKS.format(copy=copy)) == cause


NO_FILE = (
    "ERROR: Could not find a version that satisfies the requirement torch==1.6.0+cu101 (from"
    " versions: 0.1.2, 0.1.2.post1, 0.1.2.post2)"
)


@pytest.mark.parametrize(
    ("python", "cause"), [("3.9.1", "python-unsupported"), ("3.8.5", "unknown")]
)
def test_a_list_tells_how_wide_python_is(python: str, cause: str):
    assert ruled(f"Windows 10, Python {python} (64-bit), RTX 2060\n{NO_FILE}\n") == cause


TWO_OF_ORT = """onnxruntime-gpu==1.4.0
{other}>>> onnxruntime.get_device()
'{device}'
>>> session.get_providers()
['CPUExecutionProvider']
"""


@pytest.mark.parametrize(
    ("other", "device", "cause"),
    [
        ("onnxruntime==1.4.0\n", "CPU", "mixed-installs"),
        ("", "GPU", "silent-cpu-fallback"),
    ],
)
def test_the_build_that_is_imported_says_that_it_has_no_cuda(other: str, device: str, cause: str):
    assert ruled(TWO_OF_ORT.format(other=other, device=device)) == cause


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        ("numpy.ndarray has the wrong size, try recompiling. Expected 80, got 88", "numpy-abi"),
        ("topics.Model has the wrong size, try recompiling. Expected 80, got 88", "unknown"),
    ],
)
def test_an_older_cython_asks_to_recompile(words: str, cause: str):
    assert ruled(f"GTX 1080, pygpu\nValueError: {words}\n") == cause


MODULE = """mod = mx.mod.Module(symbol=net{context})
$ nvidia-smi
|   0  Tesla V100-SXM2...  On   | 00000000:00:1B.0 Off |                    0 |
| N/A   41C    P0    36W / 300W |  {used:>5}MiB / 16160MiB |      0%      Default |
"""


@pytest.mark.parametrize(
    ("context", "used", "cause"),
    [
        ("", 11, "silent-cpu-fallback"),
        (", context=mx.gpu(0)", 11, "healthy"),
        ("", 9000, "healthy"),
    ],
)
def test_a_module_of_mxnet_is_the_cpus_unless_told(context: str, used: int, cause: str):
    assert ruled(MODULE.format(context=context, used=used)) == cause


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        ("GPU-Util stays 0%, and the cores are busy", "silent-cpu-fallback"),
        ("GPU-Util stays at 98%", "healthy"),
    ],
)
def test_the_column_of_nvidia_smi_is_told_of(words: str, cause: str):
    assert ruled(f">>> cv2.cuda.getCudaEnabledDeviceCount()\n1\n{words}\n") == cause


LINK = """{device}\t\tLnkCap:\tPort #0, Speed 8GT/s, Width x16, ASPM L0s L1
\t\tLnkSta:\tSpeed 2.5GT/s, Width x{lanes}, TrErr- Train- SlotClk+ DLActive-
>>> torch.cuda.is_available()
True
"""
GPU = "01:00.0 VGA compatible controller: NVIDIA Corporation GP104 [GeForce GTX 1070] (rev a1)\n"
BRIDGE = "00:01.0 PCI bridge: Intel Corporation Xeon E3 PCIe Controller (x16) (rev 05)\n"


@pytest.mark.parametrize(
    ("device", "lanes", "cause"),
    [
        (GPU, 1, "power-thermal"),
        ("", 1, "power-thermal"),
        (GPU, 16, "healthy"),
        (BRIDGE, 1, "healthy"),
    ],
)
def test_lspci_shows_how_many_lanes_a_gpu_uses(device: str, lanes: int, cause: str):
    assert ruled(LINK.format(device=device, lanes=lanes)) == cause


def test_links_of_several_devices_are_of_no_known_one():
    links = "".join(LINK.format(device="", lanes=lanes) for lanes in (16, 1))
    assert ruled(links) == "healthy"
